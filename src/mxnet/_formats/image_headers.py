"""What an image file asks of a decoder, found by walking through it before it is decoded.

A PNG of fifty bytes takes gigabytes if a length in it says so, and a JPEG of 300 kB takes minutes
if it has 20,000 scans, because decoders do what a file declares. Here files of the formats in use
are walked through as the decoder will, and what they ask for is compared with the limit
`image_pixels`. A file that the walk cannot follow is refused with the place. Other formats are
refused, unless the limit `unchecked_image_bytes` is raised, and what is of no known format never
gets to a decoder.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import TypeAlias

from mxnet import limits
from mxnet._formats.images import unchecked
from mxnet._formats.images.gif import walk_gif
from mxnet._formats.images.jpeg import walk_jpeg
from mxnet._formats.images.png import walk_png
from mxnet._formats.images.rasters import walk_bmp, walk_netpbm
from mxnet._formats.images.structure import DamagedImageError, Structure
from mxnet._formats.images.webp import walk_webp
from mxnet.errors import FileFormatError

Walker: TypeAlias = Callable[[bytes], Structure]

_FORMATS: tuple[tuple[re.Pattern[bytes], Walker], ...] = (
    (re.compile(rb"\xff\xd8\xff"), walk_jpeg),
    (re.compile(rb"\x89PNG\r\n\x1a\n"), walk_png),
    (re.compile(rb"GIF8[79]a"), walk_gif),
    (re.compile(rb"BM"), walk_bmp),
    (re.compile(rb"RIFF....WEBP", re.S), walk_webp),
    (re.compile(rb"P[1-6]\s"), walk_netpbm),
)
"""How files of the formats in use begin, and the function that walks through them."""


def check_image(where: str, content: bytes) -> bytes | None:
    """Raises if an image is damaged or asks for more than is allowed.

    An image may have as many pixels as the file has bytes, plus the limit. Pixels that are held
    or gone through several times count several times.

    Args:
        where: Name of the image for messages: its file and its position there.
        content: Content of the file, as a decoder gets it.

    Returns:
        What to give to the decoder, mostly the content as it is; None if it is no image.

    Raises:
        FileFormatError: if the structure of the file is damaged.
        LimitExceededError: if the image is too large, or of a format that cannot be checked.
    """
    try:
        structure = walk(content)
    except DamagedImageError as error:
        raise FileFormatError(f"{where}: byte {error.offset:,}: {error.reason}") from None
    if structure is None:
        return content if _check_unchecked(where, content) else None
    _check_work(where, structure, len(content))
    return content if structure.plain is None else structure.plain


def walk(content: bytes) -> Structure | None:
    """Returns what decoding of an image takes, None if it is of none of the formats in use.

    Raises:
        DamagedImageError: if the walk cannot go on.
    """
    for start, walk_format in _FORMATS:
        if start.match(content):
            return walk_format(content)
    return None


def _check_work(where: str, structure: Structure, size: int) -> None:
    width, height, work, note, _ = structure
    limits.check("image_pixels", work - size, f"{where}: an image of {width} x {height}{note}")


def _check_unchecked(where: str, content: bytes) -> bool:
    """Returns whether a file of another format may be decoded; raises if it is of a known one."""
    size = len(content)
    found = next((form for form in unchecked.FORMATS if form.start.match(content)), None)
    if found is None:
        return 0 < size <= limits.get("unchecked_image_bytes")
    limits.check(
        "unchecked_image_bytes", size, f"{where}: {found.name} is not checked before it is decoded"
    )
    try:
        declared = found.read_size(content)
    except (struct.error, ValueError):
        declared = None
    if declared is not None:
        width, height = declared
        _check_work(where, Structure(width, height, width * height), size)
    return True

"""OpenCV, where it is installed."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from mxnet import limits
from mxnet._formats.images import unchecked
from mxnet._formats.images.gif import walk_gif
from mxnet._formats.images.jpeg import walk_jpeg
from mxnet._formats.images.png import walk_png
from mxnet._formats.images.rasters import walk_bmp, walk_netpbm
from mxnet._formats.images.structure import DamagedImageError, Structure
from mxnet._formats.images.webp import walk_webp
from mxnet._start import OptionalModule
from mxnet.errors import FileFormatError, MissingLibraryError

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


_library = OptionalModule("cv2")

if TYPE_CHECKING:
    import cv2 as cv2
else:
    cv2 = _library


def has_opencv() -> bool:
    """Imports OpenCV, and returns whether it is there."""
    return _library.is_there()


def preload() -> None:
    """Imports OpenCV now, so that processes which are forked later need not, each by itself."""
    has_opencv()


def need_opencv(where: str) -> None:
    """Checks that OpenCV is there.

    Raises:
        MissingLibraryError: if not; says what to install.
    """
    if not has_opencv():
        raise MissingLibraryError(
            f"{where}: needs OpenCV; install glueball[images] or opencv-python-headless"
        )


def decode_with_opencv(where: str, content: bytes, flag: int) -> Any:
    """Decodes an image, blue first; the only place of the package that calls a decoder of images.

    Args:
        where: What to begin messages with: the image, its file.
        content: Bytes of the file.
        flag: OpenCV's number of what is wanted, such as `cv2.IMREAD_COLOR`.

    Returns:
        The image, None if OpenCV knows no format that it could be of.

    Raises:
        LimitExceededError: if the image asks for more than `mx.limits` allows, or is of a format
            that `mx.limits` must allow first.
        FileFormatError: if the image is damaged, or OpenCV raises.
    """
    checked = check_image(where, content)
    if checked is None:
        return None
    try:
        return cv2.imdecode(np.frombuffer(checked, np.uint8), flag)
    except cv2.error as error:
        raise FileFormatError(f"{where}: OpenCV cannot decode the image: {error}") from error

"""The size that an image file declares, read before anything is decoded.

A PNG of fifty kilobytes decodes to gigabytes if its header says so, because decoders allocate what
the header declares. Here the declared size is compared with the limit `image_pixels` first. The
formats are those that OpenCV reads; a file of any other format has no size here, and OpenCV does
not decode it.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence

from mxnet import limits

Size = tuple[int, int]
"""Width and height."""

_JPEG_SIZE_MARKERS = frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
_JPEG_BARE_MARKERS = frozenset({0x01, *range(0xD0, 0xD8)})
_TIFF_SIZES = ((256, 257), (322, 323))
"""Tags of width and height: of the picture, and of its tiles, each of which is decoded whole."""
_TIFF_INTEGERS = {3: "H", 4: "I", 16: "Q"}
_MAX_TIFF_ENTRIES = 4096
_TEXT_HEADER = 1 << 16
"""Number of bytes within which a text header must end."""


def check_image(where: str, content: bytes | memoryview) -> None:
    """Raises if an image declares more pixels than are allowed.

    An image may declare as many pixels as the file has bytes, plus the limit.

    Args:
        where: Name of the image for messages: its file and its position there.
        content: Content of the file, as a decoder gets it.

    Raises:
        LimitExceededError: if the image is too large.
    """
    view = memoryview(content)
    size = declared_size(view)
    if size is not None:
        width, height = size
        excess = width * height - len(view)
        limits.check("image_pixels", excess, f"{where}: an image of {width} x {height}")


def declared_size(content: memoryview) -> Size | None:
    """Returns the width and height in the header of an image, None if it has no known header."""
    start = bytes(content[:16])
    for pattern, read in _FORMATS:
        if pattern.match(start):
            try:
                return read(content)
            except (struct.error, ValueError):
                return None
    return None


def _read_png(content: memoryview) -> Size:
    width, height = struct.unpack_from(">II", content, 16)
    return width, height


def _read_jpeg(content: memoryview) -> Size | None:
    """Walks from marker to marker; the first frame header has the size."""
    position = 2
    while position + 9 <= len(content):
        if content[position] != 0xFF:
            position += 1  # decoders pass over bytes between segments
            continue
        marker = content[position + 1]
        if marker in _JPEG_SIZE_MARKERS:
            height, width = struct.unpack_from(">HH", content, position + 5)
            return width, height
        if marker == 0xFF:
            position += 1
        elif marker in _JPEG_BARE_MARKERS or marker == 0x00:
            position += 2
        else:
            position += 2 + max(int.from_bytes(content[position + 2 : position + 4], "big"), 2)
    return None


def _read_gif(content: memoryview) -> Size:
    width, height = struct.unpack_from("<HH", content, 6)
    return width, height


def _read_bmp(content: memoryview) -> Size:
    (header_size,) = struct.unpack_from("<I", content, 14)
    width, height = struct.unpack_from("<HH" if header_size == 12 else "<ii", content, 18)
    return abs(width), abs(height)


def _read_webp(content: memoryview) -> Size | None:
    chunk = bytes(content[12:16])
    if chunk == b"VP8X":
        width, height = (int.from_bytes(content[at : at + 3], "little") + 1 for at in (24, 27))
        return width, height
    if chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", content, 21)
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 ":
        width, height = struct.unpack_from("<HH", content, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _read_tiff(content: memoryview) -> Size | None:
    """Reads the first directory; BigTIFF files have wider fields."""
    order = "<" if bytes(content[:2]) == b"II" else ">"
    (version,) = struct.unpack_from(f"{order}H", content, 2)
    offset_form, count_form, entry_size = ("Q", "Q", 20) if version == 43 else ("I", "H", 12)
    at = 8 if version == 43 else 4
    (directory,) = struct.unpack_from(order + offset_form, content, at)
    (count,) = struct.unpack_from(order + count_form, content, directory)
    first = directory + struct.calcsize(count_form)
    values: dict[int, int] = {}
    for number in range(min(count, _MAX_TIFF_ENTRIES)):
        entry = first + number * entry_size
        tag, field_type = struct.unpack_from(f"{order}HH", content, entry)
        if field_type in _TIFF_INTEGERS and entry + entry_size <= len(content):
            value_at = entry + (12 if version == 43 else 8)
            (values[tag],) = struct.unpack_from(
                order + _TIFF_INTEGERS[field_type], content, value_at
            )
    return _largest([(values.get(wide, 0), values.get(high, 0)) for wide, high in _TIFF_SIZES])


def _largest(sizes: Sequence[Size]) -> Size | None:
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def _read_netpbm(content: memoryview) -> Size | None:
    text = re.sub(rb"#[^\n\r]*", b" ", bytes(content[2:_TEXT_HEADER]))
    match = re.match(rb"\s*(\d{1,19})\s+(\d{1,19})\s", text)
    return None if match is None else (int(match[1]), int(match[2]))


def _read_pam(content: memoryview) -> Size | None:
    text = bytes(content[:_TEXT_HEADER])
    width, height = (
        re.search(rb"^\s*" + name + rb"\s+(\d{1,19})", text, re.M) for name in (b"WIDTH", b"HEIGHT")
    )
    return None if width is None or height is None else (int(width[1]), int(height[1]))


def _read_radiance(content: memoryview) -> Size | None:
    text = bytes(content[:_TEXT_HEADER])
    match = re.search(rb"^[-+]Y\s+(\d{1,19})\s+[-+]X\s+(\d{1,19})", text, re.M)
    return None if match is None else (int(match[2]), int(match[1]))


def _read_sun(content: memoryview) -> Size:
    width, height = struct.unpack_from(">II", content, 4)
    return width, height


def _read_jpeg2000(content: memoryview) -> Size | None:
    """Finds the size segment of the codestream, after the boxes that may come before it."""
    start = bytes(content).find(b"\xff\x4f\xff\x51")
    if start < 0:
        return None
    width, height, left, top = struct.unpack_from(">IIII", content, start + 8)
    return max(width - left, 0), max(height - top, 0)


def _read_avif(content: memoryview) -> Size | None:
    """Returns the size of the largest picture in the file; some may be tiles of others."""
    places = re.finditer(rb"ispe", bytes(content[:_TEXT_HEADER]))
    sizes = [struct.unpack_from(">4xII", content, place.end()) for place in places]
    return _largest([(width, height) for width, height in sizes])


_FORMATS: tuple[tuple[re.Pattern[bytes], Callable[[memoryview], Size | None]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n", re.S), _read_png),
    (re.compile(rb"\xff\xd8\xff", re.S), _read_jpeg),
    (re.compile(rb"GIF8[79]a"), _read_gif),
    (re.compile(rb"BM"), _read_bmp),
    (re.compile(rb"RIFF....WEBP", re.S), _read_webp),
    (re.compile(rb"II[*+]\0|MM\0[*+]"), _read_tiff),
    (re.compile(rb"P7\s"), _read_pam),
    (re.compile(rb"P[1-6fF]\s"), _read_netpbm),
    (re.compile(rb"#\?R(ADIANC|GB)E"), _read_radiance),
    (re.compile(rb"\x59\xa6\x6a\x95", re.S), _read_sun),
    (re.compile(rb"\0\0\0\x0cjP|\xff\x4f\xff\x51", re.S), _read_jpeg2000),
    (re.compile(rb"....ftyp", re.S), _read_avif),
)
"""How files of each format begin, and the function that reads their size."""

"""Structure of files that hold rows of pixels as they are: BMP and Netpbm (P1 to P6)."""

from __future__ import annotations

import re
import struct

from mxnet._formats.images.structure import DamagedImageError, Structure

_BMP_HEADER = 36
"""Bytes of a header from which on decoders read all of its fields."""
_BMP_OLD_HEADER = 12
_PLAIN, _RLE8, _RLE4, _BITFIELDS = range(4)
_BMP_KINDS = {_PLAIN: (1, 4, 8, 16, 24, 32), _RLE8: (8,), _RLE4: (4,), _BITFIELDS: (16, 32)}
"""Bits of a pixel by kind of compression."""

_SPACE = re.compile(rb"[ \t-\r]*")
_DIGITS = re.compile(rb"[0-9]*")
_LINE_END = re.compile(rb"[\n\r]")
_TEXT_HEADER = 1 << 16
"""Bytes within which a header of text must end."""
_LARGEST = 2**31 - 1


def walk_bmp(content: bytes) -> Structure:
    """Returns the size of a BMP image, all rows of which must be there."""
    try:
        offset, header = struct.unpack_from("<II", content, 10)
        form = "<HHHH" if header == _BMP_OLD_HEADER else "<iiHH"
        width, height, _, bits = struct.unpack_from(form, content, 18)
        (compression,) = struct.unpack_from("<I", content, 30) if header >= _BMP_HEADER else (0,)
    except struct.error:
        raise DamagedImageError(len(content), "cut off within the header") from None
    if header != _BMP_OLD_HEADER and not _BMP_HEADER <= header <= len(content) - 14:
        raise DamagedImageError(14, f"a header of {header:,} bytes")
    height = abs(height)
    if width <= 0 or not height or bits not in _BMP_KINDS.get(compression, ()):
        raise DamagedImageError(
            18, f"an image of {width} x {height}, {bits} bits, compression {compression}"
        )
    if offset > len(content):
        raise DamagedImageError(10, f"pixels at byte {offset:,} of {len(content):,}")
    if compression in (_PLAIN, _BITFIELDS):
        _check_rows(content, offset, (width * bits + 31) // 32 * 4, height)
    return Structure(width, height, width * height)


def _check_rows(content: bytes, start: int, row: int, count: int) -> None:
    left = len(content) - start
    if row * count > left:
        raise DamagedImageError(
            start, f"cut off, {count:,} rows of {row:,} bytes expected, got {left:,}"
        )


def walk_netpbm(content: bytes) -> Structure:
    """Returns the size of an image of bits, grey values or colours, all of which must be there."""
    kind = content[1] - ord("0")
    is_binary, form = kind > 3, (kind - 1) % 3
    width, position = _read_number(content, 2)
    height, position = _read_number(content, position)
    largest = 1
    if form:
        largest, position = _read_number(content, position)
    if not width or not height or not 0 < largest < 1 << 16:
        raise DamagedImageError(
            position, f"an image of {width} x {height} with values to {largest}"
        )
    values = width * (3 if form == 2 else 1)
    if not is_binary:
        # One digit for each value, and what separates numbers.
        _check_rows(content, position, values if form == 0 else 2 * values - 1, height)
    elif form == 0:
        _check_rows(content, position, (width + 7) // 8, height)
    else:
        _check_rows(content, position, values * (2 if largest > 255 else 1), height)
    return Structure(width, height, width * height)


def _read_number(content: bytes, position: int) -> tuple[int, int]:
    """Returns the next number of a header and the place after the byte that ends it."""
    end = min(len(content), _TEXT_HEADER)
    while True:
        space = _SPACE.match(content, position, end)
        position = space.end() if space else position
        if content[position : position + 1] != b"#":
            break
        comment = _LINE_END.search(content, position, end)
        if comment is None:
            raise DamagedImageError(position, "a comment that does not end")
        position = comment.end()
    digits = _DIGITS.match(content, position, end)
    text = digits[0] if digits else b""
    number = text.lstrip(b"0") or b"0"
    after = position + len(text)
    if not text or after >= end or len(number) > 10 or int(number) > _LARGEST:
        raise DamagedImageError(
            position, f"a number expected, got {content[position : position + 12]!r}"
        )
    return int(number), after + 1

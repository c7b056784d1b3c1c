"""Formats whose files say in too many ways what they hold: TIFF, JPEG 2000, AVIF and others.

A header of theirs may stand anywhere or twice, so that a reader of headers and a decoder need not
see the same one. They are decoded if the program asks for it; what the plainest reading of the
header declares is compared with the limit for pixels even then.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

Size: TypeAlias = tuple[int, int]
"""Width and height."""

_TIFF_SIZES = ((256, 257), (322, 323))
"""Tags of width and height: of the picture, and of its tiles, each of which is decoded whole."""
_TIFF_INTEGERS = {3: "H", 4: "I", 8: "h", 9: "i", 16: "Q"}
_MAX_TIFF_ENTRIES = 4096
_TEXT_HEADER = 1 << 16
"""Number of bytes within which a text header must end."""


def read_nothing(_content: bytes) -> Size | None:
    """Reads the header of a format that none of the other functions know."""
    return None


def read_tiff(content: bytes) -> Size | None:
    """Reads the first directory; BigTIFF files have wider fields."""
    order = "<" if content[:2] == b"II" else ">"
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
            (value,) = struct.unpack_from(order + _TIFF_INTEGERS[field_type], content, value_at)
            values[tag] = max(value, values.get(tag, 0))
    return _largest([(values.get(wide, 0), values.get(high, 0)) for wide, high in _TIFF_SIZES])


def _largest(sizes: Sequence[Size]) -> Size | None:
    return max(sizes, key=lambda size: size[0] * size[1], default=None)


def read_pfm(content: bytes) -> Size | None:
    """Reads the two numbers after the kind of the file."""
    match = re.match(rb"P[fF]\s(\d{1,19})\s(\d{1,19})\s", content[:64])
    return None if match is None else (int(match[1]), int(match[2]))


def read_pam(content: bytes) -> Size | None:
    """Reads lines of a name and a value."""
    values: dict[bytes, int] = {}
    for line in content[:_TEXT_HEADER].splitlines():
        name, *rest = line.split(None, 2) or [b""]
        if name == b"ENDHDR":
            break
        if name in (b"WIDTH", b"HEIGHT") and rest and rest[0][:20].isdigit():
            values[name] = max(int(rest[0][:20]), values.get(name, 0))
    return (values[b"WIDTH"], values[b"HEIGHT"]) if len(values) == 2 else None


def read_radiance(content: bytes) -> Size | None:
    """Reads the largest of the lines with a size."""
    text = content[:_TEXT_HEADER]
    found = re.finditer(rb"^[-+]Y (\d{1,19}) [-+]X (\d{1,19})", text, re.M)
    return _largest([(int(match[2]), int(match[1])) for match in found])


def read_sun(content: bytes) -> Size:
    """Reads the two numbers after the mark of the file."""
    width, height = struct.unpack_from(">II", content, 4)
    return width, height


def read_jpeg2000(content: bytes) -> Size | None:
    """Reads the largest of the size segments, after the boxes that may come before it."""
    sizes = []
    for match in re.finditer(rb"\xff\x4f\xff\x51", content):
        width, height, left, top = struct.unpack_from(">IIII", content, match.start() + 8)
        sizes.append((max(width - left, 0), max(height - top, 0)))
    return _largest(sizes)


def read_avif(content: bytes) -> Size | None:
    """Returns the size of the largest picture in the file; some may be tiles of others."""
    sizes = [
        struct.unpack_from(">4xII", content, place.end())
        for place in re.finditer(rb"ispe", content)
        if place.end() + 12 <= len(content)
    ]
    return _largest([(width, height) for width, height in sizes])


class UncheckedFormat(NamedTuple):
    """A format of which more is not known than how its files begin."""

    name: str
    start: re.Pattern[bytes]
    read_size: Callable[[bytes], Size | None]


FORMATS = tuple(
    UncheckedFormat(name, re.compile(start, re.S), read_size)
    for name, start, read_size in (
        ("TIFF", rb"II[*+]\0|MM\0[*+]", read_tiff),
        ("PAM", rb"P7\s", read_pam),
        ("PFM", rb"P[fF]\s", read_pfm),
        ("Radiance HDR", rb"#\?R(ADIANC|GB)E", read_radiance),
        ("Sun raster", rb"\x59\xa6\x6a\x95", read_sun),
        ("JPEG 2000", rb"\0\0\0\x0cjP|\xff\x4f\xff\x51", read_jpeg2000),
        ("AVIF or HEIF", rb"....ftyp", read_avif),
        ("JPEG XL", rb"\xff\x0a|\0\0\0\x0cJXL ", read_nothing),
        ("OpenEXR", rb"\x76\x2f\x31\x01", read_nothing),
    )
)
"""Other formats that OpenCV reads, or may read where it was built so."""

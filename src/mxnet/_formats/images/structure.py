"""What a walk through an image file tells, and what the formats share."""

from __future__ import annotations

import struct
from typing import NamedTuple


class Structure(NamedTuple):
    """What decoding of an image takes."""

    width: int
    height: int
    work: int
    """Pixels that the decoder holds or goes through: those of the image, or a multiple of them."""
    note: str = ""
    """Why the work is more than the pixels of the image, for messages."""
    plain: bytes | None = None
    """What to decode in place of the file, if it is not the file itself."""


class DamagedImageError(ValueError):
    """An image file has a place at which its walker, and so its decoder, must not go on.

    Either the decoder would fail there, or what it finds would take long without giving pixels.

    Attributes:
        offset: Number of the byte.
        reason: What was expected there, and what was found.
    """

    def __init__(self, offset: int, reason: str) -> None:
        super().__init__(offset, reason)
        self.offset = offset
        self.reason = reason


_EXIF_WORK = 1 << 28
_EXIF_ENTRY = 12


def check_exif(content: bytes, start: int, end: int) -> None:
    """Raises if metadata take long to read: a decoder may copy all of them for each entry.

    Args:
        content: The file.
        start: Where the metadata begin, with their byte order.
        end: Where they end.
    """
    size = end - start
    if size * (size // _EXIF_ENTRY) <= _EXIF_WORK:
        return
    order = ">" if content[start : start + 1] == b"M" else "<"
    try:
        (directory,) = struct.unpack_from(f"{order}I", content, start + 4)
        (count,) = struct.unpack_from(f"{order}H", content, start + directory)
    except struct.error:
        return  # the decoder, too, finds no entries
    if count * size > _EXIF_WORK:
        raise DamagedImageError(start, f"Exif data of {size:,} bytes with {count:,} entries")

"""Structure of JPEG files.

Decoders go from marker to marker: they pass over bytes between segments, over repeated `FF` and
over `FF 00`; so does the walk here. A sequential file whose first scan has all components is
decoded in one go, and what follows the start of that scan is at most read through. Every scan of
other files goes through all blocks of its components, however few bytes it has, so that scans are
counted.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mxnet import limits
from mxnet._formats.images.structure import DamagedImageError, Structure

_PROGRESSIVE = frozenset({0xC2, 0xCA})
_FRAMES = frozenset({0xC0, 0xC1, 0xC3, 0xC9, 0xCB}) | _PROGRESSIVE
_BARE = frozenset({0x00, 0x01, *range(0xD0, 0xD8)})
"""Markers without a segment; 00 follows an `FF` that is none."""
_SEGMENTS = frozenset({0xC4, 0xCC, 0xDB, 0xDC, 0xDD, *range(0xE0, 0xF0), 0xFE})
_END, _SCAN = 0xD9, 0xDA
_KEPT = frozenset({0xE1, 0xE2})
"""Markers of segments that decoders keep, even after the image, in lists whose end those before
OpenCV 4.12 look for each time."""
_SCAN_MARKER = b"\xff\xda"
_NUM_COMPONENTS = (1, 3, 4)
_PASSES = 64
"""How many times a component may be gone through at the cost of one decoding of its pixels."""
_MAX_KEPT = 1 << 15
_MAX_EXIF = 64
"""Segments of Exif data: each takes as long as a small image."""


class _Frame(NamedTuple):
    """Header of a frame."""

    width: int
    height: int
    num_components: int
    is_progressive: bool


def walk_jpeg(content: bytes) -> Structure:
    """Returns the size of a JPEG image and what its scans take."""
    frame: _Frame | None = None
    position, kept = 2, []
    while True:
        marker, position = _next_marker(content, position)
        if marker in _BARE:
            continue
        size = _segment_size(content, position)
        if marker in _SEGMENTS:
            if marker in _KEPT:
                kept.append(position)
        elif marker in _FRAMES:
            if frame is not None:
                raise DamagedImageError(position, "a second header of a frame")
            frame = _read_frame(content, position, size, marker)
        elif marker == _SCAN:
            _check_kept(content, kept)
            _check_rest(content, position)
            return _measure(content, position, size, frame)
        else:
            raise DamagedImageError(position, f"an image expected, got marker {marker:#04x}")
        position += max(size, 2)


def _check_kept(content: bytes, kept: Sequence[int]) -> None:
    """Raises if there are so many segments with metadata that they take long."""
    if len(kept) > _MAX_KEPT:
        raise DamagedImageError(kept[_MAX_KEPT], f"more than {_MAX_KEPT:,} segments of metadata")
    found = [start for start in kept if content.startswith(b"Exif\0\0", start + 2)]
    if len(found) > _MAX_EXIF:
        raise DamagedImageError(found[_MAX_EXIF], f"more than {_MAX_EXIF} segments of Exif data")


def _check_rest(content: bytes, start: int) -> None:
    """Raises if there may be too many segments with metadata from the first scan on."""
    if len(content) - start < 4 * _MAX_KEPT:
        return  # a segment has four bytes
    values = np.frombuffer(content, np.uint8)[start:]
    if np.count_nonzero(values == 0xFF) <= _MAX_KEPT:
        return
    seconds = values[1:]
    found = (values[:-1] == 0xFF) & ((seconds == min(_KEPT)) | (seconds == max(_KEPT)))
    if np.count_nonzero(found) > _MAX_KEPT:
        raise DamagedImageError(start, f"more than {_MAX_KEPT:,} segments of metadata after here")


def _next_marker(content: bytes, position: int) -> tuple[int, int]:
    """Returns the next marker, and where its segment begins."""
    found = content.find(b"\xff", position)
    if found < 0:
        raise DamagedImageError(len(content), "cut off before the image begins")
    found += 1
    try:
        while (marker := content[found]) == 0xFF:
            found += 1
    except IndexError:
        raise DamagedImageError(found, "cut off before the image begins") from None
    return marker, found + 1


def _segment_size(content: bytes, position: int) -> int:
    """Returns the size that a segment declares; its two bytes are part of it."""
    if position + 2 > len(content):
        raise DamagedImageError(position, "cut off before the image begins")
    return content[position] << 8 | content[position + 1]


def _read_frame(content: bytes, position: int, size: int, marker: int) -> _Frame:
    try:
        _, height, width, num_components = struct.unpack_from(">BHHB", content, position + 2)
    except struct.error:
        raise DamagedImageError(position, "a header of a frame that is cut off") from None
    if num_components not in _NUM_COMPONENTS or size != 8 + 3 * num_components:
        raise DamagedImageError(
            position, f"a header of {size} bytes for {num_components} components"
        )
    if not width or not height:
        raise DamagedImageError(position, f"an image of {width} x {height}")
    return _Frame(width, height, num_components, marker in _PROGRESSIVE)


def _measure(content: bytes, position: int, size: int, frame: _Frame | None) -> Structure:
    """Returns what the scans of a file take; the first begins here."""
    if frame is None:
        raise DamagedImageError(position, "a scan before the header of its frame")
    count = content[position + 2] if position + 2 < len(content) else 0
    if not 1 <= count <= frame.num_components or size != 6 + 2 * count:
        raise DamagedImageError(position, f"a scan of {count} components in {size} bytes")
    pixels = frame.width * frame.height
    if not frame.is_progressive and count == frame.num_components:
        return Structure(frame.width, frame.height, pixels)
    # Every scan has these two bytes, so that there are at most as many; where those are cheap
    # enough, it does not matter how many of them are scans.
    passes = content.count(_SCAN_MARKER, position - 2) * frame.num_components
    if pixels * passes // _PASSES <= limits.get("image_pixels"):
        return Structure(frame.width, frame.height, pixels)
    passes = _count_passes(content, position - 2)
    work = pixels * max(passes, _PASSES) // _PASSES
    return Structure(frame.width, frame.height, work, f", gone through {passes:,} times")


def _count_passes(content: bytes, position: int) -> int:
    """Returns how many components all scans have together."""
    passes = 0
    try:
        while True:
            marker, position = _next_marker(content, position)
            if marker == _END:
                return passes
            if marker == _SCAN:
                passes += min(max(content[position + 2], 1), max(_NUM_COMPONENTS))
            if marker == _SCAN or marker in _SEGMENTS:
                position += max(_segment_size(content, position), 2)
    except (DamagedImageError, IndexError):
        return passes  # the decoder stops here as well

"""Structure of PNG files, animated ones included.

Chunks have a length, a kind, data and a checksum. Decoders allocate the length before they look
for the data, unpack what texts and profiles hold, and unpack image data to their end even where
the image is complete before.

An animated file is decoded without the chunk that says so, to the image that readers which know
no animations show, as in MXNet: OpenCV 4.11 to 5.0 end the process at errors within frames, where
they return to a function that has returned already.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence

from mxnet._formats.images.structure import DamagedImageError, Structure, check_exif

_CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
"""Channels by type of colour."""
_PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2),
           (0, 1, 1, 2))  # fmt: skip
"""First column, first row and distances of both in the passes of an interlaced image."""
_RATIO = 1032
"""How many bytes one byte can unpack to at most."""
_LARGEST_TEXT = 8_000_000
"""Bytes that the library unpacks of one chunk at most."""
_TEXT_BYTES = 1 << 26
_FREE_IMAGE_BYTES = 1 << 21
"""Bytes of image data that may unpack to anything: to two gigabytes, in seconds."""
_SLICE = 1 << 14
_ANIMATION_CHUNK = 20


def walk_png(content: bytes) -> Structure:
    """Returns the size of a PNG image and what its chunks take."""
    walk = _Walk(content)
    position, end = 8, len(content)
    while True:
        if position + 12 > end:
            raise DamagedImageError(position, "cut off before its last chunk")
        length = int.from_bytes(content[position : position + 4], "big")
        kind = content[position + 4 : position + 8]
        start = position + 8
        if length > end - start - 4:
            raise DamagedImageError(
                position, f"cut off in chunk {kind!r} of {length:,} bytes, got {end - start:,}"
            )
        if kind == b"IDAT" and walk.width:
            walk.parts.append((start, length))
        elif kind == b"IEND":
            return walk.finish(position)
        else:
            walk.take(kind, start, length)
        position = start + length + 4


class _Walk:
    """What is known of a file in the middle of its chunks."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.width = self.height = 0
        self.parts: list[tuple[int, int]] = []
        """Start and length of the chunks with the image."""
        self._layout = (0, 0, 0)
        self._animations: list[int] = []
        """Where the chunks begin that make the file an animation."""
        self._text_bytes = 0

    def take(self, kind: bytes, start: int, length: int) -> None:
        """Looks at a chunk other than those of the image."""
        if not (kind.isalpha() and kind.isascii()):
            raise DamagedImageError(start - 4, f"a kind of chunk expected, got {kind!r}")
        if (kind == b"IHDR") != (not self.width):
            raise DamagedImageError(start - 4, "an IHDR chunk expected at the beginning, and once")
        if kind == b"IHDR":
            self._take_header(start, length)
        elif kind in (b"acTL", b"fcTL"):
            self._take_animation(kind, start, length)
        elif kind in (b"zTXt", b"iTXt", b"iCCP"):
            self._take_text(kind, start, length)
        elif kind == b"eXIf":
            check_exif(self.content, start, start + length)

    def _take_header(self, start: int, length: int) -> None:
        if length != 13:
            raise DamagedImageError(start, f"a header of 13 bytes expected, got {length}")
        width, height, depth, colour, _, _, interlace = struct.unpack_from(
            ">IIBBBBB", self.content, start
        )
        if not width or not height or colour not in _CHANNELS or depth not in (1, 2, 4, 8, 16):
            raise DamagedImageError(
                start, f"an image of {width} x {height}, {depth} bits, colour {colour}"
            )
        self.width, self.height, self._layout = width, height, (depth, colour, interlace)

    def _take_animation(self, kind: bytes, start: int, length: int) -> None:
        if length != (8 if kind == b"acTL" else 26):
            raise DamagedImageError(start, f"chunk {kind!r} of {length} bytes")
        if kind == b"acTL":
            self._animations.append(start - 8)
            return
        width, height, left, top = struct.unpack_from(">4x4I", self.content, start)
        if left + width > self.width or top + height > self.height:
            raise DamagedImageError(start, f"a frame of {width} x {height} at {left}, {top}")

    def _take_text(self, kind: bytes, start: int, length: int) -> None:
        if kind == b"iTXt":
            keyword = self.content.find(b"\0", start, start + length)
            if keyword >= 0 and self.content[keyword + 1 : keyword + 2] == b"\0":
                return  # not packed
        self._text_bytes += min(length * _RATIO, _LARGEST_TEXT)
        if self._text_bytes > _TEXT_BYTES + len(self.content):
            raise DamagedImageError(
                start, f"packed texts of up to {self._text_bytes:,} bytes until here"
            )

    def finish(self, position: int) -> Structure:
        """Returns what decoding takes, at the end of the chunks."""
        if not self.parts:
            raise DamagedImageError(position, "the chunks end without an image")
        needed, total = self._image_bytes(), sum(length for _, length in self.parts)
        if total > needed + needed // 64 + (1 << 16):
            raise DamagedImageError(
                self.parts[0][0], f"{total:,} packed bytes for an image of {needed:,}"
            )
        if total > _FREE_IMAGE_BYTES:
            _check_unpacked(self.content, self.parts, total, needed)
        plain = self._without_animation() if self._animations else None
        return Structure(self.width, self.height, self.width * self.height, "", plain)

    def _without_animation(self) -> bytes:
        starts = [0, *(at + _ANIMATION_CHUNK for at in self._animations)]
        ends = [*self._animations, len(self.content)]
        return b"".join(self.content[start:end] for start, end in zip(starts, ends, strict=True))

    def _image_bytes(self) -> int:
        """Returns how many bytes the rows of the image have."""
        depth, colour, interlace = self._layout
        bits = depth * _CHANNELS[colour]
        if not interlace:
            return self.height * (1 + (self.width * bits + 7) // 8)
        total = 0
        for left, top, across, down in _PASSES:
            columns = max(0, (self.width - left + across - 1) // across)
            rows = max(0, (self.height - top + down - 1) // down)
            total += rows * (1 + (columns * bits + 7) // 8) if columns else 0
        return total


def _check_unpacked(
    content: bytes, parts: Sequence[tuple[int, int]], left: int, needed: int
) -> None:
    """Raises if large image data unpack to much more than the image needs.

    The last part of the data is not looked at: it is too small to take long.
    """
    unpacker, unpacked = zlib.decompressobj(), 0
    for start, length in parts:
        for at in range(start, start + length, _SLICE):
            if left <= _FREE_IMAGE_BYTES or unpacker.eof:
                return
            data = content[at : min(at + _SLICE, start + length)]
            left -= len(data)
            try:
                unpacked += len(unpacker.decompress(data))
            except zlib.error:
                return  # at which the decoder stops as well
            if unpacked > needed + _SLICE:
                raise DamagedImageError(
                    at, f"image data that unpack to more than the {needed:,} bytes of the image"
                )

"""Structure of WebP files: a RIFF container with one picture, or with frames of an animation."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

from mxnet._formats.images.structure import DamagedImageError, Structure, check_exif

_PICTURES = (b"VP8 ", b"VP8L")
_KEY_FRAME = b"\x9d\x01\x2a"
_LOSSLESS = 0x2F
_ANIMATED = 0x02
_FRAME_HEADER = 16
_FRAME_COPIES = 3
"""Pictures of an animation that are held beside the result."""


class _Chunk(NamedTuple):
    kind: bytes
    start: int
    end: int


def walk_webp(content: bytes) -> Structure:
    """Returns the size of a WebP image."""
    (size,) = struct.unpack_from("<I", content, 4)
    end = 8 + size
    if end > len(content):
        raise DamagedImageError(4, f"cut off, {end:,} bytes expected, got {len(content):,}")
    chunks = _chunks(content, 12, end)
    first = next(chunks, None)
    if first is not None and first.kind in _PICTURES:
        width, height = _read_picture(content, first)
        return Structure(width, height, width * height)
    if first is None or first.kind != b"VP8X" or first.end - first.start < 10:
        raise DamagedImageError(12, f"a picture expected, got chunk {content[12:16]!r}")
    return _walk_extended(content, first.start, chunks)


def _chunks(content: bytes, position: int, end: int) -> Iterator[_Chunk]:
    while position + 8 <= end:
        (size,) = struct.unpack_from("<I", content, position + 4)
        kind, start = content[position : position + 4], position + 8
        if size > end - start:
            raise DamagedImageError(
                position, f"cut off in chunk {kind!r} of {size:,} bytes, got {end - start:,}"
            )
        yield _Chunk(kind, start, start + size)
        position = start + size + size % 2


def _walk_extended(content: bytes, header: int, chunks: Iterator[_Chunk]) -> Structure:
    width, height = (
        int.from_bytes(content[at : at + 3], "little") + 1 for at in (header + 4, header + 7)
    )
    is_animated = bool(content[header] & _ANIMATED)
    has_picture = False
    for chunk in chunks:
        if chunk.kind == b"ANMF":
            _check_frame(content, chunk, (width, height))
            has_picture = has_picture or is_animated
        elif chunk.kind in _PICTURES:
            _check_size(chunk.start, _read_picture(content, chunk), (width, height))
            has_picture = has_picture or not is_animated
        elif chunk.kind == b"EXIF":
            check_exif(content, chunk.start, chunk.end)
    if not has_picture:
        raise DamagedImageError(len(content), "the chunks end without a picture")
    if not is_animated:
        return Structure(width, height, width * height)
    return Structure(width, height, width * height * _FRAME_COPIES, ", animated")


def _check_frame(content: bytes, chunk: _Chunk, canvas: tuple[int, int]) -> None:
    """Raises if a frame of an animation or its picture does not fit."""
    start = chunk.start
    if chunk.end - start < _FRAME_HEADER:
        raise DamagedImageError(start, f"a frame of {chunk.end - start} bytes")
    left, top, width, height = (
        int.from_bytes(content[at : at + 3], "little") for at in range(start, start + 12, 3)
    )
    width, height = width + 1, height + 1
    if 2 * left + width > canvas[0] or 2 * top + height > canvas[1]:
        raise DamagedImageError(
            start, f"a frame of {width} x {height} at {2 * left}, {2 * top} of {canvas}"
        )
    for part in _chunks(content, start + _FRAME_HEADER, chunk.end):
        if part.kind in _PICTURES:
            _check_size(part.start, _read_picture(content, part), (width, height))


def _check_size(offset: int, size: tuple[int, int], expected: tuple[int, int]) -> None:
    if size != expected:
        raise DamagedImageError(offset, f"a picture of {size} where {expected} was declared")


def _read_picture(content: bytes, chunk: _Chunk) -> tuple[int, int]:
    """Returns the width and height of a picture, which begin its data."""
    start = chunk.start
    if chunk.end - start < (10 if chunk.kind == b"VP8 " else 5):
        raise DamagedImageError(start, f"a picture of {chunk.end - start} bytes")
    if chunk.kind == b"VP8 ":
        if content[start + 3 : start + 6] != _KEY_FRAME or content[start] & 1:
            raise DamagedImageError(start, "a picture without the mark of a key frame")
        width, height = struct.unpack_from("<HH", content, start + 6)
        width, height = width & 0x3FFF, height & 0x3FFF
        if not width or not height:
            raise DamagedImageError(start, f"a picture of {width} x {height}")
        return width, height
    if content[start] != _LOSSLESS:
        raise DamagedImageError(start, "a lossless picture without its mark")
    (bits,) = struct.unpack_from("<I", content, start + 1)
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1

"""Structure of GIF files.

Decoders go through all blocks to count frames, and decode the first. A code of its data that
clears the table of codes gives no pixel and takes as long as hundreds of others, so that large
data are searched for too many of them.
"""

from __future__ import annotations

import struct

import numpy as np
import numpy.typing as npt

from mxnet._formats.images.structure import DamagedImageError, Structure

_EXTENSION, _IMAGE, _TRAILER = 0x21, 0x2C, 0x3B
_FREE_CODES = 1 << 18
"""Codes that may all clear the table: this takes two seconds."""
_FREE_CLEARS = 1 << 12
_BYTES_PER_CLEAR = 120
"""Bytes of data for each that clears the table beyond that number; real files have more, even those
that are not compressed and clear it before codes get longer."""
_MAX_WIDTH = 12
"""Bits of the longest codes."""
_WINDOWS = (64, 1024, 8192)
"""How many codes are looked at at once, the more the longer the table was not cleared."""


def walk_gif(content: bytes) -> Structure:
    """Returns the size of a GIF image."""
    try:
        return _walk(content)
    except (IndexError, struct.error):
        raise DamagedImageError(len(content), "cut off before its last block") from None


def _walk(content: bytes) -> Structure:
    width, height, flags = struct.unpack_from("<HHB", content, 6)
    if not width or not height:
        raise DamagedImageError(6, f"an image of {width} x {height}")
    position = 13 + _table_bytes(flags)
    has_frame = False
    while (kind := content[position]) != _TRAILER:
        if kind == _EXTENSION:
            position = _end_of_blocks(content, position + 2)
        elif kind == _IMAGE:
            data = position + 10 + _table_bytes(content[position + 9])
            end = _end_of_blocks(content, data + 1)
            if not has_frame:
                _check_frame(content, position, (width, height))
                _check_data(content, data, end)
            has_frame, position = True, end
        else:
            raise DamagedImageError(position, f"a block expected, got {kind:#04x}")
    if not has_frame:
        raise DamagedImageError(position, "the blocks end without an image")
    return Structure(width, height, width * height)


def _table_bytes(flags: int) -> int:
    """Returns the size of a table of colours."""
    return 3 << (flags & 7) + 1 if flags & 0x80 else 0


def _end_of_blocks(content: bytes, position: int) -> int:
    while size := content[position]:
        position += size + 1
    return position + 1


def _check_frame(content: bytes, position: int, canvas: tuple[int, int]) -> None:
    """Raises if the first frame does not fit."""
    left, top, width, height = struct.unpack_from("<HHHH", content, position + 1)
    if not width or not height or left + width > canvas[0] or top + height > canvas[1]:
        raise DamagedImageError(
            position, f"a frame of {width} x {height} at {left}, {top} of {canvas}"
        )


def _check_data(content: bytes, start: int, end: int) -> None:
    """Raises if the data of a frame clear the table of codes too often."""
    size = content[start]
    if not 2 <= size < _MAX_WIDTH:
        raise DamagedImageError(start, f"codes of 2 to 11 bits expected, got {size}")
    if (end - start) * 8 // (size + 1) <= _FREE_CODES:
        return
    parts, position = [], start + 1
    while length := content[position]:
        parts.append(content[position + 1 : position + 1 + length])
        position += length + 1
    data = b"".join(parts)
    allowed = _FREE_CLEARS + len(data) // _BYTES_PER_CLEAR
    if count_clears(data, size, allowed) > allowed:
        raise DamagedImageError(start, f"data that clear their codes over {allowed:,} times")


def count_clears(data: bytes, size: int, limit: int) -> int:
    """Returns how often data clear their table of codes; stops soon after a limit.

    Args:
        data: The codes, without the lengths of blocks.
        size: Bits of a colour.
        limit: Number from which on the exact one does not matter.
    """
    values = np.frombuffer(data + bytes(4), np.uint8).astype(np.uint32)
    offsets, widths = _schedule(size)
    clear, num_bits = 1 << size, 8 * len(data)
    base = first = count = step = 0
    while count <= limit:
        window = slice(first, first + _WINDOWS[min(step, len(_WINDOWS) - 1)])
        places, bits = base + offsets[window], widths[window]
        fitting = int(np.searchsorted(places + bits, num_bits, side="right"))
        codes = _codes_at(values, places[:fitting], bits[:fitting])
        (found,) = np.nonzero((codes == clear) | (codes == clear + 1))
        step += 1
        if len(found):
            base = int(places[found[0]] + bits[found[0]])
            first = step = 0
            count += 1
        elif fitting < len(places):
            break
        else:
            base, first = _go_on(base, window.stop, offsets)
    return count


def _schedule(size: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Returns offsets and widths of codes after the table was cleared; the end repeats for ever."""
    growing = [
        width
        for width in range(size + 1, _MAX_WIDTH)
        for _ in range((1 << width) - max(1 << width - 1, (1 << size) + 1))
    ]
    widths = np.array(growing + [_MAX_WIDTH] * (2 * _WINDOWS[-1]), np.int64)
    return np.concatenate([[0], np.cumsum(widths)[:-1]]), widths


def _go_on(base: int, position: int, offsets: npt.NDArray[np.int64]) -> tuple[int, int]:
    """Returns where to look next; near the end of the schedule, steps back in it."""
    if position + _WINDOWS[-1] <= len(offsets):
        return base, position
    back = position - (len(offsets) - 2 * _WINDOWS[-1])
    return base + back * _MAX_WIDTH, position - back


def _codes_at(
    values: npt.NDArray[np.uint32], places: npt.NDArray[np.int64], widths: npt.NDArray[np.int64]
) -> npt.NDArray[np.int64]:
    at = places >> 3
    words = values[at] | values[at + 1] << 8 | values[at + 2] << 16
    codes: npt.NDArray[np.int64] = (words.astype(np.int64) >> (places & 7)) & ((1 << widths) - 1)
    return codes

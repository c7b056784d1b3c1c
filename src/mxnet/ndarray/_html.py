"""How notebooks show arrays: a table of elements, and a summary or a picture of large arrays.

All is picked and summed where the array lives; no more than what is shown goes to the host.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode
from collections.abc import Sequence
from html import escape
from math import inf

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.bridges import readable, to_numpy
from mxnet._formats.element_types import name_of
from mxnet.context import Context

_LONGEST = 12
"""Elements of an axis that are shown one by one."""
_EDGE = 5
"""Elements at each end of an axis that is longer than this."""
_PICTURE = 256
"""Pixels of the longer side of a picture."""
_SMALLEST_PICTURE = 8
"""Pixels of the shorter side of what is taken for an image; less is rather a table."""
_LEFT_OUT = "…"
_WIDER = {torch.uint16: torch.int32, torch.uint32: torch.int64}
"""Element types without sums in torch, and those that hold the same numbers."""

_STYLE = "text-align:right;padding:0 .6em;font-family:monospace"
_CELL = f'<td style="{_STYLE}">{{}}</td>'
_HEAD = f'<th style="{_STYLE};font-weight:normal;opacity:.6">{{}}</th>'


def dense_to_html(title: str, tensor: Tensor) -> str:
    """Returns the HTML of a dense array.

    Args:
        title: Its class, shape, element type and context, in words.
        tensor: Its elements.
    """
    lines = [_caption(title)]
    if tensor.device.type == "meta" or not tensor.numel():
        return _section(lines)
    if _is_image(tensor):
        return _section([*lines, _picture(tensor), _summary(tensor)])
    if max(tensor.shape, default=1) > _LONGEST or tensor.ndim > 2:
        lines.append(_summary(tensor))
    return _section([*lines, *_corner(tensor)])


def sparse_to_html(title: str, shape: Sequence[int], parts: Sequence[Tensor]) -> str:
    """Returns the HTML of a sparse array: how much of it is stored, and the stored elements.

    Args:
        title: Its class, shape, element type and context, in words.
        shape: Its shape.
        parts: The stored elements, then their indices.
    """
    lines = [_caption(title)]
    if parts:
        stored, size = parts[0].numel(), int(np.prod(shape, dtype=np.float64))
        share = f" ({stored / size:.2%})" if size else ""
        lines.append(_note(f"{stored:,} of {size:,} elements stored{share}"))
        if stored:
            lines += [_summary(parts[0]), *_corner(parts[0])]
    return _section(lines)


def title_of(kind: type, shape: Sequence[int], dtype: torch.dtype, ctx: Context) -> str:
    """Returns the words above an array, such as `NDArray 2x3, float32, cpu(0)`."""
    size = "x".join(str(length) for length in shape) or "scalar"
    return f"{kind.__name__} {size}, {name_of(dtype)}, {ctx}"


def _section(lines: Sequence[str]) -> str:
    return f"<div>{''.join(lines)}</div>"


def _caption(text: str) -> str:
    return f"<div><b>{escape(text)}</b></div>"


def _note(text: str) -> str:
    return f'<div style="opacity:.7">{escape(text)}</div>'


def _summary(tensor: Tensor) -> str:
    """Returns minimum, mean and maximum; of booleans, how many are true."""
    if tensor.dtype is torch.uint64:
        return ""  # there is no wider type to sum it in
    tensor = tensor.to(_WIDER.get(tensor.dtype, tensor.dtype))
    exact = torch.float64 if tensor.device.type in ("cpu", "cuda") else torch.float32
    mean = tensor.mean(dtype=exact).item()
    if tensor.dtype is torch.bool:
        return _note(f"True: {mean:.2%}")
    low, high = (readable(end).item() for end in tensor.aminmax())
    return _note(f"min {low:.6g}, mean {mean:.6g}, max {high:.6g}")


def _corner(tensor: Tensor) -> list[str]:
    """Returns a table of the elements at the ends of the last two axes."""
    lines = []
    if tensor.ndim > 2:
        place = ", ".join(["0"] * (tensor.ndim - 2) + [":", ":"])
        lines.append(_note(f"[{place}]"))
        tensor = tensor[(0,) * (tensor.ndim - 2)]
    rows, columns = (_picked(length) for length in (1, 1, *tensor.shape)[-2:])
    matrix = tensor.reshape((1, 1, *tensor.shape)[-2:])
    # Both axes at once: rows by themselves may be as long as the memory.
    at_rows = torch.tensor([[row] for row in rows if row is not None])
    at_columns = torch.tensor([column for column in columns if column is not None])
    texts = iter(_texts(matrix[at_rows, at_columns]))
    head = "".join(_HEAD.format(_LEFT_OUT if at is None else at) for at in columns)
    numbered = tensor.ndim > 1
    body = ""
    for row in rows:
        cells = [_LEFT_OUT if None in (row, at) else next(texts) for at in columns]
        number = _HEAD.format(_LEFT_OUT if row is None else row) if numbered else ""
        body += f"<tr>{number}{''.join(map(_CELL.format, cells))}</tr>"
    above = f"<tr>{'<th></th>' * numbered}{head}</tr>" if tensor.ndim else ""
    return [*lines, f"<table>{above}{body}</table>"]


def _picked(length: int) -> list[int | None]:
    """Returns the positions of an axis that are shown, with None where some are left out."""
    if length <= _LONGEST:
        return list(range(length))
    return [*range(_EDGE), None, *range(length - _EDGE, length)]


def _texts(part: Tensor) -> list[str]:
    """Returns the elements as NumPy prints them side by side, with its print options."""
    values = to_numpy(readable(part)).reshape(-1)
    printed = np.array2string(values, separator="\n", threshold=int(1e9), max_line_width=int(1e9))
    return [escape(text.strip()) for text in printed[1:-1].split("\n") if text.strip()]


def _is_image(tensor: Tensor) -> bool:
    has_colors = tensor.dtype is torch.uint8 and tensor.ndim == 3 and tensor.shape[2] == 3
    return has_colors and min(tensor.shape[:2], default=inf) >= _SMALLEST_PICTURE


def _picture(tensor: Tensor) -> str:
    """Returns an image of red, green and blue as a picture, with pixels left out if it is large."""
    step = -(-max(tensor.shape[:2]) // _PICTURE)
    pixels = to_numpy(tensor[::step, ::step])
    encoded = b64encode(_to_png(pixels)).decode("ascii")
    return f'<img src="data:image/png;base64,{encoded}" alt="image">'


def _to_png(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> bytes:
    """Encodes pixels of shape `(height, width, 3)` as a PNG file."""
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)  # 8 bits, three colors
    unfiltered = np.zeros((height, 1), np.uint8)  # each line begins with its filter, here none
    lines = np.hstack([unfiltered, pixels.reshape(height, -1)])
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )

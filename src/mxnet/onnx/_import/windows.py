"""Windows that slide over images: sizes, steps, and padding in all of its forms."""

from __future__ import annotations

from typing import NamedTuple

from mxnet.onnx._import.nodes import Node
from mxnet.onnx._import.values import Value


class Window(NamedTuple):
    """A window over the spatial axes.

    Attributes:
        kernel: Its size.
        stride: Its steps.
        dilate: Distances between its points.
        before: Elements that are added at the beginning of each axis.
        after: Elements that are added at the end.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilate: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def is_even(self) -> bool:
        """Whether as much is added at the beginning as at the end."""
        return self.before == self.after

    @property
    def widths(self) -> list[tuple[int, int]]:
        """What is added to each axis of an array."""
        return [(0, 0), (0, 0), *zip(self.before, self.after, strict=True)]


def read_window(node: Node, x: Value, kernel: tuple[int, ...]) -> Window:
    """Returns the window of a node.

    Args:
        node: The node.
        x: What it slides over.
        kernel: Its size.
    """
    count = len(kernel)
    if count not in (1, 2, 3):
        raise node.error(f"windows over {count} axes cannot be imported")
    stride = node.ints("strides", [1] * count) or []
    dilate = node.ints("dilations", [1] * count) or []
    pads = node.ints("pads", [0] * 2 * count) or []
    if len(stride) != count or len(dilate) != count or len(pads) != 2 * count:
        raise node.error(f"strides, dilations and pads do not fit a window of {count} axes")
    if min(*kernel, *stride, *dilate, 1) < 1 or min(pads) < 0:
        raise node.error("sizes of a window must be positive")
    mode = node.get("auto_pad", "NOTSET")
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        pads = _same_pads(x.sizes[2:], kernel, stride, dilate, mode)
    elif mode == "VALID":
        pads = [0] * 2 * count
    elif mode != "NOTSET":
        raise node.error(f"auto_pad {mode!r} is not known")
    return Window(kernel, tuple(stride), tuple(dilate), tuple(pads[:count]), tuple(pads[count:]))


def _same_pads(
    sizes: tuple[int, ...],
    kernel: tuple[int, ...],
    stride: list[int],
    dilate: list[int],
    mode: str,
) -> list[int]:
    before, after = [], []
    for size, window, step, distance in zip(sizes, kernel, stride, dilate, strict=True):
        needed = (-(-size // step) - 1) * step + (window - 1) * distance + 1 - size
        total = max(needed, 0)
        less, more = total // 2, total - total // 2
        before.append(less if mode == "SAME_UPPER" else more)
        after.append(more if mode == "SAME_UPPER" else less)
    return before + after

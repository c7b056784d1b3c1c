"""What operators with a window over spatial axes share: layouts and per-axis attributes."""

from __future__ import annotations

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape


def per_axis(op_name: str, attribute: str, given: Shape, num_axes: int, default: int) -> Shape:
    """Returns the value of an attribute for each spatial axis; an empty one means the default.

    Raises:
        MXNetError: if the number of values is not that of the spatial axes.
    """
    if not given:
        return (default,) * num_axes
    if len(given) != num_axes:
        raise MXNetError(
            f"{op_name}: attribute `{attribute}` takes {num_axes} values, one for each axis of the "
            f"kernel, got {given}"
        )
    return given


def check_window(
    op_name: str,
    num_axes: tuple[int, ...] = (1, 2, 3),
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    adj: Shape = (),
    **_: object,
) -> None:
    """Checks the attributes of a window.

    Args:
        op_name: Name of the operator.
        num_axes: How many spatial axes it can have.
        kernel: Size of the window.
        stride: Its steps.
        dilate: Distances between its points.
        pad: What is added around the data.
        adj: What is added at the end of the result.

    Raises:
        MXNetError: if numbers of values do not agree.
    """
    if len(kernel) not in num_axes:
        counts = ", ".join(map(str, num_axes))
        raise MXNetError(f"{op_name}: attribute `kernel` takes {counts} sizes, got {kernel}")
    given = {"stride": stride, "dilate": dilate, "pad": pad, "adj": adj}
    for attribute, values in given.items():
        per_axis(op_name, attribute, values, len(kernel), 0)


def is_channels_last(op_name: str, layout: str | None, ndim: int) -> bool:
    """Returns whether the channels are the last axis; no layout means that they are axis 1.

    Raises:
        MXNetError: if the layout is of arrays with another number of axes.
    """
    if layout is None:
        return False
    if len(layout) != ndim:
        hint = "\n  The batch axis seems to be missing: use x.expand_dims(0) for a batch of one."
        raise MXNetError(
            f"{op_name}: layout {layout!r} takes {len(layout)} axes, got {ndim}"
            + hint * (ndim == len(layout) - 1)
        )
    return layout[-1] == "C"

"""Shapes of the outputs of frequent operators, by rules that return what their kernels would.

The kernel on tensors without data is what decides (ADR 0002), but the first question to one makes
torch import its compiler, which takes longer than binding a network. Where a rule does not know
the answer for certain, or the inputs do not fit, it returns None, and the kernel is asked; it also
words the errors. `tests/ops/test_quick_shapes.py` compares the rules with the kernels.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from mxnet.ops.attrs import Shape
from mxnet.ops.traits import Settings

Lengths = Sequence[int]


def fully_connected(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of a dense layer's output."""
    data, weight, *bias = shapes
    count = settings["num_hidden"]
    if settings["flatten"]:
        data = (data[0], prod(data[1:]))
    fits = len(data) > 1 and weight == (count, data[-1]) and bias in ([], [(count,)])
    return (*data[:-1], count) if fits else None


def _slide(
    lengths: Lengths, kernel: Lengths, stride: Lengths, pad: Lengths, dilate: Lengths
) -> Shape | None:
    """Counts the windows along each axis."""
    count = len(lengths)
    if not len(kernel) == len(stride) == len(pad) == len(dilate) == count or min(stride) < 1:
        return None
    counts = tuple(
        (length + 2 * extra - apart * (window - 1) - 1) // step + 1
        for length, window, step, extra, apart in zip(
            lengths, kernel, stride, pad, dilate, strict=True
        )
    )
    return counts if min(counts) > 0 and min(kernel) > 0 and min(dilate) > 0 else None


def _has_channels_first(data: Shape, settings: Settings) -> bool:
    return settings["layout"] in (None, "NCDHW"[:2] + "DHW"[5 - len(data) :])


def convolution(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of a convolution's output."""
    data, weight, *bias = shapes
    kernel, count, groups = settings["kernel"], settings["num_filter"], settings["num_group"]
    if len(data) != len(kernel) + 2 or not kernel or not _has_channels_first(data, settings):
        return None
    if data[1] % groups or weight != (count, data[1] // groups, *kernel):
        return None
    ones, zeros = (1,) * len(kernel), (0,) * len(kernel)
    stride, pad, dilate = settings["stride"], settings["pad"], settings["dilate"]
    size = _slide(data[2:], kernel, stride or ones, pad or zeros, dilate or ones)
    if size is None or min(pad or zeros) < 0 or bias not in ([], [(count,)]):
        return None
    return (data[0], count, *size)


def pooling(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of what pooling gives."""
    (data,) = shapes
    kernel, pad = settings["kernel"], settings["pad"]
    plain = settings["pool_type"] in ("avg", "max") and _has_channels_first(data, settings)
    if not 3 <= len(data) <= 5 or not plain:
        return None
    if settings["global_pool"]:
        return (*data[:2], *(1 for _ in data[2:]))
    zeros = (0,) * len(kernel)
    # Where the padding is wider than half a window, the kernel knows another way.
    natural = all(0 <= 2 * extra <= window for extra, window in zip(pad, kernel, strict=False))
    if settings["pooling_convention"] != "valid" or not natural:
        return None
    ones = (1,) * len(kernel)
    size = _slide(data[2:], kernel, settings["stride"] or ones, pad or zeros, ones)
    return None if size is None else (*data[:2], *size)


def batch_norm(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of normalized data."""
    data, *others = shapes
    axis = settings["axis"]
    if len(data) < 2 or not -len(data) <= axis < len(data) or settings["output_mean_var"]:
        return None
    return data if all(shape == (data[axis],) for shape in others) else None


def concat(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of joined arrays."""
    first, axis = shapes[0], settings["dim"]
    if not -len(first) <= axis < len(first):
        return None
    axis %= len(first)
    rest = (first[:axis], first[axis + 1 :])
    if any((shape[:axis], shape[axis + 1 :]) != rest for shape in shapes):
        return None
    return (*rest[0], sum(shape[axis] for shape in shapes), *rest[1])


def broadcast(shapes: Sequence[Shape], settings: Settings) -> Shape | None:
    """Returns the shape of two arrays that are broadcast."""
    del settings
    first, second = shapes
    if len(first) != len(second):
        return None
    pairs = list(zip(first, second, strict=True))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return tuple(a if b == 1 else b for a, b in pairs)

"""Shapes of the outputs of frequent operators, by rules that give what their kernels would.

The kernel on tensors without data is what decides (ADR 0002), but the first question to one makes
torch import its compiler, which takes longer than binding a network. Where a rule does not know
the answer for certain, or the inputs do not fit, it gives None, and the kernel is asked; it also
words the errors. `tests/graph/test_quick_shapes.py` compares the rules with the kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any

import torch

from mxnet.ops.attrs import Shape
from mxnet.ops.registry import Op

Rule = Callable[[Sequence[Shape], Mapping[str, Any]], Shape | None]
Lengths = Sequence[int]

_BROADCASTING = ("add", "sub", "mul", "div", "maximum", "minimum")


def has_rule(op: Op) -> bool:
    """Returns whether there is a rule for an operator."""
    return op.name in _RULES


def find_quickly(
    op: Op,
    shapes: Sequence[Shape | None],
    dtypes: Sequence[torch.dtype | None],
    settings: Mapping[str, Any],
) -> Shape | None:
    """Returns the shape of the first output, None if the kernel has to be asked.

    Args:
        op: The operator.
        shapes: Shapes of its inputs, None for one that is not in use.
        dtypes: Their element types.
        settings: All attributes of the operator.
    """
    rule = _RULES.get(op.name)
    if rule is None or not keeps_dtype(op, dtypes):
        return None
    return rule([shape for shape in shapes if shape is not None], settings)


def keeps_dtype(op: Op, dtypes: Sequence[torch.dtype | None]) -> bool:
    """Returns whether the output has the type of all the inputs, as there is a rule for it."""
    first = dtypes[0] if dtypes else None
    if first is None or op.name not in _RULES or not first.is_floating_point:
        return False
    if op.aux and first.itemsize < 4:  # statistics have another type than such data
        return False
    return all(dtype is first or dtype is None for dtype in dtypes)


def _fully_connected(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
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
    found = tuple(
        (length + 2 * extra - apart * (window - 1) - 1) // step + 1
        for length, window, step, extra, apart in zip(
            lengths, kernel, stride, pad, dilate, strict=True
        )
    )
    return found if min(found) > 0 and min(kernel) > 0 and min(dilate) > 0 else None


def _has_channels_first(data: Shape, settings: Mapping[str, Any]) -> bool:
    return settings["layout"] in (None, "NCDHW"[:2] + "DHW"[5 - len(data) :])


def _convolution(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
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


def _pooling(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
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


def _batch_norm(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
    data, *others = shapes
    axis = settings["axis"]
    if len(data) < 2 or not -len(data) <= axis < len(data) or settings["output_mean_var"]:
        return None
    return data if all(shape == (data[axis],) for shape in others) else None


def _concat(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
    first, axis = shapes[0], settings["dim"]
    if not -len(first) <= axis < len(first):
        return None
    axis %= len(first)
    rest = (first[:axis], first[axis + 1 :])
    if any((shape[:axis], shape[axis + 1 :]) != rest for shape in shapes):
        return None
    return (*rest[0], sum(shape[axis] for shape in shapes), *rest[1])


def _broadcast(shapes: Sequence[Shape], settings: Mapping[str, Any]) -> Shape | None:
    del settings
    first, second = shapes
    if len(first) != len(second):
        return None
    pairs = list(zip(first, second, strict=True))
    if any(a != b and 1 not in (a, b) for a, b in pairs):
        return None
    return tuple(max(pair) for pair in pairs)


_RULES: dict[str, Rule] = {
    "BatchNorm": _batch_norm,
    "Concat": _concat,
    "Convolution": _convolution,
    "FullyConnected": _fully_connected,
    "Pooling": _pooling,
    **{f"broadcast_{name}": _broadcast for name in _BROADCASTING},
}

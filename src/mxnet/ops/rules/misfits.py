"""What does not fit among the inputs of an operator, in words and with a remedy.

Kernels leave most checks to torch, whose messages speak of tensors and matrices that no user has
seen. When a kernel has failed, a function here looks at the shapes and says what is wrong; None if
it sees nothing. Declarations name it by `Shapes(misfit=...)`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

from mxnet.ops.core.attrs import Shape

Settings: TypeAlias = Mapping[str, Any]


class Misfit(NamedTuple):
    """A mistake in the shapes of inputs."""

    fact: str
    """What does not fit."""
    remedy: str = ""
    """What to do about it, as a sentence."""

    def __str__(self) -> str:
        return f"{self.fact}\n  {self.remedy}" if self.remedy else self.fact


Given: TypeAlias = Sequence[Shape | None]

_LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}


def convolution(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at data and weight of a convolution."""
    data, weight = shapes[0], shapes[1]
    layout = _layout_of(settings)
    if data is None or weight is None or len(weight) != len(layout):
        return None
    takes = weight[layout.index("C")] * settings["num_group"]
    return _wrong_data(data, layout, takes) or _too_small(data, layout, settings)


def deconvolution(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at data and weight of a transposed convolution."""
    data, weight = shapes[0], shapes[1]
    return (
        None if data is None or not weight else _wrong_data(data, _layout_of(settings), weight[0])
    )


def _layout_of(settings: Settings) -> str:
    return settings.get("layout") or _LAYOUTS[len(settings["kernel"])]


def _wrong_data(data: Shape, layout: str, takes: int) -> Misfit | None:
    """Looks at the number of axes, and whether there are as many channels as a weight takes."""
    if len(data) != len(layout):
        return wrong_number_of_axes(data, layout)
    place = layout.index("C")
    if data[place] == takes:
        return None
    return Misfit(
        f"data has {data[place]} channels (axis {place} of layout {layout}), weight is for {takes}",
        _advise_on_channels(data, layout, takes),
    )


def wrong_number_of_axes(data: Shape, layout: str) -> Misfit:
    """Returns what is wrong with data that has more or fewer axes than a layout."""
    remedy = ""
    if len(data) == len(layout) - 1:
        remedy = "The batch axis seems to be missing: use x.expand_dims(0) for a batch of one."
    fact = f"layout {layout!r} takes {len(layout)} axes, got {len(data)}: data of shape {data}"
    return Misfit(fact, remedy)


def _advise_on_channels(data: Shape, layout: str, takes: int) -> str:
    """Says what to do about data with another number of channels than a weight is for."""
    first, last = layout.index("C") == 1, data[-1]
    if first and last == takes:
        order = (0, len(data) - 1, *range(1, len(data) - 1))
        return (
            f"The last axis has length {last}, so the channels seem to be last: use "
            f"x.transpose({order}), or make the layer with layout={_with_channels_last(layout)!r}."
        )
    if not first and data[1] == takes:
        order = (0, *range(2, len(data)), 1)
        return (
            f"Axis 1 has length {takes}, so the channels seem to be first: use "
            f"x.transpose({order}), or make the layer with layout={_with_channels_first(layout)!r}."
        )
    has = data[layout.index("C")]
    return (
        f"Give data of {takes} channels, or make the layer with in_channels={has} "
        "(without in_channels the first call sets it)."
    )


def _with_channels_last(layout: str) -> str:
    return layout.replace("C", "") + "C"


def _with_channels_first(layout: str) -> str:
    return "NC" + layout.replace("C", "")[1:]


def _too_small(data: Shape, layout: str, settings: Settings) -> Misfit | None:
    """Looks for a window that is larger than the data."""
    kernel = settings["kernel"]
    sizes = [data[layout.index(axis)] for axis in layout if axis not in "NC"]
    pads = settings.get("pad") or (0,) * len(kernel)
    steps = settings.get("dilate") or (1,) * len(kernel)
    spans = [step * (window - 1) + 1 for window, step in zip(kernel, steps, strict=True)]
    padded = [size + 2 * pad for size, pad in zip(sizes, pads, strict=True)]
    if all(size >= span for size, span in zip(padded, spans, strict=True)):
        return None
    return Misfit(
        f"the window {tuple(spans)} is larger than the data {tuple(sizes)}"
        + f", with padding {tuple(padded)}" * any(pads),
        "Earlier layers have made the data this small: give larger data, leave out a pooling or "
        "a stride, or use padding.",
    )


def fully_connected(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at data and weight of a dense layer."""
    data, weight = shapes[0], shapes[1]
    if data is None or weight is None or len(weight) != 2:
        return None
    flatten = settings["flatten"]
    has = (prod(data[1:]) if flatten else data[-1]) if data else 1
    if has == weight[1]:
        return None
    whose = "each example" if flatten else "the last axis"
    remedy = f"Give data with {weight[1]} of them, or make the layer with in_units={has} "
    remedy += "(without in_units the first call sets it)."
    if flatten and len(data) > 2 and data[-1] == weight[1]:
        remedy = (
            f"The last axis has length {data[-1]}: make the layer with flatten=False to map it."
        )
    elif flatten and len(data) == 1 and data[0] == weight[1]:
        remedy = "The batch axis seems to be missing: use x.expand_dims(0) for a batch of one."
    return Misfit(f"{whose} of data has {has} features, weight is for {weight[1]}", remedy)


def broadcast(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at two arrays that are to become equal in shape by repeating axes of length 1."""
    left, right = shapes[0], shapes[1]
    if left is None or right is None:
        return None
    pairs = list(zip(reversed(left), reversed(right), strict=False))
    wrong = [place for place, (a, b) in enumerate(pairs, 1) if a != b and 1 not in (a, b)]
    if not wrong:
        return None
    place = wrong[0]
    return Misfit(
        f"shapes {left} and {right} do not fit: axis -{place} is {left[-place]} in one and "
        f"{right[-place]} in the other, and neither is 1",
        _advise_on_broadcasting(left, right),
    )


def _advise_on_broadcasting(left: Shape, right: Shape) -> str:
    """Says how the shorter shape can be made to fit, if its axes are the first of the longer."""
    short, long = sorted((left, right), key=len)
    if short and len(short) < len(long) and short == long[: len(short)]:
        wanted = short + (1,) * (len(long) - len(short))
        return f"Shapes are compared from the last axis on: reshape {short} to {wanted}."
    if len(left) == 2 and left == right[::-1]:
        return "One seems to be the transpose of the other: use .T."
    return ""


def product_over(axis: int) -> Callable[[Given, Settings], Misfit | None]:
    """Returns what looks at the lengths that a product of two arrays sums over.

    Args:
        axis: Axis of the second array that the product sums over, if it is not transposed.
    """

    def look(shapes: Given, settings: Settings) -> Misfit | None:
        left, right = shapes[0], shapes[1]
        if not left or not right or min(len(left), len(right)) < -axis:
            return None
        flip_a, flip_b = (settings.get(name, False) for name in ("transpose_a", "transpose_b"))
        over_a, other_a = (left[axis], left[-1]) if flip_a else (left[-1], left[axis])
        over_b, other_b = (right[-1], right[axis]) if flip_b else (right[axis], right[-1])
        if over_a == over_b:
            return None
        remedy = ""
        if "transpose_b" not in settings:
            remedy = "Transposed, the second one would fit: b.T." if over_a == other_b else ""
        elif over_a == other_b:
            remedy = f"With transpose_b={not flip_b} the lengths agree."
        elif over_b == other_a:
            remedy = f"With transpose_a={not flip_a} the lengths agree."
        fact = (
            f"shapes {left} and {right} do not fit: sums over {over_a} and over {over_b} elements"
        )
        return Misfit(fact, remedy)

    return look


def concatenation(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at arrays that are to be joined along an axis."""
    axis = settings.get("dim", settings.get("axis", 1))
    known = [shape for shape in shapes if shape is not None]
    first = known[0]
    if not isinstance(axis, int) or not -len(first) <= axis < len(first):
        return None
    axis %= len(first)
    for number, shape in enumerate(known):
        if len(shape) != len(first):
            return Misfit(f"array 0 has {len(first)} axes, array {number} has {len(shape)}")
        for place, (a, b) in enumerate(zip(first, shape, strict=True)):
            if place != axis and a != b:
                fact = f"arrays are joined along axis {axis} and must agree in all others, but "
                return Misfit(f"{fact}axis {place} of array 0 is {a}, of array {number} {b}")
    return None


def picked_labels(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at an index that has one number for each place of the data."""
    data, index = shapes[0], shapes[1]
    if data is None or index is None or settings["axis"] is None:
        return None
    axis = settings["axis"] % max(len(data), 1)
    expected = data[:axis] + data[axis + 1 :] or (1,)
    if index in (expected, (*data[:axis], 1, *data[axis + 1 :])):
        return None
    remedy = ""
    if index == data:
        remedy = (
            "There is one number for each class, as in one-hot labels: use "
            "index.argmax(axis=-1), or a loss with sparse_label=False."
        )
    return Misfit(f"expected an index of shape {expected}, got {index}", remedy)


def reshaped_like(shapes: Given, settings: Settings) -> Misfit | None:
    """Looks at an array that is to get the shape of another one."""
    source, target = shapes[0], shapes[1]
    if source is None or target is None or prod(source) == prod(target):
        return None
    return Misfit(
        f"an array of shape {source} cannot get shape {target}: it has {prod(source)} elements, "
        f"not {prod(target)}",
        "In a loss these are label and prediction, which need one number each for the other.",
    )


def _wrong_axes(data: Shape, settings: Settings) -> str | None:
    """Looks for an axis that data does not have, and for orders of axes that lack some."""
    axes = settings.get("axes")
    if axes and all(isinstance(item, int) for item in axes):
        places = [item % len(data) for item in axes if -len(data) <= item < len(data)]
        if len(axes) != len(data) or sorted(places) != list(range(len(data))):
            return f"axes takes each of the {len(data)} axes once, got {tuple(axes)}"
    axis = settings.get("axis")
    for item in axis if isinstance(axis, (tuple, list)) else (axis,):
        if isinstance(item, int) and not -len(data) <= item < len(data):
            return f"there is no axis {item}: the array has {len(data)}, 0 to {len(data) - 1}"
    return None


def any_operator(shapes: Given, settings: Settings, is_variadic: bool) -> Misfit | None:
    """Looks at what operators have in common: numbers of axes, new shapes, equal shapes.

    Args:
        shapes: Those of the inputs.
        settings: The attributes.
        is_variadic: Whether the operator takes arrays of one kind, any number of them.
    """
    data = shapes[0] if shapes else None
    if data is None:
        return None
    fact = _wrong_axes(data, settings)
    wanted = settings.get("newshape", settings.get("shape"))
    if fact is None and isinstance(wanted, tuple) and min(wanted, default=0) > 0:
        broadcasts = len(wanted) >= len(data) and not settings.keys() & {"newshape", "reverse"}
        if broadcasts:
            fact = f"an array of shape {data} cannot be broadcast to {wanted}"
        elif prod(wanted) != prod(data):
            fact = f"{prod(data)} elements of shape {data} do not fit the shape {wanted}"
    others = {shape for shape in shapes if shape is not None} - {data}
    if fact is None and is_variadic and others:
        fact = f"all arrays must be alike in shape, but one is {data} and another {min(others)}"
    return Misfit(fact) if fact else None

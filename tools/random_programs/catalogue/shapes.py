"""Steps that change shapes: reshaping, joining, splitting, repeating, slicing by attributes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import Draft, call, method


def _make(draft: Draft) -> Any:
    return method if draft.chance(0.4) else call


def factors(draft: Draft, size: int) -> list[int]:
    """Returns a shape of as many elements, with a -1 somewhere now and then."""
    shape = []
    while size > 1 and len(shape) < 3:
        part = draft.one([part for part in range(1, size + 1) if size % part == 0][:8])
        shape.append(part)
        size //= part
    shape.insert(draft.whole(0, len(shape)), size)
    if draft.chance(0.5):
        shape[draft.whole(0, len(shape) - 1)] = -1
    return shape


def _codes(draft: Draft, shape: tuple[int, ...]) -> list[int]:
    """Returns a shape with the special numbers of `reshape`: 0, -2, -3 and -4."""
    wanted: list[int] = []
    left = list(shape)
    while left:
        code = draft.one([0, 0, -2, -3, -4])
        if code == -2:
            return [*wanted, -2]
        if code == -3 and len(left) > 1:
            wanted.append(-3)
            del left[:2]
        elif code == -4 and left[0] > 0:
            divisors = [part for part in range(1, left[0] + 1) if left[0] % part == 0]
            part = draft.one(divisors)
            wanted += [-4, *draft.one([(part, left[0] // part), (-1, part), (part, -1)])]
            del left[0]
        else:
            wanted.append(0)
            del left[0]
    return wanted


def _reshape(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    shape = draft.shape(data)
    wanted = _codes(draft, shape) if draft.chance(0.4) else factors(draft, int(np.prod(shape)))
    options = {"reverse": True} if draft.chance(0.1) else {}
    if name == "Reshape" or draft.chance(0.5):
        return call(name, data, shape=wanted, **options)
    if draft.chance(0.5):
        return method(name, data, args=wanted, **options)
    return method(name, data, args=[wanted], **options)


rows("reshape Reshape", _reshape)
rows("flatten Flatten", lambda draft, name: call(name, draft.any()))


@row("transpose")
def _transpose(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    ndim = len(draft.shape(data))
    if draft.chance(0.3):
        return draft.one([call("transpose", data), method("T", data), method("transpose", data)])
    axes = draft.random.sample(range(ndim), ndim)
    if draft.chance(0.1):
        axes = [axis - ndim for axis in axes]
    return draft.one([call("transpose", data, axes=axes), method("transpose", data, args=axes)])


def _swap(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    return call(name, data, dim1=draft.axis(data), dim2=draft.axis(data))


rows("swapaxes SwapAxis", _swap)


@row("expand_dims")
def _expand(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    ndim = len(draft.shape(data)) + 1
    return _make(draft)("expand_dims", data, axis=draft.whole(-ndim, ndim - 1))


@row("squeeze")
def _squeeze(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 1 in shape)
    places = [i for i, length in enumerate(draft.shape(data)) if length == 1]
    axis = draft.one([*places, places[:2], places])
    return _make(draft)("squeeze", data, **({"axis": axis} if draft.chance(0.6) else {}))


def _flip(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    return call(name, data, axis=draft.axes(data))


rows("flip reverse", _flip)


@row("tile")
def _tile(draft: Draft) -> dict[str, Any]:
    return _make(draft)(
        "tile", draft.any(), reps=[draft.whole(1, 2) for _ in range(draft.whole(1, 4))]
    )


@row("repeat")
def _repeat(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = {"axis": draft.axis(data)} if draft.chance(0.7) else {}
    return _make(draft)("repeat", data, repeats=draft.whole(1, 3), **options)


@row("pad")
def _pad(draft: Draft) -> dict[str, Any]:
    data = draft.float((4, 5), fits=lambda shape: 0 not in shape)
    width = [0, 0, 0, 0]
    for length in draft.shape(data)[2:]:
        width += [draft.whole(0, min(length - 1, 2)), draft.whole(0, min(length - 1, 2))]
    kind = draft.one(["constant", "edge", "reflect"])
    options = {"constant_value": draft.one([0, 1.5, -2])} if kind == "constant" else {}
    return call(draft.one(["pad", "Pad"]), data, mode=kind, pad_width=width, **options)


def _several(draft: Draft, axis: int | None) -> list[str]:
    first = draft.any()
    found = [first]
    for _ in range(draft.whole(0, 2)):
        shape = list(draft.shape(first))
        if axis is not None and shape:
            shape[axis % len(shape)] = draft.whole(1, 3)
        found.append(draft.like(first, shape))
    return found


def _concat(draft: Draft, name: str) -> dict[str, Any]:
    axis = draft.one([0, 1, -1])
    arrays = _several(draft, axis if draft.chance(0.95) else None)
    return call(name, *arrays, dim=axis)


rows("concat Concat", _concat)


@row("concatenate")
def _concatenate(draft: Draft) -> dict[str, Any]:
    return call("concatenate", *_several(draft, 0), axis=0) | {"list": True}


@row("stack")
def _stack(draft: Draft) -> dict[str, Any]:
    arrays = _several(draft, None)
    ndim = len(draft.shape(arrays[0])) + 1
    return call("stack", *arrays, axis=draft.whole(-ndim, ndim - 1))


def _split(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    axis = draft.axis(data)
    shape = draft.shape(data)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    parts = draft.one([part for part in range(1, size + 1) if size % part == 0] or [1])
    options = draft.options(squeeze_axis=[True, False])
    return call(name, data, num_outputs=parts, axis=axis, **options)


rows("split SliceChannel", _split)


@row("split_v2")
def _split_v2(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    axis = draft.axis(data)
    shape = draft.shape(data)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    if draft.chance(0.5) and size > 1:
        parts: Any = sorted(draft.random.sample(range(1, size), draft.whole(1, min(2, size - 1))))
    else:
        parts = draft.one([part for part in range(1, size + 1) if size % part == 0] or [1])
    return call("split_v2", data, args=[parts], axis=axis, **draft.options(squeeze_axis=[False]))


@row("slice")
def _slice(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = draft.shape(data)
    begin, end, step = [], [], []
    for length in shape[: draft.whole(1, max(len(shape), 1))]:
        first = draft.whole(0, max(length - 1, 0))
        begin.append(draft.one([first, first - length, None]))
        end.append(draft.one([draft.whole(first + 1, max(length, first + 1)), None, length + 1]))
        step.append(draft.one([1, 2, None]))
    if draft.chance(0.15):
        begin, end, step = [None] * len(begin), [None] * len(begin), [-1] * len(begin)
    options = {"step": step} if draft.chance(0.4) or -1 in step else {}
    return _make(draft)("slice", data, begin=begin, end=end, **options)


@row("slice_axis")
def _slice_axis(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    axis = draft.axis(data)
    shape = draft.shape(data)
    length = shape[axis] if -len(shape) <= axis < len(shape) else 1
    first = draft.whole(0, max(length - 1, 0))
    last = draft.one([None, draft.whole(first + 1, max(length, first + 1)), -1])
    return _make(draft)(
        "slice_axis", data, axis=axis, begin=draft.one([first, first - length]), end=last
    )


@row("slice_like")
def _slice_like(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    smaller = [max(length - draft.whole(0, 1), 1) for length in draft.shape(data)]
    options = {"axes": [draft.axis(data)]} if draft.chance(0.4) else {}
    return call("slice_like", data, draft.new(smaller), **options)


@row("broadcast_to")
def _broadcast_to(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 1 in shape)
    wanted = [draft.whole(1, 3) if n == 1 else draft.one([n, 0]) for n in draft.shape(data)]
    return _make(draft)("broadcast_to", data, shape=wanted)


def _broadcast_axis(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 1 in shape)
    places = [i for i, length in enumerate(draft.shape(data)) if length == 1]
    return call(name, data, axis=places, size=[draft.whole(1, 3) for _ in places])


rows("broadcast_axis broadcast_axes", _broadcast_axis)


@row("broadcast_like")
def _broadcast_like(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    wanted = [draft.whole(1, 3) if length == 1 else length for length in draft.shape(data)]
    return call("broadcast_like", data, draft.new(wanted))


@row("reshape_like")
def _reshape_like(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = draft.shape(data)
    return call("reshape_like", data, draft.new(draft.random.sample(shape, len(shape))))


@row("diag")
def _diag(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3))
    options = draft.options(k=[0, 1, -1])
    if len(draft.shape(data)) == 3 and draft.chance(0.5):
        options |= draft.one([{"axis1": 0, "axis2": 2}, {"axis1": -1, "axis2": 0}])
    return call("diag", data, **options)


def _blocks(draft: Draft, name: str) -> dict[str, Any]:
    shape = draft.some_shape(4)
    shape = (
        (shape[0], shape[1] * 4, *shape[2:]) if name[0] == "d" else (*shape[:2], shape[2] * 2, 4)
    )
    return call(name, draft.new(shape), block_size=2)


rows("depth_to_space space_to_depth", _blocks)


@row("moveaxis")
def _moveaxis(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    return call("moveaxis", data, source=draft.axis(data), destination=draft.axis(data))


@row("im2col")
def _im2col(draft: Draft) -> dict[str, Any]:
    data = draft.new((2, draft.whole(1, 3), draft.whole(3, 6), draft.whole(3, 6)), "float32")
    options = draft.options(stride=[[1, 1], [2, 1]], pad=[[1, 0], [1, 1]], dilate=[[1, 1]])
    return call("im2col", data, kernel=draft.one([[2, 2], [3, 1]]), **options)


@row("contrib.arange_like")
def _arange_like(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(start=[1, 2.5], step=[0.5, 2])
    if draft.chance(0.5):
        options["axis"] = draft.axis(data)
    return call("contrib.arange_like", data, **options)


@row("contrib.index_array")
def _index_array(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    return call(
        "contrib.index_array", data, **({"axes": [draft.axis(data)]} if draft.chance(0.5) else {})
    )


def _filled(draft: Draft, name: str) -> dict[str, Any]:
    shape = [max(length, 1) for length in draft.some_shape()]
    return call(name, shape=shape, **draft.options(dtype=["float32", "float64", "int32", "uint8"]))


rows("zeros ones", _filled)


@row("full")
def _full(draft: Draft) -> dict[str, Any]:
    shape = [max(length, 1) for length in draft.some_shape()]
    return call(
        "full",
        shape=shape,
        val=draft.one([2, -1.5, 7]),
        **draft.options(dtype=["float64", "int32"]),
    )


@row("arange")
def _arange(draft: Draft) -> dict[str, Any]:
    options = draft.options(step=[1, 2, 0.5], repeat=[1, 2], dtype=["float32", "int32", "float64"])
    return call("arange", args=[draft.one([0, 1, -2]), draft.one([3, 5.5, 6])], **options)


@row("eye")
def _eye(draft: Draft) -> dict[str, Any]:
    return call(
        "eye",
        args=[draft.whole(1, 4)],
        **draft.options(M=[0, 3, 2], k=[1, -1, 0], dtype=["int32", "float64"]),
    )


@row("linspace")
def _linspace(draft: Draft) -> dict[str, Any]:
    return call(
        "linspace",
        args=[0, draft.one([1, 4.5]), draft.whole(1, 5)],
        **draft.options(endpoint=[True, False]),
    )

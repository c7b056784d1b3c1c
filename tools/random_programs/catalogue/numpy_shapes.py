"""Steps of the NumPy dialect that change shapes, select elements, or make arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.catalogue.indexing import some_key
from tools.random_programs.catalogue.numpy_reductions import spelled
from tools.random_programs.catalogue.shapes import factors
from tools.random_programs.catalogue.table import numpy_row, numpy_rows
from tools.random_programs.draft import Draft, call, method


@numpy_row("np.reshape")
def _reshape(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = factors(draft, int(np.prod(draft.shape(data))))
    if draft.chance(0.4):
        return method("reshape", data, args=draft.one([shape, [shape]]))
    return call("np.reshape", data, args=[shape])


@numpy_row("npx.reshape")
def _extended_reshape(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3, 4))
    ndim = len(draft.shape(data))
    chosen = draft.one([[-2] * ndim, [-4], [-2, -4], [-5, -4], [-1], [-2, -1], [-6, 1, -1, -4]])
    return call("npx.reshape", data, args=[chosen], **draft.options(reverse=[False, True]))


@numpy_row("np.transpose")
def _transpose(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    if draft.chance(0.3):
        return draft.one([call("np.transpose", data), method("T", data), method("transpose", data)])
    ndim = len(draft.shape(data))
    axes = draft.random.sample(range(ndim), ndim)
    if draft.chance(0.2):
        axes = [axis - ndim for axis in axes]
    return draft.one([
        call("np.transpose", data, args=[axes]), method("transpose", data, args=axes),
    ])  # fmt: skip


def _two_axes(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    return call(name, data, args=[draft.axis(data), draft.axis(data)])


numpy_rows("np.swapaxes np.moveaxis", _two_axes)


@numpy_row("np.expand_dims")
def _expand(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    ndim = len(draft.shape(data)) + 1
    return call("np.expand_dims", data, axis=draft.whole(-ndim, ndim - 1))


@numpy_row("np.squeeze")
def _squeeze(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 1 in shape)
    places = [i for i, length in enumerate(draft.shape(data)) if length == 1]
    options = {"axis": draft.one([*places, places[:2]])} if draft.chance(0.6) else {}
    return spelled(draft, "np.squeeze", data, **options)


@numpy_row("np.ravel")
def _ravel(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    return draft.one([call("np.ravel", data), method("flatten", data), method("ravel", data)])


def _several(draft: Draft, axis: int | None, ndim: tuple[int, ...] = (1, 2, 3)) -> list[str]:
    first = draft.any(ndim)
    found = [first]
    for _ in range(draft.whole(0, 2)):
        shape = list(draft.shape(first))
        if axis is not None and shape:
            shape[axis % len(shape)] = draft.whole(0 if draft.chance(0.1) else 1, 3)
        found.append(draft.like(first, shape))
    return found


@numpy_row("np.concatenate")
def _concatenate(draft: Draft) -> dict[str, Any]:
    axis = draft.one([0, -1])
    return call("np.concatenate", *_several(draft, axis), axis=axis) | {"list": True}


@numpy_row("np.stack")
def _stack(draft: Draft) -> dict[str, Any]:
    arrays = _several(draft, None)
    ndim = len(draft.shape(arrays[0])) + 1
    return call("np.stack", *arrays, axis=draft.whole(-ndim, ndim - 1)) | {"list": True}


numpy_rows(
    "np.vstack np.hstack np.dstack np.column_stack",
    lambda draft, name: call(name, *_several(draft, None)) | {"list": True},
)


@numpy_row("np.append")
def _append(draft: Draft) -> dict[str, Any]:
    first = draft.any((1, 2))
    return call("np.append", first, draft.like(first), **draft.options(axis=[0, -1]))


def _split(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any((1, 2, 3))
    axis = draft.axis(data)
    shape = draft.shape(data)
    size = shape[axis] if -len(shape) <= axis < len(shape) else 1
    parts: Any = draft.one([part for part in range(1, size + 1) if size % part == 0] or [1])
    if name == "np.array_split":
        parts = draft.whole(1, 4)
    if draft.chance(0.4):
        parts = sorted(draft.whole(0, size) for _ in range(draft.whole(1, 2)))
    return call(name, data, args=[parts], axis=axis)


numpy_rows("np.split np.array_split", _split)


def _split_at(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any({"h": (1, 2, 3), "v": (2, 3), "d": (3,)}[name[3]])
    return call(name, data, args=[draft.one([1, [1], 1])])


numpy_rows("np.hsplit np.vsplit np.dsplit", _split_at)


@numpy_row("np.tile")
def _tile(draft: Draft) -> dict[str, Any]:
    return call("np.tile", draft.any(), args=[draft.one([2, [1, 2], [2, 1, 2], [0, 1]])])


@numpy_row("np.repeat")
def _repeat(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = {"axis": draft.axis(data)} if draft.chance(0.7) else {}
    return spelled(draft, "np.repeat", data, repeats=draft.whole(1, 3), **options)


def _flip(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any((2, 3))
    ndim = len(draft.shape(data))
    options = {"axis": draft.whole(0, ndim - 1)} if name == "np.flip" else {}
    return call(name, data, **options)


numpy_rows("np.flip np.fliplr np.flipud", _flip)


@numpy_row("np.roll")
def _roll(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = {"axis": draft.axis(data)} if draft.chance(0.6) else {}
    return call("np.roll", data, args=[draft.one([1, -2, 5])], **options)


@numpy_row("np.rot90")
def _rot90(draft: Draft) -> dict[str, Any]:
    return call("np.rot90", draft.any((2, 3)), **draft.options(k=[0, 1, 2, -1], axes=[[0, 1]]))


@numpy_row("np.broadcast_to")
def _broadcast_to(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    shape = [draft.whole(1, 3) if length == 1 else length for length in draft.shape(data)]
    return call("np.broadcast_to", data, args=[[2] * draft.whole(0, 1) + shape])


numpy_rows("np.atleast_1d np.atleast_2d np.atleast_3d", lambda draft, name: call(name, draft.any()))


@numpy_row("np.pad")
def _pad(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), fits=lambda shape: 0 not in shape)
    width = [[draft.whole(0, 2), draft.whole(0, 2)] for _ in draft.shape(data)]
    kind = draft.one(["constant", "edge", "symmetric", "reflect"])
    return call("np.pad", data, args=[width], mode=kind)


@numpy_row("np.tril")
def _tril(draft: Draft) -> dict[str, Any]:
    return call("np.tril", draft.any((1, 2, 3)), **draft.options(k=[0, 1, -1]))


def _diagonal(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any({"np.diag": (1, 2), "np.diagonal": (2, 3), "np.diagflat": (1, 2)}[name])
    return call(
        name, data, **draft.options(**{"offset" if name == "np.diagonal" else "k": [0, 1, -1]})
    )


numpy_rows("np.diag np.diagonal np.diagflat", _diagonal)


@numpy_row("np.take")
def _take(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 0 not in shape)
    shape = draft.shape(data)
    options: dict[str, Any] = {"mode": draft.one(["clip", "wrap"])}
    size = int(np.prod(shape))
    if draft.chance(0.7) and shape:
        options["axis"] = draft.whole(-len(shape), len(shape) - 1)
        size = shape[options["axis"]]
    indices = draft.new(draft.some_shape(draft.whole(0, 2)), "int32", [-1, size + 1])
    return spelled(draft, "np.take", data, indices, **options)


@numpy_row("np.delete")
def _delete(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2), fits=lambda shape: 0 not in shape)
    return call("np.delete", data, args=[0], axis=draft.one([0, -1]))


@numpy_row("np.insert")
def _insert(draft: Draft) -> dict[str, Any]:
    data = draft.any(1, fits=lambda shape: 0 not in shape)
    return call("np.insert", data, args=[draft.one([0, 1, -1]), draft.one([2, -1])])


@numpy_row("np.resize")
def _resize(draft: Draft) -> dict[str, Any]:
    data = draft.any(fits=lambda shape: 0 not in shape)
    return call("np.resize", data, args=[draft.one([[2, 3], [4], [1, 1, 2]])])


@numpy_row("np.nonzero")
def _nonzero(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2))
    return draft.one([call("np.nonzero", data), call("npx.nonzero", data)])


@numpy_row("operator getitem")
def _getitem(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3, 4))
    if draft.chance(0.15):
        mask = draft.new(draft.shape(data)[: draft.whole(1, 2)], "bool")
        return {"do": "getitem", "in": [data], "key": [{"array": mask}]}
    return {"do": "getitem", "in": [data], "key": some_key(draft, draft.shape(data))}


@numpy_row("operator setitem")
def _setitem(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3, 4))
    step = {"do": "setitem", "in": [data], "key": some_key(draft, draft.shape(data))}
    if draft.chance(0.15):
        step["key"] = [{"array": draft.new(draft.shape(data), "bool")}]
    if draft.chance(0.6):
        step["number"] = draft.number()
    else:
        step["in"].append(draft.like(data, draft.one([(1,), ()])))
    return step


def _filled(draft: Draft, name: str) -> dict[str, Any]:
    options = draft.options(dtype=["float32", "float64", "int32", "uint8", "bool"])
    return call(name, args=[list(draft.some_shape())], **options)


numpy_rows("np.zeros np.ones", _filled)


@numpy_row("np.full")
def _full(draft: Draft) -> dict[str, Any]:
    options = draft.options(dtype=["float64", "int32", "float16"])
    return call("np.full", args=[list(draft.some_shape()), draft.one([2, -1.5, 7])], **options)


@numpy_row("np.arange")
def _arange(draft: Draft) -> dict[str, Any]:
    options = draft.options(dtype=["float32", "int32", "float64"])
    numbers = draft.one([[3], [0, 4], [1, 6, 2], [0, 2.5, 0.5], [5, 1, -1]])
    return call("np.arange", args=numbers, **options)


@numpy_row("np.linspace")
def _linspace(draft: Draft) -> dict[str, Any]:
    options = draft.options(endpoint=[True, False], dtype=["float32", "float64"])
    numbers = [0, draft.one([1, 4.5]), draft.whole(1, 5)]
    return call(draft.one(["np.linspace", "np.logspace"]), args=numbers, **options)


@numpy_row("np.eye")
def _eye(draft: Draft) -> dict[str, Any]:
    if draft.chance(0.3):
        return call("np.identity", args=[draft.whole(1, 3)])
    options = draft.options(M=[3, 2], k=[1, -1, 0], dtype=["int32", "float64"])
    return call("np.eye", args=[draft.whole(1, 4)], **options)


@numpy_row("np.indices")
def _indices(draft: Draft) -> dict[str, Any]:
    return call("np.indices", args=[draft.one([[2], [2, 3]])], **draft.options(dtype=["int32"]))


numpy_rows(
    "np.hanning np.hamming np.blackman", lambda draft, name: call(name, args=[draft.whole(1, 6)])
)

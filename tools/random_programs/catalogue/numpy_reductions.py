"""Steps of the NumPy dialect that reduce axes, order elements, or multiply matrices."""

from __future__ import annotations

from typing import Any

from tools.random_programs.catalogue.names import NUMPY_PAIRS, NUMPY_SINGLES
from tools.random_programs.catalogue.numpy_elements import matrices
from tools.random_programs.catalogue.table import numpy_row, numpy_rows
from tools.random_programs.draft import Draft, call, method

_REAL = ("float32", "float64")


def spelled(draft: Draft, name: str, *given: str, **attrs: Any) -> dict[str, Any]:
    """Returns a step that calls a function, or the method of the same name."""
    if draft.chance(0.35) and name != "np.sort":
        return method(name.removeprefix("np."), *given, **attrs)
    return call(name, *given, **attrs)


def _reduce(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.float() if draft.chance(0.75) else draft.any()
    options = draft.options(keepdims=[True, False])
    if draft.chance(0.75):
        options["axis"] = draft.axes(data)
    if name in ("np.sum", "np.mean", "np.prod", "np.std", "np.var") and draft.chance(0.15):
        options["dtype"] = draft.one(["float32", "float64", "int32"])
    if name in ("np.std", "np.var"):
        options |= draft.options(ddof=[0, 1])
    return spelled(draft, name, data, **options)


numpy_rows("np.sum np.mean np.prod np.max np.min np.std np.var", _reduce)


def _logical(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(keepdims=[True, False])
    if draft.chance(0.6):
        options["axis"] = draft.axis(data)
    return call(name, data, **options)


numpy_rows("np.all np.any np.amax np.amin", _logical)


def _one_axis(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any()
    return spelled(draft, name, data, **({"axis": draft.axis(data)} if draft.chance(0.75) else {}))


numpy_rows("np.argmax np.argmin np.cumsum np.argsort np.sort", _one_axis)


@numpy_row("np.average")
def _average(draft: Draft) -> dict[str, Any]:
    data = draft.float()
    return call("np.average", data, **({"axis": draft.axis(data)} if draft.chance(0.6) else {}))


@numpy_row("np.percentile")
def _percentile(draft: Draft) -> dict[str, Any]:
    data = draft.any(dtype=_REAL)
    options = draft.options(interpolation=["linear", "lower", "higher", "midpoint"])
    if draft.chance(0.6):
        options["axis"] = draft.axis(data)
    if draft.chance(0.5):
        return call("np.percentile", data, args=[draft.one([0, 30, 50, 100])], **options)
    return call("np.quantile", data, args=[draft.one([0.0, 0.25, 0.5, 1.0])], **options)


@numpy_row("np.trace")
def _trace(draft: Draft) -> dict[str, Any]:
    return call("np.trace", draft.any((2, 3)), **draft.options(offset=[0, 1, -1]))


@numpy_row("np.unique")
def _unique(draft: Draft) -> dict[str, Any]:
    options = draft.options(return_index=[True], return_inverse=[True], return_counts=[True])
    return call("np.unique", draft.any(), **options)


@numpy_row("np.bincount")
def _bincount(draft: Draft) -> dict[str, Any]:
    data = draft.new((draft.whole(1, 5),), draft.one(["int32", "int64"]), [0, 4])
    return call("np.bincount", data, **draft.options(minlength=[0, 6]))


@numpy_row("np.diff")
def _diff(draft: Draft) -> dict[str, Any]:
    data = draft.any()
    options = draft.options(n=[1, 2])
    if draft.chance(0.6):
        options["axis"] = draft.axis(data)
    return call("np.diff", data, **options)


@numpy_row("np.ediff1d")
def _ediff(draft: Draft) -> dict[str, Any]:
    return call("np.ediff1d", draft.any(), **draft.options(to_begin=[0, 2], to_end=[3]))


@numpy_row("np.histogram")
def _histogram(draft: Draft) -> dict[str, Any]:
    return call("np.histogram", draft.any(dtype=_REAL), bins=draft.whole(1, 5), range=[-3.1, 3.3])


@numpy_row("np.polyval")
def _polyval(draft: Draft) -> dict[str, Any]:
    values = draft.any(dtype=_REAL)
    return call("np.polyval", draft.new((3,), draft.dtype(values), "unit"), values)


def _product(draft: Draft, name: str) -> dict[str, Any]:
    return call(name, *matrices(draft))


numpy_rows("np.dot np.matmul", _product)


@numpy_row("np.tensordot")
def _tensordot(draft: Draft) -> dict[str, Any]:
    first = draft.any((2, 3), _REAL)
    shape = draft.shape(first)
    if draft.chance(0.4):
        return call("np.tensordot", first, draft.like(first, [shape[-1], 2]), axes=1)
    second = draft.like(first, [2, shape[0]])
    axes = draft.one([[[0], [1]], [[-len(shape)], [-1]]])
    return call("np.tensordot", first, second, axes=axes)


@numpy_row("np.einsum")
def _einsum(draft: Draft) -> dict[str, Any]:
    first = draft.any(2, _REAL)
    rows, columns = draft.shape(first)
    written, shape = draft.one([
        ("ij,jk->ik", (columns, 2)), ("ij,kj->ki", (2, columns)), ("ij,ij->i", (rows, columns)),
        ("ij,j", (columns,)), ("ij,kl->kj", (2, 1)),
    ])  # fmt: skip
    if draft.chance(0.3):
        return call("np.einsum", first, args=[draft.one(["ij->ji", "ij->j", "ij->"])]) | SWAPPED
    return call("np.einsum", first, draft.like(first, shape), args=[written]) | SWAPPED


SWAPPED = {"swapped": True}
"""The numbers and texts of such a step come before the arrays."""


@numpy_row("np.inner")
def _inner(draft: Draft) -> dict[str, Any]:
    first = draft.any((1, 2), _REAL)
    length = draft.shape(first)[-1]
    return call("np.inner", first, draft.like(first, draft.one([[length], [2, length]])))


@numpy_row("np.outer")
def _outer(draft: Draft) -> dict[str, Any]:
    first = draft.any((1, 2), _REAL)
    return call("np.outer", first, draft.like(first, (draft.whole(1, 3),)))


@numpy_row("np.vdot")
def _vdot(draft: Draft) -> dict[str, Any]:
    first = draft.any((1, 2), _REAL)
    return call("np.vdot", first, draft.like(first))


def _square(draft: Draft) -> str:
    size = draft.whole(1, 3)
    return draft.new([*draft.one([(), (2,)]), size, size], draft.one(_REAL), "unit")


numpy_rows(
    "np.linalg.det np.linalg.slogdet np.linalg.inv", lambda draft, name: call(name, _square(draft))
)


@numpy_row("np.linalg.norm")
def _norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((1, 2, 3), _REAL)
    options = draft.options(keepdims=[True, False])
    if draft.chance(0.6):
        options["axis"] = draft.axis(data)
        options |= draft.options(ord=[1, 2])
    return call("np.linalg.norm", data, **options)


@numpy_row("np.linalg.solve")
def _solve(draft: Draft) -> dict[str, Any]:
    matrix = _square(draft)
    return call("np.linalg.solve", matrix, draft.like(matrix, [*draft.shape(matrix)[:-1], 2]))


def _by_numpy(draft: Draft, name: str) -> dict[str, Any]:
    return call(name, draft.float() if draft.chance(0.7) else draft.any())


numpy_rows(NUMPY_SINGLES, _by_numpy)


def _pair_by_numpy(draft: Draft, name: str) -> dict[str, Any]:
    first = draft.float()
    return call(name, first, draft.like(first))


numpy_rows(NUMPY_PAIRS, _pair_by_numpy)

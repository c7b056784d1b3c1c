"""Steps on sparse arrays: how they are made, cast, sliced, computed with and reduced."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tools.random_programs.catalogue.table import sparse_row, sparse_rows
from tools.random_programs.draft import FLOATS, Draft, call, method

STYPES = ("default", "row_sparse", "csr")
_SPARSE = ("row_sparse", "csr")
_DTYPES = {"float32": 14, "float64": 3, "float16": 1, "int32": 2, "int64": 1}

_UNARY = """
    abs sign round rint ceil floor trunc fix square sqrt rsqrt cbrt rcbrt exp log log1p log2 expm1
    sin cos tan arcsin arctan sinh cosh tanh arcsinh arctanh degrees radians relu sigmoid
    reciprocal zeros_like ones_like
"""
_FUNCTIONS = "negative identity BlockGrad make_loss softsign gamma erf _internal._copy"
_PAIRS = """
    elemwise_add elemwise_sub elemwise_mul elemwise_div add_n ElementWiseSum
    sparse.add sparse.subtract sparse.multiply sparse.divide
    _internal._maximum _internal._minimum _internal._hypot _internal._power _internal._mod
    _internal._grad_add _internal._scatter_elemwise_div _internal._identity_with_attr_like_rhs
    _internal._equal _internal._greater
"""
_BROADCAST = "add sub mul div maximum minimum power equal lesser"
_SCALARS = """
    _plus_scalar _minus_scalar _rminus_scalar _mul_scalar _div_scalar _rdiv_scalar _power_scalar
    _maximum_scalar _minimum_scalar _scatter_plus_scalar _scatter_minus_scalar _equal_scalar
    _greater_scalar
"""
_FALLBACKS = """
    transpose flatten expand_dims softmax argmax max sort tile mean sum prod nansum shape_array
"""


def some(
    draft: Draft,
    stypes: Sequence[str] = STYPES,
    ndim: int | Sequence[int] | None = None,
    dtypes: Sequence[str] | None = None,
) -> str:
    """Returns an array of one of these storage types, a recent one or a new input."""
    wanted = draft.one(list(stypes))
    ndims = (ndim,) if isinstance(ndim, int) else ndim
    if wanted == "csr":
        ndims = (2,)
    if draft.chance(0.7):
        for name in draft.recent():
            if (
                draft.stype(name) == wanted
                and (ndims is None or len(draft.shape(name)) in ndims)
                and (dtypes is None or draft.dtype(name) in dtypes)
            ):
                return name
    chosen = draft.one(tuple(ndims)) if ndims else draft.weighted({1: 1, 2: 8, 3: 2})
    return fresh(draft, wanted, draft.some_shape(chosen), dtypes=dtypes)


def fresh(
    draft: Draft, stype: str, shape: Sequence[int], dtype: str | None = None,
    dtypes: Sequence[str] | None = None,
) -> str:  # fmt: skip
    """Adds an input of a storage type; its gradient may be of another one."""
    allowed = {kind: _DTYPES[kind] for kind in dtypes or _DTYPES}
    name = draft.new(shape, dtype or draft.weighted(allowed), stype=stype)
    if draft.chance(0.25) and draft.dtype(name) == "float32":  # always that of the gradient there
        draft.inputs[name]["grad_stype"] = draft.one(["default", "row_sparse"])
    return name


def partner(draft: Draft, name: str, stypes: Sequence[str] = STYPES) -> str:
    """Returns an array of the same shape and dtype in one of these storage types."""
    shape, dtype, wanted = draft.shape(name), draft.dtype(name), draft.one(list(stypes))
    if draft.chance(0.5):
        for other in draft.recent():
            if (draft.shape(other), draft.dtype(other), draft.stype(other)) == (
                shape,
                dtype,
                wanted,
            ):
                return other
    if wanted == "csr" and len(shape) != 2:
        wanted = "row_sparse"
    return fresh(draft, wanted, shape, dtype if dtype in _DTYPES else "float32")


def _reals(draft: Draft, stypes: Sequence[str] = STYPES, **more: Any) -> str:
    return some(draft, stypes, dtypes=FLOATS if draft.chance(0.85) else None, **more)


# Making


@sparse_row("sparse.zeros")
def _zeros(draft: Draft) -> dict[str, Any]:
    stype = draft.one(STYPES)
    shape = list(draft.some_shape(2 if stype == "csr" else None))
    return call("sparse.zeros", args=[stype, shape], **draft.options(dtype=["float64", "int32"]))


@sparse_row("sparse.csr_matrix")
def _csr_matrix(draft: Draft) -> dict[str, Any]:
    if draft.chance(0.4):
        return call("sparse.csr_matrix", some(draft, ("csr", "default"), 2))
    rows, columns, count = draft.whole(1, 4), draft.whole(2, 5), draft.whole(1, 6)
    counts = [0] * rows
    for _ in range(count):
        counts[draft.whole(0, rows - 1)] += 1
    places: list[int] = []
    for index, length in enumerate(counts):
        counts[index] = min(length, columns)
        places += sorted(draft.random.sample(range(columns), counts[index]))
    ends = [sum(counts[:index]) for index in range(rows + 1)]
    data = {"list": [draft.whole(-9, 9) / 4 for _ in places]}
    shape = {} if draft.chance(0.3) else {"shape": [rows, columns]}
    parts = [data, {"list": places}, {"list": ends}]
    return call("sparse.csr_matrix", args=[parts], **shape)


@sparse_row("sparse.row_sparse_array")
def _row_sparse_array(draft: Draft) -> dict[str, Any]:
    if draft.chance(0.4):
        return call("sparse.row_sparse_array", some(draft, ("row_sparse", "default"), (1, 2)))
    rows, columns = draft.whole(2, 5), draft.whole(1, 4)
    chosen = draft.random.sample(range(rows), draft.whole(0, rows - 1) or 1)
    shape = {} if draft.chance(0.3) else {"shape": [rows, columns]}
    places = chosen if shape and draft.chance(0.1) else sorted(chosen)
    data = {"list": [{"list": [draft.whole(-9, 9) / 4] * columns} for _ in places]}
    return call("sparse.row_sparse_array", args=[[data, {"list": places}]], **shape)


@sparse_row("sparse.array")
def _array(draft: Draft) -> dict[str, Any]:
    return call("sparse.array", some(draft, _SPARSE), **draft.options(dtype=["float64", "int32"]))


def _cast(draft: Draft, name: str) -> dict[str, Any]:
    array, stype = some(draft), draft.one(STYPES)
    if name == "tostype":
        return method(name, array, args=[stype])
    return call(name, array, stype=stype)


sparse_rows("tostype cast_storage", _cast)


@sparse_row("astype")
def _astype(draft: Draft) -> dict[str, Any]:
    return method("astype", some(draft), args=[draft.one(["float32", "float64", "int32"])])


@sparse_row("Cast")
def _cast_call(draft: Draft) -> dict[str, Any]:
    return call("Cast", some(draft), dtype=draft.one(["float64", "int32", "float32"]))


sparse_rows("copy detach", lambda draft, name: method(name, some(draft)))
sparse_rows(
    "data indices indptr",
    lambda draft, name: {"do": "attribute", "name": name, "in": [some(draft, _SPARSE)]},
)


@sparse_row("saved")
def _saved(draft: Draft) -> dict[str, Any]:
    return {"do": "saved", "in": [some(draft) for _ in range(draft.whole(1, 3))]}


@sparse_row("retain")
def _retain(draft: Draft) -> dict[str, Any]:
    array = some(draft, ("row_sparse",) if draft.chance(0.9) else STYPES)
    rows = max(draft.shape(array)[0], 1)
    chosen = sorted(draft.random.sample(range(rows), draft.whole(1, rows)))
    index = draft.new((len(chosen),), draft.one(["int64", "float32", "int32"]), once=True)
    recipe = draft.inputs[index]
    draft.add(call("array", args=[{"list": chosen}], dtype=recipe["dtype"]))
    return call("sparse.retain", array, f"{len(draft.steps) - 1}.0")


# Places


@sparse_row("getitem")
def _getitem(draft: Draft) -> dict[str, Any]:
    array = some(draft, ("csr", "csr", "row_sparse"))
    rows = draft.shape(array)[0]
    first = draft.whole(-rows, rows) if draft.chance(0.9) else None
    last = draft.whole(-rows, rows + 1) if draft.chance(0.7) else None
    keys: list[Any] = [{"slice": [first, last, None]}, {"slice": [None, None, None]}]
    keys += [draft.whole(-rows, max(rows - 1, 0)), "..."]
    key = [draft.one(keys)]
    if draft.chance(0.2):
        key.append({"slice": [0, draft.whole(1, 3), None]})
    return {"do": "getitem", "in": [array], "key": key}


@sparse_row("setitem")
def _setitem(draft: Draft) -> dict[str, Any]:
    array = some(draft, _SPARSE)
    step: dict[str, Any] = {"do": "setitem", "key": [{"slice": [None, None, None]}]}
    if draft.chance(0.5):
        return step | {"in": [array, partner(draft, array)]}
    return step | {"in": [array], "number": draft.number()}


@sparse_row("copyto")
def _copyto(draft: Draft) -> dict[str, Any]:
    array = some(draft)
    return method("copyto", array, partner(draft, array))


@sparse_row("slice")
def _slice(draft: Draft) -> dict[str, Any]:
    array = some(draft, ("csr", "csr", "row_sparse"), 2)
    begin, end = [], []
    for length in draft.shape(array)[: draft.whole(1, 2)]:
        begin.append(draft.whole(0, max(length - 1, 0)))
        end.append(draft.whole(begin[-1] + 1, max(length, begin[-1] + 1)))
    return call("slice", array, begin=begin, end=end)


@sparse_row("slice_axis")
def _slice_axis(draft: Draft) -> dict[str, Any]:
    array = some(draft, _SPARSE, 2)
    axis = draft.whole(0, 1)
    return call("slice_axis", array, axis=axis, begin=0, end=draft.whole(1, 2))


@sparse_row("take")
def _take(draft: Draft) -> dict[str, Any]:
    array = _reals(draft)
    index = draft.new((draft.whole(1, 3),), "float32", [0, max(draft.shape(array)[0], 1)])
    return call("take", array, index, **draft.options(mode=["clip", "wrap"], axis=[0]))


@sparse_row("concat")
def _concat(draft: Draft) -> dict[str, Any]:
    array = some(draft, ndim=2)
    others = [partner(draft, array, (draft.stype(array), draft.one(STYPES))) for _ in range(2)]
    return call("concat", array, *others[: draft.whole(1, 2)], dim=draft.one([0, 0, 1]))


@sparse_row("where")
def _where(draft: Draft) -> dict[str, Any]:
    first = some(draft)
    condition = partner(draft, first, ("csr", "default"))
    return call("where", condition, first, partner(draft, first))


@sparse_row("stack")
def _stack(draft: Draft) -> dict[str, Any]:
    first = some(draft)
    return call("stack", first, partner(draft, first), axis=0)


# Elements


def _unary(draft: Draft, name: str) -> dict[str, Any]:
    array = _reals(draft, (*_SPARSE, *STYPES))
    if draft.chance(0.2):
        return call(name, array) | {"out": partner(draft, array)}
    return method(name, array) if draft.chance(0.25) else call(name, array)


sparse_rows(_UNARY, _unary)
sparse_rows(_FUNCTIONS, lambda draft, name: call(name, _reals(draft, _SPARSE)))


def _pair(draft: Draft, name: str) -> dict[str, Any]:
    first = some(draft, dtypes=FLOATS) if "div" in name or "mod" in name else some(draft)
    step = call(name, first, partner(draft, first))
    if draft.chance(0.15) and not name.startswith(("sparse.", "_internal._identity")):
        step["out"] = partner(draft, first)
    return step


sparse_rows(_PAIRS, _pair)


def _broadcast(draft: Draft, name: str) -> dict[str, Any]:
    first = some(draft, dtypes=FLOATS)
    shape = [1 if draft.chance(0.4) else length for length in draft.shape(first)]
    second = fresh(
        draft, draft.one(["default", "default", "row_sparse"]), shape, draft.dtype(first)
    )
    return call(name, first, second)


sparse_rows([f"broadcast_{name}" for name in _BROADCAST.split()], _broadcast)


def _scalar(draft: Draft, name: str) -> dict[str, Any]:
    array = some(draft, _SPARSE, dtypes=FLOATS if "div" in name else None)
    return call(name, array, scalar=draft.one([2, 0, -1.5, 1, 0.5]))


sparse_rows([f"_internal.{name}" for name in _SCALARS.split()], _scalar)


def _of_numbers(draft: Draft, name: str) -> dict[str, Any]:
    number = draft.one([2, 0, -1.5, 1, 0.5])
    array = some(draft, _SPARSE, dtypes=FLOATS)
    right = name in ("add", "multiply")  # the original swaps the operands of others
    swapped = {"swapped": True} if right and draft.chance(0.3) else {}
    return call(f"sparse.{name}", array, args=[number]) | swapped


for _name in ("add", "subtract", "multiply", "divide"):
    sparse_row(f"sparse.{_name} number")(
        lambda draft, name=_name: _of_numbers(draft, name)  # type: ignore[misc]
    )


def _operator(draft: Draft, name: str) -> dict[str, Any]:
    array = some(draft, (*_SPARSE, "default"), dtypes=FLOATS)
    step = {"do": "operator", "name": name, "in": [array]}
    if name in ("neg", "abs"):
        return step
    if draft.chance(0.5):
        step["in"] = [array, partner(draft, array)]
        return step
    step["number"] = draft.one([2, 0, -1.5, 1, 0.5])
    return step | ({"swapped": True} if draft.chance(0.35) else {})


for _name in ("add", "sub", "mul", "truediv", "pow", "mod", "neg", "abs", "eq", "gt", "le"):
    sparse_row(f"operator {_name}")(
        lambda draft, name=_name: _operator(draft, name)  # type: ignore[misc]
    )


def _in_place(draft: Draft, name: str) -> dict[str, Any]:
    return _operator(draft, name) | {"do": "inplace"}


for _name in ("iadd", "isub", "imul", "itruediv"):
    sparse_row(f"inplace {_name}")(
        lambda draft, name=_name: _in_place(draft, name)  # type: ignore[misc]
    )


@sparse_row("clip")
def _clip(draft: Draft) -> dict[str, Any]:
    low = draft.one([0.0, -1.0, 0.5])
    array = some(draft)
    if draft.chance(0.3):
        return method("clip", array, args=[low, low + 1])
    return call("clip", array, a_min=low, a_max=low + 1)


@sparse_row("contrib.quadratic")
def _quadratic(draft: Draft) -> dict[str, Any]:
    return call("contrib.quadratic", some(draft), **draft.options(a=[2.0], b=[-1.0], c=[0.0, 1.5]))


# Products and reductions


@sparse_row("dot")
def _dot(draft: Draft) -> dict[str, Any]:
    first = some(draft, ("csr", "csr", "default", "row_sparse"), 2, FLOATS)
    options = draft.options(transpose_a=[True, False], transpose_b=[True, False, False])
    options |= draft.options(forward_stype=STYPES) if draft.chance(0.5) else {}
    shape = draft.shape(first)
    inner = shape[0] if options.get("transpose_a") else shape[1]
    other = [inner, draft.whole(1, 4)]
    if options.get("transpose_b"):
        other.reverse()
    stype = draft.one(["default", "default", "row_sparse", "csr"])
    if stype == "default" and not options.get("transpose_b") and draft.chance(0.15):
        other = [inner]
    name = draft.one(["dot", "sparse.dot"])
    return call(name, first, fresh(draft, stype, other, draft.dtype(first)), **options)


def _reduction(draft: Draft, name: str) -> dict[str, Any]:
    array = _reals(draft, ("csr", "csr", "row_sparse", "default"))
    options: dict[str, Any] = draft.options(keepdims=[True, False], exclude=[True])
    if draft.chance(0.8):
        options["axis"] = draft.axes(array)
    return call(name, array, **options)


sparse_rows("sum mean sparse.sum sparse.mean", _reduction)


@sparse_row("norm")
def _norm(draft: Draft) -> dict[str, Any]:
    array = some(draft, (*_SPARSE, "default"), dtypes=FLOATS)
    options = {"axis": draft.axis(array)} if draft.chance(0.4) else {}
    return call("norm", array, **options, **draft.options(ord=[2, 2, 1], keepdims=[True]))


@sparse_row("_internal._square_sum")
def _square_sum(draft: Draft) -> dict[str, Any]:
    array = some(draft, ("row_sparse",), 2, FLOATS)
    return call(
        "_internal._square_sum", array, axis=draft.whole(0, 1), **draft.options(keepdims=[True])
    )


def _fallback(draft: Draft, name: str) -> dict[str, Any]:
    options = {"axis": 0} if name == "expand_dims" else {"reps": [2, 1]} if name == "tile" else {}
    return method(name, some(draft, _SPARSE, 2, FLOATS), **options)


for _name in _FALLBACKS.split():
    sparse_row(f"method {_name}")(
        lambda draft, name=_name: _fallback(draft, name)  # type: ignore[misc]
    )


@sparse_row("contrib.getnnz")
def _getnnz(draft: Draft) -> dict[str, Any]:
    return call("contrib.getnnz", some(draft, ("csr",)), **draft.options(axis=[1]))

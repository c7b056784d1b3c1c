"""Operators that do not need the dense form of sparse arrays, and the choice between both ways.

What is recorded for a sparse array itself is computed in the dense form as well, through which it
is differentiated. Data that are sparse and constant, such as the features in
`dot(features, weight)`, stay sparse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import torch
from torch import Tensor

from mxnet._arrays.array import Array, note_origin
from mxnet._arrays.invoke import invoke
from mxnet._state import modes
from mxnet.errors import MXNetError, ShapeMismatchError
from mxnet.ndarray import _sparse_kernels as kernels
from mxnet.ndarray._ndarray import NDArray, from_tensor
from mxnet.ndarray._sparse_array import CSRNDArray, RowSparseNDArray
from mxnet.ndarray._sparse_base import BaseSparseNDArray, like
from mxnet.ops.core import custom
from mxnet.ops.core.interposing import kernel_of
from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import SparseAlgorithm
from mxnet.ops.math.elementwise import check_edges
from mxnet.ops.math.indexing import check_positions
from mxnet.ops.rules.storage_types import (
    fills_zeros,
    has_no_steps,
    keeps_zero,
    of_product,
    with_values,
)


def count_stored(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> NDArray | None:
    """Counts the elements that are stored, in all or in each row, for `getnnz`."""
    array = inputs[0]
    if not isinstance(array, CSRNDArray):
        return None
    op.kernel(array._parts[0].new_empty(array._shape, device="meta"), **attrs)  # checks
    counts = array._parts[2].diff()
    total = counts if attrs.get("axis") == 1 else counts.sum().view(1)
    return from_tensor(total, array._ctx.results)


def find_edges(op: Op, inputs: Sequence[Any], attrs: Mapping[str, Any]) -> NDArray | None:  # noqa: ARG001
    """Looks elements up by row and column, for `edge_id`."""
    array, *ends = inputs
    if not isinstance(array, CSRNDArray):
        return None
    u, v = (item._plain for item in ends)
    check_edges(array._shape, u, v)
    data, indices, indptr = array._matrix()
    width = array._shape[1]
    stored = kernels.row_numbers(indptr) * width + indices
    order = stored.argsort()
    wanted = u.long() * width + v.long()
    place = torch.searchsorted(stored[order], wanted).clamp(max=max(len(data) - 1, 0))
    inside = (u >= 0) & (u < array._shape[0]) & (v >= 0) & (v < width)
    found = data.new_full(wanted.shape, -1)
    if len(data):
        place = order[place]
        found = torch.where(inside & (stored[place] == wanted), data[place], found)
    return from_tensor(found, array._ctx.results)


Attrs: TypeAlias = Mapping[str, Any]
Algorithm: TypeAlias = Callable[[Op, Sequence[Any], Attrs], NDArray | None]


def run(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Attrs,
    cls: type[NDArray],
    *,
    out: Any = None,
    ctx: Any = None,
) -> Any:
    """Runs an operator on inputs of which some are sparse."""
    if op.traits.runs_program and out is None:
        return _custom(op, inputs, attrs)
    algorithm = _find_algorithm(op)
    result = None if algorithm is None else algorithm(op, inputs, attrs)
    if result is None:
        if algorithm is None:
            _check_storage(op, inputs, attrs)
        with _written_back(op, inputs) as dense_inputs:
            return invoke(op, dense_inputs, attrs, cls, out=out, ctx=ctx)
    if _is_recorded(inputs, result):
        result = _record(op, inputs, attrs, cls, result)
    elif modes.recording:
        note_origin((result,), op, inputs, attrs)
    if out is None:
        return result
    if out.stype not in ("default", result.stype):  # neither form holds the parts of the other
        result = result.tostype("default")
    result.copyto(out)
    return out


def _record(
    op: Op, inputs: Sequence[Any], attrs: Attrs, cls: type[NDArray], result: NDArray
) -> NDArray:
    """Returns a result with the history of the dense one, which is computed beside it."""
    if not op.differentiable and not isinstance(result, BaseSparseNDArray):
        return result  # a count of what is stored
    dense: Any = invoke(op, inputs, attrs, cls)
    if not isinstance(result, BaseSparseNDArray):
        return dense  # type: ignore[no-any-return]
    if dense._node is not None:
        fills = fills_zeros(op, attrs)
        node = with_values(dense._node, result._plain) if fills else dense._node
        result._join(node, dense._role.origin)
    return result


@contextmanager
def _written_back(op: Op, inputs: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yields inputs for a kernel that changes some of them, of which sparse ones are dense copies.

    What it has put into the copies is stored in the end.
    """
    changed = {
        place: from_tensor(item._plain.clone(), item._ctx)
        for place, item in enumerate(inputs)
        if op.mutates
        and isinstance(item, BaseSparseNDArray)
        and op.inputs[place].name in op.mutates
    }
    yield [changed.get(place, item) for place, item in enumerate(inputs)] if changed else inputs
    for place, copied in changed.items():
        inputs[place]._data = copied._plain


def _check_storage(op: Op, inputs: Sequence[Any], attrs: Attrs) -> None:
    """Asks the rule of an operator that may refuse sparse inputs."""
    rule = op.traits.storage.result
    if rule is not None:
        rule(["default" if item is None else item.stype for item in inputs], attrs)


def _find_algorithm(op: Op) -> Algorithm | None:
    """Returns what computes an operator from stored elements; it returns None if it cannot."""
    storage = op.traits.storage
    if storage.on_stored:
        return _map
    return None if storage.algorithm is None else _ALGORITHMS[storage.algorithm]


def _is_recorded(inputs: Sequence[Any], result: NDArray) -> bool:
    """Returns whether a result is to be differentiated through the dense form.

    One that is dense itself has the history of its dense inputs already.
    """
    is_sparse = isinstance(result, BaseSparseNDArray)
    return modes.recording and any(
        item._node is not None and (is_sparse or isinstance(item, BaseSparseNDArray))
        for item in inputs
    )


def _custom(op: Op, inputs: Sequence[Any], attrs: Attrs) -> Any:
    """Runs an operator written in Python, which knows how its results are stored."""
    use = custom.use(attrs)
    stypes = use.store([item.stype for item in inputs])
    dense: Any = invoke(custom.bound(op, use), inputs, attrs, NDArray)
    results = dense if isinstance(dense, list) else [dense]
    for position, (array, stype) in enumerate(zip(results, stypes, strict=True)):
        if stype != "default":
            results[position] = from_tensor(array._plain, array._ctx).tostype(stype)
            if array._node is not None:
                results[position]._join(array._node, array._role.origin)
    return results if isinstance(dense, list) else results[0]


def _map(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Applies the kernel to the elements that are stored, unless others would not stay zero."""
    if op.traits.storage.on_stored != "always" and not keeps_zero(op, attrs):
        return None
    array = inputs[0]
    result = kernel_of(op)(array._parts[0], **attrs)
    return like(array, result.clone() if result is array._parts[0] else result)


def _map_matrix(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Applies the kernel to the elements of a csr array, if others stay zero."""
    array = inputs[0]
    if not isinstance(array, CSRNDArray) or not keeps_zero(op, attrs):
        return None
    return like(array, kernel_of(op)(array._parts[0], **attrs))


def _zeros_like(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    array = inputs[0]
    return array._zeros(array._shape, array._parts[0].dtype, array._ctx.results)  # type: ignore[no-any-return]


def _identity_like(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    """Copies an array to the storage type of another one."""
    array, other = inputs
    if array.stype not in ("default", other.stype):
        array = array.tostype("default")
    return array.tostype(other.stype)  # type: ignore[no-any-return]


def _combine(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Adds, subtracts or multiplies two arrays of one storage type."""
    del attrs
    first, second = inputs
    if type(first) is not type(second):
        return None
    if first._shape != second._shape or first._parts[0].dtype is not second._parts[0].dtype:
        return None
    if isinstance(first, RowSparseNDArray):
        rows = kernels.combine_rows(kernel_of(op), first._rows(), second._rows())
        return RowSparseNDArray._of_parts(rows, first._shape, first._ctx.results)
    return _combine_matrices(op, first, second)


def _combine_matrices(op: Op, first: CSRNDArray, second: CSRNDArray) -> NDArray:
    width = first._shape[1]
    sides = []
    for data, indices, indptr in (first._matrix(), second._matrix()):
        place = kernels.row_numbers(indptr) * width + indices
        sides.append((data, place))
    data, place = kernels.combine_rows(kernel_of(op), *sides)
    kept = data != 0
    data, place = data[kept], place[kept]
    indptr = kernels.pointers(place // width, first._shape[0])
    return CSRNDArray._of_parts((data, place % width, indptr), first._shape, first._ctx.results)


def _multiply(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Multiplies two arrays of one storage type, or a sparse array by a dense one."""
    first, second = inputs
    alike = type(first) is type(second)
    return _combine(op, inputs, attrs) if alike else _scale(inputs)


def _scale(inputs: Sequence[Any]) -> NDArray | None:
    """Multiplies the stored elements by those of a dense array of the same shape."""
    array, dense = inputs if isinstance(inputs[0], BaseSparseNDArray) else inputs[::-1]
    other = dense._plain
    if isinstance(dense, BaseSparseNDArray):
        return None
    if array._shape != tuple(other.shape) or array._parts[0].dtype is not other.dtype:
        return None
    if isinstance(array, RowSparseNDArray):
        return like(array, array._parts[0] * other.index_select(0, array._parts[1]))
    return like(array, array._parts[0] * other[_places(array)])


def _divide_stored(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    """Divides the rows that are stored by those of another array."""
    array, other = inputs
    if not isinstance(array, RowSparseNDArray) or array._shape != other.shape:
        return None
    rows = other._plain.index_select(0, array._parts[1])
    return like(array, kernel_of(op)(array._parts[0], rows))


def _broadcast(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    """Multiplies or divides the elements of a csr array by a dense one that broadcasts."""
    array, dense = inputs
    if not isinstance(array, CSRNDArray) or isinstance(dense, BaseSparseNDArray):
        return None
    other = dense._plain
    if other.dtype is not array._parts[0].dtype or other.ndim > 2:
        return None
    try:
        other = other.expand(array._shape)
    except RuntimeError as error:
        raise ShapeMismatchError(
            f"{op.name}: {tuple(dense.shape)} does not broadcast to {array._shape}"
        ) from error
    return like(array, kernel_of(op)(array._parts[0], other[_places(array)]))


def _places(array: CSRNDArray) -> tuple[Tensor, Tensor]:
    return kernels.row_numbers(array._parts[2]), array._parts[1]


def _add_n(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    first = inputs[0]
    if not all(isinstance(item, RowSparseNDArray) for item in inputs):
        return None
    if any(item._shape != first._shape or item.dtype != first.dtype for item in inputs):
        return None
    rows = kernels.merge_rows([item._rows() for item in inputs])
    return RowSparseNDArray._of_parts(rows, first._shape, first._ctx.results)


def _dot(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Multiplies matrices of which one is a csr array."""
    left, right = inputs
    stype = of_product((left.stype, right.stype), attrs)
    result: NDArray
    if isinstance(left, CSRNDArray):
        result = _matrix_product(left, right, attrs, stype)
    else:
        result = invoke(op, inputs, attrs, NDArray)  # type: ignore[assignment]
    return result if result.stype == stype else result.tostype(stype)


def _matrix_product(left: CSRNDArray, right: NDArray, attrs: Attrs, stype: str) -> NDArray:
    """Multiplies a csr array by another one; gives `stype` where that saves memory."""
    dense = right._read()
    if dense.ndim != 2 or left._parts[0].dtype is not dense.dtype:
        raise MXNetError(
            f"dot: expected a matrix of dtype {left._parts[0].dtype} beside a csr array, "
            f"got shape {tuple(dense.shape)} {dense.dtype}"
        )
    if attrs.get("transpose_b"):
        dense = dense.t()
    rows, columns = left._shape
    transposed = bool(attrs.get("transpose_a"))
    if dense.shape[0] != (rows if transposed else columns):
        raise MXNetError(f"dot: shapes {left._shape} and {tuple(right.shape)} do not fit")
    if transposed and stype == "row_sparse" and not dense.requires_grad:
        parts = kernels.multiply_transposed(left._matrix(), dense)
        shape = (columns, dense.shape[1])
        return RowSparseNDArray._of_parts(parts, shape, left._ctx.results)
    if transposed:
        args = (dense, left._matrix(), columns)
        product = kernels.TransposedProduct.apply(*args)  # type: ignore[no-untyped-call]
    else:
        product = kernels.MatrixProduct.apply(dense, left._matrix(), rows)  # type: ignore[no-untyped-call]
    return NDArray._wrap_recorded(product, left._ctx.results, None)


def _sum(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Sums up the elements of a csr array."""
    return _reduce(op, inputs, attrs, average=False)


def _mean(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Averages the elements of a csr array."""
    return _reduce(op, inputs, attrs, average=True)


def _reduce(op: Op, inputs: Sequence[Any], attrs: Attrs, *, average: bool) -> NDArray | None:
    """Sums up or averages the elements of a csr array, all or along an axis."""
    array = inputs[0]
    axis = attrs.get("axis")
    axes = (axis,) if isinstance(axis, int) else tuple(axis or ())
    if not isinstance(array, CSRNDArray) or attrs.get("exclude") or len(axes) > 1:
        return None
    if axes and not -2 <= axes[0] < 2:
        return None  # the kernel tells what is wrong
    data, indices, indptr = array._matrix()
    if not axes:
        total = kernel_of(op)(data)
        if average and not data.is_floating_point():  # integers stay integers
            total = (data.sum() / array.size).to(data.dtype).view(total.shape)
        elif average:
            total = total * (len(data) / array.size) if len(data) else torch.zeros_like(total)
        return None if attrs.get("keepdims") else from_tensor(total, array._ctx.results)
    along = axes[0] % 2
    place = indices if along == 0 else kernels.row_numbers(indptr)
    total = data.new_zeros(array._shape[1 - along]).index_add_(0, place, data)
    if average:  # integers stay integers
        total = (total / array._shape[along]).to(data.dtype)
    return from_tensor(
        total.unsqueeze(along) if attrs.get("keepdims") else total, array._ctx.results
    )


def _square_sum(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Sums the squares of each row that is stored."""
    array = inputs[0]
    if attrs.get("axis") not in (1, (1,)) or not attrs.get("keepdims") or array.stype == "csr":
        return None
    data, places = array._rows()
    shape = (array._shape[0], 1)
    parts = (kernel_of(op)(data, **attrs), places)
    return RowSparseNDArray._of_parts(parts, shape, array._ctx.results)


def _norm(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Computes the norm of all elements from those that are stored."""
    array = inputs[0]
    if attrs.get("axis") is not None or attrs.get("keepdims"):
        return None
    return from_tensor(kernel_of(op)(array._parts[0].reshape(-1), **attrs), array._ctx.results)


def _concat(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:  # noqa: ARG001
    if attrs.get("dim", 1) != 0 or not all(isinstance(item, CSRNDArray) for item in inputs):
        return None
    if len({(item._shape[1], item.dtype) for item in inputs}) != 1:
        return None
    parts = kernels.stack_matrices([item._matrix() for item in inputs])
    shape = (sum(item._shape[0] for item in inputs), inputs[0]._shape[1])
    return CSRNDArray._of_parts(parts, shape, inputs[0]._ctx.results)


def _slice(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    array = inputs[0]
    if not isinstance(array, CSRNDArray) or not has_no_steps(attrs):
        return None
    if len(attrs["begin"]) == 1:
        begin, end, _ = slice(attrs["begin"][0], attrs["end"][0]).indices(array._shape[0])
        return array._slice(begin, max(begin, end))
    return invoke(op, inputs, attrs, NDArray).tostype("csr")  # type: ignore[union-attr]


def _take(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Takes rows of a csr array."""
    array, indices = inputs
    if not isinstance(array, CSRNDArray) or attrs.get("axis", 0) != 0 or indices.ndim != 1:
        return None
    rows = torch.arange(array._shape[0]).to(array._parts[1])
    places = kernel_of(op)(rows, indices._plain, **attrs)
    parts = kernels.pick_matrix_rows(array._matrix(), places)
    return CSRNDArray._of_parts(parts, (len(places), array._shape[1]), array._ctx.results)


def _embedding(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Looks vectors up in a table of which some rows are stored."""
    data, weight = inputs
    if not isinstance(weight, RowSparseNDArray):
        return None
    check_positions(op.name, data._plain, attrs["input_dim"])
    if weight._has_all_rows():
        return None
    expected = (attrs["input_dim"], attrs["output_dim"])
    if weight._shape != expected:
        raise MXNetError(f"{op.name}: expected a weight of shape {expected}, got {weight._shape}")
    index = data._plain.long()
    vectors = kernels.pick_rows(weight._rows(), index.view(-1))[0]
    return from_tensor(vectors.view(*index.shape, expected[1]), weight._ctx.results)


def _update_rows(op: Op, inputs: Sequence[Any], attrs: Attrs) -> NDArray | None:
    """Makes a step of an optimizer with the rows that a gradient has, if it is to be lazy."""
    weight, grad, *states = inputs
    if not isinstance(grad, RowSparseNDArray) or weight.shape != grad._shape:
        return None
    has_rows = isinstance(weight, RowSparseNDArray)
    if any(isinstance(state, BaseSparseNDArray) is not has_rows for state in states):
        return None  # the original has no such kernel, and updates all rows
    if not attrs.get("lazy_update", has_rows or "lazy_update" in op.attrs):
        return None
    with _written_back(op, inputs) as (_, _, *arrays):
        return _step_of_rows(op, weight, grad, arrays, attrs)


def _step_of_rows(
    op: Op, weight: NDArray, grad: RowSparseNDArray, states: Sequence[NDArray], attrs: Attrs
) -> NDArray:
    data, places = grad._rows()
    whole = [state._writable() for state in states]
    parts = [tensor.index_select(0, places) for tensor in whole]
    updated = kernel_of(op)(weight._plain.index_select(0, places), data, *parts, **attrs)
    for tensor, part in zip(whole, parts, strict=True):
        tensor.index_copy_(0, places, part)
    result = weight._plain.clone().index_copy_(0, places, updated)
    if not isinstance(weight, RowSparseNDArray):
        return from_tensor(result, weight._ctx.results)
    every = torch.arange(len(result), device=result.device)
    return RowSparseNDArray._of_parts((result, every), weight._shape, weight._ctx.results)


_ALGORITHMS: dict[SparseAlgorithm, Algorithm] = {
    "broadcast": _broadcast, "combine": _combine, "concat": _concat, "convert": _identity_like,
    "count_stored": count_stored, "divide_stored": _divide_stored, "find_edges": find_edges,
    "lazy_update": _update_rows, "lookup": _embedding, "map_matrix": _map_matrix,
    "matrix_product": _dot, "mean": _mean, "merge_rows": _add_n, "multiply": _multiply,
    "norm": _norm, "slice": _slice, "square_sum": _square_sum, "sum": _sum, "take": _take,
    "zeros": _zeros_like,
}  # fmt: skip
BaseSparseNDArray._override = staticmethod(run)

"""Operators that read or write elements by index, and those on padded batches of sequences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import prod
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import AttributeValueError, ExecutionError, MXNetError
from mxnet.ops.core.allocation import check_like, check_size
from mxnet.ops.core.attrs import Count, DType, Number, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_element, as_positions, clip_positions
from mxnet.ops.core.traits import (
    EXACT_SHAPES,
    NAMED,
    NAMED_INPUTS,
    Attrs,
    Shapes,
    Storage,
    Traits,
    Types,
)
from mxnet.ops.rules import drawing, flops, quantizing, shape_rules, storage_types


def _check_in_range(index: Tensor, size: int) -> None:
    """Refuses positions outside `[0, size)` on devices where torch would abort instead."""
    if index.device.type in ("cpu", "meta"):
        return
    if bool(((index < 0) | (index >= size)).any()):
        raise ExecutionError(f"take: expected indices between 0 and {size - 1}, got others")


@op(
    "take",
    aliases=("_npi_take",),
    any_dtype=("indices",),
    traits=Traits(
        storage=Storage(
            result=storage_types.only("csr", lambda attrs: attrs.get("axis", 0) == 0),
            algorithm="take",
        ),
        flops=flops.nothing,
    ),
)
def take(
    a: Tensor, indices: Tensor, *, axis: int = 0, mode: Literal["clip", "raise", "wrap"] = "clip"
) -> Tensor:
    """Picks slices along an axis.

    Args:
        a: Source array.
        indices: Positions along the axis, of any shape; fractions are cut off.
        axis: Axis to pick from; the shape of `indices` takes its place in the result.
        mode: What to do with a position outside the axis: use the nearest one ("clip"), count
            around the axis ("wrap") or fail ("raise").

    Example:
        >>> import mxnet as mx
        >>> matrix = mx.nd.array([[1, 2], [3, 4], [5, 6]])
        >>> print(mx.nd.take(matrix, mx.nd.array([2, 0])).asnumpy())
        [[5. 6.]
         [1. 2.]]
    """
    size = a.shape[axis]
    if mode == "clip":
        index = clip_positions(indices, size)
    else:
        index = as_positions(indices)
        if mode == "wrap" and not size:  # there is nothing around which to count
            axis %= a.ndim
            return a.new_zeros(a.shape[:axis] + index.shape + a.shape[axis + 1 :])
        if mode == "wrap":
            index = index.remainder(size)
        else:
            _check_in_range(index, size)
    if axis < 0:
        axis += a.ndim
    flat = index if index.ndim == 1 else index.reshape(-1)
    try:
        picked = a.index_select(axis, flat)
    except RuntimeError as error:  # torch raises an IndexError for the first axis alone
        if mode != "raise":
            raise
        raise ExecutionError(f"take: expected indices between 0 and {size - 1}: {error}") from error
    if index.ndim == 1:
        return picked
    return picked.reshape(a.shape[:axis] + index.shape + a.shape[axis + 1 :])


@op("batch_take", any_dtype=("indices",))
def batch_take(a: Tensor, indices: Tensor) -> Tensor:
    """Picks one element of each row, ``out[i] = a[i, indices[i]]``.

    Args:
        a: Rows along the last axis.
        indices: One position for each row; one outside the row means the nearest.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.batch_take(mx.nd.array([[1, 2], [3, 4]]), mx.nd.array([1, 0])).asnumpy())
        [2. 3.]
    """
    size = a.shape[-1]
    if indices.numel() * size != a.numel():
        raise MXNetError(
            f"batch_take: expected one index for each row of {tuple(a.shape)}, "
            f"got {tuple(indices.shape)}"
        )
    index = clip_positions(indices, size).reshape(-1, 1)
    return a.reshape(-1, size).gather(1, index).reshape(indices.shape)


def _coordinates(op_name: str, indices: Tensor, rank: int) -> tuple[Tensor, ...]:
    """Splits an index array of shape `(axes, ...)` into one array for each axis."""
    if indices.ndim < 2:
        raise MXNetError(
            f"{op_name}: expected indices of at least 2 axes, got {tuple(indices.shape)}"
        )
    if indices.shape[0] > rank:
        raise MXNetError(
            f"{op_name}: expected at most {rank} rows of indices, got {indices.shape[0]}"
        )
    return as_positions(indices).unbind(0)


@op(
    "gather_nd",
    aliases=("_npi_gather_nd", "_npx_gather_nd"),
    any_dtype=("indices",),
    traits=Traits(flops=flops.nothing),
)
def gather_nd(data: Tensor, indices: Tensor) -> Tensor:
    """Picks elements or slices by their coordinates.

    Args:
        data: Source array.
        indices: Coordinates of shape `(axes, ...)`: row `i` has positions along axis `i` of
            `data`; negative ones count from the end. Axes without a row are taken whole.

    Example:
        >>> import mxnet as mx
        >>> data = mx.nd.array([[0, 1], [2, 3]])
        >>> print(mx.nd.gather_nd(data, mx.nd.array([[1, 1, 0], [0, 1, 0]])).asnumpy())
        [2. 3. 0.]
    """
    return data[_coordinates("gather_nd", indices, data.ndim)]


def _check_updates(op_name: str, updates: Tensor, indices: Tensor, shape: Shape) -> None:
    expected = tuple(indices.shape[1:]) + tuple(shape[indices.shape[0] :])
    if tuple(updates.shape) != expected:
        raise MXNetError(
            f"{op_name}: expected values of shape {expected}, got {tuple(updates.shape)}"
        )


@op(
    "scatter_nd",
    any_dtype=("indices",),
    traits=Traits(shapes=Shapes(early=shape_rules.in_attribute)),
)
def scatter_nd(data: Tensor, indices: Tensor, *, shape: Shape) -> Tensor:
    """Writes elements or slices into an array of zeros by their coordinates.

    Args:
        data: Values to write.
        indices: Coordinates of shape `(axes, ...)`, as `gather_nd` takes them; of values for the
            same place one is kept.
        shape: Shape of the result.

    Example:
        >>> import mxnet as mx
        >>> places = mx.nd.array([[0, 1], [1, 0]])
        >>> print(mx.nd.scatter_nd(mx.nd.array([5, 6]), places, shape=(2, 2)).asnumpy())
        [[0. 5.]
         [6. 0.]]
    """
    coordinates = _coordinates("scatter_nd", indices, len(shape))
    _check_updates("scatter_nd", data, indices, shape)
    check_like("scatter_nd", shape, data)
    return data.new_zeros(shape).index_put(coordinates, data)


@op("_backward_gather_nd", any_dtype=("indices",))
def add_nd(data: Tensor, indices: Tensor, *, shape: Shape) -> Tensor:
    """Adds elements or slices up by their coordinates in an array of zeros.

    Args:
        data: Values to add.
        indices: Coordinates of shape `(axes, ...)`, as `gather_nd` takes them; values for the
            same place are added.
        shape: Shape of the result.
    """
    coordinates = _coordinates("_backward_gather_nd", indices, len(shape))
    _check_updates("_backward_gather_nd", data, indices, shape)
    check_like("_backward_gather_nd", shape, data)
    return data.new_zeros(shape).index_put(coordinates, data, accumulate=True)


@op("_scatter_set_nd", aliases=("_npi_scatter_set_nd",), any_dtype=("indices",))
def scatter_set_nd(lhs: Tensor, rhs: Tensor, indices: Tensor, *, shape: Shape) -> Tensor:
    """Returns an array with elements or slices replaced by their coordinates.

    Args:
        lhs: Array whose other elements are kept.
        rhs: Values to write.
        indices: Coordinates of shape `(axes, ...)`, as `gather_nd` takes them.
        shape: Shape of `lhs`.
    """
    if tuple(lhs.shape) != shape:
        raise MXNetError(
            f"_scatter_set_nd: expected an array of shape {shape}, got {tuple(lhs.shape)}"
        )
    coordinates = _coordinates("_scatter_set_nd", indices, lhs.ndim)
    _check_updates("_scatter_set_nd", rhs, indices, shape)
    return lhs.index_put(coordinates, rhs)


_MANY_HITS = 1 << 13
"""From here on it costs less to write the few that are the same than to compare all."""


@op("one_hot", aliases=("_npx_one_hot",), differentiable=False, traits=Traits(labels=NAMED_INPUTS))
def one_hot(
    indices: Tensor,
    *,
    depth: int,
    on_value: Number = 1.0,
    off_value: Number = 0.0,
    dtype: DType = torch.float32,
) -> Tensor:
    """Writes each index as a vector with one element switched on.

    Args:
        indices: Positions to switch on, of any shape; one outside the vector switches none.
        depth: Length of the vectors.
        on_value: Value of the element at the index.
        off_value: Value of the others.
        dtype: Type of the result.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.one_hot(mx.nd.array([1, 0]), depth=3).asnumpy())
        [[0. 1. 0.]
         [1. 0. 0.]]
    """
    if depth < 0:
        raise MXNetError(f"one_hot: expected depth of at least 0, got {depth}")
    check_size("one_hot", (*indices.shape, depth), dtype, indices.device)
    index = as_positions(indices)
    on, off = as_element(on_value, dtype), as_element(off_value, dtype)
    if index.numel() * depth < _MANY_HITS:
        hit = index.unsqueeze(-1) == torch.arange(depth, device=index.device)
        return _switched(hit, on, off, dtype)
    inside = index.clamp(0, depth - 1)
    values = _switched(inside == index, on, off, dtype)
    result = torch.full((*index.shape, depth), off, dtype=dtype, device=index.device)
    return result.scatter_(-1, inside.unsqueeze(-1), values.unsqueeze(-1))


def _switched(hit: Tensor, on: float, off: float, dtype: torch.dtype) -> Tensor:
    if on == 1 and off == 0:
        return hit.to(dtype)
    return torch.full_like(hit, off, dtype=dtype).masked_fill_(hit, on)


@op("_onehot_encode", differentiable=False)
def onehot_encode(lhs: Tensor, rhs: Tensor) -> Tensor:
    """Writes each index as a vector with a one, in the shape of another array.

    Args:
        lhs: Positions of shape `(batch,)`.
        rhs: Array of shape `(batch, depth)`, of which only shape and type are used.
    """
    if lhs.ndim != 1 or rhs.ndim != 2 or len(lhs) != len(rhs):
        raise MXNetError(
            "_onehot_encode: expected shapes (batch,) and (batch, depth), "
            f"got {tuple(lhs.shape)} and {tuple(rhs.shape)}"
        )
    encoded: Tensor = one_hot(lhs, depth=rhs.shape[1], dtype=rhs.dtype)
    return encoded


def spread_condition(condition: Tensor, shape: Sequence[int]) -> Tensor:
    """Reshapes a condition to what it chooses from.

    In row-major order, each element of the condition covers a run of consecutive elements; all
    runs have the same length.
    """
    length = prod(shape) // max(condition.numel(), 1)
    return condition.reshape(-1, 1).expand(-1, length).reshape(shape)


def _choose(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    if condition.shape != x.shape:
        condition = spread_condition(condition, x.shape)
    return torch.where(condition if condition.dtype is torch.bool else condition != 0, x, y)


def _check_choices(x: Tensor, y: Tensor) -> None:
    if x.shape != y.shape:
        raise MXNetError(
            f"where: expected x and y of one shape, got {tuple(x.shape)} and {tuple(y.shape)}"
        )


def _where_in_graphs(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Computes `where`; in graphs a condition of several axes need not have the shape of `x`."""
    _check_choices(x, y)
    if condition.shape != x.shape:
        count = condition.numel()
        fits = len(condition) == len(x) if condition.ndim == 1 else condition.ndim > 1
        if not fits or count == 0 or x.numel() % count:
            raise MXNetError(
                f"where: expected a condition of shape {tuple(x.shape)}, ({len(x)},) or a part of "
                f"the {x.numel()} elements, got {tuple(condition.shape)}"
            )
    return _choose(condition, x, y)


@op(
    "where",
    any_dtype=("condition",),
    traits=Traits(
        shapes=Shapes(same=("x", "y"), ready=shape_rules.has_condition),
        role="selection",
        storage=Storage(gradient=storage_types.of_choice_gradient),
        in_graphs=_where_in_graphs,
    ),
)
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Picks from `x` where the condition is not zero and from `y` elsewhere.

    Args:
        condition: Array of the shape of `x`, or a vector with one entry for each row of it. In
            graphs it may have other axes too; each entry is for as many elements of `x`, in order.
        x: Values where the condition holds.
        y: Values where it does not, of the same shape.

    Example:
        >>> import mxnet as mx
        >>> condition = mx.nd.array([1, 0, 1])
        >>> print(mx.nd.where(condition, mx.nd.array([1, 2, 3]), mx.nd.array([7, 8, 9])).asnumpy())
        [1. 8. 3.]
    """
    _check_choices(x, y)
    if condition.shape != x.shape and (condition.ndim != 1 or len(condition) != len(x)):
        raise MXNetError(
            f"where: expected a condition of shape {tuple(x.shape)} or ({len(x)},), "
            f"got {tuple(condition.shape)}"
        )
    return _choose(condition, x, y)


@op(
    "_contrib_boolean_mask",
    aliases=("_npi_boolean_mask",),
    any_dtype=("index",),
    traits=Traits(shapes=Shapes(of_values=True)),
)
def boolean_mask(data: Tensor, index: Tensor, *, axis: int = 0) -> Tensor:
    """Keeps the rows whose entry in a mask is not zero.

    Args:
        data: Source array.
        index: Mask, a vector with one entry for each row.
        axis: Must be 0.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4], [5, 6]])
        >>> print(mx.nd.contrib.boolean_mask(x, mx.nd.array([1, 0, 1])).asnumpy())
        [[1. 2.]
         [5. 6.]]
    """
    if axis != 0:
        raise MXNetError(f"_contrib_boolean_mask: expected axis 0, got {axis}")
    if index.ndim != 1 or len(index) != len(data):
        raise MXNetError(
            f"_contrib_boolean_mask: expected a mask of shape ({len(data)},), "
            f"got {tuple(index.shape)}"
        )
    return data[index != 0]


def _fill_embedding(
    _data: Shape, *, input_dim: int, output_dim: int, **_: object
) -> dict[str, Shape]:
    return {"weight": (input_dim, output_dim)}


def _gradient_of_rows(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    return "row_sparse" if position == 1 and attrs.get("sparse_grad") else "default"


def _always_of_rows(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    return "row_sparse" if position == 1 else "default"


_EMBEDDING = Traits(
    shapes=EXACT_SHAPES,
    types=Types(dtype_input="weight"),
    storage=Storage(gradient=_gradient_of_rows, algorithm="lookup"),
    drawing=drawing.EMBEDDING,
    flops=flops.nothing,
)


def _can_add_rows(weight: Tensor) -> bool:
    """Returns whether sparse gradients can be added up, as those of several uses of a table.

    A CPU cannot do that in half precision.
    """
    return not (weight.is_cpu and weight.dtype is torch.float16)


@op(
    "Embedding",
    aliases=("_npx_embedding",),
    any_dtype=("data",),
    fill_shapes=_fill_embedding,
    traits=replace(_EMBEDDING, quantization=quantizing.EMBEDDING),
)
def embedding(
    data: Tensor,
    weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: DType = torch.float32,
    sparse_grad: bool = False,
) -> Tensor:
    """Looks up a vector for each index.

    Args:
        data: Indices of any shape; one outside the table means its nearest row.
        weight: Table of shape `(input_dim, output_dim)`.
        input_dim: Number of rows of the table.
        output_dim: Length of a vector.
        dtype: Type of the table, where it is yet to be made.
        sparse_grad: Whether the gradient of the table is to hold the rows in use alone; it does
            where the table is a variable.

    Example:
        >>> import mxnet as mx
        >>> indices, vectors = mx.nd.array([2, 1]), mx.nd.array([[0, 0], [1, 1], [2, 2]])
        >>> print(mx.nd.Embedding(indices, vectors, input_dim=3, output_dim=2).asnumpy())
        [[2. 2.]
         [1. 1.]]
    """
    if tuple(weight.shape) != (input_dim, output_dim):
        raise MXNetError(
            f"Embedding: expected a weight of shape {(input_dim, output_dim)}, "
            f"got {tuple(weight.shape)}"
        )
    # What computed a table that is no leaf could not go on with a sparse gradient.
    of_rows = sparse_grad and weight.is_leaf
    sparse = of_rows and _can_add_rows(weight)
    if type(data) is not Tensor or not data.is_cpu or torch.compiler.is_compiling():
        return F.embedding(clip_positions(data, input_dim), weight, sparse=sparse)
    try:  # a processor compares each index with the size of the table by itself
        return F.embedding(data.long(), weight, sparse=sparse)
    except IndexError:
        vectors = F.embedding(clip_positions(data, input_dim), weight, sparse=sparse)
    if of_rows and vectors.requires_grad:
        vectors.register_hook(lambda _: check_positions("Embedding", data, input_dim))  # type: ignore[no-untyped-call]
    return vectors


@op(
    "_contrib_SparseEmbedding",
    any_dtype=("data",),
    fill_shapes=_fill_embedding,
    traits=replace(_EMBEDDING, storage=replace(_EMBEDDING.storage, gradient=_always_of_rows)),
)
def sparse_embedding(
    data: Tensor,
    weight: Tensor,
    *,
    input_dim: Count,
    output_dim: Count,
    dtype: DType = torch.float32,
    deterministic: bool = False,
) -> Tensor:
    """Looks up a vector for each index; the gradient of the table is always `row_sparse`.

    Args:
        data: Indices of any shape; one outside the table means its nearest row.
        weight: Table of shape `(input_dim, output_dim)`.
        input_dim: Number of rows of the table.
        output_dim: Length of a vector.
        dtype: Type of the table, where it is yet to be made.
        deterministic: Whether gradients of a row are added up in a fixed order, which they are in
            any case.

    Example:
        >>> import mxnet as mx
        >>> table = mx.nd.array([[1, 2], [3, 4]])
        >>> x = mx.nd.contrib.SparseEmbedding(mx.nd.array([1, 0]), table, input_dim=2, output_dim=2)
        >>> print(x.asnumpy())
        [[3. 4.]
         [1. 2.]]
    """
    vectors: Tensor = embedding(
        data, weight, input_dim=input_dim, output_dim=output_dim, dtype=dtype
    )
    return vectors


def check_positions(where: str, data: Tensor, length: int) -> None:
    """Raises if an index lies outside of a table, which row_sparse ones do not clip."""
    if data.numel() and not 0 <= float(data.min()) <= float(data.max()) < length:
        raise MXNetError(
            f"{where}: expected indices from 0 to {length - 1}, got some between "
            f"{float(data.min()):g} and {float(data.max()):g}"
        )


@op("_contrib_index_copy", any_dtype=("index_vector",))
def index_copy(old_tensor: Tensor, index_vector: Tensor, new_tensor: Tensor) -> Tensor:
    """Returns an array with some rows replaced.

    Args:
        old_tensor: Array whose other rows are kept.
        index_vector: Positions of the rows to replace.
        new_tensor: New rows, one for each position.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.zeros((3, 2))
        >>> print(mx.nd.contrib.index_copy(x, mx.nd.array([2]), mx.nd.array([[1, 2]])).asnumpy())
        [[0. 0.]
         [0. 0.]
         [1. 2.]]
    """
    expected = (len(index_vector), *old_tensor.shape[1:])
    if index_vector.ndim != 1 or tuple(new_tensor.shape) != expected:
        raise MXNetError(
            f"_contrib_index_copy: expected an index vector and rows of shape {expected}, "
            f"got {tuple(index_vector.shape)} and {tuple(new_tensor.shape)}"
        )
    return old_tensor.index_copy(0, as_positions(index_vector), new_tensor)


@op("_contrib_index_array", differentiable=False, traits=Traits(shapes=Shapes(asked=("data",))))
def index_array(data: Tensor, *, axes: Shape | None = None) -> Tensor:
    """Returns the coordinates of every element, along a new last axis.

    Args:
        data: Array of which only the shape is used.
        axes: Axes whose coordinates are given, in that order; all by default. Of an array of one
            number there are none, and the result is empty.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.contrib.index_array(mx.nd.zeros((2, 2))).asnumpy().tolist())
        [[[0, 0], [0, 1]], [[1, 0], [1, 1]]]
    """
    coordinates = [
        torch.arange(data.shape[axis], device=data.device)
        .reshape((-1,) + (1,) * (data.ndim - 1 - axis % data.ndim))
        .expand(data.shape)
        for axis in (range(data.ndim) if axes is None else axes)
    ]
    if not coordinates:
        return torch.empty((*data.shape, 0), dtype=torch.int64, device=data.device)
    return torch.stack(coordinates, dim=-1)


@op("fill_element_0index")
def fill_element_0index(lhs: Tensor, mhs: Tensor, rhs: Tensor) -> Tensor:
    """Returns a matrix with one element of each row replaced, ``out[i, rhs[i]] = mhs[i]``.

    Args:
        lhs: Matrix whose other elements are kept.
        mhs: New value for each row.
        rhs: Position in each row.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.zeros((2, 3))
        >>> print(mx.nd.fill_element_0index(x, mx.nd.array([5, 6]), mx.nd.array([0, 2])).asnumpy())
        [[5. 0. 0.]
         [0. 0. 6.]]
    """
    if lhs.ndim != 2 or mhs.shape != lhs.shape[:1] or rhs.shape != lhs.shape[:1]:
        raise MXNetError(
            "fill_element_0index: expected shapes (rows, columns), (rows,) and (rows,), "
            f"got {tuple(lhs.shape)}, {tuple(mhs.shape)} and {tuple(rhs.shape)}"
        )
    return lhs.scatter(1, as_positions(rhs).unsqueeze(1), mhs.unsqueeze(1))


def _fill_sequence_length(
    data: Shape, *, use_sequence_length: bool, axis: int, **_: object
) -> dict[str, Shape]:
    return {"sequence_length": (data[1 - axis],)} if use_sequence_length else {}


def _sequence_inputs(*, use_sequence_length: bool, **_: object) -> tuple[str, ...]:
    return ("data", "sequence_length") if use_sequence_length else ("data",)


def _check(
    name: str, data: Tensor, lengths: Tensor | None, used: bool, axis: int, axes: Shape = (0, 1)
) -> Tensor | None:
    """Returns the lengths as whole numbers, or None if they are not used."""
    if axis not in axes:
        raise AttributeValueError(
            f"{name}: attribute `axis` takes {' or '.join(map(str, axes))}, got {axis}"
        )
    if data.ndim < 2:
        raise MXNetError(f"{name}: expected data of 2 or more axes, got shape {tuple(data.shape)}")
    if not used:
        return None
    batch = data.shape[1 - axis]
    if lengths is None or lengths.shape != (batch,):
        got = "none" if lengths is None else f"shape {tuple(lengths.shape)}"
        raise MXNetError(f"{name}: expected `sequence_length` of shape {(batch,)}, got {got}")
    return as_positions(lengths)


def _positions(data: Tensor, axis: int) -> Tensor:
    """Positions along the time axis, to be compared with the lengths of the batch."""
    steps = torch.arange(data.shape[axis], device=data.device)
    return steps.unsqueeze(1 - axis)


def _spread(table: Tensor, data: Tensor) -> Tensor:
    """Returns a table over the leading axes with as many axes as the data."""
    return table.reshape(*table.shape, *[1] * (data.ndim - table.ndim))


@op(
    "SequenceMask",
    aliases=("_npx_sequence_mask",),
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED, role="sequence_mask"),
)
def sequence_mask(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> Tensor:
    """Overwrites what lies beyond the end of each sequence.

    Args:
        data: Sequences of shape `(time, batch, ...)`, or `(batch, time, ...)` with `axis=1`.
        sequence_length: Length of each sequence, of shape `(batch,)`.
        use_sequence_length: Whether `sequence_length` is given; if not, nothing is changed.
        value: What to write there.
        axis: The axis of time, 0 or 1.

    Example:
        >>> import mxnet as mx
        >>> data, lengths = mx.nd.ones((3, 2)), mx.nd.array([1, 2])
        >>> print(mx.nd.SequenceMask(data, lengths, use_sequence_length=True).asnumpy())
        [[1. 1.]
         [0. 1.]
         [0. 0.]]
    """
    lengths = _check("SequenceMask", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data
    beyond = _positions(data, axis) >= lengths.unsqueeze(axis)
    filler = as_element(value, data.dtype)
    return data.masked_fill(_spread(beyond, data), filler)


@op(
    "SequenceLast",
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED),
)
def sequence_last(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Takes the last element of each sequence.

    Args:
        data: Sequences of shape `(time, batch, ...)`, or `(batch, time, ...)` with `axis=1`.
        sequence_length: Length of each sequence, of shape `(batch,)`; an empty one gives zeros.
        use_sequence_length: Whether `sequence_length` is given; if not, all sequences are full.
        axis: The axis of time, 0 or 1.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4], [5, 6]])
        >>> print(mx.nd.SequenceLast(x, mx.nd.array([3, 2]), use_sequence_length=True).asnumpy())
        [5. 4.]
    """
    lengths = _check("SequenceLast", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data.select(axis, -1)
    last = (lengths - 1).clamp(0, data.shape[axis] - 1)
    rows = torch.arange(data.shape[1 - axis], device=data.device)
    picked = data[last, rows] if axis == 0 else data[rows, last]
    return picked.masked_fill(_spread(lengths <= 0, picked), 0)


@op(
    "SequenceReverse",
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED),
)
def sequence_reverse(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Reverses each sequence and leaves the padding behind it in place.

    Args:
        data: Sequences of shape `(time, batch, ...)`.
        sequence_length: Length of each sequence, of shape `(batch,)`.
        use_sequence_length: Whether `sequence_length` is given; if not, all sequences are full.
        axis: The axis of time; only 0 is supported.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([[1, 2], [3, 4], [5, 6]])
        >>> print(mx.nd.SequenceReverse(x, mx.nd.array([3, 2]), use_sequence_length=True).asnumpy())
        [[5. 4.]
         [3. 2.]
         [1. 6.]]
    """
    lengths = _check("SequenceReverse", data, sequence_length, use_sequence_length, axis, (0,))
    if lengths is None:
        return data.flip(0)
    steps = _positions(data, axis)
    lengths = lengths.clamp(max=data.shape[0])
    source = torch.where(steps < lengths, lengths - 1 - steps, steps)
    return data[source, torch.arange(data.shape[1], device=data.device)]

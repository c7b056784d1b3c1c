"""Sorting, the largest elements, histograms and flat indices."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Literal, TypeAlias

import torch
from torch import Tensor
from torch.compiler import is_compiling

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.allocation import check_size
from mxnet.ops.core.attrs import DType, Floats, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Dtypes, Labels, Settings, Shapes, Traits, Types
from mxnet.ops.rules import shape_rules

TopkResult: TypeAlias = Literal["both", "indices", "mask", "value"]

_INDEX_DTYPES = frozenset(
    (torch.float16, torch.float32, torch.float64, torch.int32, torch.int64, torch.uint8)
)
_STABLE_UP_TO = 16
_STABLE_ON_GPUS_UP_TO = 4096
"""Longer axes are selected from there, which is faster than to sort them."""
_HEAP_BELOW = 8
"""The original selects by a heap if at most one of so many elements is wanted."""


def _check_index_dtype(name: str, dtype: torch.dtype) -> None:
    if dtype not in _INDEX_DTYPES:
        raise AttributeValueError(
            f"{name}: attribute `dtype` takes a float, int32, int64 or uint8, got {dtype}"
        )


def _sorted(data: Tensor, axis: int | None, is_ascend: bool) -> tuple[Tensor, Tensor]:
    """Sorts with equal elements in their order; without an axis, the flattened array."""
    if axis is None:
        data, axis = data.reshape(-1), 0
    if not data.ndim:
        raise AttributeValueError("sort: expected an array of one or more axes, got a scalar")
    values, indices = torch.sort(data, dim=axis, descending=not is_ascend, stable=True)
    return values, indices


_SORTED = ("output0", "output1")
"""Files count the indices as an output of what sorts."""


@op("sort", aliases=("_npi_sort",), traits=Traits(labels=Labels(outputs=_SORTED)))
def sort(data: Tensor, *, axis: int | None = -1, is_ascend: bool = True) -> Tensor:
    """Sorts along an axis.

    Args:
        data: Array of any shape.
        axis: Axis to sort along; None sorts the flattened array.
        is_ascend: Whether the smallest element comes first.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.sort(mx.nd.array([3, 1, 2]), is_ascend=False).asnumpy())
        [3. 2. 1.]
    """
    return _sorted(data, axis, is_ascend)[0]


@op("argsort", aliases=("_npi_argsort",), differentiable=False)
def argsort(
    data: Tensor, *, axis: int | None = -1, is_ascend: bool = True, dtype: DType = torch.float32
) -> Tensor:
    """Returns the indices that sort along an axis; equal elements keep their order.

    Args:
        data: Array of any shape.
        axis: Axis to sort along; None sorts the flattened array.
        is_ascend: Whether the smallest element comes first.
        dtype: Dtype of the indices.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.argsort(mx.nd.array([[3, 1, 2]]), is_ascend=False).asnumpy())
        [[0. 2. 1.]]
    """
    _check_index_dtype("argsort", dtype)
    return _sorted(data, axis, is_ascend)[1].to(dtype)


def _extremes(data: Tensor, axis: int, k: int, is_ascend: bool) -> tuple[Tensor, Tensor]:
    """Returns the first `k` elements of the sorted axis and their indices.

    Short axes keep equal elements in their order, as the original does, and on GPUs those of some
    thousand elements, too. Of a long axis, from which a partial selection is many times faster than
    sorting, it takes equal elements as a heap yields them; on GPUs it promises no order.
    """
    size = data.shape[axis]
    stable = _STABLE_UP_TO if data.device.type == "cpu" else _STABLE_ON_GPUS_UP_TO
    if k == 1:
        values, indices = (torch.min if is_ascend else torch.max)(data, axis, keepdim=True)
        return values, indices
    selects = _HEAP_BELOW * k <= size and data.device.type == "cpu" and not is_compiling()
    if (size <= stable and not selects) or k == size:
        values, indices = _sorted(data, axis, is_ascend)
        return values.narrow(axis, 0, k), indices.narrow(axis, 0, k)
    values, indices = torch.topk(data, k + selects, axis, largest=not is_ascend)
    if not selects:
        return values, indices
    tied = (values.narrow(axis, 0, k) == values.narrow(axis, 1, k)).any(axis)
    values, indices = values.narrow(axis, 0, k), indices.narrow(axis, 0, k)
    if bool(tied.any()):
        rows, found = data.detach().movedim(axis, -1), indices.movedim(axis, -1)
        chosen = [_select(row if not is_ascend else -row.double(), k) for row in rows[tied]]
        found[tied] = torch.tensor(chosen)
        values = data.gather(axis, indices)
    return values, indices


def _select(row: Tensor, k: int) -> list[int]:
    """Returns the positions of the `k` largest as C++'s `partial_sort` orders equal ones.

    A heap of the elements found so far has at its top the one that a better element replaces. Of
    twice as many elements each time, only those are visited that are better than it was before.
    """
    keys: dict[int, float] = dict(enumerate(row[:k].tolist()))
    heap = [*range(k)]
    for hole in reversed(range(k // 2)):
        _sift(heap, keys, hole, k, heap[hole])
    worst, start = keys[heap[0]], k
    while start < len(row):
        better = torch.nonzero(row[start : 2 * start] > worst).view(-1).add_(start)
        for position, key in zip(better.tolist(), row[better].tolist(), strict=True):
            if key > worst:
                keys[position] = key
                _sift(heap, keys, 0, k, position)
                worst = keys[heap[0]]
        start *= 2
    for last in reversed(range(1, k)):
        moved, heap[last] = heap[last], heap[0]
        _sift(heap, keys, 0, last, moved)
    return heap


def _sift(heap: list[int], keys: dict[int, float], hole: int, size: int, item: int) -> None:
    """Puts an item into a hole of a heap: the hole sinks to a leaf, and the item rises from it."""
    top = hole
    while (child := 2 * hole + 2) < size:
        if keys[heap[child]] > keys[heap[child - 1]]:
            child -= 1
        heap[hole], hole = heap[child], child
    if child == size:
        heap[hole], hole = heap[child - 1], child - 1
    while hole > top and keys[heap[(hole - 1) // 2]] > keys[item]:
        heap[hole], hole = heap[(hole - 1) // 2], (hole - 1) // 2
    heap[hole] = item


def _count_topk(*, ret_typ: str, **_: object) -> int:
    return 2 if ret_typ == "both" else 1


def _topk_names(*, ret_typ: str, **_: object) -> tuple[str, ...]:
    return _SORTED if ret_typ == "value" else ()


def _topk_types(_: Sequence[str], known: Dtypes, settings: Settings) -> tuple[Dtypes, Dtypes]:
    """Returns the types of the data and of the outputs: `dtype` is that of indices alone."""
    kept = {"value": known, "mask": known, "both": (*known, settings["dtype"])}
    return known, kept.get(settings["ret_typ"], (settings["dtype"],))


@op(
    "topk",
    aliases=("_npx_topk",),
    num_outputs=_count_topk,
    traits=Traits(labels=Labels(outputs=_topk_names), types=Types(rule=_topk_types)),
)
def topk(
    data: Tensor,
    *,
    axis: int | None = -1,
    k: int = 1,
    ret_typ: TopkResult = "indices",
    is_ascend: bool = False,
    dtype: DType = torch.float32,
) -> Tensor | tuple[Tensor, Tensor]:
    """Finds the largest or smallest elements along an axis.

    Args:
        data: Array of any shape.
        axis: Axis to search; None searches the flattened array.
        k: How many elements to find; all of them, sorted, if less than 1.
        ret_typ: Whether to give indices, values, both, or a mask of the data's shape with 1 for the
            elements found.
        is_ascend: Whether to find the smallest elements.
        dtype: Dtype of the indices.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.topk(mx.nd.array([3, 1, 2]), k=2).asnumpy())
        [0. 2.]
    """
    _check_index_dtype("topk", dtype)
    flat, along = (data.reshape(-1), 0) if axis is None else (data, axis)
    size = flat.shape[along]
    if k > size:
        raise AttributeValueError(f"topk: attribute `k` takes at most {size}, got {k}")
    values, indices = _extremes(flat, along, k if k > 0 else size, is_ascend)
    if ret_typ == "mask":
        return torch.zeros_like(flat).scatter(along, indices, 1).reshape(data.shape)
    if ret_typ == "value":
        return values
    if ret_typ == "indices":
        return indices.to(dtype)
    return values, indices.to(dtype)


def _histogram_inputs(*, bin_cnt: int | None, **_: object) -> tuple[str, ...]:
    return ("data", "bins") if bin_cnt is None else ("data",)


def _given_edges(bins: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns edges, lower and upper limit."""
    if bins.ndim != 1 or bins.numel() < 2:
        raise MXNetError(
            f"_histogram: expected a vector of two bins or more, got shape {tuple(bins.shape)}"
        )
    return bins.clone(), bins[0], bins[-1]


def _even_edges(data: Tensor, count: int, limits: Floats) -> tuple[Tensor, float, float]:
    """Returns edges, lower and upper limit."""
    if count < 1:
        raise AttributeValueError(f"_histogram: attribute `bin_cnt` takes 1 or more, got {count}")
    if len(limits) != 2 or not -inf < limits[0] <= limits[1] < inf:
        raise AttributeValueError(
            f"_histogram: attribute `range` takes a lower and an upper limit, got {limits}"
        )
    check_size("_histogram", (count + 1,), torch.int64, data.device)
    low, high = limits
    if low == high:
        low, high = low - 0.5, high + 0.5
    edges = torch.linspace(low, high, count + 1, dtype=torch.float64, device=data.device)
    return edges.to(data.dtype), low, high


@op(
    "_histogram",
    aliases=("_npi_histogram",),
    active_inputs=_histogram_inputs,
    num_outputs=2,
    differentiable=False,
)
def histogram(
    data: Tensor,
    bins: Tensor | None = None,
    *,
    bin_cnt: int | None = None,
    range: Floats | None = None,
) -> tuple[Tensor, Tensor]:
    """Counts the elements that fall between consecutive edges; the last edge counts in.

    Args:
        data: Array of any shape.
        bins: Ascending edges; absent if `bin_cnt` and `range` are given.
        bin_cnt: Number of equal bins.
        range: Lower and upper limit of the equal bins.

    Example:
        >>> import mxnet as mx
        >>> counts, edges = mx.nd.histogram(mx.nd.array([0, 1, 1, 4]), bins=2, range=(0, 4))
        >>> print(counts.asnumpy(), edges.asnumpy())
        [3 1] [0. 2. 4.]
    """
    low: Tensor | float
    high: Tensor | float
    if bins is not None and bin_cnt is None and range is None:
        edges, low, high = _given_edges(bins)
    elif bins is None and bin_cnt is not None and range is not None:
        edges, low, high = _even_edges(data, bin_cnt, range)
    else:
        raise MXNetError("_histogram: expected either `bins`, or `bin_cnt` and `range`")
    inside = (data >= low) & (data <= high)
    count = edges.numel() - 1
    position = torch.searchsorted(edges.double(), data.double().reshape(-1), right=True) - 1
    counts = torch.zeros(count, dtype=torch.int64, device=data.device).scatter_add(
        0, position.clamp(0, count - 1), inside.reshape(-1).long()
    )
    return counts, edges


def _check_shape(name: str, shape: Shape | None) -> Shape:
    if not shape:
        raise AttributeValueError(f"{name}: attribute `shape` takes one axis or more, got none")
    return shape


@op(
    "_ravel_multi_index",
    aliases=("ravel_multi_index",),
    differentiable=False,
    traits=Traits(shapes=Shapes(inputs=shape_rules.from_coordinates)),
)
def ravel_multi_index(data: Tensor, *, shape: Shape | None = None) -> Tensor:
    """Converts coordinates into indices of the flattened array.

    Args:
        data: Coordinates, one column for each element.
        shape: Shape of the array; the size of its first axis does not matter.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.ravel_multi_index(mx.nd.array([[0, 1], [2, 1]]), shape=(2, 3)).asnumpy())
        [2. 4.]
    """
    shape = _check_shape("_ravel_multi_index", shape)
    if data.ndim != 2 or data.shape[0] != len(shape):
        raise MXNetError(
            f"_ravel_multi_index: expected {len(shape)} rows, got shape {tuple(data.shape)}"
        )
    coordinates = data.long()
    flat = coordinates[0]
    for row, size in enumerate(shape[1:], start=1):
        flat = flat * size + coordinates[row]
    return flat.to(data.dtype, copy=True)


@op(
    "_unravel_index",
    aliases=("unravel_index",),
    differentiable=False,
    traits=Traits(shapes=Shapes(inputs=shape_rules.to_coordinates)),
)
def unravel_index(data: Tensor, *, shape: Shape | None = None) -> Tensor:
    """Converts indices of the flattened array into coordinates, along a new first axis.

    Args:
        data: Indices.
        shape: Shape of the array; the size of its first axis does not matter.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.unravel_index(mx.nd.array([2, 4]), shape=(2, 3)).asnumpy())
        [[0. 1.]
         [2. 1.]]
    """
    rest = data.long()
    coordinates = []
    for size in reversed(_check_shape("_unravel_index", shape)[1:]):
        coordinates.append(rest.fmod(size))
        rest = rest.div(size, rounding_mode="trunc")
    return torch.stack([rest, *reversed(coordinates)]).to(data.dtype)

"""Computes nodes whose inputs are known when a model is imported, most of them shapes.

Lengths that are not known take part as objects (`lengths.py`) in the few operators that shapes are
computed by. What would make an array much larger than its inputs is left to the graph, where sizes
are limited. Every function is entered with the number of elements that it makes, which is paid for
before it runs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mxnet.errors import LimitExceededError
from mxnet.onnx._import.budget import BYTES, ELEMENTS, MOST_AXES, volume
from mxnet.onnx._import.lengths import Length, UnknownLengthError, is_open, tidy
from mxnet.onnx._import.nodes import Array, Node
from mxnet.onnx._table import PAIRS, REDUCTIONS

_MOST_NEW = 1 << 20
"""Elements that a node may make out of nothing."""
_MOST_COMPUTED = 1 << 24
"""Elements of inputs that are computed with; larger ones are left to the graph."""
_MOST_OPEN = 1 << 12
"""Elements of inputs with open lengths, which are shapes."""
_PRICE_OF_OBJECT = 64
"""How many times as long as with a number a computation with an open length takes."""
_LARGEST_ITEM = 8
"""Bytes of an element."""


class NotFoldableError(Exception):
    """Raised where a node is better left to the graph."""


Count = Callable[..., int]
Compute = Callable[..., Any]


class _Fold(NamedTuple):
    """How an operator is computed.

    Attributes:
        compute: Returns an array, or a list of the outputs.
        count: Returns how many elements that makes, without making them.
        takes_open: Whether it may be given open lengths.
    """

    compute: Compute
    count: Count
    takes_open: bool


_FOLDS: dict[str, _Fold] = {}


def _count_inputs(_: Node, *arrays: Array | None) -> int:
    """Counts the elements of the inputs, as most operators do not make more."""
    return sum(volume(array.shape) for array in arrays if array is not None)


def _count_broadcast(_: Node, *arrays: Array) -> int:
    shape = np.broadcast_shapes(*[array.shape for array in arrays])
    return _check_new(volume(shape))


def _folds(
    *op_types: str, count: Count = _count_inputs, takes_open: bool = False
) -> Callable[[Compute], Compute]:
    """Enters the decorated function for operators.

    Args:
        *op_types: Names of the operators.
        count: Returns how many elements it makes of its inputs, not more than these have by
            default; what makes more raises.
        takes_open: Whether it may be given arrays with open lengths, whose numbers must not grow
            without bound.
    """

    def register(function: Compute) -> Compute:
        _FOLDS.update(dict.fromkeys(op_types, _Fold(function, count, takes_open)))
        return function

    return register


def fold(node: Node) -> list[Array] | None:
    """Computes a node.

    Args:
        node: The node.

    Returns:
        The outputs, None if the node is left to the graph.
    """
    entry = _FOLDS.get(node.op_type)
    if entry is None or node.domain:
        return None
    arrays: list[Array | None] = []
    for value in node.inputs:
        if value is not None and value.constant is None:
            return None
        arrays.append(None if value is None else value.constant)
    try:
        count = _pay(entry, node, arrays)
        with np.errstate(all="ignore"):
            outputs = entry.compute(node, *arrays)
        outputs = outputs if isinstance(outputs, list) else [outputs]
        results = [tidy(np.asarray(output)) for output in outputs]
    except (NotFoldableError, UnknownLengthError, ArithmeticError, LookupError) as error:
        if isinstance(error, KeyError):
            raise
        return None  # the converter says what is wrong with it
    except (AttributeError, TypeError, ValueError) as error:
        if isinstance(error, LimitExceededError):
            raise
        return None
    if sum(result.size for result in results) > count:
        raise node.error("its outputs have more elements than its inputs allow")
    return results


def _pay(entry: _Fold, node: Node, arrays: Sequence[Array | None]) -> int:
    """Spends what computing a node takes, and returns how many elements it may make."""
    given = [array for array in arrays if array is not None]
    num_read, price = sum(volume(array.shape) for array in given), 1
    if any(map(is_open, given)):
        if not entry.takes_open or num_read > _MOST_OPEN:
            raise NotFoldableError
        price = _PRICE_OF_OBJECT
    if num_read > _MOST_COMPUTED:
        raise NotFoldableError
    count = entry.count(node, *arrays)
    budget, num_computed, num_bytes = node.budget, price * (num_read + count), _LARGEST_ITEM * count
    if node.op_type == "Constant":  # which nothing else can make
        budget.spend(ELEMENTS, num_computed, node.place)
        budget.spend(BYTES, num_bytes, node.place)
    elif not (budget.affords(ELEMENTS, num_computed) and budget.affords(BYTES, num_bytes)):
        raise NotFoldableError
    return count


def _check_new(count: int) -> int:
    if not 0 <= count <= _MOST_NEW:
        raise NotFoldableError
    return count


_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    **{pair.theirs: getattr(np, pair.numpy) for pair in PAIRS if pair.theirs != "Div"},
    "And": np.logical_and,
    "Or": np.logical_or,
}
_ARITHMETIC = frozenset(pair.theirs for pair in PAIRS if not pair.is_test)
_UNARY: dict[str, Callable[[Any], Any]] = {
    "Identity": np.asarray, "Abs": np.abs, "Neg": np.negative, "Floor": np.floor, "Ceil": np.ceil,
    "Sqrt": np.sqrt, "Not": np.logical_not,
}  # fmt: skip


@_folds(*_BINARY.keys() - {"Pow"}, count=_count_broadcast, takes_open=True)
@_folds("Pow", count=_count_broadcast)
def _binary(node: Node, one: Array, other: Array) -> Array:
    result = _BINARY[node.op_type](one, other)
    return np.asarray(result) if node.op_type in _ARITHMETIC else result.astype(bool)


@_folds(*_UNARY, takes_open=True)
def _unary(node: Node, array: Array) -> Array:
    return np.asarray(_UNARY[node.op_type](array))


@_folds("Div", count=_count_broadcast, takes_open=True)
def _divide(_: Node, one: Array, other: Array) -> Array:
    if is_open(one) or is_open(other):
        return np.asarray(np.floor_divide(one, other))
    if one.dtype.kind in "iu":  # towards zero
        if not np.all(other):
            raise NotFoldableError
        quotient = np.sign(one) * np.sign(other) * (abs(one) // abs(other))
        return np.asarray(quotient.astype(one.dtype))
    return np.asarray(np.divide(one, other))


@_folds("Mod", count=_count_broadcast, takes_open=True)
def _modulo(node: Node, one: Array, other: Array) -> Array:
    if not np.all(other):
        raise NotFoldableError
    return np.asarray(np.fmod(one, other) if node.get("fmod", 0) else np.mod(one, other))


def _count_extreme(node: Node, *arrays: Array) -> int:
    """Counts a result for each input, as one after the other is compared."""
    return _count_broadcast(node, *arrays) * len(arrays)


@_folds("Min", "Max", count=_count_extreme, takes_open=True)
def _extreme(node: Node, *arrays: Array) -> Array:
    function: Any = np.minimum if node.op_type == "Min" else np.maximum
    result = arrays[0]
    for array in arrays[1:]:
        result = function(result, array)
    return result


@_folds("Size", count=lambda *_: 1, takes_open=True)
def _size(_: Node, array: Array) -> Array:
    return np.array(array.size, np.int64)


@_folds("Cast", takes_open=True)
def _cast(node: Node, array: Array) -> Array:
    dtype = node.importer.numpy_dtype(node.get("to", 1), node)
    if is_open(array):
        if dtype.kind not in "iu":
            raise NotFoldableError
        return array
    return array.astype(dtype)


@_folds("CastLike")
def _cast_like(_: Node, array: Array, target: Array) -> Array:
    if is_open(array):
        raise NotFoldableError
    return array.astype(target.dtype)


@_folds("Constant", count=lambda node: sum(map(np.size, node.attrs.values())))
def _constant(node: Node) -> Array:
    for kind, dtype in (("int", np.int64), ("float", np.float32)):
        for name in (f"value_{kind}", f"value_{kind}s"):
            if name in node.attrs:
                return np.array(node.attrs[name], dtype)
    if isinstance(node.attrs.get("value"), np.ndarray):
        return np.asarray(node.attrs["value"])
    raise NotFoldableError


def _count_shape(_: Node, shape: Array) -> int:
    return _check_new(volume(_sizes(shape)))


@_folds("ConstantOfShape", count=_count_shape)
def _constant_of_shape(node: Node, shape: Array) -> Array:
    value = node.attrs.get("value", np.zeros(1, np.float32))
    return np.full(_sizes(shape), value.reshape(-1)[0], value.dtype)


def _count_range(_: Node, start: Array, limit: Array, delta: Array) -> int:
    return _check_new(max(0, math.ceil((limit.item() - start.item()) / delta.item())))


@_folds("Range", count=_count_range)
def _range(_: Node, start: Array, limit: Array, delta: Array) -> Array:
    return np.arange(start.item(), limit.item(), delta.item(), dtype=start.dtype)


def _sizes(shape: Array) -> tuple[int, ...]:
    if shape.size > MOST_AXES or is_open(shape) or np.any(shape < 0):
        raise NotFoldableError
    return tuple(int(length) for length in shape.ravel())


@_folds("Concat", takes_open=True)
def _concat(node: Node, *arrays: Array) -> Array:
    return np.concatenate(arrays, axis=node.get("axis", 0))


def _count_gathered(node: Node, array: Array, indices: Array) -> int:
    length = max(array.shape[node.get("axis", 0)], 1)
    return _check_new(volume(indices.shape) * volume(array.shape) // length)


@_folds("Gather", count=_count_gathered, takes_open=True)
def _gather(node: Node, array: Array, indices: Array) -> Array:
    return np.asarray(np.take(array, indices.astype(np.int64), axis=node.get("axis", 0)))


@_folds("Squeeze", takes_open=True)
def _squeeze(node: Node, array: Array, axes: Array | None = None) -> Array:
    chosen = node.ints("axes") if axes is None else [int(axis) for axis in axes]
    return np.squeeze(array, axis=None if chosen is None else tuple(chosen))


@_folds("Unsqueeze", takes_open=True)
def _unsqueeze(node: Node, array: Array, axes: Array | None = None) -> Array:
    chosen = node.ints("axes") if axes is None else [int(axis) for axis in np.atleast_1d(axes)]
    return np.expand_dims(array, tuple(chosen or ()))


@_folds("Reshape", takes_open=True)
def _reshape(node: Node, array: Array, shape: Array) -> Array:
    if is_open(shape):
        raise NotFoldableError
    keeps_zeros = node.get("allowzero", 0)
    sizes = [
        array.shape[place] if size == 0 and not keeps_zeros else int(size)
        for place, size in enumerate(shape)
    ]
    return array.reshape(sizes)


@_folds("Flatten", takes_open=True)
def _flatten(node: Node, array: Array) -> Array:
    axis = node.get("axis", 1)
    axis += array.ndim if axis < 0 else 0
    return array.reshape(math.prod(array.shape[:axis]), -1)


@_folds("Transpose", takes_open=True)
def _transpose(node: Node, array: Array) -> Array:
    return np.ascontiguousarray(np.transpose(array, node.ints("perm")))


def _count_expanded(_: Node, array: Array, shape: Array) -> int:
    return _check_new(volume(np.broadcast_shapes(array.shape, _sizes(shape))))


@_folds("Expand", count=_count_expanded, takes_open=True)
def _expand(_: Node, array: Array, shape: Array) -> Array:
    return np.array(np.broadcast_to(array, np.broadcast_shapes(array.shape, _sizes(shape))))


def _count_tiled(_: Node, array: Array, repeats: Array) -> int:
    return _check_new(volume(array.shape) * volume(_sizes(repeats)))


@_folds("Tile", count=_count_tiled, takes_open=True)
def _tile(_: Node, array: Array, repeats: Array) -> Array:
    return np.tile(array, _sizes(repeats))


@_folds("Where", count=_count_broadcast, takes_open=True)
def _where(_: Node, condition: Array, one: Array, other: Array) -> Array:
    return np.where(condition.astype(bool), one, other)


@_folds("Slice", takes_open=True)
def _slice(node: Node, array: Array, *rest: Array | None) -> Array:
    starts, ends, axes, steps = slice_ranges(node, rest, array.ndim)
    index = [slice(None)] * array.ndim
    for start, end, axis, step in zip(starts, ends, axes, steps, strict=True):
        # An end before the first element is no index of Python.
        stop = None if step < 0 and end < -array.shape[axis] else end
        index[axis] = slice(start, stop, step)
    return array[tuple(index)]


def slice_ranges(
    node: Node, rest: Sequence[Array | None], ndim: int
) -> tuple[list[Any], list[Any], list[int], list[int]]:
    """Returns starts, ends, axes and steps of a node `Slice` of any version.

    Args:
        node: The node.
        rest: Its inputs after the data.
        ndim: Number of axes of the data.
    """
    lists: list[list[Any] | None] = [
        None if item is None else list(tidy(np.atleast_1d(item)).tolist()) for item in rest
    ]
    lists += [None] * (4 - len(lists))
    starts, ends, axes, steps = lists
    if starts is None or ends is None:
        starts, ends, axes = node.ints("starts"), node.ints("ends"), node.ints("axes")
    if starts is None or ends is None:
        raise node.error("starts and ends are missing")
    axes = [node.normalize(axis, ndim) for axis in axes or range(len(starts))]
    steps = steps or [1] * len(starts)
    if not len(starts) == len(ends) == len(axes) == len(steps) or 0 in steps:
        raise node.error("starts, ends, axes and steps do not belong together")
    return starts, ends, axes, steps


@_folds(*(name for name in REDUCTIONS if name != "ReduceMean"), takes_open=True)
def _reduce(node: Node, array: Array, axes: Array | None = None) -> Array:
    chosen = node.ints("axes") if axes is None else [int(axis) for axis in axes]
    if not chosen and node.get("noop_with_empty_axes", 0):
        return array
    axis = tuple(chosen) if chosen else None
    function = getattr(np, REDUCTIONS[node.op_type])
    result = function(array, axis=axis, keepdims=bool(node.get("keepdims", 1)))
    return np.asarray(result if is_open(array) else np.asarray(result).astype(array.dtype))


@_folds("Split", takes_open=True)
def _split(node: Node, array: Array, sizes: Array | None = None) -> list[Array]:
    axis, parts = node.get("axis", 0), len(node.outputs)
    chosen = node.ints("split") if sizes is None else [int(size) for size in sizes]
    if chosen is None:
        return list(np.array_split(array, parts, axis))
    if min(chosen, default=0) < 0:  # which would make parts that overlap
        raise NotFoldableError
    return list(np.split(array, np.cumsum(chosen)[:-1], axis))


@_folds("NonZero", count=lambda _, array: array.size * max(array.ndim, 1))
def _nonzero(_: Node, array: Array) -> Array:
    return np.stack(np.nonzero(array)).astype(np.int64)


@_folds("Trilu")
def _trilu(node: Node, array: Array, k: Array | None = None) -> Array:
    offset = 0 if k is None else int(k.item())
    return np.triu(array, offset) if node.get("upper", 1) else np.tril(array, offset)


@_folds("CumSum")
def _cumsum(node: Node, array: Array, axis: Array) -> Array:
    if node.get("exclusive", 0) or node.get("reverse", 0):
        raise NotFoldableError
    return np.asarray(np.cumsum(array, axis=int(axis.item()), dtype=array.dtype))


@_folds("ScatterND", takes_open=True)
def _scatter_nd(node: Node, array: Array, indices: Array, updates: Array) -> Array:
    if node.get("reduction", "none") != "none":
        raise NotFoldableError
    result: Array = array.copy()
    result[tuple(np.moveaxis(indices, -1, 0))] = updates
    return result


def shape_array(lengths: Sequence[int | Length]) -> Array:
    """Returns a shape as the array that computations of shapes start from."""
    if not any(isinstance(length, Length) for length in lengths):
        return np.array(lengths, np.int64)
    array = np.empty(len(lengths), object)
    array[:] = lengths
    return array

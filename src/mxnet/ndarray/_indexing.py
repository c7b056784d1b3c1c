"""Reading and writing parts of an array.

The original's rules: a basic index (numbers, slices, `None`, `...`) whose result is one contiguous
block shares memory with the array, every other result is a copy; index arrays of any dtype count
as integers; an element is an array of shape `(1,)`. In the NumPy dialect lists of truth values are
masks, and an element has no axes.
"""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor

from mxnet._arrays.array import Array, Origin, Recorded, finish, origin_of, unshare_source
from mxnet._arrays.autograd import tape
from mxnet._arrays.bridges import to_elements, without_arrays
from mxnet._arrays.errors.delayed import can_fail, mark_failed
from mxnet._arrays.errors.failed import failure_of
from mxnet._arrays.invoke import store
from mxnet._state import modes
from mxnet.errors import ArgumentValueError, IndexOutOfBoundsError, MXNetError, ShapeMismatchError
from mxnet.ops.core.allocation import raise_shortage
from mxnet.ops.core.carriers import join_integers
from mxnet.ops.core.scalars import as_element, as_number, as_positions

Key: TypeAlias = Any
_ALL = slice(None)


def get_item(array: Array, key: Key) -> Array:
    """Reads `array[key]`."""
    part = _get_item(array, key)
    if isinstance(part._role, Recorded):
        part._role.origin = ("__getitem__", (origin_of(array),), (key,), 0)
    return part


def _get_item(array: Array, key: Key) -> Array:
    tensor = array._lend()
    key_type = type(key)
    if key_type is slice and key.step is None and tensor.ndim:
        part = tensor[key]
        return array._share(part) if tensor.is_contiguous() else _copied(array, part, key)
    if key_type is int and tensor.ndim:
        _check_bounds(key, 0, tensor.shape[0])
        part = tensor[key]
        if part.ndim == 0 and not _has_scalars(array):
            part = part.reshape(1)
        return array._share(part) if part.is_contiguous() else _copied(array, part, key)
    if not tensor.ndim and key_type is slice and key == _ALL:
        key = ()
    part, shared = _find_part(array, tensor, key)
    return array._share(part) if shared and part.is_contiguous() else _copied(array, part, key)


def _find_part(array: Array, tensor: Tensor, key: Key) -> tuple[Tensor, bool]:
    """Returns the elements of a tensor of an array, and whether they are a view by its rules."""
    found = _get_plain(tensor, key)
    if found is None:
        index, basic = _normalize(key, tensor, array._is_np)
        tensor, index, flipped = _without_negative_steps(tensor, index)
        part, shared = _take(tensor, index), basic and not flipped
    else:
        part, shared = found, True
    if part.ndim == 0 and tensor.ndim and not _has_scalars(array):
        part = part.reshape(1)
    return part, shared


def _get_plain(tensor: Tensor, key: Key) -> Tensor | None:
    """Reads by numbers and slices without steps, which need no preparation; None for others."""
    if type(key) is not int and not _is_plain(key):
        return None
    try:
        part: Tensor = tensor[key]
    except IndexError:  # what prepares an index says it better
        return None
    return part


def _is_plain(key: Key) -> bool:
    for item in key if type(key) is tuple else (key,):
        kind = type(item)
        if kind is not int and (kind is not slice or item.step is not None):
            return False
    return True


def _has_scalars(array: Array) -> bool:
    return array._is_np or modes.np_shape


def _copied(array: Array, part: Tensor, key: Key) -> Array:
    try:
        copy = part.clone(memory_format=torch.contiguous_format)
    except RuntimeError as error:
        raise_shortage(f"indexing {tuple(part.shape)}", error)
        raise
    if modes.recording and array._node is not None and not copy.requires_grad:
        read = array._read()
        copy = join_integers(copy, lambda data: _find_part(array, data, key)[0], (read,))
        return finish(copy, (read,), type(array), array._ctx.results)
    return type(array)._wrap_recorded(copy, array._ctx.results, None)


def _take(tensor: Tensor, index: tuple[Any, ...]) -> Tensor:
    try:
        return tensor[index]
    except IndexError as error:
        raise IndexOutOfBoundsError(f"indexing {tuple(tensor.shape)}: {error}") from error
    except RuntimeError as error:
        raise_shortage(f"indexing {tuple(tensor.shape)}", error)
        raise


def set_item(array: Array, key: Key, value: Any) -> None:
    """Assigns `array[key] = value`."""
    recorded = isinstance(value, Array) and modes.recording and value._recorded().requires_grad
    if recorded:
        _assign_recorded(array, key, value)
        return
    target = array._writable()
    source = _as_source(value, target)
    try:
        if key is Ellipsis or (type(key) is slice and key == _ALL):
            _fill(target, source)
        else:
            _assign(array, target, key, source)
    except MXNetError as error:
        failure = failure_of(error)
        if failure is None or not can_fail(array):
            raise
        mark_failed(array, failure)


def _assign(array: Array, target: Tensor, key: Key, source: Any) -> None:
    """Writes a tensor or a number into a part of the tensor of an array."""
    part = _get_plain(target, key)
    if part is not None:
        _fill(part, source)
        return
    index, _ = _normalize(key, target, array._is_np, check_arrays=True)
    if any(isinstance(item, slice) and (item.step or 1) < 0 for item in index):
        _assign_scattered(target, index, source)
        return
    if isinstance(source, Tensor):
        source = _broadcast(unshare_source(source, target), _take(target, index).shape)
    try:
        target[index] = source
    except IndexError as error:
        raise IndexOutOfBoundsError(f"indexing {tuple(target.shape)}: {error}") from error


def _assign_recorded(array: Array, key: Key, value: Array) -> None:
    """Assigns a recorded value: only as a whole, to an array outside of the graph."""
    if array._node is not None and not array._forget_if_consumed():
        raise MXNetError(tape.ALREADY_IN_GRAPH)
    if not (key is Ellipsis or (type(key) is slice and key == _ALL)):
        raise MXNetError(tape.IN_PLACE_WHILE_RECORDING)
    target = array._plain
    result = _broadcast(value._recorded(), target.shape).to(target.dtype)
    origin: Origin | None = origin_of(value)
    if value._plain.shape != target.shape:
        origin = ("broadcast_to", (origin,), (tuple(target.shape),), 0)
    store("x[:] = value", (value,), result, array, ("copy", (origin,), (), 0))


def _assign_scattered(target: Tensor, index: tuple[Any, ...], source: Any) -> None:
    """Assigns through steps that torch cannot take: by the flat position of every element."""
    flat = torch.arange(target.numel(), device=target.device).reshape(target.shape)
    flat, rest, _ = _without_negative_steps(flat, index)
    positions = _take(flat, rest)
    if isinstance(source, Tensor):
        source = _broadcast(unshare_source(source, target), positions.shape).reshape(-1)
    target.view(-1)[positions.reshape(-1)] = source


def _fill(target: Tensor, source: Any) -> None:
    if isinstance(source, Tensor):
        target.copy_(_broadcast(unshare_source(source, target), target.shape))
    else:
        target.fill_(source)


def _broadcast(source: Tensor, shape: Sequence[int]) -> Tensor:
    while source.ndim > len(shape) and source.shape[0] == 1:
        source = source[0]
    try:
        return source.broadcast_to(tuple(shape))
    except RuntimeError as error:
        raise ShapeMismatchError(
            f"assignment: cannot broadcast {tuple(source.shape)} to {tuple(shape)}"
        ) from error


def _as_source(value: Any, target: Tensor) -> Any:
    """Returns what to assign as a number or as a tensor where the target lives."""
    if isinstance(value, Array):
        return value._plain.to(device=target.device, dtype=target.dtype)
    if isinstance(value, (float, int, numbers.Real)):  # the first two are quicker to tell
        return as_element(as_number(value), target.dtype)
    return to_elements("assignment", value, target.dtype, copy=False).to(target.device)


def _normalize(
    key: Key, tensor: Tensor, is_np: bool, *, check_arrays: bool = False
) -> tuple[tuple[Any, ...], bool]:
    """Returns the index as torch takes it, without `...`, and whether it is a basic one.

    Torch checks index arrays itself, but on a GPU it would abort the process, and in an assignment
    it has written some elements by then: `check_arrays`.
    """
    items = list(key) if isinstance(key, tuple) else [key]
    if is_np:
        items = [_as_mask(item) for item in items]
    items = [_normalize_item(item, tensor) for item in items]
    used = sum(_axes_used(item) for item in items)
    if used > tensor.ndim:
        raise IndexOutOfBoundsError(
            f"too many indices ({used}) for array with {tensor.ndim} dimensions"
        )
    ellipses = [i for i, item in enumerate(items) if item is Ellipsis]
    if len(ellipses) > 1:
        raise IndexOutOfBoundsError("an index can only have a single ellipsis ('...')")
    at = ellipses[0] if ellipses else len(items)
    items[at : at + 1] = [_ALL] * (tensor.ndim - used)
    _check_items(items, tensor, check_arrays or tensor.device.type != "cpu")
    arrays = [item for item in items if isinstance(item, Tensor)]
    if not arrays:
        return tuple(items), True
    _check_index_arrays(arrays)
    # As in NumPy a number beside an index array is an index array too; to torch it is a slice.
    items = [
        torch.tensor([item], device=tensor.device) if type(item) is int else item for item in items
    ]
    return tuple(items), False


def _as_mask(item: Any) -> Any:
    """Returns truth values, and lists of them, as the mask that they are to NumPy."""
    if isinstance(item, (bool, np.bool_)):
        return torch.tensor(bool(item))
    if isinstance(item, Tensor) or not isinstance(item, (list, tuple, np.ndarray)):
        return item
    values = np.asarray(without_arrays(item))
    return torch.from_numpy(values) if values.dtype == np.bool_ else item


def _check_index_arrays(arrays: Sequence[Tensor]) -> None:
    shapes = [tuple(item.shape) for item in arrays if item.dtype is not torch.bool]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError as error:
        raise ShapeMismatchError(
            f"index arrays must broadcast together, got shapes {', '.join(map(str, shapes))}"
        ) from error


def _axes_used(item: Any) -> int:
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, Tensor) and item.dtype is torch.bool:
        return item.ndim
    return 1


def _normalize_item(item: Any, tensor: Tensor) -> Any:
    if item is None or item is Ellipsis or isinstance(item, slice):
        return item
    if isinstance(item, numbers.Integral):
        return int(item)
    if isinstance(item, Array):
        item = item._plain
    if isinstance(item, Tensor):
        if item.dtype is torch.bool:
            return item.to(tensor.device)
        positions = as_positions(item)
        return positions.to(tensor.device) if item.ndim else int(positions)
    if isinstance(item, (list, tuple, range, np.ndarray)):
        listed = list(item) if isinstance(item, range) else item
        return to_elements("an index array", listed, torch.int64).to(tensor.device)
    raise ArgumentValueError(
        f"cannot index an array by {item!r} of {type(item)}; "
        "use integers, slices, None, ..., lists or arrays of integers"
    )


def _check_items(items: Sequence[Any], tensor: Tensor, check_arrays: bool) -> None:
    """Checks numbers and index arrays against the axis that each applies to."""
    axis = 0
    for item in items:
        if isinstance(item, int):
            _check_bounds(item, axis, tensor.shape[axis])
        elif check_arrays and _has_positions(item):
            for edge in (int(item.min()), int(item.max())):
                _check_bounds(edge, axis, tensor.shape[axis])
        axis += _axes_used(item)


def _has_positions(item: Any) -> bool:
    return isinstance(item, Tensor) and item.dtype is not torch.bool and item.numel() > 0


def _check_bounds(index: int, axis: int, size: int) -> None:
    if not -size <= index < size:
        raise IndexOutOfBoundsError(
            f"index {index} is out of bounds for axis {axis} with size {size}"
        )


def _without_negative_steps(
    tensor: Tensor, index: tuple[Any, ...]
) -> tuple[Tensor, tuple[Any, ...], bool]:
    """Applies slices that go backwards, which torch lacks: forwards first, then flipped."""
    forward, rest, flips, axis = [], [], [], 0
    for item in index:
        used = _axes_used(item)
        if isinstance(item, slice) and (item.step or 1) < 0:
            positions = range(*item.indices(tensor.shape[axis]))
            if len(positions):
                step = -positions.step if len(positions) > 1 else 1
                forward.append(slice(positions[-1], positions[0] + 1, step))
            else:
                forward.append(slice(0, 0))
            flips.append(axis)
            rest.append(_ALL)
        else:
            forward.extend([_ALL] * used)
            rest.append(item)
        axis += used
    if not flips:
        return tensor, index, False
    return tensor[tuple(forward)].flip(flips), tuple(rest), True

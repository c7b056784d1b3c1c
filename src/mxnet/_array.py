"""The base of the array classes, and how an operator is run on arrays.

An array holds one tensor in two roles. `_data` is the plain tensor, which operators read outside
of `record()`. `_node` is the same storage with a history: the leaf that `attach_grad` makes, or a
recorded result. Operators read it inside of `record()`. So nothing is recorded outside, without
touching torch's own grad mode.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import torch
from torch import Tensor

from mxnet import _dtypes, _rng, _tape
from mxnet._modes import Tape, modes, open_tapes, unseen_writes
from mxnet.context import Context, torch_device
from mxnet.errors import (
    MXNetError,
    UnknownNameError,
    UnsupportedTypeError,
)
from mxnet.ops.failures import KERNEL_ERRORS, explain, find_mixed_dtypes
from mxnet.ops.registry import Op, as_tuple

if TYPE_CHECKING:
    from typing_extensions import Self

A = TypeVar("A", bound="Array")


class Source:
    """What a chain of recorded operators begins with: an array that no recorded one computed."""

    __slots__ = ("ctx", "dtype", "has_gradient", "shape")

    def __init__(self, array: Array) -> None:
        tensor = array._plain
        self.shape, self.dtype, self.ctx = tuple(tensor.shape), tensor.dtype, array._ctx
        self.has_gradient = getattr(array, "_grad", None) is not None


Origin: TypeAlias = Source | tuple[Any, ...]
"""A source; or an operator or the name of a method, with origins, attributes and output number."""


NO_ATTRS: dict[str, Any] = {}
"""Attributes in the origin of a call without any."""


def origin_of(array: Array | None) -> Origin | None:
    """Returns how an array came to be; the arrays on the way are not kept."""
    if array is None:
        return None
    try:
        return array._origin
    except AttributeError:
        found = array._origin = Source(array)
        return found


GRAD_REQS = ("write", "add", "null")
new = object.__new__


class Array:
    """What every array class shares: storage, context, and its place in the graph."""

    __slots__ = (
        "__weakref__",
        "_aliased",
        "_borrowed",
        "_ctx",
        "_data",
        "_fresh",
        "_grad",
        "_grad_req",
        "_node",
        "_origin",
        "_siblings",
        "_stand_in",
        "_tape",
    )

    _data: Tensor | None
    """The plain tensor; None until it is asked for when the array was recorded."""
    _node: Tensor | None
    """The tensor with its history, None for an array outside of every graph."""
    _tape: Tape | None
    """Tape of a recorded result, None for a leaf; unset without `_node`."""
    _stand_in: Tensor | None
    """Place in the graph of a recorded result that torch cannot differentiate; mostly unset."""
    _siblings: Container[object]
    """Nodes of all results of the call that gave this one; unset or empty if it is alone."""
    _origin: Origin
    """How a recorded result was computed, for `autograd.get_symbol`; unset for other arrays."""
    _ctx: Context
    _grad: Array | None
    """Gradient array; unset before `attach_grad`."""
    _grad_req: str
    _fresh: bool
    """Of a gradient array: whether `backward` has filled it since it was last used."""
    _aliased: bool
    """Set once another array or tensor may share the storage."""
    _borrowed: bool
    """Set where a recorded operator returned a view of its input: copy before writing.

    Only an array with a `_node` is borrowed.
    """

    @property
    def _plain(self) -> Tensor:
        """The tensor without history; a change to it is not seen by torch's version checks."""
        data = self._data
        if data is None:
            data = self._data = self._node.data  # type: ignore[union-attr]  # one of both is set
        return data

    def _recorded(self) -> Tensor:
        """The tensor to read while recording."""
        node = self._node
        if node is None:
            return self._plain
        tape = self._tape
        if tape is None or tape is modes.tape:
            return node
        if self._forget_if_consumed():
            return self._plain
        modes.tape.crossings[node.grad_fn] = tape
        return node

    def _forget_if_consumed(self) -> bool:
        """Drops the history if `backward` has gone through it, and returns whether it has."""
        node = _node_of(self)
        if node is None:
            return False
        tape = self._tape
        if tape is None or not tape.consumed:
            return False
        if not _tape.reaches(tape.consumed, getattr(self, "_siblings", None) or (node.grad_fn,)):
            return False
        _forget(self)
        return True

    def _writable(self) -> Tensor:
        """The tensor to write into.

        Raises:
            MXNetError: while recording, if the array is part of a graph.
        """
        if self._node is not None and modes.recording and not self._forget_if_consumed():
            raise MXNetError(_tape.ALREADY_IN_GRAPH)
        self._own()
        kept = self._node is None or getattr(self, "_aliased", False)  # as `detach` gives it
        if kept and open_tapes and not modes.recording:
            # A graph may have kept the tensor, and its backward sees the new elements, as in the
            # original; torch would refuse if it knew. So it does after a write while recording,
            # which the original refuses.
            unseen_writes.note()
            return self._plain.data
        return self._plain

    def _own(self) -> None:
        """Copies a borrowed array to memory of its own; it keeps its place in the graph."""
        node = self._node
        # Asking for an attribute that is not set takes 1 us, and what is borrowed is a view.
        if node is None or not node._is_view() or not getattr(self, "_borrowed", False):
            return
        self._data = self._plain.clone(memory_format=torch.contiguous_format)
        self._node = _tape.tied_to_storage(node, self._data)
        self._borrowed = False

    def _lend(self) -> Tensor:
        """The tensor to make a view of in the current mode, for `_share`."""
        if modes.recording:
            return self._recorded()
        self._own()
        return self._plain

    @classmethod
    def _wrap(cls, tensor: Tensor, ctx: Context) -> Self:
        """Makes an array of a plain tensor."""
        array = new(cls)
        array._data = tensor
        array._node = None
        array._ctx = ctx
        return array

    @classmethod
    def _wrap_recorded(cls, tensor: Tensor, ctx: Context) -> Self:
        """Makes an array of a tensor that may have a history."""
        array = new(cls)
        array._ctx = ctx
        if tensor.requires_grad:
            array._data = None
            array._node = tensor
            array._tape = modes.tape
        else:
            array._data = tensor
            array._node = None
        return array

    def _share(self, tensor: Tensor) -> Self:
        """Makes an array on a view of this one's storage; what is borrowed stays so."""
        self._aliased = True
        array = type(self)._wrap_recorded(tensor, self._ctx)
        array._aliased = True
        if array._node is not None:
            array._origin = ("reshape", (origin_of(self),), (tuple(tensor.shape),), 0)
            if getattr(self, "_borrowed", False):
                array._borrowed = True
        return array

    def _read(self) -> Tensor:
        """The tensor to read in the current mode."""
        return self._recorded() if modes.recording else self._plain

    def _overwrite(self, where: str, result: Tensor) -> Tensor:
        """Writes a plain tensor into the storage, and gives the storage."""
        target = self._writable()
        check_fit(where, target.shape, target.dtype, result)
        return target.copy_(result)

    def _hook(self, grad_req: str) -> Callable[[Tensor], None]:
        """Of a gradient array: what takes the gradient from the leaf after backward."""
        return _Writer(self) if grad_req == "write" else _Adder(self)

    _override: ClassVar[Callable[..., Any] | None] = None
    """Runs operators for a class of arrays that has ways of its own."""


def attach_gradient(array: A, gradient: A, grad_req: str) -> None:
    """Makes `array` a variable whose gradient goes to `gradient`.

    What computed the array is forgotten. Integer arrays take part in no gradient, as torch
    differentiates floats alone; their gradient array stays zero.
    """
    if grad_req not in GRAD_REQS:
        raise UnknownNameError(f"grad_req takes one of {', '.join(GRAD_REQS)}, got {grad_req!r}")
    array._own()
    data = array._plain
    if hasattr(array, "_origin"):
        del array._origin
    array._siblings = ()  # which would keep the graph alive
    gradient._fresh = False
    if not hasattr(gradient, "_aliased"):
        gradient._aliased = False
    array._grad, array._grad_req = None if grad_req == "null" else gradient, grad_req
    if grad_req == "null" or not data.is_floating_point():
        array._node = array._stand_in = None
        return
    leaf = data.data.requires_grad_()
    array._node, array._tape = leaf, None
    hook = gradient._hook(grad_req)
    leaf.register_post_accumulate_grad_hook(hook)  # type: ignore[no-untyped-call]
    leaf.take_gradient = getattr(hook, "take", None)  # type: ignore[attr-defined]  # see _Hook


class _Hook:
    """Takes the gradient of a leaf to its gradient array.

    A recorded graph, which has the gradients of all its parameters at once, gives them to `take`
    directly; torch calls the hook all the same, without a gradient.
    """

    __slots__ = ("_gradient", "_taken_in")

    def __init__(self, gradient: Array) -> None:
        self._gradient = gradient
        self._taken_in = -1

    def __call__(self, leaf: Tensor) -> None:
        found, leaf.grad = leaf.grad, None
        if found is not None:
            self.take(found)
        elif not self._has_part():  # an operator has no gradient for this input
            self.take(torch.zeros_like(leaf))

    def _has_part(self) -> bool:
        """Returns whether a part of the gradient came before, in the same backward pass."""
        return self._taken_in != -1 and self._taken_in == _tape.number_of_pass()

    def take(self, found: Tensor) -> None:
        """Takes a gradient, or a part of it."""
        raise NotImplementedError


class _Writer(_Hook):
    """Puts the gradient in place of the last one."""

    __slots__ = ()

    def take(self, found: Tensor) -> None:
        gradient = self._gradient
        gradient._fresh = True
        found = _tape.in_memory(found)
        if self._has_part():
            gradient._plain.add_(found)
        elif gradient._aliased:
            gradient._plain.copy_(found)
        else:  # moved, not copied: nobody else looks at the old memory
            gradient._data, gradient._node = found, None
        self._taken_in = _tape.number_of_pass()


class _Adder(_Hook):
    """Adds the gradient to what is there."""

    __slots__ = ()

    def take(self, found: Tensor) -> None:
        gradient = self._gradient
        gradient._fresh = True
        gradient._plain.add_(found)
        self._taken_in = _tape.number_of_pass()


def head_node(array: Array) -> Tensor:
    """Returns the tensor from which to differentiate.

    Raises:
        MXNetError: if the array is in no graph, or in one that is used up.
    """
    node = _node_of(array)
    if node is None or array._forget_if_consumed():
        raise MXNetError(_tape.NOT_IN_GRAPH)
    return node


def _node_of(array: Array) -> Tensor | None:
    """Returns the tensor that has the array's place in the graph, None if it has none."""
    return array._node if array._node is not None else getattr(array, "_stand_in", None)


def _forget(array: Array) -> None:
    """Makes a recorded array a constant, which keeps nothing of its graph alive."""
    array._own()
    array._data = array._plain
    array._node = array._tape = array._stand_in = None
    array._siblings = ()
    array._origin = Source(array)


def tie(results: Sequence[Array]) -> None:
    """Makes the results of one call share their fate: once one is used up, so are the others.

    To the original they are outputs of one node, while torch may have a node for each. Programs
    carry the state of a recurrent layer on from step to step and differentiate its output alone.
    """
    nodes = [_node_of(result) for result in results]
    siblings = frozenset(node.grad_fn for node in nodes if node is not None)
    for result in results:
        result._siblings = siblings


def consume(arrays: Sequence[Array]) -> None:
    """Notes that the graphs under these arrays are used up."""
    for array in arrays:
        node = _node_of(array)
        if node is not None and array._tape is not None:
            _tape.use_up(array._tape, node.grad_fn)
            _forget(array)
    modes.renew_tape()


def invoke(
    op: Op,
    inputs: Sequence[Array | None],
    attrs: Mapping[str, Any],
    cls: type[A],
    *,
    out: A | Sequence[A] | None = None,
    ctx: Context | None = None,
) -> A | list[A]:
    """Runs an operator on arrays.

    Args:
        op: The operator.
        inputs: Its array inputs, None for a missing optional one.
        attrs: Parsed attributes.
        cls: Class of the result.
        out: Array or arrays to write the result into.
        ctx: Context of the result of an operator without inputs.

    Returns:
        One array, or a list of the visible outputs.
    """
    if modes.tracer is not None:
        return modes.tracer.call(op, inputs, attrs, ctx, out)  # type: ignore[no-any-return]
    tensors = _read_inputs(op, inputs)
    if ctx is None:
        ctx = next(array for array in inputs if array is not None)._ctx.results
    supplied = _supply(op, ctx) if op.supplied else {}
    try:
        result = op.kernel(*tensors, **attrs, **supplied)
    except KERNEL_ERRORS as error:
        raise explain(op, tensors, error) from error
    if isinstance(result, tuple):
        visible = result[: op.count_outputs(attrs)]
        result = visible[0] if len(visible) == 1 else visible
    if modes.recording:
        result = _join_to_graph(op, result, tensors)
    if out is not None:
        return _write_out(op, inputs, result, out)
    arrays = _finish_all(op, result, tensors, cls, ctx)
    if modes.recording:
        if len(arrays) > 1:
            tie(arrays)
        origins = tuple(map(origin_of, inputs))
        for number, array in enumerate(arrays):
            array._origin = (op, origins, attrs, number)
    return arrays if isinstance(result, tuple) else arrays[0]


def _finish_all(
    op: Op,
    result: Tensor | tuple[Tensor, ...],
    tensors: Sequence[Tensor | None],
    cls: type[A],
    ctx: Context,
) -> list[A]:
    try:
        return [finish(item, tensors, cls, ctx) for item in as_tuple(result)]
    except KERNEL_ERRORS as error:  # a copy of a view finds no memory
        raise explain(op, tensors, error) from error


def _join_to_graph(
    op: Op, result: Tensor | tuple[Tensor, ...], tensors: Sequence[Tensor | None]
) -> Tensor | tuple[Tensor, ...]:
    """Joins results to the graph where torch does not."""
    if op.differentiable:
        indexed = op.any_dtype and isinstance(result, Tensor)
        return _tape.join_indices(op, result, tensors) if indexed else result  # type: ignore[arg-type]
    joined = tuple(
        _tape.join_without_gradient(item, tensors) if item.is_floating_point() else item
        for item in as_tuple(result)
    )
    return joined if isinstance(result, tuple) else joined[0]


def _read_inputs(op: Op, inputs: Sequence[Array | None]) -> list[Tensor | None]:
    """Returns the tensors to compute with: outside of any graph for states, alike in dtype."""
    constant = op.aux or op.mutates
    tensors: list[Tensor | None] = []
    for position, array in enumerate(inputs):
        if array is None:
            tensors.append(None)
        elif array._node is None:
            tensors.append(array._data)
        elif constant and op.inputs[0 if op.variadic else position].name in (*op.aux, *op.mutates):
            tensors.append(array._plain)
        else:
            tensors.append(array._read())
    if len(tensors) > 1 and not op.strict_dtypes:
        mistake = find_mixed_dtypes(op, tensors)
        if mistake is not None:
            raise MXNetError(mistake)
    return tensors


def _supply(op: Op, ctx: Context) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for name in op.supplied:
        if name == "training":
            values[name] = modes.training
        elif name == "generator":
            values[name] = _rng.generator_for(ctx.device_type, ctx.device_id)
        else:
            values[name] = torch_device(ctx)
    return values


def finish(result: Tensor, tensors: Sequence[Tensor | None], cls: type[A], ctx: Context) -> A:
    """Wraps one result; it is contiguous, so that parts of it can be views, and not its input's.

    While recording, a view is handed out all the same, because a copy would cost time in every
    training step and arrays in a graph are not written to; it is copied should that happen later.
    """
    if _shares_storage(result, tensors):
        if result.requires_grad:
            view = result if result._is_view() else result.view_as(result)
            array = cls._wrap_recorded(view, ctx)
            array._borrowed = True
            return array
        result = result.clone(memory_format=torch.contiguous_format)
    elif not (result.requires_grad or result.is_contiguous()):  # as LAPACK's are
        result = result.contiguous()
    array = new(cls)
    array._ctx = ctx
    if not result.requires_grad and modes.recording:
        joined = _tape.join_without_gradient(result, tensors)
        if joined.dtype is result.dtype:
            result = joined
        else:
            array._stand_in, array._tape = joined, modes.tape
    if result.requires_grad:
        array._data, array._node, array._tape = None, result, modes.tape
    else:
        array._data, array._node = result, None
    return array


def _shares_storage(result: Tensor, tensors: Sequence[Tensor | None]) -> bool:
    """Returns whether a kernel handed out its input or a view of it."""
    base = result._base if result._is_view() else result
    for item in tensors:
        if item is base or (item is not None and base is not result and item._base is base):
            return True
    return False


def _write_out(
    op: Op,
    inputs: Sequence[Array | None],
    result: Tensor | tuple[Tensor, ...],
    out: A | Sequence[A],
) -> A | list[A]:
    targets: list[Any] = list(out) if isinstance(out, (list, tuple)) else [out]
    for target in targets:
        if not isinstance(target, Array):
            raise UnsupportedTypeError(f"{op.name}: out takes arrays, got {type(target).__name__}")
    results = as_tuple(result)
    if len(targets) != len(results):
        raise MXNetError(f"{op.name}: out takes {len(results)} arrays, got {len(targets)}")
    for item, target in zip(results, targets, strict=True):
        store(op.name, inputs, item, target)
    return out if isinstance(out, Array) else targets


def store(where: str, inputs: Sequence[Array | None], result: Tensor, out: Array) -> None:
    """Writes a result into an existing array, which joins the graph when the result is recorded.

    Raises:
        MXNetError: if shape or dtype do not fit, or autograd forbids the assignment.
    """
    if modes.recording and result.requires_grad and any(item is out for item in inputs):
        taken = out._node is not None
        raise MXNetError(_tape.ALREADY_IN_GRAPH if taken else _tape.IN_PLACE_WHILE_RECORDING)
    plain = result.detach()
    if result._is_view():  # maybe of the memory to write to: x.transpose() to x
        plain = apart(plain, out._plain)
    target = out._overwrite(where, plain)
    if modes.recording and result.requires_grad:
        out._node, out._tape = _tape.tied_to_storage(result, target), modes.tape


def apart(source: Tensor, target: Tensor) -> Tensor:
    """Returns what to write on memory of its own if it lies where it is to be written."""
    same = source.untyped_storage().data_ptr() == target.untyped_storage().data_ptr()
    return source.clone() if same else source


def check_fit(where: str, shape: Sequence[int], dtype: torch.dtype, result: Tensor) -> None:
    """Checks that a result can be written to an array of a shape and a dtype."""
    if tuple(shape) != tuple(result.shape):
        raise MXNetError(
            f"{where}: output 0: expected shape {tuple(result.shape)}, got {tuple(shape)}"
        )
    if dtype is not result.dtype:
        expected, got = _dtypes.name_of(result.dtype), _dtypes.name_of(dtype)
        raise MXNetError(f"{where}: output 0: expected {expected}, got {got}")


def place(tensor: Tensor, ctx: Context) -> Tensor:
    """Moves a tensor to the device of a context, copying only if it lives elsewhere."""
    return tensor.to(torch_device(ctx))

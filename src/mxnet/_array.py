"""The base of the array classes: storage, and an array's place in a graph.

An array holds one tensor in two roles. `_data` is the plain tensor, which operators read outside
of `record()`. `_node` is the same storage with a history: the leaf that `attach_grad` makes, or a
recorded result. Operators read it inside of `record()`. So nothing is recorded outside, without
touching torch's own grad mode.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, TypeVar

import torch
from torch import Tensor

from mxnet import _dtypes, _tape
from mxnet._modes import Tape, modes, open_tapes, unseen_writes
from mxnet._sharing import shares_base
from mxnet.context import Context, torch_device
from mxnet.errors import (
    MXNetError,
)

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
        node = node_of(self)
        if node is None:
            return False
        tape = self._tape
        if tape is None or not tape.consumed:
            return False
        if not _tape.reaches(tape.consumed, getattr(self, "_siblings", None) or (node.grad_fn,)):
            return False
        forget(self)
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
        raise NotImplementedError

    _override: ClassVar[Callable[..., Any] | None] = None
    """Runs operators for a class of arrays that has ways of its own."""


def node_of(array: Array) -> Tensor | None:
    """Returns the tensor that has the array's place in the graph, None if it has none."""
    return array._node if array._node is not None else getattr(array, "_stand_in", None)


def forget(array: Array) -> None:
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
    nodes = [node_of(result) for result in results]
    siblings = frozenset(node.grad_fn for node in nodes if node is not None)
    for result in results:
        result._siblings = siblings


def finish(result: Tensor, tensors: Sequence[Tensor | None], cls: type[A], ctx: Context) -> A:
    """Wraps one result; it is contiguous, so that parts of it can be views, and not its input's.

    While recording, a view is handed out all the same, because a copy would cost time in every
    training step and arrays in a graph are not written to; it is copied should that happen later.
    """
    if shares_base(result, tensors):
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

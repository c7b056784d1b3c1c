"""Delivering gradients: from the leaves where torch's engine leaves them to gradient arrays."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mxnet import _tape
from mxnet._array import A, Array, forget, node_of
from mxnet._modes import modes
from mxnet._roles import Source, Variable
from mxnet.errors import MXNetError, UnknownNameError

GRAD_REQS = ("write", "add", "null")


def attach_gradient(array: A, gradient: A, grad_req: str) -> None:
    """Makes `array` a variable whose gradient goes to `gradient`.

    What computed the array is forgotten. Integer arrays take part in no gradient, as torch
    differentiates floats alone; their gradient array stays zero.
    """
    if grad_req not in GRAD_REQS:
        raise UnknownNameError(f"grad_req takes one of {', '.join(GRAD_REQS)}, got {grad_req!r}")
    array._own()
    data = array._plain
    gradient._fresh = False
    array._node = None
    if grad_req == "null":
        array._role = None
        return
    array._role = Variable(Source(data, array._ctx, True), gradient, grad_req)
    if not data.is_floating_point():
        return
    leaf = array._node = data.data.requires_grad_()
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


class Writer(_Hook):
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


class Adder(_Hook):
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
    node = node_of(array)
    if node is None or array._forget_if_consumed():
        raise MXNetError(_tape.NOT_IN_GRAPH)
    return node


def consume(arrays: Sequence[Array]) -> None:
    """Notes that the graphs under these arrays are used up."""
    for array in arrays:
        role, node = array._role, node_of(array)
        if role is not None and node is not None and role.tape is not None:
            _tape.use_up(role.tape, node.grad_fn)
            forget(array)
    modes.renew_tape()

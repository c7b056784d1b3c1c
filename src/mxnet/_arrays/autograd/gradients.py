"""Delivering gradients: from the leaves where torch's engine leaves them to gradient arrays."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from mxnet._arrays.array import (
    A,
    Array,
    Recorded,
    Related,
    Retained,
    Source,
    UsedUp,
    Variable,
    forget,
    node_of,
)
from mxnet._arrays.autograd import tape as _tape
from mxnet._arrays.autograd.shared_passes import Pass, shared_passes
from mxnet._arrays.autograd.tape import number_of_pass, run_backward
from mxnet._arrays.errors.delayed import delay_gradients, raise_if_failed
from mxnet._start import did_you_mean, expand, inline, place_of_program
from mxnet._state import modes, rules
from mxnet.errors import MXNetError, ShapeMismatchError, UnknownNameError

GRAD_REQS = ("write", "add", "null")


def attach_gradient(array: A, gradient: A, grad_req: str, *, keeps_order: bool = False) -> None:
    """Makes `array` a variable whose gradient goes to `gradient`.

    What computed the array is forgotten, but for the rules of MXNet 2. Integer arrays get gradients
    through conversions alone, as torch differentiates floats.

    Args:
        array: The array.
        gradient: Array for the gradient.
        grad_req: `"write"`, `"add"` or `"null"`.
        keeps_order: Whether the elements, in memory of the array's own, stay in another order than
            that of the shape; gradients come in the same one then.
    """
    if grad_req not in GRAD_REQS:
        raise UnknownNameError(
            f"grad_req takes one of {', '.join(GRAD_REQS)}, got {grad_req!r}"
            f"{did_you_mean(grad_req, GRAD_REQS)}"
        )
    if not keeps_order:
        array._own()
    data = array._plain
    gradient._fresh = False
    if rules.version > 1 and _retain_gradient(array, gradient, grad_req):
        return
    array._node = None
    if grad_req == "null":
        array._role = None
        return
    role = array._role = Variable(Source(data, array._ctx, True), gradient, grad_req)
    array._node = role.make_leaf(data)


def _retain_gradient(array: Array, gradient: Array, grad_req: str) -> bool:
    """Gives a recorded result a gradient, and returns whether it is one; its graph stays."""
    role, node = array._role, array._node
    if not isinstance(role, Recorded) or node is None or not node.dtype.is_floating_point:
        return False
    drop_gradient(array)
    if grad_req != "null":
        take = gradient._hook(grad_req).take  # type: ignore[attr-defined]  # of a dense array
        watch = node.register_hook(lambda given: take(given.detach().clone()))  # type: ignore[no-untyped-call]
        array._role = Retained(role, gradient, watch)
    return True


def drop_gradient(array: Array) -> None:
    """Takes the gradient of an array away.

    What computed it is forgotten; under the rules of MXNet 2 a recorded result stays one.
    """
    role = array._role
    if type(role) is Retained:
        role.watch.remove()
        array._role = kept = Related(role.origin)
        kept.tape, kept.siblings = role.tape, role.siblings
    elif rules.version == 1 or not isinstance(role, Recorded):
        array._own()
        array._data, array._node, array._role = array._plain, None, None


class _Hook:
    """Takes the gradient of a leaf to its gradient array.

    A captured graph, which has the gradients of all its parameters at once, passes them to `take`
    directly; torch calls the hook all the same, without a gradient.
    """

    __slots__ = ("_gradient", "_passed_over_in", "_taken_in")

    def __init__(self, gradient: Array) -> None:
        self._gradient = gradient
        self._passed_over_in = -1
        """Number of the pass that was said to have no gradient."""
        self._taken_in = -1
        """Number of the pass that the last gradient came in."""

    def __call__(self, leaf: Tensor) -> None:
        gradient, leaf.grad = leaf.grad, None
        if gradient is not None:
            self.take(gradient)
        else:
            self.take_none(leaf)

    def take_none(self, leaf: Tensor) -> None:
        """Takes zeros if an operator has no gradient for the leaf, unless it was passed over."""
        number = number_of_pass()
        if number == -1 or number not in (self._taken_in, self._passed_over_in):
            self.take(torch.zeros_like(leaf))

    def pass_over(self) -> None:
        """Notes that the pass that runs the caller has no gradient, not even zero."""
        self._passed_over_in = number_of_pass()

    def take(self, gradient: Tensor) -> None:
        """Takes a gradient, or a part of it."""
        raise NotImplementedError


def pass_over(leaf: Tensor) -> None:
    """Has the pass that runs the caller leave the gradient of a leaf as it is."""
    take = getattr(leaf, "take_gradient", None)
    if take is not None:
        take.__self__.pass_over()


@inline
def _put(hook: Writer, gradient: Tensor) -> None:
    """Puts a gradient in the place of the last one, or adds a part to it."""
    target, number = hook._gradient, number_of_pass()
    is_odd = gradient.is_sparse or gradient._is_zerotensor()
    given = _tape.in_memory(gradient) if is_odd else gradient
    if number != -1 and hook._taken_in == number:  # a part came before
        target._plain.add_(given)
    elif target._aliased:
        target._plain.copy_(given)
    else:  # moved, not copied: no other array is on the old memory
        target._data, target._node = given, None
    target._fresh, hook._taken_in = True, number
    return None


class Writer(_Hook):
    """Puts the gradient in place of the last one."""

    __slots__ = ()

    @expand
    def __call__(self, leaf: Tensor) -> None:
        gradient, leaf.grad = leaf.grad, None
        if gradient is None:
            return self.take_none(leaf)
        return _put(self, gradient)

    @expand
    def take(self, gradient: Tensor) -> None:
        return _put(self, gradient)


class Adder(_Hook):
    """Adds the gradient to what is there."""

    __slots__ = ()

    def take(self, gradient: Tensor) -> None:
        self._gradient._plain.add_(gradient)
        self._gradient._fresh, self._taken_in = True, number_of_pass()


def differentiate(
    heads: Sequence[Array],
    head_gradients: Sequence[Array | None],
    *,
    retain_graph: bool,
    train_mode: bool,
) -> None:
    """Runs backward from several arrays.

    It waits for that of other parts of the batch if a layer has computed them together.

    Raises:
        MXNetError: if a head is in no graph, or a head gradient has another shape than its head.
    """
    nodes: list[Tensor] = []
    gradients: list[Tensor | None] = []
    joins_parts = False
    for head, given in zip(heads, head_gradients, strict=True):
        node, tape = head_node(head), head._role.tape  # type: ignore[union-attr]  # it has a node
        nodes.append(node)
        if tape is not None and tape.joins_parts:
            joins_parts = True
        gradients.append(None if given is None else fit_gradient(given._plain, node, head))
    if joins_parts:
        together = shared_passes.take(Pass([*heads], nodes, gradients, retain_graph))
        if together is None:
            return
        heads, nodes, gradients, retain_graph = together
    recording, training = modes.recording, modes.training
    modes.recording, modes.training = False, train_mode  # a Scope would take 1 us longer
    try:
        run_backward(nodes, gradients, retain_graph=retain_graph)
    except MXNetError as error:
        if not delay_gradients(error, _gradients_below(nodes)):
            raise
    finally:
        modes.recording, modes.training = recording, training
    if not retain_graph:
        consume(heads)


def _gradients_below(heads: Sequence[Tensor]) -> list[Array]:
    """Returns the gradient arrays of all variables that some heads depend on."""
    gradients = []
    waiting = [head.grad_fn for head in heads]
    seen = set(waiting)
    while waiting:
        node = waiting.pop()
        take = getattr(getattr(node, "variable", None), "take_gradient", None)
        # Parameters of a captured network get their gradients from its node.
        takers = getattr(node, "takers", ()) if take is None else (take,)
        gradients += [taker.__self__._gradient for taker in takers]
        for below, _ in () if node is None else node.next_functions:
            if below not in seen:
                seen.add(below)
                waiting.append(below)
    return gradients


def fit_gradient(gradient: Tensor, node: Tensor, head: Array | None = None) -> Tensor:
    """Brings the gradient of a head to its shape and dtype.

    As in the original, operators that do not look at it take one of any shape, and a
    concatenation takes the first part of a longer one. Elements in another order of axes are
    those of the same place in memory.

    Args:
        gradient: The gradient.
        node: The tensor to differentiate.
        head: The recorded array; None if the gradient must have the shape of the tensor.

    Raises:
        ShapeMismatchError: if the shapes do not fit.
    """
    if gradient.shape != node.shape:
        fitted = None if head is None else _fit_shape(gradient, node, head)
        if fitted is None:
            raise ShapeMismatchError(
                f"backward: the gradient of a head of shape {tuple(node.shape)} "
                f"has shape {tuple(gradient.shape)}"
            )
        gradient = fitted
    return gradient.to(node.dtype)


def _fit_shape(gradient: Tensor, node: Tensor, head: Array) -> Tensor | None:
    """Returns the gradient of a head in its shape; None if the operator cannot take it."""
    if _tape.has_no_gradient(node):
        return torch.ones_like(node)
    origin = head._role.origin  # type: ignore[union-attr]  # it is recorded
    if isinstance(origin, tuple) and not isinstance(origin[0], str):  # not the name of a method
        op, _, attrs, _ = origin
        if op.ignores_head(attrs):
            return torch.ones_like(node)
        axis = attrs.get("dim", 1) if op.traits.role == "concatenation" else None
        if axis is not None and -node.dim() <= axis < node.dim() == gradient.dim():
            part = gradient.narrow(axis, 0, min(gradient.shape[axis], node.shape[axis]))
            if part.shape == node.shape:
                return part
    return gradient.reshape(node.shape) if gradient.numel() == node.numel() else None


def head_node(array: Array) -> Tensor:
    """Returns the tensor from which to differentiate.

    Raises:
        MXNetError: if the array is in no graph, or in one that is used up.
    """
    role, node = array._role, array._node
    if node is None or not node.dtype.is_floating_point:
        node = node_of(array)
    if role is None or node is None:
        raise_if_failed(array)
        if type(role) is UsedUp:
            raise _tape.used_up_error(role.place)
        raise _tape.unrecorded_error()
    if role.tape is not None and role.tape.consumed and array._forget_if_consumed():
        raise _tape.used_up_error(role.tape.place)
    return node


@expand
def consume(arrays: Sequence[Array]) -> None:
    """Notes that the graphs under these arrays are used up, and which line has done that."""
    place = place_of_program()
    for array in arrays:
        role, node = array._role, node_of(array)
        if role is not None and node is not None and role.tape is not None:
            role.tape.place = place
            _tape.note_consumed(role.tape, node.grad_fn)
            forget(array)
            modes.differentiated_at = place
            spent = array._role = UsedUp()  # as by `UsedUp.after`, which is a call more
            spent.origin, spent.place, spent.gradient = None, place, role.gradient
    modes.renew_tape()

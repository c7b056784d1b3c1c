"""Recorded automatic differentiation."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar, overload

import torch
from torch import Tensor

from mxnet._arrays.array import Variable, node_of
from mxnet._arrays.autograd.gradients import (
    attach_gradient,
    consume,
    differentiate,
    fit_gradient,
    head_node,
)
from mxnet._arrays.autograd.tape import (
    differentiable_once,
    explained,
    in_memory,
    is_leaf_of,
    join_without_gradient,
    run_backward,
)
from mxnet._frontend.dialect import dialect_of, dialect_of_call
from mxnet._start import overridable, public_call
from mxnet._state import BackwardModes, Scope, modes
from mxnet.context import Context
from mxnet.errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    MXNetError,
    ShapeMismatchError,
    UnsupportedTypeError,
)
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol

A = TypeVar("A", bound=NDArray)
R_co = TypeVar("R_co", covariant=True)


class Computes(Protocol[R_co]):
    """A `Function` by what its `forward` returns."""

    def forward(self, *args: Any, **kwargs: Any) -> R_co:
        """Computes the outputs."""


def is_recording() -> bool:
    """Returns whether this thread records.

    Example:
        >>> import mxnet as mx
        >>> with mx.autograd.record():
        ...     mx.autograd.is_recording()
        True
        >>> mx.autograd.is_recording()
        False
    """
    modes.asked = True
    return modes.recording


def is_training() -> bool:
    """Returns whether operators of this thread run for training.

    Example:
        >>> import mxnet as mx
        >>> with mx.autograd.record():  # records for training
        ...     mx.autograd.is_training()
        True
        >>> with mx.autograd.record(train_mode=False):
        ...     mx.autograd.is_training()
        False
    """
    modes.asked = True
    return modes.training


def set_recording(is_recording: bool) -> bool:
    """Switches recording on or off for this thread and returns the state before.

    Args:
        is_recording: Whether to record from now on.

    Example:
        >>> import mxnet as mx
        >>> before = mx.autograd.set_recording(True)
        >>> before, mx.autograd.is_recording()
        (False, True)
        >>> mx.autograd.set_recording(before)  # a `with` block of `record` does both
        True
    """
    before = modes.recording
    Scope(bool(is_recording), None).__enter__()  # and never left
    return before


def set_training(train_mode: bool) -> bool:
    """Switches training mode on or off for this thread and returns the state before.

    Args:
        train_mode: Whether operators run for training from now on.

    Example:
        >>> import mxnet as mx
        >>> before = mx.autograd.set_training(True)
        >>> before, mx.autograd.is_training()
        (False, True)
        >>> mx.autograd.set_training(before)
        True
    """
    before, modes.training = modes.training, bool(train_mode)
    return before


def record(train_mode: bool | None = True) -> Scope:
    """Records what is computed inside of the `with` block, so that it can be differentiated.

    Args:
        train_mode: Whether operators run for training, such as Dropout dropping; None leaves it.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2, 3])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = (x * x).sum()
        >>> y.backward()
        >>> print(x.grad.asnumpy())
        [2. 4. 6.]
    """
    return Scope(True, train_mode)


def pause(train_mode: bool | None = False) -> Scope:
    """Does not record inside of the `with` block.

    Args:
        train_mode: Whether operators run for training in the block; None leaves it.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([3])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     with mx.autograd.pause():
        ...         scale = 2 * x  # a constant to the derivative
        ...     y = scale * x
        >>> y.backward()
        >>> print(x.grad.asnumpy())
        [6.]
    """
    return Scope(False, train_mode)


def train_mode() -> Scope:
    """Runs operators for training inside of the `with` block, recorded or not.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1000,))
        >>> with mx.autograd.train_mode():
        ...     dropped = mx.nd.Dropout(x, p=0.5)
        >>> bool((dropped == 0).sum() > 0), bool((mx.nd.Dropout(x, p=0.5) == x).min())
        (True, True)
    """
    return Scope(None, True)


def predict_mode() -> Scope:
    """Runs operators for prediction inside of the `with` block, recorded or not.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1000,))
        >>> with mx.autograd.record():
        ...     with mx.autograd.predict_mode():  # Dropout does nothing, and is recorded
        ...         y = mx.nd.Dropout(x, p=0.5)
        >>> bool((y == x).min())
        True
    """
    return Scope(None, False)


@public_call
def mark_variables(
    variables: NDArray | Sequence[NDArray],
    gradients: NDArray | Sequence[NDArray],
    grad_reqs: str | Sequence[str] = "write",
) -> None:
    """Makes arrays variables whose gradients go to the given arrays.

    Args:
        variables: The variables.
        gradients: Array for the gradient of each.
        grad_reqs: `"write"`, `"add"` or `"null"`, for all or one for each.

    Example:
        >>> import mxnet as mx
        >>> x, gradient = mx.nd.array([1, 2, 3]), mx.nd.zeros(3)
        >>> mx.autograd.mark_variables([x], [gradient])
        >>> with mx.autograd.record():
        ...     y = x**2
        >>> y.backward()
        >>> print(gradient.asnumpy())
        [2. 4. 6.]
    """
    variables, gradients = _as_list(variables), _as_list(gradients)
    requests = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(variables) == len(gradients) == len(requests):
        raise InvalidArgumentError(
            f"mark_variables: {len(variables)} variables, {len(gradients)} gradients and "
            f"{len(requests)} requests do not fit"
        )
    for variable, gradient, request in zip(variables, gradients, requests, strict=True):
        attach_gradient(variable, gradient, request)


def _as_list(arrays: Any) -> list[Any]:
    return [arrays] if isinstance(arrays, NDArray) else list(arrays)


def _head_list(
    heads: NDArray | Sequence[NDArray], head_grads: Any
) -> tuple[list[NDArray], list[NDArray | None]]:
    listed = _as_list(heads)
    gradients = [None] * len(listed) if head_grads is None else _as_list(head_grads)
    if len(gradients) != len(listed):
        raise InvalidArgumentError(
            f"backward: {len(listed)} heads have {len(gradients)} head gradients"
        )
    return listed, gradients


@public_call
def backward(
    heads: NDArray | Sequence[NDArray],
    head_grads: NDArray | Sequence[NDArray | None] | None = None,
    retain_graph: bool = False,
    train_mode: bool = True,
) -> None:
    """Computes the gradients of all variables that the heads were computed from.

    Args:
        heads: Arrays to differentiate; their elements are summed.
        head_grads: Gradient of each head, None for ones.
        retain_graph: Whether the graph can be used again.
        train_mode: Whether operators differentiate for training.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2, 3])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y, z = x**2, 10 * x
        >>> mx.autograd.backward([y, z], [mx.nd.ones(3), mx.nd.array([1, 0, 1])])
        >>> print(x.grad.asnumpy())
        [12.  4. 16.]
    """
    listed, gradients = _head_list(heads, head_grads)
    differentiate(listed, gradients, retain_graph=retain_graph, train_mode=train_mode)


@public_call
def grad(
    heads: NDArray | Sequence[NDArray],
    variables: NDArray | Sequence[NDArray],
    head_grads: NDArray | Sequence[NDArray | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[NDArray]:
    """Returns the gradients of the heads with respect to variables, and leaves `x.grad` alone.

    Args:
        heads: Arrays to differentiate; their elements are summed.
        variables: Arrays with a gradient attached.
        head_grads: Gradient of each head, None for ones.
        retain_graph: Whether the graph can be used again; by default if `create_graph`.
        create_graph: Whether the gradients can be differentiated themselves.
        train_mode: Whether operators differentiate for training.

    Returns:
        One gradient for each variable.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.array([1, 2, 3])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     slope = mx.autograd.grad(x**3, x, create_graph=True)[0]
        >>> slope.backward()  # the second derivative
        >>> print(slope.asnumpy(), x.grad.asnumpy())
        [ 3. 12. 27.] [ 6. 12. 18.]
    """
    listed, gradients = _head_list(heads, head_grads)
    wanted = _as_list(variables)
    if not wanted:
        raise InvalidArgumentError("grad: expected at least one variable, got none")
    leaves = [_leaf(variable, number) for number, variable in enumerate(wanted, 1)]
    retain = create_graph if retain_graph is None else retain_graph
    nodes = [head_node(head) for head in listed]
    starts = [
        None
        if given is None
        else fit_gradient(given._recorded() if create_graph else given._plain, node, head)
        for head, node, given in zip(listed, nodes, gradients, strict=True)
    ]
    with Scope(None, train_mode):
        computed = run_backward(
            nodes,
            starts,
            retain_graph=retain or create_graph,
            create_graph=create_graph,
            leaves=leaves,
        )
    results = []
    for number, (variable, gradient) in enumerate(zip(wanted, computed, strict=True), 1):
        leaf = leaves[number - 1]
        if gradient is None and not is_leaf_of(leaf, nodes):
            raise MXNetError(
                f"Cannot differentiate with respect to the {number}-th variable because it is "
                "unreachable from the outputs"
            )
        dense = torch.zeros_like(leaf) if gradient is None else in_memory(gradient)
        if not variable._plain.dtype.is_floating_point:
            dense = dense.to(variable._plain.dtype)
        if create_graph and not dense.requires_grad:  # its own gradient is zero
            dense = join_without_gradient(dense, [leaf])
        cls = dialect_of(variable).array
        results.append(cls._wrap_recorded(dense, variable._ctx, None))
    if not retain:
        consume(listed)
    return results


def _leaf(variable: NDArray, number: int) -> Tensor:
    node = node_of(variable)
    if node is None or not isinstance(variable._role, Variable):
        raise MXNetError(
            f"Cannot differentiate with respect to the {number}-th variable because it does not "
            "require gradient; call attach_grad() before recording"
        )
    return node


@public_call
def get_symbol(x: NDArray) -> Symbol:
    """Returns the graph of what was recorded to compute an array.

    Arrays with a gradient are its variables `var0`, `var1`, ...; other arrays that were read are
    called `null` with a number.

    Args:
        x: A recorded array, or one with a gradient.

    Raises:
        MXNetError: if the array is neither.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones(2)
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = x * x + 1
        >>> mx.autograd.get_symbol(y).list_arguments()
        ['var0']
    """
    if not isinstance(x, NDArray):
        raise ArgumentTypeError(f"get_symbol: expects an NDArray, got {type(x).__name__}")
    if x._node is None and x.grad is None:
        raise MXNetError(
            "get_symbol: the NDArray is not part of a computation graph; compute it inside "
            "autograd.record() from an array that has a gradient"
        )
    from mxnet._frontend.recorded_graphs import graph_of  # noqa: PLC0415 - few programs ask

    return dialect_of(x).symbol([graph_of(x)])


class Function:
    """A computation with a gradient of its own; subclasses define `forward` and `backward`.

    `forward` gets the arguments of the call and returns an array or several. `backward` gets the
    gradient of each of them and returns one for each array argument. Neither is recorded. One
    instance can be called several times, and arguments may be other things than arrays.

    Example:
        >>> import mxnet as mx
        >>> class Clamp(mx.autograd.Function):  # lets gradients through where `clip` does not
        ...     def forward(self, values, limit):
        ...         return values.clip(-limit, limit)
        ...
        ...     def backward(self, gradient):
        ...         return gradient
        >>> x = mx.nd.array([-3, 1])
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = Clamp()(x, 2)
        >>> y.backward()
        >>> print(y.asnumpy(), x.grad.asnumpy())
        [-2.  1.] [1. 1.]
    """

    _saved: tuple[Any, ...] = ()
    _last: weakref.ReferenceType[_Call] | None = None

    def save_for_backward(self, *args: Any) -> None:
        """Keeps arrays for `backward`, which finds them in `saved_tensors`."""
        self._saved = args

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept."""
        return self._saved

    @overload
    def __call__(self: Computes[NDArray], x: A, /, *inputs: Any) -> A: ...
    @overload
    def __call__(self: Computes[R_co], *inputs: Any) -> R_co: ...
    @public_call
    def __call__(self, *inputs: Any) -> Any:
        """Runs `forward`, and puts the call into the graph while recording."""
        recording = modes.recording
        last = self._last() if self._last is not None else None
        if last is not None:  # keeps the state that its forward left: this one changes it
            last.function = copy.copy(self)
        with Scope(False, None):
            outputs = self.forward(*inputs)
        if not recording:
            return outputs
        single = isinstance(outputs, NDArray)
        results = [outputs] if single else outputs
        if not isinstance(results, (list, tuple)) or not all(
            isinstance(item, NDArray) for item in results
        ):
            raise UnsupportedTypeError(
                f"{type(self).__name__}.forward: expected an NDArray or a list of them, "
                f"got {outputs!r}"
            )
        arrays = [item for item in inputs if isinstance(item, NDArray)]
        cls = dialect_of_call(results).array
        call = _Call(self, cls, [item._ctx for item in results], [item.shape for item in arrays])
        self._last = weakref.ref(call)
        tensors: tuple[Tensor, ...] = _FunctionNode.apply(  # type: ignore[no-untyped-call]
            call, [item._plain for item in results], *(array._recorded() for array in arrays)
        )
        wrapped = [
            cls._wrap_recorded(tensor, result._ctx, None)
            for tensor, result in zip(tensors, results, strict=True)
        ]
        return wrapped[0] if single else type(outputs)(wrapped)

    @overridable
    def forward(self, *inputs: Any) -> Any:
        """Computes the outputs."""
        raise NotImplementedError(f"{type(self).__name__} does not define forward")

    @overridable
    def backward(self, *output_grads: Any) -> Any:
        """Computes the gradients of the array arguments."""
        raise NotImplementedError(f"{type(self).__name__} does not define backward")


class _Call:
    """One recorded call of a `Function`: what its backward needs to know."""

    __slots__ = ("__weakref__", "array_class", "contexts", "function", "modes", "shapes")

    def __init__(
        self,
        function: Function,
        array_class: type[NDArray],
        contexts: list[Context],
        shapes: list[tuple[int, ...]],
    ) -> None:
        self.function, self.array_class = function, array_class
        self.contexts, self.shapes = contexts, shapes
        self.modes = BackwardModes()

    def backward(self, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Runs the function's backward and checks what it returns."""
        arrays = [
            self.array_class._wrap(gradient, ctx)
            for gradient, ctx in zip(gradients, self.contexts, strict=True)
        ]
        where = f"{type(self.function).__name__}.backward"
        with self.modes.scope(), explained(where, delayed=True):
            returned = self.function.backward(*arrays)
        listed = list(returned) if isinstance(returned, (list, tuple)) else [returned]
        if len(listed) != len(self.shapes):
            raise MXNetError(
                f"{where}: expected {len(self.shapes)} gradients, one for each array that "
                f"forward takes, got {len(listed)}"
            )
        return [
            _fit(item, shape, f"{where}: gradient {number}")
            for number, (item, shape) in enumerate(zip(listed, self.shapes, strict=True))
        ]


def _fit(gradient: Any, shape: tuple[int, ...], where: str) -> Tensor:
    if not isinstance(gradient, NDArray):
        raise UnsupportedTypeError(f"{where}: expected an NDArray, got {type(gradient).__name__}")
    try:
        return differentiable_once(gradient._plain.expand(shape), where)
    except RuntimeError as error:
        raise ShapeMismatchError(
            f"{where}: expected shape {shape}, got {gradient.shape}"
        ) from error


class _FunctionNode(torch.autograd.Function):
    """Puts one call of a `Function` into torch's graph."""

    @staticmethod
    def forward(ctx: Any, call: _Call, results: Sequence[Tensor], *_: Tensor) -> tuple[Tensor, ...]:
        ctx.call = call
        # view_as: torch must not take a result that forward passed through for its own input
        return tuple(item.view_as(item) for item in results)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        return (None, None, *ctx.call.backward([item.detach() for item in gradients]))

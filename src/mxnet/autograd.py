"""Recorded automatic differentiation."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from types import TracebackType
from typing import Any

import torch
from torch import Tensor

from mxnet import _tape
from mxnet._array import attach_gradient, consume, head_node
from mxnet._modes import Tape, modes
from mxnet.errors import MXNetError
from mxnet.ndarray.ndarray import NDArray, differentiate


def is_recording() -> bool:
    """Tells whether this thread records."""
    return modes.recording


def is_training() -> bool:
    """Tells whether operators of this thread run for training."""
    return modes.training


def set_recording(is_recording: bool) -> bool:
    """Switches recording on or off for this thread and gives the state before."""
    before, modes.recording = modes.recording, bool(is_recording)
    return before


def set_training(train_mode: bool) -> bool:
    """Switches training mode on or off for this thread and gives the state before."""
    before, modes.training = modes.training, bool(train_mode)
    return before


class _Scope:
    """Sets modes inside of a `with` block; None leaves one as it is."""

    __slots__ = ("_before", "_recording", "_training")

    def __init__(self, recording: bool | None, training: bool | None) -> None:
        self._recording, self._training = recording, training

    def __enter__(self) -> None:
        self._before = modes.recording, modes.training
        if self._recording is not None:
            if self._recording and not modes.recording:
                modes.tape = Tape()
            modes.recording = self._recording
        if self._training is not None:
            modes.training = self._training

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        modes.recording, modes.training = self._before


def record(train_mode: bool | None = True) -> _Scope:
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
    return _Scope(True, train_mode)


def pause(train_mode: bool | None = False) -> _Scope:
    """Does not record inside of the `with` block."""
    return _Scope(False, train_mode)


def train_mode() -> _Scope:
    """Runs operators for training inside of the `with` block, recorded or not."""
    return _Scope(None, True)


def predict_mode() -> _Scope:
    """Runs operators for prediction inside of the `with` block, recorded or not."""
    return _Scope(None, False)


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
    """
    variables, gradients = _as_list(variables), _as_list(gradients)
    requests = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(variables) == len(gradients) == len(requests):
        raise MXNetError(
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
        raise MXNetError(f"backward: {len(listed)} heads have {len(gradients)} head gradients")
    return listed, gradients


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
    """
    listed, gradients = _head_list(heads, head_grads)
    differentiate(listed, gradients, retain_graph=retain_graph, train_mode=train_mode)


def grad(
    heads: NDArray | Sequence[NDArray],
    variables: NDArray | Sequence[NDArray],
    head_grads: NDArray | Sequence[NDArray | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[NDArray]:
    """Gives the gradients of the heads with respect to variables, and leaves `x.grad` alone.

    Args:
        heads: Arrays to differentiate; their elements are summed.
        variables: Arrays with a gradient attached.
        head_grads: Gradient of each head, None for ones.
        retain_graph: Whether the graph can be used again; by default if `create_graph`.
        create_graph: Whether the gradients can be differentiated themselves.
        train_mode: Whether operators differentiate for training.

    Returns:
        One gradient for each variable.
    """
    listed, gradients = _head_list(heads, head_grads)
    wanted = _as_list(variables)
    leaves = [_leaf(variable, number) for number, variable in enumerate(wanted, 1)]
    retain = create_graph if retain_graph is None else retain_graph
    nodes = [head_node(head) for head in listed]
    starts = [
        torch.ones_like(node) if given is None else _head_gradient(given, create_graph)
        for node, given in zip(nodes, gradients, strict=True)
    ]
    with _Scope(None, train_mode):
        found = _differentiate_leaves(nodes, leaves, starts, retain or create_graph, create_graph)
    results = []
    for number, (variable, gradient) in enumerate(zip(wanted, found, strict=True), 1):
        if gradient is None:
            raise MXNetError(
                f"Cannot differentiate with respect to the {number}-th variable because it is "
                "unreachable from the outputs"
            )
        results.append(NDArray._wrap_recorded(gradient, variable._ctx))
    if not retain:
        consume(listed)
    return results


def _leaf(variable: NDArray, number: int) -> Tensor:
    node = variable._node
    if node is None or variable._tape is not None:
        raise MXNetError(
            f"Cannot differentiate with respect to the {number}-th variable because it does not "
            "require gradient; call attach_grad() before recording"
        )
    return node


def _head_gradient(gradient: NDArray, create_graph: bool) -> Tensor:
    return gradient._recorded() if create_graph else gradient._plain


def _differentiate_leaves(
    nodes: list[Tensor],
    leaves: list[Tensor],
    starts: list[Tensor],
    retain: bool,
    create_graph: bool,
) -> Sequence[Tensor | None]:
    try:
        return torch.autograd.grad(
            nodes,
            leaves,
            starts,
            retain_graph=retain,
            create_graph=create_graph,
            allow_unused=True,
        )
    except RuntimeError as error:
        if "second time" in str(error):
            raise MXNetError(_tape.NOT_IN_GRAPH) from error
        raise MXNetError(f"grad: {error}") from error


class Function:
    """A computation with a gradient of its own; subclasses define `forward` and `backward`.

    `forward` gets the arguments of the call and returns an array or several. `backward` gets the
    gradient of each of them and returns one for each array argument. Neither is recorded. One
    instance can be called several times, and arguments may be other things than arrays.

    Example:
        >>> import mxnet as mx
        >>> class Sigmoid(mx.autograd.Function):
        ...     def forward(self, x):
        ...         y = 1 / (1 + mx.nd.exp(-x))
        ...         self.save_for_backward(y)
        ...         return y
        ...
        ...     def backward(self, dy):
        ...         (y,) = self.saved_tensors
        ...         return dy * y * (1 - y)
        >>> x = mx.nd.zeros(1)
        >>> x.attach_grad()
        >>> with mx.autograd.record():
        ...     y = Sigmoid()(x)
        >>> y.backward()
        >>> print(x.grad.asnumpy())
        [0.25]
    """

    _saved: tuple[Any, ...] = ()

    def save_for_backward(self, *args: Any) -> None:
        """Keeps arrays for `backward`, which finds them in `saved_tensors`."""
        self._saved = args

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What `save_for_backward` kept."""
        return self._saved

    def __call__(self, *inputs: Any) -> Any:
        recording = modes.recording
        with _Scope(False, None):
            outputs = self.forward(*inputs)
        if not recording:
            return outputs
        single = isinstance(outputs, NDArray)
        results = [outputs] if single else list(outputs)
        arrays = [item for item in inputs if isinstance(item, NDArray)]
        # Each call keeps the state that forward left, so that one instance can be called again.
        call = copy.copy(self)
        tensors: tuple[Tensor, ...] = _FunctionCall.apply(  # type: ignore[no-untyped-call]
            call, results, *(array._recorded() for array in arrays)
        )
        wrapped = [
            NDArray._wrap_recorded(tensor, result._ctx)
            for tensor, result in zip(tensors, results, strict=True)
        ]
        return wrapped[0] if single else type(outputs)(wrapped)

    def forward(self, *inputs: Any) -> Any:
        """Computes the outputs."""
        raise TypeError(f"{type(self).__name__} does not define forward")

    def backward(self, *output_grads: Any) -> Any:
        """Computes the gradients of the array arguments."""
        raise TypeError(f"{type(self).__name__} does not define backward")


class _FunctionCall(torch.autograd.Function):
    """Puts one call of a `Function` into torch's graph."""

    @staticmethod
    def forward(
        ctx: Any, call: Function, results: Sequence[NDArray], *tensors: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.call, ctx.contexts, ctx.count = call, [item._ctx for item in results], len(tensors)
        ctx.set_materialize_grads(True)
        # view_as: torch must not take a result that forward passed through for its own input
        return tuple(item._plain.view_as(item._plain) for item in results)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Any, ...]:
        arrays = [
            NDArray._wrap(gradient, context)
            for gradient, context in zip(gradients, ctx.contexts, strict=True)
        ]
        with _Scope(False, None):
            found = ctx.call.backward(*arrays)
        found = [found] if isinstance(found, NDArray) or found is None else list(found)
        if len(found) != ctx.count:
            raise MXNetError(
                f"{type(ctx.call).__name__}.backward: expected {ctx.count} gradients, one for "
                f"each array that forward takes, got {len(found)}"
            )
        return (None, None, *(None if item is None else item._plain for item in found))

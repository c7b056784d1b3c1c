"""Automatic differentiation under the names that it had before 1.0: `mx.contrib.autograd`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mxnet import autograd
from mxnet._state import Scope
from mxnet.autograd import mark_variables as mark_variables
from mxnet.errors import ArgumentTypeError
from mxnet.ndarray import NDArray, zeros_like


def set_is_training(is_train: bool) -> bool:
    """Switches recording and training mode on or off and gives the mode before."""
    autograd.set_recording(is_train)
    return autograd.set_training(is_train)


class TrainingStateScope(Scope):
    """Records and runs operators for training inside of a `with` block, or does neither.

    Args:
        enter_state: Whether it does.
    """

    def __init__(self, enter_state: bool) -> None:
        super().__init__(bool(enter_state), bool(enter_state))


def train_section() -> TrainingStateScope:
    """Records what is computed inside of the `with` block, for training."""
    return TrainingStateScope(True)


def test_section() -> TrainingStateScope:
    """Does not record inside of the `with` block, and predicts."""
    return TrainingStateScope(False)


def backward(
    outputs: Sequence[NDArray],
    out_grads: Sequence[NDArray | None] | None = None,
    retain_graph: bool = False,
) -> None:
    """Computes the gradients of all variables that the outputs were computed from.

    Args:
        outputs: List of arrays to differentiate.
        out_grads: Gradient of each output, None for ones.
        retain_graph: Whether the graph can be used again.
    """
    if not isinstance(outputs, (list, tuple)):
        raise ArgumentTypeError(f"backward: takes a list of arrays, got {type(outputs).__name__}")
    autograd.backward(outputs, out_grads, retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """Computes the gradients of all variables that the outputs were computed from."""
    backward(outputs)


def grad_and_loss(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., tuple[list[NDArray], Any]]:
    """Makes a function that gives the gradients of another, and what that returns.

    Args:
        func: Function on arrays.
        argnum: Positions of the arguments to differentiate by; all by default.
    """

    @functools.wraps(func)
    def differentiated(*args: Any) -> tuple[list[NDArray], Any]:
        places = [argnum] if isinstance(argnum, int) else argnum
        variables = list(args) if places is None else [args[place] for place in places]
        for variable in variables:
            if not isinstance(variable, NDArray):
                raise ArgumentTypeError(
                    f"grad_and_loss: differentiates by arrays, got {type(variable).__name__}"
                )
        gradients = [zeros_like(variable) for variable in variables]
        mark_variables(variables, gradients)
        with train_section():
            outputs = func(*args)
        backward([outputs] if isinstance(outputs, NDArray) else outputs)
        return gradients, outputs

    return differentiated


def grad(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., list[NDArray]]:
    """Makes a function that gives the gradients of another.

    Args:
        func: Function on arrays.
        argnum: Positions of the arguments to differentiate by; all by default.
    """
    with_loss = grad_and_loss(func, argnum)

    @functools.wraps(func)
    def differentiated(*args: Any) -> list[NDArray]:
        return with_loss(*args)[0]

    return differentiated

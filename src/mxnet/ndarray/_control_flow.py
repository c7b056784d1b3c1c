"""Loops and conditions on arrays: Python runs them, step by step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxnet.errors import ArgumentValueError, UnsupportedTypeError
from mxnet.graph.run import flatten, read_limit, regroup
from mxnet.ndarray._creation import zeros
from mxnet.ndarray._namespaces import FUNCTIONS
from mxnet.ndarray._ndarray import NDArray


def foreach(body: Callable[..., Any], data: Any, init_states: Any) -> tuple[Any, Any]:
    """Runs a function for each slice of arrays along their first axis.

    Args:
        body: Called as `body(slices, states)`; gives the outputs of the step and the new states.
        data: What to go through, an array or nested lists of arrays.
        init_states: States before the first step, an array or nested lists of arrays.

    Returns:
        The outputs, stacked over all steps, and the states after the last step.

    Example:
        >>> import mxnet as mx
        >>> total = lambda x, state: (x + state, x + state)
        >>> sums, last = mx.nd.contrib.foreach(total, mx.nd.array([1, 2, 3]), mx.nd.zeros((1,)))
        >>> print(last.asnumpy())
        [6.]
    """
    arrays, data_form = flatten(data, NDArray, "foreach: data")
    flatten(init_states, NDArray, "foreach: states")
    states = init_states
    steps = []
    form: Any = []
    for position in range(arrays[0].shape[0]):
        slices = regroup([array[position] for array in arrays], data_form)
        outputs, states = body(slices, states)
        found, form = flatten(outputs, NDArray, "foreach: output")
        steps.append(found)
    return regroup(_stack(steps), form), states


def _stack(steps: Sequence[Sequence[NDArray]], length: int | None = None) -> list[NDArray]:
    """Stacks the outputs of all steps, with zeros up to a length."""
    stacked = []
    for items in zip(*steps, strict=True):
        result = FUNCTIONS["op"]["stack"](*items)
        if length is not None and len(items) < length:
            shape = (length - len(items), *items[0].shape)
            rest = zeros(shape, ctx=items[0].ctx, dtype=items[0].dtype)
            result = FUNCTIONS["op"]["concat"](result, rest, dim=0)
        stacked.append(result)
    return stacked


def _is_true(value: Any) -> bool:
    return bool(value.asscalar() if isinstance(value, NDArray) else value)


def _as_list(values: Any) -> list[Any]:
    if values is None:
        return []
    return list(values) if isinstance(values, (list, tuple)) else [values]


def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
) -> tuple[Any, Any]:
    """Runs a function as long as a condition holds.

    Args:
        cond: Called as `cond(*loop_vars)`; gives an array of one number.
        func: Called as `func(*loop_vars)`; gives the outputs of a step and the new variables.
        loop_vars: Variables before the first step, an array or a list.
        max_iterations: Largest number of steps.

    Returns:
        The outputs, stacked to `max_iterations` rows of which those after the last step are zero,
        or an empty list if there was no step; and the variables after the last step.
    """
    limit = read_limit(max_iterations)
    if not isinstance(loop_vars, (NDArray, list, tuple)):
        raise UnsupportedTypeError(
            f"while_loop: loop_vars takes arrays, got {type(loop_vars).__name__}"
        )
    single = isinstance(loop_vars, NDArray)
    current = _as_list(loop_vars)
    if not current:
        raise ArgumentValueError("while_loop: there must be at least one variable")
    steps: list[list[NDArray]] = []
    form: Any = []
    while len(steps) < limit and _is_true(cond(*current)):
        outputs, new_vars = func(*current)
        found, form = flatten([] if outputs is None else outputs, NDArray, "while_loop: output")
        new = _as_list(new_vars)
        if len(new) != len(current):
            raise ArgumentValueError(
                f"while_loop: expected {len(current)} variables, got {len(new)}"
            )
        if steps and len(found) != len(steps[0]):
            raise ArgumentValueError(
                f"while_loop: expected {len(steps[0])} outputs in each step, got {len(found)}"
            )
        current = new
        steps.append(found)
    return regroup(_stack(steps, limit), form), current[0] if single else current


def cond(pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any]) -> Any:
    """Runs one of two functions.

    Args:
        pred: An array of one number; all but 0 chooses the first function.
        then_func: Called without arguments.
        else_func: The other choice.

    Returns:
        What the chosen function gives.
    """
    return then_func() if _is_true(pred) else else_func()

"""Conditions and loops of programs on arrays that become graphs: nodes with subgraphs.

What a program does in a branch or in a step of a loop is traced like the rest of it, inside of a
scope that marks the nodes made there, as the functions on symbols have it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxnet._frontend.array_trace import _TRACED_CLASSES, ArrayTracer, traced_like
from mxnet.graph.run import flatten, read_limit, regroup
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol, _control_flow


def cond(
    tracer: ArrayTracer,
    pred: NDArray,
    then_func: Callable[[], Any],
    else_func: Callable[[], Any],
    name: str,
) -> Any:
    """Adds a node that runs one of two functions; see `mx.npx.cond`."""
    branches: list[tuple[list[NDArray], Any]] = []

    def trace(function: Callable[[], Any]) -> list[Symbol]:
        arrays, form = flatten(function(), NDArray, "cond: output")
        branches.append((arrays, form))
        return _symbols_of(tracer, arrays)

    chosen = _symbols_of(tracer, [pred])[0]
    symbols = _control_flow.cond(
        chosen, lambda: trace(then_func), lambda: trace(else_func), name=name
    )
    arrays, form = branches[0]
    return regroup(_arrays_of(symbols, arrays, None), form)


def while_loop(
    tracer: ArrayTracer,
    condition: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None,
    name: str,
) -> tuple[Any, Any]:
    """Adds a node that runs a function as long as a condition holds; see `mx.npx.while_loop`."""
    first, first_form = flatten(loop_vars, NDArray, "while_loop: loop_vars")
    steps: list[tuple[list[NDArray], Any]] = []

    def decide(*variables: Symbol) -> Symbol:
        answer = condition(*_variables_like(first, variables))
        return _symbols_of(tracer, [answer])[0]

    def step(*variables: Symbol) -> tuple[list[Symbol], list[Symbol]]:
        outputs, new_vars = func(*_variables_like(first, variables))
        arrays, form = flatten([] if outputs is None else outputs, NDArray, "while_loop: output")
        new, _ = flatten([] if new_vars is None else new_vars, NDArray, "while_loop: loop_vars")
        steps.append((arrays, form))
        return _symbols_of(tracer, arrays), _symbols_of(tracer, new)

    outputs, last = _control_flow.while_loop(
        decide, step, _symbols_of(tracer, first), max_iterations, name=name
    )
    arrays, form = steps[0]
    stacked = _arrays_of(outputs, arrays, read_limit(max_iterations))
    return regroup(stacked, form), regroup(_arrays_of(last, first, None), first_form)


def _symbols_of(tracer: ArrayTracer, arrays: Sequence[NDArray]) -> list[Symbol]:
    """Returns the places that arrays have in the graph."""
    return [Symbol([tracer.entry_of(array)]) for array in arrays]


def _variables_like(arrays: Sequence[NDArray], variables: Sequence[Symbol]) -> list[NDArray]:
    """Returns traced arrays for the variables of a subgraph."""
    return [
        traced_like(array, variable._heads[0])
        for array, variable in zip(arrays, variables, strict=True)
    ]


def _arrays_of(
    symbols: Sequence[Symbol], arrays: Sequence[NDArray], length: int | None
) -> list[NDArray]:
    """Returns traced arrays for the outputs of a node.

    Args:
        symbols: The outputs.
        arrays: What the subgraph gives for them.
        length: Number of rows if the steps of a loop are stacked.
    """
    rows = () if length is None else (length,)
    return [
        _TRACED_CLASSES[array._dialect_class].of(
            symbol._heads[0], (*rows, *array.shape), array._plain.dtype, array._ctx
        )
        for symbol, array in zip(symbols, arrays, strict=True)
    ]

"""Runs a network in every mode and notes all that a user can see of it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import mxnet as mx
from mxnet import autograd

MODES: dict[str, Callable[[], Any]] = {
    "predict": contextlib.nullcontext,
    "train": autograd.train_mode,
    "record": autograd.record,
    "record predict": lambda: autograd.record(train_mode=False),
    "predict again": contextlib.nullcontext,
}


def flat(value: Any) -> list[Any]:
    """Lists the arrays in nested lists."""
    if isinstance(value, (list, tuple)):
        return [item for part in value for item in flat(part)]
    return [] if value is None else [value]


def shape_of(value: Any) -> Any:
    """Returns the nesting of a result with the shapes and types in it; a tuple is as a list."""
    if isinstance(value, (list, tuple)):
        return [shape_of(part) for part in value]
    return None if value is None else (value.shape, np.dtype(value.dtype).name, str(value.context))


def head_gradient(output: Any, position: int) -> Any:
    """Makes a gradient to start from."""
    values = np.random.RandomState(position + 5).uniform(-1, 1, output.shape)
    return mx.nd.array(values, dtype=output.dtype, ctx=output.context)


def observe(
    net: Any, call: Callable[[], Any], inputs: Sequence[Any], modes: Sequence[str] = tuple(MODES)
) -> dict[str, Any]:
    """Runs a call in some modes; gives outputs, gradients and states, by mode and name."""
    found: dict[str, Any] = {}
    for mode in modes:
        mx.random.seed(7)
        with MODES[mode]():
            outputs = call()
        found[f"{mode}: structure"] = shape_of(outputs)
        arrays = flat(outputs)
        for position, item in enumerate(arrays):
            found[f"{mode}: output {position}"] = item.asnumpy()
        if mode.startswith("record"):
            heads = [head_gradient(item, position) for position, item in enumerate(arrays)]
            autograd.backward(arrays, heads)
            found.update((f"{mode}: {name}", g) for name, g in _gradients(net, inputs).items())
        for name, parameter in net.collect_params().items():
            if parameter.grad_req == "null":
                found[f"{mode}: state {name}"] = parameter.data().asnumpy()
    return found


def _gradients(net: Any, inputs: Sequence[Any]) -> dict[str, Any]:
    found = {
        f"gradient {position}": item.grad.asnumpy()
        for position, item in enumerate(inputs)
        if item.grad is not None
    }
    for name, parameter in net.collect_params().items():
        if parameter.grad_req != "null":
            found[f"gradient {name}"] = parameter.grad().asnumpy()
    return found


def values_of(net: Any) -> dict[str, Any]:
    """Returns copies of all parameters."""
    return {name: item.data().copy() for name, item in net.collect_params().items()}


def restore(net: Any, values: dict[str, Any]) -> None:
    """Sets all parameters to what they were, and their gradients to zero."""
    for name, parameter in net.collect_params().items():
        parameter.set_data(values[name])
    net.collect_params().zero_grad()


def assert_same(found: dict[str, Any], expected: dict[str, Any], tolerance: float = 1e-5) -> None:
    """Compares two observations."""
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if "structure" in name:
            assert found[name] == value, name
            continue
        limit = max(tolerance, 4e-3) if value.dtype == np.float16 else tolerance
        np.testing.assert_allclose(
            found[name], value, rtol=limit, atol=limit, err_msg=name, equal_nan=True
        )


def compiled_blocks(net: Any) -> list[str]:
    """Returns the names of the blocks that have run as a graph."""
    found: list[str] = []

    def look(block: Any) -> None:
        graphs = getattr(getattr(block, "_mx_hybrid", None), "_graphs", {})
        if graphs and None not in graphs.values():
            found.append(block.name)

    net.apply(look)
    return found


def compare(
    net: Any,
    call: Callable[[], Any],
    inputs: Sequence[Any] = (),
    modes: Sequence[str] = tuple(MODES),
    expects_graph: bool = True,
    **options: Any,
) -> None:
    """Checks that a network computes after `hybridize` what it does before, and after the end.

    Args:
        net: The network, with parameters.
        call: Calls it on the inputs.
        inputs: Arrays whose gradients are compared.
        modes: Modes to compare in.
        expects_graph: Whether some block must have become a graph.
        **options: Arguments of `hybridize`.
    """
    before = values_of(net)
    expected = observe(net, call, inputs, modes)
    restore(net, before)
    net.hybridize(**options)
    assert_same(observe(net, call, inputs, modes), expected)
    assert compiled_blocks(net) or not expects_graph
    restore(net, before)
    net.hybridize(False)
    assert_same(observe(net, call, inputs, modes), expected, 1e-6)
    restore(net, before)

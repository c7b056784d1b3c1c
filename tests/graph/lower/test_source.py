"""Code of long graphs: steps that do the same share a function, and compute what they should."""

from __future__ import annotations

import operator
import weakref

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.lower import CallGraph, compile_graph
from mxnet.graph.lower.code import Source


def make_long(steps: int, scale=lambda _: 0.5) -> CallGraph:
    """Makes a graph of 35 calls in each step, which hand two values on."""
    graph = CallGraph()
    h, c = graph.placeholder("input_0"), graph.placeholder("input_1")
    results = []
    for step in range(steps):
        both = graph.call_function(torch.cat, ([h, c],), {"dim": 0})
        for _ in range(16):
            both = graph.call_function(torch.mul, (both, scale(step)))
            both = graph.call_function(torch.add, (both, 1))
        h = graph.call_function(torch.narrow, (both, 0, 0, 2))
        c = graph.call_function(torch.narrow, (both, 0, 2, 2))
        results.append(h)
    graph.output([*results, c])
    return graph


def compute_plainly(steps: int, scale=lambda _: 0.5) -> list[torch.Tensor]:
    h, c = torch.ones(2), torch.zeros(2)
    results = []
    for step in range(steps):
        both = torch.cat([h, c])
        for _ in range(16):
            both = both * scale(step) + 1
        h, c = both[:2], both[2:]
        results.append(h)
    return [*results, c]


class TestSteps:
    def test_that_are_alike_share_a_function(self):
        graph = make_long(40)
        assert Source(graph).text.count("def step_") <= 4
        results = compile_graph(graph, torch.nn.Module())(torch.ones(2), torch.zeros(2))
        for result, expected in zip(results, compute_plainly(40), strict=True):
            torch.testing.assert_close(result, expected)

    def test_of_other_attributes_do_not(self):
        graph = make_long(40, scale=float)
        assert Source(graph).text.count("def step_") >= 40
        results = compile_graph(graph, torch.nn.Module())(torch.ones(2), torch.zeros(2))
        for result, expected in zip(results, compute_plainly(40, scale=float), strict=True):
            torch.testing.assert_close(result, expected)

    def test_tell_zeros_and_types_apart(self):
        def scale(step: int) -> object:
            return (0.0, -0.0, 1, 1.0, True)[step % 5]

        graph = make_long(40, scale)
        results = compile_graph(graph, torch.nn.Module())(torch.ones(2), torch.zeros(2))
        for result, expected in zip(results, compute_plainly(40, scale), strict=True):
            torch.testing.assert_close(result, expected)
        names = [value for value in Source(graph).values.values() if isinstance(value, float)]
        assert sorted(map(repr, names)) == ["-0.0", "0.0", "1.0"]

    def test_drop_values_that_are_not_read_any_more(self):
        seen: list[weakref.ref[torch.Tensor]] = []
        alive: list[int] = []

        def note(value: torch.Tensor) -> torch.Tensor:
            result = value + 1
            alive.append(sum(item() is not None for item in seen))
            seen.append(weakref.ref(result))
            return result

        graph = CallGraph()
        value = graph.placeholder("input_0")
        for _ in range(450):
            value = graph.call_function(note, (value,))
        graph.output([value])
        (result,) = compile_graph(graph, torch.nn.Module())(torch.zeros(1))
        assert result.item() == 450
        assert max(alive) <= 3


def test_an_unrolled_network_has_the_gradients_of_its_steps():
    cell = mx.rnn.LSTMCell(3, prefix="lstm_")
    outputs, _ = cell.unroll(60, mx.sym.var("data"), layout="NTC", merge_outputs=True)
    executor = outputs.simple_bind(mx.cpu(), data=(2, 60, 4))
    generator = np.random.default_rng(1)
    for array in executor.arg_dict.values():
        array[:] = generator.normal(size=array.shape) / 2
    (result,) = executor.forward(is_train=True)
    executor.backward(mx.nd.ones(result.shape))

    values = {name: torch.tensor(a.asnumpy()) for name, a in executor.arg_dict.items()}
    leaves = {name: value.requires_grad_() for name, value in values.items()}
    h = c = torch.zeros(2, 3)
    steps = []
    for step in range(60):
        weights = [leaves[f"lstm_{name}"] for name in ("i2h_weight", "h2h_weight")]
        biases = [leaves[f"lstm_{name}"] for name in ("i2h_bias", "h2h_bias")]
        h, c = torch.lstm_cell(leaves["data"][:, step], (h, c), *weights, *biases)
        steps.append(h)
    expected = torch.stack(steps, 1)
    expected.sum().backward()
    np.testing.assert_allclose(result.asnumpy(), expected.detach(), rtol=1e-5, atol=1e-6)
    for name, gradient in executor.grad_dict.items():
        np.testing.assert_allclose(gradient.asnumpy(), leaves[name].grad, rtol=1e-4, atol=1e-5)


def make_split(parts: int) -> CallGraph:
    """Makes a graph that adds up the parts of an array, from the last to the first."""
    graph = CallGraph()
    data = graph.placeholder("input_0")
    split = graph.call_function(torch.unbind, (data,))
    picked = [graph.call_function(operator.getitem, (split, index)) for index in range(parts)]
    total = picked[-1]
    for part in reversed(picked[:-1]):
        total = graph.call_function(torch.add, (part, total))
    graph.output([total, picked[2]])
    return graph


class TestTuples:
    @pytest.mark.parametrize("parts", [5, 300])
    def test_are_taken_apart_in_a_line(self, parts):
        graph = make_split(parts)
        lines = Source(graph).text.splitlines()
        assert sum(f"[0:{parts}]" in line for line in lines) == 1
        data = torch.arange(2.0 * parts).reshape(parts, 2)
        total, third = compile_graph(graph, torch.nn.Module())(data)
        torch.testing.assert_close(total, data.sum(0))
        torch.testing.assert_close(third, data[2])

    def test_may_be_read_in_part_and_in_any_order(self):
        graph = CallGraph()
        split = graph.call_function(torch.unbind, (graph.placeholder("input_0"),))
        order = [2, 3, 1, 0, 3]
        graph.output([graph.call_function(operator.getitem, (split, i)) for i in order])
        results = compile_graph(graph, torch.nn.Module())(torch.arange(5))
        assert [int(result) for result in results] == order

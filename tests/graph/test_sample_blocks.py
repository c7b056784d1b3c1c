"""Every operator sample in a hybridized block: outputs, gradients and changed states."""

from __future__ import annotations

from itertools import groupby

import numpy as np
import torch

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.graph.lower import Setting, lower
from mxnet.graph.run import Program
from tests.bundles import each
from tests.ops.harness import function_of, held_constant, input_name, parse_call
from tests.ops.samples.core import Sample

from .test_samples import VALID, as_symbol


class Call(gluon.HybridBlock):
    """Calls the function of a sample."""

    def __init__(self, sample: Sample):
        super().__init__()
        self.op, _ = parse_call(sample)
        self.name_of_op = sample.op
        implied = self.op.variadic and "num_args" not in self.op.attrs
        self.attrs = {
            key: value for key, value in sample.attrs.items() if not (implied and key == "num_args")
        }

    def hybrid_forward(self, F, *inputs):
        function = function_of(self.name_of_op, F)
        if self.op.variadic:
            return function(*inputs, **self.attrs)
        names = (item.name for item in self.op.inputs)
        given = {k: v for k, v in zip(names, inputs, strict=False) if v is not None}
        return function(**given, **self.attrs)


def _run(block: Call, sample: Sample) -> list[np.ndarray]:
    """Returns outputs, gradients and inputs of one call, in which gradients are asked for."""
    mx.random.seed(11)
    arrays = []
    for position, values in enumerate(sample.make_inputs()):
        array = None if values is None else mx.nd.from_torch(torch.tensor(values))
        arrays.append(array)
        if array is None or not array._plain.is_floating_point() or not sample.gradient:
            continue
        if input_name(block.op, position) not in held_constant(block.op):
            array.attach_grad()
    with autograd.record(train_mode=sample.train):
        result = block(*arrays)
    outputs = list(result) if isinstance(result, (list, tuple)) else [result]
    found = [item.asnumpy() for item in outputs]
    heads = [item for item in outputs if item._node is not None]
    if sample.gradient and heads:
        gradients = sample.make_head_gradients(found)
        starts = [
            mx.nd.from_torch(torch.tensor(gradient))
            for item, gradient in zip(outputs, gradients, strict=True)
            if item._node is not None
        ]
        autograd.backward(heads, starts)
    for array in arrays:
        if array is not None:
            found += [array.asnumpy()] if array.grad is None else [array.grad.asnumpy()]
    return found


def samples_with_arrays() -> list:
    """Returns the samples that have inputs, since a block takes arrays, and dense results."""
    return [
        p
        for p in VALID
        if any(array is not None for array in p.values[0].inputs)
        and p.values[0].attrs.get("stype") not in ("csr", "row_sparse")
    ]


@each(samples_with_arrays())
def test_a_hybridized_block_gives_what_the_function_gives(sample: Sample):
    block = Call(sample)
    expected = _run(block, sample)
    block.hybridize()
    found = _run(block, sample)
    assert block._mx_hybrid._graphs
    assert None not in block._mx_hybrid._graphs.values()
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


FEW = [row for _, rows in groupby(VALID, lambda row: row.values[0].op) for row in list(rows)[::6]]


@each(FEW)
def test_the_simplified_plan_gives_what_the_graph_gives(sample: Sample):
    symbol = as_symbol(sample)
    names = symbol.list_inputs()
    given = {f"in{i}": a for i, a in enumerate(sample.make_inputs()) if a is not None}
    setting = Setting(False, False, torch.device("cpu"), None)
    torch.manual_seed(3)
    plain = lower(symbol._graph, names, setting, {})(*(torch.tensor(given[k]) for k in names))
    for constants in (names, names[1:]):
        program = Program(symbol._graph, names, constants)
        torch.manual_seed(3)
        found = program.run([torch.tensor(given[name]) for name in names], setting)
        for one, other in zip(found, plain, strict=True):
            assert one.dtype is other.dtype
            torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-6, equal_nan=True)

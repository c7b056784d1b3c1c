"""Every operator sample as a graph: through a symbol, its file, inference and lowering."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.graph.infer import infer_shapes, infer_types
from mxnet.graph.run import Program
from mxnet.ops.core.attrs import CLASSIC_SHAPES, ShapeRules
from mxnet.ops.core.registry import as_tuple
from tests.bundles import each
from tests.ops.harness import depends_on_data, function_of, parse_call, supplied
from tests.ops.samples.core import Sample
from tests.ops.samples.table import families

VALID = [
    pytest.param(sample, id=f"{family}:{sample.id}")
    for family, samples in families().items()
    for sample in samples
    # One gives nothing, the other is called by positions that depend on its attributes.
    if not sample.raises and sample.op not in ("reset_arrays", "CTCLoss")
]


def as_symbol(sample: Sample):
    """Calls the symbolic function on a variable for each input, and reads the result's file."""
    inputs = [
        None if array is None else mx.sym.var(f"in{i}")
        for i, array in enumerate(sample.make_inputs())
    ]
    op, _ = parse_call(sample)
    implied = op.variadic and "num_args" not in op.attrs
    attrs = {k: v for k, v in sample.attrs.items() if not (implied and k == "num_args")}
    function = function_of(sample.op, mx.sym)
    if not op.variadic:
        names = [item.name for item in op.inputs]
        attrs.update((k, v) for k, v in zip(names, inputs, strict=False) if v is not None)
        inputs = []
    made = function(*inputs, name="sample", **attrs)
    return mx.sym.load_json(made.tojson(remove_amp_cast=False))


def _same(first, second):
    if first.dtype is torch.bfloat16:
        first, second = first.float(), second.float()
    np.testing.assert_array_equal(first.numpy(), second.numpy())


@each(VALID)
def test_the_graph_computes_what_the_kernel_does(sample: Sample):
    symbol = as_symbol(sample)
    op, attrs = parse_call(sample)
    arrays = sample.make_inputs()
    expected = as_tuple(
        op.kernel(
            *(None if a is None else torch.tensor(a) for a in arrays),
            **attrs,
            **supplied(op, sample.train),
        )
    )[: op.count_outputs(attrs)]
    given = {f"in{i}": torch.tensor(a) for i, a in enumerate(arrays) if a is not None}
    names = symbol.list_inputs()
    values = {"training": sample.train, "generator": None, "device": torch.device("cpu")}
    found = Program(symbol._graph, names)([given[name] for name in names], values)
    assert len(found) == len(expected) == len(symbol.list_outputs())
    for one, other in zip(found, expected, strict=True):
        assert one.dtype is other.dtype
        assert one.shape == other.shape
        if not sample.random:
            _same(one, other)


def inferred_samples(needs_numpy: bool) -> list:
    """Returns the samples whose output shapes can be inferred.

    Args:
        needs_numpy: Whether to return those with scalars or empty inputs, or those without.
    """
    return [
        p
        for p in VALID
        if not depends_on_data(p.values[0]) and _needs_numpy(p.values[0]) == needs_numpy
    ]


def _needs_numpy(sample: Sample) -> bool:
    return sample.is_numpy or any(array is not None and not array.size for array in sample.inputs)


def check_inference(sample: Sample, rules: ShapeRules):
    symbol = as_symbol(sample)
    op, attrs = parse_call(sample)
    tensors = [None if a is None else torch.tensor(a) for a in sample.make_inputs()]
    outputs = as_tuple(op.kernel(*tensors, **attrs, **supplied(op, sample.train)))
    given = {f"in{i}": t for i, t in enumerate(tensors) if t is not None}
    nodes = symbol._graph.nodes
    types = infer_types(nodes, {name: tensor.dtype for name, tensor in given.items()})
    shapes = infer_shapes(
        nodes, {name: tuple(tensor.shape) for name, tensor in given.items()}, types, rules
    )
    for head, output in zip(symbol._heads, outputs, strict=False):
        assert rules.write(shapes.get(head)) == tuple(output.shape)
        assert types[head] is output.dtype


@each(inferred_samples(needs_numpy=False))
def test_inference_tells_what_is_computed(sample: Sample):
    check_inference(sample, CLASSIC_SHAPES)


@each(inferred_samples(needs_numpy=True))
def test_inference_tells_scalars_and_empty_shapes_where_zero_is_a_length(sample: Sample):
    check_inference(sample, ShapeRules(unknown=-1, has_scalars=True, element=()))

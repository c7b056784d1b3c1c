"""Stacks of layers: adding, indexing, slicing, joining."""

import warnings

import numpy as np
import pytest

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn
from mxnet.gluon.contrib.nn import Concurrent, HybridConcurrent, Identity, SparseEmbedding

DATA = nd.ones((2, 4))
STACKS = [nn.Sequential, nn.HybridSequential]


def make(kind, *sizes, **kwargs):
    stack = kind(**kwargs)
    with stack.name_scope():
        stack.add(*(nn.Dense(size) for size in sizes))
    return stack


@pytest.mark.parametrize("kind", STACKS)
def test_children_are_found_by_position(kind):
    stack = make(kind, 3, 4, 5, prefix="m_")
    assert len(stack) == 3
    assert [child.name for child in stack] == ["m_dense0", "m_dense1", "m_dense2"]
    assert stack[0].name == "m_dense0"
    assert stack[-1].name == "m_dense2"
    with pytest.raises(IndexError):
        stack[3]


@pytest.mark.parametrize("kind", STACKS)
def test_a_slice_is_a_stack_of_the_same_kind_and_prefix(kind):
    stack = make(kind, 3, 4, 5, prefix="m_")
    part = stack[1:]
    assert type(part) is kind
    assert part.prefix == "m_"
    assert list(part._children) == ["0", "1"]
    assert part[0] is stack[1]
    assert list(part.collect_params()) == [
        "m_dense1_weight",
        "m_dense1_bias",
        "m_dense2_weight",
        "m_dense2_bias",
    ]
    assert list(stack[::2]._children) == ["0", "1"]
    assert len(stack[:0]) == 0


def test_a_slice_of_a_subclass_is_of_the_subclass():
    class Tower(nn.Sequential):
        pass

    assert type(make(Tower, 2, 3)[:1]) is Tower


@pytest.mark.parametrize("kind", STACKS)
def test_stack_runs_children_in_order(kind):
    stack = make(kind, 3, 5)
    stack.initialize()
    assert stack(DATA).shape == (2, 5)
    assert kind()(DATA) is DATA


@pytest.mark.parametrize("kind", STACKS)
def test_printed_form_is_indented(kind):
    outer = kind()
    outer.add(make(kind, 3), nn.Flatten())
    name = kind.__name__
    assert repr(outer) == (
        f"{name}(\n  (0): {name}(\n    (0): Dense(None -> 3, linear)\n  )\n  (1): Flatten\n)"
    )
    assert repr(kind()) == f"{name}(\n\n)"


def test_stack_of_hybrid_layers_hints_at_the_better_one():
    with pytest.warns(UserWarning, match="HybridSequential would compile them as one"):
        make(nn.Sequential, 2, 3).hybridize()
    mixed = make(nn.Sequential, 2)
    mixed.add(nn.Lambda("relu"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixed.hybridize()
        nn.Sequential().hybridize()


@pytest.mark.parametrize("kind", [Concurrent, HybridConcurrent])
def test_concurrent_joins_outputs(kind):
    block = kind(axis=1)
    block.add(nn.Dense(3), nn.Dense(4), Identity())
    block.initialize()
    output = block(DATA)
    assert output.shape == (2, 11)
    assert (output[:, 7:].asnumpy() == 1).all()
    assert block[0:1].axis == -1


def test_sparse_embedding_looks_rows_up():
    layer = SparseEmbedding(5, 3, weight_initializer=mx.init.One())
    layer.initialize()
    mx.gluon.Trainer(layer.collect_params(), "sgd")
    with mx.autograd.record():
        output = layer(nd.array([1, 1, 4]))
    output.backward()
    assert output.shape == (3, 3)
    assert layer.weight.grad().asnumpy()[:, 0].tolist() == [0, 2, 0, 0, 1]


def test_lambda_takes_several_arrays():
    assert (nn.Lambda(lambda x, y: x - y)(DATA, DATA).asnumpy() == 0).all()
    assert nn.Lambda(nd.relu).forward(DATA).shape == (2, 4)
    assert (nn.HybridLambda("elemwise_add")(DATA, DATA).asnumpy() == 2).all()
    assert repr(nn.Lambda(lambda x: x)) == "Lambda(<lambda>)"
    assert nn.Lambda("relu", prefix="a_").name == "a"


def test_dropout_scales_what_it_keeps():
    layer = nn.Dropout(0.5)
    data = nd.ones((100, 100))
    with mx.autograd.record():
        output = layer(data).asnumpy()
    assert set(np.unique(output)) == {0.0, 2.0}
    assert 0.45 < (output == 0).mean() < 0.55
    assert (layer(data).asnumpy() == 1).all()


def test_dropout_shares_its_choice_along_axes():
    layer = nn.Dropout(0.5, axes=(1,))
    with mx.autograd.record():
        output = layer(nd.ones((20, 30))).asnumpy()
    assert (output == output[:, :1]).all()


@pytest.mark.parametrize("kind", [nn.BatchNorm, nn.BatchNormReLU])
def test_batch_norm_stays_in_single_precision_for_half_precision_data(kind):
    layer = kind(in_channels=4)
    layer.initialize()
    layer.cast("float16")
    assert {p.data().dtype for p in layer.collect_params().values()} == {np.float32}
    output = layer(nd.ones((2, 4, 3), dtype="float16"))
    assert output.dtype == np.float16


def test_shapes_of_weights_follow_the_layout():
    assert nn.Conv2D(4, 3, layout="NHWC").weight.shape == (4, 3, 3, 0)
    assert nn.Conv3D(4, 3, layout="NDHWC", in_channels=2).weight.shape == (4, 3, 3, 3, 2)
    assert nn.Conv2DTranspose(4, 3, in_channels=6, groups=2).weight.shape == (6, 2, 3, 3)
    layer = nn.Conv2D(4, 3, layout="NHWC")
    layer.initialize()
    assert layer(nd.ones((1, 5, 5, 2))).shape == (1, 3, 3, 4)
    assert layer.weight.shape == (4, 3, 3, 2)


def test_channels_last_gives_what_channels_first_gives():
    first, last = nn.Conv2D(4, 3, in_channels=2), nn.Conv2D(4, 3, in_channels=2, layout="NHWC")
    first.initialize()
    last.initialize()
    last.weight.set_data(first.weight.data().transpose((0, 2, 3, 1)))
    data = nd.random.uniform(shape=(2, 2, 5, 5))
    found = last(data.transpose((0, 2, 3, 1))).transpose((0, 3, 1, 2))
    np.testing.assert_allclose(found.asnumpy(), first(data).asnumpy(), atol=1e-5)

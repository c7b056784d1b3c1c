"""Every layer gives the same after `hybridize`: outputs, gradients and statistics."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.gluon import nn
from tests.gluon.nn.layers import ROWS, Row, fill

from .observe import compare

CASES = [item for item in ROWS if item.shape]


def prepare(item: Row, net, batch: int = 1):
    """Returns data for a layer, larger by a factor, and the layer values."""
    values = np.concatenate([item.make_data()] * batch)
    data = mx.nd.array(values, dtype=item.dtype)
    if not item.high:
        data.attach_grad()
    net(data)
    for parameter in net.collect_params().values():
        fill(parameter)
    return data


def make(item: Row):
    layer = item.make()
    layer.initialize()
    if item.dtype != "float32":
        layer.cast(item.dtype)
    return layer


@pytest.mark.parametrize("item", CASES, ids=str)
def test_a_layer_alone(item: Row):
    layer = make(item)
    data = prepare(item, layer)
    inputs = [] if item.high else [data]
    compare(layer, lambda: layer(data), inputs, expects_graph=item.layer != "Lambda")


@pytest.mark.parametrize("item", [case for case in CASES if case.layer != "Lambda"], ids=str)
def test_a_layer_in_a_graph(item: Row):
    parent = nn.HybridSequential(prefix="parent_")
    parent.add(nn.HybridLambda("identity"), make(item))
    data = prepare(item, parent, batch=2)
    compare(parent, lambda: parent(data), [] if item.high else [data])


@pytest.mark.parametrize("item", CASES[::4], ids=str)
def test_a_layer_in_an_imperative_network(item: Row):
    parent = nn.Sequential(prefix="parent_")
    parent.add(nn.Lambda("identity"), make(item))
    data = prepare(item, parent)
    inputs = [] if item.high else [data]
    compare(parent, lambda: parent(data), inputs, expects_graph=item.layer != "Lambda")


@pytest.mark.parametrize("item", CASES[::2], ids=str)
def test_other_shapes_between_calls(item: Row):
    layer = make(item)
    parts = [prepare(item, layer, batch) for batch in (1, 3, 2)]
    if item.layer == "PReLU" or "GroupNorm" in item.layer:
        parts = parts[:1] * 2
    inputs = [] if item.high else parts
    graph = item.layer != "Lambda"
    compare(layer, lambda: [layer(part) for part in parts], inputs, expects_graph=graph)


HALVES = [
    item
    for item in CASES
    if item.dtype == "float32" and item.layer not in ("Embedding", "Lambda", "HybridLambda")
]


@pytest.mark.parametrize("dtype", ["float16", "float64"])
@pytest.mark.parametrize("item", HALVES[::2], ids=str)
def test_a_layer_cast_to_another_type(item: Row, dtype: str):
    layer = make(item)
    data = prepare(item, layer)
    layer.hybridize()
    layer(data)  # of the type that it had before
    layer.hybridize(False)
    layer.cast(dtype)
    data = data.astype(dtype)
    data.attach_grad()
    compare(layer, lambda: layer(data), [data])

"""Memory that operators and blocks take, and that is in use."""

from __future__ import annotations

import gc
import json

import pytest

import mxnet as mx
from mxnet import autograd, nd, profiler
from mxnet.gluon import nn
from tests.profiler.profiled import counts, events, profiled


def memory(section):
    return json.loads(profiler.dumps(format="json"))["Memory"].get(section, {})


def in_use(name="Memory: cpu/0"):
    return [event["args"][name] for event in events() if event["name"] == name]


def test_results_count_until_they_are_released():
    x = nd.ones((250, 1))
    gc.collect()  # results of other tests
    with profiled():
        first = nd.relu(x)
        second = nd.relu(x)
        del first
        gc.collect()
        third = nd.relu(x)
    profiler.dump()
    start = in_use()[0] - 1000
    assert [value - start for value in in_use()] == [1000, 2000, 2000]
    assert second.shape == third.shape


def test_views_and_writes_take_no_memory():
    x, y = nd.ones((250, 1)), nd.ones((250, 1))
    with profiled():
        x.reshape((1, 250))
        nd.relu(x, out=y)
        y += 1
        x.detach()
    assert memory("Operator Memory").get("Reshape") is None
    assert {row["Max"] for row in memory("Operator Memory").values()} <= {1.0}


def test_memory_of_operators_and_blocks():
    net = nn.Dense(8, in_units=4, use_bias=False, prefix="layer_")
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 4))
    net(x)
    with profiled():
        for _ in range(2):
            with autograd.record():
                y = net(x)
            y.backward()
    operators, blocks = memory("Operator Memory"), memory("Block Memory")
    assert operators["FullyConnected"] == {"Count": 2, "Min": 0.064, "Max": 0.064, "Avg": 0.064}
    assert operators["_backward_FullyConnected"]["Min"] >= 0.128
    assert blocks["layer"]["Min"] == 0.064
    assert blocks["_backward_layer"]["Min"] >= 0.128


def test_memory_is_left_alone_if_it_is_not_wanted():
    with profiled(profile_memory=False):
        nd.relu(nd.ones(3))
    assert counts(kind="Memory") == {}
    with profiled(profile_memory=False):
        nd.relu(nd.ones(3))
    profiler.dump()
    assert "Memory: cpu/0" not in {event["name"] for event in events()}


def test_sparse_results_are_passed_over():
    x = nd.ones((4, 4)).tostype("row_sparse")
    with profiled():
        nd.sparse.square(x)
    assert counts()["square"] == 1


@pytest.mark.gpu
def test_memory_of_a_gpu_is_that_of_the_allocator():
    x = nd.ones((256, 256), ctx=mx.gpu())
    with profiled():
        y = nd.relu(x)
        y.wait_to_read()
    profiler.dump()
    assert max(in_use("Memory: gpu/0")) >= 2 * x.size * 4
    assert memory("Operator Memory")["relu"]["Max"] == x.size * 4 / 1000

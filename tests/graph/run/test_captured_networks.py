"""Networks hybridized with static memory and shapes, on a stand-in for CUDA graphs.

`tests/gpu/test_static_graphs.py` does the same on a GPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision
from tests.graph.replaying import Replayed, capture_on_cpu
from tests.zoo import FAMILIES

STATIC = {"static_alloc": True, "static_shape": True, "strict": True}


@pytest.fixture(autouse=True)
def captures(monkeypatch: pytest.MonkeyPatch) -> type[Replayed]:
    return capture_on_cpu(monkeypatch)


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
    net.add(vision.BasicBlockV2(6, 1), nn.MaxPool2D(), nn.Dense(5))
    return net


def observe(make: Any, shape: tuple[int, ...], dtype: str, **options: Any) -> list[np.ndarray]:
    """Returns what a network computes in some steps of training, each with other data."""
    mx.random.seed(4)
    net = make()
    net.initialize(mx.init.Xavier())
    net(nd.random.uniform(shape=shape))
    net.cast(dtype)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    if options:
        net.hybridize(**options)
        loss_of.hybridize(**options)
    half = {"multi_precision": dtype != "float32"}
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-3, **half})
    seen = []
    for step in range(4):
        data = nd.random.uniform(-1, 1, shape=shape).astype(dtype)
        seen.append(net(data))
        label = nd.array((np.arange(shape[0]) + step) % 5)
        with autograd.record(train_mode=step % 2 == 0):
            loss = loss_of(net(data).astype("float32"), label)
        loss.backward(retain_graph=step == 2)
        if step == 2:
            loss.backward()
        trainer.step(shape[0])
        seen.append(loss)
    seen += [parameter.data() for parameter in net.collect_params().values()]
    return [item.astype("float32").asnumpy() for item in seen]


def assert_close(results: list[np.ndarray], expected: list[np.ndarray], tolerance: float) -> None:
    for one, other in zip(results, expected, strict=True):
        assert np.isfinite(one).all()
        scale = max(np.abs(other).max(), 1e-3)
        np.testing.assert_allclose(one / scale, other / scale, rtol=0, atol=tolerance)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16"])
@pytest.mark.parametrize("channels_last", [False, True])
def test_training_is_that_of_the_imperative_network(
    captures: type[Replayed], dtype: str, channels_last: bool
) -> None:
    expected = observe(convolutional, (4, 3, 6, 6), dtype)
    results = observe(convolutional, (4, 3, 6, 6), dtype, **STATIC, channels_last=channels_last)
    assert_close(results, expected, {"float32": 1e-4, "float16": 2e-2, "bfloat16": 1e-1}[dtype])
    assert len(captures.made) >= 4  # of the network, with and without gradients, and of the loss


@pytest.mark.parametrize("channels_last", [False, True])
def test_weights_are_folded_and_reordered_outside_of_the_capture(
    captures: type[Replayed], channels_last: bool
) -> None:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(6, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(2))
    net.initialize()
    net.hybridize(**STATIC, channels_last=channels_last)
    data = nd.random.uniform(shape=(2, 3, 6, 6))
    net(data)  # gives shapes to the parameters
    before = net(data).asnumpy()
    (capture,) = captures.made
    assert not any("rsqrt" in name for name in capture.functions)
    net[1].running_var.set_data(net[1].running_var.data() * 4)
    after = net(data).asnumpy()
    assert len(captures.made) == 1
    assert np.abs(after - before).max() > 1e-3
    net.hybridize(False)
    np.testing.assert_allclose(after, net(data).asnumpy(), rtol=1e-4, atol=1e-5)


def test_gradients_are_in_the_order_of_their_parameters() -> None:
    net = convolutional()
    net.initialize()
    net.hybridize(**STATIC, channels_last=True)
    with autograd.record():
        loss = (net(nd.random.uniform(shape=(2, 3, 6, 6))) ** 2).sum()
    loss.backward()
    for parameter in net.collect_params().values():
        if parameter.grad_req != "null":
            assert parameter.grad()._plain.stride() == parameter.data()._plain.stride()


@pytest.mark.slow
@pytest.mark.parametrize("channels_last", [False, True])
@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", list(FAMILIES))
def test_families_of_the_zoo_predict_in_half_precision(
    name: str, dtype: str, channels_last: bool
) -> None:
    mx.random.seed(5)
    net = vision.get_model(name, classes=5)
    net.initialize(mx.init.Xavier())
    data = nd.random.uniform(-1, 1, shape=(2, 3, FAMILIES[name], FAMILIES[name]))
    expected = net(data).asnumpy()
    net.cast(dtype)
    net.hybridize(**STATIC, channels_last=channels_last)
    for _ in range(2):
        result = net(data.astype(dtype)).astype("float32").asnumpy()
        assert_close([result], [expected], {"float16": 2e-2, "bfloat16": 1e-1}[dtype])

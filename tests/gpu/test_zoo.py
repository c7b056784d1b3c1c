"""Every family of the zoo predicts and trains in each dtype and in each way of running.

Warnings are errors here, as in all tests: a plan, capture or compilation that is given up fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.model_zoo import vision
from tests.gpu.conftest import COMPILER_WARNINGS
from tests.zoo import FAMILIES

pytestmark = [pytest.mark.gpu, *COMPILER_WARNINGS]

SIZES = {**FAMILIES, "vgg11": 64, "vgg11_bn": 64}
"""Of the images that a network of each family is tried on."""

WAYS: dict[str, dict[str, Any]] = {
    "hybridized": {},
    "static": {"static_alloc": True, "static_shape": True},
    "inductor": {"backend": "inductor"},
    "static inductor": {"static_alloc": True, "static_shape": True, "backend": "inductor"},
}
TOLERANCES = {"float32": 1e-2, "float16": 3e-2, "bfloat16": 2e-1}
"""How far results may be from those of the eager network, as a share of the largest."""

CLASSES, BATCH = 10, 4


def build(name: str, dtype: str) -> Any:
    mx.random.seed(7)
    net = vision.get_model(name, classes=CLASSES)
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    net(images(name, "float32"))  # shapes are known, so that all copies draw the same weights
    net.cast(dtype)
    return net


def images(name: str, dtype: str) -> nd.NDArray:
    mx.random.seed(8)
    size = SIZES[name]
    return nd.random.uniform(-1, 1, shape=(BATCH, 3, size, size), ctx=mx.gpu()).astype(dtype)


def as_numpy(array: nd.NDArray) -> np.ndarray:
    return array.astype("float32").asnumpy()


def predict(net: Any, data: nd.NDArray) -> np.ndarray:
    """Returns the result of the second call, which runs what the first one has prepared."""
    net(data)
    return as_numpy(net(data))


def train(net: Any, data: nd.NDArray, hybrid: dict[str, Any] | None) -> np.ndarray:
    """Returns the losses of some steps."""
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    if hybrid is not None:
        loss_of.hybridize(**hybrid, strict=True)
    half = str(data.dtype) != "float32"
    options = {"learning_rate": 1e-3, "momentum": 0.9, "multi_precision": half}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options)
    label = nd.array(np.arange(BATCH) % CLASSES, ctx=mx.gpu())
    losses = []
    for _ in range(3):
        with autograd.record(train_mode=False):  # without dropout, whose draws would differ
            loss = loss_of(net(data).astype("float32"), label)
        loss.backward()
        trainer.step(BATCH)
        losses.append(as_numpy(loss))
    return np.stack(losses)


def assert_near(result: np.ndarray, expected: np.ndarray, dtype: str) -> None:
    assert np.isfinite(result).all()
    scale = max(np.abs(expected).max(), 1e-3)
    np.testing.assert_allclose(result / scale, expected / scale, rtol=0, atol=TOLERANCES[dtype])


@pytest.mark.parametrize("dtype", list(TOLERANCES))
@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("name", list(SIZES))
def test_predicts_and_trains_as_the_eager_network_does(name: str, way: str, dtype: str) -> None:
    torch._dynamo.reset()
    data = images(name, dtype)
    eager, hybrid = build(name, dtype), build(name, dtype)
    hybrid.hybridize(**WAYS[way], strict=True)
    assert_near(predict(hybrid, data), predict(eager, data), dtype)
    assert_near(train(hybrid, data, WAYS[way]), train(eager, data, None), dtype)
    assert_near(predict(hybrid, data), predict(eager, data), dtype)


@pytest.mark.parametrize("dtype", list(TOLERANCES))
@pytest.mark.parametrize("name", list(SIZES))
def test_eager_network_agrees_with_single_precision(name: str, dtype: str) -> None:
    expected = predict(build(name, "float32"), images(name, "float32"))
    assert_near(predict(build(name, dtype), images(name, dtype)), expected, dtype)

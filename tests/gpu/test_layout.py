"""Channels last in memory, in plans and imperatively.

`tests/graph/passes/test_layout.py` and `tests/arrays/test_channels_last_arrays.py` have the same on
a CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.model_zoo import vision
from tests.gpu.conftest import exactly

pytestmark = pytest.mark.gpu

WAYS: dict[str, dict[str, Any]] = {
    "hybridized": {},
    "static": {"static_alloc": True, "static_shape": True},
}
TOLERANCES = {"float32": 5e-3, "float16": 2e-2, "bfloat16": 1e-1}
"""Errors that are always allowed, as a share of the largest element."""


def observe(name: str, dtype: str, **options: Any) -> list[np.ndarray]:
    """Returns predictions before and after some steps of training, and their losses."""
    mx.random.seed(7)
    net = vision.get_model(name, classes=10)
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    data = nd.random.uniform(-1, 1, shape=(8, 3, 64, 64), ctx=mx.gpu())
    net(data)
    net.cast(dtype)
    data = data.astype(dtype)
    if options:
        net.hybridize(strict=True, **options)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    settings = {"learning_rate": 1e-3, "multi_precision": dtype != "float32"}
    trainer = gluon.Trainer(net.collect_params(), "sgd", settings)
    seen = [net(data)]
    for _ in range(2):
        with autograd.record():
            loss = loss_of(net(data).astype("float32"), nd.arange(8, ctx=mx.gpu()))
        loss.backward()
        for parameter in net.collect_params().values():
            if parameter.grad_req != "null":
                assert_same_order(parameter.grad()._plain, parameter.data()._plain)
        trainer.step(8)
        seen.append(loss)
    seen.append(net(data))
    return [item.astype("float32").asnumpy() for item in seen]


def assert_same_order(gradient: torch.Tensor, weight: torch.Tensor) -> None:
    """Axes of length 1 may have any stride."""
    strides = zip(gradient.shape, gradient.stride(), weight.stride(), strict=True)
    assert all(size == 1 or own == other for size, own, other in strides)


@pytest.mark.parametrize("dtype", list(TOLERANCES))
@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize("name", ["resnet18_v1", "mobilenetv2_0.25", "vgg11_bn"])
def test_results_are_those_of_the_ordinary_plan(name: str, way: str, dtype: str) -> None:
    with exactly():
        exact = observe(name, "float32", **WAYS[way], channels_last=False)
    ordinary = observe(name, dtype, **WAYS[way], channels_last=False)
    results = observe(name, dtype, **WAYS[way], channels_last=True)
    assert_as_good(results, ordinary, exact, TOLERANCES[dtype])


def assert_as_good(
    results: list[np.ndarray], ordinary: list[np.ndarray], exact: list[np.ndarray], tolerance: float
) -> None:
    """Statistics of few elements multiply rounding errors, those of ordinary results too."""
    for result, other, right in zip(results, ordinary, exact, strict=True):
        scale = max(np.abs(right).max(), 1e-3)
        allowed = 3 * np.abs(other - right).max() / scale + tolerance
        assert np.abs(result - right).max() / scale < allowed


@pytest.mark.parametrize("name", ["resnet18_v1", "mobilenetv2_0.25"])
def test_imperative_networks_are_those_of_the_variable(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = observe(name, "float16")
    monkeypatch.setenv("MXNET_GPU_LAYOUT", "NCHW")
    ordinary = observe(name, "float16")
    with exactly():
        exact = observe(name, "float32")
    assert_as_good(results, ordinary, exact, TOLERANCES["float16"])


def test_the_variable_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    convolve, seen = torch.nn.functional.conv2d, []

    def look(data: torch.Tensor, *rest: Any) -> torch.Tensor:
        seen.append(data.is_contiguous(memory_format=torch.channels_last))
        return convolve(data, *rest)

    monkeypatch.setattr("mxnet.ops.nn.linear._CONVOLUTIONS", (None, look, None))
    for value, expected in (("NHWC", True), ("NCHW", False)):
        monkeypatch.setenv("MXNET_GPU_LAYOUT", value)
        net = gluon.nn.Conv2D(8, 3, in_channels=4)
        net.initialize(ctx=mx.gpu())
        net.cast("float16")
        net.hybridize(strict=True)
        net(nd.ones((2, 4, 8, 8), ctx=mx.gpu(), dtype="float16"))
        assert seen.pop() is expected

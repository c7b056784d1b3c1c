"""Large arrays are pooled by oneDNN: outputs and gradients are those of small ones."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet.ops.nn import _onednn_pooling as onednn

pytestmark = pytest.mark.skipif(not onednn._AVAILABLE, reason="torch was built without oneDNN")

SHAPES = [(8, 20, 30, 31), (2, 8, 14, 24, 26)]
ARGUMENTS = [
    {"pool_type": kind, "kernel": kernel, "stride": stride, "pad": pad, "pooling_convention": rule}
    for kind, (kernel, stride, pad), rule in itertools.product(
        ("max", "avg", "sum"), [(2, 2, 0), (3, 2, 1), (3, 1, 0), (5, 3, 2)], ("valid", "full")
    )
]


def pooled(data, arguments, counted):
    sizes = {
        key: (value,) * (data.ndim - 2)
        for key, value in arguments.items()
        if key in ("kernel", "stride", "pad")
    }
    return mx.nd.Pooling(data, **{**arguments, **sizes}, count_include_pad=counted)


def step(values, arguments, counted, slope=None):
    data = mx.nd.array(values)
    data.attach_grad()
    with mx.autograd.record():
        output = pooled(data, arguments, counted)
    slope = slope or mx.nd.array(np.arange(output.size).reshape(output.shape) % 7)
    output.backward(slope)
    return [output.asnumpy(), data.grad.asnumpy(), pooled(data, arguments, counted).asnumpy()]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize("arguments", ARGUMENTS, ids=lambda a: "-".join(map(str, a.values())))
def test_large_arrays_are_pooled_like_small_ones(arguments, counted, shape, monkeypatch):
    values = np.random.randint(-3, 4, shape).astype("float32")  # many equal maxima
    assert onednn.suits(torch.from_numpy(values).requires_grad_())
    found = step(values, arguments, counted)
    monkeypatch.setattr(onednn, "suits", lambda _: False)
    for one, other in zip(found, step(values, arguments, counted), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("kind", ["max", "avg"])
def test_second_gradients_are_exact(kind):
    x = mx.nd.array(np.random.rand(4, 16, 64, 64))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Pooling(x * x, kernel=(2, 2), stride=(2, 2), pool_type=kind)
        slope = mx.autograd.grad(y, [x], create_graph=True, retain_graph=True)[0]
    slope.backward()
    windows = x.reshape((4, 16, 32, 2, 32, 2))
    chosen = windows == windows.max(axis=(3, 5), keepdims=True) if kind == "max" else 0.25
    expected = 2 * chosen * mx.nd.ones_like(windows)
    np.testing.assert_allclose(
        x.grad.asnumpy(), expected.reshape(x.shape).asnumpy(), rtol=1e-6, atol=1e-6
    )


def test_gradients_can_be_asked_for_twice():
    x = mx.nd.array(np.random.rand(4, 16, 64, 64))
    x.attach_grad()
    with mx.autograd.record():
        y = mx.nd.Pooling(x, kernel=(3, 3), stride=(2, 2), pool_type="max")
    y.backward(retain_graph=True)
    first = x.grad.asnumpy()
    y.backward()
    np.testing.assert_array_equal(first, x.grad.asnumpy())


@pytest.mark.parametrize(
    "data",
    [
        torch.zeros(8, 20, 30, 31).double(),
        torch.zeros(2, 3, 100, 100),
        torch.zeros(8, 20, 30, 31).permute(0, 1, 3, 2),
        torch.zeros(8, 20, 300),
        torch.zeros(1, 4, 8, 8),
        torch.empty(8, 20, 30, 31, device="meta"),
    ],
    ids=["float64", "three channels", "strided", "one axis", "small", "without values"],
)
def test_other_arrays_are_left_to_torch(data):
    assert not onednn.suits(data)

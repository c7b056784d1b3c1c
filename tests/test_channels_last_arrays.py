"""Imperative convolutions with the channels last in memory, as GPUs compute them.

The CPU stands for a GPU here, which differs in speed alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import _array, autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision
from mxnet.ops.nn import memory_order

LAST = {"memory_format": torch.channels_last}


@pytest.fixture
def channels_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_order, "prefers_channels_last", lambda *_: True)
    monkeypatch.setattr(_array, "_is_image_of_gpu", lambda tensor: tensor.is_contiguous(**LAST))


def convolve() -> nd.NDArray:
    data = nd.random.uniform(shape=(2, 3, 4, 5))
    return nd.Convolution(data, nd.ones((4, 3, 3, 3)), no_bias=True, kernel=(3, 3), num_filter=4)


def is_last(array: nd.NDArray) -> bool:
    return array._plain.is_contiguous(**LAST) and not array._plain.is_contiguous()


def train(name: str) -> list[np.ndarray]:
    mx.random.seed(3)
    net = vision.get_model(name, classes=4)
    net.initialize(mx.init.Xavier())
    net.cast("float64")  # statistics of few elements multiply rounding errors
    data = nd.random.uniform(shape=(2, 3, 64, 64), dtype="float64")
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-3, "momentum": 0.9})
    seen = []
    for _ in range(2):
        with autograd.record():
            loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(data), nd.array([0, 1]))
        loss.backward()
        trainer.step(2)
        seen += [loss, net(data)]
    gradients = [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
    assert all(item._plain.is_contiguous() for item in gradients)
    return [item.asnumpy() for item in (*seen, *gradients)]


@pytest.mark.parametrize("name", ["resnet18_v1", "mobilenetv2_0.25", "vgg11_bn"])
def test_networks_train_as_with_channels_first(name: str, request: pytest.FixtureRequest) -> None:
    expected = train(name)
    request.getfixturevalue("channels_last")
    assert is_last(convolve())
    for result, other in zip(train(name), expected, strict=True):
        scale = max(np.abs(other).max(), 1e-6)
        np.testing.assert_allclose(result / scale, other / scale, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("channels_last")
class TestArrays:
    def test_what_follows_keeps_the_order(self) -> None:
        norm = nn.BatchNorm(in_channels=4)
        norm.initialize()
        for recorded in (False, True):
            with _mode(recorded):
                image = nd.Pooling(nd.relu(norm(convolve()) + 1), kernel=(2, 2), pool_type="max")
            assert is_last(image)

    @pytest.mark.parametrize("recorded", [False, True])
    @pytest.mark.parametrize(
        "part",
        [
            lambda x: x[0:1],
            lambda x: x[1],
            lambda x: x.reshape((2, -1)),
            lambda x: x.detach(),
            lambda x: x.detach().reshape((-1,)),
            lambda x: x.expand_dims(0, inplace=True),
        ],
    )
    def test_a_part_is_a_view_all_the_same(self, part: Any, recorded: bool) -> None:
        with _mode(recorded):
            image = convolve()
        part(image)[:] = 7
        assert (image.asnumpy() == 7).sum() == part(image).size

    def test_elements_come_in_the_order_of_the_shape(self, tmp_path: Any) -> None:
        image = convolve()
        values = image.asnumpy()
        assert values.flags.c_contiguous
        nd.save(str(tmp_path / "image"), [image])
        np.testing.assert_array_equal(nd.load(str(tmp_path / "image"))[0].asnumpy(), values)
        np.testing.assert_array_equal(image.reshape((-1,)).asnumpy(), values.reshape(-1))
        np.testing.assert_array_equal(image.copy().asnumpy(), values)
        image[:] = nd.array(values + 1)
        np.testing.assert_array_equal(image.asnumpy(), values + 1)

    def test_a_variable_and_its_gradient_have_the_order_of_the_shape(self) -> None:
        image = convolve()
        image.attach_grad()
        with autograd.record():
            weight = nd.ones((2, 4, 1, 1))
            result = nd.Convolution(image, weight, no_bias=True, kernel=(1, 1), num_filter=2)
        result.backward()
        assert image.grad._plain.is_contiguous()
        assert (image.grad.asnumpy() == 2).all()

    def test_a_layout_of_its_own_is_left_alone(self) -> None:
        data, weight = nd.ones((2, 4, 5, 3)), nd.ones((4, 3, 3, 3))
        options = {"kernel": (3, 3), "num_filter": 4, "no_bias": True, "layout": "NHWC"}
        assert nd.Convolution(data, weight, **options).shape == (2, 2, 3, 4)


def _mode(recorded: bool) -> Any:
    return autograd.record() if recorded else autograd.pause()

"""Imperative convolutions with the channels last in memory, as GPUs compute them.

The CPU stands for a GPU here, which differs in speed alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._arrays import array as _array
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision
from mxnet.ops.nn import layouts

LAST = {"memory_format": torch.channels_last}


@pytest.fixture
def channels_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layouts, "prefers_channels_last", lambda *_: True)
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
    trained = [item for item in net.collect_params().values() if item.grad_req != "null"]
    for item in trained:
        assert item.grad()._plain.stride() == item.data()._plain.stride()
    return [item.asnumpy() for item in (*seen, *(item.grad() for item in trained))]


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


@pytest.fixture
def layer(channels_last: None) -> nn.Conv2D:
    del channels_last
    made = nn.Conv2D(4, 3, in_channels=3, use_bias=False)
    made.initialize(mx.init.Xavier())
    return made


def backward(layer: nn.Conv2D, scale: float = 1.0) -> np.ndarray:
    """Returns the gradient of the filters, summed over data that are all the same."""
    with autograd.record():
        loss = layer(nd.full((2, 3, 4, 5), scale, dtype=layer.weight.dtype)).sum()
    loss.backward()
    return layer.weight.grad().asnumpy()


class TestFilters:
    """Filters of layers are kept in the order in which their device convolves."""

    def test_are_kept_with_their_gradients(self, layer: nn.Conv2D) -> None:
        assert is_last(layer.weight.data())
        assert (backward(layer) == 12).all()
        assert is_last(layer.weight.grad())
        layer.cast("float64")
        assert is_last(layer.weight.data())
        layer.weight.grad_req = "add"
        assert (backward(layer) == 12).all()
        assert (backward(layer) == 24).all()

    def test_are_saved_and_set_in_the_order_of_the_shape(self, layer: nn.Conv2D, tmp_path) -> None:
        values = np.arange(108, dtype="float32").reshape(4, 3, 3, 3)
        layer.weight.set_data(nd.array(values))
        layer.save_parameters(str(tmp_path / "filters"))
        np.testing.assert_array_equal(layer.weight.data().asnumpy(), values)
        layer.weight.set_data(nd.zeros((4, 3, 3, 3)))
        layer.load_parameters(str(tmp_path / "filters"))
        np.testing.assert_array_equal(layer.weight.data().asnumpy(), values)
        assert is_last(layer.weight.data())

    def test_have_parts_that_are_views(self, layer: nn.Conv2D) -> None:
        weight = layer.weight.data()
        before = weight.asnumpy()
        weight[1:2][:] = 7
        assert (weight.asnumpy()[1] == 7).all()
        np.testing.assert_array_equal(weight.asnumpy()[2:], before[2:])
        assert (backward(layer) == 12).all()

    def test_that_move_keep_the_gradients_of_open_graphs(self, layer: nn.Conv2D) -> None:
        with autograd.record():
            first = layer(nd.ones((2, 3, 4, 5))).sum()
        layer.weight.data()[0]  # memory in the order of the shape from here on
        assert not is_last(layer.weight.data())
        with autograd.record():
            second = layer(nd.ones((2, 3, 4, 5))).sum()
        autograd.backward([first, second])
        assert (layer.weight.grad().asnumpy() == 24).all()

    @pytest.mark.parametrize("moves", [False, True])
    @pytest.mark.parametrize("optimizer", ["sgd", "adam", "lamb"])
    def test_are_updated_in_any_order(
        self, optimizer: str, moves: bool, layer: nn.Conv2D, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        options = {"sgd": {"momentum": 0.9}}.get(optimizer, {})
        ordinary = nn.Conv2D(4, 3, in_channels=3, use_bias=False)
        with monkeypatch.context() as patched:
            patched.setattr(layouts, "prefers_channels_last", lambda *_: False)
            ordinary.initialize()
        ordinary.weight.set_data(layer.weight.data())
        for each in (layer, ordinary):
            trainer = gluon.Trainer(each.collect_params(), optimizer, {"wd": 0.01, **options})
            for number in range(3):
                backward(each, 0.1 * number)
                trainer.step(2)
                if moves and number == 1:
                    each.weight.data()[0]
        assert is_last(layer.weight.data()) is not moves
        assert not is_last(ordinary.weight.data())
        expected = ordinary.weight.data().asnumpy()
        np.testing.assert_allclose(layer.weight.data().asnumpy(), expected, rtol=1e-6)


def _mode(recorded: bool) -> Any:
    return autograd.record() if recorded else autograd.pause()

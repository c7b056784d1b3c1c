"""Which convolutions a CPU trains with the channels last in memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision
from mxnet.graph.lower import Call, Setting, role_of
from mxnet.graph.passes import Layout, choose_layout, layout
from mxnet.graph.passes.layout import is_trained, note_inferred_shapes, order_channels_last
from mxnet.graph.run import Program
from mxnet.ops.nn.layouts import put_channels_last

CPU = torch.device("cpu")
TRAINING = Setting(True, True, CPU, None)


def choose(layers: list[nn.HybridBlock], shape: tuple[int, ...]) -> list[bool]:
    """Returns for each convolution of a network whether it gets its channels last."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(*layers)
    net.initialize()
    data = nd.zeros(shape)
    net(data)
    graph = net(mx.sym.var("data"))._graph
    values = {name: p.data() for name, p in net.collect_params().items()} | {"data": data}
    names = [node.name for nodes in graph.variables for node in nodes]
    tensors = [values[name]._plain for name in names]
    program = Program(graph, names)
    lowered = program.lower(TRAINING, tensors).graph
    note_inferred_shapes(lowered, program._infer_shapes(tensors), tensors)
    order_channels_last(lowered, where_it_pays=True)
    convolutions = [node for node in lowered.nodes if role_of(node) == "convolution"]
    return [_has_channels_last(node) for node in convolutions]


def _has_channels_last(convolution: Call) -> bool:
    weight = convolution.args[1]
    assert isinstance(weight, Call)
    return weight.target is put_channels_last


def conv(channels: int, size: int, **options: Any) -> nn.Conv2D:
    return nn.Conv2D(channels, size, padding=size // 2, use_bias=False, **options)


@pytest.fixture
def _any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(layout, "_LEAST_IMAGES", 0)


@pytest.mark.usefixtures("_any_size")
class TestChoice:
    def test_small_filters_over_large_images(self) -> None:
        assert choose([conv(64, 3), conv(64, 3)], (8, 3, 24, 24)) == [True, True]

    def test_large_filters_over_small_images_do_not(self) -> None:
        assert choose([conv(64, 3), conv(256, 3)], (1, 32, 3, 3)) == [False, False]

    def test_each_convolution_is_looked_at(self) -> None:
        layers = [conv(16, 3), nn.MaxPool2D(8, 8), conv(512, 3), conv(64, 1)]
        assert choose(layers, (4, 3, 64, 64)) == [True, False, True]

    def test_filters_of_one_pixel_are_in_both_orders(self) -> None:
        assert choose([conv(256, 1), conv(64, 1)], (4, 512, 3, 3)) == [True, True]

    def test_one_channel_is_in_both_orders(self) -> None:
        layers = [conv(20, 5) for _ in range(4)]
        assert choose(layers, (8, 1, 28, 28)) == [False, True, True, True]

    def test_channels_each_by_itself(self) -> None:
        layers = [conv(32, 1), conv(32, 3, groups=32), conv(32, 1)]
        assert choose(layers, (2, 8, 24, 24)) == [True, True, True]

    def test_nothing_is_reordered_if_that_takes_longer(self) -> None:
        order = nn.HybridLambda(lambda F, x: F.reshape(x, shape=(0, 0, -3)).reshape((0, 0, 12, 12)))
        plain = [conv(16, 3), conv(16, 3)]
        apart = [layer for _ in range(4) for layer in (conv(16, 3), order)]
        assert choose(plain, (8, 16, 12, 12)) == [True] * 2
        assert choose(apart, (8, 16, 12, 12)) == [False] * 4


@pytest.mark.parametrize(("batch", "expected"), [(2, False), (64, True)])
def test_small_networks_stay_as_they_are(batch: int, expected: bool) -> None:
    layers = [conv(16, 3) for _ in range(3)]
    assert choose(layers, (batch, 16, 12, 12)) == [expected] * 3


class TestSetting:
    def test_training_in_single_precision(self) -> None:
        assert choose_layout(None, TRAINING, [torch.float32]) is Layout.WHERE_IT_PAYS

    @pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
    def test_other_types(self, dtype: torch.dtype) -> None:
        assert choose_layout(None, TRAINING, [dtype, torch.float32]) is Layout.CHANNELS_FIRST

    def test_prediction(self) -> None:
        setting = Setting(False, False, CPU, None)
        assert choose_layout(None, setting, [torch.float32]) is Layout.CHANNELS_FIRST

    def test_other_devices(self) -> None:
        assert not is_trained(Setting(True, True, torch.device("cuda"), None), [torch.float32])

    @pytest.mark.parametrize("wish", [True, False])
    def test_hybridize_decides(self, wish: bool) -> None:
        expected = Layout.CHANNELS_LAST if wish else Layout.CHANNELS_FIRST
        assert choose_layout(wish, TRAINING, [torch.float32]) is expected


def step(net: Any, data: nd.NDArray) -> list[Any]:
    with autograd.record():
        result = net(data)
        loss = (result**2).mean()
    loss.backward()
    parameters = net.collect_params().values()
    gradients = [p.grad().asnumpy() for p in parameters if p.grad_req != "null"]
    assert all(p.grad()._plain.is_contiguous() for p in parameters if p.grad_req != "null")
    return [result.asnumpy(), *gradients]


def network() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(conv(16, 3), nn.BatchNorm(), nn.Activation("relu"), vision.BasicBlockV1(16, 1))
        net.add(nn.MaxPool2D(), vision.BasicBlockV1(256, 2, downsample=True, in_channels=16))
        net.add(
            conv(64, 1), conv(64, 3, groups=64), nn.BatchNorm(), nn.GlobalAvgPool2D(), nn.Dense(5)
        )
    return net


@pytest.mark.usefixtures("_any_size")
def test_training_gives_what_the_ordinary_order_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    mx.random.seed(2)
    net = network()
    net.initialize(mx.init.Xavier())
    data = nd.random.uniform(-1, 1, shape=(2, 3, 32, 32))
    net(data)
    seen = []
    orders = set()
    convolve = torch.nn.functional.conv2d

    def look(images: torch.Tensor, *rest: Any) -> torch.Tensor:
        orders.add(images.is_contiguous())
        return convolve(images, *rest)

    monkeypatch.setattr("mxnet.ops.nn.linear._CONVOLUTIONS", (None, look, None))
    for wish in (False, None):
        net.hybridize(channels_last=wish, strict=True)
        orders.clear()
        seen.append(step(net, data))
    assert orders == {True, False}  # some of them gain, others do not
    for one, other in zip(*seen, strict=True):
        np.testing.assert_allclose(other, one, rtol=1e-3, atol=1e-4 * abs(one).max() + 1e-7)

"""Plans with the channels last in memory: the same results, gradients and statistics.

Everything is computed in double precision, in which the order of a sum does not show.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.model_zoo import vision
from mxnet.graph.lower import CallGraph, Setting, role_of
from mxnet.graph.passes.layout import Layout, order_channels_last
from mxnet.graph.run import Program
from mxnet.graph.run.plan import Plan
from mxnet.ops.nn.layouts import prefers_channels_last, put_channels_last
from tests.zoo import FAMILIES


class Mixed(gluon.HybridBlock):
    """Joins, scales, pads, enlarges and drops what convolutions give, and ends in images."""

    def __init__(self) -> None:
        super().__init__(prefix="net_")
        with self.name_scope():
            self.first = nn.Conv2D(6, 3, padding=1)
            self.second = nn.Conv2D(6, 1, use_bias=False)
            self.norm = nn.BatchNorm()
            self.slope = nn.PReLU()
            self.gate = nn.Conv2D(6, 1)
            self.up = nn.Conv2DTranspose(4, 3, strides=2)
            self.drop = nn.Dropout(0.5)
            self.last = nn.Conv2D(3, 3, groups=1)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        x = self.first(x)
        x = F.relu(self.norm(x)) + self.second(x)
        gate = F.sigmoid(self.gate(F.Pooling(x, global_pool=True, pool_type="avg")))
        x = self.slope(F.broadcast_mul(x, gate))
        x = F.concat(x, F.Pooling(x, kernel=(3, 3), pad=(1, 1), stride=(1, 1)), dim=1)
        x = F.Pad(x, mode="constant", pad_width=(0, 0, 0, 0, 1, 1, 1, 1))
        x = self.up(F.UpSampling(self.drop(x), scale=2, sample_type="nearest"))
        images = self.last(F.LeakyReLU(x, act_type="elu"))
        return images, F.transpose(images, (0, 2, 3, 1)), F.sum(images, axis=1)


def videos() -> nn.HybridSequential:
    """Convolutions of three axes, in groups and apart, with what lies between them."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv3D(8, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
        net.add(nn.MaxPool3D(2), nn.Conv3D(8, 3, padding=1, groups=8), nn.LeakyReLU(0.1))
        net.add(nn.Conv3DTranspose(4, 2, strides=2, groups=2), nn.PReLU(), nn.BatchNorm())
        net.add(nn.Conv3D(4, 1), nn.AvgPool3D(2), nn.Conv3D(3, 1), nn.GlobalAvgPool3D())
        net.add(nn.Dense(2))
    return net


def generator() -> nn.HybridSequential:
    """Deconvolutions alone."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2DTranspose(8, 4, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
        net.add(nn.Conv2DTranspose(4, 4, 2, 1, use_bias=False), nn.BatchNorm(), nn.LeakyReLU(0.2))
        net.add(nn.Conv2DTranspose(3, 4, 2, 1), nn.Activation("tanh"))
    return net


def residual() -> nn.HybridSequential:
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(8, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
        net.add(vision.BasicBlockV1(8, 1), vision.BottleneckV2(16, 2, True))
        net.add(nn.MaxPool2D(), nn.Dense(4))
    return net


def observe(make: Any, shape: tuple[int, ...], **options: Any) -> dict[str, Any]:
    """Returns all that a network computes in prediction, two steps of training, and prediction."""
    mx.random.seed(1)
    net = make()
    net.initialize(mx.init.Xavier())
    data = nd.random.uniform(-1, 1, shape=shape)
    net(data)
    net.cast("float64")
    data = data.astype("float64")
    data.attach_grad()
    net.hybridize(strict=True, **options)
    seen = {"prediction": outputs(net(data))}
    mx.random.seed(3)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    for step in range(2):
        with autograd.record():
            results = outputs(net(data))
            loss = sum((result**2).mean() for result in results)
        loss.backward()
        seen[f"results {step}"] = results
        seen[f"slope {step}"] = [data.grad.copy()]
        for name, parameter in net.collect_params().items():
            if parameter.grad_req != "null":
                assert parameter.grad()._plain.stride() == parameter.data()._plain.stride()
                seen[f"{name} {step}"] = [parameter.grad().copy()]
        trainer.step(1)
    seen.update((name, [p.data()]) for name, p in net.collect_params().items())
    seen["last prediction"] = outputs(net(data))
    arrays = {f"{name} [{i}]": item for name, items in seen.items() for i, item in enumerate(items)}
    strides = {f"strides of {name}": item._plain.stride() for name, item in arrays.items()}
    return {name: item.asnumpy() for name, item in arrays.items()} | strides


def outputs(results: Any) -> list[nd.NDArray]:
    return list(results) if isinstance(results, (list, tuple)) else [results]


def assert_same(make: Any, shape: tuple[int, ...], **options: Any) -> None:
    expected = observe(make, shape, **options)
    results = observe(make, shape, channels_last=True, **options)
    assert results.keys() == expected.keys()
    for name, result in results.items():
        np.testing.assert_allclose(result, expected[name], rtol=1e-7, atol=1e-9, err_msg=name)


@pytest.mark.parametrize(
    ("make", "shape"),
    [
        (residual, (3, 3, 8, 8)),
        (Mixed, (3, 3, 8, 8)),
        (videos, (2, 3, 4, 8, 8)),
        (generator, (3, 5, 2, 2)),
    ],
)
def test_results_gradients_and_statistics_are_the_same(make: Any, shape: tuple[int, ...]) -> None:
    assert_same(make, shape)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's compiler of its own parts
def test_a_compiler_takes_the_reordered_graph() -> None:
    torch._dynamo.reset()
    assert_same(residual, (3, 3, 8, 8), backend="aot_eager")


@pytest.mark.slow
@pytest.mark.parametrize("name", list(FAMILIES))
def test_families_of_the_zoo(name: str) -> None:
    size = FAMILIES[name]
    assert_same(lambda: vision.get_model(name, classes=5, prefix="net_"), (2, 3, size, size))


class TestPass:
    def lower(self, net: Any, training: bool) -> CallGraph:
        graph = net(mx.sym.var("data"))._graph
        names = [node.name for nodes in graph.variables for node in nodes]
        assert names[0] == "data"
        setting = Setting(training, training, torch.device("cpu"), None)
        return Program(graph, names).lower(setting, ()).graph

    def test_activations_are_reordered_at_the_borders_alone(self) -> None:
        graph = self.lower(residual(), True)
        convolutions = [node for node in graph.nodes if role_of(node) == "convolution"]
        order_channels_last(graph)
        assert all(node.args[1].target is put_channels_last for node in convolutions)
        reordered = [node.args[0] for node in graph.nodes if node.target is put_channels_last]
        assert all(node.op == "placeholder" for node in reordered)
        assert len(reordered) == len(convolutions) + 1  # and the data
        (dense,) = [node for node in graph.nodes if role_of(node) == "dense"]
        back = [node for node in graph.nodes if node.target is torch.Tensor.contiguous]
        assert back == [dense.args[0]]

    def test_a_graph_without_convolutions_stays_as_it_is(self) -> None:
        net = nn.HybridSequential()
        net.add(nn.BatchNorm(), nn.MaxPool2D(), nn.Dense(2))
        graph = self.lower(net, False)
        before = list(graph.nodes)
        order_channels_last(graph)
        assert graph.nodes == before

    def test_activations_have_channels_last(self, monkeypatch: pytest.MonkeyPatch) -> None:
        seen = []
        convolve = torch.nn.functional.conv2d

        def look(data: torch.Tensor, weight: torch.Tensor, *rest: Any) -> torch.Tensor:
            seen.append((data, weight))
            return convolve(data, weight, *rest)

        monkeypatch.setattr("mxnet.ops.nn.linear._CONVOLUTIONS", (None, look, None))
        observe(residual, (3, 3, 8, 8), channels_last=True)
        assert len(seen) > 20
        seen = seen[8:]  # the first call is imperative
        assert all(
            t.is_contiguous(memory_format=torch.channels_last) for pair in seen for t in pair
        )


class Watch(TorchDispatchMode):
    """Notes copies that kernels ask for, and whether convolutions read channels-last data."""

    def __init__(self) -> None:
        super().__init__()
        self.copied: list[tuple[int, ...]] = []
        self.is_last: list[bool] = []

    def __torch_dispatch__(self, func: Any, _types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = func._schema.name.removeprefix("aten::")
        if name in ("clone", "copy_", "_to_copy") and args[0].dim() > 2:
            self.copied.append(tuple(args[0].shape))
        if "convolution" in name:
            order = torch.channels_last if args[0].dim() == 4 else torch.channels_last_3d
            self.is_last += [item.is_contiguous(memory_format=order) for item in args[:2]]
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize(
    ("make", "shape", "expected"),
    [
        # the data, filters of more than one pixel, and what a dense layer reads or is returned
        (residual, (2, 3, 8, 8), 1 + 4 + 1),
        (generator, (2, 5, 2, 2), 1 + 3 + 1),
        # and what comes after average pooling (a CPU gives it data in the ordinary order)
        (videos, (2, 3, 4, 8, 8), 1 + 2 + 1),
    ],
)
def test_nothing_is_reordered_between_layers(
    make: Any, shape: tuple[int, ...], expected: int
) -> None:
    net = make()
    net.initialize()
    net(nd.ones(shape))
    graph = net(mx.sym.var("data"))._graph
    names = [node.name for nodes in graph.variables for node in nodes]
    parameters = net.collect_params()
    setting = Setting(training=True, recording=True, device=torch.device("cpu"), generator=None)
    module = Program(graph, names).lower(setting, ())
    plan = Plan(module, {}, setting, layout=Layout.CHANNELS_LAST)
    tensors = [
        parameters[name].data()._plain if name in parameters else torch.ones(shape)
        for name in names
    ]
    with Watch() as seen:
        plan(tensors)
    assert all(seen.is_last)
    assert len(seen.is_last) >= 6
    assert len(seen.copied) == expected, seen.copied


class TestChoice:
    def test_gpus_have_it_by_themselves(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("MXNET_GPU_LAYOUT", raising=False)
        assert prefers_channels_last(torch.device("cuda"), [torch.float16])
        assert not prefers_channels_last(torch.device("cpu"), [torch.float16])

    @pytest.mark.parametrize(
        ("dtype", "expected"),
        [("float16", True), ("bfloat16", True), ("float64", False), ("int8", False)],
    )
    def test_the_variable_is_for_dtypes_that_gain(
        self, monkeypatch: pytest.MonkeyPatch, dtype: str, expected: bool
    ) -> None:
        monkeypatch.setenv("MXNET_GPU_LAYOUT", "NHWC")
        dtypes = [getattr(torch, dtype)]
        assert prefers_channels_last(torch.device("cuda"), dtypes) is expected
        assert not prefers_channels_last(torch.device("cpu"), dtypes)

    def test_float32_depends_on_whether_it_may_be_rounded(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("MXNET_GPU_LAYOUT", "NHWC")
        for allowed in (True, False):
            monkeypatch.setattr(torch.backends.cudnn, "allow_tf32", allowed)
            assert prefers_channels_last(torch.device("cuda"), [torch.float32]) is allowed

    def test_the_variable_turns_it_off(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MXNET_GPU_LAYOUT", "NCHW")
        assert not prefers_channels_last(torch.device("cuda"), [torch.float16])

    def test_another_value_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("MXNET_GPU_LAYOUT", "CHWN")
        with pytest.raises(mx.MXNetError, match="expected NCHW or NHWC, got 'CHWN'"):
            prefers_channels_last(torch.device("cuda"), [torch.float16])

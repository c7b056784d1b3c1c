"""Times on a GPU: whose kernels they are, by what torch's profiler says."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
import torch
from torch.autograd import DeviceType
from torch.profiler import ProfilerActivity, profile, record_function

import mxnet as mx
from mxnet import autograd, gluon, nd, profiler
from mxnet.gluon import nn
from mxnet.profiler import _device
from mxnet.profiler._device import DeviceTimes, attribute
from mxnet.profiler._spans import Kernel, Span
from tests.profiler.profiled import events, profiled


def span(name, parent=None, start=1_000_000):
    return Span(name, "operator", start, parent)


def event(name, start, end, parent=None, kernels=(), device=DeviceType.CPU):
    return SimpleNamespace(
        name=name,
        device_type=device,
        device_index=0,
        device_resource_id=7,
        time_range=SimpleNamespace(start=start, end=end),
        cpu_parent=parent,
        kernels=[SimpleNamespace(name=item, duration=duration) for item, duration in kernels],
    )


def test_kernels_count_for_the_range_that_asked_for_them_and_what_is_around():
    block = span("block")
    dot, relu = span("dot", block), span("relu", block, start=1_100_000)
    outer = event("mxnet::0", 50.0, 90.0)
    inner = event("aten::mm", 60.0, 80.0, outer, [("gemm", 12.5), ("mxnet::0", 12.5)])
    other = event("mxnet::1", 150.0, 160.0, kernels=[("clamp", 2.0)])
    lost = event("aten::add", 200.0, 201.0, kernels=[("add", 1.0)])
    gemm = event("gemm", 100.0, 112.5, device=DeviceType.CUDA)
    annotation = event("mxnet::0", 100.0, 112.5, device=DeviceType.CUDA)
    kernels = attribute([outer, inner, other, lost, gemm, annotation], {0: dot, 1: relu})
    assert (dot.device_time, relu.device_time, block.device_time) == (12_500, 2_000, 14_500)
    assert kernels == [Kernel("gemm", 0, 7, 1_050_000, 1_062_500)]
    assert dot.duration == 12_500


def test_without_ranges_there_are_no_times():
    assert attribute([event("gemm", 1.0, 2.0, device=DeviceType.CUDA)], {}) == []


def test_events_of_torch_have_what_is_read():
    with (
        profile(activities=[ProfilerActivity.CPU]) as profiled_by_torch,
        record_function("mxnet::0"),
    ):
        torch.ones(3).relu()
    noted = span("relu")
    inside = [
        item for item in profiled_by_torch.events() if item.cpu_parent and item.name == "aten::relu"
    ]
    assert len(inside) == 1
    inside[0].append_kernel("clamp", 0, 3)
    assert attribute(profiled_by_torch.events(), {0: noted}) == []
    assert noted.device_time == 3_000


@pytest.fixture
def kernels_for_everything(monkeypatch):
    """Stands for a GPU: every function of torch that calls no other takes a microsecond there."""

    def add_kernels(listed, spans):
        listed = list(listed)
        parents = {id(item.cpu_parent) for item in listed}
        for item in listed:
            if id(item) not in parents and item.name.startswith("aten::"):
                item.append_kernel(item.name, 0, 1)
        return attribute(listed, spans)

    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(_device, "profile", lambda **_: profile(activities=[ProfilerActivity.CPU]))
    monkeypatch.setattr(_device, "attribute", add_kernels)


@pytest.mark.usefixtures("kernels_for_everything")
@pytest.mark.parametrize("hybridized", [False, True])
def test_operators_of_a_step_find_their_kernels(hybridized):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, in_units=4), nn.Activation("relu"))
    net.initialize()
    if hybridized:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", kvstore=None)
    with profiled(filename="step.json", profile_memory=False):
        with autograd.record():
            y = net(nd.ones((2, 4)))
        y.backward()
        trainer.step(2)
    profiler.dump()
    times = {
        item["name"]: item.get("args", {}).get("device time (us)", 0)
        for item in events("step.json")
        if item["ph"] == "X"
    }
    operators = ("FullyConnected", "Activation", "_backward_FullyConnected", "adam_update")
    assert all(times[name] > 0 for name in operators)
    assert times["net_dense0"] == times["FullyConnected"]
    assert times["net"] >= times["FullyConnected"] + times["Activation"]
    assert times["_backward_net_dense0"] == times["_backward_FullyConnected"]
    assert times["NDArray.backward"] > times["_backward_net"]


@pytest.mark.usefixtures("kernels_for_everything")
def test_statistics_that_are_read_in_between_have_times_too():
    x = nd.ones((2, 2))
    with profiled(profile_memory=False):
        for _ in range(2):
            nd.relu(x)
            row = json.loads(profiler.dumps(reset=True, format="json"))["Time"]["operator"]["relu"]
            assert row == {"Count": 1, "Total": 0.001, "Min": 0.001, "Max": 0.001, "Avg": 0.001}


@pytest.mark.skipif(torch.cuda.is_available(), reason="is about machines without a GPU")
def test_without_a_gpu_nothing_starts():
    times = DeviceTimes()
    times.start()
    assert not times.is_running
    assert times.stop() == []


@pytest.mark.gpu
def test_operators_take_the_time_of_their_kernels():
    x = nd.ones((2048, 2048), ctx=mx.gpu())
    nd.dot(x, x).wait_to_read()
    with profiled(filename="gpu.json"):
        for _ in range(5):
            y = nd.dot(x, x)
            z = nd.relu(x)
        nd.waitall()
    assert y.shape == z.shape
    rows = json.loads(mx.profiler.dumps(format="json"))["Time"]["operator"]
    assert rows["dot"]["Count"] == rows["relu"]["Count"] == 5
    assert rows["dot"]["Avg"] > 2 * rows["relu"]["Avg"]

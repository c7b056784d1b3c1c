"""Stores of several processes on a GPU: the same results, without the host in between.

One process is enough for that: its group has NCCL as any other. What two GPUs do at the same time
needs two of them.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from torch.profiler import ProfilerActivity, profile

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._state import processes
from mxnet.kvstore._reducer import Gradient, Reducer
from mxnet.kvstore._replicas import TwoBitCompression
from tests.golden import distributed_cases as cases

pytestmark = pytest.mark.gpu

GPU = mx.gpu(0)
NAMES = ["mlp, sgd", "mlp, adam", "conv, lamb", "lstm, adam"]
needs_two = pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")


@pytest.fixture(autouse=True)
def exact_products():
    with torch.backends.cudnn.flags(allow_tf32=False):
        yield


@pytest.fixture(autouse=True)
def group_of_one():
    """Lets this process be alone in a group that ends with the test."""
    processes.join("test")
    yield
    processes.leave()


class Training:
    """A network, its trainer and a batch, all on the GPU."""

    def __init__(self, name, contexts=(GPU,), **options):
        self.case = cases.CASES[name]
        self.contexts = list(contexts)
        self.net = cases.NETWORKS[self.case.network][0]()
        self.net.initialize(ctx=self.contexts)
        rng = np.random.RandomState(2)
        for parameter in self.net.collect_params().values():
            parameter.set_data(nd.array(rng.uniform(-0.4, 0.4, parameter.shape)))
        parameters = self.net.collect_params()
        self.trainer = gluon.Trainer(
            parameters, self.case.optimizer, dict(self.case.options), **options
        )
        data, label = (array[: cases.BATCH] for array in cases.make_data(self.case))
        self.parts = gluon.utils.split_and_load(data, self.contexts)
        self.labels = gluon.utils.split_and_load(label, self.contexts)
        self.loss_of = gluon.loss.SoftmaxCrossEntropyLoss()

    def step(self):
        with autograd.record():
            pairs = zip(self.parts, self.labels, strict=True)
            losses = [self.loss_of(self.net(x), y) for x, y in pairs]
        autograd.backward(losses)
        self.trainer.step(cases.BATCH)

    def run(self, steps):
        for _ in range(steps):
            self.step()
        parameters = self.net.collect_params().values()
        return [[array.asnumpy() for array in p.list_data()] for p in parameters]


def copies_through_the_host(step):
    """Returns how many copies between host and GPU the profiler sees in three steps."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the profiler warns that it has one cycle
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as watched:
            for _ in range(3):
                step()
            torch.cuda.synchronize()
        names = [event.name for event in watched.events()]
    assert len(names) > 10, names
    return sum("DtoH" in name or "HtoD" in name for name in names)


def waits_for_the_gpu(step):
    """Returns how often three steps wait for the GPU."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            torch.cuda.set_sync_debug_mode("warn")  # which warns that it is a prototype
            for _ in range(3):
                step()
        finally:
            torch.cuda.set_sync_debug_mode("default")
    return sum("synchronizing CUDA" in str(warning.message) for warning in said)


@pytest.mark.parametrize("on_store", [None, False])
@pytest.mark.parametrize("kind", ["dist_sync", "dist_device_sync", "nccl"])
@pytest.mark.parametrize("name", NAMES)
def test_one_rank_trains_as_without_a_store(name, kind, on_store):
    expected = Training(name, kvstore=None).run(5)
    store = mx.kv.create(kind)
    found = Training(name, kvstore=store, update_on_kvstore=on_store).run(5)
    for before, after in zip(expected, found, strict=True):
        np.testing.assert_allclose(after[0], before[0], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("count", [copies_through_the_host, waits_for_the_gpu])
@pytest.mark.parametrize("kind", ["dist_sync", "nccl"])
@pytest.mark.parametrize("name", NAMES)
def test_a_store_neither_copies_through_the_host_nor_waits(name, kind, count):
    plain = Training(name, kvstore=None)
    stored = Training(name, kvstore=mx.kv.create(kind))
    plain.run(5)
    stored.run(5)
    assert count(stored.step) <= count(plain.step)


class ReducedTraining(Training):
    """The same with gradients that are added up over the ranks of a group, here of one."""

    def __init__(self, name, compress=None):
        super().__init__(name, kvstore=None)
        trained = [p for p in self.net.collect_params().values() if p.grad_req != "null"]
        gradients = [Gradient(p.list_grad(), p.list_data(), False) for p in trained]
        group = processes.make_group("test")
        self.reducer = Reducer(gradients, range(len(trained))[::-1], group, compress)

    def step(self):
        with autograd.record():
            loss = self.loss_of(self.net(self.parts[0]), self.labels[0])
        loss.backward()
        self.reducer.write_back(self.reducer.reduce("test"))
        self.trainer.update(cases.BATCH)


@pytest.mark.parametrize("name", NAMES)
def test_gradients_added_up_over_a_group_are_the_same(name):
    expected = Training(name, kvstore=None).run(5)
    training = ReducedTraining(name)
    found = training.run(5)
    assert training.reducer.overlaps
    for before, after in zip(expected, found, strict=True):
        np.testing.assert_allclose(after[0], before[0], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("count", [copies_through_the_host, waits_for_the_gpu])
@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_adding_up_over_a_group_neither_copies_through_the_host_nor_waits(name, compressed, count):
    compress = TwoBitCompression({"type": "2bit", "threshold": 0.02}) if compressed else None
    plain, reduced = Training(name, kvstore=None), ReducedTraining(name, compress)
    plain.run(5)
    reduced.run(5)
    assert count(reduced.step) <= count(plain.step)


def test_imperative_steps_do_not_wait_for_the_gpu():
    training = Training("mlp, sgd", kvstore=None)
    training.run(5)
    assert waits_for_the_gpu(training.step) == 0


def test_values_pushed_and_pulled_stay_on_the_gpu():
    store = mx.kv.create("dist_sync")
    store.init(3, nd.ones((4, 4), ctx=GPU))
    out = nd.zeros((4, 4), ctx=GPU)

    def exchange():
        store.push(3, nd.ones((4, 4), ctx=GPU) * 2)
        store.pull(3, out=out)

    exchange()
    assert copies_through_the_host(exchange) == 0
    assert out.context == GPU
    assert (out.asnumpy() == 2).all()


@pytest.mark.parametrize("kind", ["local", "device", "dist_sync"])
@pytest.mark.parametrize("name", NAMES)
def test_a_gpu_and_the_cpu_train_as_one(name, kind):
    expected = Training(name, kvstore=None).run(5)
    found = Training(name, [GPU, mx.cpu()], kvstore=mx.kv.create(kind)).run(5)
    for (whole,), copies in zip(expected, found, strict=True):
        for copy in copies:
            np.testing.assert_allclose(copy, whole, rtol=1e-3, atol=1e-4)


def normalized(norm, contexts):
    """Trains a small network with a normalization in a loop over contexts."""
    mx.random.seed(1)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(4, 3, in_channels=3), norm, gluon.nn.Dense(4, in_units=4 * 4 * 4))
    net.initialize(mx.init.Xavier(), ctx=contexts)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    random = np.random.RandomState(0)
    for _ in range(3):
        parts = gluon.utils.split_and_load(random.randn(8, 3, 6, 6), contexts)
        labels = gluon.utils.split_and_load(random.randint(0, 4, 8), contexts)
        with autograd.record():
            losses = [loss_of(net(x), y) for x, y in zip(parts, labels, strict=True)]
        for loss in losses:
            loss.backward()
        trainer.step(8)
    return [p.data(contexts[0]).asnumpy() for p in net.collect_params().values()]


@pytest.mark.parametrize(
    "contexts",
    [[GPU, mx.cpu()], pytest.param([GPU, mx.gpu(1)], marks=needs_two)],
    ids=["a GPU and the CPU", "two GPUs"],
)
def test_a_loop_over_contexts_normalizes_the_whole_batch(contexts):
    expected = normalized(gluon.nn.BatchNorm(in_channels=4), [GPU])
    norm = gluon.contrib.nn.SyncBatchNorm(in_channels=4, num_devices=2)
    found = normalized(norm, contexts)
    for array, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-3, atol=1e-4)


@needs_two
@pytest.mark.parametrize("kind", ["device", "nccl", "dist_sync"])
@pytest.mark.parametrize("name", NAMES)
def test_two_gpus_train_as_one(name, kind):
    expected = Training(name, kvstore=None).run(5)
    found = Training(name, [mx.gpu(0), mx.gpu(1)], kvstore=mx.kv.create(kind)).run(5)
    for (whole,), copies in zip(expected, found, strict=True):
        for copy in copies:
            np.testing.assert_allclose(copy, whole, rtol=1e-3, atol=1e-4)


@needs_two
@pytest.mark.parametrize("name", NAMES)
def test_gradients_of_two_gpus_meet_without_the_host(name):
    training = Training(name, [mx.gpu(0), mx.gpu(1)], kvstore="device")
    training.run(3)
    assert copies_through_the_host(training.step) == 0


@needs_two
def test_two_gpus_compute_at_the_same_time():
    """The kernels of both devices overlap, because nobody waits in between."""
    large = [nd.ones((4096, 4096), ctx=ctx) for ctx in (mx.gpu(0), mx.gpu(1))]
    for array in large:
        array.attach_grad()

    def step():
        with autograd.record():
            heads = [nd.dot(nd.dot(x, x), nd.dot(x, x)).sum() for x in large]
        autograd.backward(heads)

    step()
    with profile(activities=[ProfilerActivity.CUDA]) as watched:
        step()
        torch.cuda.synchronize(0)
        torch.cuda.synchronize(1)
    spans = {0: [], 1: []}
    for event in watched.events():
        if event.device_type == torch.autograd.DeviceType.CUDA and event.device_index in spans:
            spans[event.device_index].append((event.time_range.start, event.time_range.end))
    begins = [min(start for start, _ in spans[i]) for i in spans]
    ends = [max(end for _, end in spans[i]) for i in spans]
    assert max(begins) < min(ends)

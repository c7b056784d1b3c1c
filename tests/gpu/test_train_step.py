"""Whole steps on a GPU: captured, replayed, and as the loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet._arrays.capture import CudaEngine
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.gluon import nn, rnn
from mxnet.gluon.train_step import UncapturedStepWarning
from tests.gpu.conftest import COMPILER_WARNINGS

pytestmark = [pytest.mark.gpu, *COMPILER_WARNINGS]

STATIC = {"static_alloc": True, "static_shape": True}
SOFTMAX = gluon.loss.SoftmaxCrossEntropyLoss()


def mlp() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.Dropout(0.5), nn.Dense(4))
    return net


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, 3, use_bias=False),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.MaxPool2D(),
        nn.Dense(4),
    )
    return net


class Recurrent(nn.HybridBlock):
    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.embedding = nn.Embedding(20, 8)
            self.layers = rnn.LSTM(8, 2, dropout=0.3, input_size=8, layout="NTC")
            self.output = nn.Dense(4, in_units=8 * 5)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        return self.output(F.flatten(self.layers(self.embedding(x))))


def data_for(make: Any, size: int, seed: int) -> tuple[Any, Any]:
    numbers = np.random.RandomState(seed)
    if make is convolutional:
        data = numbers.rand(size, 3, 8, 8)
    else:
        data = numbers.randint(0, 20, (size, 5)) if make is Recurrent else numbers.rand(size, 7)
    labels = numbers.randint(0, 4, size)
    return nd.array(data, ctx=mx.gpu()), nd.array(labels, ctx=mx.gpu())


class Uncaptured(CudaEngine):
    """Leaves all steps to the loop."""

    def covers(self, device: Any) -> bool:
        del device
        return False


class Run:
    """A network on a GPU, trained by the loop or by whole steps."""

    def __init__(
        self,
        make: Any,
        whole: bool,
        optimizer: str = "sgd",
        options: dict[str, Any] | None = None,
        hybridize: dict[str, Any] | None = None,
        dtype: str = "float32",
        **more: Any,
    ) -> None:
        mx.random.seed(3)
        self.net = make()
        self.net.initialize(mx.init.Xavier(), ctx=mx.gpu())
        self.net(data_for(make, 2, 0)[0])
        self.net.cast(dtype)
        if hybridize is not None:
            self.net.hybridize(**hybridize)
        self.dtype = dtype
        settings = options or {"learning_rate": 0.05, "momentum": 0.9}
        self.trainer = gluon.Trainer(self.net.collect_params(), optimizer, settings)
        self.step = gluon.TrainStep(self.net, SOFTMAX, self.trainer, **more) if whole else None
        mx.random.seed(5)

    def __call__(self, data: Any, labels: Any) -> Any:
        if self.dtype != "float32" and not isinstance(self.net, Recurrent):
            data = data.astype(self.dtype)
        if self.step is not None:
            return self.step(data, labels)
        with autograd.record():
            loss = SOFTMAX(self.net(data), labels)
        loss.backward()
        self.trainer.step(len(data))
        return loss

    def captures(self) -> list[Any]:
        kinds = self.step._captures._kinds.values()
        return [kind.capture for kind in kinds if kind.capture is not None]


def train(run: Run, make: Any, sizes: list[int]) -> list[Any]:
    mx.random.seed(7)
    return [run(*data_for(make, size, seed)) for seed, size in enumerate(sizes)]


def compare(loop: Run, whole: Run, make: Any, sizes: list[int], rtol: float = 1e-5) -> None:
    losses = [train(run, make, sizes) for run in (loop, whole)]
    for one, other in zip(*losses, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=rtol, atol=rtol)
    pairs = zip(
        loop.net.collect_params().values(), whole.net.collect_params().values(), strict=True
    )
    for one, other in pairs:
        np.testing.assert_allclose(
            one.data().asnumpy(), other.data().asnumpy(), rtol=rtol, atol=rtol
        )
        if one.grad_req != "null":
            np.testing.assert_allclose(
                one.grad().asnumpy(), other.grad().asnumpy(), rtol=rtol, atol=rtol
            )


@pytest.mark.parametrize("make", [mlp, convolutional, Recurrent])
@pytest.mark.parametrize("optimizer", ["sgd", "adam", "lamb", "nadam"])
@pytest.mark.filterwarnings("default::mxnet.gluon.train_step.UncapturedStepWarning")
def test_whole_steps_are_those_of_the_loop(make: Any, optimizer: str) -> None:
    options = {"learning_rate": 0.01}
    loop, whole = (Run(make, way, optimizer, options) for way in (False, True))
    compare(loop, whole, make, [6] * 9, 1e-3)
    assert len(whole.captures()) == 1


@pytest.mark.parametrize("hybridize", [{}, STATIC], ids=["hybridized", "static"])
@pytest.mark.parametrize("make", [mlp, convolutional, Recurrent])
def test_hybridized_networks(make: Any, hybridize: dict[str, Any]) -> None:
    loop = Run(make, False, hybridize={})
    whole = Run(make, True, hybridize=hybridize, strict=True)
    compare(loop, whole, make, [6] * 9, 1e-3)
    assert len(whole.captures()) == 1


def test_the_same_kernels_give_the_same_bits() -> None:
    loop, whole = (Run(mlp, way) for way in (False, True))
    compare(loop, whole, mlp, [6] * 9, 0.0)


def test_a_compiled_network() -> None:
    loop = Run(convolutional, False)
    whole = Run(convolutional, True, backend="inductor", strict=True)
    compare(loop, whole, convolutional, [6] * 9, 1e-2)
    assert len(whole.captures()) == 1


def test_half_precision_with_a_schedule_and_master_copies() -> None:
    runs = []
    for way in (False, True):
        schedule = mx.lr_scheduler.FactorScheduler(2, 0.9, base_lr=0.05)
        options = {"learning_rate": 0.05, "momentum": 0.9, "multi_precision": True}
        options["lr_scheduler"] = schedule
        runs.append(Run(convolutional, way, options=options, dtype="float16"))
    compare(*runs, convolutional, [6] * 9, 2e-2)
    assert len(runs[1].captures()) == 1


def test_sizes_rates_and_parameters_change() -> None:
    loop, whole = (Run(mlp, way) for way in (False, True))
    compare(loop, whole, mlp, [6, 6, 6, 6, 3, 6, 3, 3, 3, 6], 1e-5)
    assert len(whole.captures()) == 2
    for run in (loop, whole):
        run.trainer.set_learning_rate(0.01)
        run.net[0].weight.set_data(run.net[0].weight.data() * 2)
    compare(loop, whole, mlp, [6, 3, 6], 1e-5)
    for run in (loop, whole):
        run.net.cast("float64")
        run.net.cast("float32")
    compare(loop, whole, mlp, [6] * 6, 1e-5)


def test_added_gradients_and_clipping() -> None:
    loop, whole = (Run(mlp, way) for way in (False, True))
    for run in (loop, whole):
        for parameter in run.net.collect_params().values():
            parameter.grad_req = "add"
    compare(loop, whole, mlp, [6] * 7, 1e-5)
    clipped = Run(mlp, True, clip_global_norm=1e-3, strict=True)
    before = clipped.net[0].weight.data().asnumpy()
    train(clipped, mlp, [6] * 7)
    assert np.abs(clipped.net[0].weight.data().asnumpy() - before).max() < 1e-3


def test_dropout_draws_anew_in_each_replay() -> None:
    run = Run(mlp, True, options={"learning_rate": 0.0})
    batch = data_for(mlp, 6, 0)
    losses = [run(*batch).asnumpy().tolist() for _ in range(8)]
    assert len(run.captures()) == 1
    assert len({tuple(item) for item in losses}) == 8


def test_prediction_between_steps() -> None:
    loop, whole = (Run(convolutional, way, hybridize={}) for way in (False, True))
    data = data_for(convolutional, 4, 9)[0]
    for seed in range(7):
        for run in (loop, whole):
            run(*data_for(convolutional, 6, seed))
        results = [run.net(data).asnumpy() for run in (loop, whole)]
        np.testing.assert_allclose(*results, rtol=1e-3, atol=1e-4)


def test_data_on_the_host_is_copied() -> None:
    run = Run(mlp, True)
    data, labels = (item.as_in_context(mx.cpu()) for item in data_for(mlp, 6, 0))
    for _ in range(6):
        loss = run(data, labels)
    assert loss.context == mx.gpu()
    assert len(run.captures()) == 1


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_overflows_are_skipped_and_move_the_scale(optimizer: str) -> None:
    runs = []
    for way in (False, True):
        run = Run(mlp, True, optimizer, {"learning_rate": 0.01}, strict=True)
        run.trainer._amp_loss_scaler = LossScaler()
        if not way:
            run.step._engine = Uncaptured()
        runs.append(run)
    loop, whole = runs
    for seed in range(12):
        data, labels = data_for(mlp, 6, seed)
        if seed in (4, 7, 8):
            data[0, 0] = np.inf
        for run in runs:
            mx.random.seed(seed)
            run(data, labels)
    whole.step.reset()
    assert loop.trainer.optimizer.num_update == whole.trainer.optimizer.num_update == 9
    scales = [run.trainer._amp_loss_scaler.loss_scale for run in runs]
    assert scales[0] == scales[1] == 2.0**13
    for one, other in zip(
        loop.net.collect_params().values(), whole.net.collect_params().values(), strict=True
    ):
        np.testing.assert_allclose(one.data().asnumpy(), other.data().asnumpy(), rtol=1e-4)


def test_what_waits_for_the_device_runs_in_the_loop() -> None:
    class Reading(nn.HybridSequential):
        def forward(self, x: Any) -> Any:
            return super().forward(x) * float(x.sum().asscalar() > 0)

    def make() -> Any:
        net = Reading()
        net.add(nn.Dense(4, in_units=7))
        return net

    loop, whole = (Run(make, way) for way in (False, True))
    with pytest.warns(UncapturedStepWarning, match="not captured as a whole"):
        compare(loop, whole, make, [6] * 6, 1e-5)
    strict = Run(make, True, strict=True)
    with pytest.raises(mx.MXNetError, match="not captured as a whole"):
        train(strict, make, [6] * 6)


@pytest.mark.parametrize("whole", [True, False], ids=["TrainStep", "static loop"])
def test_captures_survive_those_of_torch(whole: bool) -> None:
    """Torch frees the workspace of cuBLAS for each of its own, which ours must not depend on."""
    data, labels = data_for(mlp, 8, 0)
    results = []
    for disturb in (False, True):
        mx.random.seed(3)
        net = nn.HybridSequential()
        net.add(nn.Dense(256, activation="relu"), nn.Dense(256), nn.Dense(4))
        net.initialize(ctx=mx.gpu())
        net.hybridize(strict=True, **({} if whole else STATIC))
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        step = gluon.TrainStep(net, SOFTMAX, trainer, strict=True)
        for _ in range(10):
            if whole:
                step(data, labels)
            else:
                with autograd.record():
                    loss = SOFTMAX(net(data), labels)
                loss.backward()
                trainer.step(8)
            if disturb:
                torch._C._cuda_clearCublasWorkspaces()
                torch.cuda.empty_cache()
                torch.full((64 << 20,), float("nan"), device="cuda")
        results.append([item.data().asnumpy() for item in net.collect_params().values()])
    for calm, disturbed in zip(*results, strict=True):
        np.testing.assert_allclose(calm, disturbed, rtol=1e-5, atol=1e-6)

"""Mixed precision trains as float32 does; `benchmarks/amp_convergence.py` does it at length."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

BENCHMARK = Path(__file__).resolve().parents[3] / "benchmarks" / "amp_convergence.py"


@pytest.fixture(scope="module")
def benchmark():
    """The benchmark as a module."""
    spec = importlib.util.spec_from_file_location("amp_convergence", BENCHMARK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("name", ["resnet", "bert"])
def test_losses_are_those_of_float32(benchmark, name, dtype):
    exact = benchmark.train(name, "float32", "cpu", 6)
    losses = benchmark.train(name, dtype, "cpu", 6, first_scale=256.0)
    np.testing.assert_allclose(losses, exact, rtol=0.02)
    assert losses[-1] != exact[-1]


OPTIMIZERS = sorted(
    set(mx.optimizer.Optimizer.opt_registry) - {"groupadagrad", "test"}  # matrices only; for tests
)
NOISY = ("sgld",)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_a_network_of_low_precision_trains_with_copies_in_float32(optimizer, dtype, tmp_path):
    x = nd.random.uniform(shape=(32, 4))
    y = x.sum(axis=1, keepdims=True).astype(dtype)
    x = x.astype(dtype)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="tanh", in_units=4), nn.Dense(1, in_units=8))
    net.initialize(mx.init.Xavier())
    net.cast(dtype)
    net.hybridize()
    options = {"learning_rate": 0.01, "multi_precision": True}
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    loss_of = gluon.loss.L2Loss()
    losses = []
    for step in range(8):
        with autograd.record():
            loss = loss_of(net(x), y)
        loss.backward()
        trainer.step(32)
        losses.append(loss.astype("float32").mean().asscalar())
        if step == 3:
            trainer.save_states(str(tmp_path / "states"))
            trainer = gluon.Trainer(net.collect_params(), optimizer, options)
            trainer.load_states(str(tmp_path / "states"))
    assert all(np.isfinite(losses))
    assert losses[-1] < losses[0] or optimizer in NOISY
    for state in trainer._updaters[0].states.values():
        assert any(array is not None and array.dtype == np.float32 for array in _arrays_of(state))


def _arrays_of(state):
    if isinstance(state, (list, tuple)):
        return [array for item in state for array in _arrays_of(item)]
    return [state]

"""Optimizers under the rules of MXNet 2, and with what only it has."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx

from ..golden.mxnet2_optimizer_cases import CASES
from ..golden.optimizer_cases import SHAPES, STEPS, Case
from .test_runs import flatten, golden, make_updater


@pytest.fixture
def new_rules():
    before = mx.set_version(2)
    yield
    mx.set_version(before)


def run(case: Case):
    updater = make_updater(case)
    indices = [index for index in SHAPES if case.optimizer != "groupadagrad" or index == 0]
    weights = [mx.np.array(case.weights()[i], dtype=case.dtype) for i in indices]
    for step in range(STEPS):
        grads = [mx.np.array(case.gradients(step)[i], dtype=case.dtype) for i in indices]
        updater(indices, grads, weights)
    states = [array for index in indices for array in flatten(updater.states[index])]
    return [*(weight.asnumpy() for weight in weights), *states]


def tolerance(case: Case, array: np.ndarray) -> dict[str, float]:
    if array.dtype == np.float16:
        return {"rtol": 2e-3, "atol": 1e-4}
    if case.dtype == "float16" and case.optimizer in ("lamb", "lans", "lars"):
        return {"rtol": 3e-3, "atol": 1e-4}  # MXNet takes norms of the half precision weight
    if case.optimizer == "ftml":
        return {"rtol": 1e-5, "atol": 2e-5}  # its leader is a difference of large numbers
    if case.optimizer in ("adam", "adamw", "adabelief"):
        return {"rtol": 2e-5, "atol": 1e-5}  # MXNet rounds `1 - beta2` now in this way, now in that
    return {"rtol": 2e-5, "atol": 1e-6}


@pytest.mark.usefixtures("new_rules")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_ten_steps_end_where_those_of_mxnet_2_do(case: Case):
    arrays = run(case)
    expected = golden("mxnet2")[case.id]
    assert sum(array.size for array in arrays) == len(expected)
    start = 0
    for array in arrays:
        part = expected[start : start + array.size]
        start += array.size
        np.testing.assert_allclose(array.ravel(), part, **tolerance(case, array))


@pytest.mark.usefixtures("new_rules")
@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("SGD", (0.3, 0.5), {"lr": 0.3, "momentum": 0.5, "lazy_update": False, "aggregate_num": 1}),
        ("SGD", (), {"lr": 0.1, "use_fused_step": True}),
        ("NAG", (0.3,), {"lr": 0.3, "momentum": 0.9}),
        ("AdaGrad", (0.3, 0.5), {"lr": 0.3, "epsilon": 0.5}),
        ("AdaDelta", (0.3,), {"lr": 0.3, "epsilon": 1e-6, "use_fused_step": False}),
        ("RMSProp", (0.3, 0.5, 0.25), {"lr": 0.3, "rho": 0.5, "momentum": 0.25}),
        ("Ftrl", (0.3, 0.5), {"lr": 0.3, "lamda1": 0.5, "beta": 1.0}),
        ("LARS", (0.3, 0.5, 0.25, 0.125), {"lr": 0.3, "eta": 0.25, "epsilon": 0.125}),
        ("LAMB", (), {"aggregate_num": 4}),
        ("Signum", (), {"lr": 0.01}),
        ("SGLD", (0.3,), {"lr": 0.3}),
    ],
)
def test_arguments_have_the_order_and_the_defaults_of_mxnet_2(name, arguments, expected):
    made = getattr(mx.optimizer, name)(*arguments)
    assert {key: getattr(made, key) for key in expected} == expected


@pytest.mark.usefixtures("new_rules")
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: mx.optimizer.AdaGrad(eps=1e-5), "AdaGrad: MXNet 2 has no argument 'eps'"),
        (lambda: mx.optimizer.RMSProp(gamma1=0.5), "RMSProp: MXNet 2 has no argument 'gamma1'"),
        (lambda: mx.optimizer.SGD(0.1, learning_rate=0.2), "learning_rate is given by position"),
        (lambda: mx.optimizer.SGLD(0.1, False, 3), "takes learning_rate, use_fused_step by pos"),
    ],
)
def test_other_arguments_are_refused(make, message):
    with pytest.raises(TypeError, match=message):
        make()


def test_what_only_mxnet_2_has_chooses_its_formulas_at_any_time():
    assert mx.optimizer.AdaGrad(eps=0.5).use_fused_step is None
    for made in (
        mx.optimizer.AdaGrad(epsilon=0.5),
        mx.optimizer.RMSProp(rho=0.5),
        mx.optimizer.LARS(epsilon=0.5),
        mx.optimizer.contrib.GroupAdaGrad(epsilon=0.5),
        mx.optimizer.AdamW(),
        mx.optimizer.LANS(),
        mx.optimizer.create("adabelief"),
    ):
        assert made.use_fused_step is True
    weight, grad = mx.nd.ones(1), mx.nd.ones(1) * 2
    made = mx.optimizer.AdaGrad(learning_rate=1.0, epsilon=6.0)
    made.update(0, weight, grad, made.create_state(0, weight))
    assert weight.asscalar() == 1 - 2 / (2 + 6)


class Halving(mx.optimizer.Optimizer):
    """An optimizer as programs of MXNet 2 write them."""

    def create_state(self, index, weight):  # noqa: ARG002 - the interface
        return mx.nd.zeros_like(weight)

    def step(self, indices, weights, grads, states):
        for index, weight, grad, state in zip(indices, weights, grads, states, strict=True):
            self._update_count(index)
            state[:] += grad
            weight[:] = weight / 2 - self._get_lr(index) * state


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_optimizers_of_programs_define_step(dtype):
    updater = mx.optimizer.get_updater(Halving(learning_rate=0.5, multi_precision=True))
    weights = [mx.nd.ones(2, dtype=dtype) for _ in range(2)]
    for _ in range(2):
        updater([0, 1], [mx.nd.ones(2, dtype=dtype) * factor for factor in (1, 2)], weights)
    assert [weight.asnumpy().tolist() for weight in weights] == [[-1.0] * 2, [-2.25] * 2]
    assert updater.optimizer.num_update == 2
    updater(1, mx.nd.zeros(2, dtype=dtype), weights[1])
    assert weights[1].asnumpy().tolist() == [-3.125] * 2


def test_a_program_overrides_one_way_of_an_optimizer():
    class Backwards(mx.optimizer.SGD):
        def fused_step(self, indices, weights, grads, states):
            super().fused_step(indices, weights, [-grad for grad in grads], states)

    weight = mx.nd.zeros(1)
    for made in (Backwards(learning_rate=0.5, use_fused_step=True), Backwards(learning_rate=0.5)):
        mx.optimizer.get_updater(made)([0], [mx.nd.ones(1)], [weight])
    assert weight.asscalar() == 0.0


def test_methods_take_lists():
    made = mx.optimizer.SGD(learning_rate=0.5)
    weights, grads = [mx.nd.ones(1), mx.nd.ones(2)], [mx.nd.ones(1), mx.nd.ones(2)]
    states = [made.create_state(index, weight) for index, weight in enumerate(weights)]
    made.step([0, 1], weights, grads, states)
    made.fused_step([0, 1], weights, grads, states)
    made.update([0, 1], weights, grads, states)
    made.update_multi_precision([0, 1], weights, grads, states)
    assert [weight.asnumpy().tolist() for weight in weights] == [[-1.0], [-1.0, -1.0]]

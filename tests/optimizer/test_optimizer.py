"""Rates, multipliers, counts, registration and misuse."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import lr_scheduler, optimizer
from mxnet.errors import MXNetError

NAMES = {0: "a_weight", 1: "a_bias", 2: "bn_gamma", 3: "bn_beta", 4: "x"}


def test_names_are_found_in_any_case():
    assert type(optimizer.create("RMSprop")) is optimizer.RMSProp
    assert type(optimizer.create("ADAM", beta1=0.5)) is optimizer.Adam
    assert optimizer.Optimizer.create_optimizer is optimizer.create
    with pytest.raises(ValueError, match="nosuch"):
        optimizer.create("nosuch")
    with pytest.raises(MXNetError):
        optimizer.create(None)


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="bogus"):
        optimizer.SGD(bogus=1)
    with pytest.raises(AssertionError, match="param_idx2name"):
        optimizer.SGD(param_idx2name=["a"])


def test_multipliers_by_parameter_index_and_name():
    made = optimizer.SGD(param_idx2name=NAMES, wd=0.1, learning_rate=1.0)
    assert made.wd_mult == {"a_bias": 0.0, "bn_beta": 0.0, "x": 0.0}
    made.set_lr_mult({"a_weight": 0.5, 1: 3.0})
    made.set_wd_mult({"a_bias": 2.0, 4: 7.0})
    assert made._get_lrs(range(6)) == [0.5, 3.0, 1.0, 1.0, 1.0, 1.0]
    np.testing.assert_allclose(made._get_wds(range(6)), [0.1, 0.2, 0.1, 0.0, 0.7, 0.1])
    assert (made._get_lr(1), made._get_wd(1)) == (3.0, 0.2)

    class Parameter:
        lr_mult, wd_mult = 4.0, 5.0

    made.param_dict = {0: Parameter()}
    assert (made._get_lr(0), made._get_wd(0)) == (4.0, 0.5)
    assert optimizer.LARS(param_idx2name=NAMES).wd_mult["bn_gamma"] == 0.0


def test_multipliers_of_symbols():
    class Symbol:
        def attr_dict(self):
            return {"a": {"__lr_mult__": "0.5", "__wd_mult__": "0.25"}, "b": {}}

        def list_arguments(self):
            return ["data", "a", "b"]

    made = optimizer.SGD(sym=Symbol(), param_idx2name={0: "a", 1: "b"}, learning_rate=1, wd=1)
    assert made._get_lrs([0, 1]) == [0.5, 1.0]
    assert made._get_wds([0, 1]) == [0.25, 0.0]


def test_learning_rate_and_schedule():
    assert optimizer.SGD().learning_rate == 0.01
    made = optimizer.SGD(learning_rate=0.3)
    made.set_learning_rate(0.5)
    assert made.learning_rate == 0.5
    schedule = lr_scheduler.FactorScheduler(1, base_lr=0.3)
    made = optimizer.SGD(lr_scheduler=schedule)
    assert (made.lr, made.learning_rate) == (None, 0.3)
    with pytest.raises(UserWarning, match="lr_scheduler"):
        made.set_learning_rate(1)
    assert optimizer.SGD(lr_scheduler=lambda update: update + 0.5).learning_rate == 0.5


def test_a_learning_rate_takes_the_place_of_that_of_the_schedule(caplog):
    schedule = lr_scheduler.FactorScheduler(1, base_lr=0.3)
    assert optimizer.SGD(learning_rate=0.7, lr_scheduler=schedule).learning_rate == 0.7
    assert "0.7" in caplog.text


def test_set_lr_scale_names_its_successor():
    with pytest.raises(DeprecationWarning, match="set_lr_mult"):
        optimizer.SGD().set_lr_scale({})


def test_updates_are_counted_for_each_device():
    made = optimizer.SGD(begin_num_update=5)
    made._update_count(0)
    made._update_count([1, 2])
    assert made._index_update_count == {0: 6, 1: 6, 2: 6}
    made._set_current_context(1)
    made._update_count(0)
    made._update_count(0)
    assert made._all_index_update_counts == {0: {0: 6, 1: 6, 2: 6}, 1: {0: 7}}
    assert made.num_update == 7


def test_the_base_updates_nothing():
    base = optimizer.Optimizer()
    assert base.create_state(0, mx.nd.ones(1)) is None
    with pytest.raises(NotImplementedError):
        base.update_multi_precision(0, mx.nd.ones(1), mx.nd.ones(1), None)


def test_half_precision_without_master_copy_warns():
    half = mx.nd.ones(2, dtype="float16")
    with pytest.warns(UserWarning, match="multi_precision"):
        assert optimizer.Adam().create_state_multi_precision(0, half)[0].dtype == np.float16
    master, state = optimizer.Adam(multi_precision=True).create_state_multi_precision(0, half)
    assert master.dtype == state[0].dtype == np.float32
    state, master = optimizer.SGD(multi_precision=True).create_state_multi_precision(0, half)
    assert state is None
    assert master.dtype == np.float32


@pytest.mark.parametrize("name", ["rmsprop", "adagrad", "adadelta", "ftrl", "adam", "lamb"])
@pytest.mark.parametrize("dtype", ["float16", "float64"])
def test_every_precision_is_updated(name: str, dtype: str):
    made, weight = optimizer.create(name), mx.nd.ones(3, dtype=dtype)
    made.update(0, weight, mx.nd.ones(3, dtype=dtype), made.create_state(0, weight))
    assert (weight.asnumpy() < 1).all()


def test_weights_are_changed_in_place_and_gradients_are_not():
    weight, grad = mx.nd.ones((2, 2)), mx.nd.ones((2, 2))
    weight.attach_grad()
    part = weight[0]
    for name in sorted(
        set(optimizer.Optimizer.opt_registry) - {"test", "_assignmentoptimizer", "_svrgoptimizer"}
    ):
        made = optimizer.create(name, clip_gradient=0.5, rescale_grad=0.5)
        before = part.asnumpy()
        made.update(0, weight, grad, made.create_state(0, weight))
        assert (part.asnumpy() != before).any(), name
        assert (grad.asnumpy() == 1).all(), name


def test_a_step_between_two_backwards():
    weight = mx.nd.array([1.0, 2.0])
    weight.attach_grad()
    updater = optimizer.get_updater(optimizer.SGD(learning_rate=0.5))
    for _ in range(2):
        with mx.autograd.record():
            loss = (weight * weight).sum()
        loss.backward()
        updater(0, weight.grad, weight)
    np.testing.assert_allclose(weight.asnumpy(), [0, 0])


def test_a_gradient_that_does_not_fit_is_refused_before_anything_changes():
    made = optimizer.SGD(param_idx2name={1: "b_weight"})
    weights = [mx.nd.ones(2), mx.nd.ones(2)]
    for wrong, error in (
        (mx.nd.ones(3), MXNetError),
        (mx.nd.ones(2, dtype="float64"), MXNetError),
        (np.ones(2), AssertionError),
    ):
        with pytest.raises(error, match=r"b_weight|NDArray"):
            made.update_many([0, 1], weights, [mx.nd.ones(2), wrong], [None, None])
    assert made.num_update == 0
    assert (weights[0].asnumpy() == 1).all()
    with pytest.raises(AssertionError):
        made.update(0, np.ones(2), mx.nd.ones(2), None)


def test_a_list_of_weights_at_once():
    made = optimizer.SGD(learning_rate=0.5)
    weights = [mx.nd.ones(2), mx.nd.ones(3)]
    made.update([0, 1], weights, [mx.nd.ones(2), mx.nd.ones(3)], [None, None])
    assert all((weight.asnumpy() == 0.5).all() for weight in weights)
    optimizer.get_updater(made)([], [], [])


def test_an_optimizer_of_the_user_sees_every_weight():
    class Recorder(optimizer.SGD):
        def update(self, index, weight, grad, state):
            seen.append(index)
            super().update(index, weight, grad, state)

    class Whole(optimizer.Optimizer):
        def create_state(self, index, weight):
            assert index in (0, 1)
            return mx.nd.zeros(weight.shape)

        def update(self, index, weight, grad, state):
            seen.append(index)
            state += grad
            weight[:] = weight - self._get_lr(index) * state

    for kind in (Recorder, Whole):
        seen: list[int] = []
        weights = [mx.nd.ones(2, dtype="float16"), mx.nd.ones(2, dtype="float16")]
        updater = optimizer.get_updater(kind(learning_rate=0.5, multi_precision=True))
        grads = [mx.nd.ones(2, dtype="float16")] * 2
        updater([0, 1], grads, weights)
        updater(0, grads[0], weights[0])
        assert seen == [0, 1, 0]
        assert weights[1].asnumpy().tolist() == [0.5, 0.5]


def test_a_name_taken_twice_warns():
    @optimizer.register
    class Twice(optimizer.SGD):
        pass

    with pytest.warns(UserWarning, match="takes the name"):
        optimizer.register(Twice)
    assert type(optimizer.create("twice")) is Twice
    del optimizer.Optimizer.opt_registry["twice"]


def test_langevin_noise_has_the_variance_of_the_learning_rate():
    mx.random.seed(3)
    weight = mx.nd.ones(20000)
    made = optimizer.SGLD(learning_rate=0.1, wd=0.2, rescale_grad=0.5)
    made.update(0, weight, mx.nd.ones(20000), None)
    values = weight.asnumpy()
    assert abs(values.mean() - (1 - 0.05 * (0.5 + 0.2))) < 0.01
    assert abs(values.std() - 0.1**0.5) < 0.01


def test_group_adagrad():
    from mxnet.optimizer.contrib import GroupAdaGrad

    made, weight = GroupAdaGrad(learning_rate=0.1), mx.nd.ones((2, 3))
    state = made.create_state(0, weight)
    assert state.shape == (2, 1)
    grad = mx.nd.array([[1, 2, 3], [0, 0, 1]])
    made.update(0, weight, grad, state)
    history = np.mean(grad.asnumpy() ** 2, axis=1, keepdims=True)
    expected = 1 - 0.1 * grad.asnumpy() / np.sqrt(history + 1e-5)
    np.testing.assert_allclose(weight.asnumpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(state.asnumpy(), history, rtol=1e-6)
    with pytest.raises(AssertionError, match="matrix"):
        made.create_state(0, mx.nd.ones(2))
    with pytest.raises(AssertionError, match="weight decay"):
        GroupAdaGrad(wd=0.1).update(0, weight, grad, state)


def test_momentum_of_delay_compensation():
    made, weight = optimizer.DCASGD(momentum=0.5, learning_rate=0.1), mx.nd.ones(2)
    state = made.create_state(0, weight)
    for _ in range(2):
        made.update(0, weight, mx.nd.ones(2), state)
    first = -0.1
    second = 0.5 * first - 0.1 * (1 + 0.04 * first)
    np.testing.assert_allclose(weight.asnumpy(), 1 + first + second, rtol=1e-6)


def test_gradients_are_gathered_by_value():
    made, weight, grad = optimizer.LBSGD(batch_scale=2), mx.nd.ones(2), mx.nd.ones(2)
    made.update(0, weight, grad, None)
    grad[:] = 3
    made.update(0, weight, grad, None)
    rate = 0.01 * (1 + 2 / 160)
    np.testing.assert_allclose(weight.asnumpy(), 1 - rate * 2, rtol=1e-6)

"""Blocks that are hybridized without any option are captured by themselves, where that is possible.

On a stand-in for CUDA graphs; `tests/gpu/test_static_programs.py` does the same on a GPU.
"""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.graph.run import adaptive, captured
from mxnet.ops.core.devices import shortcuts
from mxnet.ops.math import linalg
from mxnet.test_utils import environment
from tests.graph.more_training_programs import MORE_PROGRAMS, PENALTIES
from tests.graph.replaying import Replayed, capture_on_cpu
from tests.graph.training_programs import PROGRAMS, run

STEPS = 40


@pytest.fixture(autouse=True)
def captures(monkeypatch: pytest.MonkeyPatch) -> type[Replayed]:
    return capture_on_cpu(monkeypatch)


def make(**options: object) -> nn.Dense:
    net = nn.Dense(3, in_units=4)
    net.initialize(mx.init.Xavier())
    net.hybridize(**options)
    return net


def assert_equal(results: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("function", [*PROGRAMS.values(), *MORE_PROGRAMS.values()])
def test_steps_are_captured_and_equal_imperative_ones(function, captures) -> None:
    expected = run(function, None, STEPS)
    assert_equal(run(function, {"strict": True}, STEPS), expected)
    assert captures.made


@pytest.mark.parametrize("function", PENALTIES.values())
def test_penalties_go_on_uncaptured_and_say_so_once(function) -> None:
    expected = run(function, None, STEPS)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert_equal(run(function, {"strict": True}, STEPS), expected)
    assert len(caught) <= 2
    assert all("is differentiated twice" in str(item.message) for item in caught)


@pytest.mark.parametrize("backend", [None, "auto"])
def test_the_third_equal_call_is_captured(backend, captures) -> None:
    net, data = make(backend=backend), nd.ones((2, 4))
    for count in (0, 0, 1, 1):
        net(data)
        assert len(captures.made) == count
    net(nd.ones((3, 4)))
    assert len(captures.made) == 1


def test_many_shapes_do_not_fill_the_memory_with_captures(captures) -> None:
    net = make()
    for _ in range(3):
        for length in range(1, 10):
            net(nd.ones((length, 4)))
    assert len(captures.made) == adaptive._MOST_SHAPES
    for length in range(1, 3 * adaptive._MOST_KNOWN):
        net(nd.ones((length, 4)))
    assert len(captures.made) == adaptive._MOST_SHAPES


def test_graphs_with_unknown_lengths_are_captured_for_a_few_shapes(captures) -> None:
    """Those of recurrent layers, whose first states have the batch of the call."""
    nets = [gluon.rnn.LSTM(3, input_size=2, prefix="net_") for _ in range(2)]
    for net in nets:
        mx.random.seed(0)
        net.initialize()
    nets[0].hybridize(strict=True)

    def compare(lengths: range, times: int) -> None:
        for _ in range(times):
            for length in lengths:
                data = nd.random.normal(shape=(4, length, 2))
                one, other = (net(data).asnumpy() for net in nets)
                np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)

    compare(range(1, 4), 4)
    assert len(captures.made) == 3
    compare(range(1, 12), 4)
    assert len(captures.made) == adaptive._MOST_SHAPES


def test_what_cannot_be_captured_goes_on_and_says_so_once(monkeypatch) -> None:
    def refuse(_work, _pool=None):
        raise RuntimeError("operation not permitted when stream is capturing\nmore of it")

    monkeypatch.setattr(captured, "Capture", refuse)
    net, data = make(strict=True), nd.ones((2, 4))
    data.attach_grad()
    seen = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(6):
            with autograd.record():
                loss = net(data).square().sum()
            loss.backward()
            seen.append(data.grad.asnumpy())
    (warning,) = caught
    assert "is not captured any more: RuntimeError: operation not permitted" in str(warning.message)
    assert "more of it" not in str(warning.message)
    assert_equal(seen[1:], seen[:-1])


def test_operators_that_check_values_go_on_checking_them(monkeypatch) -> None:
    def is_captured(*_arrays) -> bool:
        shortcuts.count += 1
        return False

    monkeypatch.setattr(linalg, "is_captured", is_captured)
    net = nn.HybridLambda(lambda F, x: F.linalg.potrf(x))
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(6):
            np.testing.assert_allclose(net(nd.array([[4.0]])).asnumpy(), [[2.0]])
    with pytest.raises(mx.MXNetError):
        net(nd.array([[-1.0]])).asnumpy()
    (row,) = net.plan_report().rows
    assert row.way == "graph"
    assert row.reason == "it checks values, which captures do not"


class Counting(mx.operator.CustomOp):
    count = 0

    def forward(self, req, in_data, out_data, **_):
        Counting.count += 1
        self.assign(out_data[0], req[0], in_data[0] * Counting.count)


@mx.operator.register("counting_calls")
class CountingProp(mx.operator.CustomOpProp):
    def create_operator(self, *_):
        return Counting()


def test_programs_of_the_user_are_run_in_every_call(captures) -> None:
    net = nn.HybridLambda(lambda F, x: F.Custom(x, op_type="counting_calls") + 1)
    net.hybridize()
    seen = [net(nd.ones((1,))).asscalar() for _ in range(8)]
    assert seen == [seen[0] + step for step in range(8)]
    assert not captures.made


def test_a_wrong_call_raises_and_later_ones_are_captured(captures) -> None:
    net = make()
    for _ in range(5):
        with pytest.raises(mx.MXNetError, match=r"in_units|expected"):
            net(nd.ones((2, 5)))
    for _ in range(3):
        net(nd.ones((2, 4)))
    assert captures.made


def test_parameters_that_are_replaced_all_the_time_end_it(captures) -> None:
    net, data = make(), nd.ones((2, 4))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for step in range(adaptive._MOST_CAPTURED + 10):
            net.weight._data = [nd.ones((3, 4)) * step]
            np.testing.assert_allclose(net(data).asnumpy(), np.full((2, 3), 4.0 * step))
    assert len(caught) == 1
    assert "parameters are replaced" in str(caught[0].message)
    assert len(captures.made) < adaptive._MOST_CAPTURED + 3


@pytest.mark.parametrize(
    ("backend", "switch", "count"),
    [(None, None, 1), (None, "0", 0), ("auto", "0", 0), ("auto", None, 1)],
)
def test_the_environment_can_refuse_it(backend, switch, count, captures) -> None:
    with environment("MXNET_GPU_CAPTURE", switch):
        net = make(backend=backend)
    for _ in range(5):
        net(nd.ones((2, 4)))
    assert len(captures.made) == count


def test_a_compiler_is_left_alone(captures) -> None:
    net = make(backend="eager")
    for _ in range(5):
        net(nd.ones((2, 4)))
    assert not captures.made


def test_writes_to_parameters_and_casts_are_seen(captures) -> None:
    net, data = make(), nd.ones((2, 4))
    for _ in range(4):
        net(data)
    net.weight.set_data(nd.ones((3, 4)))
    np.testing.assert_allclose(net(data).asnumpy(), np.full((2, 3), 4.0))
    net.weight.data()[:] = 2
    np.testing.assert_allclose(net(data).asnumpy(), np.full((2, 3), 8.0))
    net.cast("float64")
    for _ in range(4):
        assert net(data.astype("float64")).dtype == np.float64
    assert len(captures.made) == 2


def test_results_that_are_kept_stay(captures) -> None:
    net = make()
    kept = [net(nd.ones((2, 4)) * step) for step in range(12)]
    weight = net.weight.data().asnumpy()
    expected = [np.full((2, 4), step) @ weight.T for step in range(12)]
    assert_equal([item.asnumpy() for item in kept], expected)
    assert captures.made


def test_a_trainer_and_gradients_of_several_outputs() -> None:
    class Two(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope():
                self.one, self.two = nn.Dense(2, in_units=4), nn.Dense(3, in_units=4)

        def hybrid_forward(self, F, x):
            return self.one(x), self.two(x), F.stop_gradient(x)

    results = []
    for is_hybrid in (False, True):
        mx.random.seed(3)
        net = Two()
        net.initialize(mx.init.Xavier())
        if is_hybrid:
            net.hybridize()
        trainer = gluon.Trainer(net.collect_params(), "adam")
        for step in range(10):
            with autograd.record():
                one, two, same = net(nd.ones((2, 4)) * step)
                loss = one.square().sum() + (same.sum() * two.sum() if step % 2 else two.sum())
            loss.backward()
            trainer.step(2)
        results.append([p.data().asnumpy() for p in net.collect_params().values()])
    assert_equal(*results)

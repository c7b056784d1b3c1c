"""Networks that nobody tuned for run in every way without a plan that is given up."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.model_zoo import vision
from tests.gluon.training.fake_capture import FakeEngine
from tests.graph.replaying import capture_on_cpu
from tests.graph.strange_networks import NETWORKS, Strange
from tests.zoo import FAMILIES

STATIC = {"static_alloc": True, "static_shape": True, "strict": True}
STEPS = 4


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def weigh(outputs: object) -> nd.NDArray:
    """Returns one number of what a network gives."""
    items = outputs if isinstance(outputs, (list, tuple)) else [outputs]
    return nd.add_n(*[(item * item).mean() + item.mean() for item in items])


def prepare(strange: Strange) -> gluon.HybridBlock:
    mx.random.seed(7)
    np.random.seed(7)
    net = strange.make()
    net.initialize(mx.init.Xavier())
    net(*strange.draw())
    return net


def train(strange: Strange, options: dict[str, object] | None) -> list[np.ndarray]:
    """Returns what an ordinary loop sees."""
    net = prepare(strange)
    if options is not None:
        net.hybridize(**options)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01, "momentum": 0.9})
    seen = []
    for _ in range(STEPS):
        data = strange.draw()
        with autograd.record():
            loss = weigh(net(*data))
        loss.backward()
        trainer.step(1)
        outputs = net(*data)
        seen += [loss, *(outputs if isinstance(outputs, (list, tuple)) else [outputs])]
    seen += [parameter.data() for parameter in net.collect_params().values()]
    return [item.asnumpy() for item in seen]


def predict(strange: Strange, options: dict[str, object] | None) -> list[np.ndarray]:
    """Returns two predictions."""
    net = prepare(strange)
    if options is not None:
        net.hybridize(**options)
    return [net(*strange.draw()).asnumpy() for _ in range(2)]


class Losing(gluon.HybridBlock):
    """A network whose output is what goes down."""

    def __init__(self, net: gluon.HybridBlock) -> None:
        super().__init__()
        self.net = net

    def hybrid_forward(self, F: Any, *data: Any) -> Any:
        outputs = self.net(*data)
        items = outputs if isinstance(outputs, (list, tuple)) else [outputs]
        return F.add_n(*[F.mean(item * item) + F.mean(item) for item in items])


def train_whole_steps(
    strange: Strange, options: dict[str, object], engine: FakeEngine | None
) -> list[np.ndarray]:
    """Returns losses and parameters of a loop, or of a `TrainStep` on a stand-in for a GPU."""
    net = Losing(prepare(strange))
    if options:
        net.hybridize(**options)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01, "momentum": 0.9})
    step = gluon.TrainStep(net, None, trainer, strict=True)
    if engine is not None:
        step._engine = engine
        step.reset()
    seen = [step(list(strange.draw()), batch_size=1) for _ in range(2 * STEPS)]
    seen += [parameter.data() for parameter in net.collect_params().values()]
    return [item.asnumpy() for item in seen]


def assert_equal(results: list[np.ndarray], expected: list[np.ndarray]) -> None:
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_hybridized_network_is_the_imperative_one(name: str) -> None:
    expected = train(NETWORKS[name], None)
    assert_equal(train(NETWORKS[name], {"strict": True}), expected)
    assert_equal(train(NETWORKS[name], {"strict": True, "channels_last": True}), expected)


@pytest.mark.parametrize("name", NETWORKS)
def test_a_captured_network_is_the_imperative_one(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = train(NETWORKS[name], None)
    made = capture_on_cpu(monkeypatch).made
    assert_equal(train(NETWORKS[name], STATIC), expected)
    assert made


@pytest.mark.parametrize("options", [{}, {"strict": True}], ids=["imperative", "hybridized"])
@pytest.mark.parametrize("name", NETWORKS)
def test_a_captured_step_is_that_of_the_loop(name: str, options: dict[str, object]) -> None:
    expected = train_whole_steps(NETWORKS[name], {}, None)
    engine = FakeEngine()
    assert_equal(train_whole_steps(NETWORKS[name], options, engine), expected)
    assert len(engine.captures) == 1
    assert engine.num_replays > STEPS


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if size > 64 else ())
        for name, size in FAMILIES.items()
    ],
)
def test_a_family_of_the_zoo_predicts_in_all_ways(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = FAMILIES[name]
    zoo = Strange(
        lambda: vision.get_model(name, classes=5),
        lambda: [nd.array(np.random.normal(size=(2, 3, size, size)))],
    )
    expected = predict(zoo, None)
    assert_equal(predict(zoo, {"strict": True}), expected)
    made = capture_on_cpu(monkeypatch).made
    assert_equal(predict(zoo, STATIC), expected)
    assert made

"""Which steps of an optimizer are captured, without a GPU."""

import pytest
import torch

from mxnet import optimizer as opt
from mxnet.optimizer import _captured_steps


class Cache:
    """Stands in the place of captures and counts what it is asked to run."""

    gives_up = False

    def __init__(self):
        self.num_tensors = []

    def run(self, _key, tensors, work):
        self.num_tensors.append(len(tensors))
        work()


@pytest.fixture
def step(monkeypatch):
    """Runs steps of an optimizer and returns, for each, whether a capture was looked for."""
    cache, optimizer, steps = Cache(), opt.SGD(), []
    monkeypatch.setitem(_captured_steps._CACHES, optimizer, cache)

    def run(gradients):
        before = len(cache.num_tensors)
        _captured_steps.run_step(
            optimizer, "group", gradients, ([torch.zeros(2)],), lambda: steps.append(gradients)
        )
        assert steps[-1] is gradients
        return len(cache.num_tensors) > before

    return run


def test_gradients_that_are_new_in_every_step_are_not_captured(step):
    assert not any(step([torch.ones(2)]) for _ in range(4))


def test_gradients_that_stay_are_captured(step):
    gradients = [torch.ones(2), torch.ones(2)]
    assert [step(gradients) for _ in range(3)] == [False, True, True]

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


@pytest.fixture
def find():
    """Asks for memory for the gradients of some weights."""
    copies, optimizer = _captured_steps.KeptCopies(6), opt.SGD()
    return lambda masters: copies.find(optimizer, masters)


def test_gradients_have_memory_that_stays_after_the_first_steps(find):
    masters = [torch.zeros(2), torch.zeros(2, 2)]
    found = [find(masters) for _ in range(6)]
    assert found[:3] == [None] * 3
    assert [copy.shape for copy in found[3]] == [(2,), (2, 2)]
    assert found[3] is found[4] is found[5]


def test_other_weights_have_other_memory(find):
    first, second = [torch.zeros(2), torch.zeros(2)], torch.zeros(3)
    before = [find(first) for _ in range(4)][-1]
    assert find([first[0], second]) is None
    after = [find([first[0], second]) for _ in range(3)][-1]
    assert [copy.shape for copy in after] == [(2,), (3,)]
    assert after[0] is not before[0]


def test_large_weights_have_no_memory_that_stays(find):
    masters = [torch.zeros(7)]
    assert [find(masters) for _ in range(6)] == [None] * 6

"""Plans that are replayed, in prediction, with a stand-in for captures that works on the CPU.

What needs a GPU, gradients above all, is in `tests/gpu/test_static_graphs.py`.
"""

import pytest
import torch

from mxnet.graph.run import captured
from mxnet.graph.run.captured import CapturedPlan


class Replayable:
    """Does its work again into the memory of the first results."""

    made = 0

    def __init__(self, work, pool=None):
        del pool
        type(self).made += 1
        self._work, self.result = work, work()
        self._memory = list(self.result)

    def replay(self):
        for memory, new in zip(self._memory, self._work(), strict=True):
            memory.copy_(new)


@pytest.fixture(autouse=True)
def captures(monkeypatch):
    monkeypatch.setattr(captured, "Capture", Replayable)
    monkeypatch.setattr(captured, "make_pool", lambda: None)
    monkeypatch.setattr(captured, "warm_up", lambda *_: None)
    monkeypatch.setattr(Replayable, "made", 0)
    return Replayable


def plan(run):
    """Returns a plan of an input and a weight."""
    return CapturedPlan(run, [0], [], None)


def test_inputs_are_copied_and_parameters_read_in_place(captures):
    double, weight = plan(lambda values: [values[0] * values[1]]), torch.tensor([2.0])
    assert double([torch.tensor([3.0]), weight])[0].tolist() == [6]
    weight.fill_(5)
    assert double([torch.tensor([4.0]), weight])[0].tolist() == [20]
    assert captures.made == 1


def test_a_result_that_is_held_is_not_written_to(captures):
    double, weight = plan(lambda values: [values[0] * values[1]]), torch.tensor([2.0])
    (first,) = double([torch.tensor([1.0]), weight])
    (second,) = double([torch.tensor([2.0]), weight])
    assert (first.tolist(), second.tolist()) == ([2], [4])
    assert captures.made == 2
    del first, second
    double([torch.tensor([3.0]), weight])
    assert captures.made == 2


def test_with_all_captures_in_use_the_plan_runs(captures):
    double, weight = plan(lambda values: [values[0] * values[1]]), torch.tensor([2.0])
    held = [double([torch.tensor([float(i)]), weight])[0] for i in range(8)]
    assert [item.item() for item in held] == [0, 2, 4, 6, 8, 10, 12, 14]
    assert captures.made == 6


def test_another_parameter_needs_another_capture(captures):
    double = plan(lambda values: [values[0] * values[1]])
    assert double([torch.tensor([1.0]), torch.tensor([2.0])])[0].tolist() == [2]
    assert double([torch.tensor([1.0]), torch.tensor([3.0])])[0].tolist() == [3]
    assert captures.made == 2


def test_results_share_memory_with_nothing():
    twice = plan(lambda values: [values[1], values[1].view(1), values[0] + 1])
    weight = torch.tensor([2.0])
    results = twice([torch.tensor([1.0]), weight])
    for result in results:
        result.add_(1)
    assert weight.tolist() == [2]
    assert [item.tolist() for item in results] == [[3], [3], [3]]


def test_the_result_of_another_capture_is_read_in_place_unless_its_strides_differ(captures):
    weight = torch.ones(2, 2)
    first = plan(lambda values: [values[0] + values[1]])
    second = plan(lambda values: [values[0].contiguous() * values[1]])
    (square,) = first([torch.tensor([[0.0, 1.0], [2.0, 3.0]]), weight])
    assert second([square, weight])[0].tolist() == [[1, 2], [3, 4]]
    assert second([square.t(), weight])[0].tolist() == [[1, 3], [2, 4]]
    assert second([square, weight])[0].tolist() == [[1, 2], [3, 4]]
    assert captures.made == 3

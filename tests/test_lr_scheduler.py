from __future__ import annotations

import json
import pickle
from pathlib import Path

import pytest

from mxnet import lr_scheduler
from mxnet.errors import MXNetError

from .golden.schedule_cases import SCHEDULES, UPDATES

GOLDEN = Path(__file__).parent / "golden" / "optimizer" / "schedules.json"


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_are_exactly_those_of_the_original(name: str):
    kind, arguments = SCHEDULES[name]
    schedule = getattr(lr_scheduler, kind)(**arguments)
    expected = json.loads(GOLDEN.read_text())[name]
    assert [schedule(update) for update in UPDATES] == expected


@pytest.mark.parametrize("name", SCHEDULES)
def test_a_pickled_schedule_goes_on(name: str):
    kind, arguments = SCHEDULES[name]
    schedule = getattr(lr_scheduler, kind)(**arguments)
    for update in range(10):
        schedule(update)
    copy = pickle.loads(pickle.dumps(schedule))
    assert [copy(update) for update in range(10, 20)] == [
        schedule(update) for update in range(10, 20)
    ]


@pytest.mark.parametrize(
    ("kind", "arguments", "error"),
    [
        ("LRScheduler", {"warmup_steps": 2.0}, AssertionError),
        ("LRScheduler", {"warmup_steps": -1}, ValueError),
        ("LRScheduler", {"base_lr": 0.1, "warmup_begin_lr": 0.2}, ValueError),
        ("LRScheduler", {"warmup_mode": "square"}, ValueError),
        ("FactorScheduler", {"step": 0}, ValueError),
        ("FactorScheduler", {"step": 2, "factor": 1.5}, ValueError),
        ("MultiFactorScheduler", {"step": (2, 4)}, AssertionError),
        ("MultiFactorScheduler", {"step": []}, AssertionError),
        ("MultiFactorScheduler", {"step": [4, 2]}, ValueError),
        ("MultiFactorScheduler", {"step": [2, 2]}, ValueError),
        ("MultiFactorScheduler", {"step": [0, 2]}, ValueError),
        ("MultiFactorScheduler", {"step": [2], "factor": 2}, ValueError),
        ("PolyScheduler", {"max_update": 0}, ValueError),
        ("PolyScheduler", {"max_update": 10.0}, AssertionError),
        ("CosineScheduler", {"max_update": 0}, ValueError),
        ("CosineScheduler", {"max_update": 10.0}, AssertionError),
    ],
)
def test_mistakes_are_refused(kind: str, arguments: dict, error: type[Exception]):
    with pytest.raises(error) as caught:
        getattr(lr_scheduler, kind)(**arguments)
    assert isinstance(caught.value, MXNetError)


def test_the_base_has_no_rate_of_its_own():
    with pytest.raises(NotImplementedError):
        lr_scheduler.LRScheduler()(1)


def test_warmup_ends():
    schedule = lr_scheduler.LRScheduler(warmup_steps=3)
    assert schedule.get_warmup_lr(2) == 0.01 * 2 / 3
    with pytest.raises(AssertionError):
        schedule.get_warmup_lr(3)


@pytest.mark.parametrize("factor", [1.0, 0.9999999, 0.5, -1.0])
def test_a_factor_catches_up_with_a_far_update_at_once(factor: float):
    schedule = lr_scheduler.FactorScheduler(3, factor, base_lr=1.0)
    near = lr_scheduler.FactorScheduler(3, factor, base_lr=1.0)
    far = 3 * 100_100
    for update in range(2, far + 1, 30_000):
        near(update)
    assert schedule(far) == pytest.approx(near(far))
    assert schedule.count == near.count
    assert 0 < schedule(2**52) <= 1

"""Schedules of `mxnet.misc`, with numbers of the original."""

from __future__ import annotations

import logging

import pytest

from mxnet import misc


def test_factor_scheduler(caplog):
    schedule = misc.FactorScheduler(2, 0.5)
    with caplog.at_level(logging.INFO):
        rates = [schedule(iteration) for iteration in range(6)]
    assert rates == [0.01, 0.01, 0.005, 0.005, 0.0025, 0.0025]
    assert [record.args for record in caplog.records] == [(2, 0.005), (4, 0.0025)]


def test_the_rate_may_be_set_later():
    schedule = misc.FactorScheduler(1.5, 0.9)
    schedule.base_lr = 1.0
    assert schedule(3) == pytest.approx(0.81)


@pytest.mark.parametrize(("step", "factor"), [(0, 0.1), (-1, 0.1), (1, 1.0), (1, 2)])
def test_refused(step, factor):
    with pytest.raises(ValueError, match="FactorScheduler: expected a"):
        misc.FactorScheduler(step, factor)


def test_base_class():
    with pytest.raises(NotImplementedError):
        misc.LearningRateScheduler()(1)

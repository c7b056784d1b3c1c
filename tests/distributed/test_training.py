"""Several processes train as one process does with the whole batch."""

import numpy as np
import pytest

from tests.distributed import training_cases

NAMES = list(training_cases.CASES)


def check_equal_to_one_process(ranks, name):
    """Checks that all ranks have the same parameters, and those of a process alone."""
    alone = next(found[f"{name}, alone"] for found in ranks if f"{name}, alone" in found)
    first, *others = [found[name] for found in ranks]
    assert len(first) == len(alone)
    for other in others:
        for array, same in zip(first, other, strict=True):
            np.testing.assert_array_equal(array, same)
    for array, wanted in zip(first, alone, strict=True):
        np.testing.assert_allclose(array, wanted, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_two_processes_train_as_one(two, name):
    check_equal_to_one_process(two, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_four_processes_train_as_one(four, name):
    check_equal_to_one_process(four, name)


@pytest.mark.parametrize("update_on_kvstore", [True, False])
def test_an_overflow_in_one_process_skips_the_step_in_all(two, update_on_kvstore):
    first, second = [found[f"overflow {update_on_kvstore}"] for found in two]
    assert first == second
    before, skipped, after = first
    assert skipped == (before[0] / 2, before[1])
    assert after[1] != before[1]

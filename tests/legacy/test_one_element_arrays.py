"""NumPy arrays of one element convert to numbers, whatever NumPy says."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from mxnet._legacy.clients import OneElementArray, allow_as_number


def test_one_element_is_a_number():
    value = allow_as_number(np.array([2.5]))
    assert (float(value), int(value), f"{value.item():.1f}") == (2.5, 2, "2.5")
    assert "%.1f" % value == "2.5"  # noqa: UP031 - what programs write


@pytest.mark.parametrize("values", [np.array(2.5), np.array([1, 2]), np.empty(0)])
def test_other_arrays_stay_as_they_are(values):
    assert allow_as_number(values) is values


def test_memory_is_shared():
    values = np.array([1.0])
    allow_as_number(values)[0] = 3
    assert values[0] == 3


def test_results_are_plain_unless_they_have_one_element():
    value = allow_as_number(np.array([2.0]))
    assert type(value + 1) is OneElementArray
    assert type(value + np.ones(3)) is np.ndarray
    assert type(pickle.loads(pickle.dumps(value))) is np.ndarray
    assert repr(value) == "array([2.])"

"""What errors of comparisons say."""

from __future__ import annotations

import numpy as np
import pytest

from mxnet import nd
from mxnet import test_utils as helpers


def message_of(*args: object, **kwargs: object) -> str:
    with pytest.raises(AssertionError) as raised:
        helpers.assert_almost_equal(*args, **kwargs)
    return str(raised.value)


def test_an_error_shows_the_place_the_values_and_the_tolerances():
    a, b = nd.ones((2, 3)), np.array([[1, 1, 1.1], [1, 2, 1]])
    message = message_of(a, b, rtol=1e-3, atol=1e-2, names=("mine", "yours"))
    for words in ("mine=1.00000000, yours=2.00000000", "(1, 1)", "(0, 2)", "2 of 6", "33.33%"):
        assert words in message
    assert "rtol=0.001" in message
    assert "83.3333 tolerances" in message


def test_only_so_many_places_are_shown():
    message = message_of(np.arange(20.0), np.arange(20.0) + 1, mismatches=(5, 2))
    assert message.count("  difference at") == 2
    assert "largest difference at (0,)" in message


def test_nan_is_the_worst_error():
    message = message_of(np.array([5.0, np.nan, 1.0]), np.array([1.0, 2.0, 1.0]))
    assert "largest difference at (1,): a=nan" in message


def test_lists_are_compared():
    helpers.assert_almost_equal([1.0, 2.0], [1.0, 2.0])
    assert "2.00000000" in message_of([1, 2], [1, 3])


def test_an_error_of_shapes_names_them():
    with pytest.raises(ValueError, match=r"\(2,\) and \(3,\)"):
        helpers.assert_almost_equal(np.ones(2), np.ones(3))


def test_the_index_of_an_error():
    text = helpers.locationError(np.ones((2, 2)), np.zeros((2, 2)), (0, 1), ("a", "b"), True)
    assert text == "largest difference at (0, 1): a=1.00000000, b=0.00000000"

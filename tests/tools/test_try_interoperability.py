"""The tool that tries NumPy's protocols on arrays of `mx.np`."""

import numpy
import pytest
from numpy.testing import overrides

import mxnet as mx
from tools.try_interoperability import PATTERNS, agree, try_all, try_call, try_function


def test_ufuncs_that_differ_are_those_of_the_original_on_integers():
    outcomes = try_all(overrides.get_overridable_numpy_ufuncs())
    assert "refused" not in outcomes
    assert "an array of NumPy" not in outcomes
    assert len(outcomes["agrees"]) >= 62
    assert {"remainder", "arctan2", "hypot"} <= {*outcomes["differs"]}
    for name in outcomes["differs"]:
        if getattr(numpy, name).nin == 1:
            assert getattr(mx.np, name)(mx.np.array([1], dtype="int64")).dtype == numpy.int64


def test_functions_that_write_reach_the_array():
    for function in (numpy.copyto, numpy.place, numpy.put, numpy.putmask, numpy.fill_diagonal):
        assert try_function(function) == "agrees", function


@pytest.mark.parametrize("name", ["ones", "zeros", "eye", "arange", "array", "asarray"])
def test_arrays_are_made_like_others(name):
    assert type(getattr(numpy, name)(2, like=mx.np.ones(1))) is mx.np.ndarray


def test_outcomes_are_told_apart():
    assert try_call(numpy.sort, PATTERNS["f(matrix)"]) == "agrees"
    assert try_call(numpy.sort, PATTERNS["f([vector, vector])"]) is not None
    assert try_call(numpy.char.upper, PATTERNS["f(matrix)"]) is None
    assert not agree([mx.np.ones(2)], [numpy.zeros(2)])
    assert not agree([mx.np.ones(2)], [numpy.ones(2), 1])

"""`mx.error`: classes of errors that programs register."""

from __future__ import annotations

import pytest

import mxnet as mx


@pytest.fixture
def error_types():
    types = mx.error.error_types
    before = dict(types)
    yield types
    types.clear()
    types.update(before)


def test_internal_error_says_whose_mistake_it_is():
    error = mx.error.InternalError("lost an array")
    assert isinstance(error, mx.MXNetError)
    assert str(error).startswith("lost an array\n")
    assert "mistake in the package" in str(error)


def test_what_is_registered_from_the_start():
    builtins = {"ValueError", "TypeError", "AttributeError", "IndexError", "NotImplementedError"}
    assert {*builtins, "InternalError"} <= mx.error.error_types.keys()


def test_register_a_class(error_types):
    @mx.error.register
    class OwnError(mx.MXNetError):
        pass

    assert error_types["OwnError"] is OwnError


def test_register_under_a_name(error_types):
    assert mx.error.register("Bad", ValueError) is ValueError
    assert mx.error.register("Worse")(KeyError) is KeyError
    assert (error_types["Bad"], error_types["Worse"]) == (ValueError, KeyError)


def test_names():
    assert mx.error.__all__ == ["MXNetError", "register"]
    assert mx.error.MXNetError is mx.MXNetError
    assert mx.error.register is mx.error.register_error

"""Functions of `mx.np` that NumPy computes are declared as NumPy has them."""

from __future__ import annotations

import inspect

import numpy as onp

import mxnet as mx
from mxnet._np_functions.table import BY_NUMPY


def test_declarations_have_parameters_of_numpy():
    """A release of NumPy may have more of them, and tells nothing of some functions."""
    compared = 0
    for module, declared in BY_NUMPY.items():
        source = onp.linalg if module == "np.linalg" else onp
        for name, function in declared.items():
            try:
                theirs = list(inspect.signature(vars(source)[name]).parameters)
            except (KeyError, ValueError):
                continue
            ours = list(inspect.signature(function).parameters)
            assert ours == theirs[: len(ours)], name
            compared += 1
    assert compared > 50


def test_functions_of_numpy_show_their_signatures():
    assert "see there" not in mx.np.allclose.__doc__
    assert list(inspect.signature(mx.np.allclose).parameters) == [
        "a",
        "b",
        "rtol",
        "atol",
        "equal_nan",
    ]
    assert mx.np.allclose.__module__ == "mxnet.numpy"
    assert mx.np.linalg.qr.__module__ == "mxnet.numpy.linalg"
    assert "mx.np.deg2rad(" in mx.np.deg2rad.__doc__  # an alias is shown by its own name

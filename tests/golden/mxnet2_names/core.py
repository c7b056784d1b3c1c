"""Runs cases, and writes down and compares what they give.

A case is a function of the package that returns arrays, numbers, strings, or lists and dictionaries
of them. It is run with arrays of `mx.np`, as MXNet 2 does.
"""

from __future__ import annotations

import numpy as onp


def values(*shape, start=0, low=-1.0, high=1.0):
    """Returns fixed float32 values which look random."""
    count = int(onp.prod(shape))
    steps = (onp.arange(start, start + count) * 37 % 101) / 101
    return (steps * (high - low) + low).reshape(shape).astype("float32")


def describe(value):
    """Returns a result as JSON can write it."""
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if isinstance(value, dict):
        return {str(key): describe(item) for key, item in value.items()}
    if hasattr(value, "asnumpy"):
        return ["array", *describe(value.asnumpy())[1:]]
    if isinstance(value, onp.ndarray):
        numbers = [float(f"{number:.6g}") for number in value.ravel().astype("float64")]
        return ["numpy", str(value.dtype), list(value.shape), numbers]
    if isinstance(value, onp.generic):
        return describe(value.item())
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return value if isinstance(value, (str, int, bool, type(None))) else type(value).__name__


def attempt(function, *args, **kwargs):
    """Returns the result of a call, or which error it raises."""
    try:
        return describe(function(*args, **kwargs))
    except Exception as error:  # noqa: BLE001 - whatever is raised is the result
        return {"raises": [kind.__name__ for kind in type(error).__mro__[:-3]] or ["Exception"]}


def run(case, mx):
    """Runs a case."""
    return attempt(case, mx)


def same(expected, result):
    """Returns whether two results agree, numbers to 1e-5; errors may say more exactly what is."""
    if isinstance(expected, list) and isinstance(result, list):
        return len(expected) == len(result) and all(map(same, expected, result))
    if isinstance(expected, dict) and isinstance(result, dict):
        if "raises" in expected:
            return expected["raises"][0] in result.get("raises", ())
        return expected.keys() == result.keys() and all(
            same(expected[key], result[key]) for key in expected
        )
    if isinstance(expected, float) and isinstance(result, float):
        return bool(onp.isclose(expected, result, rtol=1e-5, atol=1e-5, equal_nan=True))
    return expected == result

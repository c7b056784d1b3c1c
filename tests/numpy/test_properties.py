"""Functions of `mx.np` against NumPy itself, where MXNet agrees with it, on calls of all kinds.

Hypothesis draws shapes (scalars and empty arrays among them), dtypes, axes and options, the same in
every run, and reduces a call that fails to the simplest one. Elements come from a generator whose
seed it draws, because to draw them one by one takes too long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as onp
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays_of

import mxnet as mx

COUNT = 60
"""Calls of a function in a test."""
FLOATS = ("float32", "float64", "float16")
INTEGERS = ("int32", "int64", "int8", "uint8")
_REPEATED = settings(
    derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
TOLERANCES = {"float16": 1e-2, "float32": 2e-5, "float64": 1e-10}


@pytest.fixture(autouse=True)
def numpy_dialect():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


class Draw:
    """Arguments that Hypothesis draws.

    Args:
        data: Its source.
    """

    def __init__(self, data: st.DataObject) -> None:
        self._draw = data.draw

    def pick(self, options: Any) -> Any:
        """Returns one of some values."""
        return self._draw(st.sampled_from(options))

    def number(self, low: int, high: int) -> int:
        """Returns a whole number, both ends included."""
        return self._draw(st.integers(low, high))

    def real(self, low: float, high: float) -> float:
        """Returns a number of an interval."""
        return self._draw(st.floats(low, high))

    def flag(self) -> bool:
        """Returns a truth value."""
        return self._draw(st.booleans())

    def shape(self, least: int = 0, empty: bool = True) -> tuple[int, ...]:
        """Returns a shape of up to four axes."""
        lengths = st.integers(0 if empty else 1, 4)
        return tuple(self._draw(st.lists(lengths, min_size=least, max_size=4)))

    def array(
        self, shape: tuple[int, ...], dtype: str = "float32", low: float = -3, high: float = 3
    ) -> onp.ndarray:
        """Returns an array of numbers from an interval."""
        random = onp.random.RandomState(self.number(0, 2**32 - 1))
        if dtype == "bool":
            return onp.asarray(random.randint(0, 2, shape)).astype(bool)
        if not dtype.startswith("float"):
            low = max(low, 0) if dtype == "uint8" else low
            return onp.asarray(random.randint(int(low), int(high) + 1, shape)).astype(dtype)
        return onp.asarray(random.uniform(low, high, shape)).astype(dtype)

    def broadcast(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Returns a shape that can be broadcast to another."""
        kept = shape[self.number(0, len(shape)) :]
        return tuple(1 if self.number(0, 2) == 0 else length for length in kept)

    def axis(self, ndim: int, several: bool = True) -> Any:
        """Returns None, an axis or a tuple of axes."""
        if not ndim or self.number(0, 3) == 0:
            return None
        if several and self.flag():
            return self._draw(arrays_of.valid_tuple_axes(ndim, min_size=1))
        return self.number(-ndim, ndim - 1)


@dataclass
class Call:
    """A call: arrays for both, and options by name."""

    arrays: tuple[Any, ...]
    options: dict[str, Any]


def check(name: str, draw: Callable[[Draw], Call], *, same_dtype: bool = True) -> None:
    """Runs a function on calls under both and compares the results."""

    @settings(_REPEATED, max_examples=COUNT)
    @given(st.data())
    def agrees(data: st.DataObject) -> None:
        call = draw(Draw(data))
        with onp.errstate(all="ignore"):
            expected = getattr(onp, name)(*call.arrays, **call.options)
        made = [_convert(item) for item in call.arrays]
        options = {key: _convert(item) for key, item in call.options.items()}
        result = getattr(mx.np, name)(*made, **options)
        shown = [_show(item) for item in (*call.arrays, *call.options.items())]
        compare(result.asnumpy(), onp.asarray(expected), f"{name}{shown}", same_dtype)

    agrees()


def _convert(item: Any) -> Any:
    return mx.np.array(item) if isinstance(item, onp.ndarray) else item


def _show(item: Any) -> Any:
    return (item.shape, item.dtype) if isinstance(item, onp.ndarray) else item


def compare(found: onp.ndarray, expected: onp.ndarray, message: str, same_dtype: bool) -> None:
    """Compares shapes, dtypes if they are to agree, and elements."""
    assert found.shape == expected.shape, message
    if same_dtype and onp.__version__ >= "2":  # NumPy 1 promotes numbers by their values
        assert found.dtype == expected.dtype, message
    tolerance = TOLERANCES.get(found.dtype.name, 0)
    onp.testing.assert_allclose(
        found, expected.astype(found.dtype), rtol=tolerance, atol=tolerance, err_msg=message
    )


UNARY = (
    *("abs", "arcsinh", "arctan", "cbrt", "ceil", "cos", "cosh", "degrees", "exp", "expm1", "fix"),
    *("floor", "isfinite", "isinf", "isnan", "isneginf", "isposinf", "logical_not", "negative"),
    *("radians", "reciprocal", "sign", "sin", "sinh", "square", "tan", "tanh", "trunc"),
)
POSITIVE = ("log", "log10", "log2", "log1p", "sqrt")
UNIT = ("arccos", "arcsin")


@pytest.mark.parametrize("name", [*UNARY, *POSITIVE, *UNIT])
def test_functions_of_each_element(name: str):
    low = 0.1 if name in POSITIVE else -1 if name in UNIT else -3
    high = 1 if name in UNIT else 3
    dtypes = FLOATS[:2] if name in ("tan", "reciprocal") else FLOATS
    check(name, lambda draw: Call((draw.array(draw.shape(), draw.pick(dtypes), low, high),), {}))


def draw_pair(draw: Draw, dtypes: tuple[str, ...], low: float = -3) -> Call:
    shape, dtype = draw.shape(), draw.pick(dtypes)
    pair = [draw.array(shape, dtype, low), draw.array(draw.broadcast(shape), dtype, low)]
    return Call(tuple(pair if draw.flag() else pair[::-1]), {})


ARITHMETIC = ("add", "subtract", "multiply", "maximum", "minimum")
COMPARISONS = ("equal", "not_equal", "greater", "greater_equal", "less", "less_equal")


@pytest.mark.parametrize("name", [*ARITHMETIC, *COMPARISONS])
def test_functions_of_two_arrays_that_are_broadcast(name: str):
    check(name, lambda draw: draw_pair(draw, (*FLOATS, *INTEGERS)))


@pytest.mark.parametrize("name", ["true_divide", "power", "hypot", "arctan2", "copysign"])
def test_functions_of_two_arrays_of_floats(name: str):
    check(name, lambda draw: draw_pair(draw, FLOATS[:2], low=0.5))


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor", "lcm"])
def test_functions_of_two_arrays_of_integers(name: str):
    check(name, lambda draw: draw_pair(draw, INTEGERS))


@pytest.mark.parametrize("name", ["add", "multiply"])
def test_promotion_of_integers_and_bool(name: str):
    def draw(source: Draw) -> Call:
        shape = source.shape()
        dtypes = ("int32", "int64", "bool", source.pick(("int8", "uint8")))
        return Call(tuple(source.array(shape, source.pick(dtypes)) for _ in range(2)), {})

    check(name, draw)


@pytest.mark.parametrize("name", ["add", "subtract", "multiply", "power"])
def test_promotion_of_floats(name: str):
    def draw(source: Draw) -> Call:
        shape = source.shape()
        return Call(tuple(source.array(shape, source.pick(FLOATS[:2]), 0.5) for _ in range(2)), {})

    check(name, draw)


def draw_reduction(draw: Draw, dtypes: tuple[str, ...], **options: Any) -> Call:
    array = draw.array(draw.shape(empty=False), draw.pick(dtypes))
    options = {name: draw.pick(values) for name, values in options.items()}
    return Call((array,), {"axis": draw.axis(array.ndim), **options})


@pytest.mark.parametrize("name", ["sum", "mean", "max", "min", "std", "var"])
def test_reductions_of_floats(name: str):
    check(name, lambda draw: draw_reduction(draw, FLOATS[:2], keepdims=(False, True)))


@pytest.mark.parametrize("name", ["all", "any", "max", "min"])
def test_reductions_of_any_dtype(name: str):
    dtypes = (*FLOATS, *INTEGERS, "bool")
    check(name, lambda draw: draw_reduction(draw, dtypes, keepdims=(False, True)))


@pytest.mark.parametrize("name", ["sum", "prod"])
def test_sums_and_products_of_integers(name: str):
    check(name, lambda draw: draw_reduction(draw, ("int64", "bool"), keepdims=(False, True)))
    check(name, lambda draw: draw_reduction(draw, ("int32",)), same_dtype=False)


@pytest.mark.parametrize("name", ["sum", "all", "any"])
def test_reductions_of_empty_arrays(name: str):
    def draw(source: Draw) -> Call:
        shape = list(source.shape(least=1))
        shape[source.number(0, len(shape) - 1)] = 0
        return Call((source.array(tuple(shape)),), {"axis": source.axis(len(shape))})

    check(name, draw)


def draw_along_axis(draw: Draw, dtypes: tuple[str, ...]) -> Call:
    array = draw.array(draw.shape(least=1, empty=False), draw.pick(dtypes))
    return Call((array,), {"axis": draw.axis(array.ndim, several=False)})


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_positions(name: str):
    check(name, lambda draw: draw_along_axis(draw, (*FLOATS, *INTEGERS)))


def test_cumulative_sums():
    check("cumsum", lambda draw: draw_along_axis(draw, ("float32", "float64", "int64", "bool")))


@pytest.mark.parametrize(("name", "share"), [("percentile", 100), ("quantile", 1)])
def test_percentiles(name: str, share: float):
    def draw(source: Draw) -> Call:
        call = draw_reduction(source, ("float64",), keepdims=(False, True))
        number = source.real(0, share)
        q = source.array((3,), "float64", 0, share) if source.flag() else number
        return Call((*call.arrays, q), call.options)

    check(name, draw)


def test_differences():
    def draw(source: Draw) -> Call:
        array = source.array(source.shape(least=1), source.pick(("float32", "float64", "int32")))
        axis = source.number(-array.ndim, array.ndim - 1)
        return Call((array,), {"n": source.number(0, 3), "axis": axis})

    check("diff", draw)
    check("ediff1d", lambda source: Call((source.array(source.shape(), "float64"),), {}))


def test_polynomials():
    def draw(source: Draw) -> Call:
        count = source.number(1, 4)
        return Call(
            (source.array((count,), "float64"), source.array(source.shape(), "float64")), {}
        )

    check("polyval", draw)


def test_counts():
    def draw(source: Draw) -> Call:
        numbers = source.array((source.number(0, 8),), "int64", 0, 6)
        return Call((numbers,), {"minlength": source.number(0, 8)})

    check("bincount", draw)


def test_limits_and_rounding():
    def draw_limits(source: Draw) -> Call:
        array = source.array(source.shape(), source.pick(("float32", "float64", "int32")))
        low = source.pick((None, -1, 0))
        return Call((array, low, source.pick((1, 2) if low is None else (None, 1, 2))), {})

    def draw_rounding(source: Draw) -> Call:
        array = source.array(source.shape(), "float64", -200, 200)
        return Call((array,), {"decimals": source.number(-2, 3)})

    check("clip", draw_limits)
    check("around", draw_rounding)


def test_averages():
    def draw(source: Draw) -> Call:
        array = source.array(source.shape(least=1, empty=False), "float64")
        weights = source.array(array.shape, "float64", 0.5)
        return Call((array,), {"axis": source.axis(array.ndim), "weights": weights})

    check("average", draw)


def draw_index(data: st.DataObject, shape: tuple[int, ...], positions: bool) -> Any:
    """Draws numbers, slices, new axes and an ellipsis, a mask, or perhaps arrays of positions."""
    kinds = [arrays_of.basic_indices(shape, allow_newaxis=True, max_dims=5)]
    if positions and shape and 0 not in shape:
        kinds.append(arrays_of.integer_array_indices(shape))
    kinds.append(st.integers(0, 2**16).map(lambda seed: _draw_mask(seed, shape)))
    return data.draw(st.one_of(kinds))


def _draw_mask(seed: int, shape: tuple[int, ...]) -> onp.ndarray:
    return onp.asarray(onp.random.RandomState(seed).randint(0, 2, shape)).astype(bool)


def _convert_index(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(_convert(item) for item in index)
    return _convert(index)


@settings(_REPEATED, max_examples=600)
@given(st.data())
def test_elements_by_index(data: st.DataObject):
    draw = Draw(data)
    array = draw.array(draw.shape(), draw.pick((*FLOATS, *INTEGERS, "bool")))
    index = draw_index(data, array.shape, positions=True)
    found = mx.np.array(array)[_convert_index(index)]
    compare(found.asnumpy(), onp.asarray(array[index]), f"{_show(array)}[{index}]", True)


@settings(_REPEATED, max_examples=600)
@given(st.data())
def test_assignment_by_index(data: st.DataObject):
    draw = Draw(data)
    array = draw.array(draw.shape(), draw.pick((*FLOATS, *INTEGERS)))
    index = draw_index(data, array.shape, positions=False)  # which may repeat themselves
    target = mx.np.array(array)
    shape = draw.broadcast(array[index].shape)
    value = 2 if isinstance(index, onp.ndarray) else draw.array(shape, array.dtype.name)
    target[_convert_index(index)] = _convert(value)
    array[index] = value
    compare(target.asnumpy(), array, f"{_show(array)}[{index}] = {_show(value)}", True)

"""Comparisons of arrays, with errors that show where they differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray as Values

from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray

_SMALLEST = 1e-20
"""Stands for a tolerance of zero where an error is told in multiples of it."""


class NotEqualError(MXNetError, AssertionError):
    """Arrays that should be alike differ."""


class ShapesNotEqualError(NotEqualError, ValueError):
    """Arrays that should be alike do not even have shapes that fit."""


def as_values(array: Any) -> Values[Any]:
    """Returns an array of any kind as NumPy's."""
    return np.asarray(array.asnumpy() if hasattr(array, "asnumpy") else array)


def same(a: Any, b: Any) -> bool:
    """Returns whether two arrays are equal; NaN equals nothing."""
    return np.array_equal(as_values(a), as_values(b))


def same_array(array1: Any, array2: Any) -> bool:
    """Returns whether two arrays share memory, by changing one for a moment.

    Args:
        array1: An array.
        array2: Another.
    """
    array1[:] += 1
    equal = same(array1, array2)
    array1[:] -= 1
    return equal and same(array1, array2)


def checkShapes(a: Any, b: Any) -> None:  # noqa: N802 - the name that programs use
    """Fails if two arrays do not have the same shape."""
    if np.shape(a) != np.shape(b):
        raise ShapesNotEqualError(f"shapes differ: {np.shape(a)} and {np.shape(b)}\n{a}\n{b}")


def almost_equal(
    a: Any,
    b: Any,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    use_broadcast: bool = True,
) -> bool:
    """Returns whether two arrays are equal within tolerances.

    Args:
        a: An array.
        b: Another.
        rtol: Relative tolerance, that of float64 by default.
        atol: Absolute tolerance, that of float64 by default.
        equal_nan: Whether NaN equals NaN.
        use_broadcast: Whether shapes that fit together by broadcasting may differ.
    """
    rtol, atol = get_rtol(rtol), get_atol(atol)
    x, y = _comparable(a, b, use_broadcast)
    return bool(np.allclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan))


def assert_almost_equal(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    use_broadcast: bool = True,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Fails if two arrays are not equal within tolerances, and shows where they differ most.

    Args:
        a: An array.
        b: Another, taken for the right one: the relative tolerance is of its values.
        rtol: Relative tolerance, a number or numbers by element type; the usual ones by default.
        atol: Absolute tolerance, likewise.
        names: What to call the arrays in the error.
        equal_nan: Whether NaN equals NaN.
        use_broadcast: Whether shapes that fit together by broadcasting may differ.
        mismatches: How many places of difference to look for, and how many of them to show.

    Example:
        >>> from mxnet import nd
        >>> from mxnet.test_utils import assert_almost_equal
        >>> assert_almost_equal(nd.ones(3), nd.ones(3) * 1.00001)
    """
    rtol, atol = get_tols(a, b, rtol, atol)
    x, y = _comparable(a, b, use_broadcast)
    if x.dtype == np.bool_ and y.dtype == np.bool_:
        np.testing.assert_equal(x, y)
        return
    wrong = ~np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if wrong.any():
        raise NotEqualError(_explain(x, y, wrong, (rtol, atol), names, mismatches[1]))


def assert_almost_equal_with_err(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    etol: float | None = None,
    names: Sequence[str] = ("a", "b"),
    equal_nan: bool = False,
    mismatches: tuple[int, int] = (10, 10),
) -> None:
    """Fails if more than a share `etol` of the elements is not equal within tolerances.

    Args:
        a: An array.
        b: Another.
        rtol: Relative tolerance; see `assert_almost_equal`.
        atol: Absolute tolerance.
        etol: Share of elements that may be wrong.
        names: What to call the arrays in the error.
        equal_nan: Whether NaN equals NaN.
        mismatches: How many places of difference to look for, and how many of them to show.
    """
    share = get_etol(etol)
    if share <= 0:
        assert_almost_equal(a, b, rtol, atol, names, equal_nan, mismatches=mismatches)
        return
    rtol, atol = get_tols(a, b, rtol, atol)
    x, y = _comparable(a, b, use_broadcast=True)
    wrong = ~np.isclose(x, y, rtol=rtol, atol=atol, equal_nan=equal_nan)
    if wrong.mean() > share:
        raise NotEqualError(_explain(x, y, wrong, (rtol, atol), names, mismatches[1]))


def assert_almost_equal_ignore_nan(
    a: Any,
    b: Any,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    names: Sequence[str] = ("a", "b"),
) -> None:
    """Fails if two arrays differ anywhere but where one of them is NaN."""
    x, y = np.copy(as_values(a)), np.copy(as_values(b))
    ignored = np.isnan(x) | np.isnan(y)
    x[ignored] = y[ignored] = 0
    assert_almost_equal(x, y, rtol, atol, names)


def assert_allclose(
    a: Any, b: Any, rtol: float = 1e-07, atol: float = 0, equal_nan: bool = True
) -> None:
    """Fails if two arrays are not equal within the tolerances of `numpy.testing`."""
    assert_almost_equal(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan)


def locationError(  # noqa: N802 - the name that programs use
    a: Any, b: Any, index: tuple[int, ...], names: Sequence[str], maxError: bool = False
) -> str:
    """Describes the values of two arrays at an index.

    Args:
        a: An array.
        b: Another.
        index: The index.
        names: What to call the arrays.
        maxError: Whether it is the place where they differ most.
    """
    place = "largest difference" if maxError else "difference"
    return f"{place} at {index}: {names[0]}={a[index]:.8f}, {names[1]}={b[index]:.8f}"


def assert_exception(
    f: Callable[..., Any], exception_type: type[BaseException], *args: Any, **kwargs: Any
) -> None:
    """Fails if a function does not raise an exception of a type.

    Args:
        f: The function.
        exception_type: The type.
        *args: Arguments of the function.
        **kwargs: More arguments.
    """
    try:
        f(*args, **kwargs)
    except exception_type:
        return
    raise NotEqualError(f"{f} should raise {exception_type.__name__} and raises nothing")


def compare_ndarray_tuple(t1: Any, t2: Any, rtol: Tolerance = None, atol: Tolerance = None) -> None:
    """Fails if two arrays, or tuples of arrays within tuples, are not almost equal.

    Args:
        t1: An array, a tuple or None.
        t2: Another.
        rtol: Relative tolerance.
        atol: Absolute tolerance.
    """
    if t1 is None or t2 is None:
        return
    if isinstance(t1, tuple):
        for first, second in zip(t1, t2, strict=False):
            compare_ndarray_tuple(first, second, rtol, atol)
    else:
        assert_almost_equal(t1, t2, rtol=rtol, atol=atol)


def _comparable(a: Any, b: Any, use_broadcast: bool) -> tuple[Values[Any], Values[Any]]:
    x, y = as_values(a), as_values(b)
    if not use_broadcast:
        checkShapes(x, y)
    try:
        x, y = np.broadcast_arrays(x, y)
    except ValueError as error:
        raise ShapesNotEqualError(f"shapes {x.shape} and {y.shape} do not fit together") from error
    return x, y


def _violation(x: Values[Any], y: Values[Any], rtol: float, atol: float) -> Values[Any]:
    """Returns the differences as multiples of what the tolerances allow."""
    wide = np.result_type(x, y, np.float32)
    with np.errstate(all="ignore"):
        allowed = atol + rtol * np.abs(y.astype(wide))
        difference = np.abs(x.astype(wide) - y.astype(wide))
        return np.asarray(difference / np.maximum(allowed, _SMALLEST))


def _find_max_violation(a: Any, b: Any, rtol: float, atol: float) -> tuple[tuple[int, ...], float]:
    """Returns the index of the largest error, and the error as a multiple of the tolerance."""
    x, y = _comparable(a, b, use_broadcast=True)
    violation = _violation(x, y, rtol, atol)
    index = np.unravel_index(int(np.argmax(violation)), violation.shape)
    return tuple(int(i) for i in index), float(violation[index])


def _explain(
    x: Values[Any],
    y: Values[Any],
    wrong: Values[Any],
    tolerances: tuple[float, float],
    names: Sequence[str],
    shown: int,
) -> str:
    violation = np.where(wrong, _violation(x, y, *tolerances), -1)
    # NaN is the worst error there is.
    worst_first = np.argsort(-np.nan_to_num(violation, nan=np.inf), axis=None, kind="stable")
    order = worst_first[: max(min(shown, int(wrong.sum())), 1)]
    places = [tuple(int(i) for i in np.unravel_index(i, x.shape)) for i in order]
    rows = [f"  {locationError(x, y, p, names)}, {violation[p]:.6g} tolerances" for p in places]
    with np.printoptions(threshold=6, edgeitems=3):
        arrays = f"{names[0]}: {x!r}\n{names[1]}: {y!r}"
    return (
        f"{names[0]} and {names[1]} are not equal within rtol={tolerances[0]:g}, "
        f"atol={tolerances[1]:g}: {int(wrong.sum())} of {wrong.size} elements differ "
        f"({100 * wrong.mean():.4g}%), {locationError(x, y, places[0], names, maxError=True)}\n"
        + "\n".join(rows)
        + f"\n{arrays}"
    )


Tolerance = float | Mapping[Any, float] | None
"""One number, numbers by element type, or None for the usual ones."""

_DOUBLE = np.dtype("float64")
_EXACT = ("bool", "int8", "uint8", "int32", "uint32", "int64", "uint64")


def _table(half: float, single: float, double: float, exact: float | None) -> dict[Any, float]:
    values: dict[Any, float] = {
        np.dtype("float16"): half,
        np.dtype("float32"): single,
        np.dtype("float64"): double,
    }
    if exact is not None:
        values |= {np.dtype(name): exact for name in _EXACT}
    return values


def default_rtols() -> dict[Any, float]:
    """Returns the usual relative tolerances by element type."""
    return _table(1e-2, 1e-4, 1e-5, 0)


def default_atols() -> dict[Any, float]:
    """Returns the usual absolute tolerances by element type."""
    return _table(1e-1, 1e-3, 1e-20, 0)


def default_numeric_eps() -> dict[Any, float]:
    """Returns the usual steps of finite differences by element type."""
    return _table(2.0**-6, 2.0**-9, 2.0**-14, None)


def effective_dtype(dat: Any) -> Any:
    """Returns the element type that says how exact an array is.

    On GPUs that compute products of float32 in the TF32 format it is float16 for float32.

    Args:
        dat: An array.
    """
    dtype = np.dtype(_dtype_of(dat))
    if dtype == np.float32 and isinstance(dat, NDArray) and dat.context.device_type == "gpu":
        device = dat.to_torch().device
        if device.type == "cuda" and torch.backends.cudnn.allow_tf32:
            major, _ = torch.cuda.get_device_capability(device)
            return np.dtype("float16") if major >= 8 else dtype
    return dtype


def _dtype_of(dat: Any) -> Any:
    return dat.dtype if hasattr(dat, "dtype") else np.asarray(dat).dtype


def get_tolerance(dat: Any, tol: Tolerance, default_tol: Mapping[Any, float]) -> float:
    """Returns the tolerance for an array.

    Args:
        dat: The array.
        tol: What is asked for.
        default_tol: What holds for element types that `tol` does not name.
    """
    if isinstance(tol, (int, float)):
        return tol
    dtype = effective_dtype(dat)
    usual = default_tol.get(dtype, 0)
    return usual if tol is None else tol.get(dtype, usual)


def get_tols(x: Any, y: Any, rtol: Tolerance, atol: Tolerance) -> tuple[float, float]:
    """Returns the tolerances for two arrays: those of the less exact one.

    Args:
        x: An array.
        y: Another.
        rtol: Relative tolerance that is asked for.
        atol: Absolute tolerance that is asked for.

    Returns:
        The relative and the absolute tolerance.
    """
    relative, absolute = default_rtols(), default_atols()
    return (
        max(get_tolerance(item, rtol, relative) for item in (x, y)),
        max(get_tolerance(item, atol, absolute) for item in (x, y)),
    )


def get_rtol(rtol: Tolerance = None, dtype: Any = _DOUBLE) -> Any:
    """Returns the relative tolerance, the usual one of an element type if it is None."""
    return default_rtols()[np.dtype(dtype)] if rtol is None else rtol


def get_atol(atol: Tolerance = None, dtype: Any = _DOUBLE) -> Any:
    """Returns the absolute tolerance, the usual one of an element type if it is None."""
    return default_atols()[np.dtype(dtype)] if atol is None else atol


def get_etol(etol: float | None = None) -> float:
    """Returns the share of elements that may be wrong, 0 if it is None."""
    return 0 if etol is None else etol

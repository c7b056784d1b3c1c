"""Tries what NumPy and the array API standard ask of an array class, and counts what `mx.np` does.

    python tools/try_interoperability.py [--names]

Calls every ufunc and every function of NumPy that arrays of others can take over
(`numpy.testing.overrides`) on arrays of `mx.np`, and compares the results with those of NumPy. With
the package `array-api-strict` installed it also looks for what the standard lists: functions, the
parameters of their signatures, and dtypes. With `--names` it tells which ones fail.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

import numpy
from numpy.testing import overrides

import mxnet as mx
from mxnet._np_functions.mxnet2 import renamed_in

MATRIX = numpy.array([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
VECTOR = numpy.array([0.25, 0.5, 0.75])
NUMBERS = numpy.array([2, 0, 1])

Arguments = tuple[tuple[Any, ...], dict[str, Any]]
Pattern = Callable[[Callable[[numpy.ndarray], Any]], Arguments]

PATTERNS: dict[str, Pattern] = {
    "f(matrix)": lambda make: ((make(MATRIX),), {}),
    "f(matrix, matrix)": lambda make: ((make(MATRIX), make(MATRIX)), {}),
    "f(vector)": lambda make: ((make(VECTOR),), {}),
    "f(vector, vector)": lambda make: ((make(VECTOR), make(VECTOR)), {}),
    "f(numbers)": lambda make: ((make(NUMBERS),), {}),
    "f(numbers, numbers)": lambda make: ((make(NUMBERS), make(NUMBERS)), {}),
    "f([vector, vector])": lambda make: (([make(VECTOR), make(VECTOR)],), {}),
    "f(matrix, 0)": lambda make: ((make(MATRIX), 0), {}),
    "f(matrix, 1)": lambda make: ((make(MATRIX), 1), {}),
    "f(matrix, 0.5)": lambda make: ((make(MATRIX), 0.5), {}),
    "f(numbers, 1)": lambda make: ((make(NUMBERS), 1), {}),
    "f(matrix, 0, 1)": lambda make: ((make(MATRIX), 0, 1), {}),
    "f(matrix, (3, 3))": lambda make: ((make(MATRIX), (3, 3)), {}),
    "f(numbers, (3, 3))": lambda make: ((make(NUMBERS), (3, 3)), {}),
    "f(vector, vector, vector)": lambda make: ((make(VECTOR),) * 3, {}),
    "f(vector, vector, 2)": lambda make: ((make(VECTOR), make(VECTOR), 2), {}),
    "f(matrix, numbers, 0)": lambda make: ((make(MATRIX), make(NUMBERS), 0), {}),
    "f(matrix, [[0, 1, 2]], 0)": lambda make: ((make(MATRIX), make(NUMBERS[None]), 0), {}),
    "f(matrix, [[0, 1, 2]], 0., 0)": lambda make: ((make(MATRIX), make(NUMBERS[None]), 0.0, 0), {}),
    "f(numbers, [vector] * 3)": lambda make: ((make(NUMBERS), [make(VECTOR)] * 3), {}),
    "f(mask, vector)": lambda make: ((make(VECTOR > 0.3), make(VECTOR)), {}),
    "f(vector, mask, vector)": lambda make: ((make(VECTOR), make(VECTOR > 0.3), make(VECTOR)), {}),
    "f([mask], [vector])": lambda make: (([make(VECTOR > 0.3)], [make(VECTOR)]), {}),
    "f('ij,jk', matrix, matrix)": lambda make: (("ij,jk", make(MATRIX), make(MATRIX)), {}),
    "f(function, 0, matrix)": lambda make: ((lambda row: row.sum(), 0, make(MATRIX)), {}),
    "f(function, matrix, 0)": lambda make: ((lambda a, axis: a.sum(axis), make(MATRIX), [0]), {}),
    "f((2, 2), like=matrix)": lambda make: (((2, 2),), {"like": make(MATRIX)}),
    "f(2, like=matrix)": lambda make: ((2,), {"like": make(MATRIX)}),
    "f((2, 2), 1.5, like=matrix)": lambda make: (((2, 2), 1.5), {"like": make(MATRIX)}),
    "f(function, (2, 2), like=matrix)": lambda make: (
        (lambda i, j: i + j, (2, 2)),
        {"like": make(MATRIX)},
    ),
}
"""Calls by how they are written; a function is called in every way that NumPy accepts."""


OUTCOMES = ("differs", "agrees", "an array of NumPy", "refused")
"""How calls of a function can go; the first that occurs is told."""


def try_function(function: Callable[..., Any]) -> str:
    """Calls a function in all ways that NumPy accepts and returns how that went."""
    if function.__name__.startswith("save"):
        return "not tried"  # it would write a file
    outcomes = {try_call(function, pattern) for pattern in PATTERNS.values()}
    return next((item for item in OUTCOMES if item in outcomes), "not tried")


def try_call(function: Callable[..., Any], pattern: Pattern) -> str | None:
    """Calls a function on arrays of both and returns how that went, None if NumPy refuses."""
    args, options = pattern(numpy.array)
    try:
        expected = function(*args, **options), args
    except Exception:  # noqa: BLE001 - each function has its own way to refuse
        return None
    args, options = pattern(mx.np.array)
    try:
        result = function(*args, **options)
    except Exception:  # noqa: BLE001 - of ours or of NumPy
        return "refused"
    if any(type(item) is numpy.ndarray for item in flatten(result)):
        return "an array of NumPy"
    return "agrees" if agree((result, args), expected) else "differs"


def flatten(value: Any) -> list[Any]:
    """Returns what is in nested lists and tuples."""
    if isinstance(value, (list, tuple)):
        return [item for part in value for item in flatten(part)]
    return [value]


def agree(found: Any, expected: Any) -> bool:
    """Returns whether results and the arrays that were passed are equal, but for precision."""
    first, second = flatten(found), flatten(expected)
    if len(first) != len(second):
        return False
    return all(_equal(*pair) for pair in zip(first, second, strict=True))


def _equal(found: Any, expected: Any) -> bool:
    if callable(expected) or not isinstance(expected, (numpy.ndarray, numpy.generic, float, int)):
        return type(found) is type(expected) or isinstance(found, mx.np.ndarray)
    values = found.asnumpy() if isinstance(found, mx.np.ndarray) else numpy.asarray(found)
    expected = numpy.asarray(expected)
    if values.shape != expected.shape:
        return False
    return bool(numpy.allclose(values, expected, rtol=1e-4, atol=1e-4, equal_nan=True))


def try_all(functions: Iterable[Callable[..., Any]]) -> dict[str, list[str]]:
    """Tries functions and returns their names by how it went."""
    outcomes = defaultdict(list)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for function in sorted(functions, key=lambda item: (_module(item), item.__name__)):
            outcomes[try_function(function)].append(f"{_module(function)}{function.__name__}")
    return dict(outcomes)


def _module(function: Callable[..., Any]) -> str:
    module = getattr(function, "__module__", None) or "numpy"
    return module.removeprefix("numpy").lstrip(".") + "." * (module != "numpy")


DTYPES = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float32", "float64", "complex64", "complex128"),
)


def look_for_standard() -> dict[str, tuple[int, list[str]]] | None:
    """Returns how much of the standard there is, and what is missing, by kind."""
    try:
        strict = importlib.import_module("array_api_strict")
    except ModuleNotFoundError:
        return None
    functions = {
        (module, name): getattr(strict_module, name)
        for module, strict_module in (
            ("np", strict),
            ("linalg", strict.linalg),
            ("fft", strict.fft),
        )
        for name in strict_module.__all__
        if inspect.isfunction(getattr(strict_module, name)) and "flags" not in name
    }
    groups = defaultdict(list)
    for (module, name), standard in functions.items():
        group = standard.__module__.rpartition("._")[2].removesuffix("_functions")
        groups[group if module == "np" else module].append((module, name))
    there = [key for key in functions if _find(*key) is not None]
    others = [".".join(key) for key in there if not _takes(*key, functions[key])]
    counts = {
        f"functions ({group})": (len(keys), [".".join(key) for key in keys if key not in there])
        for group, keys in groups.items()
    }
    return {
        **counts,
        "functions": (len(functions), [".".join(key) for key in functions if key not in there]),
        "signatures of those": (len(there), others),
        "dtypes": (len(DTYPES), [name for name in DTYPES if not hasattr(mx.np, name)]),
    }


def _find(module: str, name: str) -> Callable[..., Any] | None:
    """Returns the function of `mx.np`, or of a module in it, None if there is none."""
    home = mx.np if module == "np" else getattr(mx.np, module, None)
    return getattr(home, name, None)


def _takes(module: str, name: str, standard: Callable[..., Any]) -> bool:
    """Returns whether a function has the parameters that the standard can be called with."""
    own = _find(module, name)
    parameters = inspect.signature(own).parameters if own else {}
    if any(item.kind is item.VAR_KEYWORD for item in parameters.values()):
        return True
    renamed = renamed_in(module if module == "np" else f"np.{module}", name)
    taken = {*parameters, *renamed, *["device"] * ("ctx" in parameters)}
    wanted = inspect.signature(standard).parameters.values()
    return all(
        item.kind in (item.POSITIONAL_ONLY, item.VAR_POSITIONAL) or item.name in taken
        for item in wanted
    )


def main() -> int:
    """Prints what was counted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--names", action="store_true", help="tell which ones fail")
    names = parser.parse_args().names
    for title, functions in (
        ("ufuncs", overrides.get_overridable_numpy_ufuncs()),
        ("functions", overrides.get_overridable_numpy_array_functions()),
    ):
        outcomes = try_all(functions)
        print(f"{title} of NumPy: {len(functions)}")
        for outcome, found in sorted(outcomes.items()):
            print(f"  {outcome}: {len(found)}")
            if names and outcome != "agrees":
                print("    " + ", ".join(found))
    for kind, (total, missing) in (look_for_standard() or {}).items():
        print(f"{kind} of the array API standard: {total - len(missing)} of {total}")
        if names:
            print("    missing: " + ", ".join(missing))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Counts the public callables that have an example, and fails when one has none.

    python -m tools.check_examples [--missing AREA] [--run AREA]

An area is some modules, of which functions and classes count, or a class, of which methods count.
An example counts when its docstring has a line of `>>> ` that is run, not one that is skipped.
`tests/documentation/test_examples.py` runs them. `LIMITS` says how many callables of an area may
lack one; a number only gets smaller. `--missing` lists the names without an example, and `--run`
runs the examples of an area.
"""

from __future__ import annotations

import argparse
import doctest
import importlib
import inspect
import sys
import types
from collections.abc import Iterator, Mapping
from typing import Any

_PARTS = ("", ".contrib", ".image", ".linalg", ".random", ".sparse")
"""Modules of `mx.nd` and `mx.sym` that have operators."""

AREAS: Mapping[str, tuple[str, ...]] = {
    "gluon": (
        "mxnet.gluon",
        "mxnet.gluon.nn",
        "mxnet.gluon.rnn",
        "mxnet.gluon.loss",
        "mxnet.gluon.utils",
        "mxnet.gluon.data",
        "mxnet.gluon.data.batchify",
        "mxnet.gluon.data.vision",
        "mxnet.gluon.data.vision.transforms",
        "mxnet.gluon.metric",
        "mxnet.gluon.probability",
        "mxnet.gluon.contrib.nn",
        "mxnet.gluon.contrib.cnn",
        "mxnet.gluon.contrib.rnn",
        "mxnet.gluon.contrib.data",
        "mxnet.gluon.contrib.estimator",
    ),
    "np": ("mxnet.numpy", "mxnet.numpy.linalg", "mxnet.numpy.random"),
    "npx": ("mxnet.numpy_extension", "mxnet.numpy_extension.random"),
    "autograd": ("mxnet.autograd",),
    "optimizer": ("mxnet.optimizer",),
    "metric": ("mxnet.metric",),
    "io": ("mxnet.io",),
    "module": ("mxnet.module",),
    "kvstore": ("mxnet.kvstore",),
    "image": ("mxnet.image",),
    "initializer": ("mxnet.initializer",),
    "lr_scheduler": ("mxnet.lr_scheduler",),
    "recordio": ("mxnet.recordio",),
    "callback": ("mxnet.callback",),
    "executor": ("mxnet.executor",),
    "monitor": ("mxnet.monitor",),
    "context": ("mxnet.context",),
    "nd": tuple(f"mxnet.ndarray{part}" for part in _PARTS),
    "sym": tuple(f"mxnet.symbol{part}" for part in _PARTS),
}
"""Modules by area; a callable counts once, under the first name that it has."""

HOMES: Mapping[str, tuple[str, ...]] = {
    "np": ("mxnet.numpy",),
    "npx": ("mxnet.numpy_extension", "mxnet._state", "mxnet.context", "mxnet.ndarray"),
    "nd": ("mxnet.ndarray",),
    "sym": ("mxnet.symbol",),
    "module": ("mxnet.module",),
}
"""Packages whose callables an area has, where it is not the area's own one."""

CLASSES: Mapping[str, str] = {
    "NDArray": "mxnet.ndarray.NDArray",
    "ndarray": "mxnet.numpy.ndarray",
    "Symbol": "mxnet.symbol.Symbol",
    "Executor": "mxnet.executor.Executor",
    "Module": "mxnet.module.Module",
    "HybridBlock": "mxnet.gluon.HybridBlock",
    "Parameter": "mxnet.gluon.Parameter",
    "ParameterDict": "mxnet.gluon.ParameterDict",
    "Trainer": "mxnet.gluon.Trainer",
    "Dataset": "mxnet.gluon.data.Dataset",
    "Estimator": "mxnet.gluon.contrib.estimator.Estimator",
    "DataIter": "mxnet.io.DataIter",
    "KVStore": "mxnet.kvstore.KVStore",
    "EvalMetric": "mxnet.metric.EvalMetric",
    "MXIndexedRecordIO": "mxnet.recordio.MXIndexedRecordIO",
}
"""Classes by area, whose methods are counted, inherited ones among them."""

LIMITS: Mapping[str, int] = {
    "NDArray": 16,
    "ndarray": 4,
    "Symbol": 14,
    "Module": 11,
    "HybridBlock": 6,
    "Parameter": 8,
    "ParameterDict": 8,
    "Trainer": 1,
    "KVStore": 5,
    "MXIndexedRecordIO": 3,
}
"""How many callables may lack an example."""


def list_callables(area: str) -> dict[str, Any]:
    """Returns the public callables of an area by their full names, without exceptions."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    homes = HOMES.get(area, (f"mxnet.{area}",))
    for path in AREAS[area]:
        module = importlib.import_module(path)
        for name in dir(module):
            value = getattr(module, name) if name[0] != "_" else None
            if not callable(value) or id(value) in seen or not _belongs(value, homes):
                continue
            seen.add(id(value))
            found[f"{path}.{name}"] = value
    return found


def _belongs(value: Any, homes: tuple[str, ...]) -> bool:
    if inspect.isclass(value) and issubclass(value, BaseException):
        return False
    home = getattr(value, "__module__", None) or ""
    return any(home == item or home.startswith(f"{item}.") for item in homes)


def list_operators(area: str) -> dict[str, Any]:
    """Returns the operators that are in `mx.nd` or `mx.sym` itself, once for all of their names."""
    from mxnet.ops.core.registry import all_ops

    package = importlib.import_module(AREAS[area][0])
    found = {}
    for op in all_ops():
        names = [name for name in (op.name, *op.aliases) if name[0] != "_"]
        functions = [(name, vars(package)[name]) for name in names if name in vars(package)]
        if functions:
            name, function = functions[0]
            found[f"{AREAS[area][0]}.{name}"] = function
    return found


def list_methods(area: str) -> dict[str, Any]:
    """Returns the public methods of a class, without those that only say what is not there."""
    path, _, name = CLASSES[area].rpartition(".")
    cls = getattr(importlib.import_module(path), name)
    return {
        f"{CLASSES[area]}.{item}": getattr(cls, item)
        for item in dir(cls)
        if item[0] != "_" and isinstance(inspect.getattr_static(cls, item), _METHODS)
        if not (inspect.getdoc(getattr(cls, item)) or "").startswith("Raises")
    }


_METHODS = (types.FunctionType, staticmethod, classmethod)


def members(area: str) -> dict[str, Any]:
    """Returns what is counted of an area: callables, or methods.

    Those of `mx.nd` and `mx.sym` include operators of MXNet 2, which their `dir()` leaves out.
    """
    if area in CLASSES:
        return list_methods(area)
    found = list_callables(area)
    if area in ("nd", "sym"):
        seen = {id(function) for function in found.values()}
        operators = list_operators(area).items()
        found |= {name: function for name, function in operators if id(function) not in seen}
    return found


def find_tests(name: str, value: Any) -> Iterator[doctest.DocTest]:
    """Yields the examples of a callable: its own, not those of methods."""
    text = inspect.getdoc(value) or ""
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    if any(not example.options.get(doctest.SKIP) for example in test.examples):
        yield test


def lacking(area: str) -> list[str]:
    """Returns the names of an area that have no example."""
    return [name for name, value in members(area).items() if not any(find_tests(name, value))]


def run(area: str) -> tuple[int, int]:
    """Runs the examples of an area, printing failures, and returns how many failed and ran."""
    runner = doctest.DocTestRunner()
    for name, value in members(area).items():
        for test in find_tests(name, value):
            runner.run(test)
    return runner.failures, runner.tries


def main() -> int:
    """Prints the counts; returns 1 if an area lacks more examples than it may."""
    areas = (*AREAS, *CLASSES)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--missing", choices=areas, help="list the names without an example")
    parser.add_argument("--run", choices=areas, help="run the examples of an area")
    options = parser.parse_args()
    if options.missing:
        print("\n".join(lacking(options.missing)))
        return 0
    if options.run:
        failures, tries = run(options.run)
        print(f"{options.run}: {tries} lines of examples, {failures} failed")
        return 1 if failures else 0
    is_worse = False
    for area in areas:
        total, missing = len(members(area)), len(lacking(area))
        limit = LIMITS.get(area, 0)
        is_worse |= missing > limit
        note = f", at most {limit} may lack one" if missing > limit else ""
        print(f"{area}: {total - missing} of {total} have an example{note}")
    return 1 if is_worse else 0


if __name__ == "__main__":
    sys.exit(main())

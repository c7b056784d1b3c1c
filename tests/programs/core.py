"""Runs a program and describes its result so that two packages can be compared."""

from __future__ import annotations

import importlib
import inspect
import json
import math
import sys
import traceback
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from types import ModuleType
from typing import Any

Program = Callable[..., Any]
"""A function that returns its result."""

Setup = str | Callable[..., Any]
"""What lines may use: the names of a module of helpers, or of the module of a function and those that
it returns, mostly its `locals()`. The function is called for each line.
"""

MODULES = (
    "array_internals",
    "assignment",
    "autograd",
    "autograd_arrays",
    "autograd_modes",
    "binding",
    "book_applications",
    "book_basics",
    "book_sequences",
    "cached_op",
    "called_graphs",
    "contexts",
    "contrib_functions",
    "control_flow",
    "creation",
    "custom",
    "custom_symbols",
    "custom_uses",
    "data",
    "data_details",
    "data_iterators",
    "data_uses",
    "deferred",
    "engine",
    "error_moments",
    "estimator",
    "executor",
    "executor_nets",
    "exports",
    "feed_forward",
    "files",
    "functions",
    "fused_conversions",
    "fused_attention",
    "fused_layers",
    "fuzz_findings",
    "gluon_details",
    "gluon_uses",
    "gradient_heads",
    "gradients_of_gradients",
    "graph_symbols",
    "hybrid",
    "image_uses",
    "indexing",
    "inference",
    "inference_depth",
    "kvstore",
    "layer_uses",
    "methods",
    "module",
    "module_binding",
    "module_buckets",
    "module_kinds",
    "module_uses",
    "monitoring",
    "np_book_basics",
    "np_book_convolutions",
    "np_book_sequences",
    "np_book_training",
    "np_data_uses",
    "np_symbols",
    "np_uses",
    "operators",
    "optimizer_uses",
    "overwriting",
    "parameter_arrays",
    "printing",
    "profiler",
    "quantization_calibration",
    "quantization_graphs",
    "quantized_operators",
    "random_findings",
    "random_frontends",
    "random_symbols",
    "record_uses",
    "repository_programs",
    "rnn_cells",
    "shape_arguments",
    "saved_blocks",
    "scope_uses",
    "sparse",
    "sparse_findings",
    "sparse_graphs",
    "sparse_hybrid",
    "sparse_storage",
    "sparse_training",
    "storage_findings",
    "svrg",
    "symbols",
    "symbol_attributes",
    "symbol_files",
    "symbolic_blocks",
    "symbolic_calls",
    "symbolic_expressions",
    "symbolic_networks",
    "symbolic_programs",
    "symbolic_reflection",
    "symbolic_training",
    "symbolic_uses",
    "symbolic_vision",
    "symbolic_workflows",
    "visualization",
    "test_utils",
    "test_utils_uses",
    "text_uses",
    "vision",
    "zoo_uses",
)
TOLERANCES = {"float16": 2e-3, "float32": 2e-5, "float64": 1e-10}
GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "programs"
GIVEN = {"folder": "", "golden": str(GOLDEN)}
"""What programs may use: a folder to write to, and that of files to read. A run sets the first."""


def functions(namespace: dict[str, Any]) -> dict[str, Program]:
    """Returns the public functions that a module defines, in order: each is a program."""
    return {
        name: value
        for name, value in namespace.items()
        if inspect.isfunction(value)
        and value.__module__ == namespace["__name__"]
        and not name.startswith("_")
    }


def variants(
    title: str, function: Callable[..., Any], table: dict[str, dict[str, Any]]
) -> dict[str, Program]:
    """Makes one program of every row of a table: the function with these arguments."""
    return {f"{title}_{name}": partial(function, **arguments) for name, arguments in table.items()}


def lines(setup: Setup, expressions: str, title: str = "") -> dict[str, Program]:
    """Makes one program of every line, which is its name (under a title): an expression."""
    return named(setup, {f"{title}{line}": line for line in _each(expressions)})


def named(setup: Setup, expressions: dict[str, str]) -> dict[str, Program]:
    """Makes one program of every expression of a table, whose keys are the names."""
    return {name: partial(_evaluate, setup, line) for name, line in expressions.items()}


def statements(setup: Setup, text: str, result: str, title: str = "") -> dict[str, Program]:
    """Makes one program of every line, a statement after which all have the same result."""
    return {f"{title}{line}": partial(_evaluate, setup, result, line) for line in _each(text)}


def sequences(setup: Setup, text: str) -> dict[str, Program]:
    """Makes one program of every line: statements, and behind the last semicolon the result."""
    programs = {}
    for line in _each(text):
        statement, _, result = line.rpartition("; ")
        programs[line] = partial(_evaluate, setup, result, statement)
    return programs


def _each(text: str) -> list[str]:
    return [line.strip() for line in text.strip().splitlines() if line.strip()]


def _evaluate(setup: Setup, line: str, statement: str = "") -> Any:
    scope = _scope(setup) | GIVEN
    exec(statement, scope)  # noqa: S102 - the lines are ours
    return eval(line, scope)  # noqa: S307


def _scope(setup: Setup) -> dict[str, Any]:
    if isinstance(setup, str):
        return vars(_import(setup))
    function, arguments = (setup.func, setup.args) if isinstance(setup, partial) else (setup, ())
    # The function of the copy that this program imports, not of the one that the table has.
    scope = vars(importlib.import_module(function.__module__))
    return scope | (scope[function.__name__](*arguments) or {})


def tables() -> dict[str, dict[str, Program]]:
    """Returns the programs of every module."""
    return {name: _table(name) for name in MODULES}


def run(module: str, name: str, mx: Any, folder: str) -> Any:
    """Runs a program and describes its result, or what it raised."""
    try:
        # Names must not depend on the programs before; the original warns of unknown shapes too.
        with mx.name.NameManager(), warnings.catch_warnings():
            warnings.filterwarnings("ignore", message="infer_(shape|type): gives None")
            GIVEN["folder"] = folder
            return describe(_call(_program_afresh(module, name)), mx)
    except Exception as error:  # noqa: BLE001 - what a program raises is its result
        traceback.print_exc()  # shown where it is not what the original raises
        return describe(error, mx)
    finally:
        mx.npx.reset_np()  # which helpers may have switched on


def _program_afresh(module: str, name: str) -> Program:
    """Returns a program whose module and helpers are imported again: no other has left anything."""
    for imported in list(sys.modules):
        if imported.startswith(f"{__package__}.") and imported != __name__:
            del sys.modules[imported]
    program = _table(module)[name]
    if isinstance(program, partial) and program.func is _evaluate:
        return program  # a line needs its helpers alone, and the table may be long
    return _import(module).PROGRAMS[name]


@cache
def _table(module: str) -> dict[str, Program]:
    return _import(module).PROGRAMS


def _import(module: str) -> ModuleType:
    return importlib.import_module(f"{__package__}.{module}")


def _call(function: Callable[..., Any]) -> Any:
    wanted = inspect.signature(function).parameters
    return function(**{name: value for name, value in GIVEN.items() if name in wanted})


def source_of(program: Program) -> str:
    """Returns the text of a program."""
    if isinstance(program, partial) and program.func is _evaluate:
        setup, result, *statement = program.args
        names = setup if isinstance(setup, str) else source_of(setup)
        return "\n".join([names, *statement, result])
    if isinstance(program, partial):
        return f"{program.args} {program.keywords}\n{inspect.getsource(program.func)}"
    return inspect.getsource(program)


def _is_known(cls: type) -> bool:
    return cls.__name__ == "MXNetError" or (
        cls.__module__ == "builtins" and cls not in (object, BaseException, Exception)
    )


def describe(value: Any, mx: Any) -> Any:
    """Returns the JSON form of a result; floats in as few digits as their type needs."""
    import numpy as np

    if value is None or type(value) in _PLAIN:
        return value
    if isinstance(value, mx.nd.NDArray):
        values = value.asnumpy()
        label = f"{values.dtype} {'x'.join(map(str, value.shape))} {value.context}"
        return {"NDArray": label, "values": _values(values)}
    if isinstance(value, np.ndarray):
        return {"ndarray": f"{value.dtype} {value.shape}", "values": _values(value)}
    if isinstance(value, np.generic):
        return {"scalar": str(value.dtype), "value": _values(np.array([value]))[0]}
    if isinstance(value, np.dtype):
        return {"dtype": str(value)}
    if isinstance(value, type):
        # NumPy's truth type has changed its name.
        return {"type": value.__name__.rstrip("_")}
    if isinstance(value, Exception):
        return {"raises": [cls.__name__ for cls in type(value).__mro__ if _is_known(cls)]}
    if isinstance(value, (list, tuple)):
        items = [describe(item, mx) for item in value]
        return items if isinstance(value, list) else {"tuple": items}
    if isinstance(value, dict):
        return {"dict": [[key, describe(item, mx)] for key, item in value.items()]}
    return {"object": type(value).__name__, "text": str(value)}


_PLAIN = (bool, str, int, float)


def _values(array: Any) -> list[Any]:
    if array.dtype.kind == "f":
        return [float(str(item)) for item in array.ravel()]
    return array.ravel().tolist()


def same(expected: Any, result: Any, tolerance: float = 1e-6) -> bool:
    """Compares two descriptions; an error may be of more classes than the expected one."""
    if isinstance(expected, float):
        return type(result) is float and (
            math.isclose(expected, result, rel_tol=tolerance, abs_tol=tolerance)
            or (math.isnan(expected) and math.isnan(result))
        )
    if isinstance(expected, dict):
        if not isinstance(result, dict) or expected.keys() != result.keys():
            return False
        if "raises" in expected:
            return set(expected["raises"]) <= set(result["raises"])
        dtype = str(next(iter(expected.values()))).split(" ")[0]
        tolerance = TOLERANCES.get(dtype, tolerance)
        return all(same(expected[key], result[key], tolerance) for key in expected)
    if isinstance(expected, list):
        return (
            isinstance(result, list)
            and len(expected) == len(result)
            and all(same(*pair, tolerance) for pair in zip(expected, result, strict=True))
        )
    return type(expected) is type(result) and expected == result


def read_golden(module: str) -> dict[str, Any]:
    """Reads what the original gives for the programs of a module."""
    return json.loads((GOLDEN / f"{module}.json").read_text())


def write_golden(module: str, results: dict[str, Any]) -> Path:
    """Stores what the original gives, one program in a line."""
    path = GOLDEN / f"{module}.json"
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in results.items()]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    return path

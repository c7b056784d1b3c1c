"""Carries out one step of a program, on arrays or on symbols."""

from __future__ import annotations

import operator
import os
import tempfile
from functools import cache
from typing import Any

import mxnet as mx
from tools.random_programs.values import attribute, key, number

OPERATORS = {
    name: getattr(operator, name)
    for name in (
        *("add", "sub", "mul", "truediv", "mod", "pow", "neg", "abs"),
        *("eq", "ne", "lt", "le", "gt", "ge"),
    )
}
NUMPY_OPERATORS = {
    name: getattr(operator, name) for name in ("matmul", "and_", "or_", "xor", "invert")
}
"""Operators of the NumPy dialect alone."""
IN_PLACE = {name: getattr(operator, name) for name in ["iadd", "isub", "imul", "itruediv", "imod"]}

IN_GRAPHS = ("call", "method", "operator")
"""Kinds of steps that symbols can do too."""


def perform(frontend: Any, step: dict[str, Any], arrays: dict[str, Any]) -> list[Any]:
    """Carries out a step and returns its results.

    Args:
        frontend: `mx.nd`, `mx.sym` or the `F` of a hybrid block.
        step: What to do.
        arrays: Arrays (or symbols) by name, those of the inputs and of earlier steps.

    Returns:
        The results; of a step that writes, the array written to.
    """
    given = [arrays[name] for name in step["in"]]
    result = _KINDS[step["do"]](frontend, step, given, arrays)
    if isinstance(result, (list, tuple)):
        return list(result)
    return [result]


def _call(frontend: Any, step: dict[str, Any], given: list[Any], arrays: dict[str, Any]) -> Any:
    attributes = {name: attribute(value) for name, value in step["attrs"].items()}
    if "out" in step:
        attributes["out"] = arrays[step["out"]]
    function = frontend
    for part in step["name"].split("."):
        function = getattr(function, part)
    if step.get("list") or step.get("tuple"):
        given = tuple(given) if step.get("tuple") else given
        return function(given, *map(attribute, step.get("args", ())), **attributes)
    if step.get("swapped"):
        return function(*map(attribute, step["args"]), *given, **attributes)
    return _listed(function(*given, *map(attribute, step.get("args", ())), **attributes))


def _listed(result: Any) -> Any:
    """Returns the outputs of a symbol that has several; those of arrays are a list already."""
    outputs = getattr(result, "list_outputs", None)
    if outputs is not None and len(outputs()) > 1:
        return [result[index] for index in range(len(outputs()))]
    return result


def _method(_: Any, step: dict[str, Any], given: list[Any], __: dict[str, Any]) -> Any:
    attributes = {name: attribute(value) for name, value in step["attrs"].items()}
    call = getattr(given[0], step["name"])
    if not callable(call):
        return call
    return _listed(call(*given[1:], *map(attribute, step.get("args", ())), **attributes))


def _operator(_: Any, step: dict[str, Any], given: list[Any], __: dict[str, Any]) -> Any:
    function = OPERATORS.get(step["name"]) or NUMPY_OPERATORS[step["name"]]
    if "number" not in step:
        return function(*given)
    other = number(step["number"])
    return function(other, given[0]) if step.get("swapped") else function(given[0], other)


def _in_place(_: Any, step: dict[str, Any], given: list[Any], arrays: dict[str, Any]) -> Any:
    other = number(step["number"]) if "number" in step else given[1]
    arrays[step["in"][0]] = result = IN_PLACE[step["name"]](given[0], other)
    return result


def _getitem(_: Any, step: dict[str, Any], given: list[Any], arrays: dict[str, Any]) -> Any:
    return given[0][key(step["key"], arrays)]


def _setitem(_: Any, step: dict[str, Any], given: list[Any], arrays: dict[str, Any]) -> Any:
    given[0][key(step["key"], arrays)] = given[1] if len(given) > 1 else number(step["number"])
    return given[0]


def _attribute(_: Any, step: dict[str, Any], given: list[Any], __: dict[str, Any]) -> Any:
    return getattr(given[0], step["name"])


def _saved(_: Any, __: dict[str, Any], given: list[Any], ___: dict[str, Any]) -> Any:
    """Writes arrays to a file and reads them again."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arrays")
        mx.nd.save(path, given)
        return mx.nd.load(path)


_KINDS = {
    "attribute": _attribute,
    "saved": _saved,
    "call": _call,
    "method": _method,
    "operator": _operator,
    "inplace": _in_place,
    "getitem": _getitem,
    "setitem": _setitem,
}


@cache
def result_names(index: int, count: int) -> list[str]:
    """Returns the names of the results of the step at `index`."""
    return [f"{index}.{part}" for part in range(count)]


def names_read(step: dict[str, Any]) -> list[str]:
    """Returns the names of all arrays that a step reads or writes."""
    found = list(step["in"])
    if "out" in step:
        found.append(step["out"])
    found += [
        part["array"] for part in step.get("key", ()) if isinstance(part, dict) and "array" in part
    ]
    return found


def writes(step: dict[str, Any]) -> bool:
    """Returns whether a step writes to an array that existed before it."""
    return (
        "out" in step
        or step["do"] in ("inplace", "setitem")
        or step.get("name", "").endswith(("copyto", "_update"))
    )

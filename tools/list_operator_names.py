"""Lists where the name of an operator is written outside of its declaration.

What the package knows of an operator belongs into its declaration (`mxnet.ops`). A table of names
elsewhere goes stale silently: nothing fails if a new operator has no row in it. This script finds
string constants that are the name or an alias of an operator. Not listed are

- the module that declares the operator, the tables of public spellings, and `__all__`;
- the converters to and from other formats, which `docs/reference/onnx.md` lists by operator;
- rules for torch's operators, some of which have the same name;
- calls: the argument of `get_op("name")`, and `functions["name"]`;
- words that also mean something else (`WORDS`), unless they are compared with some `x.name`.

Usage: python tools/list_operator_names.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from pathlib import Path
from types import ModuleType

import mxnet
from mxnet.ops import catalog
from mxnet.ops.core.registry import Op, all_names

SOURCE = Path(mxnet.__file__).parent

SPELLINGS = ("ops/core/spellings.py", "_np_functions/")
"""The tables of public names, and the functions of the NumPy dialect, each over its operator."""

OF_TORCH = "ops/meta/"
"""The modules whose names are those of torch's operators."""

OF_FORMATS = ("onnx/_export/", "onnx/_import/")
"""The tables that say how an operator is written in another format, and read from it."""

OF_NUMPY = "ops/np/"
"""The modules that declare the operators of the NumPy dialect."""

CALLS = frozenset({"_apply", "_create", "get_op", "getattr"})
"""Functions that take the name of an operator to call it."""

WORDS = frozenset(
    {
        # activations, and functions of torch
        "abs", "relu", "sigmoid", "sign", "softsign", "sqrt", "tanh",
        # modes of pooling, of rounding, of indices out of range, of combining
        "clip", "concat", "floor", "max", "mean", "min", "norm", "repeat", "sum", "trunc",
        # distributions
        "gamma", "normal", "uniform",
        # roles of operators
        "softmax", "split",
        # attributes and methods
        "flatten", "pad", "reshape", "reverse", "shuffle", "slice", "stack", "take",
    }
)  # fmt: skip
"""Names of operators that mean something else as well; in the package they mostly do."""


_DECLARING = {item.__name__ for item in vars(catalog).values() if isinstance(item, ModuleType)}


def find_names(path: Path) -> Iterator[tuple[int, str]]:
    """Yields line and name where a module writes the name of an operator."""
    place = path.relative_to(SOURCE).as_posix()
    if place.startswith((*SPELLINGS, *OF_FORMATS, OF_TORCH)):
        return
    tree = ast.parse(path.read_text())
    called, compared = _find_called(tree), _find_compared(tree)
    operators = all_names()
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if node.value not in operators or node in called:
            continue
        is_word = node.value in WORDS and node not in compared
        if not is_word and not _may_declare(place, operators[node.value]):
            yield node.lineno, node.value


def _find_called(tree: ast.AST) -> Set[ast.AST]:
    """Finds the names by which functions of operators are looked up or exported."""
    called: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _last_name(node.func) in CALLS:
            called.update(node.args)
        elif isinstance(node, ast.Subscript):
            called.add(node.slice)
        elif isinstance(node, ast.Assign) and _last_name(node.targets[0]) == "__all__":
            called.update(ast.walk(node.value))
    return called


def _last_name(node: ast.AST) -> str:
    """Returns `c` for `a.b.c`."""
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def _find_compared(tree: ast.AST) -> Set[ast.AST]:
    """Finds everything that stands in a comparison with some `x.name`."""
    return {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        if any(
            isinstance(side, ast.Attribute) and side.attr == "name"
            for side in (node.left, *node.comparators)
        )
        for inner in ast.walk(node)
    }


def _may_declare(place: str, op: Op) -> bool:
    """Returns whether a module declares an operator.

    A kernel of torch, or of a module that declares nothing, does not tell where it was declared;
    any module of operators may.
    """
    if place.startswith(OF_NUMPY) and op.name.startswith("_np"):
        return True  # whose kernel may be that of a classic operator
    module = getattr(op.kernel, "__module__", None)
    if module not in _DECLARING:
        return place.startswith("ops/")
    return place == module.removeprefix("mxnet.").replace(".", "/") + ".py"


def list_names() -> dict[str, dict[str, list[int]]]:
    """Returns the names in each module, and the lines where they stand."""
    listed: dict[str, dict[str, list[int]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for line, name in find_names(path):
            place = path.relative_to(SOURCE).as_posix()
            listed.setdefault(place, {}).setdefault(name, []).append(line)
    return listed


if __name__ == "__main__":
    for module, names in list_names().items():
        for name, lines in sorted(names.items()):
            print(f"{module}: {name} in line {', '.join(map(str, lines))}")

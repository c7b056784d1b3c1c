"""Lists where the name of an operator is written outside of its declaration.

What the package knows of an operator belongs into its declaration (`mxnet.ops`). A table of names
elsewhere goes stale silently: nothing fails if a new operator has no row in it. This script finds
string constants that are the name or an alias of an operator. Not listed are

- the module that declares the operator, and the tables of public spellings;
- calls: the argument of `get_op("name")`, `getattr(F, "name")` and the like;
- words that also mean something else (`WORDS`), unless they are compared with some `x.name`.

Usage: python tools/list_operator_names.py
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set
from pathlib import Path

import mxnet
from mxnet.ops.registry import Op, all_names

SOURCE = Path(mxnet.__file__).parent

SPELLINGS = (
    "ndarray/",
    "ops/spellings.py",
    "random.py",
    "symbol/",
)
"""Frontends, whose public names and methods are those of operators; see `FACTS`."""

FACTS = ("ndarray/_sparse_dispatch.py", "symbol/_compose.py")
"""Modules of frontends that decide something by the name of an operator."""

CALLS = frozenset({"_apply", "get_op", "getattr"})
"""Functions that take the name of an operator to call it."""

WORDS = frozenset(
    {
        # activations, and functions of torch
        "abs", "relu", "sigmoid", "sign", "softsign", "sqrt", "tanh",
        # modes of pooling, of rounding, of indices out of range, of combining
        "clip", "concat", "floor", "max", "mean", "min", "norm", "repeat", "sum", "trunc",
        # distributions
        "gamma", "normal", "uniform",
        # attributes and methods
        "flatten", "pad", "reshape", "shuffle", "slice", "stack", "take",
    }
)  # fmt: skip
"""Names of operators that mean something else as well; in the package they mostly do."""


def find_names(path: Path) -> Iterator[tuple[int, str]]:
    """Yields line and name where a module writes the name of an operator."""
    place = path.relative_to(SOURCE).as_posix()
    if place.startswith(SPELLINGS) and place not in FACTS:
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
    """Finds the arguments of functions that call an operator by its name."""
    return {
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
        if (node.func.id if isinstance(node.func, ast.Name) else node.func.attr) in CALLS
        for argument in node.args
    }


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

    A kernel of torch itself does not tell where it was declared; any module of operators may.
    """
    module = getattr(op.kernel, "__module__", None) or ""
    own = module.removeprefix("mxnet.").replace(".", "/") + ".py"
    return own == place if module.startswith("mxnet.") else place.startswith("ops/")


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

"""The page on environment variables names every one that the package reads."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
NAME = re.compile(
    r"(MXNET|GLUEBALL|DMLC|OMP|OMPI|SLURM|TORCHELASTIC|NCCL|GLOO|MASTER|LOCAL)_[A-Z0-9_]*[A-Z0-9]"
    r"|RANK|WORLD_SIZE"
)
NO_VARIABLES = {"MXNET_API"}
"""Strings that look like variables: the category of a profiler's events."""


def is_environment(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "environ"


def variables_of(tree: ast.Module) -> set[str]:
    """Returns strings that look like variables or are looked up in `os.environ`."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if NAME.fullmatch(node.value):
                found.add(node.value)
        elif isinstance(node, ast.Subscript) and is_environment(node.value):
            if isinstance(node.slice, ast.Constant):
                found.add(node.slice.value)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_lookup = is_environment(node.func.value) or node.func.attr == "getenv"
            if is_lookup and node.args and isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
    return found


def test_every_variable_that_is_read_is_on_the_page():
    read = set()
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "environ" in text or NAME.search(text):
            read |= variables_of(ast.parse(text))
    named = set(re.findall(r"`([A-Z][A-Z0-9_]+)`", PAGE))
    assert {"MXNET_HOME", "RANK"} <= read
    assert read - NO_VARIABLES - named == set()


def test_variables_of_limits_are_explained():
    assert "`MXNET_LIMIT_<NAME>`" in PAGE

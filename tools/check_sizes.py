"""Fails when files or functions are too long or too many modules too small, and warns before that.

    python tools/check_sizes.py [ROOT]

A file of `src/mxnet/ops` is mostly a table and may be longer. The length of a function is that of
its body, without the docstring. Too small is a module of few lines that serves one other alone.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tools.check_rooms import SMALL, read_modules, small_modules  # noqa: E402


@dataclass(frozen=True)
class Limit:
    """Lines from which a size is worth a look, and from which it fails."""

    warn: int
    fail: int


SOURCE, OPERATORS, TESTS = Limit(500, 700), Limit(600, 800), Limit(500, 800)
"""Lines, those of docstrings too, whose examples are a third of a file."""
FUNCTION = Limit(40, 60)
SMALL_MODULES = Limit(10, 20)
FOLDERS = ("src", "tests", "tools", "benchmarks", "examples")


def file_limit(path: Path) -> Limit:
    """Chooses the limit for a file, by its path from the root."""
    if path.parts[0] == "tests":
        return TESTS
    return OPERATORS if path.parts[:3] == ("src", "mxnet", "ops") else SOURCE


def body_length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Counts the lines of a body from its first statement after the docstring."""
    body = function.body
    if ast.get_docstring(function, clean=False) is not None:
        body = body[1:]
    return (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0


def sizes(path: Path, text: str) -> Iterator[tuple[str, int, Limit]]:
    """Yields the place, the lines and the limit of the file and of each of its functions."""
    yield str(path), len(text.splitlines()), file_limit(path)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path}:{node.lineno} {node.name}()", body_length(node), FUNCTION


def check_small_modules(root: Path) -> int:
    """Reports modules that are too small if there are many; returns 1 if there are too many."""
    found, limit = small_modules(read_modules(root / "src")), SMALL_MODULES
    if len(found) < limit.warn:
        return 0
    fails = len(found) > limit.fail
    what = f"{len(found)} modules of under {SMALL} lines of code have one importer"
    print(f"{'error' if fails else 'warning'}: {what}; merge them, fails above {limit.fail}")
    print("".join(f"    {place}\n" for place in found), end="")
    return int(fails)


def main(root: Path) -> int:
    """Reports every size beyond a limit; returns 1 if one fails."""
    failures, total = check_small_modules(root), 0
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*.py")):
            path, text = file.relative_to(root), file.read_text(encoding="utf-8")
            total += len(text.splitlines()) if folder == "src" else 0
            for place, lines, limit in sizes(path, text):
                if lines > limit.fail:
                    failures += 1
                    print(f"error: {place}: {lines} lines, at most {limit.fail}")
                elif lines > limit.warn:
                    print(f"warning: {place}: {lines} lines, fails above {limit.fail}")
    print(f"sizes: {total} lines in src, {failures} over the limit")
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))

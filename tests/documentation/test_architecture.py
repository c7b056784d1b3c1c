"""Paths that the architecture and the decisions name exist, and the tree that they show is ours."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "mxnet"
ARCHITECTURE = ROOT / "docs" / "architecture.md"
PAGES = [ARCHITECTURE, *sorted((ROOT / "docs" / "adr").glob("*.md"))]
CODE = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.-]+(/[\w.-]+)*(\.py|/)|[\w.-]+(/[\w-]+)+")
BASES = (
    *(ROOT, ROOT / "src", PACKAGE),
    *(PACKAGE / name for name in ("graph", "gluon/hybrid", "onnx")),
)
"""Where paths of pages begin."""


def paths_of(text: str) -> set[str]:
    """Returns what is written as a path of ours: a file of Python, a folder, or a part of one."""
    found = {code for code in CODE.findall(text) if PATH.fullmatch(code)}
    ours = {path.name for base in BASES for path in base.iterdir()}
    return {path for path in found if path.endswith((".py", "/")) or path.split("/")[0] in ours}


def exists(path: str) -> bool:
    """Returns whether a path exists; a name of a file without folders may be that of any module."""
    if "/" not in path:
        return any((ROOT / "src").rglob(path)) or (ROOT / path).exists()
    return any((base / path).exists() or (base / f"{path}.py").exists() for base in BASES)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_paths_that_a_page_names_exist(page: Path):
    assert [path for path in sorted(paths_of(page.read_text())) if not exists(path)] == []


def test_a_path_that_does_not_exist_is_found():
    text = "`graph/plan.py`, `_tracebacks.py`, `graph/passes`, `graph/run/plan.py`, `and/or`"
    paths = paths_of(text)
    assert {path for path in paths if not exists(path)} == {"graph/plan.py", "_tracebacks.py"}
    assert {"graph/passes", "graph/run/plan.py"} < paths
    assert "and/or" not in paths


def rooms_of_tree() -> set[str]:
    """Returns the folders in the tree that the page shows, by their paths in the package."""
    rooms: set[str] = set()
    parent = ""
    for line in ARCHITECTURE.read_text().split("```")[1].splitlines():
        indent = len(line) - len(line.lstrip())
        names = re.findall(r"(?:^|(?<= ))(\w+)/(?= |$)", line)
        if indent == 2 and names:
            parent = names[0]
        if indent:
            rooms |= {name if indent == 2 else f"{parent}/{name}" for name in names}
    return rooms


def test_the_tree_names_rooms_that_exist():
    assert [room for room in sorted(rooms_of_tree()) if not (PACKAGE / room).is_dir()] == []


@pytest.mark.parametrize("parent", ["", "graph/", "ops/", "gluon/"])
def test_the_tree_names_all_rooms(parent: str):
    folders = {f"{parent}{path.parent.name}" for path in (PACKAGE / parent).glob("*/__init__.py")}
    rooms = {path for path in folders if parent or path.startswith("_")} - {"_ctypes"}
    assert rooms
    assert rooms - rooms_of_tree() == set()

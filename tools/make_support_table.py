"""Counts which public names of MXNet 1.9.1 are here, and writes the tables of them.

    python tools/make_support_table.py [--check]

The names are those that all modules of the original show (`tests/golden/api_names.json`); each is
looked up in the installed package. The README gets a row for each top-level module, with its
submodules counted in, and one for each module that is missing; `docs/reference/modules.md` gets a
row for every module, with the names that are missing. With `--check` nothing is written; the
program fails if a table is out of date.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
PAGE = ROOT / "docs" / "reference" / "modules.md"
NAMES = ROOT / "tests" / "golden" / "api_names.json"
BEGIN, END = "<!-- support table: make docs -->", "<!-- end of support table -->"
INTRODUCTION = """# Modules of MXNet 1.9.1

<!-- Written by tools/make_support_table.py: make docs -->

All modules that MXNet 1.9.1 can import, with the names that each defines for its users, and how
many of them are here. Programs import many names from more than one place, and each place is
counted.

| module | names of 1.9.1 | here | missing |
| --- | ---: | ---: | --- |
"""


class Module(NamedTuple):
    """A module of the original, or a class whose methods are counted."""

    path: str
    """Without `mxnet.`; empty for the package itself."""
    exists: bool
    total: int
    missing: list[str]

    @property
    def present(self) -> int:
        """Returns how many of its names are here."""
        return self.total - len(self.missing)

    @property
    def shown(self) -> str:
        """Returns the path as the tables show it."""
        return f"`{self.path or 'mxnet'}`"


def find(path: str) -> object:
    """Finds a module, or a class in one, of ours; None if there is none."""
    try:
        return importlib.import_module(path)
    except ImportError:
        head, _, last = path.rpartition(".")
        try:
            return getattr(importlib.import_module(head), last, None)
        except ImportError:
            return None


def has(owner: object, name: str) -> bool:
    """Returns whether a module has a name; what only explains its absence does not count."""
    try:
        getattr(owner, name)
    except (AttributeError, ImportError, NotImplementedError):
        return False
    return True


def look_up(names: dict[str, list[str]]) -> Iterator[Module]:
    """Looks up the names of all modules."""
    for path, expected in names.items():
        owner = find(path)
        missing = [name for name in expected if not has(owner, name)]
        exists = owner is not None and len(missing) < len(expected)
        short = path.removeprefix("mxnet").removeprefix(".")
        yield Module(short, exists, len(expected), missing)


def summary(modules: list[Module]) -> str:
    """Writes the table of the README."""
    rows = ["| module | modules | names of 1.9.1 | here |", "| --- | ---: | ---: | ---: |"]
    for family in sorted({module.path.partition(".")[0] for module in modules}):
        members = [item for item in modules if item.path.partition(".")[0] == family]
        found = [item for item in members if item.exists]
        if found:
            rows.append(as_row(f"`{family or 'mxnet'}`", found))
        rows += [as_row(f"{item.shown}, missing", [item]) for item in members if not item.exists]
    rows.append(as_row("**all**", modules))
    return "\n".join(rows)


def as_row(title: str, modules: list[Module]) -> str:
    """Returns a row that adds some modules up."""
    total, present = sum(item.total for item in modules), sum(item.present for item in modules)
    return f"| {title} | {len(modules)} | {total} | {present} |"


def page(modules: list[Module]) -> str:
    """Writes the page with all modules."""
    rows = []
    for item in modules:
        missing = ", ".join(f"`{name}`" for name in item.missing) if item.exists else "all"
        rows.append(f"| {item.shown} | {item.total} | {item.present} | {missing} |\n")
    return INTRODUCTION + "".join(rows)


def main() -> int:
    """Writes or checks the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if a table is out of date")
    options = parser.parse_args()
    modules = list(look_up(json.loads(NAMES.read_text(encoding="utf-8"))))
    before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    written = {
        README: f"{before}{BEGIN}\n\n{summary(modules)}\n\n{END}{after}",
        PAGE: page(modules),
    }
    status = 0
    for path, text in written.items():
        if not options.check:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            print(f"{path.relative_to(ROOT)} is out of date: run `make docs`")
            status = 1
    return status


if __name__ == "__main__":
    raise SystemExit(main())

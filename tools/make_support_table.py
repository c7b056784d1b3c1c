"""Counts which public names of MXNet 1.9.1 are here, and writes the tables of them.

    python tools/make_support_table.py [--check]

The names are those that all modules of the original show (`tests/golden/api_names.json`); each is
looked up in the installed package. The READMEs get a sentence that counts them;
`docs/reference/modules.md` gets a row for every module, with the names that are missing. With
`--check` nothing is written; the program fails if a table is out of date.
"""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
ENGLISH = (
    "{present:,} of the {total:,} public names that the {modules} modules of MXNet 1.9.1 offer are "
    "here ([by module](docs/reference/modules.md))."
)
CHINESE = (
    "MXNet 1.9.1 的 {modules} 个模块有 {total:,} 个公开名称，这里有 {present:,} 个："
    "[逐个模块](docs/zh/reference/modules.md)。"
)
SENTENCES = {ROOT / "README.md": ENGLISH, ROOT / "README.zh.md": CHINESE}
"""What each README says."""
PAGE = ROOT / "docs" / "reference" / "modules.md"
NAMES = ROOT / "tests" / "golden" / "api_names.json"
BEGIN, END = "<!-- counted: make docs -->", "<!-- end of count -->"
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


def summary(modules: list[Module], sentence: str) -> str:
    """Writes the sentence of a README."""
    total, present = sum(item.total for item in modules), sum(item.present for item in modules)
    return sentence.format(total=total, present=present, modules=len(modules))


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
    written = {PAGE: page(modules)}
    for readme, sentence in SENTENCES.items():
        before, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        written[readme] = f"{before}{BEGIN}\n\n{summary(modules, sentence)}\n\n{END}{after}"
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

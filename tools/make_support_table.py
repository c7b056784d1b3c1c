"""Counts which public names of MXNet 1.9.1 are here, and writes the table in the README.

    python tools/make_support_table.py [--check]

The names are those that the original shows (`tests/golden/api_names.json`); each is looked up in
the installed package. With `--check` nothing is written; the program fails if the table is out of
date.
"""

from __future__ import annotations

import argparse
import importlib
import json
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
NAMES = ROOT / "tests" / "golden" / "api_names.json"
BEGIN, END = "<!-- support table: make docs -->", "<!-- end of support table -->"


def find(path: str) -> object:
    """Finds a module, or a class in one, of ours; None if there is none."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        head, _, last = path.rpartition(".")
        try:
            return getattr(importlib.import_module(head), last, None)
        except ModuleNotFoundError:
            return None


def count(path: str, names: list[str]) -> int:
    """Counts the names of a module that we have."""
    owner = find(path)
    return sum(hasattr(owner, name) for name in names)


def table() -> str:
    """Writes the table."""
    rows = ["| module | names of 1.9.1 | here |", "| --- | ---: | ---: |"]
    totals = [0, 0]
    for path, names in json.loads(NAMES.read_text(encoding="utf-8")).items():
        present = count(path, names)
        totals[0] += len(names)
        totals[1] += present
        rows.append(f"| `{path.removeprefix('mxnet.')}` | {len(names)} | {present} |")
    rows.append(f"| **all** | **{totals[0]}** | **{totals[1]}** |")
    return "\n".join(rows)


def main() -> int:
    """Writes or checks the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the table is out of date")
    options = parser.parse_args()
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    new = f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"
    if options.check:
        if new != text:
            print("the support table in README.md is out of date: run `make docs`")
            return 1
        return 0
    README.write_text(new, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Lists the names that public repositories use and the original MXNet 1.9.1 has.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md), with the
path of the table of uses, whose column `name` counts. Writes `tests/golden/used_names.json`: under
the part before the last dot, the names after it.
"""

from __future__ import annotations

import csv
import importlib
import json
import sys
from collections import defaultdict
from pathlib import Path


def resolves(path: str) -> bool:
    """Returns whether a dotted name leads to something."""
    parts = path.split(".")
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        try:
            for name in parts[count:]:
                found = getattr(found, name)
        except AttributeError:
            return False
        return True
    return False


def main() -> None:
    """Writes the names."""
    names = defaultdict(list)
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            owner, _, last = row["name"].rpartition(".")
            if owner.split(".")[0] == "mxnet" and resolves(row["name"]):
                names[owner].append(last)
    target = Path(__file__).resolve().parent / "used_names.json"
    lines = [f" {json.dumps(key)}: {json.dumps(' '.join(sorted(names[key])))}" for key in names]
    target.write_text("{\n" + ",\n".join(sorted(lines)) + "\n}\n", encoding="utf-8")
    print(f"{target.name}: {sum(map(len, names.values()))} names")


if __name__ == "__main__":
    main()

"""Lists which of the names that our modules look up elsewhere the original's modules have.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Reads
`src/mxnet/_legacy/imported_names.py` and writes `tests/golden/imported_names.json`.
"""

from __future__ import annotations

import importlib
import json
import runpy
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
TABLE = HERE.parents[1] / "src" / "mxnet" / "_imported_names.py"


def main() -> None:
    """Writes the names."""
    table = runpy.run_path(str(TABLE))["NAMES_IN"]
    names = {
        module: sorted(name for name in asked if hasattr(importlib.import_module(module), name))
        for module, asked in table.items()
    }
    lines = [f" {json.dumps(module)}: {json.dumps(names[module])}" for module in names]
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (HERE / "imported_names.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

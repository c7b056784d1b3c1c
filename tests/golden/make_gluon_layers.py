"""Runs the table of layers under the original MXNet 1.9.1 and stores what it gives.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_gluon_layers.py

Writes `tests/golden/gluon_layers.npz` (arrays) and `gluon_layers.json` (texts).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from gluon.nn.layers import ROWS, run  # noqa: E402


def main() -> None:
    """Writes both files."""
    texts, arrays = {}, {}
    for row in (row for row in ROWS if row.oracle):
        try:
            facts, found = run(row)
        except Exception as error:  # noqa: BLE001 - a row that the original refuses is reported
            print(f"{row}: {error}")
            continue
        texts[str(row)] = facts
        arrays.update({f"{row}/{name}": array for name, array in found.items()})
    (HERE / "gluon_layers.json").write_text(json.dumps(texts, indent=0, sort_keys=True) + "\n")
    np.savez_compressed(HERE / "gluon_layers.npz", **arrays)
    print(f"{len(texts)} rows, {(HERE / 'gluon_layers.npz').stat().st_size} bytes")


if __name__ == "__main__":
    main()

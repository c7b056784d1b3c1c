"""Exports the blocks of `exchange_cases`, each with what it computes.

By the interpreter of the environment that has the original, to make the golden files:

    python tests/golden/make_exchange.py

By this package's interpreter, to make files for `read_exchange_with_original.py`:

    PYTHONPATH=src python tests/golden/make_exchange.py FOLDER
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from exchange_cases import FAMILIES, HERE, export_family, pack


def make_golden() -> None:
    """Writes one archive for each family, and the list of what cannot be exported."""
    target = HERE / "exchange"
    target.mkdir(exist_ok=True)
    failures = {}
    for family in FAMILIES:
        with tempfile.TemporaryDirectory() as folder:
            failures[family] = export_family(family, Path(folder))
            pack(Path(folder), target / f"{family}.tar.xz")
    text = json.dumps(failures, indent=1, sort_keys=True)
    (target / "not_exported.json").write_text(text + "\n")


def main() -> None:
    """Writes the golden files, or the files of this package to a folder."""
    warnings.simplefilter("ignore")
    if len(sys.argv) < 2:
        make_golden()
        return
    for family in FAMILIES:
        folder = Path(sys.argv[1]) / family
        folder.mkdir(parents=True, exist_ok=True)
        export_family(family, folder)


if __name__ == "__main__":
    main()

"""Exports the networks of `network_cases`.

By the interpreter of the environment that has the original, to make the golden files:

    python tests/golden/make_exports.py

By this package's interpreter, to make files for `read_exports_with_original.py`:

    PYTHONPATH=src python tests/golden/make_exports.py FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from network_cases import NETWORKS, export


def main(folder: str) -> None:
    """Writes the files of every network."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name in NETWORKS:
        export(name, folder)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else str(Path(__file__).resolve().parent / "exports"))

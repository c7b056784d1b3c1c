"""Loads models that this package saved into the original and compares what they compute.

Run by the interpreter of the environment that has the original, after
`make_model_files.py FOLDER` by ours:

    python tests/golden/read_model_files_with_original.py FOLDER
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from model_file_cases import NETWORKS, largest_difference  # noqa: E402


def main(folder: Path) -> None:
    """Prints the largest difference for each network; fails where one is over 1e-4."""
    warnings.simplefilter("ignore")
    expected = np.load(folder / "outputs.npz")
    found = {name: largest_difference(name, folder, expected) for name in NETWORKS}
    for name, difference in found.items():
        print(f"{name}: largest difference {difference:.2e}")
    if max(found.values()) > 1e-4:
        raise SystemExit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Loads networks that this package exported into the original and compares what they compute.

Run by the interpreter of the environment that has the original, after `make_exports.py FOLDER`:

    python tests/golden/read_exports_with_original.py FOLDER
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from network_cases import NETWORKS, check  # noqa: E402


def main(folder: str) -> None:
    """Prints the largest difference for each network; fails where one is over 1e-4."""
    warnings.simplefilter("ignore")
    worst = 0.0
    for name in NETWORKS:
        difference = check(name, folder)
        worst = max(worst, difference)
        print(f"{name}: largest difference {difference:.2e}")
    if worst > 1e-4:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1])

"""Continues trainings that this package saved with the original and compares.

Run by the interpreter of the environment that has the original, after `make_modules.py FOLDER`
with this package:

    python tests/golden/read_modules_with_original.py FOLDER
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import module_cases as cases  # noqa: E402


def main(folder: Path) -> None:
    """Prints the largest difference for each training; fails where one is over 1e-4."""
    warnings.simplefilter("ignore")
    expected = np.load(folder / "modules.npz")
    worst = 0.0
    for name in cases.RESUMED:
        start = f"resumed {name}/"
        ours = {key[len(start) :]: expected[key] for key in expected if key.startswith(start)}
        difference = cases.largest_difference(ours, cases.resume(mx, name, folder))
        worst = max(worst, difference)
        print(f"{name}: largest difference {difference:.2e}")
    if worst > 1e-4:
        raise SystemExit(1)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

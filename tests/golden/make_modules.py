"""Trains the modules of `module_cases.py` and stores what they learn.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_modules.py

With the name of a folder it writes there; run with this package that gives the files that
`read_modules_with_original.py` reads.
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


def main(folder: Path, results: Path) -> None:
    """Writes parameters after ten steps, checkpoints after five, and what comes after those."""
    warnings.simplefilter("ignore")
    folder.mkdir(exist_ok=True)
    found = {name: cases.train(mx, name) for name in cases.CASES}
    for name in cases.RESUMED:
        cases.save(mx, name, folder)
        found[f"resumed {name}"] = cases.resume(mx, name, folder)
    np.savez_compressed(results, **cases.flat(found))
    print(f"{results}: {results.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]), Path(sys.argv[1]) / "modules.npz")
    else:
        main(cases.CHECKPOINTS, cases.RESULTS)

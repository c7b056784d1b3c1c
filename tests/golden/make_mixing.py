"""Mixes the dialects in calls of blocks under the original MXNet 1.9.1 and stores what comes out.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_mixing.py

Writes `tests/golden/mixing.json`: for each case the dialect of the result or the error.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from mixing_cases import CASES, run  # noqa: E402

if __name__ == "__main__":
    results = {case: run(mx, case).split(":")[0] for case in CASES}
    (HERE / "mixing.json").write_text(json.dumps(results, indent=0) + "\n")

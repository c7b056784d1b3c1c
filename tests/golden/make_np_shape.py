"""Computes with scalars and empty arrays inside of `np_shape` under the original MXNet 1.9.1.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_np_shape.py

Writes `tests/golden/np_shape.json`.
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

from np_shape_cases import is_random, list_cases, run  # noqa: E402

if __name__ == "__main__":
    with mx.util.np_shape():
        results = {
            name: run(case, values=not is_random(name)) for name, case in list_cases(mx).items()
        }
    rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in results.items())
    (HERE / "np_shape.json").write_text(f"{{\n{rows}\n}}\n")

"""Runs elementwise operators on special values under the original MXNet 1.9.1.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_special_values.py

Writes `tests/golden/special_values.npz`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from special_value_cases import cases, run  # noqa: E402

import mxnet as mx  # noqa: E402


def main() -> None:
    """Writes the golden file."""
    store = {}
    for operator, dtype, inputs in cases():
        for name, values in run(mx, operator, inputs).items():
            store[f"{operator}/{dtype}/{name}"] = values
    path = Path(__file__).resolve().parent / "special_values.npz"
    np.savez_compressed(path, **store)
    print(f"{len(store)} arrays, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

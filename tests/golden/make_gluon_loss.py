"""Runs the cases of losses under the original MXNet 1.9.1 and stores values and gradients.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_gluon_loss.py

Writes `tests/golden/gluon_loss.npz`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from gluon_loss_cases import cases, run  # noqa: E402

import mxnet as mx  # noqa: E402


def main() -> None:
    """Writes one array for the value and for each gradient of every case."""
    results = {}
    for case in cases():
        for name, array in run(mx, mx.gluon, case).items():
            key = f"{case}/{name}"
            if key in results:
                raise ValueError(f"two cases are called {case}")
            results[key] = array
    path = Path(__file__).with_name("gluon_loss.npz")
    np.savez_compressed(path, **results)
    print(f"{len(results)} arrays, {path.stat().st_size} bytes")


main()

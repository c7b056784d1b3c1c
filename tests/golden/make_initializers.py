"""Runs the initializer programs under the original MXNet 1.9.1 and stores what they fill in.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_initializers.py

Writes `tests/golden/initializers.json`.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
from initializer_cases import cases, describe, dumps, fill, random_cases

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402


def main() -> None:
    """Writes one line per case."""
    warnings.simplefilter("ignore")
    mx.random.seed(1)
    found = {case.id: fill(mx, case) for case in cases()}
    found |= {case.id: [dumps(mx, case), describe(mx, case)] for case in random_cases()}
    lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items()]
    path = Path(__file__).with_name("initializers.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()

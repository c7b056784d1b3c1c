"""Runs the metric programs under the original MXNet 1.9.1 and stores what they show.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_metrics.py

Writes `tests/golden/metrics.json`.
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from metric_cases import cases, trace  # noqa: E402

import mxnet as mx  # noqa: E402


def main() -> None:
    """Writes one line per case."""
    warnings.simplefilter("ignore")
    lines = [f"{json.dumps(case.id)}: {json.dumps(trace(mx, case))}" for case in cases()]
    path = Path(__file__).with_name("metrics.json")
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


main()

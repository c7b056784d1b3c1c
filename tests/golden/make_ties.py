"""Runs the calls at ties under the original MXNet 1.9.1 and stores results and gradients.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_ties.py

Writes `tests/golden/ties.json`. What the original refuses for an element type is left out.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from tie_cases import DTYPES, Case, cases, run_eagerly  # noqa: E402
from writing import write_json  # noqa: E402

import mxnet as mx  # noqa: E402


def results_of(case: Case) -> dict[str, Any]:
    """Returns the results of a case by element type."""
    results = {}
    for dtype in DTYPES:
        try:
            results[dtype] = run_eagerly(case, dtype)
        except mx.MXNetError as error:
            print(f"{case.id} {dtype}: {str(error).splitlines()[0]}")
    return results


def main() -> None:
    """Writes the file."""
    warnings.simplefilter("ignore")
    results = {case.id: results_of(case) for case in cases()}
    write_json(Path(__file__).with_name("ties.json"), results)


main()

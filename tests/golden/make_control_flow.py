"""Writes graphs with loops and conditions, and what they compute.

By the interpreter of the environment that has the original, to make the golden file:

    python tests/golden/make_control_flow.py tests/golden/control_flow.json

By this package's interpreter, to make a file for `read_control_flow_with_original.py`:

    PYTHONPATH=src python tests/golden/make_control_flow.py FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx

sys.path.insert(0, str(Path(__file__).resolve().parent))

from control_flow_cases import CASES, build, run


def main(path: str) -> None:
    """Writes every case to one file."""
    found = {}
    for name in CASES:
        symbol = build(mx, name)
        found[name] = {"symbol": symbol.tojson(), **run(mx, name, symbol)}
    Path(path).write_text(json.dumps(found, indent=0) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])

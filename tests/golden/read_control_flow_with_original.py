"""Runs graphs with loops and conditions that this package wrote under the original.

Run by the interpreter of the environment that has the original, after `make_control_flow.py FILE`:

    python tests/golden/read_control_flow_with_original.py FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

from control_flow_cases import run  # noqa: E402


def main(path: str) -> None:
    """Prints the largest difference for each graph; fails where one is over 1e-4."""
    worst = 0.0
    for name, case in json.loads(Path(path).read_text()).items():
        found = run(mx, name, mx.sym.load_json(case["symbol"]))
        pairs = list(zip(found["outputs"], case["outputs"], strict=True))
        pairs += [(found["gradients"][key], case["gradients"][key]) for key in case["gradients"]]
        difference = max(float(np.abs(np.array(a) - np.array(b)).max()) for a, b in pairs)
        worst = max(worst, difference)
        print(f"{name}: largest difference {difference:.2e}")
    if worst > 1e-4:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1])

"""Runs the fused layers of `fused_cases.py` under the original MXNet 1.9.1 and stores the results.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_fused.py

Writes `tests/golden/fused_layers.npz`: the outputs of all cases, one behind the other as bytes, and
their names, dtypes and shapes. A file with an array for each would be four times as large.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from fused_cases import cases, compute  # noqa: E402


def main() -> None:
    """Writes the golden file."""
    rows, parts = [], []
    for name, case in cases():
        for output in compute(case):
            rows.append([name, str(output.dtype), output.shape])
            parts.append(output.tobytes())
    path = Path(__file__).with_name("fused_layers.npz")
    index = np.frombuffer(json.dumps(rows).encode(), np.uint8)
    np.savez_compressed(path, index=index, data=np.frombuffer(b"".join(parts), np.uint8))
    print(f"{len(rows)} arrays, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Writes symbol files of several versions and stores what the original reads from them.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_symbol_files.py

Writes `tests/golden/symbol_files.json.xz` (files and facts) and `symbol_files.npz` (results).
"""

from __future__ import annotations

import json
import lzma
import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from symbol_file_cases import make_files, read  # noqa: E402


def main() -> None:
    """Writes both files."""
    warnings.simplefilter("ignore")
    golden, arrays = {}, {}
    for key, text in make_files().items():
        facts, outputs = read(text, key.split("-")[0])
        golden[key] = {"file": text, **facts}
        arrays.update({f"{key}/{i}": item for i, item in enumerate(outputs)})
    text = json.dumps(golden, sort_keys=True)
    (HERE / "symbol_files.json.xz").write_bytes(lzma.compress(text.encode()))
    np.savez_compressed(HERE / "symbol_files.npz", **arrays)


if __name__ == "__main__":
    main()

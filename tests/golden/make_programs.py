"""Runs the programs of `tests/programs` under the original MXNet 1.9.1 and stores their results.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_programs.py [module ...]

Writes `tests/golden/programs/<module>.json`, and `pickled.bin` there: arrays as the original
pickles them.
"""

from __future__ import annotations

import pickle
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from programs import core  # noqa: E402


def write_pickle() -> None:
    """Pickles arrays of several types and contexts."""
    values = [[0, 1, 2], [3, 4, 5]]
    names = ("float16", "float32", "float64", "uint8", "int8", "int32", "int64", "bool")
    arrays = {name: mx.nd.array(values, dtype=name) for name in names}
    arrays["cpu1"] = mx.nd.array(values, ctx=mx.cpu(1))
    (core.GOLDEN / "pickled.bin").write_bytes(pickle.dumps(arrays, protocol=2))


def main(wanted: list[str]) -> None:
    """Writes the golden files of the wanted modules, or of all."""
    core.GOLDEN.mkdir(exist_ok=True)
    write_pickle()
    warnings.simplefilter("ignore")
    for module, programs in core.tables().items():
        if wanted and module not in wanted:
            continue
        results = {}
        for name in programs:
            with tempfile.TemporaryDirectory() as folder:
                results[name] = core.run(module, name, mx, folder)
        path = core.write_golden(module, results)
        print(f"{module}: {len(results)} programs, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

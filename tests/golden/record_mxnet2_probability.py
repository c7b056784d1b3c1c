"""Runs distributions and programs with them under MXNet 2 and writes `mxnet2_probability.npz`.

Run by the interpreter of an environment that has `mxnet==2.0.0b1` (with NumPy before 1.24) and
SciPy, by which MXNet 2 computes functions of numbers:

    oracle2/bin/python tests/golden/record_mxnet2_probability.py

What MXNet 2 refuses is left out, and printed with its message.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as onp

import mxnet as mx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden import mxnet2_probability_programs as programs  # noqa: E402
from golden.mxnet2_probability_cases import cases  # noqa: E402

mx.npx.set_np()
REFUSALS = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    NotImplementedError,
    TypeError,
    ValueError,
)


def main() -> None:
    """Writes the file."""
    results, refused = {}, 0
    for path, run in cases().items():
        try:
            found = dict(run(False))
        except (*REFUSALS, mx.MXNetError) as error:
            refused += 1
            lines = str(error).strip().splitlines()
            print(f"{path}: {type(error).__name__}: {lines[-1] if lines else ''}")
            continue
        results.update({f"{path}{key}": value for key, value in found.items()})
    for name in programs.PROGRAMS:
        results.update({f"{name}{key}": value for key, value in programs.run(name, False)})
    index = {key: [str(value.dtype), *value.shape] for key, value in results.items()}
    flat = onp.concatenate([value.astype("float64").ravel() for value in results.values()])
    onp.savez_compressed(
        HERE / "mxnet2_probability.npz", index=onp.array(json.dumps(index)), values=flat
    )
    print(f"{len(results)} arrays, {refused} refused")


if __name__ == "__main__":
    main()

"""Runs the optimizers under MXNet 2 and writes where they end: `optimizer/mxnet2.npz`.

Run by the interpreter of an environment that has `mxnet==2.0.0b1` (with NumPy before 1.24):

    oracle2/bin/python tests/golden/record_mxnet2_optimizers.py
"""

from __future__ import annotations

import sys
from pathlib import Path

import mxnet as mx

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden.make_optimizers import flatten, make_updater, pack  # noqa: E402
from golden.mxnet2_optimizer_cases import CASES  # noqa: E402
from golden.optimizer_cases import SHAPES, STEPS  # noqa: E402


def run(case):
    """Runs a case and gives the weights and the arrays of their states."""
    updater = make_updater(case)
    indices = [index for index in SHAPES if case.optimizer != "groupadagrad" or index == 0]
    weights = [mx.np.array(case.weights()[i], dtype=case.dtype) for i in indices]
    for step in range(STEPS):
        grads = [mx.np.array(case.gradients(step)[i], dtype=case.dtype) for i in indices]
        updater(indices, grads, weights)
    states = [array for index in indices for array in flatten(updater.states[index])]
    return [*(weight.asnumpy() for weight in weights), *states]


def main() -> None:
    """Writes the file; what MXNet 2 refuses is left out."""
    results, refused = {}, []
    for case in CASES:
        try:
            results[case.id] = run(case)
        except (AssertionError, TypeError, ValueError, mx.MXNetError) as error:
            refused.append(case.id)
            print(f"{case.id}: {str(error).splitlines()[0] if str(error) else error!r}")
    pack(HERE / "optimizer" / "mxnet2.npz", results)
    print(f"{len(results)} runs, {len(refused)} refused")


if __name__ == "__main__":
    main()

"""Runs recurrent layers and cells under the original MXNet 1.9.1 and stores what they give.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_gluon_rnn.py

Writes `tests/golden/gluon_rnn.json` (names, shapes, printed forms), `gluon_rnn.npz` (values and
gradients) and `gluon_rnn.params` (parameters as the original saves them).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from gluon_rnn_cases import fill, kinds  # noqa: E402
from writing import write_json  # noqa: E402

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent


def write_parameters() -> None:
    """Saves a layer of two directions as the original does."""
    layer = mx.gluon.rnn.LSTM(3, 2, bidirectional=True, input_size=5)
    layer.initialize()
    fill(layer, mx)
    layer.save_parameters(str(HERE / "gluon_rnn.params"))


def main() -> None:
    """Writes the golden files."""
    facts, arrays = {}, {}
    for kind, (names, run) in kinds().items():
        for name in names:
            facts[name], results = run(mx, mx.gluon, name)
            # One vector for a case: an archive of many small arrays is mostly headers.
            facts[name]["shapes"] = {key: list(value.shape) for key, value in results.items()}
            arrays[name] = np.concatenate([value.ravel() for value in results.values()])
        print(kind, len(names))
    write_json(HERE / "gluon_rnn.json", facts)
    np.savez_compressed(HERE / "gluon_rnn.npz", **arrays)
    write_parameters()


main()

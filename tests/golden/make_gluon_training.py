"""Trains networks under the original MXNet 1.9.1 and lists the names of parameters.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_gluon_training.py

Writes to `tests/golden/training/`: `runs.npz` with losses and final parameters of each case on one
and on two contexts, `<case>.states` of its trainer after five steps, `names.json`, and
`residual.txt` with the printed form of a network of the notes.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from name_cases import NETWORKS, names_of  # noqa: E402
from seed_networks import ResNetV1  # noqa: E402
from training_cases import CASES, STEPS, train, values_of  # noqa: E402

import mxnet as mx  # noqa: E402

OUT = Path(__file__).resolve().parent / "training"


def main() -> None:
    """Writes all files."""
    OUT.mkdir(exist_ok=True)
    results = {}
    for name, case in CASES.items():
        for count in (1, 2):
            contexts = [mx.cpu(i) for i in range(count)]
            losses, net, _ = train(case, contexts)
            flat = np.concatenate([value.ravel() for value in values_of(net)])
            results[f"{name}/{count}/losses"] = np.array(losses, dtype="float32")
            results[f"{name}/{count}/values"] = flat.astype("float32")
        _, net, trainer = train(case, [mx.cpu()], end=STEPS // 2)
        trainer.save_states(str(OUT / f"{name}.states"))
        flat = np.concatenate([value.ravel() for value in values_of(net)])
        results[f"{name}/half/values"] = flat.astype("float32")
    np.savez_compressed(OUT / "runs.npz", **results)
    names = {name: names_of(name) for name in NETWORKS}
    (OUT / "names.json").write_text(json.dumps(names, indent=1) + "\n")
    (OUT / "residual.txt").write_text(f"{ResNetV1()}\n")


if __name__ == "__main__":
    main()

"""Checks that the original MXNet 1.9.1 reads networks of `mx.np` which this package exported.

Run first here, then by the interpreter of the environment that has the original:

    python tests/golden/read_np_exports_with_original.py write FOLDER
    python tests/golden/read_np_exports_with_original.py read FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

if not hasattr(np, "bool"):
    np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx

sys.path.insert(0, str(Path(__file__).resolve().parent))

from np_gluon import core, files


def main(action: str, folder: str) -> None:
    """Writes all networks with their results, or reads them and compares."""
    mx.npx.set_np()
    path = Path(folder) / "results.json"
    if action == "write":
        written = {name: files.export(name, folder, mx) for name in files.NETWORKS}
        results = {
            name: [paths, core.describe(files.read(*paths, mx))] for name, paths in written.items()
        }
        path.write_text(json.dumps(results))
        return
    wrong = 0
    for name, (paths, expected) in json.loads(path.read_text()).items():
        try:
            result = core.describe(files.read(*paths, mx))
        except Exception as error:  # noqa: BLE001 - one that cannot be read is what is looked for
            result = str(error)
        if not core.same(expected, result):
            wrong += 1
            print(f"{name}: expected {expected}, got {result}")
    print(f"{len(files.NETWORKS)} networks, {wrong} differ")


if __name__ == "__main__":
    main(*sys.argv[1:])

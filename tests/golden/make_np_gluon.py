"""Runs Gluon on arrays of `mx.np` under the original MXNet 1.9.1 and stores the results.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_np_gluon.py

Writes `tests/golden/np_gluon/results.json.xz`, and networks as the original exports them to
`tests/golden/np_gluon/exports.json.xz`.
"""

from __future__ import annotations

import base64
import importlib
import json
import lzma
import os
import sys
import tempfile
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from np_gluon import FAMILIES, core, files  # noqa: E402


def run_apart(case) -> object:
    """Runs a case in a process of its own, because the original ends some of them."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "w") as pipe:
            json.dump(core.run(case, mx), pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else "crash"


def export_all() -> dict:
    """Returns the files of all networks."""
    mx.npx.set_np()
    exports = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in files.NETWORKS:
            graph, weights = files.export(name, folder, mx)
            content = Path(weights).read_bytes() if weights else b""
            exports[name] = [Path(graph).read_text(), base64.b64encode(content).decode()]
    mx.npx.reset_np()
    return exports


def write(name: str, content: object) -> None:
    """Writes a packed file."""
    packed = lzma.compress(json.dumps(content, separators=(",", ":")).encode(), preset=9)
    (HERE / "np_gluon" / name).write_bytes(packed)
    print(f"{name}: {len(packed)} bytes")


def main() -> None:
    """Writes both files."""
    results = {}
    for family in FAMILIES:
        cases = importlib.import_module(f"np_gluon.{family}").CASES
        results[family] = {name: run_apart(case) for name, case in cases.items()}
    write("results.json.xz", results)
    write("exports.json.xz", export_all())


if __name__ == "__main__":
    main()

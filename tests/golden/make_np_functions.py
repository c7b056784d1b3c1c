"""Runs the cases of functions of `mx.np` under the original MXNet 1.9.1 and stores the results.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_np_functions.py [family ...]

Writes `tests/golden/np_functions/<family>.json`, and the symbol files of the same calls to
`<family>.graphs.xz`. Every case runs in a process of its own, as the original ends some of them.
"""

from __future__ import annotations

import importlib
import json
import lzma
import os
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from np_cases import FAMILIES  # noqa: E402
from np_cases.core import Case, build_graph, run  # noqa: E402


def run_apart(case: Case) -> dict:
    """Runs a case in a process of its own, on arrays and as a graph."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        with os.fdopen(writing, "w") as pipe:
            result = run(case, mx)
            graph = build_graph(case, mx) if "result" in result else None
            json.dump({**result, "graph": graph}, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"error": ["crash"], "graph": None}


def main(wanted: list[str]) -> None:
    """Writes the golden files of the wanted families, or of all."""
    mx.npx.set_np()
    for family in wanted or FAMILIES:
        cases = importlib.import_module(f"np_cases.{family}").CASES
        results = {case.id: run_apart(case) for case in cases if not case.why}
        for name, result in results.items():
            if result.get("error") == ["crash"]:
                print(f"{family}: {name} ends the original")
        graphs = {name: result.pop("graph") for name, result in results.items()}
        drawn = {name: json.loads(graph) for name, graph in graphs.items() if graph}
        packed = lzma.compress(json.dumps(drawn, separators=(",", ":")).encode(), preset=9)
        (HERE / "np_functions" / f"{family}.graphs.xz").write_bytes(packed)
        path = HERE / "np_functions" / f"{family}.json"
        lines = [f"{json.dumps(name)}: {json.dumps(result)}" for name, result in results.items()]
        path.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        print(f"{family}: {len(results)} cases, {path.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

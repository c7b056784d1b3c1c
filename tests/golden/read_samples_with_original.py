"""Loads the symbol file of every operator sample into the original and compares what it reads.

Run by the interpreter of the environment that has the original, on a file of `test_exchange.py`:

    python tests/golden/read_samples_with_original.py FILE
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402


def find_difference(text: str, outputs: list[str]) -> str | None:
    """Says what the original reads or writes differently."""
    graph = mx.sym.load_json(text)
    if graph.list_outputs() != outputs:
        return f"outputs {graph.list_outputs()}"
    again, given = json.loads(graph.tojson(remove_amp_cast=False)), json.loads(text)
    for node in (*again["nodes"], *given["nodes"]):
        node["op"] = node["op"].replace("_np_cumsum", "cumsum")
    found = [key for key in ("nodes", "node_row_ptr", "heads") if again[key] != given[key]]
    return ", ".join(found) or None


def main(path: str) -> None:
    """Compares every sample; fails where one is read differently."""
    wrong = {}
    samples = json.loads(Path(path).read_text())
    for name, (text, outputs) in samples.items():
        difference = find_difference(text, outputs)
        if difference is not None:
            wrong[name] = difference
    print(f"{len(samples)} samples, {len(wrong)} differ: {wrong}")
    if wrong or not samples:
        raise SystemExit(1)


if __name__ == "__main__":
    main(sys.argv[1])

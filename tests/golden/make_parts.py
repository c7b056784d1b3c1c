"""Reads parts of data with the original's iterators and writes what each part consists of.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Writes
`tests/golden/io/parts.json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parent))

import part_cases as cases  # noqa: E402

ATTEMPTS = 20


def read_case(wanted: str) -> dict[str, list[list[float]]]:
    """Reads every part of one case."""
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        cases.write_files(Path(folder))
        for name, iterator, options in cases.make_calls():
            if name != wanted:
                continue
            make_iterator = getattr(mx.io, iterator, None) or getattr(mx.image, iterator)
            for count, part in cases.parts_of(name):
                given = {**options, "num_parts": count, "part_index": part}
                batches = cases.read_part(make_iterator, given, Path(folder))
                results[f"{name}: {part} of {count}"] = batches
    return results


def read_apart(name: str) -> dict[str, list[list[float]]]:
    """Reads a case in a process of its own, since `LibSVMIter` crashes now and then."""
    for _ in range(ATTEMPTS):
        command = [sys.executable, "-W", "ignore", __file__, name]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if done.returncode == 0:
            return json.loads(done.stdout.decode().splitlines()[-1])
    raise RuntimeError(f"{name}: the original failed {ATTEMPTS} times")


def main() -> None:
    """Writes the batches of every part of every case."""
    if len(sys.argv) > 1:
        print(json.dumps(read_case(sys.argv[1])))
        return
    lines = []
    for name, _, _ in cases.make_calls():
        for key, batches in read_apart(name).items():
            lines.append(f"{json.dumps(key)}: {json.dumps(batches)}")
    path = Path(__file__).resolve().parent / "io" / "parts.json"
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()

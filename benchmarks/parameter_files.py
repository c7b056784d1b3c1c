"""Measures saving and loading of parameters against torch and the original.

    python benchmarks/parameter_files.py [--oracle PYTHON] [--rounds N] [--folder FOLDER ...]
        [--sizes SIZE ...]

A dictionary of 32 float32 arrays of equal size, 128 MB and 1 GB in all, goes through `nd.save` and
`nd.load`, and through `torch.save` and `torch.load`, which also maps the file. Each round runs the
candidates one after the other, in a process each, which loads the file (first load), loads it
again while the system knows it (load), and saves it again (save). Times are the best of all
rounds, in milliseconds; files that are mapped are summed up, so that their pages are read.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np

COUNT = 32
REPEATS = 3
SIZES = {"128 MB": 1 << 27, "1 GB": 1 << 30}


def mxnet_case(path: str, size: int) -> dict[str, Callable[[], object]]:
    """Returns the steps on `mxnet`, ours or the original."""
    import mxnet as mx

    path += ".params"
    values = np.random.RandomState(0).rand(size // 4 // COUNT).astype(np.float32)
    arrays = {f"weight{index}": mx.nd.array(values) for index in range(COUNT)}

    def load() -> object:
        loaded = mx.nd.load(path)
        mx.nd.waitall()
        return loaded

    def save() -> None:
        mx.nd.save(path, arrays)

    return {"save": save, "load": load}


def torch_case(path: str, size: int) -> dict[str, Callable[[], object]]:
    """Returns the same on torch."""
    import torch

    path += ".pt"
    values = torch.rand(size // 4 // COUNT)
    arrays = {f"weight{index}": values.clone() for index in range(COUNT)}

    def load_mapped() -> object:
        loaded = torch.load(path, weights_only=True, mmap=True)
        return [array.sum() for array in loaded.values()]

    return {
        "save": lambda: torch.save(arrays, path),
        "load": lambda: torch.load(path, weights_only=True),
        "load, mapped": load_mapped,
    }


def measure(candidate: str, path: str, size: int) -> dict[str, float]:
    """Returns the best times of one process, in milliseconds."""
    case = torch_case(path, size) if candidate == "torch" else mxnet_case(path, size)
    case["save"]()
    times = {}
    for name in sorted(case):
        for repeat in range(REPEATS):
            start = time.perf_counter()
            result = case[name]()
            taken = 1e3 * (time.perf_counter() - start)
            del result
            if name == "load" and repeat == 0:
                times["first load"] = taken
            times[name] = min(taken, times.get(name, taken))
    return times


def run(python: str, candidate: str, path: str, size: int) -> dict[str, float]:
    """Measures a candidate in a process of its own."""
    command = [python, __file__, "--measure", candidate, path, str(size)]
    variables = dict(os.environ)
    if python != sys.executable:
        variables.pop("PYTHONPATH", None)  # where this package may be found
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
    if done.returncode:
        raise SystemExit(f"{candidate}: {done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def compare(folder: str, size: int, rounds: int, oracle: str | None) -> dict:
    """Returns the best times of all candidates by name and step."""
    pythons = {"ours": sys.executable, "torch": sys.executable}
    if oracle:
        pythons["original"] = oracle
    best: dict = {name: {} for name in pythons}
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        for _ in range(rounds):
            for name, python in pythons.items():
                path = os.path.join(temporary, name)
                for step, taken in run(python, name, path, size).items():
                    best[name][step] = min(taken, best[name].get(step, taken))
    return best


def main() -> None:
    """Prints a table of all sizes and folders."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--oracle", help="Python that has the original")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--folder", nargs="+", default=[tempfile.gettempdir(), "/dev/shm"])
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--measure", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        candidate, path, size = options.measure
        print(json.dumps(measure(candidate, path, int(size))))
        return
    print("| folder | size | candidate | first load | load | load, mapped | save |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for folder in options.folder:
        for label in options.sizes:
            best = compare(folder, SIZES[label], options.rounds, options.oracle)
            for name, times in best.items():
                steps = ("first load", "load", "load, mapped", "save")
                row = [f"{times[step]:.0f}" if step in times else "-" for step in steps]
                print("|", " | ".join([folder, label, name, *row]), "|", flush=True)


if __name__ == "__main__":
    main()

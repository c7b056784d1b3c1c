"""Runs `distributed_store_cases.py` on two workers of the original and stores what they pull.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_distributed_store.py

Each case is a job of its own: a scheduler, a server and the workers, all of which run this file.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

import distributed_store_cases as cases  # noqa: E402

_SECONDS = 60


def work(name: str, folder: Path) -> None:
    """Runs a case in this process, or serves others that do."""
    import mxnet as mx

    store = mx.kv.create("dist_sync")
    found = cases.CASES[name](mx, store, store.rank)
    np.savez(folder / f"{store.rank}.npz", *found)


def run_job(name: str, folder: Path) -> list[list[np.ndarray]]:
    """Returns what the workers of a job pull, by rank."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    shared = {
        **os.environ,
        "DMLC_NUM_WORKER": str(cases.NUM_WORKERS),
        "DMLC_NUM_SERVER": "1",
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_INTERFACE": "lo",
        "DMLC_NODE_HOST": "127.0.0.1",
        "OMP_NUM_THREADS": "1",
    }
    command = [sys.executable, __file__, name, str(folder)]
    roles = ["scheduler", "server"] + ["worker"] * cases.NUM_WORKERS
    processes = [subprocess.Popen(command, env={**shared, "DMLC_ROLE": role}) for role in roles]
    try:
        for process in processes:
            if process.wait(_SECONDS):
                raise RuntimeError(f"{name}: a process ended with {process.returncode}")
    finally:
        for process in processes:
            process.kill()
    return [list(np.load(folder / f"{rank}.npz").values()) for rank in range(cases.NUM_WORKERS)]


def main() -> None:
    """Writes what rank 0 pulls in every case, after checking that the others pull the same."""
    results = {}
    for name in cases.CASES:
        with tempfile.TemporaryDirectory() as folder:
            first, *others = run_job(name, Path(folder))
        for other in others:
            for one, same in zip(first, other, strict=True):
                np.testing.assert_array_equal(one, same)
        results.update({f"{name} {i}": array for i, array in enumerate(first)})
    np.savez_compressed(cases.RESULTS, **results)
    print(f"{cases.RESULTS}: {cases.RESULTS.stat().st_size} bytes")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        work(sys.argv[1], Path(sys.argv[2]))
    else:
        main()

"""Trains with the original's `dist_sync` and writes the parameters that its workers end with.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md). Starts a
scheduler, a server and two workers for each case, all of them with this script; a scheduler and a
server serve while mxnet is imported. Writes `tests/golden/distributed.npz`.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
np.bool = bool  # the original predates NumPy 1.24

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER))

WORKERS = 2
SECONDS = 60


def start_job(arguments: list[str], workers: int = WORKERS) -> list[subprocess.Popen]:
    """Starts the processes of a job: a scheduler, a server, and then the workers."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    variables = {
        **os.environ,
        "DMLC_NUM_WORKER": str(workers),
        "DMLC_NUM_SERVER": "1",
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_INTERFACE": "lo",
        "DMLC_NODE_HOST": "127.0.0.1",
        "OMP_NUM_THREADS": "1",
    }
    roles = ["scheduler", "server"] + ["worker"] * workers
    command = [sys.executable, "-W", "ignore", *arguments]
    return [subprocess.Popen(command, env={**variables, "DMLC_ROLE": role}) for role in roles]


def finish_job(processes: list[subprocess.Popen]) -> None:
    """Waits for the processes of a job; one that fails or hangs is an error."""
    try:
        codes = [process.wait(SECONDS) for process in processes]
    finally:
        for process in processes:
            process.kill()
    if any(codes):
        raise RuntimeError(f"the processes ended with {codes}")


def work(name: str, folder: str) -> None:
    """Trains as one of the workers and saves the parameters."""
    import distributed_cases as cases

    import mxnet as mx

    store = mx.kv.create("dist_sync")
    found = cases.train(name, store)
    np.savez(Path(folder) / f"{store.rank}.npz", *found)
    store.barrier() if hasattr(store, "barrier") else store._barrier()


def read_results(folder: str) -> list[np.ndarray]:
    """Reads what the workers saved, which must be the same."""
    files = [np.load(Path(folder) / f"{rank}.npz") for rank in range(WORKERS)]
    first, *others = [[file[key] for key in file.files] for file in files]
    for other in others:
        if not all(np.array_equal(mine, theirs) for mine, theirs in zip(first, other, strict=True)):
            raise RuntimeError("the workers ended with different parameters")
    return first


def main() -> None:
    """Trains all cases, or works on one of them."""
    if "DMLC_ROLE" in os.environ:
        work(*sys.argv[1:])
        return
    import distributed_cases as cases

    arrays = {}
    for name in sys.argv[1:] or cases.CASES:
        with tempfile.TemporaryDirectory() as folder:
            finish_job(start_job([__file__, name, folder]))
            for number, array in enumerate(read_results(folder)):
                arrays[f"{name}/{number}"] = array
        print(name, flush=True)
    if not sys.argv[1:]:
        np.savez_compressed(FOLDER / "distributed.npz", **arrays)


if __name__ == "__main__":
    main()

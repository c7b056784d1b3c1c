"""Runs many programs in other processes, some of which crash."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CHUNK = 500
POISONED = 3
"""Exit status after a failure of MKLDNN, after which all its operators fail in that process."""
SECONDS_TO_START = 120
SECONDS_EACH = 0.5

Programs = list[dict[str, Any]]
Results = dict[str, dict[str, Any]]


class Package:
    """A Python with one of the packages, in which programs are run.

    Args:
        python: The interpreter.
        paths: What it finds modules in, beside the root of the repository.
        mkldnn: Whether the original uses MKLDNN outside of graphs.
        version: Version of MXNet whose rules hold in the package of this repository.
    """

    def __init__(self, python: str, *paths: str, mkldnn: bool = True, version: str = "1") -> None:
        self._python = python
        self._version = version
        self._mkldnn = mkldnn
        self._paths = (str(ROOT), *paths)

    def run(self, mode: str, programs: Programs) -> Results:
        """Runs programs; those that crash have the result `{"crash": (status, step)}`."""
        results: Results = {}
        for start in range(0, len(programs), CHUNK):
            left = programs[start : start + CHUNK]
            while left:
                found, crash = self._run_chunk(mode, left)
                results.update(found)
                left = [program for program in left if program["name"] not in found]
                if left and crash:
                    results[left[0]["name"]] = {"crash": crash}
                    left = left[1:]
        return results

    def _run_chunk(self, mode: str, programs: Programs) -> tuple[Results, Any]:
        with tempfile.TemporaryDirectory() as folder:
            given, out, place = (Path(folder) / name for name in ("programs", "results", "place"))
            given.write_text("\n".join(map(json.dumps, programs)))
            place.write_text("")
            arguments = [self._python, "-W", "ignore", "-m", "tools.random_programs.work"]
            with subprocess.Popen(
                [*arguments, mode, str(given), str(out), str(place)],
                env=self._environment(mode), cwd=folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            ) as process:  # fmt: skip
                try:
                    _, said = process.communicate(
                        timeout=SECONDS_TO_START + SECONDS_EACH * len(programs)
                    )
                except subprocess.TimeoutExpired:
                    process.kill()
                    said = b"took too long"
            found = _read(out)
            if not found and process.returncode == 1:
                raise RuntimeError(said.decode())
            if process.returncode in (0, POISONED):
                return found, None
            return found, (process.returncode, place.read_text().strip())

    def _environment(self, mode: str) -> dict[str, str]:
        # In graphs the original's MKLDNN often fails with "could not execute a primitive".
        without = mode in ("symbolic", "hybridized", "replaced") or not self._mkldnn
        return os.environ | {
            "MXNET_MKLDNN_ENABLED": "0" if without else "1",
            "PYTHONPATH": os.pathsep.join(self._paths),
            "OMP_NUM_THREADS": "1",
            "MXNET_VERSION": self._version,
            "MXNET_ENGINE_TYPE": "NaiveEngine",
            "MXNET_STORAGE_FALLBACK_LOG_VERBOSE": "0",
        }


def ours(version: str = "1") -> Package:
    """Returns the package of this repository, under the rules of a version of MXNet."""
    return Package(sys.executable, str(ROOT / "src"), version=version)


def _read(path: Path) -> Results:
    results: Results = {}
    if not path.exists():
        return results
    with path.open("rb") as file:
        while True:
            try:
                name, result = pickle.load(file)
            except (EOFError, pickle.UnpicklingError):
                return results
            results[name] = result

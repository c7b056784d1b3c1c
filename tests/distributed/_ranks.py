"""Starts processes that work together, and hands back what they found."""

from __future__ import annotations

import os
import pickle
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_SECONDS = 180.0
"""How long the processes may take together, which a busy machine needs for a few seconds of work.
A hang is a failure and not a stuck suite."""

_CALLER = """
import importlib, pickle, sys
module, name, arguments, path = pickle.loads(bytes.fromhex(sys.argv[1]))
result = getattr(importlib.import_module(module), name)(*arguments)
with open(path, "wb") as file:
    pickle.dump(result, file)
"""


@dataclass(frozen=True)
class Ended:
    """How a process ended.

    Attributes:
        code: Its exit code; negative for a signal.
        output: What it wrote to both of its streams.
        result: What the function returned, None for a script.
        seconds: When it ended, after the start of all.
    """

    code: int
    output: str
    result: Any
    seconds: float


_reserved: list[socket.socket] = []


def free_port() -> int:
    """Returns a port on which processes of a test can meet, and which nobody else gets.

    As long as this process lives, a socket that does not listen holds it: the system then gives it
    to nobody who asks for any port, and lets processes listen that ask for this one.
    """
    holder = socket.socket()
    holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    holder.bind(("127.0.0.1", 0))
    _reserved.append(holder)
    return int(holder.getsockname()[1])


def rank_variables(
    rank: int, count: int, port: int, env: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Returns the variables of a process as torchrun would set them."""
    path = [str(_ROOT / "src"), str(_ROOT), os.environ.get("PYTHONPATH", "")]
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DMLC_", "MXNET_KVSTORE"))}
    return {
        **kept,
        "PYTHONPATH": os.pathsep.join(filter(None, path)),
        "OMP_NUM_THREADS": "1",
        "GLOO_SOCKET_IFNAME": "lo",
        "RANK": str(rank),
        "WORLD_SIZE": str(count),
        "LOCAL_RANK": str(rank),
        "LOCAL_WORLD_SIZE": str(count),
        "MASTER_ADDR": "127.0.0.1",
        "MASTER_PORT": str(port),
        "MXNET_KVSTORE_TIMEOUT": "60",
        **(env or {}),
    }


def worker_variables(count: int, port: int, env: Mapping[str, str] | None = None) -> dict[str, str]:
    """Returns the variables of a worker as the original's launcher would set them."""
    made = rank_variables(0, count, port, env)
    for name in ("RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE", "MASTER_ADDR"):
        made.pop(name)
    del made["MASTER_PORT"]
    return {
        **made,
        "DMLC_ROLE": "worker",
        "DMLC_NUM_WORKER": str(count),
        "DMLC_NUM_SERVER": "1",
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        **(env or {}),
    }


def wait_for_all(folder: Path) -> None:
    """Waits, in a rank, until all have come here: short timeouts then do not count the imports.

    Args:
        folder: An empty folder that all of them share.
    """
    folder.joinpath(os.environ["RANK"]).touch()
    while len(os.listdir(folder)) < int(os.environ["WORLD_SIZE"]):
        time.sleep(0.01)


def start(
    program: str | Callable[..., Any], variables: Mapping[str, str], folder: Path, *arguments: Any
) -> subprocess.Popen[str]:
    """Starts one process.

    Args:
        program: The text of a script, or a function at the top of a test module.
        variables: The environment of the process.
        folder: Where it writes what the function returns.
        arguments: Those of the function, which can be pickled.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if callable(program):
        call = (program.__module__, program.__name__, arguments, str(folder / "result"))
        command = [sys.executable, "-c", _CALLER, pickle.dumps(call).hex()]
    else:
        command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    with (folder / "output").open("w") as output:
        return subprocess.Popen(
            command, env=dict(variables), stdout=output, stderr=subprocess.STDOUT, text=True
        )


def finish(
    processes: list[subprocess.Popen[str]], folders: list[Path], seconds: float = _SECONDS
) -> list[Ended]:
    """Waits for processes, and kills those that take too long."""
    begin = time.monotonic()
    ends: dict[int, float] = {}
    try:
        while len(ends) < len(processes):
            passed = time.monotonic() - begin
            for i, process in enumerate(processes):
                if i not in ends and process.poll() is not None:
                    ends[i] = passed
            if passed > seconds:
                said = [folder.joinpath("output").read_text() for folder in folders]
                raise AssertionError(f"ended within {seconds:g} s: ranks {sorted(ends)}; {said}")
            time.sleep(0.01)
    finally:
        for process in processes:
            process.kill()
            process.wait()
    return [
        Ended(process.returncode, (folder / "output").read_text(), _read_result(folder), ends[i])
        for i, (process, folder) in enumerate(zip(processes, folders, strict=True))
    ]


def run_ranks(
    program: str | Callable[..., Any],
    count: int,
    folder: Path,
    *arguments: Any,
    env: Mapping[str, str] | None = None,
    seconds: float = _SECONDS,
    check: bool = True,
) -> list[Ended]:
    """Runs a program in processes that know each other, and returns how each of them ended.

    Args:
        program: The text of a script, or a function at the top of a test module, which is called
            with `arguments` in every process. What it returns is pickled.
        count: Number of processes.
        folder: An empty folder, usually `tmp_path`.
        arguments: Those of the function.
        env: Further variables of the environment.
        seconds: How long all of them may take.
        check: Whether a process that fails is an error here.
    """
    port = free_port()
    folders = [folder / f"rank{rank}" for rank in range(count)]
    processes = [
        start(program, rank_variables(rank, count, port, env), place, *arguments)
        for rank, place in enumerate(folders)
    ]
    ended = finish(processes, folders, seconds)
    if check:
        for rank, one in enumerate(ended):
            assert one.code == 0, f"rank {rank} ended with {one.code}: {one.output}"
    return ended


def run_once(
    program: Callable[..., Any],
    count: int,
    factory: pytest.TempPathFactory,
    *arguments: Any,
    env: Mapping[str, str] | None = None,
    seconds: float = _SECONDS,
) -> list[Any]:
    """Returns what a function returns in each of some processes, which are started once.

    Processes that run tests side by side share a folder, where the first to come leaves the answer
    for the others.

    Args:
        program: A function at the top of a test module; see `run_ranks`.
        count: Number of processes.
        factory: The fixture `tmp_path_factory`.
        arguments: Those of the function.
        env: Further variables of the environment.
        seconds: How long all of them may take.
    """
    base = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        base = base.parent
    number = crc32(repr((arguments, env)).encode())
    folder = base / f"{program.__module__}.{program.__name__}-{count}-{number:08x}"
    answer = folder / "answer"
    try:
        folder.mkdir()
    except FileExistsError:
        end = time.monotonic() + 2 * seconds
        while not answer.exists():
            assert time.monotonic() < end, f"no answer of {program.__name__}"
            time.sleep(0.1)
    else:
        try:
            ended = run_ranks(program, count, folder, *arguments, env=env, seconds=seconds)
            found: Any = [one.result for one in ended], None
        except AssertionError as error:
            found = None, str(error)
        (folder / "part").write_bytes(pickle.dumps(found))
        (folder / "part").rename(answer)
    results, failure = pickle.loads(answer.read_bytes())
    assert failure is None, failure
    return list(results)


def _read_result(folder: Path) -> Any:
    path = folder / "result"
    if not path.exists():
        return None
    with path.open("rb") as file:
        return pickle.load(file)

"""Runs attacks in child processes under limits of time and memory.

    python -m tests.security.sandbox

imports the package once and then forks a child for every line of standard input, a JSON list of
the family, the name of the attack and a folder. It answers with a line of JSON for each.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import time
import traceback
from dataclasses import asdict, dataclass
from pathlib import Path

import mxnet as mx
from tests.security.attack import CANARY, Attack

GIB = 1 << 30
ALLOWANCE = GIB
"""Memory that an attack may take, beside ten times the size of its files."""


@dataclass(frozen=True)
class Outcome:
    """What came of an attack."""

    signal: int | None
    """The signal that ended the process."""
    seconds: float
    memory: int
    """Largest resident memory in bytes, above that of the process before."""
    file_bytes: int
    error: str | None
    """The message of the error; None if there was none."""
    kinds: tuple[str, ...]
    """Names of the error's class and its bases."""
    trace: str
    code_ran: bool
    timed_out: bool

    @property
    def memory_limit(self) -> int:
        """How much memory was allowed."""
        return ALLOWANCE + 10 * self.file_bytes


def _status_bytes(field: str) -> int:
    """Reads a size of this process, such as VmRSS, as the system tells it."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(field)


def _size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _run_here(attack: Attack, folder: Path) -> dict[str, object]:
    """Runs an attack in this process, which is its own, and tells what it raised."""
    os.chdir(folder)
    room = _status_bytes("VmSize") + 4 * GIB  # far above what is allowed; the test measures
    resource.setrlimit(resource.RLIMIT_AS, (room, room))
    try:
        attack.run(folder)
    except BaseException as error:  # noqa: BLE001 - whatever it is, it is the result
        kinds = [kind.__name__ for kind in type(error).__mro__]
        text = "".join(traceback.format_exception(error, limit=-6))
        return {"error": str(error), "kinds": kinds, "trace": text[-4000:]}
    return {"error": None, "kinds": [], "trace": ""}


def _read_until(pipe: int, seconds: float) -> bytes | None:
    """Reads a pipe to its end, None if it does not come in time."""
    data, end = b"", time.monotonic() + seconds
    while True:
        left = end - time.monotonic()
        if left <= 0 or not select.select([pipe], [], [], left)[0]:
            return None
        chunk = os.read(pipe, 1 << 16)
        if not chunk:
            return data
        data += chunk


def run_attack(attack: Attack, folder: Path) -> Outcome:
    """Runs an attack in a child of this process."""
    before = _status_bytes("VmRSS")
    source, sink = os.pipe()
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        os.close(source)
        os.write(sink, json.dumps(_run_here(attack, folder)).encode())
        os._exit(0)
    os.close(sink)
    data = _read_until(source, attack.seconds)
    seconds = time.monotonic() - start
    if data is None:
        os.kill(child, signal.SIGKILL)
    os.close(source)
    _, status, usage = os.wait4(child, 0)
    told = json.loads(data) if data else {"error": None, "kinds": (), "trace": ""}
    return Outcome(
        signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) and data is not None else None,
        seconds=seconds,
        memory=max(0, usage.ru_maxrss * 1024 - before),
        file_bytes=_size_of(folder),
        code_ran=(folder / CANARY).exists(),
        timed_out=data is None,
        **told,
    )


class Sandbox:
    """A process that has imported the package and runs attacks in children."""

    def __init__(self) -> None:
        environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.security.sandbox"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )

    def run(self, family: str, name: str, folder: Path) -> Outcome:
        """Runs an attack of a family in a folder."""
        stdin, stdout = self._process.stdin, self._process.stdout
        stdin.write(json.dumps([family, name, str(folder)]) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise RuntimeError("the sandbox has ended")
        return Outcome(**json.loads(line))

    def close(self) -> None:
        """Ends the process."""
        self._process.communicate()


def main() -> None:
    """Serves requests until the input ends."""
    # The first inference of shapes makes torch load much, which all children then have.
    (mx.sym.var("x") * 2).simple_bind(mx.cpu(), x=(1,)).forward()
    for line in sys.stdin:
        family, name, folder = json.loads(line)
        table = importlib.import_module(f"tests.security.attacks.{family}").TABLE
        sys.stdout.write(json.dumps(asdict(run_attack(table[name], Path(folder)))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

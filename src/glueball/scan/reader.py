"""Reads programs in a process of its own, which may end without harm.

Python's parser ends its process on some programs (chains of 300,000 attributes in Python 3.10),
takes quadratic time for others (an identifier of many accents) and a kilobyte for each character
of some. So files are read by a child with limits of time and memory; a file that it does not
survive is reported, and another child reads the next one.
"""

from __future__ import annotations

import importlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from glueball.scan.names import Names
from glueball.scan.program import Scope, Use, find_uses
from glueball.scan.sources import Broken, read_sources

_PROGRAM = (
    "import sys; sys.path[:] = sys.argv[1:]; from glueball.scan import reader; reader.serve()"
)
_SECONDS = 5
"""Time of a core that a file may take; less after files that took longer."""
_MEMORY = 1 << 30
_LOSSES = {
    "SIGXCPU": "takes too long to read",
    "SIGSEGV": "is nested too deeply for Python's parser",
    "SIGABRT": "takes too much memory to read",
}
"""What is wrong with a file, by the signal that ends the child."""


class Content(NamedTuple):
    """What a file has."""

    uses: list[Use]
    broken: list[Broken]


class Reader:
    """Reads files in a child process; used in a `with` statement.

    Args:
        names: The names to look for.
    """

    def __init__(self, names: Names) -> None:
        self._names = json.dumps(names.as_table()).encode()
        self._child: subprocess.Popen[bytes] | None = None
        self._num_lost = 0

    def __enter__(self) -> Reader:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def read(self, path: Path) -> Content:
        """Returns the uses of names in a file, and what of it cannot be read."""
        seconds = max(1, _SECONDS - self._num_lost)
        answer = self._ask(json.dumps([str(path), seconds]).encode())
        if answer is not None:
            return Content(
                [Use(*use) for use in answer["uses"]],
                [Broken(*broken) for broken in answer["broken"]],
            )
        self._num_lost += 1
        return Content([], [Broken(str(path), self._end())])

    def _ask(self, question: bytes) -> Mapping[str, Any] | None:
        """Returns the child's answer, None if it has ended."""
        child = self._child = self._child or self._start()
        if child.stdin is None or child.stdout is None:
            return None
        with suppress(BrokenPipeError):
            child.stdin.write(question + b"\n")
            child.stdin.flush()
        line = child.stdout.readline()
        answer: Mapping[str, Any] | None = json.loads(line) if line.endswith(b"\n") else None
        return answer

    def _start(self) -> subprocess.Popen[bytes]:
        # Isolated, so that nothing is imported from the current folder, which may be the one read.
        options = ["-I", *(["-X", "utf8"] if sys.flags.utf8_mode else [])]
        child = subprocess.Popen(
            [sys.executable, *options, "-c", _PROGRAM, *filter(None, sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        if child.stdin is not None:
            with suppress(BrokenPipeError):
                child.stdin.write(self._names + b"\n")
        return child

    def _end(self) -> str:
        """Ends the child and returns why it has ended before, if it has."""
        child, self._child = self._child, None
        if child is None:
            return ""
        with suppress(BrokenPipeError):
            child.communicate()
        return _describe(child.returncode)


def _describe(status: int) -> str:
    """Returns what is wrong with a file that has ended the child."""
    with suppress(ValueError):
        name = signal.Signals(-status).name
        return _LOSSES.get(name, f"ends the process that reads it by {name}")
    return f"ends the process that reads it with status {status}"


def serve() -> None:
    """Answers the questions on standard input; the first line has the names."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    names = Names(**json.loads(source.readline()))
    _limit_memory()
    for line in source:
        path, seconds = json.loads(line)
        _limit_time(seconds)
        content = _read(Path(path), names)
        target.write(json.dumps(content._asdict()).encode() + b"\n")
        target.flush()


def _read(path: Path, names: Names) -> Content:
    content, scope = Content([], []), Scope()
    for source in read_sources(path):
        found = source if isinstance(source, Broken) else find_uses(source, names, scope)
        if isinstance(found, Broken):
            content.broken.append(found)
        else:
            content.uses.extend(found)
    return content


def _limit_memory() -> None:
    if sys.platform != "win32":  # which has no such limits
        resource = importlib.import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(seconds: int) -> None:
    """Ends the process if it takes so many more seconds of a core."""
    if sys.platform != "win32":
        resource = importlib.import_module("resource")
        end = int(time.process_time()) + 1 + seconds
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.RLIM_INFINITY))

"""Runs processes that belong together: if one fails, the others end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NamedTuple

_GRACE = 10.0
"""Seconds in which processes end after a signal, before they are killed."""

_PASSED_ON = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The last of them is none of Windows."""
_KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
_PAUSE = 0.05


class Command(NamedTuple):
    """A program to run.

    Attributes:
        words: The program and its arguments.
        variables: Its environment.
    """

    words: Sequence[str]
    variables: Mapping[str, str]


def run_workers(commands: Sequence[Command]) -> int:
    """Runs programs side by side until all have ended, and returns the exit code of the job.

    Signals that ask this process to end are passed on to them. If one fails, the others are asked
    to end, and killed if they do not.

    Args:
        commands: The programs.

    Returns:
        The exit code of the first that failed, as a shell gives it: 128 and the number of the
        signal for one that a signal has ended. 0 if all succeed.
    """
    received: list[int] = []
    processes: list[subprocess.Popen[bytes]] = []
    with _noting(received):
        try:
            for command in commands:
                processes.append(
                    subprocess.Popen(
                        list(command.words),
                        env=dict(command.variables),
                        stdin=subprocess.DEVNULL,
                        start_new_session=True,  # so that a signal reaches its children, too
                    )
                )
            return _wait(processes, received)
        finally:
            for process in processes:
                _signal(process, _KILL)
                process.wait()


@contextmanager
def _noting(received: list[int]) -> Iterator[None]:
    """Writes signals into a list instead of acting on them."""

    def note(number: int, _: FrameType | None) -> None:
        received.append(number)

    before = {number: signal.signal(number, note) for number in _PASSED_ON}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _wait(processes: Sequence[subprocess.Popen[bytes]], received: list[int]) -> int:
    """Waits until all have ended, and returns the exit code of the job."""
    code = 0
    deadline: float | None = None
    while True:
        codes = [_exit_code(process) for process in processes]
        if received:
            number = received.pop(0)
            code = code or 128 + number
            deadline = deadline or time.monotonic() + _GRACE
            _signal_running(processes, number)
        if not code:
            failed = [(i, ended) for i, ended in enumerate(codes) if ended]
            if failed:
                worker, ended = failed[0]
                code = ended if ended > 0 else 128 - ended
                deadline = time.monotonic() + _GRACE
                sys.stderr.write(
                    f"launch: worker {worker} ended with exit code {code}; the others are ended\n"
                )
                _signal_running(processes, signal.SIGTERM)
        if None not in codes:
            return code
        if deadline is not None and time.monotonic() > deadline:
            _signal_running(processes, _KILL)
        time.sleep(_PAUSE)


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """Returns how a process has ended, negative for a signal; None if it runs.

    The process stays known to the system, so that no other gets its number while signals are sent,
    where the system can be asked that way: not on Windows, nor on macOS before Python 3.13.
    """
    if not hasattr(os, "waitid"):
        return process.poll()
    ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    if ended is None:
        return None
    return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status


def _signal_running(processes: Sequence[subprocess.Popen[bytes]], number: int) -> None:
    for process in processes:
        if _exit_code(process) is None:
            _signal(process, number)


def _signal(process: subprocess.Popen[bytes], number: int) -> None:
    """Sends a signal to a process and its children, some of which may live on after it.

    Windows has no groups of processes that signals reach; there only the process itself is ended.
    """
    if not hasattr(os, "killpg"):
        process.terminate()
        return
    with suppress(ProcessLookupError, PermissionError):  # all of them have ended
        os.killpg(process.pid, number)

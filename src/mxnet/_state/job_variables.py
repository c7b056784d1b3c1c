"""The variables by which launchers tell a process what it does in a job of several processes.

`DMLC_*` are those of the original's launcher. Its schedulers and servers have no counterpart here,
where the workers talk to each other: such a process ends as soon as it imports this package.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import NamedTuple

from mxnet.errors import MXNetError

DEFAULT_TIMEOUT = 600.0
"""Seconds to wait for the other processes if nothing else is said."""

SERVED = "MXNET_LAUNCHER_SERVES"
"""Variable by which our launcher says that it serves the place where workers meet."""

LARGEST_PORT = 65535

_HELPERS = ("scheduler", "server")


class WorkerJob(NamedTuple):
    """What the original's launcher tells a worker.

    Attributes:
        host: Name or address of the machine where the workers meet.
        port: Port on which they meet.
        num_workers: Number of workers.
        worker_id: Number of this one; None if the order of arrival decides.
        is_served: Whether the launcher serves the place where they meet.
    """

    host: str
    port: int
    num_workers: int
    worker_id: int | None
    is_served: bool = False


def end_helper_process() -> None:
    """Ends a process that was started as scheduler or server, with success."""
    if os.environ.get("DMLC_ROLE") in _HELPERS:
        sys.exit(0)


def read_worker_job(where: str, variables: Mapping[str, str]) -> WorkerJob | None:
    """Returns what the original's variables say, None for a process without them.

    Args:
        where: What needs to know, for the messages of errors.
        variables: The variables of the environment.

    Raises:
        MXNetError: if some of the variables are missing or senseless.
    """
    role = variables.get("DMLC_ROLE")
    if role is None:
        return None
    if role != "worker":
        raise MXNetError(f"{where}: DMLC_ROLE is 'worker', 'server' or 'scheduler', got {role!r}")
    host = variables.get("DMLC_PS_ROOT_URI", "")
    if not host:
        raise MXNetError(
            f"{where}: DMLC_ROLE is 'worker' and needs DMLC_PS_ROOT_URI, the address at which "
            "the workers meet; start the program with python -m mxnet.tools.launch or torchrun"
        )
    port = _whole(where, variables, "DMLC_PS_ROOT_PORT", least=1, most=LARGEST_PORT)
    num_workers = _whole(where, variables, "DMLC_NUM_WORKER", least=1)
    worker_id = None
    if "DMLC_WORKER_ID" in variables:
        worker_id = _whole(where, variables, "DMLC_WORKER_ID", least=0, most=num_workers - 1)
    return WorkerJob(host, port, num_workers, worker_id, variables.get(SERVED) == "1")


def read_timeout(where: str, variables: Mapping[str, str]) -> float:
    """Returns the seconds to wait for other processes, from `MXNET_KVSTORE_TIMEOUT`.

    Raises:
        MXNetError: if the variable is not a positive number.
    """
    text = variables.get("MXNET_KVSTORE_TIMEOUT", "")
    if not text:
        return DEFAULT_TIMEOUT
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 1e8:
        raise MXNetError(
            f"{where}: MXNET_KVSTORE_TIMEOUT takes a number of seconds above 0, got {text!r}"
        )
    return seconds


def _whole(
    where: str, variables: Mapping[str, str], name: str, least: int, most: int | None = None
) -> int:
    """Returns the integer that a variable holds.

    Raises:
        MXNetError: if it holds none, or one that is too small or too large.
    """
    text = variables.get(name, "")
    number = int(text) if text.isdecimal() else -1
    if number < least or (most is not None and number > most):
        limits = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise MXNetError(
            f"{where}: {name} takes an integer {limits}, got {text!r}; it is set by "
            "python -m mxnet.tools.launch"
        )
    return number

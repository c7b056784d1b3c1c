"""The processes of one job: their ranks, and how they join, wait and leave.

torch.distributed does the work. A process joins the others with `join`, and whatever it then does
together with them happens under `guard`, which turns the loss of another process into an error.
"""

from __future__ import annotations

import atexit
import os
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple

import torch
from torch import distributed

from mxnet.errors import MXNetError

_untyped: Any = distributed
"""The same module, for names that its annotations do not export."""

_PREFIX = "mxnet"
"""What the names of our entries in the place where workers meet begin with."""

_MOMENT = 0.02
"""Seconds in which a thread that waits for the lock of the interpreter surely gets it."""


@dataclass
class _Membership:
    """What this process knows of its part in the job beside what torch knows.

    Attributes:
        group: The default group of torch that this process has joined, None without.
        own: Whether the group was made here, so that it ends here.
        failed: Whether an exchange with the others has failed.
        seconds: How long others are waited for.
        local_rank: Number of this process on its machine.
        local_size: Number of processes on this machine.
    """

    group: Any = None
    own: bool = False
    failed: bool = False
    seconds: float = 0.0
    local_rank: int = 0
    local_size: int = 1


_membership = _Membership()


def join(where: str) -> None:
    """Meets the other processes of the job, unless this process has already.

    A group that the program made with torch is used as it is. Else the variables of torchrun name
    the others, or those of the original's launcher; without any, a process is alone.

    Args:
        where: What needs the others, for the messages of errors.

    Raises:
        MXNetError: if the others do not come in the time that `MXNET_KVSTORE_TIMEOUT` says.
    """
    if not distributed.is_available():
        raise MXNetError(
            f"{where}: needs torch.distributed, which this build of torch does not have"
        )
    if _is_current():
        return
    _membership.seconds = read_timeout(where, os.environ)
    _membership.failed = False
    if distributed.is_initialized():
        _check_backends(where)
        _membership.own = False
        local = _local_from_variables(size())
        _membership.local_rank, _membership.local_size = local or (rank(), size())
    else:
        _meet(where)
        _membership.own = True
        atexit.register(leave)
    _membership.group = _untyped.group.WORLD


def leave() -> None:
    """Parts from the others; a group that the program made itself is left as it is."""
    if _membership.own and _is_current():
        # After a failure the others may never answer, and the end of the process ends the group.
        _end_groups(keep=_membership.failed)
    _membership.group = None
    _membership.own = False
    _membership.seconds = 0.0
    atexit.unregister(leave)


def _end_groups(keep: bool) -> None:
    """Ends all groups of torch, without waiting for threads that wait for this one.

    A group waits for its threads when it is freed. A thread that has just done its work still frees
    tensors, for which it needs the lock of the interpreter, and torch 2.6 holds that lock while it
    frees a group: neither would ever go on. What a group consists of is freed without the lock, so
    these parts must be the last to go.

    Args:
        keep: Whether to leave the groups for the end of the process.
    """
    if not keep:
        groups = list(_untyped.distributed_c10d._world.pg_map)
        parts = [group._get_backend(kind) for group in groups for kind in group._device_types]
        del groups
        distributed.destroy_process_group()
        _membership.group = None
        del parts
    # Other code may hold a group. Its threads now get the lock if they wait for it; once the
    # interpreter ends they do without.
    time.sleep(_MOMENT)


def is_joined() -> bool:
    """Returns whether this process has met the others."""
    return distributed.is_available() and distributed.is_initialized()


def rank() -> int:
    """Returns the number of this process in the job; 0 if it has not joined."""
    return distributed.get_rank() if is_joined() else 0


def size() -> int:
    """Returns the number of processes in the job; 1 if this one has not joined."""
    return distributed.get_world_size() if is_joined() else 1


def local_rank() -> int:
    """Returns the number of this process among those on its machine."""
    return _membership.local_rank


def local_size() -> int:
    """Returns the number of processes of the job on this machine."""
    return _membership.local_size


def has_failed() -> bool:
    """Returns whether an exchange with the others has failed, so that one of them is lost."""
    return _membership.failed


def timeout(where: str) -> float:
    """Returns how many seconds the others are waited for."""
    return _membership.seconds or read_timeout(where, os.environ)


def barrier(where: str) -> None:
    """Waits until every process of the job has come here.

    Args:
        where: The name of the call, for the messages of errors.

    Raises:
        MXNetError: if one of them does not come in time.
    """
    join(where)
    with guard(where):
        if distributed.is_gloo_available() and "gloo" in str(distributed.get_backend_config()):
            # Unlike other barriers it says which processes did not come.
            _untyped.group.WORLD.monitored_barrier(
                timedelta(seconds=_membership.seconds), wait_all_ranks=True
            )
        else:
            distributed.barrier()


def make_group(where: str) -> Any:
    """Makes another group of all processes, for exchanges between which no others are to come.

    Args:
        where: The name of the call that needs it, for the messages of errors.

    Raises:
        MXNetError: if one of them does not come in time.
    """
    with guard(where):
        return distributed.new_group(timeout=timedelta(seconds=timeout(where)), backend=_backend())


@contextmanager
def guard(where: str) -> Iterator[None]:
    """Turns what torch raises when another process is lost into one clear error.

    Args:
        where: The name of the call that exchanges data with the others.

    Raises:
        MXNetError: if the exchange fails.
    """
    try:
        yield
    except MXNetError:
        raise
    except (RuntimeError, OSError) as error:
        _membership.failed = True
        raise MXNetError(
            f"{where}: rank {rank()} of {size()} lost the others: {_first_line(error)}. One of "
            "them has ended, hangs, or makes calls in another order or number; its own output "
            "says more. They are waited for "
            f"{timeout(where):g} s, which MXNET_KVSTORE_TIMEOUT changes"
        ) from error


def _is_current() -> bool:
    """Returns whether the group that this process has joined is still torch's default group."""
    return _membership.group is not None and _membership.group is _untyped.group.WORLD


def _meet(where: str) -> None:
    """Makes the group of the processes that a launcher has started, or of this one alone."""
    if {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT"} <= os.environ.keys():
        with _meeting(where, f"{os.environ['MASTER_ADDR']}:{os.environ['MASTER_PORT']}"):
            _meet_by_variables()
        return
    job = read_worker_job(where, os.environ)
    if job is not None:
        with _meeting(where, f"{job.host}:{job.port}"):
            _meet_as_worker(where, job)
    else:
        with _meeting(where, "this process"):
            _make_group(_untyped.HashStore(), 0, 1)
        _membership.local_rank, _membership.local_size = 0, 1


def _check_backends(where: str) -> None:
    """Raises if a group that the program made cannot exchange what is in memory of the CPU."""
    backends = str(distributed.get_backend_config())
    if "cpu:" not in backends:
        raise MXNetError(
            f"{where}: needs a group that takes tensors of CPUs, got one with {backends!r}; call "
            "torch.distributed.init_process_group('cpu:gloo,cuda:nccl')"
        )


@contextmanager
def _meeting(where: str, place: str) -> Iterator[None]:
    """Turns what torch raises when processes do not meet into a clear error."""
    try:
        yield
    except MXNetError:
        raise
    except (RuntimeError, ValueError, OSError) as error:
        _membership.failed = True
        raise MXNetError(
            f"{where}: did not meet the other processes of the job at {place} within "
            f"{_membership.seconds:g} s: {_first_line(error)}. Check that all of them were "
            "started and reach that address; MXNET_KVSTORE_TIMEOUT changes the time"
        ) from error


def _meet_by_variables() -> None:
    """Meets the others where the variables of torchrun say.

    A restarted job meets where it met before, at a store that still has the addresses of processes
    that have ended. So each start has names of its own there.
    """
    limit = timedelta(seconds=_membership.seconds)
    store, number, count = next(_untyped.rendezvous("env://", timeout=limit))
    start = os.environ.get("TORCHELASTIC_RESTART_COUNT", "0")
    store = _untyped.PrefixStore(f"{_PREFIX}/{start}", store)
    local = _local_from_variables(count) or _local_by_machines(store, number, count)
    _make_group(store, number, count)
    _membership.local_rank, _membership.local_size = local


def _make_group(store: Any, number: int, count: int) -> None:
    """Makes the default group of torch."""
    distributed.init_process_group(
        _backend(),
        store=store,
        rank=number,
        world_size=count,
        timeout=timedelta(seconds=_membership.seconds),
    )


def _backend() -> str:
    """Returns what exchanges tensors, of the CPU and of GPUs if there are any."""
    return "cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo"


def _meet_as_worker(where: str, job: WorkerJob) -> None:
    """Meets the others of a job that was started as the original's launcher does."""
    interface = os.environ.get("DMLC_INTERFACE")
    if interface:
        for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
            os.environ.setdefault(name, interface)
    store = _untyped.PrefixStore(_PREFIX, _meeting_place(job))
    number = job.worker_id
    if number is None:
        number = store.add("arrived", 1) - 1
        if number >= job.num_workers:
            raise MXNetError(
                f"{where}: DMLC_NUM_WORKER={job.num_workers} workers have met at "
                f"{job.host}:{job.port} already, and this is one more"
            )
    local = _local_by_machines(store, number, job.num_workers)
    _make_group(store, number, job.num_workers)
    _membership.local_rank, _membership.local_size = local


def _local_by_machines(store: Any, number: int, count: int) -> tuple[int, int]:
    """Returns number and count of processes on this machine, by the names of all machines.

    To be called before the group is made: until then, the process that serves the store does
    not end.
    """
    machine = socket.gethostname()
    store.set(f"machine/{number}", machine)
    machines = [store.get(f"machine/{i}").decode() for i in range(count)]
    return machines[:number].count(machine), machines.count(machine)


def _meeting_place(job: WorkerJob) -> Any:
    """Returns the store that workers share, served by the first of them at its address.

    The launcher of this package serves it itself, because no worker may run on its machine.
    """
    limit = timedelta(seconds=_membership.seconds)
    if not job.is_served and _is_here(job.host):
        try:
            return _untyped.TCPStore(
                job.host, job.port, is_master=True, timeout=limit, wait_for_workers=False
            )
        except RuntimeError:
            pass  # the port is taken by another worker
    return _untyped.TCPStore(job.host, job.port, is_master=False, timeout=limit)


def _is_here(host: str) -> bool:
    """Returns whether an address is one of this machine."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as trial:
            trial.bind(address)
    except OSError:
        return False
    return True


def _local_from_variables(count: int) -> tuple[int, int] | None:
    """Returns number and count of processes on this machine as torchrun and others say them.

    Args:
        count: Number of all processes, which are taken to be here if nothing says how many are.
    """
    for rank_name, size_name in (
        ("LOCAL_RANK", "LOCAL_WORLD_SIZE"),
        ("OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"),
        ("SLURM_LOCALID", "SLURM_NTASKS_PER_NODE"),
    ):
        given = os.environ.get(rank_name, "")
        if given.isdecimal():
            together = os.environ.get(size_name, "")
            return int(given), int(together) if together.isdecimal() else count
    return None


def _first_line(error: BaseException) -> str:
    """Returns what an error of torch says, without the place in torch's sources."""
    text = str(error).strip().splitlines() or [type(error).__name__]
    return text[0].rsplit("] ", 1)[-1].strip().rstrip(".")


# `DMLC_*` are those of the original's launcher. Its schedulers and servers have no counterpart
# here, where the workers talk to each other: such a process ends as soon as it imports this
# package.

DEFAULT_TIMEOUT = 600.0
"""Seconds to wait for the other processes if nothing else is said."""

SERVED = "MXNET_LAUNCHER_SERVES"
"""Variable by which our launcher says that it serves the place where workers meet."""

LARGEST_PORT = 65535


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

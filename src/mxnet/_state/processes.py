"""The processes of one job: their ranks, and how they join, wait and leave.

torch.distributed does the work. A process joins the others with `join`, and whatever it then does
together with them happens under `guard`, which turns the loss of another process into an error.
"""

from __future__ import annotations

import atexit
import os
import socket
import string
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import distributed

from mxnet.errors import MXNetError

if TYPE_CHECKING:
    from mxnet._state import meeting

_untyped: Any = distributed
"""The same module, for names that its annotations do not export."""

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
        beacon: Tells others of the folder in which they meet; None if another process does.
        folder: That folder; None if they meet at an address.
        interface: Where gloo listens; None if it chooses.
    """

    group: Any = None
    own: bool = False
    failed: bool = False
    seconds: float = 0.0
    local_rank: int = 0
    local_size: int = 1
    beacon: meeting.Beacon | None = None
    folder: Path | None = None
    interface: str | None = None


_membership = _Membership()


def _places() -> Any:
    """Returns the module of places where processes meet; most programs are alone."""
    from mxnet._state import meeting as found  # noqa: PLC0415 - the door of a late room

    return found


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
        _membership.own, _membership.interface = False, None
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
        _leave_place(remove=_membership.failed)
    _membership.group = None
    _membership.own = False
    _membership.seconds = 0.0
    atexit.unregister(leave)


def _leave_place(remove: bool) -> None:
    """Stops telling others where to meet, and removes the folder if no other process uses it.

    Args:
        remove: Whether to remove the folder anyway, if this process has made it.
    """
    beacon, folder = _membership.beacon, _membership.folder
    _membership.beacon = _membership.folder = None
    if beacon is not None:
        (beacon.remove if remove else beacon.close)()
    if folder is not None:
        with suppress(OSError):  # the last process that leaves has removed the file in it
            folder.rmdir()


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
    limit = timedelta(seconds=timeout(where))
    with guard(where), _places().gloo_on(_membership.interface):
        return distributed.new_group(timeout=limit, backend=_backend())


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
    job = read_job(where, os.environ)
    if job is not None:
        with _meeting(where, f"{job.host}:{job.port}"):
            _meet_others(where, job)
    else:
        _membership.interface = _places().loopback_interface()
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
        _leave_place(remove=True)
        raise
    except (RuntimeError, ValueError, OSError) as error:
        _membership.failed = True
        _leave_place(remove=True)
        raise MXNetError(
            f"{where}: did not meet the other processes of the job at {place} within "
            f"{_membership.seconds:g} s: {_first_line(error)}. Check that all of them were "
            "started and reach that address; MXNET_KVSTORE_TIMEOUT changes the time"
        ) from error


def _make_group(store: Any, number: int, count: int) -> None:
    """Makes the default group of torch."""
    with _places().gloo_on(_membership.interface):
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


def _meet_others(where: str, job: Job) -> None:
    """Meets the others of a job and makes the group of all."""
    interface = os.environ.get("DMLC_INTERFACE")
    if interface:
        for name in ("GLOO_SOCKET_IFNAME", "NCCL_SOCKET_IFNAME"):
            os.environ.setdefault(name, interface)
    token = _places().job_token()
    store = _places().prefixed(_open_store(where, job, token), token, *job.names)
    number = job.rank
    if number is None:
        number = store.add("arrived", 1) - 1
        if number >= job.size:
            raise MXNetError(
                f"{where}: DMLC_NUM_WORKER={job.size} workers have met at "
                f"{job.host}:{job.port} already, and this is one more"
            )
    # Before the group is made: until then, the process that serves the store does not end.
    own = f"{socket.gethostname()}\n{_places().network_of_process()}"
    machines = _places().exchange(where, store, token, number, job.size, own)
    all_here = len(set(machines)) == 1
    _membership.interface = _places().loopback_interface() if all_here else None
    _make_group(store, number, job.size)
    by_name = (machines[:number].count(own), machines.count(own))
    _membership.local_rank, _membership.local_size = (
        job.has_local_variables and _local_from_variables(job.size)
    ) or by_name


def _open_store(where: str, job: Job, token: bytes) -> Any:
    """Returns the store that the processes share, served by one of them or by a launcher."""
    limit = timedelta(seconds=_membership.seconds)
    if job.serves is None and not _is_here(job.host):
        job = job._replace(serves=False)
    if not job.is_of_torch and _places().can_share_files() and _places().is_loopback(job.host):
        _membership.folder = _find_folder(where, job, token)
        return _places().open_file_store(_membership.folder, job.size, limit)
    if job.serves is not False:
        try:
            return _places().serve_store(job.host, job.port, limit)
        except (OSError, RuntimeError):
            if job.serves:
                raise  # otherwise the port is taken by another worker
    return _untyped.TCPStore(job.host, job.port, is_master=False, timeout=limit)


def _find_folder(where: str, job: Job, token: bytes) -> Path:
    """Returns the folder in which processes of one machine meet; one of them makes it."""
    if job.serves is not False:
        try:
            _membership.beacon = _places().Beacon(_places().listen(job.host, job.port), token)
        except OSError:
            if job.serves:
                raise  # otherwise the port is taken by another worker
        else:
            return _membership.beacon.folder
    try:
        end = time.monotonic() + _membership.seconds
        folder: Path = _places().ask(job.host, job.port, token, end)
    except MXNetError as error:
        raise MXNetError(f"{where}: {error}") from error
    return folder


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


# `DMLC_*` are the variables of the original's launcher. Its schedulers and servers have no
# counterpart here, where the workers talk to each other: such a process ends as soon as it imports
# this package.

DEFAULT_TIMEOUT = 600.0
"""Seconds to wait for the other processes if nothing else is said."""

SERVED = "MXNET_LAUNCHER_SERVES"
"""Variable by which our launcher says that it serves the place where workers meet."""

LARGEST_PORT = 65535
LARGEST_JOB = 100_000
"""Number of processes above which a variable is taken for a mistake."""
_LONGEST_HOST = 255
_MOST_DIGITS = 20

_OF_TORCHRUN = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")


class Job(NamedTuple):
    """What a launcher tells a process.

    Attributes:
        host: Name or address of the machine where the processes meet.
        port: Port on which they meet.
        size: Number of processes.
        rank: Number of this one; None if the order of arrival decides.
        serves: Whether this process serves the place; None if the first that comes does.
        is_of_torch: Whether the agent of torchrun serves the place, a store of torch.
        names: What the names of entries in that place begin with.
        has_local_variables: Whether variables may say the number of this process on its machine.
    """

    host: str
    port: int
    size: int
    rank: int | None
    serves: bool | None = None
    is_of_torch: bool = False
    names: tuple[str, ...] = ()
    has_local_variables: bool = False


def read_job(where: str, variables: Mapping[str, str]) -> Job | None:
    """Returns what the variables of a launcher say, None for a process without them.

    Args:
        where: What needs to know, for the messages of errors.
        variables: The variables of the environment.

    Raises:
        MXNetError: if some of the variables are missing or senseless.
    """
    missing = [name for name in _OF_TORCHRUN if name not in variables]
    if not missing:
        return _read_torchrun(where, variables)
    if "DMLC_ROLE" not in variables and variables.get("WORLD_SIZE", "1") != "1":
        raise MXNetError(
            f"{where}: WORLD_SIZE is {variables['WORLD_SIZE'][:100]!r} and needs "
            f"{', '.join(missing)}; start the program with torchrun or python -m mxnet.tools.launch"
        )
    return read_worker_job(where, variables)


def _read_torchrun(where: str, variables: Mapping[str, str]) -> Job:
    """Returns what torchrun and programs that do as it does tell a process.

    A restarted job meets where it met before, at a store that still has the addresses of processes
    that have ended. So each start has names of its own there.
    """
    host = _host(where, variables, "MASTER_ADDR")
    port = _whole(where, variables, "MASTER_PORT", 1, LARGEST_PORT, "torchrun")
    size = _whole(where, variables, "WORLD_SIZE", 1, LARGEST_JOB, "torchrun")
    rank = _whole(where, variables, "RANK", 0, size - 1, "torchrun")
    start = variables.get("TORCHELASTIC_RESTART_COUNT", "0")
    has_agent = variables.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
    serves = rank == 0 and not has_agent
    return Job(host, port, size, rank, serves, has_agent, (start,), has_local_variables=True)


def read_worker_job(where: str, variables: Mapping[str, str]) -> Job | None:
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
    if not variables.get("DMLC_PS_ROOT_URI"):
        raise MXNetError(
            f"{where}: DMLC_ROLE is 'worker' and needs DMLC_PS_ROOT_URI, the address at which "
            "the workers meet; start the program with python -m mxnet.tools.launch or torchrun"
        )
    host = _host(where, variables, "DMLC_PS_ROOT_URI")
    port = _whole(where, variables, "DMLC_PS_ROOT_PORT", 1, LARGEST_PORT)
    size = _whole(where, variables, "DMLC_NUM_WORKER", 1, LARGEST_JOB)
    rank = None
    if "DMLC_WORKER_ID" in variables:
        rank = _whole(where, variables, "DMLC_WORKER_ID", 0, size - 1)
    return Job(host, port, size, rank, False if variables.get(SERVED) == "1" else None)


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


_OF_HOSTS = frozenset(string.ascii_letters + string.digits + "-._:%[]")
"""Characters of names and addresses of machines, IPv6 with a zone included."""


def _host(where: str, variables: Mapping[str, str], name: str) -> str:
    """Returns the name or address of a machine that a variable holds.

    Raises:
        MXNetError: if it can be none.
    """
    text = variables[name]
    is_name = text[:1].isalnum() or text[:1] in ("[", ":")
    if not is_name or not set(text) <= _OF_HOSTS or len(text) > _LONGEST_HOST:
        raise MXNetError(
            f"{where}: {name} takes the name or address of a machine, got {text[:100]!r}"
        )
    return text


def _whole(
    where: str,
    variables: Mapping[str, str],
    name: str,
    least: int,
    most: int,
    launcher: str = "python -m mxnet.tools.launch",
) -> int:
    """Returns the integer that a variable holds.

    Raises:
        MXNetError: if it holds none, or one that is too small or too large.
    """
    text = variables.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) < _MOST_DIGITS
    number = int(text) if is_number else -1
    if not least <= number <= most:
        raise MXNetError(
            f"{where}: {name} takes an integer from {least} to {most}, got {text[:100]!r}; it is "
            f"set by {launcher}"
        )
    return number

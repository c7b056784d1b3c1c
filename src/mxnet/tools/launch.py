"""Starts the workers of a distributed job, with the options of the original's launcher.

    python -m mxnet.tools.launch -n 4 python train.py --lr 0.1
    python -m mxnet.tools.launch -n 8 -s 2 -H hosts --launcher ssh python train.py

Stores of this package need no servers, so that only workers are started. They meet at an address
that this process serves; a worker finds it in the variables `DMLC_PS_ROOT_URI` and
`DMLC_PS_ROOT_PORT`, and a secret that only they know in `MXNET_JOB_TOKEN`. For workers on this
machine it is the loopback address, else the one by which they reach this machine, and no other.
If one of them fails, the others are ended, too, and the exit code is its own.
"""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from mxnet._formats.files import access_error, read_foreign_text
from mxnet._state import meeting
from mxnet._state.processes import DEFAULT_TIMEOUT, LARGEST_PORT, SERVED
from mxnet.errors import FileFormatError, MXNetError
from mxnet.tools import command_name

_GRACE = 10.0
"""Seconds in which processes end after a signal, before they are killed."""

_PASSED_ON = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""The last of them is none of Windows."""
_KILL: int = getattr(signal, "SIGKILL", signal.SIGTERM)
_PAUSE = 0.05
_LONGEST_HOST = 320
"""Characters: 64 of a user, 255 of a machine."""


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


_PASSED = ("OMP_NUM_THREADS", "KMP_AFFINITY", "LD_LIBRARY_PATH", "PYTHONPATH", "DMLC_INTERFACE")
"""Variables that workers on other machines get from here, beside all of `MXNET_*`."""

_UNKNOWN_HOSTS = "StrictHostKeyChecking=accept-new"
"""Accepts the keys of new machines: there is no prompt to answer."""

_SSH = ("ssh", "-tt", "-o", _UNKNOWN_HOSTS)  # with a terminal they end with ssh

_SCHEDULERS = ("mpi", "sge", "yarn")
"""Launchers of the original that start workers by a program of others."""


class Host(NamedTuple):
    """A machine on which workers run.

    Attributes:
        name: Its name or address, with a user before an `@` if need be.
        port: Port of its ssh server.
    """

    name: str
    port: int


class LaunchError(ValueError):
    """The options of the launcher do not make sense."""


def main(arguments: Sequence[str] | None = None, prog: str | None = None) -> int:
    """Runs a job and returns the exit code: that of the worker that failed, else 0.

    Args:
        arguments: Those of the command line.
        prog: What the command calls itself; as it was called if not given.
    """
    prog = prog or command_name("launch")
    options = _parser(prog).parse_args(arguments)
    try:
        return _launch(options)
    except (LaunchError, MXNetError, OSError) as error:
        sys.stderr.write(f"{prog}: {error}\n")
        return 2


def _parser(prog: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=prog, description="Starts the workers of a distributed job."
    )
    add = parser.add_argument
    add("-n", "--num-workers", type=_positive, required=True, help="number of workers")
    add("-s", "--num-servers", type=int, help="accepted for compatibility: no servers are started")
    add("-H", "--hostfile", help="file with a line `host` or `host:port` for each machine")
    add("--sync-dst-dir", help="folder to which ssh copies the current one on every machine")
    add(
        *("--launcher",),
        choices=["local", "ssh", *_SCHEDULERS],
        default="ssh",
        help="where workers run; ssh without a hostfile is local",
    )
    for name, help_text in (
        ("--env", "variable of workers, as NAME:VALUE or as NAME for its value here"),
        ("--env-worker", "the same"),
        ("--env-server", "accepted for compatibility"),
    ):
        add(name, action="append", default=[], metavar="NAME:VALUE", help=help_text)
    add("--p3", action="store_true", help="accepted for compatibility: optimizers run in workers")
    add("command", nargs=argparse.REMAINDER, help="the program of the workers and its arguments")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"takes a number above 0, got {text}")
    return number


def _launch(options: argparse.Namespace) -> int:
    command = list(options.command)
    if command[:1] == ["--"]:
        del command[0]
    if not command:
        raise LaunchError("takes the program that workers run, such as `python train.py`")
    if len(command) == 1:
        command = shlex.split(command[0])  # the original hands it to a shell
    if options.launcher in _SCHEDULERS:
        raise LaunchError(_advice(options.launcher, options.num_workers))
    variables = _given_variables([*options.env, *options.env_worker])
    if options.p3:
        variables["DMLC_PS_VAN_TYPE"] = "p3"
    hosts = None
    if options.launcher == "ssh" and options.hostfile not in (None, "None"):
        hosts = read_hosts(Path(options.hostfile))
    elif options.sync_dst_dir:
        raise LaunchError("--sync-dst-dir takes --launcher ssh and a hostfile")
    address = _own_address(None if hosts is None else hosts[0])
    token = variables.get(meeting.TOKEN) or os.environ.get(meeting.TOKEN) or meeting.draw_token()
    with _serving(address, token) as port:
        job = {
            "DMLC_NUM_WORKER": str(options.num_workers),
            "DMLC_NUM_SERVER": str(options.num_servers or 0),
            "DMLC_PS_ROOT_URI": address,
            "DMLC_PS_ROOT_PORT": str(port),
            "DMLC_ROLE": "worker",
            SERVED: "1",
            **variables,
            meeting.TOKEN: token,
        }
        if hosts is None:
            return run_workers(_local_commands(command, job, options.num_workers))
        folder = Path(options.sync_dst_dir or Path.cwd())
        if options.sync_dst_dir:
            _copy_folder(hosts, folder)
        return run_workers(_ssh_commands(command, job, options.num_workers, hosts, folder))


def _advice(launcher: str, num_workers: int) -> str:
    """Returns what to do instead of using a launcher of the original that is not here."""
    return (
        f"--launcher takes local or ssh, got {launcher}. Let {launcher} start {num_workers} times "
        "the program itself, each with the variables DMLC_ROLE=worker, "
        f"DMLC_NUM_WORKER={num_workers}, DMLC_PS_ROOT_URI, the address of the machine of one of "
        "them, and DMLC_PS_ROOT_PORT, a free port there; or torchrun once on each machine"
    )


def _given_variables(pairs: Sequence[str]) -> dict[str, str]:
    """Returns variables that were given as `NAME:VALUE`, `NAME=VALUE` or `NAME`.

    Raises:
        LaunchError: if one has no name, or no value here or there.
    """
    found = {}
    for pair in pairs:
        cuts = [place for place in (pair.find(":"), pair.find("=")) if place >= 0]
        cut = min(cuts, default=len(pair))
        name = pair[:cut]
        value = pair[cut + 1 :] if cuts else os.environ.get(name)
        if not _is_name(name) or value is None or "\0" in value:
            raise LaunchError(f"--env takes NAME:VALUE, or the NAME of a variable, got {pair!r}")
        found[name] = value
    return found


def _is_name(text: str) -> bool:
    """Returns whether a shell takes a text for the name of a variable, and for nothing else."""
    return text.isascii() and text.isidentifier()


def read_hosts(path: Path) -> list[Host]:
    """Returns the machines that a hostfile lists, one a line.

    What follows a name after a space, such as `slots=4`, and what follows a `#` does not count.

    Raises:
        LaunchError: if it lists none, or what is not a name with or without a port.
    """
    hosts = []
    for number, line in enumerate(_read_text(path).splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        name, _, port = words[0].partition(":")
        if not _is_host(name) or not _is_port(port or "22"):
            raise LaunchError(
                f"{path}: line {number}: `host` or `host:port` expected, got {line[:80]!r}"
            )
        hosts.append(Host(name, int(port or 22)))
    if not hosts:
        raise LaunchError(f"{path}: expected a line for each machine, got none")
    return hosts


def _read_text(path: Path) -> str:
    try:
        return read_foreign_text(path)
    except FileFormatError as error:
        raise LaunchError(str(error)) from error
    except OSError as error:
        raise access_error("launch", path, error) from error


def _is_host(text: str) -> bool:
    """Returns whether a text names a machine, with or without a user.

    What begins with a dash would be an option of ssh, and what has other characters could be a
    command or a path to rsync.
    """
    user, at, name = text.rpartition("@")
    return all(map(_is_word, [user, name] if at else [name])) and len(text) <= _LONGEST_HOST


def _is_word(text: str) -> bool:
    return text[:1].isalnum() and all(char.isalnum() or char in "-._" for char in text)


def _is_port(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 5 and 0 < int(text) <= LARGEST_PORT


def _own_address(host: Host | None) -> str:
    """Returns the address under which workers on other machines reach this one."""
    given = os.environ.get("DMLC_PS_ROOT_URI")
    if given:
        return given
    if host is None:
        return "127.0.0.1"
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
        # Nothing is sent: the system only chooses the way there.
        route.connect((host.name.rpartition("@")[2], host.port))
        return str(route.getsockname()[0])


@contextmanager
def _serving(address: str, token: str) -> Iterator[int]:
    """Serves the place where workers meet, and returns its port."""
    port = os.environ.get("DMLC_PS_ROOT_PORT", "0")
    if not port.isdecimal() or int(port) > LARGEST_PORT:
        raise LaunchError(f"DMLC_PS_ROOT_PORT takes a number up to {LARGEST_PORT}, got {port!r}")
    try:
        listening = meeting.listen(address, int(port))
    except (OSError, UnicodeError) as error:
        raise LaunchError(
            f"cannot serve {address}:{port}, where workers are to meet: {error}; "
            "DMLC_PS_ROOT_URI takes an address of this machine, DMLC_PS_ROOT_PORT a free port"
        ) from error
    port_number = int(listening.getsockname()[1])
    if meeting.can_share_files() and meeting.is_loopback(address):
        beacon = meeting.Beacon(listening, token.encode())
        try:
            yield port_number
        finally:
            beacon.remove()
    else:
        store = meeting.serve_on(listening, address, timedelta(seconds=DEFAULT_TIMEOUT))
        yield port_number
        del store  # the workers met there


def _local_commands(
    command: Sequence[str], job: Mapping[str, str], num_workers: int
) -> list[Command]:
    """Returns the commands of workers on this machine, which share its cores."""
    variables = {"OMP_NUM_THREADS": str(max(1, (os.cpu_count() or 1) // num_workers))}
    variables.update(os.environ)
    variables.update(job)
    return [
        Command(command, {**variables, "DMLC_WORKER_ID": str(number)})
        for number in range(num_workers)
    ]


def _ssh_commands(
    command: Sequence[str],
    job: Mapping[str, str],
    num_workers: int,
    hosts: Sequence[Host],
    folder: Path,
) -> list[Command]:
    """Returns the commands of workers on other machines, to which they go in turn."""
    passed = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED or (name.startswith("MXNET_") and _is_name(name))
    }
    commands = []
    for number in range(num_workers):
        host = hosts[number % len(hosts)]
        variables = {**passed, **job, "DMLC_WORKER_ID": str(number)}
        settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in variables.items())
        remote = f"cd {shlex.quote(str(folder))} && exec env {settings} {shlex.join(command)}"
        commands.append(Command([*_SSH, "-p", str(host.port), host.name, remote], os.environ))
    return commands


def _copy_folder(hosts: Sequence[Host], folder: Path) -> None:
    """Copies the current folder to all machines."""
    for host in dict.fromkeys(hosts):
        through = f"ssh -o {_UNKNOWN_HOSTS} -p {host.port}"
        copy = ["rsync", "-az", "--rsh", through, f"{Path.cwd()}/", f"{host.name}:{folder}"]
        if run_workers([Command(copy, os.environ)]):
            raise LaunchError(f"rsync could not copy {Path.cwd()} to {host.name}:{folder}")


if __name__ == "__main__":
    sys.exit(main())

"""What strangers send to the places where processes meet, and what launchers are told.

Nothing but the loopback interface is used.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

from mxnet._state import meeting
from mxnet._state.processes import read_job
from mxnet.contrib.horovod import _operations as horovod
from mxnet.kvstore import _exchange
from mxnet.tools.launch import read_hosts
from tests.security.attack import PAYLOAD, Attacks

TABLE = Attacks()

HERE = "127.0.0.1"
TOKEN = b"known to the job"

RANKS = {"RANK": "1", "WORLD_SIZE": "2", "MASTER_ADDR": HERE, "MASTER_PORT": "9091"}
WORKERS = {"DMLC_ROLE": "worker", "DMLC_PS_ROOT_URI": HERE, "DMLC_PS_ROOT_PORT": "9091"}
WORKERS |= {"DMLC_NUM_WORKER": "2"}
VARIABLES = [
    (RANKS, "RANK", "-1"),
    (RANKS, "RANK", "2"),
    (RANKS, "RANK", "0; rm -rf ."),
    (RANKS, "WORLD_SIZE", str(10**9)),
    (RANKS, "WORLD_SIZE", "9" * 10**6),
    (RANKS, "WORLD_SIZE", "0"),
    (RANKS, "MASTER_PORT", "65536"),
    (RANKS, "MASTER_PORT", "0"),
    (RANKS, "MASTER_PORT", "-1"),
    (RANKS, "MASTER_ADDR", "127.0.0.1 --listen"),
    (RANKS, "MASTER_ADDR", ""),
    (RANKS, "MASTER_ADDR", "a" * 10**6),
    (RANKS, "MASTER_ADDR", "host\nname"),
    (WORKERS, "DMLC_ROLE", "root"),
    (WORKERS, "DMLC_PS_ROOT_URI", "../socket"),
    (WORKERS, "DMLC_PS_ROOT_PORT", "http"),
    (WORKERS, "DMLC_NUM_WORKER", str(10**9)),
    (WORKERS, "DMLC_WORKER_ID", "-1"),
    (WORKERS, "DMLC_WORKER_ID", "٣" * 10),
]
for number, (variables, name, value) in enumerate(VARIABLES):
    TABLE.add_each(
        f"variable-{number}",
        [(name, {**variables, name: value})],
        lambda _folder, given: read_job("test", given),
        names=name,
    )


@contextlib.contextmanager
def serving(answer: Callable[[socket.socket], Any]) -> Iterator[int]:
    """Listens on the loopback interface, and does with each connection as a function says."""
    with socket.create_server((HERE, 0)) as listening:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    caller, _ = listening.accept()
                    with caller, contextlib.suppress(OSError):
                        answer(caller)

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]


@contextlib.contextmanager
def beacon(token: bytes = TOKEN) -> Iterator[meeting.Beacon]:
    made = meeting.Beacon(meeting.listen(HERE, 0), token)
    try:
        yield made
    finally:
        made.remove()


def ask(port: int) -> Path:
    return meeting.ask(HERE, port, TOKEN, time.monotonic() + 0.3)


def _send_without_end(caller: socket.socket) -> None:
    while True:
        caller.sendall(bytes(1 << 16))


def _send_back(caller: socket.socket) -> None:
    caller.sendall(bytes(32))
    caller.sendall(caller.recv(64))


def _tell(place: bytes) -> Callable[[socket.socket], None]:
    """Returns what a process with the token does that names another folder."""

    def answer(caller: socket.socket) -> None:
        own = bytes(32)
        caller.sendall(own)
        other = caller.recv(64)[:32]
        caller.sendall(meeting.prove(TOKEN, b"beacon", own, other, place) + place)

    return answer


SERVERS: list[tuple[str, Callable[[socket.socket], Any]]] = [
    ("silent", lambda _caller: time.sleep(2)),
    ("closes", lambda caller: caller.close()),
    ("garbage", lambda caller: caller.sendall(os.urandom(500))),
    ("endless", _send_without_end),
    ("echo", _send_back),
    ("http", lambda caller: caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * 100)),
    ("missing_folder", _tell(b"/no/such/folder")),
    ("folder_of_all", _tell(b"/tmp")),
    ("device", _tell(b"/dev/zero")),
    ("no_path", _tell(b"a\x00b")),
]


def _attack_caller(_folder: Path, answer: Any) -> None:
    with serving(answer) as port:
        ask(port)


TABLE.add_each("server", SERVERS, _attack_caller)


@TABLE.add(names="MXNET_JOB_TOKEN")
def another_token(_folder: Path) -> None:
    with beacon(b"of another job") as other:
        ask(other.port)


@TABLE.add(names="MXNET_JOB_TOKEN")
def no_token(_folder: Path) -> None:
    with beacon(b"") as other:
        ask(other.port)


CALLS = {
    "garbage": os.urandom(1000),
    "zeros": bytes(64),
    "one_byte": b"\x00",
    "http": b"GET / HTTP/1.1\r\n\r\n",
    "store_of_torch": struct.pack("<BIBQ", 0, 0x3C85F7CE, 1, 2**62),
    "much": bytes(1 << 20),
}


def _attack_beacon(_folder: Path, sent: Any) -> None:
    """Calls a beacon without the token, again and again; the job must meet all the same."""
    with beacon() as own, contextlib.ExitStack() as left:
        for _ in range(20):
            caller = left.enter_context(socket.create_connection((HERE, own.port), 2))
            with contextlib.suppress(OSError):
                caller.sendall(sent)
        found = meeting.ask(HERE, own.port, TOKEN, time.monotonic() + 5)
        if found != own.folder:
            raise AssertionError(found)


TABLE.add_each("caller", CALLS.items(), _attack_beacon, harmless=True)

ENTRIES = {"empty": b"", "garbage": os.urandom(100), "unsealed": b"machine", "long": bytes(1 << 20)}


def _attack_entry(_folder: Path, value: Any) -> None:
    store = torch.distributed.HashStore()
    store.set("machine/1", value)
    meeting.exchange("test", store, TOKEN, 0, 2, "machine")


TABLE.add_each("entry", ENTRIES.items(), _attack_entry, names="rank 1")


@TABLE.add(names="rank 1")
def entry_of_another_rank(_folder: Path) -> None:
    store = torch.distributed.HashStore()
    store.set("machine/1", meeting.prove(TOKEN, b"machine/0", b"machine") + b"machine")
    meeting.exchange("test", store, TOKEN, 0, 2, "machine")


class Runs:
    """What runs a program when Python's own reader gets it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return exec, (PAYLOAD,)


OBJECTS = {
    "payload": pickle.dumps(Runs()),
    "payload_in_dict": pickle.dumps({"rank": [Runs()]}),
    "system": b"cposix\nsystem\n(S'touch OWNED'\ntR.",
    "garbage": os.urandom(200),
    "truncated": pickle.dumps({"a": [1, 2, 3]})[:-4],
    "empty": b"",
    "long_text": b"\x80\x04\x8d" + struct.pack("<Q", 2**60) + b".",
}
TABLE.add_each(
    "object",
    OBJECTS.items(),
    lambda _folder, data: horovod._decode("horovod.broadcast_object", 1, b"." + data),  # type: ignore[operator]
    names="rank 1",
)


@TABLE.add(names="cannot send its object")
def object_that_runs_is_not_sent(_folder: Path) -> None:
    horovod._decode("horovod.broadcast_object", 0, horovod._encode(Runs()))


TABLE.add_each(
    "count",
    [("negative", [-1, 3]), ("huge", [2**62, 3]), ("many", [2**40] * 3)],
    lambda _folder, counts: _exchange._check_counts("store.push", counts, 4),  # type: ignore[arg-type]
    names="store.push",
)

HOSTS = {
    "option": "-oProxyCommand=touch$IFS'OWNED'",
    "option_of_user": "root@-oProxyCommand=touch",
    "port_too_large": "head:65536",
    "port_of_words": "head:ssh",
    "negative_port": "head:-1",
    "no_name": ":22",
    "nothing": "# none\n\n",
    "control": "he\x07ad",
}


def _attack_hosts(folder: Path, text: Any) -> None:
    path = folder / "hosts"
    path.write_text(text)
    read_hosts(path)


TABLE.add_each("hosts", HOSTS.items(), _attack_hosts)


@TABLE.add(names="hosts")
def hosts_in_a_pipe(folder: Path) -> None:
    os.mkfifo(folder / "hosts")
    read_hosts(folder / "hosts")


@TABLE.add
def hosts_of_bytes(folder: Path) -> None:
    (folder / "hosts").write_bytes(os.urandom(1000))
    read_hosts(folder / "hosts")

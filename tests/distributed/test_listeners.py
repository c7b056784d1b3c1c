"""What a job on one machine listens on, and what a stranger who connects to it gets."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import struct
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest
import torch

from tests.distributed import _ranks

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")

LISTENS = "0A"
NUMBER = 32
"""Bytes of the number by which a beacon asks for a proof."""
WORKER = """
import os, sys, time
from pathlib import Path
import mxnet as mx
import mxnet.contrib.horovod as hvd

folder = Path(sys.argv[1])
store = mx.kv.create("dist_sync")
hvd.init()
store.init(0, mx.nd.zeros(3))
out = mx.nd.zeros(3)
store.pushpull(0, mx.nd.ones(3) * (store.rank + 1), out=out)
(folder / f"{store.rank}.pid").write_text(str(os.getpid()))
while not (folder / "go").exists():
    time.sleep(0.02)
store.pushpull(0, mx.nd.ones(3) * (store.rank + 1), out=out)
told = hvd.broadcast_object({"rank": store.rank, "values": mx.nd.ones(2)}, root_rank=0)
assert told["rank"] == 0 and told["values"].asnumpy().tolist() == [1, 1]
(folder / f"{store.rank}.sum").write_text(str(float(out[0].asscalar())))
"""


def listening(pid: int) -> set[tuple[str, int]]:
    """Returns addresses and ports on which a process listens, as `ss` finds them."""
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):
            inodes.add(os.readlink(link))
    found = set()
    for name in ("tcp", "tcp6"):
        with contextlib.suppress(FileNotFoundError):
            for line in Path(f"/proc/{pid}/net/{name}").read_text().splitlines()[1:]:
                fields = line.split()
                if fields[3] == LISTENS and f"socket:[{fields[9]}]" in inodes:
                    found.add(_read_address(fields[1]))
    return found


def _read_address(text: str) -> tuple[str, int]:
    address, _, port = text.partition(":")
    words = bytes.fromhex(address)
    words = b"".join(words[i : i + 4][::-1] for i in range(0, len(words), 4))
    family = socket.AF_INET if len(words) == 4 else socket.AF_INET6
    return socket.inet_ntop(family, words), int(port, 16)


def is_loopback(address: str) -> bool:
    return address.startswith(("127.", "::ffff:127.")) or address == "::1"


class Job:
    """Two workers that wait for each other, and later for the test."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.folder, self.count = folder, 1 if kind == "alone" else 2
        port = _ranks.free_port()
        variables = [_ranks.worker_variables(2, port)] * 2
        if kind == "ranks":
            variables = [_ranks.rank_variables(rank, 2, port) for rank in range(2)]
        elif kind in ("launch", "alone"):
            variables = [{k: v for k, v in variables[0].items() if not k.startswith("DMLC_")}]
        program = folder / "program.py"
        program.write_text(WORKER)
        words = [sys.executable, str(program), str(folder)]
        if kind == "launch":
            options = ["-m", "mxnet.tools.launch", "-n", "2", "--launcher", "local"]
            words = [sys.executable, *options, *words]
        self.output = folder / "output"
        self.processes = []
        for item in variables:
            item = {k: v for k, v in item.items() if k != "GLOO_SOCKET_IFNAME"}
            with self.output.open("a") as output:
                self.processes.append(
                    subprocess.Popen(words, env=item, stdout=output, stderr=subprocess.STDOUT)
                )

    def pids(self) -> list[int]:
        """Waits until all workers have met, and returns them with their launcher."""
        files = [self.folder / f"{rank}.pid" for rank in range(self.count)]
        end = time.monotonic() + 120
        while not all(file.exists() and file.read_text() for file in files):
            assert time.monotonic() < end, self.output.read_text()
            assert all(process.poll() is None for process in self.processes), (
                self.output.read_text()
            )
            time.sleep(0.02)
        return sorted({int(file.read_text()) for file in files} | {p.pid for p in self.processes})

    def finish(self) -> list[float]:
        """Lets the workers end, and returns what each has computed."""
        (self.folder / "go").touch()
        for process in self.processes:
            assert process.wait(120) == 0, self.output.read_text()
        return [float((self.folder / f"{rank}.sum").read_text()) for rank in range(self.count)]

    def kill(self) -> None:
        for process in self.processes:
            process.terminate()  # a launcher passes it on
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            process.kill()
            process.wait()


@pytest.fixture
def job(request, tmp_path):
    made = Job(request.param, tmp_path)
    yield made
    made.kill()


def disturb(port: int) -> list[socket.socket]:
    """Sends what no process of the job would, and returns connections that stay open."""
    set_of_torch = struct.pack("<BIBQ", 0, 0x3C85F7CE, 1, 2**62)
    requests = (b"\xff" * 4096, b"GET / HTTP/1.1\r\n\r\n", bytes(64), set_of_torch, b"\x00")
    left = []
    for request in requests:
        for stays in (False, True):
            connection = socket.create_connection(("127.0.0.1", port), 5)
            with contextlib.suppress(OSError):
                connection.sendall(request)
            if stays:
                left.append(connection)
            else:
                connection.close()
    left += [socket.create_connection(("127.0.0.1", port), 5) for _ in range(5)]
    return left


def read_as_stranger(port: int, answer: Path) -> None:
    """Does as a client of torch would, in a child, which may wait for ever."""
    child = os.fork()
    if child == 0:
        try:
            limit = timedelta(seconds=0.5)
            client = torch.distributed.TCPStore("127.0.0.1", port, is_master=False, timeout=limit)
            client.set("mxnet/machine/0", "stranger")
            answer.write_bytes(client.get("mxnet/machine/0"))
        finally:
            os._exit(0)
    time.sleep(1.5)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def was_told(port: int) -> bytes:
    """Returns what a beacon says to a caller that answers its number by one of its own."""
    with socket.create_connection(("127.0.0.1", port), 5) as caller:
        caller.settimeout(1)
        first = b""
        with contextlib.suppress(OSError):
            first = caller.recv(100)
            caller.sendall(bytes(64))
            first += caller.recv(4096)
    return first


@pytest.mark.parametrize("job", ["workers", "ranks", "launch", "alone"], indirect=True)
def test_a_job_on_one_machine_is_alone(job):
    places = {place for pid in job.pids() for place in listening(pid)}
    assert places
    assert [place for place in places if not is_loopback(place[0])] == []
    strangers = []
    for _, port in sorted(places):
        strangers += disturb(port)
    if job.count > 1:
        assert job.finish() == [3.0, 3.0]
    else:
        assert job.finish() == [1.0]
    for connection in strangers:
        connection.close()


@pytest.mark.parametrize("job", ["workers"], indirect=True)
def test_a_client_of_torch_gets_nothing(job, tmp_path):
    answer = tmp_path / "answer"
    for pid in job.pids():
        for _, port in listening(pid):
            read_as_stranger(port, answer)
            assert not answer.exists()
            assert len(was_told(port)) <= NUMBER  # but no folder
    assert job.finish() == [3.0, 3.0]

"""Where the processes of a job meet, and what of it a network sees.

Processes on one machine, whose address is a loopback one, share a file in a folder that only their
user can open. All that listens is a `Beacon` on the loopback interface, which tells processes with
the token of the job where the folder is. Other processes meet at a store of torch that listens on
the address that was named, and on no other.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import hmac
import ipaddress
import os
import secrets
import shutil
import socket
import stat
import struct
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

from torch import distributed

from mxnet._start import level_of_program
from mxnet.errors import MXNetError

_untyped: Any = distributed
"""The same module, for names that its annotations do not export."""

TOKEN = "MXNET_JOB_TOKEN"
"""Variable with the secret that the processes of a job share; our launcher draws one."""

_PREFIX = "mxnet"
"""What the names of our entries in a store begin with."""

_NONCE = 32
"""Bytes of the random numbers that two processes prove their knowledge of the token with."""
_PROOF = hashlib.sha256().digest_size
_LONGEST_PATH = 4096
_PATIENCE = 5.0
"""Seconds in which a process that connects to a beacon must prove what it knows."""
_MOST_CALLERS = 64
"""Connections that a beacon answers at once; it closes others, whose processes try again."""
_PAUSE = 0.05
_LOOPBACK_BYTE = 127
"""What addresses of a machine to itself begin with."""


def job_token() -> bytes:
    """Returns the secret of the job, nothing if it has none."""
    return os.environ.get(TOKEN, "").encode()


def draw_token() -> str:
    """Returns a new secret for a job."""
    return secrets.token_hex(16)


def prove(token: bytes, *parts: bytes) -> bytes:
    """Returns what only a process with the token can say of some words."""
    text = b"".join(struct.pack("<Q", len(part)) + part for part in parts)
    return hmac.digest(token, text, "sha256")


def is_loopback(host: str) -> bool:
    """Returns whether all addresses of a name are those of this machine to itself."""
    try:
        found = socket.getaddrinfo(host, 0, type=socket.SOCK_STREAM)
        addresses = [ipaddress.ip_address(str(item[4][0]).partition("%")[0]) for item in found]
    except (OSError, ValueError):
        return False
    return bool(addresses) and all(address.is_loopback for address in addresses)


def listen(host: str, port: int) -> socket.socket:
    """Returns a socket that listens on the address of a name, and on no other.

    Raises:
        OSError: if it is none of this machine's, or the port is taken.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    # Of several, such as those of `localhost`, the older kind: all processes choose the same.
    family, _, _, _, address = min(found, key=lambda item: item[0] != socket.AF_INET)
    return socket.create_server(address, family=family)


class Beacon:
    """Announces the folder of a job to processes that prove to have its token.

    Each side draws a number, and each sends what only the token makes of both; see `ask`.

    Args:
        listening: A socket that listens on the loopback interface.
        token: The secret of the job.
    """

    def __init__(self, listening: socket.socket, token: bytes) -> None:
        self._listening, self._token = listening, token
        self.port = int(listening.getsockname()[1])
        self.folder = Path(tempfile.mkdtemp(prefix="mxnet-job-"))  # for its user alone
        self._places = threading.BoundedSemaphore(_MOST_CALLERS)
        threading.Thread(target=self._accept, name="mxnet-beacon", daemon=True).start()

    def close(self) -> None:
        """Stops listening."""
        with contextlib.suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)  # which wakes the thread
        self._listening.close()

    def remove(self) -> None:
        """Stops listening, and removes the folder with all that is in it."""
        self.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _accept(self) -> None:
        while True:
            try:
                caller, _ = self._listening.accept()
            except OSError:
                return
            if not self._places.acquire(blocking=False):
                caller.close()
                continue
            try:
                threading.Thread(target=self._answer, args=(caller,), daemon=True).start()
            except RuntimeError:  # no more threads, or the interpreter ends
                caller.close()
                self._places.release()

    def _answer(self, caller: socket.socket) -> None:
        try:
            with caller, contextlib.suppress(OSError, EOFError):
                end = time.monotonic() + _PATIENCE
                own = secrets.token_bytes(_NONCE)
                caller.settimeout(_PATIENCE)
                caller.sendall(own)
                said = _receive(caller, _NONCE + _PROOF, end)
                other, proof = said[:_NONCE], said[_NONCE:]
                if hmac.compare_digest(proof, prove(self._token, b"caller", own, other)):
                    place = os.fsencode(self.folder)
                    caller.sendall(prove(self._token, b"beacon", own, other, place) + place)
        finally:
            self._places.release()


def ask(host: str, port: int, token: bytes, end: float) -> Path:
    """Returns the folder of a job, which a beacon tells.

    Args:
        host: Where the beacon is.
        port: Its port.
        token: The secret of the job.
        end: Until when to try, by `time.monotonic`.

    Raises:
        MXNetError: if what answers is not of this job, or the folder is open to others.
        OSError: if nothing answers in time.
    """
    while True:
        try:
            folder = _ask_once(host, port, token, end)
        except OSError:
            if time.monotonic() + _PAUSE >= end:
                raise
        else:
            if folder is not None:
                return folder
            if time.monotonic() + _PAUSE >= end:
                raise MXNetError(
                    f"what listens at {host}:{port} is not of this job: it does not have the same "
                    f"{TOKEN}, or is another program; choose another port"
                )
        time.sleep(_PAUSE)


def _ask_once(host: str, port: int, token: bytes, end: float) -> Path | None:
    """Returns the folder, None if what answers does not know the token."""
    left = min(_PATIENCE, max(_PAUSE, end - time.monotonic()))
    with socket.create_connection((host, port), left) as connection:
        limit = time.monotonic() + left
        try:
            other = _receive(connection, _NONCE, limit)
            own = secrets.token_bytes(_NONCE)
            connection.sendall(own + prove(token, b"caller", other, own))
            proof = _receive(connection, _PROOF, limit)
            place = _receive_rest(connection, _LONGEST_PATH, limit)
        except (EOFError, TimeoutError, ConnectionError):
            return None
    if not hmac.compare_digest(proof, prove(token, b"beacon", other, own, place)):
        return None
    folder = Path(os.fsdecode(place))
    check_private(folder)
    return folder


def _receive(connection: socket.socket, count: int, end: float) -> bytes:
    """Receives so many bytes.

    Raises:
        EOFError: if there are fewer.
        OSError: if they do not come in time.
    """
    data = _receive_rest(connection, count, end)
    if len(data) < count:
        raise EOFError
    return data


def _receive_rest(connection: socket.socket, most: int, end: float) -> bytes:
    """Receives all bytes up to the end of a connection, or the first of them."""
    data = b""
    while len(data) < most:
        connection.settimeout(max(0.001, end - time.monotonic()))
        piece = connection.recv(most - len(data))
        if not piece:
            break
        data += piece
    return data


def check_private(folder: Path) -> None:
    """Raises if others than the user of this process can open a folder.

    Raises:
        MXNetError: if they can, or there is no such folder here.
    """
    try:
        found = folder.lstat()
    except OSError as error:
        raise MXNetError(
            f"the folder of the job, {folder}, is not on this machine's disk ({error}); processes "
            "with disks of their own meet at an address other than 127.0.0.1"
        ) from error
    mine = found.st_uid == os.geteuid()
    if not stat.S_ISDIR(found.st_mode) or not mine or found.st_mode & 0o077:
        raise MXNetError(f"the folder of the job, {folder}, belongs to others or is open to them")


def open_file_store(folder: Path, count: int, limit: timedelta) -> Any:
    """Returns a store in a folder, which the last of so many processes removes."""
    store = _untyped.FileStore(str(folder / "store"), count)
    store.set_timeout(limit)
    return store


def can_share_files() -> bool:
    """Returns whether the system has users and folders of their own."""
    return hasattr(os, "geteuid")


def serve_store(host: str, port: int, limit: timedelta) -> Any:
    """Returns a store of torch that this process serves on the address that is named.

    A name that leads here by way of others, as that of a service in a cluster, is no address of
    this machine: then the store listens on all of its addresses, and a warning says so.

    Raises:
        OSError: if the port is taken.
        RuntimeError: if torch cannot serve there.
    """
    try:
        listening = listen(host, port)
    except OSError as error:
        if error.errno != errno.EADDRNOTAVAIL:
            raise
        warnings.warn(
            f"{host} is no address of this machine: the place where processes meet listens on all "
            "of its addresses",
            stacklevel=level_of_program(),
        )
        return _untyped.TCPStore(
            host, port, is_master=True, timeout=limit, wait_for_workers=False, multi_tenant=True
        )
    return serve_on(listening, host, limit)


def serve_on(listening: socket.socket, host: str, limit: timedelta) -> Any:
    """Returns a store of torch that this process serves on a socket, which becomes the store's."""
    port = int(listening.getsockname()[1])

    def serve(use_libuv: bool) -> Any:
        return _untyped.TCPStore(
            host,
            port,
            is_master=True,
            timeout=limit,
            wait_for_workers=False,
            master_listen_fd=os.dup(listening.fileno()),
            use_libuv=use_libuv,
        )

    with listening:
        try:
            return serve(use_libuv=True)  # which no caller can block with half a message
        except RuntimeError:  # libuv takes no open socket in torch 2.6
            return serve(use_libuv=False)


def prefixed(store: Any, token: bytes, *parts: str) -> Any:
    """Returns a store in which the entries of this job have names that others cannot guess."""
    names = [prove(token, b"names").hex()] if token else []
    return _untyped.PrefixStore("/".join((_PREFIX, *names, *parts)), store)


def exchange(where: str, store: Any, token: bytes, number: int, count: int, text: str) -> list[str]:
    """Returns a text of each process of a job.

    Args:
        where: What needs them, for the messages of errors.
        store: Where they meet.
        token: The secret of the job, with which each text is sealed.
        number: The number of this process.
        count: How many there are.
        text: The text of this one.

    Raises:
        MXNetError: if an entry is of none of them.
    """
    key = f"machine/{number}"
    store.set(key, prove(token, key.encode(), text.encode()) + text.encode())
    texts = []
    for other in range(count):
        key = f"machine/{other}"
        value = bytes(store.get(key))
        seal, said = value[:_PROOF], value[_PROOF:]
        if not hmac.compare_digest(seal, prove(token, key.encode(), said)):
            raise MXNetError(
                f"{where}: what says to be rank {other} of the job does not have the same {TOKEN}"
            )
        texts.append(said.decode(errors="replace"))
    return texts


def network_of_process() -> str:
    """Returns what tells machines apart, and parts of one that do not share its loopback."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/net').stat().st_ino}"
    except OSError:  # not Linux
        return ""


def loopback_interface() -> str | None:
    """Returns the name of the loopback interface, None if the system does not tell."""
    if sys.platform == "win32":
        return None
    import fcntl  # noqa: PLC0415 - Windows has none

    ask_address = 0x8915 if sys.platform == "linux" else 0xC0206921
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for _, name in socket.if_nameindex():
            with contextlib.suppress(OSError):
                request = struct.pack("256s", name.encode()[:15])
                answer = fcntl.ioctl(asking.fileno(), ask_address, request)
                if answer[20] == _LOOPBACK_BYTE:
                    return name
    return None


@contextlib.contextmanager
def gloo_on(interface: str | None) -> Iterator[None]:
    """Lets gloo listen on an interface, unless the program has chosen one; None leaves it as is.

    Args:
        interface: Its name.
    """
    name = "GLOO_SOCKET_IFNAME"
    if interface is None or name in os.environ:
        yield
        return
    os.environ[name] = interface
    try:
        yield
    finally:
        os.environ.pop(name, None)

"""Downloads: how much a server may send, how long that may take, and where it may send us.

A server, or whoever stands between, can send without end, a byte now and then, less than it has
announced, or to another place. What comes is counted against what was announced, against what is
known of the file, and against `mx.limits`; a thread reads it, so that nothing holds up the program.
"""

from __future__ import annotations

import http
import importlib
import queue
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple, Protocol

from tqdm import tqdm  # type: ignore[import-untyped]  # has no stubs of its own

from mxnet import limits
from mxnet.errors import LimitExceededError, MXNetError

TIMEOUT_SECONDS = 30.0
"""How long a call of the network may take."""

_BLOCK_SIZE = 1 << 16
"""Bytes that must come in `download_stall_seconds`, but for the last ones."""
_MAX_BLOCKS = 16
_POLL_SECONDS = 0.2
_MAX_REDIRECTS = 10
_MAX_DIGITS = 18
_WEB = ("http", "https")
_REDIRECTS = {
    http.HTTPStatus.MOVED_PERMANENTLY,
    http.HTTPStatus.FOUND,
    http.HTTPStatus.SEE_OTHER,
    http.HTTPStatus.TEMPORARY_REDIRECT,
    http.HTTPStatus.PERMANENT_REDIRECT,
}
_CODINGS = ("identity", "gzip", "deflate")
"""How a reply may be packed. Others, and several after each other, unpack to gigabytes at once."""


class _Headers(Protocol):
    """Headers of a reply, whose names count in any case."""

    def get(self, name: str, /) -> str | None:
        """Returns a header, None if there is none."""


class _Reply(NamedTuple):
    """What a server has answered."""

    blocks: Iterator[bytes]
    size: int | None
    """How many bytes are announced."""


def receive(
    url: str, label: str, *, verify_ssl: bool = True, most: int | None = None
) -> Iterator[bytes]:
    """Yields the content at an address, with a progress bar on a terminal.

    Args:
        url: The address.
        label: Name of the file, for the progress bar.
        verify_ssl: Whether to check the certificate of the server.
        most: How many bytes the file can have, if that is known; otherwise `download_bytes` of
            `mx.limits` counts.

    Raises:
        LimitExceededError: if there is more than that, announced or sent.
        MXNetError: if the server sends less or more than announced, too slowly, or is not to be
            had.
    """
    pump = _Pump(url, verify_ssl)
    try:
        size = pump.begin()
        _check_size(url, size or 0, most)
        received = 0
        with tqdm(total=size, desc=label, unit="B", unit_scale=True, disable=None) as bar:
            for block in pump.blocks():
                received += len(block)
                if size is not None and received > size:
                    raise MXNetError(f"{url} sends more than the {size} bytes that it announces")
                _check_size(url, received, most)
                yield block
                bar.update(len(block))
    finally:
        pump.stop()
    if size is not None and received < size:
        raise MXNetError(f"the connection to {url} ended after {received} of {size} bytes")


def _check_size(url: str, size: int, most: int | None) -> None:
    if most is None:
        limits.check("download_bytes", size, url)
    elif size > most:
        raise LimitExceededError(f"{url}: expected at most {most:,} bytes, got {size:,}")


class _Pump:
    """Reads a reply in a thread, which can be left behind if the server does.

    Args:
        url: The address.
        verify_ssl: Whether to check the certificate of the server.
    """

    def __init__(self, url: str, verify_ssl: bool) -> None:
        self._url, self._verify_ssl = url, verify_ssl
        self._seconds = limits.get("download_stall_seconds")
        self._queue: queue.Queue[Any] = queue.Queue(_MAX_BLOCKS)
        self._is_stopped = threading.Event()
        threading.Thread(target=self._run, name="mxnet download", daemon=True).start()

    def _run(self) -> None:
        try:
            uses_requests = self._url.startswith("http") and find_spec("requests") is not None
            opened = (_request if uses_requests else _open)(self._url, self._verify_ssl)
            with opened as reply:
                self._put(("size", reply.size))
                for block in reply.blocks:
                    if not self._put(("block", block)):
                        return
            self._put(("end", None))
        except Exception as error:  # noqa: BLE001 - raised in the thread that asked for it
            self._put(("error", error))

    def _put(self, item: tuple[str, Any]) -> bool:
        """Hands an item over; returns whether it is still wanted."""
        while not self._is_stopped.is_set():
            with suppress(queue.Full):
                self._queue.put(item, timeout=_POLL_SECONDS)
                return True
        return False

    def _take(self) -> tuple[str, Any]:
        try:
            kind, value = self._queue.get(timeout=self._seconds)
        except queue.Empty:
            raise MXNetError(
                f"{self._url} sends less than {_BLOCK_SIZE} bytes in {self._seconds} s "
                '(mx.limits.set("download_stall_seconds", ...) changes that)'
            ) from None
        if kind != "error":
            return kind, value
        if isinstance(value, (OSError, ValueError, MXNetError)):
            raise value
        raise MXNetError(f"{self._url}: {type(value).__name__}: {value}") from value

    def begin(self) -> int | None:
        """Waits for the beginning of the reply, and returns how many bytes are announced."""
        size: int | None = self._take()[1]
        return size

    def blocks(self) -> Iterator[bytes]:
        """Yields what comes, block by block."""
        while (item := self._take())[0] == "block":
            yield item[1]

    def stop(self) -> None:
        """Lets the thread end; it does so after the call of the network that it is in."""
        self._is_stopped.set()


def _read_size(url: str, text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) <= _MAX_DIGITS):
        raise MXNetError(f"{url} announces {text[:40]!r} bytes")
    return int(text)


def _next_address(url: str, status: int, headers: _Headers) -> str | None:
    """Returns where a server sends us on to, None if it does not.

    Raises:
        MXNetError: if that is no address of the web, or one without the encryption of this one.
    """
    place = headers.get("Location")
    if status not in _REDIRECTS or place is None:
        return None
    target = urllib.parse.urljoin(url, place)
    before, scheme = (urllib.parse.urlsplit(item).scheme for item in (url, target))
    if scheme not in _WEB or (before == "https" and scheme != "https"):
        raise MXNetError(f"{url} sends us on to {target[:200]!r}, which is not followed")
    return target


@contextmanager
def _request(url: str, verify_ssl: bool) -> Iterator[_Reply]:
    """Opens an address by `requests`, whose functions and settings a program may have replaced."""
    requests = importlib.import_module("requests")
    ask = partial(
        requests.get,
        stream=True,
        verify=verify_ssl,
        timeout=TIMEOUT_SECONDS,
        # Which it would follow itself, reading all that comes with them into memory.
        allow_redirects=False,
        headers={"Accept-Encoding": "identity"},
    )
    address = url
    for _ in range(_MAX_REDIRECTS + 1):
        with ask(address) as reply:
            target = _next_address(address, reply.status_code, reply.headers)
            if target is None:
                yield _read_reply(address, reply)
                return
        address = target
    raise MXNetError(f"{url} sends us on more than {_MAX_REDIRECTS} times")


def _read_reply(url: str, reply: Any) -> _Reply:
    if reply.status_code != http.HTTPStatus.OK:
        raise MXNetError(f"the server answered with the status {reply.status_code}")
    coding = reply.headers.get("Content-Encoding", "identity").strip().lower()
    if coding not in _CODINGS:
        raise MXNetError(f"{url} is packed by {coding[:40]!r}, takes {', '.join(_CODINGS)}")
    size = _read_size(url, reply.headers.get("Content-Length")) if coding == "identity" else None
    return _Reply(reply.iter_content(_BLOCK_SIZE), size)


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Leaves redirects to us: Python's own reads all that comes with them into memory."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Returns no further request."""


@contextmanager
def _open(url: str, verify_ssl: bool) -> Iterator[_Reply]:
    """Opens an address by Python's own library."""
    context = None if verify_ssl else ssl._create_unverified_context()
    # Made anew for each file: `urlopen` keeps the proxies of its first call in the process.
    opener = urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context), _NoRedirects()
    )
    address = url
    for _ in range(_MAX_REDIRECTS + 1):
        try:
            with opener.open(address, timeout=TIMEOUT_SECONDS) as reply:
                if address.startswith("http") and reply.status != http.HTTPStatus.OK:
                    raise MXNetError(f"the server answered with the status {reply.status}")
                blocks = iter(partial(reply.read, _BLOCK_SIZE), b"")
                lengths = reply.headers.get_all("Content-Length")
                yield _Reply(blocks, _read_size(address, lengths and ", ".join(lengths)))
                return
        except urllib.error.HTTPError as error:
            with error:  # the answer of the server, which would keep the connection open
                target = _next_address(address, error.code, error.headers)
                if target is None:
                    raise
        address = target
    raise MXNetError(f"{url} sends us on more than {_MAX_REDIRECTS} times")

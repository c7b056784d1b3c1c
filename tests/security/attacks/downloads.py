"""Servers that send too much, too little, too slowly, or elsewhere; and archives from them.

The servers listen in the child process itself, on 127.0.0.1. Each attack downloads as a victim
would; afterwards nothing may lie in the folder but what a victim may keep.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import socket
import struct
import tarfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import mxnet as mx
from mxnet import test_utils
from mxnet._formats import archives, downloads
from mxnet.gluon.data import vision
from mxnet.gluon.model_zoo import model_store
from mxnet.gluon.utils import download
from tests.security.attack import Attacks

TABLE = Attacks()

LIMITS = {
    "download_bytes": 1 << 19,
    "download_stall_seconds": 1,
    "archive_bytes": 1 << 20,
    "archive_members": 1000,
}
"""Lower than usual, so that attacks that come up against them are quick."""
OK = b"HTTP/1.1 200 OK\r\n"
BLOCK = bytes(1 << 16)


class LeftError(Exception):
    """A refused download has left something; not an error that an attack may end with."""


def serve(reply: Callable[[socket.socket, int], object]) -> str:
    """Starts a server and returns its address; `reply` is given each connection and its number."""
    listener = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"

    def run() -> None:
        for number in range(200):
            connection, _ = listener.accept()
            threading.Thread(target=answer, args=(connection, number), daemon=True).start()

    def answer(connection: socket.socket, number: int) -> None:
        with connection:
            try:
                connection.recv(1 << 16)
                reply(connection, number)
            except OSError:
                return  # the victim has gone

    threading.Thread(target=run, daemon=True).start()
    return address


def send(parts: Iterable[bytes]) -> Callable[[socket.socket, int], None]:
    """Returns a reply of some parts."""

    def reply(connection: socket.socket, number: int) -> None:
        del number
        for part in parts if isinstance(parts, (list, tuple)) else iter(parts):
            connection.sendall(part)

    return reply


def endless(start: bytes, block: bytes = BLOCK, seconds: float = 0.0) -> Iterator[bytes]:
    yield start
    while True:
        yield block
        time.sleep(seconds)


def slowly(content: bytes, seconds: float = 0.3) -> Iterator[bytes]:
    for byte in content * 1000:
        yield bytes([byte])
        time.sleep(seconds)


def redirect(place: str, body: bytes = b"") -> list[bytes]:
    return [b"HTTP/1.1 302 Found\r\nLocation: " + place.encode() + b"\r\n\r\n", body]


def chunked(connection: socket.socket, number: int) -> None:
    del number
    connection.sendall(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    while True:
        connection.sendall(b"10000\r\n" + BLOCK + b"\r\n")


def packed(coding: bytes, content: bytes) -> list[bytes]:
    return [OK + b"Content-Encoding: " + coding + b"\r\n\r\n" + content]


def bomb(layers: int) -> bytes:
    content = bytes(1 << 24)
    for _ in range(layers):
        content = gzip.compress(content)
    return content


Reply = Callable[[], Callable[[socket.socket, int], object]]
REPLIES: list[tuple[str, Reply]] = [
    ("without_end", lambda: send(endless(OK + b"\r\n"))),
    ("chunks_without_end", lambda: chunked),
    ("announced_terabytes", lambda: send(endless(OK + b"Content-Length: 9999999999999\r\n\r\n"))),
    ("announced_more_than_sent", lambda: send([OK + b"Content-Length: 100\r\n\r\nshort"])),
    ("negative_length", lambda: send([OK + b"Content-Length: -1\r\n\r\nabc"])),
    ("length_of_words", lambda: send([OK + b"Content-Length: 0x10\r\n\r\nabc"])),
    ("length_of_digits", lambda: send([OK + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\nabc"])),
    ("two_lengths", lambda: send([OK + b"Content-Length: 3\r\nContent-Length: 9\r\n\r\nabc"])),
    ("a_byte_now_and_then", lambda: send(endless(OK + b"\r\n", b"x", 0.2))),
    ("announced_and_a_byte_now_and_then", lambda: send(
        endless(OK + b"Content-Length: 1000000\r\n\r\n", b"x", 0.2))),
    ("nothing_at_all", lambda: send(slowly(b"", 60))),
    ("silence", lambda: lambda *_: time.sleep(60)),
    ("headers_now_and_then", lambda: send(slowly(b"HTTP/1.1 200 OK\r\nX: y\r\n"))),
    ("headers_without_end", lambda: send(endless(OK, b"X: " + b"y" * 1000 + b"\r\n"))),
    ("a_header_without_end", lambda: send(endless(OK + b"X: ", b"y" * 65536))),
    ("a_status_without_end", lambda: send(endless(b"", b"HTTP" * 10000))),
    ("no_reply", lambda: lambda *_: None),
    ("no_http", lambda: send([b"\0" * 1000])),
    ("another_status", lambda: send([b"HTTP/1.1 206 Partial\r\nContent-Length: 3\r\n\r\nabc"])),
    ("redirect_to_a_file", lambda: send(redirect("file:///etc/passwd"))),
    ("redirect_to_data", lambda: send(redirect("data:,owned"))),
    ("redirect_to_ftp", lambda: send(redirect("ftp://127.0.0.1/x"))),
    ("redirect_to_itself", lambda: send(redirect("/again"))),
    ("redirect_to_nonsense", lambda: send(redirect("http://[::1"))),
    ("redirect_with_a_body_without_end", lambda: send(endless(redirect("/x")[0]))),
    ("redirect_without_a_place", lambda: send([b"HTTP/1.1 302 Found\r\n\r\n"])),
    ("gzip_bomb", lambda: send(packed(b"gzip", bomb(1)))),
    ("gzip_bomb_twice", lambda: send(packed(b"gzip, gzip", bomb(2)))),
    ("unknown_packing", lambda: send(packed(b"zstd", b"(\xb5/\xfd"))),
    ("tiny_chunks_without_end", lambda: send(
        endless(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\nx\r\n" * 100))),
    ("a_bad_chunk", lambda: send([OK + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc"])),
]  # fmt: skip


def fetch(folder: Path, reply: object, **options: object) -> None:
    """Downloads from a hostile server, and looks at what is left."""
    url = serve(reply())
    try:
        with mx.limits.scope(**LIMITS):
            download(f"{url}/net.params", str(folder / "net.params"), retries=0, **options)
    finally:
        left = [path.name for path in folder.iterdir()]
        if left:
            raise LeftError(f"left: {left}")


def fetch_by_urllib(folder: Path, reply: object) -> None:
    """Downloads where `requests` is not installed."""
    downloads.find_spec = lambda _: None
    fetch(folder, reply)


PACKED_BY_REQUESTS = ("gzip_bomb", "gzip_bomb_twice", "unknown_packing")
"""Python's own library unpacks nothing: what comes is stored as it is."""

TABLE.add_each("requests", REPLIES, fetch)
TABLE.add_each(
    "urllib", [row for row in REPLIES if row[0] not in PACKED_BY_REQUESTS], fetch_by_urllib
)


@TABLE.add
def model_larger_than_the_published_one(folder: Path) -> None:
    """A file of 5 MB is not taken from a server that sends gigabytes."""
    os.environ["MXNET_GLUON_REPO"] = serve(send(endless(OK + b"\r\n")))
    begin = time.monotonic()
    try:
        model_store.get_model_file("squeezenet1.1", str(folder / "models"))
    finally:
        if time.monotonic() - begin > 5 or any((folder / "models").iterdir()):
            raise LeftError("too much was taken")


@TABLE.add
def model_with_another_content(folder: Path) -> None:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("squeezenet1.1-33ba0f93.params", b"other")
    body = content.getvalue()
    head = OK + f"Content-Length: {len(body)}\r\n\r\n".encode()
    os.environ["MXNET_GLUON_REPO"] = serve(send([head + body]))
    model_store.get_model_file("squeezenet1.1", str(folder / "models"))


def zip_of(*members: tuple[str, bytes], mode: int = 0) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in members:
            entry = zipfile.ZipInfo(name)
            entry.external_attr, entry.compress_type = mode << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, body)
    return content.getvalue()


def tar_of(name: str, body: bytes = b"", kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size, info.type, info.linkname = len(body), kind, link
        archive.addfile(info, io.BytesIO(body))
    return content.getvalue()


def tar_header(size: int, kind: bytes) -> bytes:
    info = tarfile.TarInfo("x")
    info.size, info.type = size, kind
    return info.tobuf(tarfile.GNU_FORMAT)


def many_in_a_zip(count: int) -> bytes:
    """Returns an archive whose list has very many members, all of the same bytes."""
    local = struct.pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"x"
    row = struct.pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0)
    rows = (row + b"x") * count
    short = count & 0xFFFF
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, short, short, len(rows), len(local), 0)
    return local + rows + end


ZEROS = bytes(1 << 22)
ARCHIVES = [
    ("zip_leads_out", zip_of(("../x", b"bad"))),
    ("zip_leads_to_the_root", zip_of(("/tmp/owned", b"bad"))),
    ("zip_leads_out_below", zip_of(("a/../../x", b"bad"))),
    ("zip_with_backslashes", zip_of(("..\\x", b"bad"))),
    ("zip_with_a_link", zip_of(("link", b"/etc/passwd"), mode=0o120777)),
    ("zip_with_a_device", zip_of(("device", b""), mode=0o20666)),
    ("zip_bomb", zip_of(*((f"{n}", ZEROS) for n in range(3)))),
    ("zip_of_very_many_files", many_in_a_zip(300_000)),
    ("zip_with_a_file_for_a_folder", zip_of(("a", b"1"), ("a/b", b"2"))),
    ("zip_cut_off", zip_of(("a", b"1" * 1000))[:-30]),
    ("zip_that_is_none", b"PK\3\4" + bytes(100)),
    ("zip_without_an_end", b"PK\5\6" + b"\xff" * 18),
    ("tar_leads_out", tar_of("../x", b"bad")),
    ("tar_with_a_link", tar_of("x", kind=tarfile.SYMTYPE, link="/etc/passwd")),
    ("tar_with_a_hard_link", tar_of("x", kind=tarfile.LNKTYPE, link="../../x")),
    ("tar_with_a_pipe", tar_of("x", kind=tarfile.FIFOTYPE)),
    ("tar_with_a_device", tar_of("x", kind=tarfile.CHRTYPE)),
    ("tar_with_terabytes", tar_header(1 << 42, tarfile.REGTYPE)),
    ("tar_with_a_negative_size", tar_header(-5, tarfile.REGTYPE)),
    ("tar_with_a_header_of_gigabytes", gzip.compress(tar_header(1 << 31, tarfile.XHDTYPE) + ZEROS)),
    ("tar_with_a_name_of_gigabytes", gzip.compress(
        tar_header(1 << 31, tarfile.GNUTYPE_LONGNAME) + ZEROS)),
    ("tar_with_holes", tar_header(10, tarfile.GNUTYPE_SPARSE) + bytes(512)),
    ("tar_of_very_many_files", gzip.compress(tar_header(0, tarfile.REGTYPE) * 3000)),
    ("tar_cut_off", tar_of("x", b"1" * 5000)[:2000]),
    ("tar_that_is_none", b"x" * 5000),
    ("tar_in_a_bomb", bz2.compress(tar_header(1 << 30, tarfile.REGTYPE) + ZEROS)),
    ("tar_in_damaged_xz", lzma.compress(tar_of("x", b"1" * 99999))[:-40]),
    ("empty", b""),
]  # fmt: skip


def unpack(folder: Path, content: object) -> None:
    """Unpacks an archive from a stranger, as `get_zip_data` does."""
    (folder / "in").mkdir()
    path = folder / "in" / "data.zip"
    path.write_bytes(content)
    try:
        with mx.limits.scope(**LIMITS):
            test_utils.get_zip_data(str(folder / "in"), "http://127.0.0.1:9/data.zip", "data.zip")
        if not content:
            raise ValueError("data.zip holds nothing")
    finally:
        outside = [item.name for item in folder.iterdir() if item.name != "in"]
        odd = [item for item in (folder / "in").rglob("*") if item.is_symlink()]
        if outside or odd or Path("/tmp/owned").exists():
            raise LeftError(f"left: {outside} {odd}")


TABLE.add_each("unpack", ARCHIVES, unpack)


@TABLE.add
def bz2_bomb(folder: Path) -> None:
    (folder / "a.bz2").write_bytes(bz2.compress(ZEROS))
    with mx.limits.scope(**LIMITS):
        test_utils.get_bz2_data(str(folder), "a.txt", "http://127.0.0.1:9/a.bz2", "a.bz2")


@TABLE.add
def gzip_bomb_for_mnist(folder: Path) -> None:
    os.chdir(folder)
    (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(ZEROS))
    with mx.limits.scope(**LIMITS):
        test_utils.get_mnist_ubyte()


@TABLE.add(names="b.zip")
def pipe_for_an_archive(folder: Path) -> None:
    os.mkfifo(folder / "b.zip")
    with archives.open_archive(folder / "b.zip") as members:
        list(members)


FURTHER_FIELDS = tar_header(65_536, tarfile.XHDTYPE) + b"5 a=\n" * 13_106 + b"6 aa=\n"
"""A header with as many fields as fit into one."""


@TABLE.add(names="headers before one file")
def headers_in_a_row(folder: Path) -> None:
    (folder / "cifar-10-binary.tar.gz").write_bytes(gzip.compress(FURTHER_FIELDS * 600, 1))
    vision.CIFAR10(str(folder))


@TABLE.add(names="files of an archive")
def fields_of_many_files(folder: Path) -> None:
    content = (FURTHER_FIELDS + tar_header(0, tarfile.REGTYPE)) * 20
    (folder / "cifar-10-binary.tar.gz").write_bytes(gzip.compress(content, 1))
    with mx.limits.scope(archive_members=1000):
        vision.CIFAR10(str(folder))

"""Answers the downloads of tests with data of the same form, made here; nothing else is reached.

    python -m tools.suites.downloads FOLDER

makes the files, with NumPy and OpenCV; `serve` answers from them.
"""

from __future__ import annotations

import gzip
import io
import struct
import sys
import tarfile
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

HOST = "data.mxnet.io"
STAMP = "made"
RECORD = 0xCED7230A
"""The number that begins a record."""


def make_files(folder: Path) -> None:
    """Makes what tests ask `HOST` for, below a folder."""
    import numpy as np

    random = np.random.default_rng(7)
    write(folder, "data/test_images.tar.gz", pack_pictures(random))
    digits = make_digits(random)
    write(folder, "mxnet/data/mnist.zip", pack(digits))
    for name, data in digits.items():
        write(folder, f"data/mnist/{name}.gz", gzip.compress(data, 1))
    write(folder, "mxnet/data/cifar10.zip", pack(make_records(random)))
    write(folder, STAMP, b"")


def write(folder: Path, name: str, data: bytes) -> None:
    """Writes a file and the folders it lies in."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def pack(files: dict[str, bytes]) -> bytes:
    """Returns an archive of files."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as target:
        for name, data in files.items():
            target.writestr(name, data)
    return archive.getvalue()


def pack_pictures(random: Any) -> bytes:
    """Returns an archive of photographs' size: smooth colours with a few boxes on them."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as target:
        for number in range(16):
            height, width = random.integers(220, 380, 2)
            data = as_jpeg(draw(random, height, width))
            entry = tarfile.TarInfo(f"test_images/{number}.jpg")
            entry.size = len(data)
            target.addfile(entry, io.BytesIO(data))
    return archive.getvalue()


def draw(random: Any, height: int, width: int) -> Any:
    """Returns a picture, `(height, width, 3)`: waves of colour, on which boxes lie."""
    import numpy as np

    rows, columns = np.linspace(0, 1, height)[:, None, None], np.linspace(0, 1, width)[:, None]
    speed, phase = random.uniform(1, 9, (2, 3)), random.uniform(0, 6, 3)
    picture = 127 + 110 * np.sin(speed[0] * rows + speed[1] * columns + phase)
    for _ in range(6):
        top, left = random.integers(0, height), random.integers(0, width)
        bottom, right = top + 1 + height // 5, left + 1 + width // 5
        picture[top:bottom, left:right] = random.integers(0, 256, 3)
    return picture.astype("uint8")


def as_jpeg(picture: Any) -> bytes:
    """Returns a picture as the bytes of a file."""
    import cv2

    return cv2.imencode(".jpg", picture)[1].tobytes()


def make_digits(random: Any) -> dict[str, bytes]:
    """Returns files as those of MNIST: ten patterns, each under noise."""
    import numpy as np

    # As dark as digits are: larger numbers would make steps too large that suit those.
    patterns = 96 * (random.random((10, 7, 7)) < 0.15).repeat(4, 1).repeat(4, 2)
    files = {}
    for part, number in (("train", 60000), ("t10k", 10000)):
        labels = random.integers(0, 10, number).astype("uint8")
        noise = random.integers(-60, 61, (number, 28, 28), "int16")
        pictures = np.clip(patterns[labels] + noise, 0, 255).astype("uint8")
        head = struct.pack(">iiii", 2051, number, 28, 28)
        files[f"{part}-images-idx3-ubyte"] = head + pictures.tobytes()
        files[f"{part}-labels-idx1-ubyte"] = struct.pack(">ii", 2049, number) + labels.tobytes()
    return files


def make_records(random: Any) -> dict[str, bytes]:
    """Returns files as those of CIFAR-10: records of small pictures, as many of each class."""
    kinds = [[as_jpeg(draw(random, 32, 32)) for _ in range(4)] for _ in range(10)]
    files = {}
    for part, number in (("train", 50000), ("test", 10000)):
        labels = random.permutation(number) % 10
        records, lines = [], []
        for index, label in enumerate(labels):
            data = struct.pack("<IfQQ", 0, label, index, 0) + kinds[label][index % 4]
            records.append(struct.pack("<II", RECORD, len(data)) + data + bytes(-len(data) % 4))
            lines.append(f"{index}\t{label}\t{part}/{index}.jpg\n")
        files[f"cifar/{part}.rec"] = b"".join(records)
        files[f"cifar/{part}.lst"] = "".join(lines).encode()
    return files


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Runs a proxy on this machine that knows the files of a folder and nothing else.

    Yields:
        The address of the proxy.
    """

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            path = (folder / parts.path.lstrip("/")).resolve()
            known = parts.hostname == HOST and path.is_file() and folder in path.parents
            if not known:
                self.send_error(403, "tests run without a network")
                return
            data = path.read_bytes()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def do_CONNECT(self) -> None:
            self.send_error(403, "tests run without a network")

        def log_message(self, *_arguments: object) -> None:
            """Says nothing of requests."""

    folder = folder.resolve()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    make_files(Path(sys.argv[1]))

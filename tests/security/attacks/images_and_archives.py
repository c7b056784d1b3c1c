"""Images that declare gigabytes of pixels, and archives that unpack to gigabytes of zeros."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import mxnet as mx
from mxnet import recordio
from mxnet.gluon.data import vision
from tests.security.attack import Attacks

TABLE = Attacks()

SIDE = 20_000


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, data: bytes = b"") -> bytes:
    """Returns a PNG of one bit a pixel."""
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


def zeros(size: int) -> bytes:
    """Returns that many zeros, packed by zlib."""
    packer = zlib.compressobj(1)
    block = bytes(1 << 20)
    parts = [
        packer.compress(block[: min(len(block), size - at)]) for at in range(0, size, len(block))
    ]
    return b"".join(parts) + packer.flush()


def real_png() -> bytes:
    """Returns a whole picture of 20,000 by 20,000 pixels in about fifty kilobytes."""
    return png(SIDE, SIDE, zeros((SIDE // 8 + 1) * SIDE))


def jpeg(width: int, height: int, before: bytes = b"") -> bytes:
    frame = struct.pack(">BHHBBBBBBBBBB", 8, height, width, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
    segment = b"\xff\xc0" + struct.pack(">H", len(frame) + 2) + frame
    scan = b"\xff\xda\x00\x0c\x03\x01\x00\x02\x00\x03\x00\x00\x3f\x00"
    return b"\xff\xd8" + before + segment + scan + bytes(64) + b"\xff\xd9"


def tiff(order: str, width: int, height: int, tags: tuple[int, int] = (256, 257)) -> bytes:
    magic = b"II*\0" if order == "<" else b"MM\0*"
    entries = [(tags[0], width), (tags[1], height), (258, 8), (259, 1), (262, 1), (273, 8)]
    if tags[0] != 256:
        entries += [(256, 8), (257, 8)]
    body = struct.pack(f"{order}H", len(entries))
    for tag, value in sorted(entries):
        body += struct.pack(f"{order}HHII", tag, 4, 1, value)
    return magic + struct.pack(f"{order}I", 8) + body + bytes(4)


def webp(kind: bytes, payload: bytes) -> bytes:
    body = b"WEBP" + kind + struct.pack("<I", len(payload)) + payload
    return b"RIFF" + struct.pack("<I", len(body)) + body


IMAGES = [
    ("png_of_bits", png(SIDE, SIDE)),
    ("png_header_alone", png(2**31 - 1, 2**31 - 1)),
    ("png_wide", png(2**20, 2**10)),
    ("jpeg", jpeg(65535, 65535)),
    ("jpeg_after_segments", jpeg(65535, 65535, b"\xff\xe1\x00\x08EXIF\0\0\xff\xfe\x00\x04ab")),
    ("jpeg_after_filling", jpeg(65535, 65535, b"\xff\xff\xff\xfe\x00\x04ab")),
    ("gif", b"GIF89a" + struct.pack("<HHBBB", 65535, 65535, 0, 0, 0) + bytes(32) + b";"),
    (
        "bmp",
        b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, 30000, 30000, 1, 24, *[0] * 6),
    ),
    (
        "bmp_upside_down",
        b"BM" + struct.pack("<IHHIIiiHHIIiiII", 54, 0, 0, 54, 40, 30000, -30000, 1, 1, *[0] * 6),
    ),
    ("webp_extended", webp(b"VP8X", bytes(4) + b"\xff\x3f\x00" * 2 + bytes(64))),
    ("webp_lossless", webp(b"VP8L", b"\x2f" + struct.pack("<I", 0x0FFFFFFF) + bytes(64))),
    ("tiff", tiff("<", 2**31 - 1, 4)),
    ("tiff_big_endian", tiff(">", 60000, 60000)),
    ("tiff_of_one_tile", tiff("<", 2**15, 2**15, (322, 323))),
    ("pgm", b"P5\n# a comment\n100000 100000\n255\n" + bytes(64)),
    ("pbm", b"P4 100000 100000\n" + bytes(64)),
    ("pam", b"P7\nWIDTH 100000\nHEIGHT 100000\nDEPTH 3\nMAXVAL 255\nENDHDR\n" + bytes(64)),
    ("pfm", b"Pf\n100000 100000\n-1.0\n" + bytes(64)),
    ("radiance", b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 100000 +X 100000\n" + bytes(64)),
    ("sun", struct.pack(">IIIIIIII", 0x59A66A95, 100000, 100000, 24, 0, 1, 0, 0) + bytes(64)),
    (
        "jpeg2000",
        b"\xff\x4f\xff\x51\x00\x2f\x00\x00" + struct.pack(">IIII", 10**5, 10**5, 0, 0) + bytes(64),
    ),
]


def imread(folder: Path, content: object) -> None:
    path = folder / "picture.img"
    path.write_bytes(content)
    mx.image.imread(str(path))


TABLE.add_each("imread", IMAGES, imread)


@TABLE.add
def imread_a_whole_png(folder: Path) -> None:
    imread(folder, real_png())


def folder_dataset(path: Path, content: bytes) -> None:
    (path.parent / "class").mkdir()
    path.rename(path.parent / "class" / "picture.png")
    (path.parent / "class" / "picture.png").write_bytes(content)
    vision.ImageFolderDataset(str(path.parent))[0]


def write_records(path: Path, content: bytes) -> None:
    writer = recordio.MXIndexedRecordIO(str(path.with_suffix(".idx")), str(path), "w")
    writer.write_idx(0, recordio.pack(recordio.IRHeader(0, 1.0, 0, 0), content))
    writer.close()


def record_iter(path: Path, content: bytes) -> None:
    write_records(path, content)
    next(mx.io.ImageRecordIter(path_imgrec=str(path), data_shape=(3, 8, 8), batch_size=1))


def detection_iter(path: Path, content: bytes) -> None:
    write_records(path, content)
    mx.io.ImageDetRecordIter(path_imgrec=str(path), data_shape=(3, 8, 8), batch_size=1).next()


def record_dataset(path: Path, content: bytes) -> None:
    write_records(path, content)
    vision.ImageRecordDataset(str(path))[0]


def list_iter(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    images = mx.image.ImageIter(
        1, (3, 8, 8), imglist=[[1.0, path.name]], path_root=str(path.parent)
    )
    images.next()


USERS: list[tuple[str, Callable[[Path, bytes], None], str]] = [
    ("folder_dataset", folder_dataset, "picture.png"),
    ("record_iter", record_iter, "a.rec"),
    ("detection_iter", detection_iter, "a.rec"),
    ("record_dataset", record_dataset, "a.rec"),
    ("list_iter", list_iter, "a.png"),
]


def use(folder: Path, case: object) -> None:
    read, name = case
    path = folder / name
    path.touch()
    read(path, png(SIDE, SIDE))


TABLE.add_each("use", [(label, (read, name)) for label, read, name in USERS], use)


@TABLE.add(names="record 0")
def unpack_img(_folder: Path) -> None:
    recordio.unpack_img(recordio.pack(recordio.IRHeader(0, 1.0, 0, 0), png(SIDE, SIDE)))


@TABLE.add(names="imdecode")
def imdecode(_folder: Path) -> None:
    mx.image.imdecode(png(SIDE, SIDE))


def idx(*shape: int) -> bytes:
    return struct.pack(f">BBBB{len(shape)}I", 0, 0, 8, len(shape), *shape)


def bomb(start: bytes) -> bytes:
    """Returns a gzip file of a few bytes and a gigabyte of zeros, which take a thousandth."""
    return gzip.compress(start) + gzip.compress(bytes(1 << 20)) * (BOMB >> 20)


BOMB = 1 << 30
LESS = 1 << 26
"""A limit that is reached sooner than the usual one, to save the tests time."""

MNIST_IMAGES = "train-images-idx3-ubyte.gz"


def mnist(folder: Path, content: object) -> None:
    (folder / MNIST_IMAGES).write_bytes(content())
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(gzip.compress(idx(1) + b"\0"))
    with mx.limits.scope(archive_bytes=LESS):
        vision.MNIST(str(folder))


def mnist_iter(folder: Path, content: object) -> None:
    (folder / MNIST_IMAGES).write_bytes(content())
    label = folder / "train-labels-idx1-ubyte"
    label.write_bytes(struct.pack(">II", 2049, 1) + b"\0")
    with mx.limits.scope(archive_bytes=LESS):
        mx.io.MNISTIter(image=str(folder / MNIST_IMAGES), label=str(label), batch_size=1)


IDX = [
    ("gzip_bomb", lambda: bomb(idx(BOMB >> 20, 1 << 10, 1 << 10))),
    ("bomb_behind_the_header", lambda: bomb(idx(2**32 - 1, 2**32 - 1, 2**32 - 1))),
    ("announces_exabytes", lambda: idx(2**32 - 1, 2**32 - 1, 2**32 - 1) + bytes(64)),
    ("cut_off", lambda: gzip.compress(idx(4, 28, 28) + bytes(4 * 784))[:-20]),
    ("wrong_check", lambda: gzip.compress(idx(1, 1, 1) + b"\0")[:-8] + bytes(8)),
    ("no_header", lambda: gzip.compress(b"")),
]
TABLE.add_each("mnist", IDX, mnist)
TABLE.add_each("mnist_iter", [row for row in IDX if row[0] != "wrong_check"], mnist_iter)


def tar(members: dict[str, int], pack: Callable[[bytes], bytes]) -> bytes:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as archive:
        for name, size in members.items():
            info = tarfile.TarInfo(name)
            info.size = size
            archive.addfile(info, io.BytesIO(bytes(size)))
    return pack(content.getvalue())


def forged_tar() -> bytes:
    """Returns an archive whose member says that it has eight exabytes."""
    info = tarfile.TarInfo("data_batch_1.bin")
    info.size = 2**63 - 512
    return gzip.compress(info.tobuf(tarfile.GNU_FORMAT) + bytes(1024))


def long_name_tar() -> bytes:
    """Returns an archive in which the name of a file is a gigabyte."""
    info = tarfile.TarInfo("././@LongLink")
    info.type, info.size = tarfile.GNUTYPE_LONGNAME, BOMB
    return bomb(info.tobuf(tarfile.GNU_FORMAT))


def large_member_tar(name: str) -> bytes:
    info = tarfile.TarInfo(name)
    info.size = BOMB
    return bomb(info.tobuf(tarfile.GNU_FORMAT))


CIFAR = [
    ("member_of_exabytes", forged_tar),
    ("long_name", long_name_tar),
    ("gzip_bomb", lambda: large_member_tar("x/data_batch_1.bin")),
    ("bomb_passed_over", lambda: large_member_tar("other")),
    ("odd_size", lambda: tar({f"data_batch_{i}.bin": 3074 for i in range(1, 6)}, gzip.compress)),
    ("bzip2", lambda: tar({"data_batch_1.bin": 100}, bz2.compress)),
    ("xz", lambda: tar({"data_batch_1.bin": 100}, lzma.compress)),
    ("no_archive", lambda: b"not an archive at all" * 100),
    ("only_links", lambda: tar({}, gzip.compress)),
]


def cifar(folder: Path, content: object) -> None:
    (folder / "cifar-10-binary.tar.gz").write_bytes(content())
    with mx.limits.scope(archive_bytes=LESS):
        vision.CIFAR10(str(folder))


TABLE.add_each("cifar", CIFAR, cifar)


def npz_bomb() -> bytes:
    """Returns an archive of eighty arrays of a megabyte, each packed into a kilobyte."""
    text = b"{'descr': '|u1', 'fortran_order': False, 'shape': (1048576,)}\n"
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text + bytes(1 << 20)
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(80):
            archive.writestr(f"{number}.npy", array)
    return content.getvalue()


@TABLE.add
def npz(folder: Path) -> None:
    path = folder / "net.params"
    path.write_bytes(npz_bomb())
    with mx.limits.scope(archive_bytes=LESS):
        mx.nd.load(str(path))

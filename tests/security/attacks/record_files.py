"""Hostile `.rec`, `.idx`, `.lst`, `.csv` and `.libsvm` files."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import mxnet as mx
from mxnet import recordio
from mxnet.gluon.data import vision
from tests.security.attack import Attacks

TABLE = Attacks()

MAGIC = 0xCED7230A
WHOLE, FIRST, MIDDLE, LAST = range(4)
GOOD = struct.pack("<II", MAGIC, 4) + b"good"


def part(kind: int, length: int, content: bytes = b"") -> bytes:
    return struct.pack("<II", MAGIC, kind << 29 | length) + content


RECORDS = [
    ("zeros", bytes(64)),
    ("header_alone", part(WHOLE, 2**29 - 1)),
    ("half_a_header", struct.pack("<I", MAGIC)),
    ("length_of_half_a_gigabyte", part(WHOLE, 2**29 - 1, bytes(64))),
    ("unknown_kind", part(7, 4, bytes(4))),
    ("begins_in_the_middle", part(MIDDLE, 4, bytes(4))),
    ("begins_at_the_end", part(LAST, 4, bytes(4))),
    ("never_ends", part(FIRST, 4, bytes(4)) + part(MIDDLE, 0) * 10_000),
    ("whole_within_a_split", part(FIRST, 4, bytes(4)) + GOOD),
    ("part_of_half_a_gigabyte", part(FIRST, 4, bytes(4)) + part(MIDDLE, 2**29 - 1)),
    ("padding_is_missing", part(WHOLE, 3, b"abc")),
    ("magic_upside_down", struct.pack(">II", MAGIC, 4) + b"good"),
]


def read(folder: Path, content: object) -> None:
    path = folder / "a.rec"
    path.write_bytes(content)
    reader = recordio.MXRecordIO(str(path), "r")
    while reader.read() is not None:
        pass


def iterate(folder: Path, content: object) -> None:
    path = folder / "a.rec"
    path.write_bytes(content)
    options = {"path_imgrec": str(path), "data_shape": (3, 8, 8), "batch_size": 1}
    for _ in mx.io.ImageRecordIter(**options, shuffle=True):
        pass


TABLE.add_each("read", RECORDS, read)
TABLE.add_each("image_iter", RECORDS, iterate)


def image_record(flag: int, rest: bytes) -> bytes:
    content = struct.pack("<IfQQ", flag, 0.0, 7, 0) + rest
    content += bytes(-len(content) % 4)
    return part(WHOLE, len(content), content)


LABELS = [
    ("four_billion_labels", image_record(2**32 - 1, bytes(64))),
    ("more_labels_than_bytes", image_record(17, bytes(64))),
    ("no_image", image_record(0, b"")),
    ("no_image_behind_labels", image_record(4, bytes(16))),
    ("text_for_an_image", image_record(0, b"not an image")),
    ("shorter_than_a_header", part(WHOLE, 8, bytes(8))),
]
TABLE.add_each("labels", LABELS, iterate)


def image_dataset(folder: Path, content: object) -> None:
    (folder / "a.rec").write_bytes(content)
    (folder / "a.idx").write_text("0\t0\n")
    vision.ImageRecordDataset(str(folder / "a.rec"))[0]


TABLE.add_each("dataset", LABELS, image_dataset)

INDICES = [
    ("position_beyond_the_file", "0\t1000000000\n"),
    ("negative_position", "0\t-8\n"),
    ("position_beyond_int64", f"0\t{2**70}\n"),
    ("position_of_five_thousand_digits", "0\t" + "9" * 5000 + "\n"),
    ("key_of_five_thousand_digits", "9" * 5000 + "\t0\n"),
    ("within_a_record", "0\t2\n"),
    ("no_position", "0\n"),
    ("no_numbers", "zero\tzero\n"),
    ("fraction", "0\t0.5\n"),
    ("binary", "\x00\x01\x02\n"),
    ("one_long_line", "0" * 10**6),
]


def read_by_key(folder: Path, text: object) -> None:
    (folder / "a.rec").write_bytes(GOOD)
    (folder / "a.idx").write_text(text)
    reader = recordio.MXIndexedRecordIO(str(folder / "a.idx"), str(folder / "a.rec"), "r")
    reader.read_idx(0)


def iterate_by_index(folder: Path, text: object) -> None:
    (folder / "a.rec").write_bytes(GOOD)
    (folder / "a.idx").write_text(text)
    options = {"path_imgrec": str(folder / "a.rec"), "path_imgidx": str(folder / "a.idx")}
    next(mx.io.ImageRecordIter(**options, data_shape=(3, 8, 8), batch_size=1))


TABLE.add_each("key", INDICES, read_by_key)
TABLE.add_each("index", INDICES, iterate_by_index)


@TABLE.add
def index_that_is_no_text(folder: Path) -> None:
    (folder / "a.rec").write_bytes(GOOD)
    (folder / "a.idx").write_bytes(b"\xff\xfe\xfd")
    recordio.MXIndexedRecordIO(str(folder / "a.idx"), str(folder / "a.rec"), "r")


def csv(shape: tuple[int, ...], text: bytes) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        path = folder / "a.csv"
        path.write_bytes(text)
        next(mx.io.CSVIter(data_csv=str(path), data_shape=shape, batch_size=1))

    return run


def libsvm(width: int, text: bytes, batch_size: int = 1) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        path = folder / "a.libsvm"
        path.write_bytes(text)
        options = {"data_libsvm": str(path), "data_shape": (width,), "batch_size": batch_size}
        next(mx.io.LibSVMIter(**options)).data[0].asnumpy()

    return run


def image_list(text: bytes) -> Callable[[Path], object]:
    def run(folder: Path) -> None:
        path = folder / "a.lst"
        path.write_bytes(text)
        images = mx.image.ImageIter(1, (3, 8, 8), path_imglist=str(path), path_root=str(folder))
        images.next()

    return run


TEXTS: list[tuple[str, Callable[[Path], object]]] = [
    ("csv_of_terabytes", csv((10**12,), b"1,2,3\n")),
    ("csv_that_overflows", csv((2**62, 2**62), b"1,2,3\n")),
    ("csv_of_words", csv((3,), b"one,two,three\n")),
    ("csv_uneven", csv((3,), b"1,2,3\n1,2\n")),
    ("csv_binary", csv((3,), bytes(range(256)))),
    ("csv_of_commas", csv((3,), b"," * 10**5)),
    ("csv_one_long_number", csv((1,), b"1" * 10**6 + b"x\n")),
    ("libsvm_column_outside", libsvm(4, b"1 4:1.0\n")),
    ("libsvm_negative_column", libsvm(4, b"1 -1:1.0\n")),
    ("libsvm_column_beyond_int64", libsvm(4, b"1 99999999999999999999:1.0\n")),
    ("libsvm_colons", libsvm(4, b":" * 10**5 + b"\n")),
    ("libsvm_words", libsvm(4, b"one two:three\n")),
    ("libsvm_binary", libsvm(4, bytes(range(256)))),
    ("list_of_words", image_list(b"one\ttwo\tthree\n")),
    ("list_without_tabs", image_list(b"0 1 a.png\n")),
    ("list_key_of_five_thousand_digits", image_list(b"9" * 5000 + b"\t1\ta.png\n")),
    ("list_binary", image_list(b"\xff\xfe\x00\n")),
    ("list_that_lists_itself", image_list(b"0\t1\ta.lst\n")),
]
TABLE.add_each("text", TEXTS, lambda folder, run: run(folder))

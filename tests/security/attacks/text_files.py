"""Hostile text: numbers, lines and columns in CSV, LibSVM, lists, vectors and hostfiles."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import mxnet as mx
from mxnet import recordio
from mxnet.contrib import text
from mxnet.gluon.data import vision
from mxnet.tools import im2rec, launch
from tests.security.attack import Attacks

TABLE = Attacks()
MEGABYTE = 1 << 20

Read = Callable[[Path], object]


@contextmanager
def without_escapes() -> Iterator[None]:
    """Fails if a message would be obeyed by the terminal that shows it."""
    try:
        yield
    except Exception as error:
        assert "\x1b" not in str(error)
        raise


def read_csv(path: Path, shape: tuple[int, ...] = (3,), dtype: str = "float32") -> None:
    next(mx.io.CSVIter(data_csv=str(path), data_shape=shape, batch_size=1, dtype=dtype))


def read_libsvm(path: Path, width: int = 4) -> None:
    next(mx.io.LibSVMIter(data_libsvm=str(path), data_shape=(width,), batch_size=1))


def read_vectors(path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text.embedding.CustomEmbedding(str(path))


def read_image_list(path: Path) -> None:
    (path.parent / "itself").symlink_to("itself")
    with without_escapes():
        mx.image.ImageIter(1, (3, 8, 8), path_imglist=str(path), path_root=str(path.parent)).next()


def read_detection_list(path: Path) -> None:
    (path.parent / "itself").symlink_to("itself")
    options = {"path_imglist": str(path), "path_root": str(path.parent)}
    with without_escapes():
        mx.image.ImageDetIter(1, (3, 8, 8), **options).next()


def read_list_dataset(path: Path) -> None:
    (path.parent / "itself").symlink_to("itself")
    with without_escapes():
        vision.ImageListDataset(str(path.parent), path.name)[0]


def read_record_list(path: Path) -> None:
    records = path.parent.with_suffix(".rec")  # beside the folder: it is not hostile
    with recordio.MXRecordIO(str(records), "w") as writer:
        writer.write(recordio.pack(recordio.IRHeader(0, 1.0, 7, 0), b"no image"))
    options = {"path_imgrec": str(records), "path_imglist": str(path), "data_shape": (3, 8, 8)}
    next(mx.io.ImageRecordIter(**options, batch_size=1))


def pack_list(path: Path) -> None:
    items = im2rec.read_list(path)
    if not items:
        raise ValueError(f"{path}: no items")


def add(
    name: str, ending: str, cases: list[tuple[str, bytes]], read: Read, **options: bool
) -> None:
    def run(folder: Path, content: object) -> None:
        path = folder / f"hostile{ending}"
        path.write_bytes(content)
        read(path)

    TABLE.add_each(name, cases, run, **options)


def rows(row: bytes, last: bytes) -> bytes:
    return row * (MEGABYTE // len(row)) + last


add("csv", ".csv", [
    ("long_line_of_words", b"1,2," + b"x" * 20 * MEGABYTE + b"\n"),
    ("long_line_of_numbers", b"1," * 4 * MEGABYTE + b"1\n"),
    ("long_line_of_commas", b"," * 8 * MEGABYTE + b"\n"),
    ("long_line_of_spaces", b"1,2," + b" " * 8 * MEGABYTE + b"x\n"),
    ("long_line_of_points", b"1,2," + b"." * MEGABYTE + b"\n"),
    ("long_number_that_ends_wrong", b"1,2," + b"1" * 4 * MEGABYTE + b"x"),
    ("word_at_the_end_of_many_lines", rows(b"1,2,3\n", b"1,2,x\n")),
    ("column_more_at_the_end", rows(b"1,2,3\n", b"1,2,3,4\n")),
    ("column_less_at_the_end", rows(b"1,2,3\n", b"1,2")),
    ("nul_bytes", b"1,2,\x003\n"),
    ("nothing_but_nul_bytes", bytes(MEGABYTE)),
    ("commas_after_spaces", b"1,2,3,\n" + b", " * MEGABYTE),
    ("carriage_returns", b"1,2,x\r" * 1000),
    ("no_utf8", b"1,2,\xff\xfe\n"),
    ("wide_digits", "1,2,\uff13x\n".encode()),
    ("underscores", b"1,2,3_000\n"),
    ("hexadecimal", b"1,2,0x10p\n"),
    ("escapes_of_a_terminal", b"1,2,\x1b[2J\n"),
], read_csv)  # fmt: skip
add("csv_harmless", ".csv", [
    ("infinite", b"1e999999,-1e999999,1e-999999\n"),
    ("many_digits", b"1" * 100_000 + b",2,3\n"),
    ("many_digits_after_the_point", b"1." + b"1" * 100_000 + b",2,3\n"),
    ("exponent_of_many_digits", b"1e" + b"9" * 1000 + b",2,3\n"),
    ("blank_lines", b"\n" * MEGABYTE + b"1,2,3"),
    ("nan", b"nan,inf,-infinity\n"),
], read_csv, harmless=True)  # fmt: skip
add("csv_integers", ".csv", [
    ("beyond_int64", b"1,2,99999999999999999999\n"),
    ("beyond_float64", b"1,2," + b"9" * 400 + b"\n"),
    ("infinite", b"1,2,inf\n"),
    ("nan", b"1,2,nan\n"),
    ("exponent", b"1,2,1e30\n"),
], lambda path: read_csv(path, dtype="int64"), harmless=True)  # fmt: skip

PAIRS = b" 0:12" * 200_000
add("libsvm", ".libsvm", [
    ("numbers_that_can_be_cut_anywhere", b"1" + PAIRS + b" ?\n"),
    ("digits_and_a_word", b"1" * 200_000 + b"x\n"),
    ("colons_between_digits", b"1 " + b"0:1:" * 200_000 + b"\n"),
    ("column_of_10_to_the_15", b"1 1000000000000000:1\n"),
    ("column_beyond_float64", b"1 " + b"9" * 400 + b":1\n"),
    ("column_nan", b"1 nan:1\n"),
    ("column_inf", b"1 inf:1\n"),
    ("negative_column", b"1 -1:1\n"),
    ("column_at_the_end", rows(b"1 0:1\n", b"1 4:1\n")),
    ("word_at_the_end", rows(b"1 0:1\n", b"1 x:1\n")),
    ("nul_bytes", b"1 0:1\x00 1:1\n"),
    ("nothing_but_nul_bytes", bytes(MEGABYTE)),
    ("nothing_but_colons", b":" * MEGABYTE),
    ("nothing_but_spaces_and_a_word", b" " * 4 * MEGABYTE + b"x"),
    ("nothing_but_comments", b"# 1 0:1\n" * 1000 + b"x"),
    ("long_line_of_words", b"1 " + b"x" * 8 * MEGABYTE),
    ("long_comment_after_a_word", b"x" + b"#" * 4 * MEGABYTE),
    ("queries", b"1 qid:" * 200_000 + b"\n"),
    ("no_ascii", "1 ٣:1\n".encode()),
    ("no_utf8", b"1 \xff:1\n"),
    ("carriage_returns", b"1 0:1\r1 x:1\r"),
], read_libsvm)  # fmt: skip
add("libsvm_harmless", ".libsvm", [
    ("infinite", b"1e999999 0:1e999999\n"),
    ("wide_row", b"1" + PAIRS + b"\n"),
    ("labels_alone", b"1\n" * 200_000),
    ("fraction_of_a_column", b"1 0.5:1\n"),
], read_libsvm, harmless=True)  # fmt: skip
add("libsvm_of_many_columns", ".libsvm", [
    ("last", b"1 999999999999999:1\n"),
    ("two", b"1 0:1 999999999999999:1\n"),
], lambda path: read_libsvm(path, 10**15), harmless=True)  # fmt: skip

add("vectors", ".txt", [
    ("long_line", b"a " + b"1 " * 9 * MEGABYTE),
    ("long_token", b"a" * 17 * MEGABYTE),
    ("long_number", b"a 1 " + b"x" * 4 * MEGABYTE),
    ("many_headers", b"1 2\n" * 200_000),
    ("one_token", b"a 1 2\n" * 100_000 + b"a 1 x\n"),
    ("uneven", b"a 1 2\nb 1 2 3\n"),
    ("no_numbers", b"a\n"),
    ("blank_lines", b"\n" * 1000),
    ("nul_bytes", b"a\x00 1 2\x00\n"),
    ("no_utf8", b"a 1 2\n\xff 1 2\n"),
    ("digits", b"a 1 " + b"1" * MEGABYTE + b"x\n"),
    ("escapes_of_a_terminal", b"\x1b[2J 1 \x1b[2J\n"),
], read_vectors)  # fmt: skip
add("vectors_harmless", ".txt", [
    ("infinite", b"a 1e999999 -1e999999\n"),
    ("many_digits", b"a 1 " + b"1" * 100_000 + b"\n"),
], read_vectors, harmless=True)  # fmt: skip

LISTS = [
    ("long_line", b"0\t1\t" + b"x" * 8 * MEGABYTE + b"\n"),
    ("long_label", b"0\t" + b"1" * MEGABYTE + b"x\ta.png\n"),
    ("long_number", b"9" * 10_000 + b"\t1\ta.png\n"),
    ("word_for_a_number", b"zero\t1\ta.png\n"),
    ("word_for_a_label", b"0\tone\ta.png\n"),
    ("nul_byte", b"0\t1\ta\x00.png\n"),
    ("no_tabs", b"0 1 a.png\n" * 1000),
    ("binary", bytes(range(256))),
    ("folder", b"0\t1\t..\n"),
    ("file_for_a_folder", b"0\t1\thostile.lst/x\n"),
    ("long_name", b"0\t1\t" + b"a" * 300 + b"\n"),
    ("link_to_itself", b"0\t1\titself\n"),
    ("escapes_of_a_terminal", b"0\t1\t\x1b[2J\n"),
]
NUM_UNREADABLE = 5
"""The last of them are well-formed, but name no file that can be read."""
add("image_iter", ".lst", LISTS, read_image_list)
add("detection_iter", ".lst", [
    (name, line.replace(b"\t1\t", b"\t2\t5\t0\t0\t0\t1\t1\t"))
    for name, line in LISTS[-NUM_UNREADABLE:]
], read_detection_list)  # fmt: skip
add("list_dataset", ".lst", [case for case in LISTS if "number" not in case[0]], read_list_dataset)
add("record_list", ".lst", LISTS[:-NUM_UNREADABLE], read_record_list)
add("packed_list", ".lst", [case for case in LISTS if case[0] in (
    "long_label", "long_number", "word_for_a_number", "word_for_a_label", "no_tabs", "binary"
)], pack_list)  # fmt: skip

add("hosts", ".hosts", [
    ("long_line", b"a" * MEGABYTE),
    ("option", b"-oProxyCommand=touch${IFS}OWNED\n"),
    ("option_after_a_user", b"user@-oProxyCommand=true\n"),
    ("command", b"$(touch OWNED)\n"),
    ("port_of_many_digits", b"host:" + b"9" * 10_000),
    ("escapes_of_a_terminal", b"\x1b[2J\n"),
    ("binary", bytes(range(256))),
], launch.read_hosts)  # fmt: skip

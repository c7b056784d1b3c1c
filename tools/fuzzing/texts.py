"""Text files of numbers: CSV, LibSVM, vectors of tokens, and lists of images."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from mxnet.contrib.text.embedding import read_vectors
from mxnet.gluon.data.vision import ImageListDataset
from mxnet.image._codec import read_image_list as read_for_images
from mxnet.io._image_records import read_image_list as read_for_records
from mxnet.io._text_files import read_csv, read_libsvm
from mxnet.tools import im2rec, launch
from tools.fuzzing.mutation import Format, Mutator

NUMBERS = [
    "", " ", "nan", "-inf", "infinity", "1e999999", "-1e-999999", "1e", "e1", ".", "+", "-", "--1",
    "+.5", "5.", "1_000", "0x10", "0x1p3", "1e+", "1.2.3", "99999999999999999999", "9" * 400,
    "1" * 30, "0." + "1" * 30, "1e308", "1e-330", "-0", "1E5", "٣", "½", "\0", "1\0", "NaN(1)",
    "1d5", "1f", "1000000000000000", "-1", "2147483648", "4294967296", "x" * 50, '"1"', "1 1",
    "1\t1", "True",
]  # fmt: skip
BREAKS = ["\n", "\r\n", "\r", "\n\n", "\x0b", "\u2028", "\x85", "\0", ""]
WIDTH = 4


def _number(mutator: Mutator) -> str:
    rng = mutator.rng
    form = rng.choice(["{:.0f}", "{:.3f}", "{:e}", "{:g}", "{:+.2f}", "{:.17g}"])
    good = form.format(rng.choice([0, 1, rng.random(), rng.uniform(-1e6, 1e6)]))
    return mutator.choice(good, NUMBERS)


def _end(mutator: Mutator) -> str:
    return mutator.choice("\n", BREAKS)


def _finish(mutator: Mutator, lines: list[str]) -> bytes:
    """Joins lines, now and then so many of them that they are read in stretches."""
    rng = mutator.rng
    if lines and rng.random() < 0.005:
        lines = lines * rng.choice([100, 2_000])
    text = "".join(line + _end(mutator) for line in lines)
    content = text.encode("utf-8", "surrogatepass")
    return mutator.damage(mutator.choice("", ["\ufeff", " ", "\n"]).encode() + content)


def make_csv(rng: random.Random) -> bytes:
    """Makes rows of numbers between commas."""
    mutator = Mutator(rng)
    comma = mutator.choice(",", [", ", " ,", ";", "\t", ",,"])
    lines = []
    for _ in range(rng.randrange(1, 6)):
        width = WIDTH + (rng.choice([-1, 1, 50]) if mutator.strikes() else 0)
        row = comma.join(_number(mutator) for _ in range(width))
        lines.append(row + mutator.choice("", [",", ", ", "#", " "]))
    return _finish(mutator, lines)


def use_csv(path: Path) -> None:
    """Reads rows as floats and as integers."""
    uses: list[Callable[[], object]] = [
        partial(read_csv, "CSVIter", str(path), (WIDTH,), dtype)
        for dtype in ("float32", "int32", "int64")
    ]
    _use_each(uses)


def make_libsvm(rng: random.Random) -> bytes:
    """Makes sparse rows."""
    mutator = Mutator(rng)
    lines = []
    for _ in range(rng.randrange(1, 6)):
        label = _number(mutator)
        count = rng.choice([0, 1, 2, 3, 3, 3, 60])
        columns = sorted(rng.randrange(WIDTH) for _ in range(count))
        pairs = [
            mutator.choice(str(column), NUMBERS)
            + mutator.choice(":", ["", "::", " : ", "=", " "])
            + _number(mutator)
            for column in columns
        ]
        weight = mutator.choice("", [":1", ":0.5", ":", ":x"])
        query = mutator.choice("", [" qid:1", " qid:", " qid:x", "qid:1"])
        rest = mutator.choice("", [" # comment", "#", " #:1", " ", "\t", " x"])
        lines.append(label + weight + query + " ".join(["", *pairs]) + rest)
    return _finish(mutator, lines)


def use_libsvm(path: Path) -> None:
    """Reads sparse rows, whole and in parts, and takes them."""

    def read(num_parts: int, part: int) -> None:
        rows = read_libsvm("LibSVMIter", str(path), WIDTH, num_parts, part)
        rows.take(np.arange(len(rows.labels)))
        if len(rows.columns) and not 0 <= rows.columns.min() <= rows.columns.max() < WIDTH:
            raise AssertionError("a column is outside")

    _use_each([partial(read, 1, 0), partial(read, 2, 0), partial(read, 2, 1)])


def make_vectors(rng: random.Random) -> bytes:
    """Makes vectors of tokens."""
    mutator = Mutator(rng)
    space = mutator.choice(" ", ["\t", "  ", "\u3000", ","])
    lines = [mutator.choice("3 4", ["", "3", "x y"])] if mutator.strikes() else []
    for number in range(rng.randrange(1, 6)):
        token = mutator.choice(f"t{number}", ["<unk>", "t0", "", " ", "\0", "ä", "x" * 300])
        width = WIDTH + (rng.choice([-3, -1, 1]) if mutator.strikes() else 0)
        lines.append(space.join([token, *(_number(mutator) for _ in range(width))]))
    return _finish(mutator, lines)


def use_vectors(path: Path) -> None:
    """Reads vectors with a space between numbers, and with any."""
    _use_each([partial(read_vectors, str(path), space, "utf8", "<unk>") for space in (" ", None)])


def make_list(rng: random.Random) -> bytes:
    """Makes a list of images, or a hostfile."""
    mutator = Mutator(rng)
    tab = mutator.choice("\t", [" ", "\t\t", ","])
    lines = []
    for number in range(rng.randrange(1, 6)):
        labels = [_number(mutator) for _ in range(rng.choice([1, 1, 1, 5, 0]))]
        name = mutator.choice(
            f"{number}.png", ["", "..", "/dev/zero", "a" * 5000, "\0", "-x", "h:22"]
        )
        lines.append(tab.join([mutator.choice(str(number), NUMBERS), *labels, name]))
    return _finish(mutator, lines)


def use_list(path: Path) -> None:
    """Reads a list for images, for records and for packing, and as a hostfile."""
    _use_each(
        [
            lambda: read_for_images(path, "float32"),
            lambda: read_for_records("ImageRecordIter", str(path)),
            lambda: ImageListDataset(str(path.parent), path.name),
            lambda: [im2rec.parse_line(line) for line in path.read_text("latin-1").split("\n")],
            lambda: launch.read_hosts(path),
        ]
    )


def _use_each(uses: list[Callable[[], object]]) -> None:
    """Calls functions, each of which may refuse a file."""
    for use in uses:
        try:
            use()
        except ValueError as error:
            if not str(error) or len(str(error)) > 10_000:
                raise AssertionError(f"a message of {len(str(error))} characters") from error


CSV = Format("csv", ".csv", make_csv, use_csv)
LIBSVM = Format("libsvm", ".libsvm", make_libsvm, use_libsvm)
VECTORS = Format("vectors", ".vec", make_vectors, use_vectors)
LIST = Format("lst", ".lst", make_list, use_list)

"""Numbers in text files, comma-separated or in LibSVM's format, read as a whole."""

from __future__ import annotations

import codecs
import io
import os
import re
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from mxnet import limits
from mxnet.errors import FileFormatError
from mxnet.io._decimals import Values, read_decimals, read_plain_rows
from mxnet.io._sources import find_files

_STRETCH = 1 << 17
"""Bytes of text to parse at a time, so that intermediate results stay in the CPU caches."""

_MOST_THREADS = 8

_EXACT_DIGITS = 15
"""Number of digits of integers that float64 holds exactly."""

_LINE_END = re.compile(rb"[\r\n]+")


def read_csv(where: str, uri: str, shape: tuple[int, ...], dtype: str) -> Values:
    """Reads rows of numbers and reshapes each.

    Raises:
        FileFormatError: if a row has more or fewer numbers than the shape, or is not numbers.
    """
    parts = []
    for path in find_files(where, uri):
        try:
            rows = _load_numbers(path, dtype)
        except ValueError as error:
            raise FileFormatError(f"{where}: {path}: {error}") from error
        if rows.shape[1] != np.prod(shape, dtype=int):
            raise FileFormatError(
                f"{where}: {path}: rows of {np.prod(shape, dtype=int)} numbers expected for "
                f"shape {shape}, got {rows.shape[1]}"
            )
        parts.append(rows)
    whole = parts[0] if len(parts) == 1 else np.concatenate(parts)
    return whole.reshape(-1, *shape)


def _read_text(path: Path) -> bytes:
    """Reads a file; each line of the text ends with a single newline."""
    return _normalize(path.read_bytes())


def _normalize(text: bytes) -> bytes:
    text = text.removeprefix(codecs.BOM_UTF8)
    if b"\r" in text:
        text = text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return text if text.endswith(b"\n") else text + b"\n"


def _stretches(text: bytes) -> Iterator[bytes]:
    """Cuts a text into pieces of whole lines."""
    start = 0
    while start < len(text):
        end = text.rfind(b"\n", start, start + _STRETCH) + 1
        end = end or text.find(b"\n", start) + 1
        yield text[start:end]
        start = end


def _parse_stretches(
    text: bytes, parse: Callable[[bytes], Values | None], parse_slowly: Callable[[bytes], Values]
) -> list[Values]:
    """Parses the pieces of a text, on several cores if it is long.

    Args:
        text: The text.
        parse: Parses plain decimals by NumPy's arithmetic, which leaves Python to other threads.
        parse_slowly: Parses what the other one returns None for. It sets filters of warnings, which
            belong to the process.
    """
    stretches = list(_stretches(text))
    count = min(len(stretches) // 4, _count_cores(), _MOST_THREADS)
    if count < 2:
        parsed = list(map(parse, stretches))
    else:
        with ThreadPoolExecutor(count, initializer=limits.carry()) as threads:
            parsed = list(threads.map(parse, stretches))
    return [
        parse_slowly(stretch) if values is None else values
        for stretch, values in zip(stretches, parsed, strict=True)
    ]


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_numbers(path: Path, dtype: str) -> Values:
    text = _read_text(path)
    if text[: text.find(b"\n")].rstrip().endswith(b","):
        text = re.sub(rb",[ \t]*(?=\n)", b"", text)
    parts = _parse_stretches(
        text, partial(_parse_decimal_rows, dtype=dtype), partial(_parse_rows, dtype=dtype)
    )
    parts = [part for part in parts if part.size] or parts[:1]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _parse_decimal_rows(text: bytes, dtype: str) -> Values | None:
    """Reads lines of equally many decimals; returns None if they are anything else."""
    plain = read_plain_rows(text)
    if plain is not None and (dtype == "float32" or plain.longest <= _EXACT_DIGITS):
        return plain.values.astype(dtype)
    decimals = read_decimals(text, b",\n")
    if decimals is None or (dtype != "float32" and decimals.longest > _EXACT_DIGITS):
        return None
    width = decimals.per_line[0]
    if decimals.separators != len(decimals.values) or (decimals.per_line != width).any():
        return None
    return decimals.values.reshape(-1, width).astype(dtype)


def _parse_rows(text: bytes, dtype: str) -> Values:
    """Reads lines of equally many numbers of any form."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "loadtxt: input contained no data", UserWarning)
        file = io.StringIO(text.decode("utf-8"))
        try:
            return np.loadtxt(file, dtype, comments=None, delimiter=",", ndmin=2)
        except ValueError:
            if dtype == "float32":
                raise
            file.seek(0)  # fractions among integers are truncated
            return np.loadtxt(file, np.float64, comments=None, delimiter=",", ndmin=2).astype(dtype)


@dataclass(frozen=True)
class SparseRows:
    """Rows of a LibSVM file: labels, and elements in CSR form."""

    labels: Values
    values: Values
    columns: Values
    starts: Values

    def take(self, rows: Any) -> tuple[Values, Values, Values]:
        """Returns values, columns and row pointers of some rows."""
        lengths = self.starts[rows + 1] - self.starts[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        # Element j of the result lies at the start of its row plus its place in the row.
        places = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)
        return self.values[places], self.columns[places], starts


def read_libsvm(
    where: str, uri: str, width: int, num_parts: int = 1, part_index: int = 0
) -> SparseRows:
    """Reads rows of the form `label column:value column:value ...`, with columns from 0.

    Args:
        where: Name of the iterator, for messages.
        uri: File, folder or files.
        width: Number of columns.
        num_parts: Into how many parts of about the same number of bytes to cut the text.
        part_index: Which part to read.

    Raises:
        FileFormatError: if the text has another format or a column is not below `width`.
    """
    paths = find_files(where, uri)
    pieces = _cut_part([path.read_bytes() for path in paths], num_parts, part_index)
    text = b"".join(map(_normalize, pieces))
    names = ", ".join(map(str, paths))
    lengths, numbers = _parse_lines(text)
    if len(numbers) != len(lengths) + 2 * lengths.sum():
        lengths, numbers = _parse_lines(_without_extras(text))
    if len(numbers) != len(lengths) + 2 * lengths.sum():
        raise FileFormatError(f"{where}: {names}: {_first_wrong_line(text)}")
    starts = np.concatenate([[0], np.cumsum(lengths)])
    label_places = 2 * starts[:-1] + np.arange(len(lengths))
    in_pair = np.ones(len(numbers), bool)
    in_pair[label_places] = False
    pairs = numbers[in_pair].reshape(-1, 2)
    outside = pairs[~((pairs[:, 0] >= 0) & (pairs[:, 0] < width)), 0]
    if len(outside):
        raise FileFormatError(
            f"{where}: {names}: columns from 0 to {width - 1} expected, got {outside[0]:.20g}"
        )
    columns = pairs[:, 0].astype(np.int64)
    return SparseRows(
        numbers[label_places].astype(np.float32), pairs[:, 1].astype(np.float32), columns, starts
    )


def _cut_part(texts: list[bytes], num_parts: int, part_index: int) -> list[bytes]:
    """Returns, of each file, the lines that belong to one of several parts.

    Parts are stretches of equally many bytes of all files together. The line in which a part
    begins belongs to the part before it, also if it begins at the first byte of the part.
    """
    step = -(-sum(map(len, texts)) // num_parts)
    start, pieces = 0, []
    for text in texts:
        begin, end = (
            _end_of_line(text, step * part - start) for part in (part_index, part_index + 1)
        )
        if begin < end:
            pieces.append(text[begin:end])
        start += len(text)
    return pieces


def _end_of_line(text: bytes, position: int) -> int:
    """Returns where the next line that is not empty begins; the ends of the text stay."""
    if position <= 0 or position >= len(text):
        return min(max(position, 0), len(text))
    rest = _LINE_END.search(text, position)
    return rest.end() if rest else len(text)


def _parse_lines(text: bytes) -> tuple[Values, Values]:
    """Returns the number of colons in each line that is not empty, and all numbers."""
    characters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    colons = np.searchsorted(np.flatnonzero(characters == ord(":")), ends)
    filled = np.diff(ends, prepend=-1) > 1
    numbers = _parse_stretches(text, _parse_decimals, _parse_numbers)
    return np.diff(colons, prepend=0)[filled], np.concatenate(numbers or [np.empty(0)])


def _without_extras(text: bytes) -> bytes:
    """Removes comments, query numbers, weights of rows and blank lines."""
    text = re.sub(rb"#[^\n]*", b"", text)
    text = re.sub(rb"\bqid:\d+", b"", text)
    text = re.sub(rb"(?m)^([ \t]*[^\s:]+):\S+", rb"\1", text)
    return re.sub(rb"(?m)^[ \t]+$", b"", text)


def _parse_decimals(text: bytes) -> Values | None:
    decimals = read_decimals(text, b" \t:\n")
    return None if decimals is None else decimals.values


def _parse_numbers(text: bytes) -> Values:
    text = text.replace(b":", b" ")
    with warnings.catch_warnings():
        # NumPy deprecates text that is not a number; the count of numbers reveals it anyway.
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            return np.fromstring(text.decode("ascii", "replace"), np.float64, sep=" ")
        except ValueError:
            return np.empty(0)


def _first_wrong_line(text: bytes) -> str:
    """Returns a message that names the first line of another format."""
    number = r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?|[-+]?(nan|inf)"
    form = re.compile(rf"\s*({number})(\s+\d+:({number}))*\s*")
    for place, line in enumerate(text.decode("ascii", "replace").split("\n"), 1):
        if line.strip() and not form.fullmatch(line):
            return f"line {place}: `label column:value ...` expected, got {line[:60]!r}"
    return "`label column:value ...` expected in each line"

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
from typing import Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet._formats.files import read_foreign
from mxnet.errors import FileFormatError
from mxnet.io._decimals import Values, read_decimals, read_plain_rows
from mxnet.io._sources import find_files

_STRETCH = 1 << 17
"""Bytes of text to parse at a time, so that intermediate results stay in the CPU caches."""

_MOST_THREADS = 8

_EXACT_DIGITS = 15
"""Number of digits of integers that float64 holds exactly."""

_LINE_END = re.compile(rb"[\r\n]+")

_NUMBER = re.compile(rb"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)")
"""No two parts of it can match the same digits, so that a mismatch is found in one pass."""

_COMMENT = re.compile(rb"#[^\n]*")
_QUERY = re.compile(rb"\bqid:\d+")
_WEIGHT = re.compile(rb"^([ \t]*[^\s:]+):\S+", re.MULTILINE)
_BLANK = re.compile(rb"^[ \t]+$", re.MULTILINE)
_LAST_COMMA = re.compile(rb",[ \t]*(?=\n)")

_SHOWN = 40
"""Characters of a wrong line that a message shows."""
_LONGEST = 200
"""Characters of a message of NumPy."""


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
    return _normalize(read_foreign(path))


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


@dataclass(frozen=True)
class _Parser:
    """Parses stretches of whole lines into an array each.

    Attributes:
        fast: Parses plain decimals by NumPy's arithmetic, which leaves Python to other threads;
            returns None for anything else.
        slow: Parses what `fast` does not. It sets filters of warnings, which belong to the process.
        separator: Where a line may be cut that is too long to be parsed at once; the arrays of its
            pieces are joined along the last axis.
    """

    fast: Callable[[bytes], Values | None]
    slow: Callable[[bytes], Values]
    separator: bytes

    def parse_fast(self, stretch: bytes) -> Values | None:
        """Parses plain decimals."""
        if len(stretch) <= 2 * _STRETCH:
            return self.fast(stretch)
        parsed = []
        for piece in self._pieces(stretch):
            values = self.fast(piece)
            if values is None:
                return None
            parsed.append(values)
        return np.concatenate(parsed, axis=-1)

    def parse_slowly(self, stretch: bytes) -> Values:
        """Parses numbers of any form."""
        if len(stretch) <= 2 * _STRETCH:
            return self.slow(stretch)
        return np.concatenate([*map(self.slow, self._pieces(stretch))], axis=-1)

    def _pieces(self, line: bytes) -> Iterator[bytes]:
        """Cuts a line at separators; each piece is a line."""
        start, end = 0, len(line) - 1
        while start <= end:
            cut = line.rfind(self.separator, start, start + _STRETCH)
            if cut < 0:
                cut = line.find(self.separator, start)
            cut = end if cut < 0 else cut
            yield line[start:cut] + b"\n"
            start = cut + 1

    def parse(self, text: bytes) -> Iterator[tuple[bytes, Values | ValueError]]:
        """Parses the stretches of a text, on several cores if it is long.

        Yields:
            Each stretch with its numbers, or with the error that it raises.
        """
        stretches = list(_stretches(text))
        count = min(len(stretches) // 4, _count_cores(), _MOST_THREADS)
        if count < 2:
            parsed = list(map(self.parse_fast, stretches))
        else:
            with ThreadPoolExecutor(count, initializer=limits.carry()) as threads:
                parsed = list(threads.map(self.parse_fast, stretches))
        for stretch, values in zip(stretches, parsed, strict=True):
            try:
                yield stretch, self.parse_slowly(stretch) if values is None else values
            except ValueError as error:
                yield stretch, error


def _count_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _load_numbers(path: Path, dtype: str) -> Values:
    text = _read_text(path)
    if text[: text.find(b"\n")].rstrip().endswith(b","):
        text = b"".join(_LAST_COMMA.sub(b"", stretch) for stretch in _stretches(text))
    rows = _Parser(
        partial(_parse_decimal_rows, dtype=dtype), partial(_parse_rows, dtype=dtype), b","
    )
    parts: list[Values] = []
    width, begin = 0, 0
    for stretch, values in rows.parse(text):
        if isinstance(values, ValueError) or (width and values.size and values.shape[1] != width):
            line = 1 + text.count(b"\n", 0, begin)
            raise ValueError(_first_wrong_row(stretch, line, width, values))
        if values.size or not parts:
            parts.append(values)
        width = width or (values.shape[1] if values.size else 0)
        begin += len(stretch)
    parts = [part for part in parts if part.size] or parts[:1]
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _first_wrong_row(stretch: bytes, first: int, width: int, found: Values | ValueError) -> str:
    """Returns a message that names the first line that is not a row of numbers.

    Args:
        stretch: Lines.
        first: Number of the first line.
        width: How many numbers the lines before have, 0 if there are none.
        found: The numbers of the lines, or the error that parsing them has raised.
    """
    for number, line in enumerate(stretch.split(b"\n"), first):
        count = line.count(b",") + 1 if line.strip() else 0
        width = width or count
        if count and count != width:
            return f"line {number}: a row of {width} numbers expected, got {count}"
        if count and (len(line) > 2 * _STRETCH or not all(map(_is_number, line.split(b",")))):
            return f"line {number}: numbers between commas expected, got {_shown(line)}"
    return f"lines from {first}: {str(found)[:_LONGEST]}"


def _is_number(word: bytes) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _shown(line: bytes) -> str:
    text = line[: _SHOWN + 1].decode("utf-8", "backslashreplace")
    return repr(text[:_SHOWN]) + ("..." if len(text) > _SHOWN else "")


def _parse_decimal_rows(text: bytes, dtype: str) -> Values | None:
    """Reads lines of equally many decimals; returns None if they are anything else."""
    plain = read_plain_rows(text)
    if plain is not None and (dtype == "float32" or plain.longest <= _EXACT_DIGITS):
        return _cast(plain.values, dtype)
    decimals = read_decimals(text, b",\n")
    if decimals is None or (dtype != "float32" and decimals.longest > _EXACT_DIGITS):
        return None
    width = decimals.per_line[0]
    if decimals.separators != len(decimals.values) or (decimals.per_line != width).any():
        return None
    return _cast(decimals.values.reshape(-1, width), dtype)


def _cast(values: Values, dtype: str) -> Values | None:
    """Returns numbers as another type, truncated; None if it does not hold one of them."""
    if dtype == "float32":
        with np.errstate(over="ignore"):  # such numbers are infinite
            return values.astype(dtype)
    least, most = float(np.iinfo(dtype).min), -float(np.iinfo(dtype).min)
    inside = (values > least - 1) & (values < most) | (values == least)
    return values.astype(dtype) if inside.all() else None


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
            values = np.loadtxt(file, np.float64, comments=None, delimiter=",", ndmin=2)
            whole = _cast(values, dtype)
            if whole is None:
                raise ValueError(f"{dtype} does not hold a number of the line") from None
            return whole


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
    texts = [read_foreign(path) for path in paths]
    parts = _cut_part(texts, num_parts, part_index)
    text = b"".join(_normalize(texts[part.file][part.begin : part.end]) for part in parts)
    try:
        return _parse_sparse(text, width)
    except ValueError as error:
        for part in parts:
            _check_lines(where, paths[part.file], texts[part.file], part, width)
        names = ", ".join(map(str, paths))
        raise FileFormatError(f"{where}: {names}: {error}") from error


def _parse_sparse(text: bytes, width: int) -> SparseRows:
    """Parses rows.

    Raises:
        ValueError: if the text has another format or a column is not below `width`.
    """
    lengths, numbers = _parse_lines(text)
    if len(numbers) != len(lengths) + 2 * lengths.sum():
        lengths, numbers = _parse_lines(b"".join(map(_without_extras, _stretches(text))))
    if len(numbers) != len(lengths) + 2 * lengths.sum():
        raise ValueError("`label column:value ...` expected in each line")
    starts = np.concatenate([[0], np.cumsum(lengths)])
    label_places = 2 * starts[:-1] + np.arange(len(lengths))
    in_pair = np.ones(len(numbers), bool)
    in_pair[label_places] = False
    pairs = numbers[in_pair].reshape(-1, 2)
    outside = pairs[~((pairs[:, 0] >= 0) & (pairs[:, 0] < width)), 0]
    if len(outside):
        raise ValueError(f"columns from 0 to {width - 1} expected, got {outside[0]:.20g}")
    columns = pairs[:, 0].astype(np.int64)
    with np.errstate(over="ignore"):  # what is larger than float32 holds is infinite
        labels, values = numbers[label_places].astype(np.float32), pairs[:, 1].astype(np.float32)
    return SparseRows(labels, values, columns, starts)


class _Part(NamedTuple):
    """A stretch of a file."""

    file: int
    begin: int
    end: int


def _cut_part(texts: list[bytes], num_parts: int, part_index: int) -> list[_Part]:
    """Returns, of each file, the lines that belong to one of several parts.

    Parts are stretches of equally many bytes of all files together. The line in which a part
    begins belongs to the part before it, also if it begins at the first byte of the part.
    """
    step = -(-sum(map(len, texts)) // num_parts)
    start, parts = 0, []
    for file, text in enumerate(texts):
        begin, end = (
            _end_of_line(text, step * part - start) for part in (part_index, part_index + 1)
        )
        if begin < end:
            parts.append(_Part(file, begin, end))
        start += len(text)
    return parts


def _end_of_line(text: bytes, position: int) -> int:
    """Returns where the next line that is not empty begins; the ends of the text stay."""
    if position <= 0 or position >= len(text):
        return min(max(position, 0), len(text))
    rest = _LINE_END.search(text, position)
    return rest.end() if rest else len(text)


def _parse_lines(text: bytes) -> tuple[Values, Values]:
    """Returns the number of colons in each line that is not empty, and all numbers.

    There are no numbers if a word is none.
    """
    characters = np.frombuffer(text, np.uint8)
    ends = np.flatnonzero(characters == ord("\n"))
    colons = np.searchsorted(np.flatnonzero(characters == ord(":")), ends)
    filled = np.diff(ends, prepend=-1) > 1
    numbers = []
    for _, values in _LIBSVM.parse(text):
        if isinstance(values, ValueError):
            return np.ones(1, np.int64), np.empty(0)
        numbers.append(values)
    return np.diff(colons, prepend=0)[filled], np.concatenate(numbers or [np.empty(0)])


def _without_extras(text: bytes) -> bytes:
    """Removes comments, query numbers, weights of rows and blank lines."""
    text = _COMMENT.sub(b"", text)
    text = _QUERY.sub(b"", text)
    text = _WEIGHT.sub(rb"\1", text)
    return _BLANK.sub(b"", text)


def _parse_decimals(text: bytes) -> Values | None:
    decimals = read_decimals(text, b" \t:\n")
    return None if decimals is None else decimals.values


def _parse_numbers(text: bytes) -> Values:
    text = text.replace(b":", b" ")
    if text.isspace():  # which NumPy takes for a number
        return np.empty(0)
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # NumPy's, if it meets another word
        try:
            return np.fromstring(text.decode("ascii", "replace"), np.float64, sep=" ")
        except DeprecationWarning as warning:
            raise ValueError(str(warning)) from warning


_LIBSVM = _Parser(_parse_decimals, _parse_numbers, b" ")


def _check_lines(where: str, path: Path, text: bytes, part: _Part, width: int) -> None:
    """Raises an error that names the first line of another format, if there is one."""
    line = 1 + _normalize(text[: part.begin]).count(b"\n") if part.begin else 1
    for stretch in _stretches(_normalize(text[part.begin : part.end])):
        if _is_wrong(stretch, width):
            for number, content in enumerate(stretch.split(b"\n"), line):
                wrong = _what_is_wrong(content, width)
                if wrong:
                    raise FileFormatError(f"{where}: {path}: line {number}: {wrong}")
        line += stretch.count(b"\n")


def _is_wrong(stretch: bytes, width: int) -> bool:
    try:
        _parse_sparse(stretch, width)
    except ValueError:
        return True
    return False


def _what_is_wrong(line: bytes, width: int) -> str | None:
    """Returns what is wrong with a row."""
    if len(line) > 2 * _STRETCH:
        return f"`label column:value ...` expected, got {_shown(line)}"
    label, *pairs = _without_extras(line + b"\n").split() or [b"0"]
    if not _NUMBER.fullmatch(label):
        return f"`label column:value ...` expected, got {_shown(line)}"
    for pair in pairs:
        column, _, value = pair.partition(b":")
        if not _NUMBER.fullmatch(column) or not _NUMBER.fullmatch(value):
            return f"`label column:value ...` expected, got {_shown(line)}"
        if not 0 <= float(column) < width:
            return f"columns from 0 to {width - 1} expected, got {_shown(column)[1:-1]}"
    return None

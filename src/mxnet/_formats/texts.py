"""Texts of files: JSON is checked before it is parsed, lists of images are read line by line.

A few bytes of JSON can become many objects. A line of a list has a number, labels and a path,
separated by tabs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from mxnet import limits
from mxnet._formats.files import access_error, read_foreign_text
from mxnet.errors import FileFormatError

_LONGEST_LINE = 1 << 20
_LONGEST_PATH = 4096
"""Characters; systems take no longer paths."""


def read_lines(path: str | os.PathLike[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines of a list with their numbers.

    Raises:
        FileAccessError: if the file cannot be read.
        FileFormatError: if a line is too long or holds a byte 0; names the file and the line.
    """
    try:
        lines = read_foreign_text(path, errors="surrogateescape").split("\n")
    except OSError as error:
        raise access_error("list of images", path, error) from error
    if not lines[-1]:
        del lines[-1]
    for number, line in enumerate(lines, 1):
        wrong = describe_wrong(line)
        if wrong:
            raise FileFormatError(
                f"{os.fspath(path)}: line {number}: number, labels and path expected, got {wrong}"
            )
        yield number, line


def describe_wrong(line: str) -> str:
    """Returns what no line of a list has, empty if there is nothing of the kind."""
    if len(line) > _LONGEST_LINE:
        return f"{len(line):,} characters"
    if "\0" in line:
        return f"a byte 0 in {line[:60]!r}"
    length = len(line) - line.rfind("\t") - 1
    return f"a path of {length:,} characters" if length > _LONGEST_PATH else ""


_PER_UNIT = {"graph_nodes": 20, "file_arrays": 6}
"""Lists and objects of each unit. A node has three and one for each input, which are few on
average, and those written in the texts of attributes; an array has three."""


def check_containers(limit: str, text: str | bytes, where: str) -> None:
    """Checks how many lists and objects a text has; each takes thirty times its own length.

    Args:
        limit: Name of the limit of what the text describes: nodes, arrays.
        text: The text.
        where: What it is, for the message.

    Raises:
        LimitExceededError: if there are more than so many nodes or arrays have.
    """
    if isinstance(text, str):
        count = text.count("{") + text.count("[")
    else:
        count = text.count(b"{") + text.count(b"[")
    limits.check(limit, count // _PER_UNIT[limit], f"{where}: {count:,} lists and objects")

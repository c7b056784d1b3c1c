"""What all subcommands share: how they print, and the error that ends them."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TextIO

_UNITS = ("", "K", "M", "G", "T", "P")
_STEP = 1000
_BYTES_STEP = 1024


class CommandError(Exception):
    """Something is wrong with what a subcommand was given; the message says what to do."""


class Colour(Enum):
    """What a colour says, by its number on a terminal."""

    BAD = 31
    GOOD = 32
    DOUBTFUL = 33


def painted(text: str, colour: Colour, stream: TextIO | None = None) -> str:
    """Returns a text in a colour if it goes to a terminal that has some.

    The variable NO_COLOR, if it is set to anything, keeps all texts plain; else FORCE_COLOR gives
    them colours wherever they go.

    Args:
        text: The text, in which there is nothing that commands a terminal.
        colour: The colour.
        stream: Where it goes, standard output if not given.
    """
    if os.environ.get("NO_COLOR"):
        return text
    is_terminal = (stream or sys.stdout).isatty() and os.environ.get("TERM") != "dumb"
    if not (is_terminal or os.environ.get("FORCE_COLOR")):
        return text
    return f"\x1b[{colour.value}m{text}\x1b[0m"


def write(text: str = "") -> None:
    """Prints a line; characters that the terminal does not have are written as escapes."""
    _put(sys.stdout, text)


def write_json(value: object) -> None:
    """Prints a value for scripts."""
    write(json.dumps(value, indent=2))


def write_error(text: str) -> None:
    """Prints a line that is not part of the result."""
    _put(sys.stderr, text)


def _put(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")


def table(headings: Sequence[str], rows: Iterable[Sequence[object]], right: str = "") -> list[str]:
    r"""Lays out rows in columns that are as wide as their widest field.

    Args:
        headings: What stands above the columns.
        rows: Fields by row; the last column may be of any width.
        right: `>` for each column that is aligned to the right, anything else for the others.

    Returns:
        Lines.

    Example:
        >>> print(*table(["name", "size"], [("a", 5), ("bc", 100)], "<>"), sep="\n")
        name  size
        a        5
        bc     100
    """
    texts = [list(headings), *([str(field) for field in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    sides = right.ljust(len(widths), "<")
    lines = (
        "  ".join(
            field.rjust(width) if side == ">" else field.ljust(width)
            for field, width, side in zip(fields, widths, sides, strict=True)
        )
        for fields in texts
    )
    return [line.rstrip() for line in lines]


def count(number: float) -> str:
    """Returns a count as a person reads it.

    Example:
        >>> count(11_689_512), count(999), count(1_820_000_000)
        ('11.7 M', '999', '1.82 G')
    """
    return _scaled(number, _STEP, "")


def flops(number: float) -> str:
    """Returns a number of floating-point operations as a person reads it.

    Example:
        >>> flops(3_640_000_000), flops(87)
        ('3.64 GFLOPs', '87 FLOPs')
    """
    return _scaled(number, _STEP, "FLOPs")


def size(num_bytes: float) -> str:
    """Returns a number of bytes as a person reads it.

    Example:
        >>> size(46_758_048), size(12)
        ('44.6 MiB', '12 B')
    """
    return _scaled(num_bytes, _BYTES_STEP, "B")


def _scaled(number: float, step: int, unit: str) -> str:
    rank = 0
    while number >= step and rank + 1 < len(_UNITS):
        number /= step
        rank += 1
    prefix = _UNITS[rank] + ("i" if step == _BYTES_STEP and rank else "")
    digits = f"{number:.0f}" if not rank or number >= 100 else f"{number:.3g}"
    return f"{digits} {prefix}{unit}".rstrip()


def plural(number: int, noun: str) -> str:
    """Returns a number with its noun: `1 file`, `2 files`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def printable(text: str, most: int = 80) -> str:
    """Returns a name from a file as it can be shown on a terminal, which obeys some characters."""
    shown = "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def first_sentence(error: BaseException) -> str:
    """Returns the first line of what an error says, or its type if it says nothing."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__

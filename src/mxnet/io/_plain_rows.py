"""Rows of plain decimals, `1,-2,3` or `0.5,-1.25`: the usual form of tables in text.

Every number has a point, or none has, so that to find the marks between digits is nearly all.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mxnet.io._decimals import MOST_DIGITS, POWERS, Values, read_digits

_COMMA, _MINUS, _POINT, _ZERO, _NEWLINE = b",-.0\n"
_PADDING = b"\n" * MOST_DIGITS


class PlainRows(NamedTuple):
    """Numbers that were read.

    Attributes:
        values: The numbers as float64, of shape `(lines, numbers)`.
        longest: Digits of the longest part of a number.
    """

    values: Values
    longest: int


class _Numbers:
    """Where the numbers of a text are, if it is nothing but plain rows.

    Args:
        text: The text, after some newlines.
        width: How many numbers there are in a line.
        has_points: Whether each has a point.
    """

    def __init__(self, text: bytes, width: int, has_points: bool) -> None:
        self._bytes = np.frombuffer(text, np.uint8)
        is_mark = self._bytes == _COMMA
        is_mark |= self._bytes == _NEWLINE
        if has_points:
            is_mark |= self._bytes == _POINT
        marks = is_mark[MOST_DIGITS - 1 :].nonzero()[0]
        marks += MOST_DIGITS - 1
        each = 1 + has_points
        self._count, self._width, self._has_points = len(marks) - 1, width, has_points
        self._starts, self.ends = marks[:-1:each] + 1, marks[each::each]
        self.points = marks[1::2] if has_points else self.ends

    def are_regular(self) -> bool:
        """Returns whether the marks are those of rows of equally many numbers."""
        if self._count % (self._width * (1 + self._has_points)):
            return False
        rows = self._bytes[self.ends].reshape(-1, self._width)
        return bool(
            (rows[:, -1] == _NEWLINE).all()
            and (rows[:, :-1] == _COMMA).all()
            and (not self._has_points or (self._bytes[self.points] == _POINT).all())
        )

    def measure(self) -> tuple[Values, Values] | None:
        """Returns which numbers are negative and how many digits each has before its point.

        None if there is a character that belongs to no plain number.
        """
        is_negative = self._bytes[self._starts] == _MINUS
        num_digits = np.count_nonzero((self._bytes - np.uint8(_ZERO)) < 10)
        known = num_digits + self._count + np.count_nonzero(is_negative)
        if len(_PADDING) + known != len(self._bytes):
            return None
        return is_negative, self.points - self._starts - is_negative


def read_plain_rows(text: bytes) -> PlainRows | None:
    """Reads lines of equally many plain decimals.

    Args:
        text: Whole lines.

    Returns:
        The numbers; None if there is anything else, such as an exponent or a space.
    """
    first = text[: text.find(b"\n")]
    width, num_points = first.count(b",") + 1, first.count(b".")
    if num_points not in (0, width):
        return None
    padded = _PADDING + text
    numbers = _Numbers(padded, width, num_points > 0)
    if not numbers.are_regular():
        return None
    measured = numbers.measure()
    if measured is None:
        return None
    is_negative, lengths = measured
    decimals = numbers.ends - numbers.points - 1 if num_points else lengths
    longest = max(int(lengths.max()), int(decimals.max()))
    if min(int(lengths.min()), int(decimals.min())) < 1 or longest > MOST_DIGITS:
        return None
    values = read_digits(padded, numbers.points, lengths)
    if num_points:  # divided once, so that the result is correctly rounded
        scale = POWERS[decimals]
        values *= scale
        values += read_digits(padded, numbers.ends, decimals)
        values /= scale
    np.negative(values, out=values, where=is_negative)
    return PlainRows(values.reshape(-1, width), longest)

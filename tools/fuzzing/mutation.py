"""What all formats share: numbers and texts that break things, and damage to bytes."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

Value = TypeVar("Value")

NUMBERS = [
    *(sign * (1 << bits) + step
      for bits in (7, 8, 15, 16, 29, 31, 32, 62, 63) for step in (-1, 0, 1) for sign in (1, -1)),
    0, 1, -1, 2, 3, 5, 10**9, 10**12, 0x112, 0xCED7230A, 0xF993FAC9,
]  # fmt: skip

TEXTS = [
    "", "self", "class", "torch", "None", "True", "nan", "inf", "-inf", "1e999", "-1", "0",
    "99999999999999999999", "9" * 5000, "(" * 200, "(1,)" * 50, "()", "(0, 0)", "(-1, -2)", "[]",
    "{}", "null", "float32", "float77", "a b", "a\nb", "a\0b", "'\"\\", "ä\u202e\ud800", "x" * 5000,
    "__import__('pathlib').Path('OWNED').touch()", "w=print(1), *q", "os.system",
    "../../etc/passwd", "%s%n", "{0.__class__}", "(2147483647, 2147483647, 2147483647)",
    "1" * 400 + ".5",
]  # fmt: skip


@dataclass(frozen=True)
class Format:
    """A kind of file."""

    name: str
    suffix: str
    make: Callable[[random.Random], bytes]
    """Makes the content of a hostile file."""
    use: Callable[[Path], object]
    """Does with a file what a program does that trusts it."""


class Mutator:
    """Passes the fields of a file on, now and then a wrong one.

    Args:
        rng: Source of all decisions, so that a seed gives the same file again.
        share: How likely a field is wrong.
    """

    def __init__(self, rng: random.Random, share: float | None = None) -> None:
        self.rng = rng
        self._share = rng.choice([0.0, 0.02, 0.1, 0.4]) if share is None else share

    def strikes(self) -> bool:
        """Decides whether the next thing is wrong."""
        return self.rng.random() < self._share

    def number(self, value: int, bits: int, signed: bool = False) -> int:
        """Returns a whole number of some bits, perhaps another one."""
        if self.strikes():
            value = self.rng.choice([self.rng.choice(NUMBERS), value + self.rng.choice([-1, 1])])
        value &= (1 << bits) - 1
        return value - (1 << bits) if signed and value >> (bits - 1) else value

    def text(self, value: str) -> str:
        """Returns a text, perhaps another one."""
        return self.rng.choice(TEXTS) if self.strikes() else value

    def choice(self, value: Value, others: list[Value]) -> Value:
        """Returns a value, perhaps one of some others."""
        return self.rng.choice(others) if self.strikes() else value

    def damage(self, data: bytes) -> bytes:
        """Returns bytes, perhaps cut off, overwritten or shifted somewhere."""
        while self.rng.random() < self._share / 2 and data:
            data = self.rng.choice([_cut, _overwrite, _repeat, _remove])(self.rng, data)
        return data


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data))]


def _overwrite(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    width = rng.choice([1, 4, 8])
    number = rng.choice(NUMBERS) & ((1 << 8 * width) - 1)
    return data[:place] + number.to_bytes(width, "little") + data[place + width :]


def _repeat(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    part = data[place : place + rng.randrange(1, 64)]
    return data[:place] + part * rng.choice([2, 3, 50]) + data[place + len(part) :]


def _remove(rng: random.Random, data: bytes) -> bytes:
    place = rng.randrange(len(data))
    return data[:place] + data[place + rng.randrange(1, 64) :]

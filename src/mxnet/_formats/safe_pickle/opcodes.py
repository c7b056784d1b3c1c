"""The instructions of a pickle with their arguments, checked against the end of the data.

Every protocol from 0 to 5 is read. Arguments become numbers, text and bytes here; what an
instruction does with them is in `_machine.py`.
"""

from __future__ import annotations

import codecs
import re
import struct
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from mxnet._formats.safe_pickle.reading import Reading

_INT_BYTES = 128
"""Most bytes of an integer; Python's time to convert one grows with the square of its length."""
_LINE = 400
_DECIMAL = re.compile(rb"[+-]?[0-9]{1,310}L?")


class Source:
    """The bytes of a pickle and the position up to which they are read."""

    def __init__(self, data: bytes, reading: Reading) -> None:
        self.data = data
        self.position = 0
        self.reading = reading

    def take(self, num_bytes: int) -> bytes:
        """Returns the next bytes."""
        end = self.position + num_bytes
        if end > len(self.data):
            left = len(self.data) - self.position
            raise self.reading.error(
                f"not a readable pickle: {num_bytes} bytes should follow, there are {left}"
            )
        part, self.position = self.data[self.position : end], end
        return part

    def number(self, layout: struct.Struct) -> Any:
        """Returns the next number."""
        return layout.unpack(self.take(layout.size))[0]

    def line(self, longest: int) -> bytes:
        """Returns the bytes up to the next newline and skips the newline."""
        end = self.data.find(b"\n", self.position, self.position + longest + 1)
        if end < 0:
            raise self.reading.error(f"not a readable pickle: no end of a line in {longest} bytes")
        part, self.position = self.data[self.position : end], end + 1
        return part


Read: TypeAlias = Callable[[Source], Any]

_U1, _U2, _U4, _U8 = (struct.Struct(f"<{code}") for code in "BHIQ")
_I4, _DOUBLE = struct.Struct("<i"), struct.Struct(">d")


def _constant(value: object) -> Read:
    return lambda source: value  # noqa: ARG005 - takes nothing from the source


def _number(layout: struct.Struct) -> Read:
    return lambda source: source.number(layout)


def _bytes(layout: struct.Struct) -> Read:
    return lambda source: source.take(source.number(layout))


def _text(layout: struct.Struct) -> Read:
    return lambda source: source.take(source.number(layout)).decode("utf-8", "surrogatepass")


def _ascii(layout: struct.Struct) -> Read:
    return lambda source: source.take(source.number(layout)).decode("ascii")


def _bytearray(source: Source) -> bytearray:
    return bytearray(source.take(source.number(_U8)))


def _long(layout: struct.Struct) -> Read:
    def read(source: Source) -> int:
        length = source.number(layout)
        if not 0 <= length <= _INT_BYTES:
            raise source.reading.error(
                f"expected an integer of at most {_INT_BYTES} bytes, got one of {length}"
            )
        return int.from_bytes(source.take(length), "little", signed=True)

    return read


def _decimal(source: Source) -> int:
    text = source.line(_LINE)
    if not _DECIMAL.fullmatch(text):
        raise source.reading.error(f"expected an integer, got {text[:40]!r}")
    return int(text.rstrip(b"L"))


def _decimal_or_bool(source: Source) -> int | bool:
    for digits, value in ((b"01\n", True), (b"00\n", False)):
        if source.data.startswith(digits, source.position):
            source.position += len(digits)
            return value
    return _decimal(source)


def _float_text(source: Source) -> float:
    return float(source.line(_LINE))


def _quoted(source: Source) -> str:
    text = source.line(len(source.data))
    if len(text) < 2 or text[:1] != text[-1:] or text[:1] not in (b"'", b'"'):
        raise source.reading.error(f"expected text in quotes, got {text[:40]!r}")
    value: bytes = codecs.escape_decode(text[1:-1])[0]
    return value.decode("ascii")


def _escaped(source: Source) -> str:
    return source.line(len(source.data)).decode("raw-unicode-escape")


def _module_and_name(source: Source) -> tuple[str, str]:
    return source.line(len(source.data)).decode(), source.line(len(source.data)).decode()


def _protocol(source: Source) -> None:
    protocol = source.number(_U1)
    if protocol > 5:
        raise source.reading.error(f"not a readable pickle: protocol {protocol} is not known")


def _frame(source: Source) -> None:
    length = source.number(_U8)
    if length > len(source.data) - source.position:
        raise source.reading.error(f"not a readable pickle: a frame of {length} bytes is cut off")


_NOTHING = _constant(None)

_WITH_ARGUMENT: dict[str, dict[str, Read]] = {
    "push": {
        "N": _NOTHING, "\x88": _constant(True), "\x89": _constant(False), ")": _constant(()),
        "K": _number(_U1), "M": _number(_U2), "J": _number(_I4), "G": _number(_DOUBLE),
        "I": _decimal_or_bool, "L": _decimal, "F": _float_text,
        "\x8a": _long(_U1), "\x8b": _long(_I4),
        "S": _quoted, "U": _ascii(_U1), "T": _ascii(_U4),
        "V": _escaped, "\x8c": _text(_U1), "X": _text(_U4), "\x8d": _text(_U8),
        "C": _bytes(_U1), "B": _bytes(_U4), "\x8e": _bytes(_U8), "\x96": _bytearray,
    },
    "skip": {"\x80": _protocol, "\x95": _frame},
    "put": {"p": _decimal, "q": _number(_U1), "r": _number(_U4)},
    "get": {"g": _decimal, "h": _number(_U1), "j": _number(_U4)},
    "name": {"c": _module_and_name},
    "instance": {"i": _module_and_name},
    "tuple_of": {"\x85": _constant(1), "\x86": _constant(2), "\x87": _constant(3)},
    "refuse": {
        code: _constant(what)
        for codes, what in (
            ("PQ", "a persistent object"),
            ("\x82\x83\x84", "an object of the extension registry"),
            ("\x97\x98", "a buffer outside of the file"),
        )
        for code in codes
    },
}  # fmt: skip
_WITHOUT_ARGUMENT = {
    ".": "stop", "(": "mark", "0": "pop", "1": "pop_mark", "2": "duplicate", "\x94": "memoize",
    "]": "empty_list", "l": "list", "a": "append", "e": "appends", "t": "tuple",
    "}": "empty_dict", "d": "dict", "s": "set_item", "u": "set_items",
    "\x8f": "empty_set", "\x90": "add_items", "\x91": "frozen_set",
    "\x93": "stack_name", "R": "call", "\x81": "call", "\x92": "call_with_names",
    "o": "object", "b": "build",
}  # fmt: skip
_OPCODES: dict[int, tuple[str, Read]] = {
    ord(code): (action, read)
    for action, codes in _WITH_ARGUMENT.items()
    for code, read in codes.items()
} | {ord(code): (action, _NOTHING) for code, action in _WITHOUT_ARGUMENT.items()}
"""The method of the machine for each instruction, and the reader of its argument."""


def read_instructions(data: bytes, reading: Reading) -> Iterator[tuple[str, Any]]:
    """Yields the method and the argument of each instruction; notes the offset in `reading`.

    Raises:
        FileFormatError: if an instruction is unknown or cut off, or the last is missing.
    """
    source = Source(data, reading)
    while True:
        reading.offset = source.position
        code = source.take(1)[0]
        if code not in _OPCODES:
            raise reading.error(f"not a readable pickle: there is no instruction {code:#04x}")
        action, read = _OPCODES[code]
        yield action, read(source)

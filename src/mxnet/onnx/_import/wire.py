"""Counts the messages of a serialized model before it is parsed.

A message of no bytes takes two bytes of a file and a hundred times as many of memory once it is
parsed. The walk is linear in the number of fields, goes over the elements of tensors at one step,
and keeps the messages that it has still to look into in a list, however deep they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

_SHORT = 256
"""Bytes of a message that is not looked into at first: it has at most one in two of its bytes."""
_VARINT, _FIXED64, _DELIMITED, _FIXED32 = 0, 1, 2, 5
_WIDTHS = {_FIXED64: 8, _FIXED32: 4}
_LONGEST_VARINT = 10


class Kind(NamedTuple):
    """What is to be known of a type of messages.

    Attributes:
        fields: The types of its fields that are messages, by their numbers.
    """

    fields: dict[int, Kind]


def read_kind(descriptor: Any) -> Kind:
    """Returns what is to be known of a type of messages and of those inside of it.

    Args:
        descriptor: Its descriptor in the library of protocol buffers.
    """
    kinds: dict[str, Kind] = {}
    unseen = [descriptor]
    while unseen:
        item = unseen.pop()
        kind = kinds.setdefault(item.full_name, Kind({}))
        for field in item.fields:
            if field.message_type is None:
                continue
            if field.message_type.full_name not in kinds:
                kinds[field.message_type.full_name] = Kind({})
                unseen.append(field.message_type)
            kind.fields[field.number] = kinds[field.message_type.full_name]
    return kinds[descriptor.full_name]


def count_messages(content: bytes, kind: Kind, most: int) -> int:
    """Counts the messages that parsing would make, not far beyond `most`.

    What is damaged ends the message that it is in, as it ends the parser.

    Args:
        content: The serialized message.
        kind: Its type.
        most: The number from which on the exact one does not matter.

    Returns:
        A number that is at least the one of the messages; the exact one if it is above `most`.
    """
    seen, estimate = _count(content, kind, most, _SHORT)
    if seen > most or estimate <= most:
        return max(seen, estimate)
    return _count(content, kind, most, 0)[0]


def _count(content: bytes, kind: Kind, most: int, short: int) -> tuple[int, int]:
    """Returns how many messages there are, and how many with those that short ones may hold."""
    seen, hidden = 0, 0
    unseen = [(0, len(content), kind)]
    while unseen:
        begin, end, kind = unseen.pop()
        for number, start, stop in _delimited(content, begin, end):
            inner = kind.fields.get(number)
            if inner is None:
                continue
            seen += 1
            if seen > most:
                return seen, seen
            if not inner.fields or start == stop:
                continue
            if stop - start <= short:
                hidden += (stop - start) // 2
            else:
                unseen.append((start, stop, inner))
    return seen, seen + hidden


def _delimited(content: bytes, place: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Yields number, start and stop of the fields of a message that have a length."""
    while place < end:
        tag, place = _read_varint(content, place, end)
        wire = tag & 7
        if wire == _DELIMITED:
            length, start = _read_varint(content, place, end)
            place = start + length
            if place > end:
                return
            yield tag >> 3, start, place
        elif wire == _VARINT:
            _, place = _read_varint(content, place, end)
        else:
            place += _WIDTHS.get(wire, 0)


def _read_varint(content: bytes, place: int, end: int) -> tuple[int, int]:
    """Returns a number and the place after it, one beyond the end if it is damaged."""
    if place < end and content[place] < 128:
        return content[place], place + 1
    number = 0
    for shift, byte in enumerate(content[place : min(place + _LONGEST_VARINT, end)]):
        number |= (byte & 127) << 7 * shift
        if byte < 128:
            return number, place + shift + 1
    return 0, end + 1

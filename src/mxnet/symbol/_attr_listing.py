"""The order in which attributes are listed.

The original keeps the attributes of a node in a hash table of the C++ library that it was built
with and lists them in the order of that table. Programs print these dicts, so that the order is
reproduced: the hash is MurmurHash64A, and a table has 11 places at first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from mxnet.graph.node import HIDDEN_KEYS, hide

_SEED = 0xC70F6907
_FACTOR = 0xC6A4A7935BD1E995
_BITS = (1 << 64) - 1
_SIZES = (11, 23, 47, 97, 199, 409, 823, 1741)
"""Places of a table, which grows when there are more attributes."""


def list_attrs(attrs: Mapping[str, str]) -> dict[str, str]:
    """Gives attributes in the order of the original, hidden ones under their plain names too.

    Args:
        attrs: Attributes in the order in which they were set.
    """
    plain = {hide(key): key for key in HIDDEN_KEYS}
    shown = {}
    for key in _arrange(tuple(attrs)):
        shown[key] = attrs[key]
        if key in plain:
            shown[plain[key]] = attrs[key]
    return shown


@lru_cache(maxsize=1024)
def _arrange(keys: tuple[str, ...]) -> list[str]:
    size, listed = _SIZES[0], list[str]()
    for key in keys:
        if len(listed) == size and size < _SIZES[-1]:
            size = _SIZES[_SIZES.index(size) + 1]
            listed = _insert(listed, [], size)
        listed = _insert([key], listed, size)
    return listed


def _insert(keys: Iterable[str], listed: list[str], size: int) -> list[str]:
    """Puts keys before those at the same place, and if there are none before all."""
    for key in keys:
        place = _hash(key) % size
        found = (i for i, other in enumerate(listed) if _hash(other) % size == place)
        listed.insert(next(found, 0), key)
    return listed


@lru_cache(maxsize=1024)
def _hash(key: str) -> int:
    data = key.encode()
    found = _SEED ^ len(data) * _FACTOR & _BITS
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(data[start : start + 8], "little")
        found = (found ^ _mix(word * _FACTOR) * _FACTOR) * _FACTOR & _BITS
    if data[whole:]:
        found = (found ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _BITS
    return _mix(_mix(found) * _FACTOR)


def _mix(value: int) -> int:
    value &= _BITS
    return value ^ value >> 47

"""The order in which attributes are listed.

The original keeps the attributes of a node in a hash table of the C++ library that it was built
with and lists them in the order of that table. Programs print these dicts, so that the order is
reproduced: the hash is MurmurHash64A, and a table has 11 places at first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

_SEED = 0xC70F6907
_FACTOR = 0xC6A4A7935BD1E995
_BITS = (1 << 64) - 1
_SIZES = (11, 23, 47, 97, 199, 409, 823, 1741)
"""Places of a table, which grows when there are more attributes."""


@lru_cache(maxsize=1024)  # a function of the keys alone, so that nothing invalidates it
def arrange(keys: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the names of attributes in the order of the original.

    Args:
        keys: Names in the order in which they were set.
    """
    listed: list[str] = []
    for size in _SIZES:
        room = len(keys) if size == _SIZES[-1] else size
        listed = _insert([*listed, *keys[len(listed) : room]], size)
        if len(listed) == len(keys):
            break
    return tuple(listed)


def _insert(keys: Sequence[str], size: int) -> list[str]:
    """Lists keys in the order of a table of some places.

    Each goes before those at the same place, and if there are none before all.
    """
    places: dict[int, list[str]] = {}
    for key in keys:
        places.setdefault(_hash(key) % size, []).append(key)
    return [key for group in reversed(places.values()) for key in reversed(group)]


@lru_cache(maxsize=1024)  # a function of the key alone, so that nothing invalidates it
def _hash(key: str) -> int:
    data = key.encode()
    value = _SEED ^ len(data) * _FACTOR & _BITS
    whole = len(data) & ~7
    for start in range(0, whole, 8):
        word = int.from_bytes(data[start : start + 8], "little")
        value = (value ^ _mix(word * _FACTOR) * _FACTOR) * _FACTOR & _BITS
    if data[whole:]:
        value = (value ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _BITS
    return _mix(_mix(value) * _FACTOR)


def _mix(value: int) -> int:
    value &= _BITS
    return value ^ value >> 47

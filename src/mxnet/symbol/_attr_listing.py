"""The order in which attributes are listed.

The original keeps the attributes of a node in a hash table of the C++ library that it was built
with and lists them in the order of that table. Programs print these dicts, so that the order is
reproduced: the hash is MurmurHash64A, and a table has 11 places at first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from mxnet.graph.node import HIDDEN_KEYS, hide

_SEED = 0xC70F6907
_FACTOR = 0xC6A4A7935BD1E995
_BITS = (1 << 64) - 1
_SIZES = (11, 23, 47, 97, 199, 409, 823, 1741)
"""Places of a table, which grows when there are more attributes."""


def list_attrs(attrs: Mapping[str, str]) -> dict[str, str]:
    """Returns attributes in the order of the original, hidden ones under their plain names too.

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
    listed: list[str] = []
    for size in _SIZES:
        room = len(keys) if size == _SIZES[-1] else size
        listed = _insert([*listed, *keys[len(listed) : room]], size)
        if len(listed) == len(keys):
            break
    return listed


def _insert(keys: Sequence[str], size: int) -> list[str]:
    """Lists keys in the order of a table of some places.

    Each goes before those at the same place, and if there are none before all.
    """
    places: dict[int, list[str]] = {}
    for key in keys:
        places.setdefault(_hash(key) % size, []).append(key)
    return [key for found in reversed(places.values()) for key in reversed(found)]


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

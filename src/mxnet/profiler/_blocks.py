"""Blocks of Gluon: which of them an operator of a graph belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from mxnet._bounded import remember
from mxnet.gluon import Block
from mxnet.ops.interposing import PlannedCall

_MOST_NAMES = 65536
_paths: WeakKeyDictionary[Block, dict[str, tuple[str, ...]]] = WeakKeyDictionary()
"""Blocks inside of a block by the name of a node or variable; names do not change."""


def blocks_of_call(block: Block, call: PlannedCall) -> tuple[str, ...]:
    """Returns the names of the blocks inside of a block that a call of its graph comes from.

    A block that is called with symbols names its nodes after its prefix. Where the graph was made
    of a program on arrays, only the parameters of a block have names with its prefix.

    Args:
        block: The block whose graph it is.
        call: The call.

    Returns:
        The names, the outermost first, without that of the block itself.
    """
    known = _paths.setdefault(block, {})
    for name in (call.nodes[0], *call.variables):
        path = known.get(name)
        if path is None:
            path = _find(block, name)
            remember(known, name, path, _MOST_NAMES)
        if path:
            return path
    return ()


def _find(block: Block, name: str) -> tuple[str, ...]:
    fitting = [
        (len(child.prefix), path)
        for path, child in _descendants(block, ())
        if child.prefix and name.startswith(child.prefix)
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else ()


def _descendants(block: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for child in block._children.values():
        inside = (*path, child.name)
        yield inside, child
        yield from _descendants(child, inside)

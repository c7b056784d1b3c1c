"""Blocks of Gluon: how they are called, and which of them a call of a graph belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from mxnet._bounded import remember
from mxnet.gluon import Block
from mxnet.ops.core.interposing import PlannedCall


class NamedBlock(NamedTuple):
    """A block with the name that it has in a profile."""

    block: Block
    label: str


def name_block(block: Block, around: NamedBlock | None) -> NamedBlock:
    """Returns a block with its name.

    A block whose prefix is empty has the name of the one that it was made in. It is called after
    its place there: `net.features`, `net_stage1.0`.

    Args:
        block: The block.
        around: The block that calls it, if one does.
    """
    if around is not None and around.block.name == block.name:
        for place, child in around.block._children.items():
            if child is block:
                return NamedBlock(block, f"{around.label}.{place}")
    return NamedBlock(block, block.name)


_MOST_NAMES = 65536
_paths: WeakKeyDictionary[Block, dict[tuple[str, str], tuple[str, ...]]] = WeakKeyDictionary()
"""Blocks inside of a block by its label and the name of a node or variable, which stay the same."""


def blocks_of_call(around: NamedBlock, call: PlannedCall) -> tuple[str, ...]:
    """Returns the names of the blocks inside of a block that a call of its graph comes from.

    A block that is called with symbols names its nodes after its prefix. Where the graph was made
    of a program on arrays, only the parameters of a block have names with its prefix.

    Args:
        around: The block whose graph it is.
        call: The call.

    Returns:
        The names, the outermost first, without that of the block itself.
    """
    known = _paths.setdefault(around.block, {})
    for name in (call.nodes[0], *call.variables):
        key = around.label, name
        path = known.get(key)
        if path is None:
            path = _find(around, name)
            remember(known, key, path, _MOST_NAMES)
        if path:
            return path
    return ()


def _find(around: NamedBlock, name: str) -> tuple[str, ...]:
    fitting = [
        (len(inner.prefix), path)
        for path, inner in _descendants(around, ())
        if inner.prefix and name.startswith(inner.prefix)
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else ()


def _descendants(
    around: NamedBlock, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for child in around.block._children.values():
        named = name_block(child, around)
        inside = (*path, named.label)
        yield inside, child
        yield from _descendants(named, inside)

"""Blocks of Gluon: which of them an operator of a graph belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

from mxnet._bounded import remember
from mxnet.gluon import Block

_MOST_NODES = 65536
_paths: WeakKeyDictionary[Block, dict[str, tuple[str, ...]]] = WeakKeyDictionary()
"""Blocks inside of a block by the name of a node; names do not change."""


def blocks_of_node(block: Block, node: str) -> tuple[str, ...]:
    """Returns the names of the blocks inside of a block that a node of its graph comes from.

    A block that is called with symbols names its nodes after its prefix.

    Args:
        block: The block whose graph it is.
        node: Name of the node.

    Returns:
        The names, the outermost first, without that of the block itself.
    """
    known = _paths.setdefault(block, {})
    path = known.get(node)
    if path is None:
        path = _find(block, node)
        remember(known, node, path, _MOST_NODES)
    return path


def _find(block: Block, node: str) -> tuple[str, ...]:
    fitting = [
        (len(child.prefix), path)
        for path, child in _descendants(block, ())
        if child.prefix and node.startswith(child.prefix)
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else ()


def _descendants(block: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    for child in block._children.values():
        inside = (*path, child.name)
        yield inside, child
        yield from _descendants(child, inside)

"""Blocks of a network, read from the names of its nodes: `net_stage1_conv0_fwd` is in `stage1`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

_CALL = "fwd"
"""What Gluon appends to the name of a layer for the node of its operator."""
_DEEPEST = 12
"""Parts of a name that count; more come from files that want to do harm."""


@dataclass
class _Block:
    """Blocks and nodes with a common beginning of their names."""

    blocks: dict[str, _Block] = field(default_factory=dict)
    nodes: list[str] = field(default_factory=list)

    def count(self) -> int:
        return len(self.nodes) + sum(block.count() for block in self.blocks.values())


def group_by_name(names: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Returns the blocks around each node, the outermost first.

    A block has two nodes or more and not all of them.

    Args:
        names: Names of the nodes.

    Example:
        >>> group_by_name(["net_a_conv0_fwd", "net_a_relu0", "net_b_conv0_fwd", "net_out"])
        {'net_a_conv0_fwd': ('a',), 'net_a_relu0': ('a',), 'net_b_conv0_fwd': (), 'net_out': ()}
    """
    root = _Block()
    for name in dict.fromkeys(names):
        block = root
        for part in _parts(name)[:-1]:
            block = block.blocks.setdefault(part, _Block())
        block.nodes.append(name)
    while len(root.blocks) == 1 and not root.nodes:
        (root,) = root.blocks.values()
    paths: dict[str, tuple[str, ...]] = {}
    _collect(root, (), paths)
    return {name: paths[name] for name in dict.fromkeys(names)}


def _parts(name: str) -> list[str]:
    parts = [part for part in name.split("_") if part][:_DEEPEST]
    return parts[:-1] if len(parts) > 1 and parts[-1] == _CALL else parts or [name]


def _collect(block: _Block, path: tuple[str, ...], paths: dict[str, tuple[str, ...]]) -> None:
    paths.update(dict.fromkeys(block.nodes, path))
    for label, inside in block.blocks.items():
        while len(inside.blocks) == 1 and not inside.nodes:
            ((part, inside),) = inside.blocks.items()
            label = f"{label}_{part}"  # one block of both names
        _collect(inside, (*path, label) if inside.count() > 1 else path, paths)

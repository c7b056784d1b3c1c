"""What a program leaves behind in the attributes of blocks while it is traced."""

from __future__ import annotations

from typing import Any

_COUNTED = frozenset(
    {
        "_mx_call_structure",
        "_counter",
        "_exports_states",
        "_init_counter",
        "_masks",
        "_modified",
        "_prev_output",
    }
)
"""Attributes in which blocks of this package note calls and steps."""


class Attributes:
    """The attributes of a block and its children at one time.

    Args:
        block: The block.
    """

    def __init__(self, block: Any) -> None:
        self._blocks: list[tuple[Any, dict[str, Any]]] = []
        self._note(block)

    def _note(self, block: Any) -> None:
        for child in block._children.values():
            self._note(child)
        self._blocks.append((block, dict(block.__dict__)))

    def find_change(self) -> str | None:
        """Says which attribute has been set since, None if no one has."""
        for block, before in self._blocks:
            for name, value in dict(block.__dict__).items():
                if name not in _COUNTED and before.get(name, _MISSING) is not value:
                    return f"attribute {name!r} of {type(block).__name__} {block.name!r}"
        return None

    def restore(self) -> None:
        """Sets back what has changed; the others never miss, as another thread may read them."""
        for block, before in self._blocks:
            for name, value in dict(block.__dict__).items():
                if name not in before:
                    del block.__dict__[name]
                elif before[name] is not value:
                    block.__dict__[name] = before[name]
            for name in before.keys() - block.__dict__.keys():
                block.__dict__[name] = before[name]


_MISSING = object()

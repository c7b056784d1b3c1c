"""Calls of the blocks inside of a block, taken over for the time of a trace or a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from torch import nn

from mxnet.graph.lower import safe_word

Take = Callable[[Any, Callable[..., Any], tuple[Any, ...]], Any]
"""Computes the result of a call from a block, its own `forward` and the arguments."""

turn = threading.RLock()
"""Held while calls are redirected, which other threads would see."""


_SET = ("forward", "_mx_is_traced")


@contextmanager
def redirected(blocks: Mapping[int, Any], take: Take) -> Iterator[None]:
    """Passes the calls of some blocks to a function.

    Args:
        blocks: The blocks, by identity.
        take: The function.
    """
    with turn:
        before = [
            (block, {name: block.__dict__[name] for name in _SET if name in block.__dict__})
            for block in blocks.values()
        ]
        for block in blocks.values():
            block.__dict__["forward"] = _make_forward(block, take)
            block.__dict__["_mx_is_traced"] = False  # else `forward` is not what is called
        try:
            yield
        finally:
            for block, attributes in before:
                for name in _SET:
                    del block.__dict__[name]
                block.__dict__.update(attributes)


def _make_forward(block: Any, take: Take) -> Callable[..., Any]:
    original = block.forward

    def forward(*args: Any) -> Any:
        return take(block, original, args)

    return forward


def descendants(block: Any) -> dict[int, tuple[str, ...]]:
    """Returns the paths of the blocks inside of a block, by their identity."""
    paths: dict[int, tuple[str, ...]] = {}
    pending: list[tuple[Any, tuple[str, ...]]] = [(block, ())]
    while pending:
        parent, path = pending.pop(0)
        for name, child in parent._children.items():
            if id(child) not in paths:
                paths[id(child)] = (*path, member_name(name))
                pending.append((child, paths[id(child)]))
    return paths


_OWN = ("_block", "_device", "_dialect", "_open", "_programs", "_reason", "_structures")
_TAKEN = frozenset((*dir(nn.Module()), *_OWN))
"""What a member of a module of ours cannot be called."""


def member_name(name: str) -> str:
    """Returns what a child or a parameter is called in a module of torch."""
    return safe_word(name.replace(".", "_") or "_", _TAKEN)

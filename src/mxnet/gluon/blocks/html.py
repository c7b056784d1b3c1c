"""How notebooks show networks: a tree of blocks that can be unfolded."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import prod
from typing import Any

_LONGEST = 120
"""Letters of the description of a block."""
_ROW = '<div style="padding-left:1.1em">{}</div>'
_FAINT = '<span style="opacity:.7">{}</span>'


def tree_to_html(block: Any) -> str:
    """Returns a block with its children as HTML: each with its parameters, their shapes and number.

    A parameter that several children share is counted once in each of them, and once in the whole.

    Args:
        block: The network, whose shapes need not be known yet.
    """
    return f'<div style="font-family:monospace">{_node("", block, is_open=True)}</div>'


def _node(key: str, block: Any, *, is_open: bool = False) -> str:
    """Returns the HTML of a block, which unfolds if there is something inside of it."""
    # The attributes are missing if a constructor did not call that of its base.
    children = block.__dict__.get("_children", {})
    own = block.__dict__.get("_reg_params", {})
    name = f"{_FAINT.format(escape(f'({key}):'))} " if key else ""
    line = f"{name}{escape(_describe(block, children))}{_FAINT.format(_count(_all(block)))}"
    if not children and not own:
        return _ROW.format(line)
    inside = [_ROW.format(_parameter(name, item)) for name, item in own.items()]
    inside += [_node(key, child) for key, child in children.items()]
    opened = " open" if is_open else ""
    tree = f"<details{opened}><summary>{line}</summary>{''.join(inside)}</details>"
    return tree if is_open else _ROW.format(tree)


def _describe(block: Any, children: Any) -> str:
    """Returns the class of a block; a layer without children describes itself, on one line."""
    if children:
        return type(block).__name__
    text = " ".join(repr(block).split())
    text = type(block).__name__ if text == f"{type(block).__name__}( )" else text
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _all(block: Any) -> Iterable[Any]:
    """Returns the parameters of a block and of all inside of it, each once."""
    found: dict[int, Any] = {}
    waiting = [block]
    while waiting:
        current = waiting.pop()
        found.update((id(item), item) for item in current.__dict__.get("_reg_params", {}).values())
        waiting += current.__dict__.get("_children", {}).values()
    return found.values()


def _count(parameters: Iterable[Any]) -> str:
    """Returns the number of elements, as far as shapes are known."""
    listed = list(parameters)
    if not listed:
        return ""
    known = sum(prod(item.shape) for item in listed if _is_known(item.shape))
    unknown = sum(not _is_known(item.shape) for item in listed)
    if not unknown:
        return f" {known:,} parameters"
    shapes = f"{unknown} shape{'s' * (unknown > 1)} unknown"
    return f" at least {known:,} parameters, {shapes}" if known else f" {shapes}"


def _is_known(shape: tuple[int, ...] | None) -> bool:
    return shape is not None and all(length > 0 for length in shape)


def _parameter(name: str, parameter: Any) -> str:
    """Returns the line of a parameter: `weight 10x20 float32`, with `?` for unknown lengths."""
    shape = parameter.shape
    lengths = "?" if shape is None else "x".join(str(n) if n > 0 else "?" for n in shape)
    dtype = getattr(parameter.dtype, "__name__", parameter.dtype)
    fixed = ", no gradient" if parameter.grad_req == "null" else ""
    return f"{escape(name)} {_FAINT.format(escape(f'{lengths} {dtype}{fixed}'))}"

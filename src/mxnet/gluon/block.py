"""Networks: blocks, hybrid blocks and blocks made of graphs; nested arguments, flattened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.blocks.block import Block as Block
from mxnet.gluon.hybrid.block import HybridBlock as HybridBlock
from mxnet.gluon.hybrid.symbol_block import SymbolBlock as SymbolBlock
from mxnet.ndarray import NDArray as NDArray
from mxnet.symbol import Symbol as Symbol

for _class in (  # where programs and pickles find them, as in the original
    Block,
    HybridBlock,
    SymbolBlock,
):
    _class.__module__ = __name__


Format = int | list[Any]
"""0 for an array, the number of outputs for a symbol of several, -1 for None, else a list."""


def _flatten(args: Any, inout_str: str) -> tuple[list[Any], Format]:
    """Flattens nested lists.

    Args:
        args: An array, a symbol, None, or a list or tuple of such things.
        inout_str: Name of the value, for messages.

    Returns:
        The items from left to right, and the format that `_regroup` takes.
    """
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        outputs = len(args.list_outputs())
        return [args], outputs if outputs > 1 else 0
    if args is None:
        return [None], -1
    if not isinstance(args, (list, tuple)):
        raise ArgumentValueError(
            f"{inout_str} of a hybridized block: takes NDArray, Symbol, None or (nested) lists of "
            f"these, got {args!r} of type {type(args).__name__}"
        )
    parts = [_flatten(item, inout_str) for item in args]
    return [item for items, _ in parts for item in items], [form for _, form in parts]


def _regroup(args: Sequence[Any], fmt: Format) -> Any:
    """Restores the nested structure of a flat list from a format of `_flatten`."""
    return _take(iter(args), fmt)


def _take(items: Iterator[Any], form: Format) -> Any:
    if isinstance(form, list):
        return [_take(items, part) for part in form]
    if form > 0:
        return [item for _, item in zip(range(form), items, strict=False)]
    item = next(items, None)
    if form < 0 and item is not None:
        raise ArgumentValueError(
            f"a hybridized block that got None at first takes None there, got {item!r}"
        )
    return item

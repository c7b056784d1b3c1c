"""What a block finds out about the arguments of a call, and what it adds to its errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from mxnet._start import type_name
from mxnet._state import is_np_array
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.gluon.blocks.location import Located, describe, locate
from mxnet.gluon.parameters import DeferredInitializationError, Parameter, ParameterError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


class InputError(MXNetError, ValueError, TypeError):
    """The arguments of a block are not what it can compute with."""


class UnfinishedBlockError(MXNetError, AttributeError):
    """A block is used before the constructor of its base has run."""


def _arrays_in(values: Sequence[Any]) -> Iterator[NDArray]:
    for value in values:
        if isinstance(value, NDArray):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _arrays_in(value)


def context_of_call(block: Located, args: Sequence[Any]) -> Context:
    """Returns the context of the first array among the arguments, also in lists.

    Raises:
        InputError: if there is none.
    """
    first = next(_arrays_in(args), None)
    if first is None:
        given = ", ".join(map(type_name, args))
        is_torch, dialect = "torch." in given, "np" if is_np_array() else "nd"
        remedy = (
            "a tensor with mx.nd.from_torch" if is_torch else f"other data with mx.{dialect}.array"
        )
        raise InputError(
            f"{describe(block)}: there must be one NDArray in the input, got {given}; "
            f"convert {remedy}"
        )
    return first._ctx


def check_leaves(block: Located, args: Sequence[Any]) -> None:
    """Refuses what a graph cannot have as an argument, and arrays of several contexts.

    Raises:
        InputError: if there is something else than arrays, None and lists of these.
    """
    _check_kinds(block, args)
    if len({array._is_np for array in _arrays_in(args)}) > 1:
        raise InputError(
            f"{describe(block)}: takes arrays of one dialect, got some of mx.nd and some of mx.np; "
            f"{_REMEDIES[is_np_array()]}"
        )
    contexts = {array._ctx: None for array in _arrays_in(args)}
    if len(contexts) > 1:
        raise InputError(
            f"{describe(block)}: when hybridized all arrays must be on one context, got "
            f"{', '.join(map(str, contexts))}"
        )


def _check_kinds(block: Located, args: Sequence[Any]) -> None:
    for item in args:
        if isinstance(item, (list, tuple)):
            _check_kinds(block, item)
        elif item is not None and not isinstance(item, NDArray):
            raise InputError(
                f"{describe(block)}: when hybridized takes arrays, None and (nested) lists of "
                f"these, got {item!r} of type {type(item).__name__}"
            )


def check_unmixed(block: Located, args: Sequence[Any]) -> None:
    """Refuses arrays among symbols.

    Raises:
        InputError: if there is one.
    """
    if next(_arrays_in(args), None) is not None:
        raise InputError(f"{describe(block)}: takes arrays or symbols, got both in one call")


def check_np_results(block: Located, results: Any) -> None:
    """Refuses results of the classic dialect after `npx.set_np()`.

    Raises:
        InputError: if there is one, also in lists.
    """
    if isinstance(results, (NDArray, Symbol)):
        if not results._is_np:
            raise InputError(
                f"{describe(block)}: results must be of mx.np after npx.set_np(), got "
                f"{type(results).__name__}; give the block mx.np arrays by x.as_np_ndarray(), or "
                "call npx.reset_np()"
            )
    elif isinstance(results, (list, tuple)):
        for result in results:
            check_np_results(block, result)


def list_shapes(args: Sequence[Any]) -> str:
    """Lists the shapes of the arrays among the arguments."""
    return ", ".join(str(array.shape) for array in _arrays_in(args))


_SPEAKS_FOR_ITSELF = (
    DeferredInitializationError,
    ParameterError,
    InputError,
    UnfinishedBlockError,
    NotImplementedError,
)


_REMEDIES = {
    True: "after npx.set_np() layers compute with mx.np: give them x.as_np_ndarray()",
    False: "layers compute with mx.nd: call npx.set_np() before to give them mx.np arrays",
}
"""What to do about arrays of the wrong dialect, by whether the thread has switched to NumPy's."""


def hint_on(args: Sequence[Any], parameters: Iterable[Parameter]) -> str:
    """Returns what may be wrong with arguments: their dialect, or shapes that do not fit."""
    if any(array._is_np is not is_np_array() for array in _arrays_in(args)):
        return f"\n  {_REMEDIES[is_np_array()]}"
    shapes = ", ".join(f"{item.name} {item.shape}" for item in parameters)
    return f"\n  The input must fit the parameters {shapes}." if shapes else ""


def name_block_in(
    error: MXNetError,
    block: Located,
    args: Sequence[Any] = (),
    parameters: Iterable[Parameter] = (),
) -> None:
    """Puts the block in which an operator failed before the message, with what may be wrong.

    Args:
        error: What the operator raised.
        block: The block; the innermost one is named.
        args: What it was called with.
        parameters: Its parameters.
    """
    if not isinstance(error, _SPEAKS_FOR_ITSELF):
        # A message of several lines says all about the operator that failed.
        is_long = "\n" in str(error)
        locate(error, block, hint_on(args, () if is_long else parameters))

"""What differs between arrays and symbols: outputs, contexts, what can be looked at."""

from __future__ import annotations

from typing import Any

from mxnet._np_functions._arguments import context_name
from mxnet._np_functions.table import Operators
from mxnet.errors import UnsupportedTypeError


def placement(F: Operators, ctx: Any) -> dict[str, Any]:
    """Returns the attribute of a creation operator that says where it makes its array.

    Arrays are made on the current context if there is none; a graph keeps its name.
    """
    if F.for_symbols:
        return {"ctx": context_name(ctx)}
    return {} if ctx is None else {"ctx": ctx}


def as_list(F: Operators, result: Any) -> list[Any]:
    """Returns the outputs of an operator as a list, also if there is one alone."""
    if F.for_symbols or isinstance(result, (list, tuple)):
        return list(result)
    return [result]


def as_rows(F: Operators, result: Any) -> Any:
    """Returns the rows of an array as a tuple; a symbol, whose shape nobody knows, as it is."""
    if F.for_symbols:
        return result
    rows = F._npi_split(result, indices=(), axis=0, sections=len(result), squeeze_axis=True)
    return tuple(as_list(F, rows))


def is_operand(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array or symbol of the frontend."""
    return isinstance(value, F.operand)


def is_array(F: Operators, value: Any) -> bool:
    """Returns whether a value is an array, whose shape and elements can be looked at."""
    return not F.for_symbols and isinstance(value, F.operand)


def refusal(F: Operators, where: str, value: Any) -> UnsupportedTypeError:
    """Returns the error for a value that a function does not take, and what to call if it can."""
    remedy = ""
    if hasattr(value, "as_np_ndarray") and not is_operand(F, value):
        remedy = "; call as_np_ndarray() on it, because the classic dialect and NumPy's do not mix"
    return UnsupportedTypeError(f"{where}: type {type(value)} not supported{remedy}")

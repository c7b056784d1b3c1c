"""Python's operators on symbols, and functions of two operands of which one may be a number."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from mxnet.errors import UnsupportedTypeError
from mxnet.symbol._functions import Function
from mxnet.symbol._namespaces import FUNCTIONS
from mxnet.symbol.symbol import NotOnSymbolError, Symbol


class _Pair(NamedTuple):
    """One operation by the names of its operators: two symbols, and a symbol with a number."""

    function: str | None
    method: str | None
    symbols: str
    scalar: str
    reflected: str
    on_numbers: Callable[[Any, Any], Any]


_PAIRS = (
    _Pair(None, "add", "_Plus", "_PlusScalar", "_PlusScalar", operator.add),
    _Pair(None, "sub", "_Minus", "_MinusScalar", "_RMinusScalar", operator.sub),
    _Pair(None, "mul", "_Mul", "_MulScalar", "_MulScalar", operator.mul),
    _Pair(None, "truediv", "_Div", "_DivScalar", "_RDivScalar", operator.truediv),
    _Pair(None, "mod", "_Mod", "_ModScalar", "_RModScalar", operator.mod),
    _Pair("pow", "pow", "_Power", "_PowerScalar", "_rpower_scalar", operator.pow),
    _Pair("maximum", None, "_Maximum", "_MaximumScalar", "_MaximumScalar", max),
    _Pair("minimum", None, "_Minimum", "_MinimumScalar", "_MinimumScalar", min),
    _Pair(
        "hypot", None, "_Hypot", "_HypotScalar", "_HypotScalar", lambda a, b: (a**2 + b**2) ** 0.5
    ),
    _Pair(None, "eq", "_equal", "_equal_scalar", "_equal_scalar", operator.eq),
    _Pair(None, "ne", "_not_equal", "_not_equal_scalar", "_not_equal_scalar", operator.ne),
    _Pair(None, "gt", "_greater", "_greater_scalar", "_lesser_scalar", operator.gt),
    _Pair(
        None, "ge", "_greater_equal", "_greater_equal_scalar", "_lesser_equal_scalar", operator.ge
    ),
    _Pair(None, "lt", "_lesser", "_lesser_scalar", "_greater_scalar", operator.lt),
    _Pair(
        None, "le", "_lesser_equal", "_lesser_equal_scalar", "_greater_equal_scalar", operator.le
    ),
)
_REFLECTED = frozenset({"add", "sub", "mul", "truediv", "mod", "pow"})
_COMMUTE = frozenset({"add", "mul"})
_IN_PLACE = ("add", "sub", "mul", "truediv", "mod", "pow")
_NEEDS_DATA = ("asnumpy", "asscalar", "copy", "as_in_context", "backward", "wait_to_read")


def install(methods: Mapping[str, Function]) -> None:
    """Adds the operators and the methods that are functions to symbols."""
    internal = FUNCTIONS["_internal"]
    for row in _PAIRS:
        if row.method is None:
            continue
        _set(f"__{row.method}__", _operate(internal[row.symbols], internal[row.scalar]))
        if row.method in _REFLECTED:
            reflected = (
                internal[row.symbols] if row.method in _COMMUTE else _swapped(internal[row.symbols])
            )
            _set(f"__r{row.method}__", _operate(reflected, internal[row.reflected]))
    for name in ("", "r"):
        setattr(Symbol, f"__{name}div__", getattr(Symbol, f"__{name}truediv__"))
    negate, absolute = internal["_MulScalar"], FUNCTIONS["op"]["abs"]
    _set("__neg__", lambda self: negate(self, scalar=-1.0))
    _set("__abs__", lambda self: absolute(self))
    for name in _IN_PLACE:
        _set(f"__i{name}__", _refuse(f"__i{name}__", "write x = x + y in its place"))
    for name in _NEEDS_DATA:
        _set(name, _refuse(name, "only an NDArray has data"))
    for name, function in methods.items():
        _set(name, _method(function))
    for name, method in _WRITTEN.items():
        _set(name, method)


def functions() -> dict[str, Callable[..., Any]]:
    """Builds the functions of two operands by name."""
    built = {row.function: _function(row) for row in _PAIRS if row.function is not None}
    return built | {"power": built["pow"]}


def _set(name: str, function: Callable[..., Any]) -> None:
    function.__name__ = name
    function.__qualname__ = f"Symbol.{name}"
    setattr(Symbol, name, function)


def _operate(symbols: Function, scalar: Function) -> Callable[[Any, Any], Any]:
    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, Symbol):
            return symbols(self, other)
        if isinstance(other, numbers.Number):
            return scalar(self, scalar=other)
        raise UnsupportedTypeError(f"{symbols.__name__}: type {type(other)} not supported")

    return operate


def _swapped(function: Function) -> Function:
    def call(left: Symbol, right: Symbol) -> Symbol:
        return function(right, left)

    call.__name__ = function.__name__
    return call


def _function(row: _Pair) -> Callable[..., Any]:
    internal = FUNCTIONS["_internal"]
    plain = _operate(internal[row.symbols], internal[row.scalar])
    # `2 ** x` and `pow(2, x)` are one operator under two names, after which nodes are called.
    name = "_RPowerScalar" if row.function == "pow" else row.reflected
    reflected = _operate(internal[row.symbols], internal[name])

    def call(left: Any, right: Any) -> Any:
        if isinstance(left, Symbol):
            return plain(left, right)
        if isinstance(left, numbers.Number):
            if isinstance(right, Symbol):
                return reflected(right, left)
            if isinstance(right, numbers.Number):
                return row.on_numbers(left, right)
        raise UnsupportedTypeError(
            f"{row.function}: types {type(left)} and {type(right)} not supported"
        )

    call.__name__ = call.__qualname__ = str(row.function)
    call.__module__ = "mxnet.symbol"
    call.__doc__ = "Combines two symbols of one shape, or a symbol and a number."
    return call


def _diag(self: Symbol, k: int = 0, **kwargs: Any) -> Symbol:
    """Takes a diagonal of matrices, or makes matrices of diagonals; see `mx.nd.diag`."""
    return FUNCTIONS["op"]["diag"](self, k=k, **kwargs)


def _expand_dims(self: Symbol, axis: int, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Inserts an axis of length 1; `inplace` has a meaning for arrays alone."""
    del inplace
    return FUNCTIONS["op"]["expand_dims"](self, axis=axis, **kwargs)


def _flatten(self: Symbol, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Joins all axes but the first; `inplace` has a meaning for arrays alone."""
    del inplace
    return FUNCTIONS["op"]["flatten"](self, **kwargs)


def _squeeze(self: Symbol, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Removes axes of length 1; `inplace` has a meaning for arrays alone."""
    del inplace
    return FUNCTIONS["op"]["squeeze"](self, axis=axis, **kwargs)


_WRITTEN: dict[str, Callable[..., Any]] = {
    "diag": _diag,
    "expand_dims": _expand_dims,
    "flatten": _flatten,
    "squeeze": _squeeze,
}


def _refuse(name: str, instead: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotOnSymbolError(f"Symbol has no {name}: {instead}")

    return refuse


def _method(function: Function) -> Callable[..., Any]:
    def method(self: Symbol, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    method.__doc__ = function.__doc__
    return method

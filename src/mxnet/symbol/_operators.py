"""Python's operators on symbols, and functions of two operands of which one may be a number."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from mxnet._start import expand, public_call, type_name
from mxnet.errors import UnsupportedTypeError
from mxnet.ops.core.public import install_methods, install_operators, set_method
from mxnet.ops.core.registry import example
from mxnet.ops.core.spellings import CLASSIC, Binary, Names
from mxnet.symbol._functions import FUNCTIONS, AtomicSymbol, Function
from mxnet.symbol.symbol import NotOnSymbolError, Symbol

Operator: TypeAlias = Callable[..., Any]


_NEEDS_DATA = ("asnumpy", "asscalar", "copy", "as_in_context", "backward", "wait_to_read")
_REFUSED_IN_PLACE = frozenset({"add", "sub", "mul", "truediv"})
_COMMUTE = frozenset({"add", "mul"})


def install(functions: Mapping[str, Function]) -> None:
    """Adds the operators and the methods that are functions to symbols."""
    install_operators(Symbol, CLASSIC.binary, _Maker())
    negate, absolute = FUNCTIONS["_internal"]["_MulScalar"], FUNCTIONS["op"]["abs"]
    set_method(Symbol, "__neg__", lambda self: negate(self, scalar=-1.0))
    set_method(Symbol, "__abs__", lambda self: absolute(self))
    for name in _NEEDS_DATA:
        set_method(Symbol, name, _refuse(name, "only an NDArray has data"))
    install_methods(Symbol, CLASSIC.symbol_methods, functions)
    for name, method in WRITTEN_METHODS.items():
        set_method(Symbol, name, public_call(method))


class _Maker:
    """Makes the methods behind Python's operators on symbols."""

    def __init__(self) -> None:
        self._functions = FUNCTIONS["_internal"]

    def plain(self, row: Binary) -> Operator | None:
        names = row.symbols
        return names and _operate(self._functions[names.pair], self._functions[names.scalar])

    def reflected(self, row: Binary) -> Operator | None:
        names = row.symbols
        if names is None:
            return None
        pair = self._functions[names.pair]
        pair = pair if row.python in _COMMUTE else _swapped(pair)
        return _operate(pair, self._functions[names.reflected])

    def in_place(self, row: Binary) -> Operator | None:
        if row.python not in _REFUSED_IN_PLACE:
            return None
        return _refuse(f"__i{row.python}__", "write x = x + y in its place")


def functions() -> dict[str, Function]:
    """Builds the functions of two operands by name."""
    built: dict[str, Function] = {}
    for row in CLASSIC.binary:
        if row.symbols is not None and row.symbol_functions:
            built |= dict.fromkeys(row.symbol_functions, _function(row, row.symbols))
    return built


@expand
def _operate(symbols: Function, scalar: Function) -> Operator:
    @public_call
    def operate(self: Any, other: Any) -> Any:
        if isinstance(other, Symbol):
            return symbols(self, other)
        if isinstance(other, numbers.Number):
            return scalar(self, scalar=other)
        raise UnsupportedTypeError(f"{symbols.__name__}: type {type_name(other)} not supported")

    return operate


def _swapped(function: Function) -> Function:
    def call(left: Symbol, right: Symbol) -> Symbol:
        return function(right, left)

    call.__name__ = function.__name__
    return call


def _function(row: Binary, names: Names) -> Function:
    internal = FUNCTIONS["_internal"]
    name = row.symbol_functions[0]
    plain = _operate(internal[names.pair], internal[names.scalar])
    # `2 ** x` and `pow(2, x)` are one operator under two names, after which nodes are called.
    reflected = _operate(internal[names.pair], internal[row.function_reflected or names.reflected])

    def call(left: Any, right: Any) -> Any:
        if isinstance(left, Symbol):
            return plain(left, right)
        if isinstance(left, numbers.Number):
            if isinstance(right, Symbol):
                return reflected(right, left)
            if isinstance(right, numbers.Number):
                return row.on_numbers(left, right)
        raise UnsupportedTypeError(f"{name}: types {type(left)} and {type(right)} not supported")

    def power(base: Any, exp: Any) -> Any:
        return call(base, exp)

    function = power if row.python == "pow" else call
    function.__name__ = function.__qualname__ = name
    function.__module__ = "mxnet.symbol"
    operands = "two symbols of one shape, or a symbol and a number"
    function.__doc__ = row.doc(operands) + _show(name)
    return public_call(function)


def _show(name: str) -> str:
    """Returns the section that shows a function of two symbols."""
    results = {
        "pow": "[81.  2.]",
        "maximum": "[4. 2.]",
        "minimum": "[3. 1.]",
        "hypot": "[5.   2.24]",
    }
    return example(
        '>>> x, y = mx.sym.var("x"), mx.sym.var("y")',
        f">>> z = mx.sym.{name}(x, y)",
        ">>> (result,) = z.eval(x=mx.nd.array([3, 2]), y=mx.nd.array([4, 1]))",
        ">>> print(result.asnumpy().round(2))",
        results[name],
    )


def _astype(self: Symbol, dtype: Any, **kwargs: Any) -> Symbol:
    """Converts to another element type; takes the name and attributes of the node too.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> (half,) = x.astype("float16").eval(x=mx.nd.ones(2))
        >>> half.dtype.__name__
        'float16'
    """
    return FUNCTIONS["op"]["cast"](self, dtype=np.dtype(dtype).name, **kwargs)


def _detach(self: Symbol) -> Symbol:
    """Returns the same values, cut off from gradients.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> y = x * x.detach()  # the second factor counts as a constant
        >>> executor = y.simple_bind(mx.cpu(), x=(1,))
        >>> _ = executor.forward(is_train=True, x=mx.nd.array([3]))
        >>> executor.backward(mx.nd.ones(1))
        >>> print(executor.grad_dict["x"].asnumpy())
        [3.]
    """
    return FUNCTIONS["op"]["BlockGrad"](self)


def _diag(self: Symbol, k: int = 0, **kwargs: Any) -> Symbol:
    """Takes a diagonal of matrices, or makes matrices of diagonals; see `mx.nd.diag`.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> x.diag().eval(x=mx.nd.array([[1, 2], [3, 4]]))[0].asnumpy()
        array([1., 4.], dtype=float32)
    """
    return FUNCTIONS["op"]["diag"](self, k=k, **kwargs)


def _expand_dims(self: Symbol, axis: int, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Inserts an axis of length 1; `inplace` has a meaning for arrays alone.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> x.expand_dims(axis=0).infer_shape(x=(2, 3))[1]
        [(1, 2, 3)]
    """
    del inplace
    return FUNCTIONS["op"]["expand_dims"](self, axis=axis, **kwargs)


def _flatten(self: Symbol, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Joins all axes but the first; `inplace` has a meaning for arrays alone.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> x.flatten().infer_shape(x=(2, 3, 4))[1]
        [(2, 12)]
    """
    del inplace
    return FUNCTIONS["op"]["flatten"](self, **kwargs)


def _squeeze(self: Symbol, axis: Any = None, inplace: bool = False, **kwargs: Any) -> Symbol:
    """Removes axes of length 1; `inplace` has a meaning for arrays alone.

    Example:
        >>> import mxnet as mx
        >>> x = mx.sym.var("x")
        >>> x.squeeze(axis=0).infer_shape(x=(1, 3, 1))[1]
        [(3, 1)]
    """
    del inplace
    return FUNCTIONS["op"]["squeeze"](self, axis=axis, **kwargs)


def _gen_atomic_symbol(self: Symbol) -> Symbol:
    """Returns the operator of the symbol with its attributes, and nothing that it reads."""
    return AtomicSymbol(self)


WRITTEN_METHODS: dict[str, Callable[..., Any]] = {
    "_gen_atomic_symbol": _gen_atomic_symbol,
    "astype": _astype,
    "detach": _detach,
    "diag": _diag,
    "expand_dims": _expand_dims,
    "flatten": _flatten,
    "squeeze": _squeeze,
}
"""Methods that do more than to call the function of their name."""


def _refuse(name: str, instead: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise NotOnSymbolError(name, f"Symbol has no {name}: {instead}")

    refuse.__doc__ = f"Raises an error, as arrays alone have `{name}`: {instead}."
    return public_call(refuse)

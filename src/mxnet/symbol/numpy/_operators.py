"""The functions of `mx.sym.np` that operators of the NumPy dialect become."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy

from mxnet._arrays.functions import rename
from mxnet._np_functions.mxnet2 import follow, renamed_in
from mxnet._np_functions.table import NP, NPX, Function, Operators, apply_to_number, check_options
from mxnet._start import type_name
from mxnet.errors import UnsupportedTypeError
from mxnet.ops.core.public import install_operators, set_method
from mxnet.ops.core.registry import all_names, get_op
from mxnet.ops.core.spellings import NUMPY, Binary, public_name
from mxnet.symbol._functions import as_function
from mxnet.symbol.numpy._symbol import _Symbol
from mxnet.symbol.symbol import NotOnSymbolError, is_operand, remedy_for

_COMMUTE = frozenset({"add", "mul"})
_PUBLIC_OPERATORS = {NP: "_np_", NPX: "_npx_"}
"""What operators that are functions of a module as they are begin with."""


def _unsupported(where: str, value: Any) -> UnsupportedTypeError:
    return UnsupportedTypeError(
        f"{where}: type {type_name(value)} not supported{remedy_for(value, _Symbol)}"
    )


_NOTHING: Mapping[str, str] = MappingProxyType({})


class SymbolOperators(Operators):
    """The `F` of symbols."""

    operand = _Symbol
    package = "mxnet.symbol.numpy"
    for_symbols = True

    def make_raw(self, operator: str, renamed: Mapping[str, str] = _NOTHING) -> Function:
        """Returns the function of an operator on symbols of `mx.sym.np`."""
        name = public_name(operator)
        function = as_function(get_op(operator), name, f"{self.package}._internal", _Symbol)
        if renamed:
            shown = function.__signature__  # type: ignore[attr-defined]  # made late
            function = rename(function, renamed)
            function.__signature__ = shown  # type: ignore[attr-defined]
        return function

    def install(self, namespace: dict[str, Any], module: str) -> list[str]:
        """Installs the functions of a module.

        Those which the original makes from operators are the functions of these here too: they
        take `name=` and `attr=`, and their nodes have the attributes alone that are given.
        """
        names = super().install(namespace, module)
        prefix = _PUBLIC_OPERATORS.get(module)
        if prefix is not None:
            for name in names:
                operator = prefix + name
                if operator in all_names() and not get_op(operator).variadic:
                    op, later = (
                        get_op(operator),
                        renamed_in(f"sym.{module}", name) or renamed_in(module, name),
                    )
                    # A declaration may call an array or an attribute otherwise than the operator.
                    known = {item.name for item in op.inputs} | {*op.attrs}
                    own = {"a": op.inputs[0].name, **{k: v for k, v in later.items() if v in known}}
                    namespace[name] = self.make_raw(operator, own)
        self._settle(namespace, names)
        follow(namespace, f"sym.{module}")
        return names

    def make_unary(self, name: str, operator: str, doc: str) -> Function:
        """Returns a function of one symbol or number."""
        raw = getattr(self, operator)

        def call(x: Any, out: Any = None, **kwargs: Any) -> Any:
            del out  # symbols are not written into
            if kwargs:
                check_options(name, kwargs)
            if isinstance(x, numbers.Number):
                return apply_to_number(name, x)
            if not is_operand(x, _Symbol):
                raise _unsupported(name, x)
            return raw(x)

        return self.name(call, name, doc)

    def make_binary(self, row: Binary, doc: str) -> Function:
        """Returns a function of two operands, each a symbol or a number."""
        name = row.symbol_functions[0]
        plain, reflected = self.make_operator(row), self.make_operator(row, reflected=True)

        def call(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
            del out
            if kwargs:
                check_options(name, kwargs)
            if is_operand(x1, _Symbol):
                return plain(x1, x2)
            if not isinstance(x1, numbers.Number):
                raise _unsupported(name, x1)
            if isinstance(x2, numbers.Number):
                return row.on_numbers(x1, x2)
            return reflected(x2, x1)

        return self.name(call, name, doc)

    def make_operator(self, row: Binary, *, reflected: bool = False) -> Function:
        """Returns the method behind `x + y`, or behind `2 + x` where that is another operator."""
        names, where = row.symbols, row.symbol_functions[0]
        if names is None:
            raise _unsupported(where, None)
        pair = getattr(self, names.pair)
        scalar = getattr(self, names.reflected if reflected else names.scalar)

        def operate(self: Any, other: Any) -> Any:
            if is_operand(self, _Symbol) and is_operand(other, _Symbol):
                return pair(other, self) if reflected else pair(self, other)
            if not isinstance(other, numbers.Number):
                raise _unsupported(where, other)
            whole = isinstance(other, (int, numpy.integer)) and not reflected
            return scalar(self, scalar=float(other), is_int=whole)  # type: ignore[arg-type]

        return operate


SYMBOLS = SymbolOperators()
"""What functions of `mx.sym.np` are written on."""

install = SYMBOLS.install


class _Maker:
    """Makes the methods behind Python's operators."""

    def plain(self, row: Binary) -> Function | None:
        return SYMBOLS.make_operator(row)

    def reflected(self, row: Binary) -> Function | None:
        return SYMBOLS.make_operator(row, reflected=row.python not in _COMMUTE)

    def in_place(self, row: Binary) -> Function | None:
        return _refuse_in_place(row)


def _refuse_in_place(row: Binary) -> Function:
    name = f"__i{row.python}__"

    def refuse(*_: Any) -> Any:
        raise NotOnSymbolError(name, f"_Symbol has no {name}: write x = x + y in its place")

    return refuse


def install_methods() -> None:
    """Adds Python's operators to symbols."""
    install_operators(_Symbol, NUMPY.binary, _Maker())
    set_method(_Symbol, "__neg__", lambda self: SYMBOLS.negative(self))
    set_method(_Symbol, "__abs__", lambda self: SYMBOLS.absolute(self))


def flatnonzero(a: Any) -> Any:
    """Returns the positions of elements that are not zero in the flattened array.

    Example:
        >>> import mxnet as mx
        >>> y = mx.sym.np.flatnonzero(mx.sym.var("x").as_np_ndarray())
        >>> y.eval(x=mx.np.array([[0, 3], [4, 0]]))[0]
        array([1, 2], dtype=int64)
    """
    return SYMBOLS._npx_reshape(SYMBOLS._npx_nonzero(SYMBOLS.reshape(a, -1)), newshape=-1)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """Reads a function between the points where it is known; see `mx.np.interp`."""
    options = {"left": left, "right": right, "period": period}
    if isinstance(x, numbers.Number):
        return SYMBOLS._npi_interp(xp, fp, x_scalar=float(x), x_is_scalar=True, **options)  # type: ignore[arg-type]
    return SYMBOLS._npi_interp(xp, fp, x, **options)


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """Moves an axis before another one; see `mx.np.rollaxis`."""
    return SYMBOLS._npi_rollaxis(a, axis=axis, start=start)


def lstsq(a: Any, b: Any, rcond: Any = "warn") -> list[Any]:
    """Solves linear equations with the least squared deviations; see `mx.np.linalg.lstsq`."""
    share = -1.0 if rcond in ("warn", None) else float(rcond)
    return list(SYMBOLS._npi_lstsq(a, b, rcond=share, new_default=rcond is None))


def matrix_rank(M: Any, tol: Any = None, hermitian: bool = False) -> Any:
    """Counts the singular values of each matrix that are not zero, or above `tol`."""
    if tol is None:
        return SYMBOLS._npi_matrix_rank_none_tol(M, hermitian=hermitian)
    limit = SYMBOLS.full((), float(tol)) if isinstance(tol, numbers.Number) else tol  # type: ignore[arg-type]
    return SYMBOLS._npi_matrix_rank(M, limit, hermitian=hermitian)


def qr(a: Any, mode: str = "reduced") -> list[Any]:
    """Splits each matrix into an orthonormal and a triangular one; see `mx.np.linalg.qr`."""
    if mode != "reduced":
        raise UnsupportedTypeError(f"qr: mode takes 'reduced' in graphs, got {mode!r}")
    return list(SYMBOLS._npi_qr(a))


FUNCTIONS = {function.__name__: function for function in (flatnonzero, interp, rollaxis)}
LINALG_FUNCTIONS = {function.__name__: function for function in (lstsq, matrix_rank, qr)}
"""Functions of graphs alone: on arrays NumPy or torch computes them."""

"""The functions of `mx.np` that operators of the NumPy dialect become."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from mxnet._arrays.array import NO_ATTRS, is_operand
from mxnet._arrays.functions import _parse_call, as_function
from mxnet._arrays.operators import NUMBERS, unsupported_operand
from mxnet._arrays.straight import Known, make_call, with_fast_path
from mxnet._np_functions.table import Forward, Function, Operators, apply_to_number, check_options
from mxnet._start import public_call
from mxnet._state import remember
from mxnet.numpy._ndarray import ndarray
from mxnet.ops.core.attrs import is_constant
from mxnet.ops.core.registry import MAX_CACHED_CALLS, Op, get_op
from mxnet.ops.core.scalars import as_number
from mxnet.ops.core.spellings import Binary, public_name


class ArrayOperators(Operators):
    """The `F` of arrays."""

    operand = ndarray
    package = "mxnet.numpy"

    def make_raw(self, operator: str, renamed: Mapping[str, str] = NO_ATTRS) -> Function:
        """Returns the function of an operator on arrays of `mx.np`."""
        op, name = get_op(operator), public_name(operator)
        return as_function(op, name, ndarray, f"{self.package}._internal", renamed)

    def make_unary(self, name: str, operator: str, doc: str) -> Function:
        """Returns a function of one array or number."""
        raw = getattr(self, operator)

        def general(x: Any, out: Any = None, **kwargs: Any) -> Any:
            if kwargs:
                check_options(name, kwargs)
            if isinstance(x, NUMBERS):
                return apply_to_number(name, x)
            if not is_operand(x, ndarray):
                raise unsupported_operand(name, x, ndarray)
            return raw(x, out=out)

        general.__qualname__ = name  # which Python prints where arguments are missing
        return self.name(with_fast_path(get_op(operator), ndarray, general), name, doc)

    def make_binary(self, row: Binary, doc: str) -> Function:
        """Returns a function of two operands, each an array or a number."""
        names, name = row.arrays, row.array_functions[0]
        if names is None:
            raise unsupported_operand(name, None, ndarray)
        pair, scalar, reflected = (getattr(self, operator) for operator in names)

        def general(x1: Any, x2: Any, out: Any = None, **kwargs: Any) -> Any:
            if kwargs:
                check_options(name, kwargs)
            if is_operand(x1, ndarray):
                if is_operand(x2, ndarray):
                    return pair(x1, x2, out=out)
                if isinstance(x2, NUMBERS):
                    return scalar(x1, scalar=as_number(x2), out=out)
                raise unsupported_operand(name, x2, ndarray)
            if isinstance(x1, NUMBERS):
                if isinstance(x2, NUMBERS):
                    return row.on_numbers(x1, x2)
                if is_operand(x2, ndarray):
                    return reflected(x2, scalar=as_number(x1), out=out)
                raise unsupported_operand(name, x2, ndarray)
            raise unsupported_operand(name, x1, ndarray)

        general.__qualname__ = name
        function = _hiding_frames(with_fast_path(get_op(names.pair), ndarray, general), general)
        return self.name(function, name, doc)

    def make_straight(
        self, function: Function, operator: str, attrs: Mapping[str, Any]
    ) -> Function:
        """Returns a function that goes straight to the kernel when it gets arrays alone."""
        straight = with_fast_path(get_op(operator), ndarray, function, attrs)
        return self.name(straight, function.__name__, function.__doc__ or "")

    def make_forward(self, row: Forward) -> Function:
        """Returns a function that goes straight to the kernel if it has been called so before."""
        op = get_op(row.operator)
        # Attributes by how arguments were given, of which they are a function.
        known: Known = {}
        note = partial(_remember, op, known) if op.attrs else None
        general = row.make_call(self, _parse_call(op, ndarray, None), note)
        if op.attrs:
            alone = row.omits_defaults(self)
            function = make_call(
                op, ndarray, general, None, known=known, strict=True, may_be_alone=alone
            )
        else:
            function = with_fast_path(op, ndarray, general)
        return self.name(function, general.__name__, general.__doc__ or "")


def _remember(
    op: Op, known: Known, args: tuple[Any, ...], kwargs: dict[str, Any], attrs: dict[str, Any]
) -> None:
    """Notes what a call means, unless that may be another thing the next time."""
    if attrs.pop("out", None) is not None or not args or type(args[0]) is not ndarray:
        return
    if all(map(is_constant, (*args[1:], *kwargs.values()))):
        key = (len(args), *args[1:], *kwargs, *kwargs.values())
        remember(known, key, (op.parse_attrs(attrs), None), MAX_CACHED_CALLS)


def _hiding_frames(function: Function, general: Function) -> Function:
    """Adds a handler to a function that has no fast path, which would have one."""
    return public_call(function) if function is general else function


ARRAYS = ArrayOperators()
"""What functions of `mx.np` are written on."""

install = ARRAYS.install

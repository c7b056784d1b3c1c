"""Operators of the NumPy dialect that are written in Python: `mx.numpy_op_fallback`.

Example:
    >>> import mxnet as mx
    >>> class Halve(mx.operator.CustomOp):
    ...     def forward(self, is_train, req, in_data, out_data, aux):
    ...         self.assign(out_data[0], req[0], mx.np.divide(in_data[0], 2))
    >>> @mx.numpy_op_fallback.register("halve_fallback")
    ... class HalveProp(mx.operator.CustomOpProp):
    ...     def create_operator(self, ctx, in_shapes, in_dtypes):
    ...         return Halve()
    >>> print(mx.np._internal.halve_fallback(mx.np.array([2, 4])))
    [1. 2.]
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import TypeVar

from mxnet import operator
from mxnet._state import np_array
from mxnet.errors import ArgumentValueError
from mxnet.numpy import _internal as _nd_npi
from mxnet.operator._np_fallbacks import PROPS
from mxnet.operator._np_fallbacks import EmptyLike as EmptyLike
from mxnet.operator._np_fallbacks import EmptyLikeProp as EmptyLikeProp
from mxnet.operator._np_fallbacks import MultivariateNormal as MultivariateNormal
from mxnet.operator._np_fallbacks import MultivariateNormalProp as MultivariateNormalProp
from mxnet.operator._np_fallbacks import Resize as Resize
from mxnet.operator._np_fallbacks import ResizeProp as ResizeProp
from mxnet.operator._np_fallbacks import Unravel_index as Unravel_index
from mxnet.operator._np_fallbacks import Unravel_indexProp as Unravel_indexProp
from mxnet.symbol.numpy import _internal as _sym_npi

P = TypeVar("P", bound="type[operator.CustomOpProp]")


def register(op_name: str, imperative: bool = True, symbolic: bool = True) -> Callable[[P], P]:
    """Makes a `CustomOpProp` known whose operator computes on arrays of `mx.np`.

    Args:
        op_name: Its name, for `Custom` and in the modules of operators.
        imperative: Whether `mx.np._internal` gets a function of that name.
        symbolic: Whether `mx.sym.np._internal` gets one.

    Returns:
        A decorator of the class.

    Raises:
        ArgumentValueError: if one of these modules has the name already.
    """

    def enter(prop_class: P) -> P:
        with np_array():
            operator.register(op_name)(prop_class)
        for module, wanted in ((_nd_npi, imperative), (_sym_npi, symbolic)):
            if wanted:
                _install(module, op_name)
        return prop_class

    return enter


def _install(module: ModuleType, op_name: str) -> None:
    if op_name in vars(module):
        raise ArgumentValueError(f"register: {module.__name__} has a name {op_name!r} already")
    setattr(module, op_name, partial(module.Custom, op_type=op_name))


for _name in PROPS:  # which are registered already
    _install(_nd_npi, _name)
    _install(_sym_npi, _name)

for _class in (
    *(EmptyLike, EmptyLikeProp, MultivariateNormal, MultivariateNormalProp),
    *(Resize, ResizeProp, Unravel_index, Unravel_indexProp),
):
    _class.__module__ = __name__  # where programs find them

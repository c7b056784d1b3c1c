"""The base of symbols, which is the symbol itself here: there is no C object below it."""

from mxnet.base import SymbolHandle as SymbolHandle
from mxnet.base import c_str_array as c_str_array
from mxnet.base import check_call as check_call
from mxnet.symbol import Symbol as SymbolBase

__all__ = ["SymbolBase"]

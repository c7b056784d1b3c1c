"""Sorts the functions of all operators into the modules where the original has them."""

from __future__ import annotations

from mxnet.ops.core.public import PublicFunctions
from mxnet.ops.core.spellings import CLASSIC
from mxnet.symbol._functions import as_function

FUNCTIONS = PublicFunctions(CLASSIC, "mxnet.symbol", as_function)
populate = FUNCTIONS.populate

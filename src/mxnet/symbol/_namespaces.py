"""Sorts the functions of all operators into the modules where the original has them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mxnet.ops.core.public import PublicFunctions
from mxnet.ops.core.registry import get_op
from mxnet.ops.core.spellings import CLASSIC
from mxnet.symbol._functions import as_function

FUNCTIONS = PublicFunctions(CLASSIC, "mxnet.symbol", as_function)
populate = FUNCTIONS.populate


def make_sparse_functions(module: str) -> dict[str, Callable[..., Any]]:
    """Returns the functions of `mx.sym.sparse`, which is the given module, by name."""
    own = {
        name: as_function(get_op(f"_sparse_{name}"), name, module) for name in CLASSIC.sparse_own
    }
    shared = {name: FUNCTIONS["op"][name] for name in CLASSIC.sparse}
    return dict(sorted({**shared, **own}.items()))

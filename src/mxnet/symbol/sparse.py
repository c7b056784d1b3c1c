"""Functions on sparse arrays: `mx.sym.sparse`; in graphs they work on the dense form."""

from __future__ import annotations

from mxnet.ops.core.registry import get_op
from mxnet.ops.core.spellings import CLASSIC
from mxnet.symbol._functions import as_function
from mxnet.symbol._namespaces import FUNCTIONS

_FUNCTIONS = {name: FUNCTIONS["op"][name] for name in CLASSIC.sparse} | {
    name: as_function(get_op(f"_sparse_{name}"), name, __name__) for name in CLASSIC.sparse_own
}
globals().update(_FUNCTIONS)

__all__ = sorted(_FUNCTIONS)

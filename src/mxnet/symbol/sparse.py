"""Functions on sparse arrays: `mx.sym.sparse`; in graphs they work on the dense form."""

from __future__ import annotations

from mxnet.ops.registry import get_op
from mxnet.symbol._functions import as_function
from mxnet.symbol._namespaces import FUNCTIONS

_NAMES = (
    "ElementWiseSum", "Embedding", "FullyConnected", "LinearRegressionOutput",
    "LogisticRegressionOutput", "MAERegressionOutput", "abs", "adam_update", "add_n", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "broadcast_add", "broadcast_div",
    "broadcast_minus", "broadcast_mul", "broadcast_plus", "broadcast_sub", "cast_storage", "cbrt",
    "ceil", "clip", "concat", "cos", "cosh", "degrees", "dot", "elemwise_add", "elemwise_div",
    "elemwise_mul", "elemwise_sub", "exp", "expm1", "fix", "floor", "ftrl_update", "gamma",
    "gammaln", "log", "log10", "log1p", "log2", "make_loss", "mean", "negative", "norm", "radians",
    "relu", "rint", "round", "rsqrt", "sgd_mom_update", "sgd_update", "sigmoid", "sign", "sin",
    "sinh", "slice", "sqrt", "square", "stop_gradient", "sum", "tan", "tanh", "trunc", "where",
    "zeros_like",
)  # fmt: skip
_OWN = ("adagrad_update", "retain")

_FUNCTIONS = {name: FUNCTIONS["op"][name] for name in _NAMES} | {
    name: as_function(get_op(f"_sparse_{name}"), name, __name__) for name in _OWN
}
globals().update(_FUNCTIONS)

__all__ = sorted(_FUNCTIONS)

"""Operators whose inputs and output have one shape."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import torch

from mxnet.graph.node import Entry, Node
from mxnet.ops.registry import Op

_PLAIN = frozenset(
    {
        "elemwise_add", "elemwise_sub", "elemwise_mul", "elemwise_div", "add_n", "_grad_add",
        "_maximum", "_minimum", "_mod", "_power", "_hypot", "_equal", "_not_equal", "_greater",
        "_greater_equal", "_lesser", "_lesser_equal", "_logical_and", "_logical_or",
        "_logical_xor", "Activation", "BlockGrad", "Dropout", "_contrib_div_sqrt_dim",
        "_contrib_gradientmultiplier", "_contrib_quadratic", "_copy", "clip", "hard_sigmoid",
        "identity", "ones_like", "relu", "sigmoid", "smooth_l1", "tanh", "zeros_like",
    }
)  # fmt: skip
"""Operators that take floating-point numbers of any shape and give numbers of the same type."""

_ALIKE = _PLAIN | frozenset(
    {
        "Cast", "SoftmaxActivation", "amp_cast", "log_softmax", "make_loss", "reverse", "softmax",
        "softmin",
    }
)  # fmt: skip
"""Operators whose inputs and output all have one shape."""


@lru_cache(maxsize=1024)
def is_alike(op: Op) -> bool:
    """Returns whether all inputs and the output of an operator have one shape."""
    if len(op.inputs) > 1 and op.name in ("softmax", "log_softmax"):
        return False  # the other input is a length
    return op.name in _ALIKE or _is_elementwise(op)


def _is_elementwise(op: Op) -> bool:
    plain = len(op.inputs) == 1 and not op.variadic and not op.attrs and op.fresh
    return plain or op.name.endswith("_scalar")


def find_alike(node: Node, op: Op) -> list[Entry]:
    """Lists the inputs and the output of a node that have one shape."""
    if op.name == "where":
        return [*node.inputs[1:], Entry(node)]  # a condition may be a vector
    return [*node.inputs, Entry(node)] if is_alike(op) else []


def is_like_inputs(op: Op, dtypes: Sequence[torch.dtype | None]) -> bool:
    """Returns whether an operator whose inputs are of one shape gives an output like them.

    Then there is no need to ask the kernel, which is slow: the first question to some kernels
    makes torch import its compiler.
    """
    first = dtypes[0] if dtypes else None
    if first is None or not _is_plain(op) or not first.is_floating_point:
        return False
    return dtypes.count(first) == len(dtypes)


@lru_cache(maxsize=1024)
def _is_plain(op: Op) -> bool:
    simple = _is_elementwise(op) and op.attrs.keys() <= {"scalar", "is_int"}
    return simple or op.name in _PLAIN

"""The storage type of an operator's result, from those of its inputs.

Names and conditions stand here once for sparse arrays, which compute with what is stored, and for
graphs, which compute with dense tensors and give their outputs the storage type that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

import torch

from mxnet.ops.registry import Op

Attrs: TypeAlias = Mapping[str, Any]
Rule: TypeAlias = Callable[[Op, Sequence[str], Attrs], str]

ON_STORED = (
    "abs",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "BlockGrad",
    "cbrt",
    "ceil",
    "_copy",
    "degrees",
    "expm1",
    "fix",
    "floor",
    "log1p",
    "make_loss",
    "negative",
    "radians",
    "relu",
    "rint",
    "round",
    "_scatter_minus_scalar",
    "_scatter_plus_scalar",
    "sign",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
)
"""Operators that change the elements that are stored, and those alone."""

MAY_KEEP_ZERO = (
    "clip",
    "_div_scalar",
    "_equal_scalar",
    "_greater_equal_scalar",
    "_greater_scalar",
    "_lesser_equal_scalar",
    "_lesser_scalar",
    "_minus_scalar",
    "_mul_scalar",
    "_not_equal_scalar",
    "_plus_scalar",
)
"""Operators that do so if what is not stored stays zero."""


def keeps_zero(op: Op, attrs: Attrs) -> bool:
    """Returns whether an operator on one array gives zero for zero."""
    return float(op.kernel(torch.zeros(1), **attrs)) == 0


def has_no_steps(attrs: Attrs) -> bool:
    """Returns whether a slice is one without steps; the original sees it for one axis alone."""
    return (attrs.get("step") or ()) in ((), (None,), (1,))


def storage_of_product(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of a matrix product."""
    left, right = stypes
    wanted = attrs.get("forward_stype")
    if wanted and "csr" in stypes:
        return str(wanted)
    if left == "csr":
        rows = attrs.get("transpose_a") and not attrs.get("transpose_b") and right != "csr"
        return "row_sparse" if rows else "default"
    return "csr" if stypes == ("default", "csr") and not attrs.get("transpose_a") else "default"


def storage_of_result(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the first output."""
    if op.name == "cast_storage":
        return str(attrs["stype"])
    if all(stype == "default" for stype in stypes):
        return "default"
    rule = _RULES.get(op.name)
    return "default" if rule is None else rule(op, tuple(stypes), attrs)


def storage_of_gradient(op: Op, position: int, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the gradient that an operator gives one of its inputs."""
    if position == 1 and _has_rows_in_use(op, stypes, attrs):
        return "row_sparse"
    if op.name in _DENSE_GRADIENTS:
        return "default"
    keeps = op.name == "_square_sum" or storage_of_result(op, stypes, attrs) != "default"
    return stypes[position] if keeps else "default"


_DENSE_GRADIENTS = ("dot", "elemwise_mul")
"""Operators that hand the gradient of a sparse result on in the dense form."""


def _has_rows_in_use(op: Op, stypes: Sequence[str], attrs: Attrs) -> bool:
    """Returns whether the gradient of the second input holds the rows in use alone."""
    if op.name == "dot":
        return stypes[0] == "csr" and not (attrs.get("transpose_a") or attrs.get("transpose_b"))
    return op.name == "_contrib_SparseEmbedding" or (
        op.name == "Embedding" and bool(attrs.get("sparse_grad"))
    )


def _first(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    return stypes[0]


def _if_zero_stays(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    return stypes[0] if keeps_zero(op, attrs) else "default"


def _common(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    return stypes[0] if len(set(stypes)) == 1 else "default"


def _product_of_elements(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    sparse = set(stypes) - {"default"}
    return sparse.pop() if len(sparse) == 1 else "default"


def _only(stype: str, condition: Callable[[Attrs], Any] | None = None) -> Rule:
    """Builds the rule of an operator that has a way for one storage type of its first input."""

    def rule(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
        fits = stypes[0] == stype and (condition is None or condition(attrs))
        return stype if fits else "default"

    return rule


def _all_of(stype: str, condition: Callable[[Attrs], Any] | None = None) -> Rule:
    def rule(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
        fits = set(stypes) == {stype} and (condition is None or condition(attrs))
        return stype if fits else "default"

    return rule


def _by_dense(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    return "csr" if stypes == ("csr", "default") else "default"


_RULES: dict[str, Rule] = {
    **dict.fromkeys((*ON_STORED, "zeros_like"), _first),
    **dict.fromkeys(MAY_KEEP_ZERO, _if_zero_stays),
    **dict.fromkeys(("elemwise_add", "elemwise_sub"), _common),
    **dict.fromkeys(("broadcast_mul", "broadcast_div"), _by_dense),
    **dict.fromkeys(("_sparse_retain", "_scatter_elemwise_div"), _only("row_sparse")),
    "Concat": _all_of("csr", lambda attrs: attrs.get("dim") == 0),
    "_identity_with_attr_like_rhs": lambda op, stypes, attrs: stypes[1],  # noqa: ARG005
    "_square_sum": _only(
        "row_sparse", lambda attrs: attrs.get("axis") in (1, (1,)) and attrs.get("keepdims")
    ),
    "add_n": _all_of("row_sparse"),
    "dot": lambda op, stypes, attrs: storage_of_product(stypes, attrs),  # noqa: ARG005
    "elemwise_mul": _product_of_elements,
    "slice": _only("csr", has_no_steps),
    "take": _only("csr", lambda attrs: attrs.get("axis", 0) == 0),
}

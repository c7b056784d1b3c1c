"""Rules for storage types that declarations choose among, and what follows; see `Storage`.

Sparse arrays compute with what is stored. Graphs compute with dense tensors and give their outputs
the storage type that follows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from mxnet.ops.core.registry import Op
from mxnet.ops.core.traits import Attrs, Storage, StorageRule


def of_first(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the first input."""
    return stypes[0]


def of_second(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the second input."""
    return stypes[1]


def of_all(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type that all inputs have, `default` if they differ."""
    return stypes[0] if len(set(stypes)) == 1 else "default"


def of_sparse(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the inputs that are sparse, `default` if these differ."""
    sparse = set(stypes) - {"default"}
    return sparse.pop() if len(sparse) == 1 else "default"


def of_csr_by_dense(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of a csr array combined with a dense one."""
    return "csr" if stypes == ("csr", "default") else "default"


def only(stype: str, condition: Callable[[Attrs], Any] | None = None) -> StorageRule:
    """Builds the rule of an operator that has a way for one storage type of its first input."""

    def rule(stypes: Sequence[str], attrs: Attrs) -> str:
        fits = stypes[0] == stype and (condition is None or condition(attrs))
        return stype if fits else "default"

    return rule


def only_all(stype: str, condition: Callable[[Attrs], Any] | None = None) -> StorageRule:
    """Builds the rule of an operator that has a way for inputs that all have one storage type."""

    def rule(stypes: Sequence[str], attrs: Attrs) -> str:
        fits = set(stypes) == {stype} and (condition is None or condition(attrs))
        return stype if fits else "default"

    return rule


def of_product(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of a matrix product."""
    left, right = stypes
    wanted = attrs.get("forward_stype")
    if wanted:
        return str(wanted)
    if left == "csr":
        rows = attrs.get("transpose_a") and not attrs.get("transpose_b") and right != "csr"
        return "row_sparse" if rows else "default"
    return "csr" if stypes == ("default", "csr") and not attrs.get("transpose_a") else "default"


def of_product_gradient(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    """Returns the storage type of the gradients of a matrix product."""
    plain = not (attrs.get("transpose_a") or attrs.get("transpose_b"))
    plain = plain and attrs.get("forward_stype") != "csr"
    return "row_sparse" if position == 1 and stypes[0] == "csr" and plain else "default"


def dense_gradient(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    """Returns `default`, for operators that hand gradients on in the dense form."""
    return "default"


def of_head(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    """Returns the storage type of the gradient that arrives, which is handed on as it is."""
    return head


def like_inputs(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    """Returns the storage type of the input that the gradient belongs to."""
    return stypes[position]


def no_gradient(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> None:
    """Returns None, for operators whose slope is zero everywhere."""
    del position, stypes, attrs, head


def of_choice_gradient(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str | None:
    """Returns `default` for the gradients of what is chosen from, none for the condition."""
    return None if position == 0 else "default"


def of_head_for_first(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str | None:
    """Hands the gradient on to the first input alone."""
    return head if position == 0 else None


def of_factors_gradient(position: int, stypes: Sequence[str], attrs: Attrs, head: str) -> str:
    """Returns the storage type of the gradients of an elementwise product."""
    is_csr = head == stypes[position] == "default" and stypes[1 - position] == "csr"
    return "csr" if is_csr else "default"


def has_no_steps(attrs: Attrs) -> bool:
    """Returns whether a slice is one without steps; the original sees it for one axis alone."""
    return (attrs.get("step") or ()) in ((), (None,), (1,))


ON_STORED = Storage(on_stored="always")
"""The operator changes the elements that are stored, and those alone."""
IF_ZERO_STAYS = Storage(on_stored="if zero stays")
"""It does so if what is not stored stays zero."""
WITH_DENSE_GRADIENT = Storage(on_stored="always", gradient=dense_gradient)
"""It changes stored elements, and has a slope where none are."""
WITHOUT_GRADIENT = Storage(on_stored="always", gradient=no_gradient)
"""It changes stored elements, and has no slope."""


def keeps_zero(op: Op, attrs: Attrs) -> bool:
    """Returns whether an operator on one array gives zero for zero."""
    return float(op.kernel(torch.zeros(1), **attrs)) == 0


def fills_zeros(op: Op, attrs: Attrs) -> bool:
    """Returns whether the dense kernel changes zeros that a sparse input does not store."""
    storage = op.traits.storage
    if storage.algorithm in ("broadcast", "divide_stored"):
        return True
    return storage.on_stored == "always" and not keeps_zero(op, attrs)


def on_stored_alone(op: Op, stype: str) -> Op:
    """Returns an operator on dense tensors whose result is zero where nothing is stored.

    It hands gradients on as the operator itself does, also where nothing is stored.

    Args:
        op: The operator; see `fills_zeros`.
        stype: Storage type of its first input, of which it gets the dense form.
    """

    def run(data: Tensor, *others: Tensor, **attrs: Any) -> Tensor:
        result: Tensor = op.kernel(data, *others, **attrs)
        stored = data != 0
        if stype == "row_sparse" and data.ndim > 1:
            stored = stored.flatten(1).any(1).view(-1, *[1] * (data.ndim - 1))
        return with_values(result, torch.where(stored, result.detach(), 0))

    return replace(op, kernel=run)


def with_values(result: Tensor, values: Tensor) -> Tensor:
    """Returns a tensor of other values with the history of a result."""
    return _WithValues.apply(result, values)  # type: ignore[no-untyped-call, no-any-return]


class _WithValues(torch.autograd.Function):
    """Replaces elements, and hands gradients on as they are."""

    @staticmethod
    def forward(context: Any, result: Tensor, values: Tensor) -> Tensor:
        del context, result
        return values.view_as(values)

    @staticmethod
    def backward(context: Any, slope: Tensor) -> tuple[Tensor, None]:
        del context
        return slope, None


def storage_of_result(op: Op, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the first output."""
    storage = op.traits.storage
    if not storage.from_attrs and all(stype == "default" for stype in stypes):
        return "default"
    if storage.on_stored:
        is_sparse = storage.on_stored == "always" or keeps_zero(op, attrs)
        return stypes[0] if is_sparse else "default"
    return "default" if storage.result is None else storage.result(tuple(stypes), attrs)


def storage_of_gradient(
    op: Op, position: int, stypes: Sequence[str], attrs: Attrs, head: str
) -> str | None:
    """Returns the storage type of the gradient that an operator gives one of its inputs, if any.

    Args:
        op: The operator.
        position: Which input.
        stypes: Storage types of all inputs.
        attrs: Attributes of the operator.
        head: Storage type of the gradient that arrives at the result.
    """
    storage = op.traits.storage
    if storage.gradient is not None:
        return storage.gradient(position, tuple(stypes), attrs, head)
    return head if storage.on_stored else "default"

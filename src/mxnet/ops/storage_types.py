"""Rules for storage types that declarations choose among; see `Storage`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mxnet.ops.traits import Attrs, Storage, StorageRule


def of_first(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the first input."""
    del attrs
    return stypes[0]


def of_second(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the second input."""
    del attrs
    return stypes[1]


def of_all(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type that all inputs have, `default` if they differ."""
    del attrs
    return stypes[0] if len(set(stypes)) == 1 else "default"


def of_sparse(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the inputs that are sparse, `default` if these differ."""
    del attrs
    sparse = set(stypes) - {"default"}
    return sparse.pop() if len(sparse) == 1 else "default"


def of_csr_by_dense(stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of a csr array combined with a dense one."""
    del attrs
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
    if wanted and "csr" in stypes:
        return str(wanted)
    if left == "csr":
        rows = attrs.get("transpose_a") and not attrs.get("transpose_b") and right != "csr"
        return "row_sparse" if rows else "default"
    return "csr" if stypes == ("default", "csr") and not attrs.get("transpose_a") else "default"


def of_product_gradient(position: int, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the gradients of a matrix product."""
    plain = not (attrs.get("transpose_a") or attrs.get("transpose_b"))
    return "row_sparse" if position == 1 and stypes[0] == "csr" and plain else "default"


def dense_gradient(position: int, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns `default`, for operators that hand gradients on in the dense form."""
    del position, stypes, attrs
    return "default"


def like_inputs(position: int, stypes: Sequence[str], attrs: Attrs) -> str:
    """Returns the storage type of the input that the gradient belongs to."""
    del attrs
    return stypes[position]


def has_no_steps(attrs: Attrs) -> bool:
    """Returns whether a slice is one without steps; the original sees it for one axis alone."""
    return (attrs.get("step") or ()) in ((), (None,), (1,))


ON_STORED = Storage(on_stored="always")
"""The operator changes the elements that are stored, and those alone."""
IF_ZERO_STAYS = Storage(on_stored="if zero stays")
"""It does so if what is not stored stays zero."""

"""Sums of products by Einstein's convention."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.flops import Settings
from mxnet.ops.registry import op
from mxnet.ops.sizes import check_like
from mxnet.ops.traits import Traits

_NAME = "_npi_einsum"
_TERM = re.compile(r"[A-Za-z]*(\.\.\.)?[A-Za-z]*")


def _split(subscripts: str) -> tuple[list[str], str | None]:
    """Returns the labels of each array and those of the result, None if they are not given."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    for term in (*terms, right):
        if _TERM.fullmatch(term) is None:
            raise MXNetError(
                f"{_NAME}: expected letters and at most one ellipsis, got {term!r} in subscripts "
                f"{subscripts!r}"
            )
    return terms, right if arrow else None


def _implied(terms: Sequence[str]) -> str:
    """Returns the labels of a result that subscripts leave out: those that occur once, sorted."""
    labels = "".join(terms).replace("...", "")
    once = sorted(label for label in set(labels) if labels.count(label) == 1)
    ellipsis = "..." if any("..." in term for term in terms) else ""
    return ellipsis + "".join(once)


def _lengths(terms: Sequence[str], data: Sequence[Tensor]) -> dict[str, int]:
    """Returns the length of each label; a length of 1 stretches to that of other arrays."""
    lengths: dict[str, int] = {}
    for position, (term, array) in enumerate(zip(terms, data, strict=True)):
        head, ellipsis, tail = term.partition("...")
        fits = len(head) + len(tail) <= array.ndim if ellipsis else len(head) == array.ndim
        if not fits:
            raise MXNetError(
                f"{_NAME}: expected a label for each of the {array.ndim} axes of input {position}, "
                f"got {term!r}"
            )
        sizes = [*array.shape[: len(head)], *array.shape[array.ndim - len(tail) :]]
        for label, length in zip(head + tail, sizes, strict=True):
            known = lengths.setdefault(label, length)
            if known == 1:
                lengths[label] = length
            elif length not in (1, known):
                raise MXNetError(
                    f"{_NAME}: expected one length of label {label!r}, got {known} and {length}"
                )
    return lengths


def _check_output(output: str, lengths: dict[str, int]) -> None:
    labels = output.replace("...", "")
    if len(set(labels)) < len(labels) or not set(labels) <= lengths.keys():
        raise MXNetError(
            f"{_NAME}: expected labels of the inputs in the result, each once, got {output!r}"
        )


def _count_flops(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts products of all arrays at once; torch may find a shorter way."""
    terms, output = _split(attrs["subscripts"])
    kept = _implied(terms) if output is None else output
    lengths = _lengths(terms, [torch.empty(shape, device="meta") for shape in inputs])
    summed = prod(length for label, length in lengths.items() if label not in kept)
    return len(terms) * prod(outputs[0]) * summed


@op(_NAME, traits=Traits(low_precision=True, flops=_count_flops))
def einsum(*data: Tensor, subscripts: str = "", optimize: int = 0) -> Tensor:
    """Multiplies arrays and sums over the axes whose label is not one of the result's.

    Args:
        *data: Arrays of one dtype.
        subscripts: A letter for each axis of each array, such as `ij,jk->ik`; an ellipsis stands
            for axes without a letter. Without an arrow the result has the letters that occur once.
        optimize: Whether the order of the products may differ from that of the arrays. It is
            accepted and has no effect: torch chooses the order.

    Example:
        >>> from mxnet import np
        >>> print(np.einsum("ij->i", np.ones((2, 3))))
        [3. 3.]
    """
    terms, output = _split(subscripts)
    if len(terms) != len(data):
        raise MXNetError(f"{_NAME}: expected subscripts of {len(data)} arrays, got {subscripts!r}")
    lengths = _lengths(terms, data)
    output = _implied(terms) if output is None else output
    _check_output(output, lengths)
    check_like(_NAME, [lengths[label] for label in output.replace("...", "")], data[0])
    dtype = data[0].dtype
    if dtype.is_floating_point:
        return _contract(terms, output, data)
    # On other devices than the CPU torch multiplies floats alone; bool is whether a sum is not 0.
    whole = torch.int32 if dtype is torch.bool else dtype
    exact = whole if data[0].device.type == "cpu" else torch.float64
    return _contract(terms, output, [array.to(exact) for array in data]).to(dtype)


def _contract(terms: Sequence[str], output: str, data: Sequence[Tensor]) -> Tensor:
    result: Tensor = torch.einsum(f"{','.join(terms)}->{output}", *data)
    return result

"""Products of arrays whose axes are named by letters, and which of them are parts of attention."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.allocation import check_like
from mxnet.ops.core.attrs import Shape
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import Attention, Fusion, Traits
from mxnet.ops.rules.flops import Settings

_EINSUM = "_npi_einsum"


def _is_term(text: str) -> bool:
    """Returns whether a text is letters with at most one ellipsis."""
    letters = text.replace("...", "", 1)
    return not letters or (letters.isascii() and letters.isalpha())


def _split(subscripts: str) -> tuple[list[str], str | None]:
    """Returns the labels of each array and those of the result, None if they are not given."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    terms = left.split(",")
    for term in (*terms, right):
        if not _is_term(term):
            raise MXNetError(
                f"{_EINSUM}: expected letters and at most one ellipsis, got {term!r} in subscripts "
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
                f"{_EINSUM}: expected a label for each of the {array.ndim} axes of input"
                f" {position}, got {term!r}"
            )
        sizes = [*array.shape[: len(head)], *array.shape[array.ndim - len(tail) :]]
        for label, length in zip(head + tail, sizes, strict=True):
            known = lengths.setdefault(label, length)
            if known == 1:
                lengths[label] = length
            elif length not in (1, known):
                raise MXNetError(
                    f"{_EINSUM}: expected one length of label {label!r}, got {known} and {length}"
                )
    return lengths


def _check_output(output: str, lengths: dict[str, int]) -> None:
    labels = output.replace("...", "")
    if len(set(labels)) < len(labels) or not set(labels) <= lengths.keys():
        raise MXNetError(
            f"{_EINSUM}: expected labels of the inputs in the result, each once, got {output!r}"
        )


def _count_flops(inputs: Sequence[Shape], outputs: Sequence[Shape], attrs: Settings) -> int:
    """Counts products of all arrays at once; torch may find a shorter way."""
    terms, output = _split(attrs["subscripts"])
    kept = _implied(terms) if output is None else output
    lengths = _lengths(terms, [torch.empty(shape, device="meta") for shape in inputs])
    summed = prod(length for label, length in lengths.items() if label not in kept)
    return len(terms) * prod(outputs[0]) * summed


class _Pair(NamedTuple):
    """A product of two stacks of matrices, as subscripts write it."""

    batch: str
    """Labels of the leading axes, in the order of the left factor."""
    rows: str
    summed: str
    columns: str


def _read_pair(left: str, right: str, output: str) -> _Pair | None:
    """Returns what the factors of a product have in common, None if it is no such product."""
    batch = "".join(label for label in left if label in right and label in output)
    rows = "".join(label for label in left if label not in right)
    columns = "".join(label for label in right if label not in left)
    summed = "".join(label for label in left if label in right and label not in output)
    is_known = sorted(batch + rows + columns) == sorted(output)
    if not is_known or [len(rows), len(summed), len(columns)] != [1, 1, 1]:
        return None
    return _Pair(batch, rows, summed, columns)


def _read_einsum(subscripts: str) -> tuple[str, str, str] | None:
    """Returns the labels of two factors and of their product, None if an axis has none."""
    terms, output = _split(subscripts)
    output = _implied(terms) if output is None else output
    repeats = any(len({*term}) < len(term) for term in (*terms, output))
    if len(terms) != 2 or "..." in subscripts or repeats:
        return None
    return terms[0], terms[1], output


def _arrange(array: Tensor, labels: str, wanted: str) -> Tensor:
    return array.permute([labels.index(label) for label in wanted])


def _split_scores(
    first: Tensor, second: Tensor, *, subscripts: str, **_: object
) -> tuple[Tensor, Tensor, float]:
    """Returns queries and keys, a vector for those if the result is no array of scores."""
    read = _read_einsum(subscripts)
    if read is not None:
        for left, right, queries, keys in (
            (read[0], read[1], first, second),
            (read[1], read[0], second, first),
        ):
            pair = _read_pair(left, right, read[2])
            if pair is not None and read[2] == pair.batch + pair.rows + pair.columns:
                axes = pair.batch + pair.rows + pair.summed
                others = pair.batch + pair.columns + pair.summed
                return _arrange(queries, left, axes), _arrange(keys, right, others), 1.0
    return first.flatten(), second.flatten(), 1.0


def _find_weights(*, subscripts: str, **_: object) -> tuple[int, ...]:
    """Returns which factors have weights in their rows."""
    read = _read_einsum(subscripts)
    if read is None:
        return ()
    pairs = _read_pair(read[0], read[1], read[2]), _read_pair(read[1], read[0], read[2])
    return tuple(
        place
        for place, pair in enumerate(pairs)
        if pair is not None and read[place] == pair.batch + pair.rows + pair.summed
    )


def _pair_of(subscripts: str, place: int) -> tuple[_Pair, str, str]:
    """Returns a product of weights, the labels of the values and those of the result."""
    read = _read_einsum(subscripts)
    pair = None if read is None else _read_pair(read[place], read[1 - place], read[2])
    if read is None or pair is None:
        raise MXNetError(f"{_EINSUM}: expected a product of weights, got {subscripts!r}")
    return pair, read[1 - place], read[2]


def _split_values(other: Tensor, *, subscripts: str, place: int, **_: object) -> Tensor:
    pair, labels, _output = _pair_of(subscripts, place)
    return _arrange(other, labels, pair.batch + pair.summed + pair.columns)


def _join(sums: Tensor, *, subscripts: str, place: int, **_: object) -> Tensor:
    pair, _labels, output = _pair_of(subscripts, place)
    return _arrange(sums, pair.batch + pair.rows + pair.columns, output)


@op(
    _EINSUM,
    traits=Traits(
        low_precision=True,
        flops=_count_flops,
        fusion=Fusion(
            attention=Attention(
                split_scores=_split_scores,
                weights=_find_weights,
                split_values=_split_values,
                join=_join,
            )
        ),
    ),
)
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
        raise MXNetError(
            f"{_EINSUM}: expected subscripts of {len(data)} arrays, got {subscripts!r}"
        )
    lengths = _lengths(terms, data)
    output = _implied(terms) if output is None else output
    _check_output(output, lengths)
    check_like(_EINSUM, [lengths[label] for label in output.replace("...", "")], data[0])
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

"""Operations on batches of sequences of unequal length, padded to one."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_element, as_positions
from mxnet.ops.traits import NAMED, Traits, Types


def _fill_sequence_length(
    data: Shape, *, use_sequence_length: bool, axis: int, **_: object
) -> dict[str, Shape]:
    return {"sequence_length": (data[1 - axis],)} if use_sequence_length else {}


def _sequence_inputs(*, use_sequence_length: bool, **_: object) -> tuple[str, ...]:
    return ("data", "sequence_length") if use_sequence_length else ("data",)


def _check(
    name: str, data: Tensor, lengths: Tensor | None, used: bool, axis: int, axes: Shape = (0, 1)
) -> Tensor | None:
    """Returns the lengths as whole numbers, or None if they are not used."""
    if axis not in axes:
        raise AttributeValueError(
            f"{name}: attribute `axis` takes {' or '.join(map(str, axes))}, got {axis}"
        )
    if data.ndim < 2:
        raise MXNetError(f"{name}: expected data of 2 or more axes, got shape {tuple(data.shape)}")
    if not used:
        return None
    batch = data.shape[1 - axis]
    if lengths is None or lengths.shape != (batch,):
        got = "none" if lengths is None else f"shape {tuple(lengths.shape)}"
        raise MXNetError(f"{name}: expected `sequence_length` of shape {(batch,)}, got {got}")
    return as_positions(lengths)


def _positions(data: Tensor, axis: int) -> Tensor:
    """Positions along the time axis, to be compared with the lengths of the batch."""
    steps = torch.arange(data.shape[axis], device=data.device)
    return steps.unsqueeze(1 - axis)


def _spread(table: Tensor, data: Tensor) -> Tensor:
    """Returns a table over the leading axes with as many axes as the data."""
    return table.reshape(*table.shape, *[1] * (data.ndim - table.ndim))


@op(
    "SequenceMask",
    aliases=("_npx_sequence_mask",),
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED),
)
def sequence_mask(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    value: float = 0.0,
    axis: int = 0,
) -> Tensor:
    """Overwrites what lies beyond the end of each sequence.

    Args:
        data: Sequences of shape `(time, batch, ...)`, or `(batch, time, ...)` with `axis=1`.
        sequence_length: Length of each sequence, of shape `(batch,)`.
        use_sequence_length: Whether `sequence_length` is given; if not, nothing is changed.
        value: What to write there.
        axis: The axis of time, 0 or 1.

    Example:
        >>> import mxnet as mx
        >>> data, lengths = mx.nd.ones((3, 2)), mx.nd.array([1, 2])
        >>> print(mx.nd.SequenceMask(data, lengths, use_sequence_length=True).asnumpy())
        [[1. 1.]
         [0. 1.]
         [0. 0.]]
    """
    lengths = _check("SequenceMask", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data
    beyond = _positions(data, axis) >= lengths.unsqueeze(axis)
    filler = as_element(value, data.dtype)
    return data.masked_fill(_spread(beyond, data), filler)


@op(
    "SequenceLast",
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED),
)
def sequence_last(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Takes the last element of each sequence.

    Args:
        data: Sequences of shape `(time, batch, ...)`, or `(batch, time, ...)` with `axis=1`.
        sequence_length: Length of each sequence, of shape `(batch,)`; an empty one gives zeros.
        use_sequence_length: Whether `sequence_length` is given; if not, all sequences are full.
        axis: The axis of time, 0 or 1.
    """
    lengths = _check("SequenceLast", data, sequence_length, use_sequence_length, axis)
    if lengths is None:
        return data.select(axis, -1)
    last = (lengths - 1).clamp(0, data.shape[axis] - 1)
    rows = torch.arange(data.shape[1 - axis], device=data.device)
    picked = data[last, rows] if axis == 0 else data[rows, last]
    return picked.masked_fill(_spread(lengths <= 0, picked), 0)


@op(
    "SequenceReverse",
    any_dtype=("sequence_length",),
    fill_shapes=_fill_sequence_length,
    active_inputs=_sequence_inputs,
    traits=Traits(types=Types(assumed=("sequence_length",)), labels=NAMED),
)
def sequence_reverse(
    data: Tensor,
    sequence_length: Tensor | None = None,
    *,
    use_sequence_length: bool = False,
    axis: int = 0,
) -> Tensor:
    """Reverses each sequence and leaves the padding behind it in place.

    Args:
        data: Sequences of shape `(time, batch, ...)`.
        sequence_length: Length of each sequence, of shape `(batch,)`.
        use_sequence_length: Whether `sequence_length` is given; if not, all sequences are full.
        axis: The axis of time; only 0 is supported.
    """
    lengths = _check("SequenceReverse", data, sequence_length, use_sequence_length, axis, (0,))
    if lengths is None:
        return data.flip(0)
    steps = _positions(data, axis)
    lengths = lengths.clamp(max=data.shape[0])
    source = torch.where(steps < lengths, lengths - 1 - steps, steps)
    return data[source, torch.arange(data.shape[1], device=data.device)]

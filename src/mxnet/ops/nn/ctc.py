"""Connectionist temporal classification: the loss of sequences whose alignment is not known.

torch's kernel reads lengths on the host. Work that is captured for a GPU goes step by step instead.
"""

from __future__ import annotations

from math import inf
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.devices import is_captured
from mxnet.ops.core.registry import op
from mxnet.ops.core.scalars import as_positions
from mxnet.ops.core.traits import Labels, Traits
from mxnet.ops.nn.layouts import require_floating, require_input, require_shape


def _ctc_inputs(*, use_data_lengths: bool, use_label_lengths: bool, **_: object) -> tuple[str, ...]:
    names = ["data", "label"]
    if use_data_lengths:
        names.append("data_lengths")
    if use_label_lengths:
        names.append("label_lengths")
    return tuple(names)


@op(
    "CTCLoss",
    aliases=("ctc_loss", "_contrib_CTCLoss", "_contrib_ctc_loss"),
    any_dtype=("label", "data_lengths", "label_lengths"),
    active_inputs=_ctc_inputs,
    traits=Traits(labels=Labels(outputs=("output0", "output1"))),
)
def ctc_loss(
    data: Tensor,
    label: Tensor,
    data_lengths: Tensor | None = None,
    label_lengths: Tensor | None = None,
    *,
    use_data_lengths: bool = False,
    use_label_lengths: bool = False,
    blank_label: Literal["first", "last"] = "first",
) -> Tensor:
    """Computes the negative log likelihood of label sequences under all their alignments.

    A sequence that is too short for its labels has no alignment and gives loss and slope zero.

    Args:
        data: Scores before softmax, of shape `(time, batch, classes)`.
        label: Classes of shape `(batch, labels)`; padded by 0 if the blank is the first class, by
            -1 if it is the last.
        data_lengths: Length of each sequence of scores, of shape `(batch,)`.
        label_lengths: Length of each sequence of labels; without it the first padding ends one.
        use_data_lengths: Whether `data_lengths` is given.
        use_label_lengths: Whether `label_lengths` is given.
        blank_label: Which class means that nothing is said.

    Example:
        >>> import mxnet as mx
        >>> scores = mx.nd.zeros((3, 1, 2))
        >>> print(mx.nd.CTCLoss(scores, mx.nd.array([[1]])).asnumpy().round(3))
        [0.288]
    """
    if use_label_lengths and label_lengths is None and not use_data_lengths:
        label_lengths = data_lengths  # the third array of a call by position
    _check_ctc(data, label)
    steps, batch, classes = data.shape
    if data.is_meta:
        return data.new_empty(batch)
    label = as_positions(label.round())
    if use_label_lengths:
        label_lengths = require_input(
            "CTCLoss", "label_lengths", label_lengths, "use_label_lengths"
        )
        require_shape("CTCLoss", "label_lengths", label_lengths, (batch,))
    else:
        padding = 0 if blank_label == "first" else -1
        label_lengths = (label != padding).cumprod(1).sum(1)
    if use_data_lengths:
        data_lengths = require_input("CTCLoss", "data_lengths", data_lengths, "use_data_lengths")
        require_shape("CTCLoss", "data_lengths", data_lengths, (batch,))
        # torch reads scores past the end for the gradient, and may find infinities there
        times = torch.arange(steps, device=data.device).reshape(-1, 1)
        data = data.masked_fill((times >= data_lengths).unsqueeze(2), 0)
    _check_labels(label, label_lengths, classes)
    wide = torch.promote_types(data.dtype, torch.float32)
    scores = torch.log_softmax(data, 2, dtype=wide)
    if scores.requires_grad:  # impossible classes have no slope, where torch gives nan
        scores = scores.masked_fill(scores.detach().isneginf(), -inf)
    label, blank = label.clamp(0, classes - 1), 0 if blank_label == "first" else classes - 1
    spans, lengths = data_lengths if use_data_lengths else None, as_positions(label_lengths)
    if is_captured(data):
        return _go_by_steps(scores, label, spans, lengths, blank).to(data.dtype)
    spans = torch.full((batch,), steps) if spans is None else as_positions(spans)
    losses = F.ctc_loss(scores, label, spans, lengths, blank, reduction="none", zero_infinity=True)
    return losses.to(data.dtype)


def _check_labels(label: Tensor, lengths: Tensor, classes: int) -> None:
    """Refuses classes that do not exist, which torch would look up beside the scores.

    Only on the CPU: a GPU would have to be waited for, and takes the last class instead.
    """
    if label.device.type != "cpu":
        return
    used = torch.arange(label.shape[1]) < lengths.reshape(-1, 1)
    if bool(((label >= classes) & used).any()):
        raise MXNetError(f"CTCLoss: expected labels below {classes}, got {int(label.max())}")


def _check_ctc(data: Tensor, label: Tensor) -> None:
    require_floating("CTCLoss", data)
    if data.ndim != 3 or label.ndim != 2 or data.shape[1] != label.shape[0]:
        raise MXNetError(
            "CTCLoss: expected data of shape (time, batch, classes) and labels of shape "
            f"(batch, labels), got {tuple(data.shape)} and {tuple(label.shape)}"
        )
    if label.shape[1] > data.shape[0]:
        raise MXNetError(
            f"CTCLoss: expected no more labels than the {data.shape[0]} steps of the data, "
            f"got {label.shape[1]}"
        )


_NEVER = -1e30
"""Logarithm of no chance at all; unlike infinity it has a slope, which is zero where it counts."""


def _go_by_steps(
    scores: Tensor, label: Tensor, data_lengths: Tensor | None, label_lengths: Tensor, blank: int
) -> Tensor:
    """Returns negative log likelihoods, 0 where no alignment exists.

    A sequence goes through its labels with blanks around them, in as many steps as it has scores:
    each step stays, goes on to the next, or passes over a blank between different labels.

    Args:
        scores: Logarithms of chances, of shape `(time, batch, classes)`.
        label: Classes of shape `(batch, labels)`.
        data_lengths: Lengths of the sequences of scores; all of them if None.
        label_lengths: Lengths of the sequences of labels.
        blank: The class that means that nothing is said.
    """
    batch, most = label.shape
    path = torch.full((batch, 2 * most + 1), blank, dtype=torch.int64, device=label.device)
    path[:, 1::2] = label
    passes = torch.zeros_like(path, dtype=torch.bool)
    passes[:, 2:] = path[:, 2:] != path[:, :-2]
    bar = torch.where(passes, 0.0, _NEVER).to(scores.dtype)
    gains = scores.clamp(min=_NEVER).gather(2, path.expand(len(scores), -1, -1))
    places = torch.arange(path.shape[1], device=label.device)
    chances = gains[0] + torch.where(places < 2, 0.0, _NEVER).to(scores.dtype)
    for time, gain in enumerate(gains[1:], 1):
        before = F.pad(chances, (2, 0), value=_NEVER)
        moved = torch.logaddexp(chances, before[:, 1:-1])
        moved = torch.logaddexp(moved, before[:, :-2] + bar) + gain
        if data_lengths is not None:
            moved = torch.where((time < data_lengths)[:, None], moved, chances)
        chances = moved
    end = 2 * label_lengths.clamp(0, most)[:, None]
    last = chances.gather(1, end)
    other = chances.gather(1, (end - 1).clamp(min=0)).masked_fill(end == 0, _NEVER)
    loss = -torch.logaddexp(last, other).squeeze(1)
    return torch.where(loss < -_NEVER / 2, loss, 0)

"""Connectionist temporal classification."""

from __future__ import annotations

from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.nn._checks import require_floating, require_input, require_shape
from mxnet.ops.registry import op
from mxnet.ops.scalars import as_positions
from mxnet.ops.traits import Labels, Traits


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
    else:
        data_lengths = torch.full((batch,), steps)
    _check_labels(label, label_lengths, classes)
    wide = torch.promote_types(data.dtype, torch.float32)
    return F.ctc_loss(
        torch.log_softmax(data, 2, dtype=wide),
        label.clamp(0, classes - 1),
        as_positions(data_lengths),
        as_positions(label_lengths),
        blank=0 if blank_label == "first" else classes - 1,
        reduction="none",
        zero_infinity=True,
    ).to(data.dtype)


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

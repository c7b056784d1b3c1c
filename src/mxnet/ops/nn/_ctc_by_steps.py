"""CTC loss step by step, for work that is captured: torch's kernel reads lengths on the host."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

_NEVER = -1e30
"""Logarithm of no chance at all; unlike infinity it has a slope, which is zero where it counts."""


def ctc_by_steps(
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

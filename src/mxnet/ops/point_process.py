"""Likelihood of a point process that excites itself."""

from __future__ import annotations

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.attrs import Shape
from mxnet.ops.nn._checks import require_shape
from mxnet.ops.registry import op
from mxnet.ops.traits import Labels, Traits

_NAME = "_contrib_hawkesll"


def _fill(lda: Shape, **_: object) -> dict[str, Shape]:
    samples, num_marks = lda[0], lda[1]
    return {
        "alpha": (num_marks,),
        "beta": (num_marks,),
        "state": (samples, num_marks),
        "valid_length": (samples,),
        "max_time": (samples,),
    }


def _check(lda: Tensor, lags: Tensor, marks: Tensor, others: tuple[Tensor, ...]) -> None:
    if lda.ndim != 2 or lags.ndim != 2 or lda.shape[0] != lags.shape[0]:
        raise MXNetError(
            f"{_NAME}: `lda` (samples, marks) and `lags` (samples, events) expected, "
            f"got {tuple(lda.shape)} and {tuple(lags.shape)}"
        )
    shapes = {"marks": tuple(lags.shape), **_fill(tuple(lda.shape))}
    for (name, expected), array in zip(shapes.items(), (marks, *others), strict=True):
        require_shape(_NAME, name, array, expected)


@op(
    _NAME,
    num_outputs=2,
    any_dtype=("marks",),
    fill_shapes=_fill,
    traits=Traits(labels=Labels(outputs=("output", "out_state"))),
)
def hawkes_log_likelihood(
    lda: Tensor,
    alpha: Tensor,
    beta: Tensor,
    state: Tensor,
    lags: Tensor,
    marks: Tensor,
    valid_length: Tensor,
    max_time: Tensor,
) -> tuple[Tensor, Tensor]:
    """Computes the log-likelihood of marked Hawkes processes with exponential decay.

    An event makes others of its own mark more likely: the intensity of mark k is
    ``lda[k] + alpha[k] * beta[k] * sum(exp(-beta[k] * age))`` over the ages of its events.

    Args:
        lda: Background intensities of shape `(samples, marks)`.
        alpha: How many further events an event sets off on average, of shape `(marks,)`.
        beta: Rates of decay of shape `(marks,)`.
        state: Excitation at time 0, of shape `(samples, marks)`.
        lags: Times between events, of shape `(samples, events)`.
        marks: Marks of the events, integers of the shape of the lags.
        valid_length: Number of events of each sample.
        max_time: End of the time that was observed, for each sample.

    Returns:
        Log-likelihoods of shape `(samples,)`, and the excitation at the end, to go on with. Only
        the first is differentiable, and with respect to `lda`, `alpha` and `beta`.
    """
    _check(lda, lags, marks, (alpha, beta, state, valid_length, max_time))
    if lda.is_meta:  # all events would be gone through for two shapes
        return lda.new_empty(len(lda)), torch.empty_like(state)
    numbers = torch.arange(lda.shape[1], device=lda.device)
    times, state = lags.detach().cumsum(1), state.detach()
    total = lda.new_zeros(len(lda))
    before = torch.zeros_like(state)
    for event in range(lags.shape[1]):
        now = times[:, event, None]
        here = marks[:, event, None].long() == numbers
        here = here & (valid_length[:, None] > event)
        decay = torch.exp(-beta * (now - before))
        intensity = lda + alpha * beta * state * decay
        expected = lda * (now - before) + alpha * state * (1 - decay)
        gain = torch.where(here, intensity, 1).log() - torch.where(here, expected, 0)
        total = total + gain.sum(1)
        state = torch.where(here, 1 + state * decay, state)
        before = torch.where(here, now, before)
    rest = max_time.detach()[:, None] - before
    decay = torch.exp(-beta * rest)
    total = total - (lda * rest + alpha * state * (1 - decay)).sum(1)
    return total, (state * decay).detach()

"""Recurrent networks of cuDNN with dropout between their layers.

torch keeps the random numbers of this dropout in memory that it replaces after a new seed. A
capture would go on to read and write the former memory, which belongs to others by then, and would
not see the seed. So the memory is given to cuDNN here, and stays where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from mxnet._state import rng

if TYPE_CHECKING:
    from mxnet.ops.nn.rnn import Plan

_MODES = {"rnn_relu": 0, "rnn_tanh": 1, "lstm": 2, "gru": 3}
_ANY_SHARE = 0.5
"""The numbers are the same whatever share is dropped by them."""


def find_vector(data: Tensor, weights: Sequence[Tensor]) -> Tensor | None:
    """Returns the vector that all weights are parts of, if cuDNN is to run a network on this data.

    A compiler traces torch's own function, which runs what cuDNN does not cover, too.
    """
    if torch.compiler.is_compiling() or type(data) is not Tensor:
        return None
    vector = weights[0]._base
    if vector is None or vector.numel() != sum([weight.numel() for weight in weights]):
        return None
    is_covered = vector.is_contiguous() and torch.cudnn_is_acceptable(data)
    return vector.detach() if is_covered else None


def run(
    data: Tensor,
    batch_sizes: Tensor | None,
    states: tuple[Tensor, ...],
    weights: list[Tensor],
    vector: Tensor,
    plan: Plan,
    dropout: float,
) -> tuple[Tensor, ...]:
    """Runs a network for training.

    Args:
        data: Sequences of shape `(time, batch, input)`, or packed ones of shape `(words, input)`.
        batch_sizes: Number of sequences that reach each step, if they are packed.
        states: First states.
        weights: Weights and biases of all layers and directions, as `torch.lstm` takes them.
        vector: What `find_vector` returned.
        plan: What is computed.
        dropout: Share of the outputs of each layer but the last that is dropped.

    Returns:
        The outputs and the last states.
    """
    hidden, memory = states if len(states) == 2 else (states[0], None)
    results: Any = torch._cudnn_rnn(
        data,
        weights,
        len(weights) // (plan.num_layers * plan.directions),
        vector,
        hidden,
        memory,
        _MODES[plan.mode],
        plan.state_size,
        plan.projection_size or 0,
        plan.num_layers,
        False,  # the batch is not the first axis
        dropout,
        True,  # for training
        plan.directions == 2,
        [] if batch_sizes is None else batch_sizes.tolist(),
        _numbers_on(data.device).draw(),
    )
    return tuple(results[: 1 + len(states)])


def _numbers_on(device: torch.device) -> rng.LibraryNumbers:
    numbers = rng.library_numbers.get(device)
    if numbers is None:
        make = partial(_make_numbers, device)
        numbers = rng.library_numbers.setdefault(device, rng.LibraryNumbers(device, make))
    return numbers


def _make_numbers(device: torch.device, seed: int) -> Tensor:
    return torch._cudnn_init_dropout_state(_ANY_SHARE, True, seed, dtype=torch.uint8, device=device)

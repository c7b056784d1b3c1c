"""The scale of losses in mixed precision, which follows the overflows of gradients."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import torch
from torch import Tensor

from mxnet.gluon._split_norms import any_rank
from mxnet.ndarray import NDArray
from mxnet.ndarray.sparse import BaseSparseNDArray
from mxnet.ops.core.precision import are_finite

if TYPE_CHECKING:
    from mxnet.gluon.parameter import Parameter

GROWTH = 2.0
"""By how much a scale grows after many good steps, and shrinks after a bad one."""


class ScaleState(NamedTuple):
    """A loss scale and what decides its next values, as tensors without a dimension.

    Attributes:
        scale: The scale of the present step.
        next_scale: The scale of the step after it.
        unskipped: Number of good steps since the scale has changed.
    """

    scale: Tensor
    next_scale: Tensor
    unskipped: Tensor


def next_state(state: ScaleState, overflow: Tensor, *, window: int, max_scale: float) -> ScaleState:
    """Computes the state after a step, without waiting for a device.

    Args:
        state: The state before.
        overflow: Whether a gradient was not finite, so that the step is skipped: a truth value.
        window: Number of good steps after which the scale grows.
        max_scale: The largest scale.
    """
    scale = state.next_scale
    unskipped = torch.where(overflow, 0, state.unskipped + 1)
    grows = unskipped == window
    larger = (scale * GROWTH).clamp(max=max_scale)
    next_scale = torch.where(overflow, scale / GROWTH, torch.where(grows, larger, scale))
    return ScaleState(scale.clone(), next_scale, torch.where(grows, 0, unskipped))


def stored_values(array: NDArray) -> NDArray:
    """Returns the elements of an array that are stored: all but the zeros of a sparse one."""
    if isinstance(array, BaseSparseNDArray):
        return array.data
    return array


class LossScaler:
    """Scales losses so that small gradients of low precision do not vanish.

    A step with a gradient that is not finite is to be skipped. The scale becomes half one step
    later; after 2000 good steps in a row it becomes twice as large.

    A step that is captured or compiled as a whole must not ask for numbers. Such a step keeps the
    state in tensors:

    - before its first run, `state = scaler.state_on(device)`;
    - inside, it multiplies the loss by `state.scale` and the gradients by its reciprocal, computes
      `overflow = ~are_finite(gradients)` (`mxnet.ops.core.precision`), keeps the old weights and states of the
      optimizer where `overflow` is true (`torch.where`), and copies `scaler.advance(state,
      overflow)` into the state;
    - whenever somebody wants numbers, `scaler.load_state(state)` reads them back, which waits for
      the device.

    Example:
        >>> from mxnet.contrib.amp.loss_scaler import LossScaler
        >>> LossScaler().loss_scale
        65536.0
    """

    def __init__(self) -> None:
        self._loss_scale = 2.0**16
        self._next_loss_scale = self._loss_scale
        self._max_loss_scale = 2.0**24
        self._scale_seq_len = 2000
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The scale of the present step."""
        return self._loss_scale

    def has_overflow(self, params: Iterable[Parameter]) -> bool:
        """Tests the gradients of a step for overflow, and moves the scale.

        Args:
            params: The parameters; those without a gradient are passed over.

        Returns:
            Whether a gradient is not finite, so that the step is to be skipped.
        """
        by_device: dict[torch.device, list[Tensor]] = {}
        is_split = False
        for parameter in params:
            is_split = is_split or parameter._is_sharded
            for gradient in parameter._grad or ():
                tensor = stored_values(gradient)._plain
                by_device.setdefault(tensor.device, []).append(tensor)
        finite = [are_finite(tensors) for tensors in by_device.values()]
        overflow = not all(map(bool, finite))
        if is_split:  # ranks look at different rows and must come to one result
            overflow = any_rank(overflow, next(iter(by_device)))
        self._move(overflow)
        return overflow

    def _move(self, overflow: bool) -> None:
        """Does what `next_state` does, with numbers."""
        self._loss_scale = self._next_loss_scale
        if overflow:
            self._next_loss_scale = self._loss_scale / GROWTH
            self._unskipped = 0
            logging.info("AMP: decreasing loss scale to %f", self._next_loss_scale)
        else:
            self._unskipped += 1
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * GROWTH)
            logging.info("AMP: increasing loss scale to %f", self._next_loss_scale)

    def state_on(self, device: torch.device | str) -> ScaleState:
        """Returns the state as new tensors on a device."""
        scales = (self._loss_scale, self._next_loss_scale)
        scale, next_scale = (torch.tensor(item, device=device) for item in scales)
        return ScaleState(scale, next_scale, torch.tensor(self._unskipped, device=device))

    def advance(self, state: ScaleState, overflow: Tensor) -> ScaleState:
        """Returns the state after a step; a pure function of tensors, see `next_state`."""
        return next_state(
            state, overflow, window=self._scale_seq_len, max_scale=self._max_loss_scale
        )

    def load_state(self, state: ScaleState) -> None:
        """Takes the numbers of a state over, for which it waits for the device."""
        self._loss_scale = float(state.scale)
        self._next_loss_scale = float(state.next_scale)
        self._unskipped = int(state.unskipped)

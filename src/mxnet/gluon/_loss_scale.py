"""The loss scale of mixed precision in captured steps.

A captured step cannot ask whether gradients overflowed. It keeps the state of the scale on the
device, where it also decides whether its update counts. The host learns of overflows afterwards:
at once where the next numbers of the optimizer depend on it, otherwise when the device is done.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._capture import CudaEngine, LateFlag
from mxnet.ops.core.precision import are_finite
from mxnet.optimizer._captured_update import ColumnUpdate, Guard


class LossScale:
    """A loss scale that captured steps move.

    Args:
        scaler: The scaler of a trainer, which has the numbers on the host.
        engine: Reads truth values of the device.
        device: Where the steps run.
    """

    def __init__(self, scaler: Any, engine: CudaEngine, device: torch.device) -> None:
        self.scaler = scaler
        self._engine = engine
        self.state = scaler.state_on(device)
        self._late: deque[tuple[LateFlag, ColumnUpdate]] = deque()
        self._is_moved = False

    def leave_to_loop(self) -> None:
        """Brings the host up to date before a step that moves the scale there."""
        self.settle(wait=True)
        self._is_moved = True

    def load(self) -> None:
        """Brings the device up to date if the host has moved the scale."""
        if self._is_moved:
            for tensor, value in zip(self.state, self.scaler.state_on("cpu"), strict=True):
                tensor.fill_(value.item())
            self._is_moved = False

    def judge(self, gradients: Sequence[Tensor]) -> Guard:
        """Returns what an update needs to know, and moves the scale; part of a capture."""
        scale = self.state.scale.clone()
        guard = Guard(scale, are_finite(gradients))
        following = self.scaler.advance(self.state, ~guard.finite)
        for tensor, value in zip(self.state, following, strict=True):
            tensor.copy_(value)
        return guard

    def note(self, finite: Tensor, update: ColumnUpdate) -> None:
        """Takes the result of a replay, which the host reads later."""
        self._late.append((self._engine.read_later(finite), update))

    def settle(self, wait: bool) -> None:
        """Does on the host what steps did on the device.

        Args:
            wait: Whether to wait for steps that are not done yet.
        """
        while self._late and (wait or self._late[0][0].is_ready()):
            flag, update = self._late.popleft()
            overflow = not flag.read()
            self.scaler._move(overflow)
            if overflow:
                update.take_back()

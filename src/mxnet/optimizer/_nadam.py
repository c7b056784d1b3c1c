"""Nadam."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class Nadam(RuleOptimizer):
    """Adam with Nesterov's momentum, which grows by a schedule.

    The schedule advances with every update of every weight, as it does in the original.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        schedule_decay: Speed of the schedule.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Nadam(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8944 1.1056]
    """

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.schedule_decay = schedule_decay
        self.m_schedule = 1.0

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the averages of gradients and of their squares."""
        return zeros_like(weight), zeros_like(weight)

    def _common(self, indices: Sequence[Any]) -> Sequence[Hashable]:
        return indices  # the momentum of no two weights is the same

    def _momentum(self, count: int) -> float:
        return self.beta1 * (1.0 - 0.5 * math.pow(0.96, count * self.schedule_decay))

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        momenta = self._momentum(group.number), self._momentum(group.number + 1)
        self.m_schedule *= momenta[0]
        rules.nadam(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            count=group.number,
            momenta=momenta,
            schedules=(self.m_schedule, self.m_schedule * momenta[1]),
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )

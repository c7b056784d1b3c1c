"""Follow the moving leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class FTML(RuleOptimizer):
    """Follows the moving leader.

    Args:
        beta1: Share of the leader that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.FTML(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _tensor_fields = ("lr", "number")

    def __init__(
        self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last divisor, the average square and the leader."""
        return zeros_like(weight), zeros_like(weight), zeros_like(weight)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.ftml(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            count=group.number,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._clip,
        )

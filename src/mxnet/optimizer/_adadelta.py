"""AdaDelta."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class AdaDelta(RuleOptimizer):
    """Steps by the gradient times the ratio of past steps to past gradients; has no learning rate.

    Args:
        rho: Share of both averages that is kept.
        epsilon: Added under both roots.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdaDelta()
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.99 1.01]
    """

    _repeats = True
    _tensor_fields = ("lr",)

    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rho = rho
        self.epsilon = epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average squares of gradients and of steps."""
        return zeros_like(weight), zeros_like(weight)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.adadelta(
            weights,
            grads,
            *states,
            wd=group.wd,
            rho=self.rho,
            epsilon=self.epsilon,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )

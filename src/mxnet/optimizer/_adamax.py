"""AdaMax."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class Adamax(RuleOptimizer):
    """Adam with the largest gradient, slowly forgotten, in place of the average square.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the largest gradient that is kept.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Adamax(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _tensor_fields = ("lr", "number")

    def __init__(
        self,
        learning_rate: float | None = 0.002,
        beta1: float = 0.9,
        beta2: float = 0.999,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average and the largest size of gradients."""
        return zeros_like(weight), zeros_like(weight)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.adamax(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            beta1=self.beta1,
            beta2=self.beta2,
            count=group.number,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )

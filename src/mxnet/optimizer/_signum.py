"""Descent by signs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class Signum(RuleOptimizer):
    """Steps of one size in the direction of the sign of the momentum, or of the gradient.

    Args:
        learning_rate: Size of the steps.
        momentum: Share of the average gradient that is kept; 0 takes the gradient itself.
        wd_lh: Weight decay beside the gradient.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Signum(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _repeats = True
    _tensor_fields = ("lr",)

    def __init__(
        self,
        learning_rate: float | None = 0.01,
        momentum: float = 0.9,
        wd_lh: float = 0.0,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum = momentum
        self.wd_lh = wd_lh

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average gradient, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        if not states:
            rules.signsgd(weights, grads, lr=group.lr, wd=group.wd)
            return
        rules.signum(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            momentum=self.momentum,
            wd_lh=self.wd_lh,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._clip,
        )

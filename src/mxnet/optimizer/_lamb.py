"""LAMB."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class LAMB(RuleOptimizer):
    """Steps in the direction of Adam's, as long as a share of the weight.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        lower_bound: Least value taken for the norm of a weight; None is no limit.
        upper_bound: Largest value taken for the norm of a weight; None is no limit.
        bias_correction: Whether to correct the averages for the number of steps.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LAMB(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _tensor_fields = ("lr", "number")

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound
        self.bias_correction = bias_correction
        self.aggregate_num = 45

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the averages of gradients and of their squares."""
        return zeros_like(weight), zeros_like(weight)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.lamb(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            count=group.number,
            bias_correction=self.bias_correction,
            lower_bound=self.lower_bound or -1.0,
            upper_bound=self.upper_bound or -1.0,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._clip,
        )

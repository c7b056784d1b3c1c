"""Adam."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from mxnet._array import Array
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class Adam(RuleOptimizer):
    """Adam: steps by the average gradient over the root of the average square.

    Weight decay is part of the gradient and clipped with it.

    Args:
        learning_rate: Learning rate.
        beta1: Share of the average gradient that is kept.
        beta2: Share of the average square that is kept.
        epsilon: Added to the divisor.
        lazy_update: Whether sparse gradients only touch the rows that they have.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Adam(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9 1.1]
    """

    _tensor_fields = ("lr",)

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1 = beta1
        self.beta2 = beta2
        self.epsilon = epsilon
        self.lazy_update = lazy_update

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the averages of gradients and of their squares."""
        return zeros_like(weight), zeros_like(weight)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.lazy_update

    def _correct(self, group: Group) -> Group:
        correction = math.sqrt(1.0 - self.beta2**group.number) / (1.0 - self.beta1**group.number)
        return group._replace(lr=group.lr * correction)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.adam(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            beta1=self.beta1,
            beta2=self.beta2,
            epsilon=self.epsilon,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._clip,
            owns_grads=group.mixed,  # copies in single precision
        )

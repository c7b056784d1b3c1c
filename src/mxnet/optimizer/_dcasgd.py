"""Gradient descent with compensation of delay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class DCASGD(RuleOptimizer):
    """Gradient descent that makes up for weights that moved since the gradient was computed.

    Args:
        momentum: Share of the last step that is repeated.
        lamda: Strength of the compensation.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.DCASGD(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.7104 1.5768]
    """

    _tensor_fields = ("lr",)

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.weight_previous: dict[Any, NDArray] = {}
        self.lamda = lamda

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step, None without momentum, and the weight before it."""
        return (zeros_like(weight) if self.momentum != 0.0 else None), weight.copy()

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        *momenta, previous = states
        rules.dcasgd(
            weights,
            grads,
            previous,
            momenta[0] if momenta else (),
            lr=group.lr,
            wd=group.wd,
            momentum=self.momentum,
            lamda=self.lamda,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )

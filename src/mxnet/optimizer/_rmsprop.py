"""RMSProp."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class RMSProp(RuleOptimizer):
    """Steps by the gradient over the root of the average square.

    Args:
        learning_rate: Learning rate.
        gamma1: Share of the averages that is kept.
        gamma2: Share of the last step that is repeated, if `centered`.
        epsilon: Added under the root.
        centered: Whether to divide by the deviation of gradients from their average.
        clip_weights: Largest size of an element of a weight; None is no limit.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.RMSProp(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.6838 1.3162]
    """

    _repeats = True
    _tensor_fields = ("lr",)

    def __init__(
        self,
        learning_rate: float | None = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1 = gamma1
        self.gamma2 = gamma2
        self.centered = centered
        self.epsilon = epsilon
        self.clip_weights = clip_weights

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the average square; if centered, the average and the last step, too."""
        return tuple(zeros_like(weight) for _ in range(3 if self.centered else 1))

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        options = {
            "lr": group.lr,
            "wd": group.wd,
            "gamma1": self.gamma1,
            "epsilon": self.epsilon,
            "rescale_grad": self.rescale_grad,
            "clip_gradient": self._clip,
            "clip_weights": self.clip_weights or -1.0,
        }
        if self.centered:
            squares, means, deltas = states
            rules.rmsprop_centered(
                weights, grads, squares, means, deltas, gamma2=self.gamma2, **options
            )
        else:
            rules.rmsprop(weights, grads, states[0], **options)

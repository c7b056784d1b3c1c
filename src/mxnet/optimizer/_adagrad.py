"""AdaGrad."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._array import Array
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class AdaGrad(RuleOptimizer):
    """Steps by the gradient over the root of the sum of all squares.

    Args:
        eps: Added under the root.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.AdaGrad(learning_rate=0.1)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8293 1.1707]
    """

    _repeats = True
    _tensor_fields = ("lr",)

    def __init__(self, eps: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the sum of squares."""
        return zeros_like(weight)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return wd == 0

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.adagrad(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            epsilon=self.float_stable_eps,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )

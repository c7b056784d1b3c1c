"""Follow the regularized leader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._array import Array
from mxnet.ndarray.ndarray import NDArray
from mxnet.ndarray.sparse import RowSparseNDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class Ftrl(RuleOptimizer):
    """Follows the regularized leader, which sets weights that matter little to zero.

    Args:
        lamda1: Strength of the pull to zero.
        learning_rate: Learning rate.
        beta: Added to the root of the sum of squares.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Ftrl(learning_rate=0.5, lamda1=1.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.   0.75]
    """

    _repeats = True

    def __init__(
        self,
        lamda1: float = 0.01,
        learning_rate: float | None = 0.1,
        beta: float = 1,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.lr = learning_rate  # unlike elsewhere, a schedule keeps its own rate
        self.lamda1 = lamda1
        self.beta = beta

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the leader and the sum of squares."""
        return zeros_like(weight), zeros_like(weight)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return isinstance(weight, RowSparseNDArray)

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        rules.ftrl(
            weights,
            grads,
            *states,
            lr=group.lr,
            wd=group.wd,
            lamda1=self.lamda1,
            beta=self.beta,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._clip,
        )

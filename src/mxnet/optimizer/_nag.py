"""Nesterov's accelerated gradient."""

from __future__ import annotations

from mxnet._array import Array
from mxnet.ops.optimizer import rules
from mxnet.optimizer._base import Optimizer
from mxnet.optimizer._momentum import Momentum


@Optimizer.register
class NAG(Momentum):
    """Gradient descent with Nesterov's momentum.

    Args:
        momentum: Share of the last step that is repeated.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.NAG(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.81 1.38]
    """

    _momentum_rule = staticmethod(rules.nag)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.momentum == 0.0

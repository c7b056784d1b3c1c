"""Stochastic gradient descent."""

from __future__ import annotations

from typing import Any

from mxnet._array import Array
from mxnet.ops.optimizer import rules
from mxnet.optimizer._base import Optimizer
from mxnet.optimizer._momentum import Momentum


@Optimizer.register
class SGD(Momentum):
    """Gradient descent, on request with momentum.

    ``step = momentum * step - lr * (clip(rescale_grad * grad) + wd * weight)``, which is added to
    the weight.

    Args:
        momentum: Share of the last step that is repeated.
        lazy_update: Whether sparse gradients only touch the rows that they have.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.SGD(learning_rate=0.1, momentum=0.9)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.71 1.58]
    """

    _momentum_rule = staticmethod(rules.sgd_momentum)
    _overwrites = True

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum=momentum, **kwargs)
        self.lazy_update = lazy_update
        self.aggregate_num = 4

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.lazy_update


@Optimizer.register
class ccSGD(SGD):  # noqa: N801 - the name is the original's
    """SGD under its oldest name.

    Args:
        *args: Arguments of `SGD`.
        **kwargs: Arguments of `SGD` by name.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.ccSGD(learning_rate=0.5)
        >>> weight = mx.nd.ones(2)
        >>> optimizer.update(0, weight, mx.nd.ones(2), optimizer.create_state(0, weight))
        >>> print(weight.asnumpy())
        [0.5 0.5]
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

"""An optimizer for tests of what surrounds optimizers."""

from __future__ import annotations

from typing import Any

from mxnet.ndarray.ndarray import NDArray
from mxnet.optimizer._base import Optimizer, zeros_like


@Optimizer.register
class Test(Optimizer):
    """Adds the gradient to the weight, and has a copy of the weight as its state.

    Args:
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.Test(rescale_grad=0.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [1.5 0. ]
    """

    __test__ = False  # keeps pytest from taking it for a test case

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes a state of zeros."""
        return zeros_like(weight)

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:  # noqa: ARG002
        """Adds the scaled gradient to the weight."""
        target = weight._writable()
        target.add_(grad._plain, alpha=self.rescale_grad)
        state._plain.copy_(target)

"""Stochastic gradient descent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet._array import Array
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops import optimizer_rules as rules
from mxnet.ops.optimizer_rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, MasterLast


@Optimizer.register
class SGD(MasterLast):
    """Gradient descent, on request with momentum.

    ``step = momentum * step - lr * (clip(rescale_grad * grad) + wd * weight)``, which is added to
    the weight.

    Args:
        momentum: Share of the last step that is repeated.
        lazy_update: Whether sparse gradients only touch the rows that they have.
        **kwargs: Arguments of `Optimizer`.
    """

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.lazy_update = lazy_update
        self.aggregate_num = 4

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.lazy_update

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        options = {
            "lr": group.lr,
            "wd": group.wd,
            "rescale_grad": self.rescale_grad,
            "clip_gradient": self._clip,
        }
        if states:
            rules.sgd_momentum(weights, grads, states[0], momentum=self.momentum, **options)
        else:
            rules.sgd(weights, grads, **options)


@Optimizer.register
class ccSGD(SGD):  # noqa: N801 - the name is the original's
    """SGD under its oldest name."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)

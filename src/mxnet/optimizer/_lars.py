"""LARS."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, ClassVar

import torch

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, zeros_like
from mxnet.optimizer._rule import Group, MasterLast

_UNSCALED = ("_gamma", "_beta", "_bias")


@Optimizer.register
class LARS(MasterLast):
    """SGD with a learning rate for each layer, in proportion to its weight over its gradient.

    Parameters whose name ends in gamma, beta or bias keep the common rate.

    Args:
        momentum: Share of the last step that is repeated.
        lazy_update: Whether sparse gradients only touch the rows that they have.
        eta: Ratio of a step to the weight.
        eps: Added to the divisor of the rate.
        momentum_correction: Whether to scale the momentum as the learning rate changes.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LARS(learning_rate=0.1, eta=0.5)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.9684 1.0632]
    """

    _decaying: ClassVar[tuple[str, ...]] = ("_weight",)

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum
        self.momentum_correction = momentum_correction
        self.lazy_update = lazy_update
        self.aggregate_num = 4
        self.eta = eta
        self.eps = eps
        self.skip = 0
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        """Returns the learning rate of each parameter and notes how the common one changes."""
        rate = self.learning_rate
        self.last_lr = rate if self.cur_lr is None else self.cur_lr
        self.cur_lr = rate
        return super()._get_lrs(indices)

    def _common(self, indices: Sequence[Any]) -> Sequence[Hashable]:
        """Returns whether each parameter has a rate of its own."""
        names = (str(self.idx2name.get(index, index)) for index in indices)
        return [not name.endswith(_UNSCALED) for name in names]

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        momentum = self.momentum
        if self.momentum_correction and self.last_lr:
            momentum *= (self.cur_lr or 0.0) / self.last_lr
        steps = rules.rescaled(grads, self.rescale_grad, self._clip, weights, group.wd)
        if group.common:
            norms = rules.norms_of(weights)
            lengths = rules.norms_of(grads)
            rates = rules.lars_rates(
                torch.stack(norms).float(),
                torch.stack(lengths).float(),
                group.lr,
                group.wd,
                eta=self.eta,
                eps=self.eps,
                rescale_grad=self.rescale_grad,
            )
            torch._foreach_mul_(steps, [r.to(s.dtype) for r, s in zip(rates, steps, strict=True)])
        else:
            torch._foreach_mul_(steps, group.lr)
        if states:
            torch._foreach_mul_(states[0], momentum)
            torch._foreach_sub_(states[0], steps)
            torch._foreach_add_(weights, states[0])
        else:
            torch._foreach_sub_(weights, steps)

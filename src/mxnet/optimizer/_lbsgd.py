"""Gradient descent for large batches."""

from __future__ import annotations

import logging
import math
from typing import Any

import torch

from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import rules
from mxnet.optimizer._base import Optimizer, zeros_like


@Optimizer.register
class LBSGD(Optimizer):
    """SGD that gathers several gradients into one update and warms its learning rate up.

    Args:
        momentum: Share of the last step that is repeated.
        multi_precision: Whether to keep a single precision copy of half precision weights.
        warmup_strategy: How the rate grows to `batch_scale` times itself: `"linear"`, `"power2"`,
            `"sqrt"`; or `"lars"`, a rate in proportion to the weight over its gradient.
        warmup_epochs: Length of the warm-up.
        batch_scale: Number of gradients in an update.
        updates_per_epoch: Number of gradients in an epoch.
        begin_epoch: Epoch to begin with.
        num_epochs: Number of epochs.
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> optimizer = mx.optimizer.LBSGD(learning_rate=0.1, batch_scale=2)
        >>> weight, grad = mx.nd.array([1, 1]), mx.nd.array([1, -2])
        >>> state = optimizer.create_state(0, weight)
        >>> for _ in range(2):
        ...     optimizer.update(0, weight, grad, state)
        >>> print(weight.asnumpy().round(4))
        [0.8988 1.2025]
    """

    _takes_parts = False

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super().__init__(multi_precision=multi_precision, **kwargs)
        logging.info(
            "LBSGD: %d gradients in an update, warm-up %s of %d epochs",
            batch_scale,
            warmup_strategy,
            warmup_epochs,
        )
        self.momentum = momentum
        self.warmup_strategy = warmup_strategy
        self.warmup_epochs = warmup_epochs
        self.batch_scale = batch_scale
        self.updates_per_epoch = updates_per_epoch
        self.init_updates = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.lbmult = 1
        self.cumgrads: dict[Any, dict[str, Any]] = {}
        self.adaptive = False
        self.admult = 1

    def create_state(self, index: Any, weight: NDArray) -> Any:  # noqa: ARG002 - the interface
        """Makes the last step of a weight, None without momentum."""
        return zeros_like(weight) if self.momentum != 0.0 else None

    def update(self, index: Any, weight: NDArray, grad: NDArray, state: Any) -> None:
        """Adds a gradient to those gathered and updates the weight when they are complete."""
        lr, wd = self._get_lr(index), self._get_wd(index)
        self._update_count(index)
        gathered, number = self._gather(index, grad)
        if number % self.batch_scale:
            self.cumgrads[index] = {"cum_grad": gathered, "num_cums": number}
            return
        self.cumgrads[index] = {"cum_grad": 0, "num_cums": number}
        mean = gathered._plain / self.batch_scale
        target = weight._writable()
        if self.warmup_strategy == "lars":
            lr *= _layer_rate(target, mean, wd)
        else:
            lr *= self._warmup(number)
        options: dict[str, Any] = {
            "lr": lr,
            "wd": wd,
            "rescale_grad": self.rescale_grad,
            "clip_gradient": self.clip_gradient or -1.0,
        }
        if state is None:
            rules.sgd([target], [mean], **options)
        else:
            rules.sgd_momentum([target], [mean], [state._plain], momentum=self.momentum, **options)

    def _gather(self, index: Any, grad: NDArray) -> tuple[NDArray, int]:
        """Returns the sum of the gradients since the last update, and the number of all."""
        before = self.cumgrads.get(index, {"cum_grad": 0, "num_cums": self.init_updates})
        # A copy, because the next backward writes into the array of the gradient.
        total = grad.copy() if isinstance(before["cum_grad"], int) else before["cum_grad"] + grad
        return total, before["num_cums"] + 1

    def _warmup(self, number: int) -> float:
        """Returns the factor of the learning rate at a gradient."""
        length = self.warmup_epochs * self.updates_per_epoch
        if number >= length:
            return float(self.batch_scale)
        if length <= 1:
            return 1.0
        share = number / length
        shapes = {"linear": share, "power2": share * share, "sqrt": math.sqrt(share)}
        return 1.0 + (self.batch_scale - 1) * shapes.get(self.warmup_strategy, 0.0)


def _layer_rate(weight: torch.Tensor, grad: torch.Tensor, wd: float) -> float:
    weight_square = float(weight.float().square().sum())
    grad_square = float(grad.float().square().sum())
    ratio = math.sqrt(weight_square / (grad_square + wd * weight_square + 1e-18))
    return min(max(ratio, 0.01), 100.0)

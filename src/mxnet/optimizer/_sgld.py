"""Stochastic gradient Langevin dynamics."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch

from mxnet._rng import generator_for
from mxnet.context import context_of
from mxnet.ops.optimizer import rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer
from mxnet.optimizer._rule import Group, RuleOptimizer


@Optimizer.register
class SGLD(RuleOptimizer):
    """Gradient descent by half the learning rate, with noise of that variance.

    Args:
        **kwargs: Arguments of `Optimizer`, such as `learning_rate`, `wd`, `clip_gradient` and
            `lr_scheduler`.

    Example:
        >>> import mxnet as mx
        >>> mx.random.seed(1)
        >>> optimizer = mx.optimizer.SGLD(learning_rate=0.01)
        >>> weight = mx.nd.ones(1000)
        >>> optimizer.update(0, weight, mx.nd.ones(1000), optimizer.create_state(0, weight))
        >>> print(weight.asnumpy().std().round(1))
        0.1
    """

    _is_random = True

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)

    def _step(
        self,
        group: Group,
        weights: Tensors,
        grads: Tensors,
        states: Sequence[Tensors],  # noqa: ARG002 - there are none
    ) -> None:
        rules.sgd(
            weights,
            grads,
            lr=group.lr / 2,
            wd=group.wd,
            rescale_grad=self.rescale_grad,
            clip_gradient=self._strict_clip,
        )
        for weight in weights:
            context = context_of(weight)
            generator = generator_for(context.device_type, context.device_id)
            noise = torch.empty_like(weight).normal_(0, math.sqrt(group.lr), generator=generator)
            weight.add_(noise)

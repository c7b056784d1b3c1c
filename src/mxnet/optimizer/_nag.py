"""Nesterov's accelerated gradient."""

from __future__ import annotations

from mxnet._array import Array
from mxnet.ops import optimizer_rules as rules
from mxnet.optimizer._base import Optimizer
from mxnet.optimizer._momentum import Momentum


@Optimizer.register
class NAG(Momentum):
    """Gradient descent with Nesterov's momentum.

    Args:
        momentum: Share of the last step that is repeated.
        **kwargs: Arguments of `Optimizer`.
    """

    _momentum_rule = staticmethod(rules.nag)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return self.momentum == 0.0

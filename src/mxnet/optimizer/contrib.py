"""Optimizers that were contributed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from mxnet._arrays.array import Array
from mxnet._frontend.dialect import make_array_like
from mxnet._start import docstrings
from mxnet._state import as_in_mxnet2
from mxnet.errors import ArgumentTypeError
from mxnet.ndarray.ndarray import NDArray
from mxnet.ops.optimizer import adaptive_rules as rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.optimizer._base import Optimizer, choose_formula
from mxnet.optimizer._rule import Group, RuleOptimizer

__all__ = ["GroupAdaGrad"]


@Optimizer.register
class GroupAdaGrad(RuleOptimizer):
    """AdaGrad with one sum of squares for each row of a matrix; has no weight decay.

    Args:
        eps: Added under the root.
        epsilon: Added to the root, by the formula of MXNet 2; takes the place of `eps`.
    """

    _repeats = True
    _tensor_fields = ("lr",)

    @as_in_mxnet2(learning_rate=0.01, epsilon=1e-6, use_fused_step=True)
    def __init__(self, eps: float = 1e-5, *, epsilon: float | None = None, **kwargs: Any) -> None:
        super().__init__(**choose_formula(kwargs, epsilon))
        self.float_stable_eps = eps
        self.epsilon = eps if epsilon is None else epsilon

    def create_state(self, index: Any, weight: NDArray) -> Any:
        """Makes the sum of mean squares of each row."""
        if weight.ndim != 2:
            raise ArgumentTypeError(
                f"GroupAdaGrad: parameter {self.idx2name.get(index, index)}: expected a matrix, "
                f"got shape {weight.shape}"
            )
        rows = torch.zeros_like(weight._plain[:, :1])
        return make_array_like(weight, rows)

    def _is_lazy(self, weight: Array, wd: float) -> bool:  # noqa: ARG002 - the interface
        return True

    def _step(
        self, group: Group, weights: Tensors, grads: Tensors, states: Sequence[Tensors]
    ) -> None:
        if group.wd != 0:
            raise ArgumentTypeError(f"GroupAdaGrad: takes no weight decay, got wd={group.wd}")
        options = self._common_options(group, zero_clips=True)
        del options["wd"]
        options["beside_root"] = self.use_fused_step is not None
        options["epsilon"] = self.epsilon if options["beside_root"] else self.float_stable_eps
        rules.group_adagrad(weights, grads, *states, **options)


docstrings.inherit(globals())

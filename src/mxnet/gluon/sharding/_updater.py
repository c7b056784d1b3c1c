"""Applies an optimizer to the rows of parameters that this rank holds."""

from __future__ import annotations

from typing import Any

from mxnet import optimizer as opt
from mxnet.gluon._parameter import ParameterError
from mxnet.gluon._split_norms import whole_norms
from mxnet.ops.optimizer.rules import norms_completed


class ShardedUpdater(opt.Updater):
    """Updates rows of weights; norms, which some optimizers use, are those of whole weights.

    Args:
        optimizer: The optimizer.

    Raises:
        ParameterError: if the optimizer looks at whole weights in another way.
    """

    def __init__(self, optimizer: opt.Optimizer) -> None:
        if not optimizer._takes_parts:
            raise ParameterError(
                f"Trainer: {type(optimizer).__name__} needs whole weights and does not work with "
                "sharded parameters; use LARS or LAMB instead"
            )
        super().__init__(optimizer)

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Updates a weight by its gradient, or a list of weights by theirs."""
        with norms_completed(whole_norms):
            super().__call__(index, grad, weight)

"""Updates of optimizers that the original has for gradients of a few rows alone."""

from __future__ import annotations

from torch import Tensor

from mxnet.errors import AttributeValueError
from mxnet.ops import optimizer_rules_adaptive as rules
from mxnet.ops.optimizer import check, update_op


@update_op("_sparse_adagrad_update", mutates=("history",))
def sparse_adagrad_update(
    weight: Tensor,
    grad: Tensor,
    history: Tensor,
    *,
    lr: float,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
) -> Tensor:
    """Returns the weight after a step of AdaGrad; rows without a gradient stay as they are.

    Args:
        weight: The weight.
        grad: Its gradient, mostly with few rows.
        history: Sum of squared gradients, a state.
        lr: Learning rate.
        epsilon: Added under the root of the divisor.
        wd: Weight decay, which must be zero: it would change all rows.
        rescale_grad: Factor of the gradient.
        clip_gradient: Largest size of an element of the scaled gradient; below 0 is no limit.
    """
    check("_sparse_adagrad_update", weight, grad, history)
    if wd != 0:
        raise AttributeValueError(f"_sparse_adagrad_update: wd must be 0, got {wd}")
    updated = weight.clone()
    rules.adagrad(
        [updated],
        [grad],
        [history],
        lr=lr,
        wd=0.0,
        epsilon=epsilon,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )
    return updated

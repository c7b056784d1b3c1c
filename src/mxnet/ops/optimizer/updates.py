"""Update operators of optimizers: gradient descent, adaptive steps, LAMB and LARS."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops.core.attrs import Floats, Shape
from mxnet.ops.core.registry import op
from mxnet.ops.optimizer import adaptive_rules, layer_rules, rules
from mxnet.ops.optimizer.rules import Tensors
from mxnet.ops.optimizer.variants import OF_ROWS, Option, Shown, Update, check, declare

LR = Option("lr", "Learning rate.")
WD = Option("wd", "Weight decay.", 0.0)
DECAY_IN_GRADIENT = replace(WD, meaning="Weight decay, as part of the gradient.")
MOMENTUM = Option("momentum", "Share of the last step that is repeated.", 0.0)
RESCALE = Option("rescale_grad", "Factor of the gradient.", 1.0)
CLIP = Option(
    "clip_gradient", "Largest size of an element of the scaled gradient; below 0 is no limit.", -1.0
)
LAZY = Option(
    "lazy_update",
    "Accepted for compatibility; concerns sparse gradients.",
    default=True,
    type=bool,
    argument="",
)
LRS = Option("lrs", "Learning rate of each.", type=Floats, argument="lr", each=True)
WDS = Option("wds", "Weight decay of each.", type=Floats, argument="wd", each=True)


def _preloaded_sgd(
    weights: Tensors,
    grads: Tensors,
    *momenta: Tensors,
    lr: Tensor,
    wd: Tensor,
    rescale_grad: float,
    clip_gradient: float,
    momentum: float = 0.0,
) -> None:
    """Gradient descent by a rate and a decay that are on the device of the weight."""
    (weight,) = weights
    lr, wd = lr.to(weight.dtype), wd.to(weight.dtype)
    descent = rules.rescaled(grads, rescale_grad, clip_gradient)[0] + wd * weight
    if momenta:
        weight += momenta[0][0].mul_(momentum).sub_(lr * descent)
    else:
        weight -= lr * descent


def _rmsprop(*arrays: Tensors, gamma1: float, rho: float | None, **options: Any) -> None:
    """RMSProp; with `rho`, as MXNet 2 calls `gamma1`, epsilon is added beside the root."""
    share, is_new = (gamma1, False) if rho is None else (rho, True)
    adaptive_rules.rmsprop(*arrays, gamma1=share, beside_root=is_new, **options)


def _rmsprop_centered(
    weights: Tensors,
    grads: Tensors,
    squares: Tensors,
    means: Tensors,
    deltas: Tensors,
    *,
    gamma1: float,
    gamma2: float,
    rho: float | None,
    momentum: float | None,
    **options: Any,
) -> None:
    """Centered RMSProp; with `rho` the averages come in the order of MXNet 2, means first."""
    if rho is not None:
        squares, means, gamma1 = means, squares, rho
    if momentum is not None:
        gamma2 = momentum
    states = squares, means, deltas
    adaptive_rules.rmsprop_centered(
        weights, grads, *states, gamma1=gamma1, gamma2=gamma2, **options
    )


_RHO = Option(
    "rho",
    "`gamma1` under its name in MXNet 2; with it, `epsilon` is added beside the root.",
    default=None,
    type=float | None,
)
_SCALING = (RESCALE, CLIP)

_UPDATES = (
    Update(
        name="sgd_update",
        rule=rules.sgd,
        summary="Returns the weight after a step of gradient descent.",
        options=(LR, WD, *_SCALING, LAZY),
        mixed=True,
        many=(LRS, WDS, *_SCALING),
        preloaded=_preloaded_sgd,
        traits=OF_ROWS,
        shown=Shown(
            one="lr=0.1",
            result="[0.9 2.1]",
            many="lrs=(0.1, 0.2), wds=(0, 0)",
            results="[0.9 2.1] [0.8 2.2]",
        ),
    ),
    Update(
        name="sgd_mom_update",
        rule=rules.sgd_momentum,
        summary="Returns the weight after a step of gradient descent with momentum.",
        states={"mom": "The last step, a state."},
        options=(LR, MOMENTUM, WD, *_SCALING, LAZY),
        mixed=True,
        many=(LRS, WDS, MOMENTUM, *_SCALING),
        preloaded=_preloaded_sgd,
        traits=OF_ROWS,
        shown=Shown(
            one="lr=0.1, momentum=0.9",
            result="[1.8 1.2]",
            many="lrs=(0.1, 0.2), wds=(0, 0), momentum=0.9",
            shared="momentum=0.9",
            arrays={"mom": "mx.nd.array([1, -1])"},
            results="[1.8 1.2] [1.7 1.3]",
        ),
    ),
    Update(
        name="nag_mom_update",
        rule=rules.nag,
        summary="Returns the weight after a step of gradient descent with Nesterov's momentum.",
        states={"mom": "Average of the last steps, a state."},
        options=(LR, MOMENTUM, WD, *_SCALING),
        mixed=True,
        shown=Shown(one="lr=0.1, momentum=0.9", result="[0.81 2.19]"),
    ),
    Update(
        name="signsgd_update",
        rule=rules.signsgd,
        summary="Returns the weight after a step of size `lr` in the direction of the gradient's "
        "sign.\n\nScale and limit of the gradient do not change its sign: both are accepted for "
        "compatibility.",
        options=(LR, WD, *(replace(option, argument="") for option in _SCALING)),
        shown=Shown(one="lr=0.1", result="[0.9 2.1]"),
    ),
    Update(
        name="signum_update",
        rule=rules.signum,
        summary="Returns the weight after a step of size `lr` in the direction of the momentum's "
        "sign.",
        states={"mom": "Momentum, a state."},
        options=(
            LR,
            replace(MOMENTUM, meaning="Share of the momentum that is kept."),
            DECAY_IN_GRADIENT,
            *_SCALING,
            Option("wd_lh", "Weight decay beside the gradient.", 0.0),
        ),
        shown=Shown(one="lr=0.1, momentum=0.9", result="[0.9 2.1]"),
    ),
)

for _update in _UPDATES:
    declare(_update, __name__)


BETA1 = Option("beta1", "Share of `mean` that is kept.", 0.9)
BETA2 = Option("beta2", "Share of `var` that is kept.", 0.999)
EPSILON = Option("epsilon", "Added to the divisor.", 1e-8)
ROOT_EPSILON = replace(EPSILON, meaning="Added under the root of the divisor.")
AVERAGES = {
    "mean": "Average of gradients, a state.",
    "var": "Average of squared gradients, a state.",
}
_CLIP_WHOLE = replace(
    CLIP, meaning="Largest size of an element of the gradient; below 0 is no limit."
)
_CLIP_WEIGHTS = Option(
    "clip_weights", "Largest size of an element of the new weight; below 0 is no limit.", -1.0
)


def _check_rows(name: str, weight: Tensor, grad: Tensor, history: Tensor) -> None:
    check(name, weight, grad)
    if weight.ndim < 2 or history.numel() != weight.shape[0]:
        raise MXNetError(
            f"{name}: expected a weight of rows and one history for each, "
            f"got {tuple(weight.shape)} and {tuple(history.shape)}"
        )


def _adagrad_of_rows(
    weights: Tensors, grads: Tensors, histories: Tensors, *, wd: float, **options: Any
) -> None:
    """AdaGrad without weight decay, which would change all rows."""
    if wd != 0:
        raise AttributeValueError(f"_sparse_adagrad_update: wd must be 0, got {wd}")
    adaptive_rules.adagrad(weights, grads, histories, wd=0.0, **options)


_ETAS = Option("etas", "Factor of the whole step of each.", type=Floats, argument="eta", each=True)
_ADAMW = Update(
    name="_adamw_update",
    rule=adaptive_rules.adamw,
    summary="Returns the weight after a step of Adam with the weight decay beside the gradient.",
    states=AVERAGES,
    options=(LR, BETA1, BETA2, EPSILON, WD, Option("eta", "Factor of the whole step."), CLIP),
    mixed=True,
    many=(LRS, BETA1, BETA2, EPSILON, WDS, _ETAS, CLIP),
    scale="Factor of the gradient, an array of one element; zero, infinite or NaN skips\n"
    "        the update.",
    shown=Shown(
        one="lr=0.01, eta=1, wd=0.1",
        result="[0.87 1.83]",
        many="lrs=(0.01, 0.02), wds=(0, 0), etas=(1, 1)",
        results="[0.97 2.03] [0.94 2.06]",
    ),
)

_ADAPTIVE_UPDATES = (
    Update(
        name="adam_update",
        rule=adaptive_rules.adam,
        summary="Returns the weight after a step of Adam without correction for the number of "
        "steps.",
        states=AVERAGES,
        options=(LR, BETA1, BETA2, EPSILON, DECAY_IN_GRADIENT, RESCALE, _CLIP_WHOLE, LAZY),
        traits=OF_ROWS,
        shown=Shown(one="lr=0.01", result="[0.97 2.03]"),
    ),
    _ADAMW,
    replace(
        _ADAMW,
        name="_adabelief_update",
        rule=adaptive_rules.adabelief_scaled,
        summary="Returns the weight after a step of AdaBelief with the weight decay beside the "
        "gradient.",
        shown=Shown(
            one="lr=0.01, eta=1, wd=0.1",
            result="[0.96 2.04]",
            many="lrs=(0.01, 0.02), wds=(0, 0), etas=(1, 1)",
            results="[0.96 2.04] [0.93 2.07]",
        ),
    ),
    Update(
        name="ftml_update",
        rule=adaptive_rules.ftml,
        summary="Returns the weight after a step that follows the moving leader.",
        states={
            "d": "Divisor of the last step, a state.",
            "v": "Average of squared gradients, a state.",
            "z": "The leader, a state.",
        },
        options=(
            LR,
            Option("beta1", "Share of `z` that is kept.", 0.6),
            Option("beta2", "Share of `v` that is kept.", 0.999),
            EPSILON,
            Option("t", "Number of this step, from 1.", type=int, argument="count"),
            DECAY_IN_GRADIENT,
            RESCALE,
            replace(_CLIP_WHOLE, name="clip_grad", argument="clip_gradient"),
        ),
        shown=Shown(one="lr=0.1, t=1", result="[0.9 2.1]"),
    ),
    Update(
        name="ftrl_update",
        rule=adaptive_rules.ftrl,
        summary="Returns the weight after a step that follows the regularized leader.",
        states={"z": "The leader, a state.", "n": "Sum of squared gradients, a state."},
        options=(
            LR,
            Option("lamda1", "Strength of the pull to zero.", 0.01),
            Option("beta", "Added to the root of `n`.", 1.0),
            WD,
            RESCALE,
            CLIP,
        ),
        traits=OF_ROWS,
        shown=Shown(one="lr=0.1", result="[0.45 1.05]"),
    ),
    Update(
        name="rmsprop_update",
        rule=_rmsprop,
        summary="Returns the weight after a step of RMSProp.",
        states={"n": "Average of squared gradients, a state."},
        options=(
            LR,
            Option("gamma1", "Share of `n` that is kept.", 0.95),
            ROOT_EPSILON,
            *(DECAY_IN_GRADIENT, RESCALE, _CLIP_WHOLE, _CLIP_WEIGHTS),
            _RHO,
        ),
        shown=Shown(one="lr=0.01", result="[0.96 2.04]"),
    ),
    Update(
        name="rmspropalex_update",
        rule=_rmsprop_centered,
        summary="Returns the weight after a step of RMSProp by the deviation of the gradient, with "
        "momentum.",
        states={
            "n": "Average of squared gradients, a state.",
            "g": "Average of gradients, a state.",
            "delta": "The last step, a state.",
        },
        options=(
            LR,
            Option("gamma1", "Share of `n` and `g` that is kept.", 0.95),
            Option("gamma2", "Share of `delta` that is kept.", 0.9),
            ROOT_EPSILON,
            *(DECAY_IN_GRADIENT, RESCALE, _CLIP_WHOLE, _CLIP_WEIGHTS),
            replace(_RHO, meaning="`gamma1` in MXNet 2, where `n` and `g` have changed places."),
            replace(_RHO, name="momentum", meaning="`gamma2` under its name in MXNet 2."),
        ),
        shown=Shown(one="lr=0.01", result="[0.95 2.05]"),
    ),
    Update(
        name="_contrib_group_adagrad_update",
        rule=adaptive_rules.group_adagrad,
        summary="Returns the weight, of two axes or more, after a step of AdaGrad with one sum of "
        "squares for each row.",
        states={
            "history": "Sum of mean squares of each row, a state with one element for each row."
        },
        options=(LR, RESCALE, CLIP, replace(ROOT_EPSILON, default=1e-5)),
        check=_check_rows,
        shown=Shown(
            one="lr=0.1",
            result="[[0.9 2.1]\n [3.  4. ]]",
            arrays={
                "weight": "mx.nd.array([[1, 2], [3, 4]])",
                "grad": "mx.nd.array([[1, -1], [0, 0]])",
                "history": "mx.nd.zeros((2, 1))",
            },
        ),
    ),
    Update(
        name="_sparse_adagrad_update",
        rule=_adagrad_of_rows,
        summary="Returns the weight after a step of AdaGrad; rows without a gradient stay as they "
        "are.",
        gradient=("grad", "Its gradient, mostly with few rows."),
        states={"history": "Sum of squared gradients, a state."},
        options=(
            LR,
            replace(ROOT_EPSILON, default=1e-7),
            replace(WD, meaning="Weight decay, which must be zero: it would change all rows."),
            RESCALE,
            CLIP,
        ),
        shown=Shown(one="lr=0.1", result="[0.9 2.1]"),
    ),
)

for _update in _ADAPTIVE_UPDATES:
    declare(_update, __name__)


def _check_norms(name: str, weight: Tensor, direction: Tensor, *norms: Tensor) -> None:
    check(name, weight, direction)
    for norm in norms:
        if norm.numel() != 1:
            raise MXNetError(f"{name}: expected norms of one element, got {tuple(norm.shape)}")


def _set_length(
    weights: Tensors, directions: Tensors, r1: Tensors, r2: Tensors, **options: float
) -> None:
    """Does the second phase of LAMB with norms of any shape."""
    norms = [norm.reshape(()) for norm in r1]
    lengths = [length.reshape(()) for length in r2]
    layer_rules.lamb_scale(weights, directions, norms, lengths, **options)


def _lans(*arrays: Tensors, **options: Any) -> None:
    """LANS with both steps from the old weight."""
    layer_rules.lans(*arrays, **options, one_by_one=False)


_EPSILON = replace(EPSILON, default=1e-6)
_CORRECTION = Option(
    "bias_correction",
    "Whether to correct the averages for the number of steps.",
    default=True,
    type=bool,
)
_BOUNDS = (
    Option(
        "lower_bound", "Least value taken for the norm of the weight; below 0 is no limit.", -1.0
    ),
    Option(
        "upper_bound", "Largest value taken for the norm of the weight; below 0 is no limit.", -1.0
    ),
)
_STEP_COUNT = Option(
    "step_count", "Number of this step of each, from 1.", type=Shape, argument="count", each=True
)
_MANY = (
    *(replace(LRS, name="learning_rates"), BETA1, BETA2, _EPSILON, WDS, RESCALE, *_BOUNDS),
    CLIP,
)
_SEVERAL: dict[str, Any] = {
    "states": AVERAGES,
    "mixed": True,
    "count": "num_tensors",
    "shown": Shown(
        many="learning_rates=(0.1, 0.2), wds=(0, 0), step_count=(1, 1)",
        results="[0.84 2.16] [0.68 2.32]",
    ),
}

_LAYERWISE_UPDATES = (
    Update(
        name="lamb_update_phase1",
        rule=layer_rules.lamb_direction,
        summary="Returns the direction of LAMB's step, whose length `lamb_update_phase2` sets.",
        states=AVERAGES,
        options=(
            BETA1,
            BETA2,
            _EPSILON,
            Option("t", "Number of this step, from 1.", type=int, argument="count"),
            _CORRECTION,
            Option("wd", "Weight decay."),
            RESCALE,
            CLIP,
        ),
        mixed=True,
        keeps_weight=True,
        shown=Shown(one="t=1, wd=0", result="[ 1. -1.]"),
    ),
    Update(
        name="lamb_update_phase2",
        rule=_set_length,
        summary="Returns the weight after LAMB's step.",
        gradient=("g", "Direction of the step."),
        states={"r1": "Norm of the weight.", "r2": "Norm of the direction."},
        options=(LR, *_BOUNDS),
        mixed=True,
        single=("g",),
        changes=(),
        check=_check_norms,
        shown=Shown(
            one="lr=0.1",
            result="[0.8 2.2]",
            arrays={"r1": "mx.nd.array([2])", "r2": "mx.nd.array([1])"},
        ),
    ),
    Update(
        name="_lamb_update",
        rule=layer_rules.lamb,
        summary="Returns several weights after a step of LAMB, see `lamb_update_phase1`.",
        many=(*_MANY, _CORRECTION, _STEP_COUNT),
        **_SEVERAL,
    ),
    Update(
        name="_lans_update",
        rule=_lans,
        summary="Returns several weights after a step of LANS, LAMB with a step along gradients.",
        many=(*_MANY, _STEP_COUNT),
        **_SEVERAL,
    ),
)

for _update in _LAYERWISE_UPDATES:
    declare(_update, __name__)


@op("multi_lars", differentiable=False)
@torch.no_grad()
def multi_lars(
    lrs: Tensor,
    weights_sum_sq: Tensor,
    grads_sum_sq: Tensor,
    wds: Tensor,
    *,
    eta: float,
    eps: float,
    rescale_grad: float = 1.0,
) -> Tensor:
    """Returns the learning rate of each layer from the norms of its weight and gradient.

    Args:
        lrs: Learning rates.
        weights_sum_sq: Sums of the squares of the weights.
        grads_sum_sq: Sums of the squares of the gradients.
        wds: Weight decays.
        eta: Ratio of a step to the weight.
        eps: Added to the divisor.
        rescale_grad: Factor of the gradients.

    Example:
        >>> import mxnet as mx
        >>> rates, decays = mx.nd.array([0.1]), mx.nd.array([0.0])
        >>> weights, gradients = mx.nd.array([4]), mx.nd.array([1])
        >>> rate = mx.nd.multi_lars(rates, weights, gradients, decays, eta=1, eps=0)
        >>> print(rate.asnumpy().round(3))
        [0.2]
    """
    check("multi_lars", lrs, weights_sum_sq, grads_sum_sq, wds)
    return layer_rules.lars_rates(
        weights_sum_sq.sqrt(),
        grads_sum_sq.sqrt(),
        lrs,
        wds,
        eta=eta,
        eps=eps,
        rescale_grad=rescale_grad,
    )


def _check_count(name: str, data: tuple[Tensor, ...], num_arrays: int) -> None:
    if len(data) != num_arrays:
        raise MXNetError(f"{name}: expected {num_arrays} arrays, got {len(data)}")


@op("multi_sum_sq", any_dtype=("data",), differentiable=False)
@torch.no_grad()
def multi_sum_sq(*data: Tensor, num_arrays: int) -> Tensor:
    """Returns the sum of squares of each array, in single precision.

    Args:
        data: The arrays.
        num_arrays: Their number.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.multi_sum_sq(mx.nd.array([3, 4]), mx.nd.array([1]), num_arrays=2).asnumpy())
        [25.  1.]
    """
    _check_count("multi_sum_sq", data, num_arrays)
    return torch.stack([item.float().square().sum() for item in data])


@op("reset_arrays", any_dtype=("data",), differentiable=False, num_outputs=0)
@torch.no_grad()
def reset_arrays(*data: Tensor, num_arrays: int) -> tuple[Tensor, ...]:
    """Sets all elements of the arrays to zero, in place.

    Args:
        data: The arrays.
        num_arrays: Their number.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones(2)
        >>> unused = mx.nd.reset_arrays(x, num_arrays=1)
        >>> print(x.asnumpy())
        [0. 0.]
    """
    _check_count("reset_arrays", data, num_arrays)
    torch._foreach_zero_(data)
    return ()

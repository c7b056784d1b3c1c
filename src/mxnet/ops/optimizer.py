"""Update operators of gradient descent and its variants with momentum."""

from __future__ import annotations

from dataclasses import replace

from torch import Tensor

from mxnet.ops import optimizer_rules as rules
from mxnet.ops.attrs import Floats
from mxnet.ops.optimizer_rules import Tensors
from mxnet.ops.optimizer_variants import OF_ROWS, Option, Update, declare

LR = Option("lr", "Learning rate.")
WD = Option("wd", "Weight decay.", 0.0)
DECAY_IN_GRADIENT = replace(WD, meaning="Weight decay, as part of the gradient.")
MOMENTUM = Option("momentum", "Share of the last step that is repeated.", 0.0)
RESCALE = Option("rescale_grad", "Factor of the gradient.", 1.0)
CLIP = Option(
    "clip_gradient",
    "Largest size of an element of the scaled gradient; below 0 is no limit.",
    -1.0,
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
    ),
    Update(
        name="nag_mom_update",
        rule=rules.nag,
        summary="Returns the weight after a step of gradient descent with Nesterov's momentum.",
        states={"mom": "Average of the last steps, a state."},
        options=(LR, MOMENTUM, WD, *_SCALING),
        mixed=True,
    ),
    Update(
        name="signsgd_update",
        rule=rules.signsgd,
        summary="Returns the weight after a step of size `lr` in the direction of the gradient's "
        "sign.\n\nScale and limit of the gradient do not change its sign: both are accepted for "
        "compatibility.",
        options=(LR, WD, *(replace(option, argument="") for option in _SCALING)),
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
    ),
)

for _update in _UPDATES:
    declare(_update, __name__)

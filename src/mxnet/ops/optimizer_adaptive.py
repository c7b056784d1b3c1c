"""Update operators of optimizers that adapt the step to past gradients."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from torch import Tensor

from mxnet.errors import AttributeValueError, MXNetError
from mxnet.ops import optimizer_rules_adaptive as rules
from mxnet.ops.attrs import Floats
from mxnet.ops.optimizer import CLIP, DECAY_IN_GRADIENT, LAZY, LR, LRS, RESCALE, WD, WDS
from mxnet.ops.optimizer_rules import Tensors
from mxnet.ops.optimizer_variants import OF_ROWS, Option, Update, check, declare

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
    rules.adagrad(weights, grads, histories, wd=0.0, **options)


_UPDATES = (
    Update(
        name="adam_update",
        rule=rules.adam,
        summary="Returns the weight after a step of Adam without correction for the number of "
        "steps.",
        states=AVERAGES,
        options=(LR, BETA1, BETA2, EPSILON, DECAY_IN_GRADIENT, RESCALE, _CLIP_WHOLE, LAZY),
        traits=OF_ROWS,
    ),
    Update(
        name="_adamw_update",
        rule=rules.adamw,
        summary="Returns the weight after a step of Adam with the weight decay beside the "
        "gradient.",
        states=AVERAGES,
        options=(LR, BETA1, BETA2, EPSILON, WD, Option("eta", "Factor of the whole step."), CLIP),
        mixed=True,
        many=(
            LRS,
            BETA1,
            BETA2,
            EPSILON,
            WDS,
            Option(
                "etas", "Factor of the whole step of each.", type=Floats, argument="eta", each=True
            ),
            CLIP,
        ),
        scale="Factor of the gradient, an array of one element; zero, infinite or NaN skips\n"
        "        the update.",
    ),
    Update(
        name="ftml_update",
        rule=rules.ftml,
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
    ),
    Update(
        name="ftrl_update",
        rule=rules.ftrl,
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
    ),
    Update(
        name="rmsprop_update",
        rule=rules.rmsprop,
        summary="Returns the weight after a step of RMSProp.",
        states={"n": "Average of squared gradients, a state."},
        options=(
            LR,
            Option("gamma1", "Share of `n` that is kept.", 0.95),
            ROOT_EPSILON,
            DECAY_IN_GRADIENT,
            RESCALE,
            _CLIP_WHOLE,
            _CLIP_WEIGHTS,
        ),
    ),
    Update(
        name="rmspropalex_update",
        rule=rules.rmsprop_centered,
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
            DECAY_IN_GRADIENT,
            RESCALE,
            _CLIP_WHOLE,
            _CLIP_WEIGHTS,
        ),
    ),
    Update(
        name="_contrib_group_adagrad_update",
        rule=rules.group_adagrad,
        summary="Returns the weight, of two axes or more, after a step of AdaGrad with one sum of "
        "squares for each row.",
        states={
            "history": "Sum of mean squares of each row, a state with one element for each row."
        },
        options=(LR, RESCALE, CLIP, replace(ROOT_EPSILON, default=1e-5)),
        check=_check_rows,
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
    ),
)

for _update in _UPDATES:
    declare(_update, __name__)

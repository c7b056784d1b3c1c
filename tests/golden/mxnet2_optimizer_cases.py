"""Runs of optimizers that are compared with MXNet 2: pure data, read by both interpreters."""

from __future__ import annotations

from typing import Any

from .optimizer_cases import FACTOR, Case

UNFUSED = ("adadelta", "adamax", "dcasgd", "nadam", "sgld")
"""Optimizers that MXNet 2 has no kernels for."""
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "sgd": [{}, {"momentum": 0.9}, {"momentum": 0.9, "aggregate_num": 4}],
    "nag": [{}, {"momentum": 0.0}],
    "adam": [{}, {"beta1": 0.5, "beta2": 0.7, "epsilon": 1e-3}],
    "adamw": [{}, {"beta1": 0.5, "beta2": 0.7, "epsilon": 1e-2, "correct_bias": False}],
    "adabelief": [{}, {"beta1": 0.5, "beta2": 0.7, "epsilon": 1e-2, "correct_bias": False}],
    "adamax": [{}, {"beta1": 0.5, "beta2": 0.7, "epsilon": 0.1}],
    "nadam": [{}, {"beta1": 0.5, "beta2": 0.7, "schedule_decay": 0.1}],
    "adagrad": [{}, {"epsilon": 0.1}],
    "adadelta": [{}, {"rho": 0.5, "epsilon": 0.1}],
    "rmsprop": [
        {},
        {"rho": 0.5, "epsilon": 0.1},
        {"centered": True, "momentum": 0.5, "epsilon": 0.1},
        {"clip_weights": 0.5},
    ],
    "ftrl": [{}, {"lamda1": 0.3, "beta": 0.5}],
    "ftml": [{}, {"beta1": 0.3, "beta2": 0.7, "epsilon": 0.1}],
    "dcasgd": [{}, {"momentum": 0.5, "lamda": 0.5}],
    "signum": [{}, {"momentum": 0.0, "wd_lh": 0.1}, {"momentum": 0.5, "wd_lh": 0.1}],
    "lamb": [
        {},
        {"lower_bound": 0.5, "upper_bound": 1.0},
        {"bias_correction": False, "epsilon": 0.1},
    ],
    "lans": [{}, {"lower_bound": 0.5, "upper_bound": 1.0, "epsilon": 0.1}],
    "lars": [{}, {"momentum": 0.9, "eta": 0.1, "epsilon": 0.5}],
    "groupadagrad": [{}, {"epsilon": 0.1}],
    "test": [{}],
}
WITHOUT_DECAY = ("groupadagrad",)
SINGLE_STATES = (
    "adagrad",
    "adadelta",
    "rmsprop",
    "ftrl",
    "groupadagrad",
    "lamb",
    "lans",
    "adamw",
    "adabelief",
)
"""Whose states or rates are single precision, so that MXNet 2 takes no doubles."""


def _cases_of(name: str, variant: dict[str, Any]) -> list[Case]:
    wd = {} if name in WITHOUT_DECAY else {"wd": 0.1}
    rate = {"learning_rate": 0.1}
    both = {**rate, **variant}
    cases = [
        Case(name, dict(variant)),
        Case(name, {**both, **wd}),
        Case(name, {**both, "rescale_grad": 0.25}),
        Case(name, {**both, "clip_gradient": 0.2, "rescale_grad": 0.5, **wd}),
        Case(name, {**both, **wd}, named=True),
        Case(name, dict(variant), schedule=FACTOR),
        Case(name, {**both, "multi_precision": True, **wd}, dtype="float16"),
    ]
    if name not in SINGLE_STATES:
        cases.append(Case(name, dict(variant), dtype="float64"))
    return cases


def _choose(case: Case, fused: bool) -> Case:
    options = {**case.options, "use_fused_step": fused}
    return Case(case.optimizer, options, case.dtype, case.schedule, named=case.named)


CASES = [
    case
    for name, variants in VARIANTS.items()
    for options in variants
    for case in _cases_of(name, options)
]
CASES += [
    _choose(case, False)
    for case in CASES
    if case.optimizer not in (*UNFUSED, "test") and case.options.get("aggregate_num") is None
]
CASES += [
    Case(
        name,
        {"learning_rate": 0.1, "wd": 0.2},
        lr_mult={"dense0_weight": 0.5, 1: 2.0},
        wd_mult={"dense0_bias": 3.0, 2: 0.25},
        named=True,
    )
    for name in ("sgd", "adam", "adamw", "lamb", "lars")
]

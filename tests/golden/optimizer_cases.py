"""Runs of optimizers that are compared with the original: pure data, read by both interpreters."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

STEPS = 10
NAMES = {0: "dense0_weight", 1: "dense0_bias", 2: "norm0_gamma"}
SHAPES = {0: (2, 3), 1: (4,), 2: (3,)}


@dataclass(frozen=True)
class Case:
    """Ten updates of three parameters.

    Attributes:
        optimizer: Name of the optimizer.
        options: Its arguments.
        dtype: Of weights and gradients.
        schedule: Name and arguments of the learning rate schedule.
        lr_mult, wd_mult: Multipliers by name or index.
        named: Whether the optimizer knows the names of the parameters.
    """

    optimizer: str
    options: dict[str, Any] = field(default_factory=dict)
    dtype: str = "float32"
    schedule: tuple[str, dict[str, Any]] | None = None
    lr_mult: dict[Any, float] = field(default_factory=dict)
    wd_mult: dict[Any, float] = field(default_factory=dict)
    named: bool = False

    @property
    def id(self) -> str:
        """A name that says what is run."""
        parts = [self.optimizer, *(f"{k}={v}" for k, v in sorted(self.options.items()))]
        parts += [self.dtype] if self.dtype != "float32" else []
        if self.schedule:
            parts.append(self.schedule[0] + ",".join(f"{v}" for v in self.schedule[1].values()))
        parts += [f"lr_mult{self.lr_mult}"] if self.lr_mult else []
        parts += [f"wd_mult{self.wd_mult}"] if self.wd_mult else []
        parts += ["named"] if self.named else []
        return "-".join(parts).replace(" ", "").replace("/", "_")

    def weights(self) -> list[np.ndarray]:
        """Returns the initial weights."""
        random = np.random.RandomState(7)
        return [random.uniform(-1, 1, SHAPES[i]).astype(self.dtype) for i in sorted(SHAPES)]

    def gradients(self, step: int) -> list[np.ndarray]:
        """Returns the gradients of a step."""
        random = np.random.RandomState(100 + step)
        return [random.uniform(-1, 1, SHAPES[i]).astype(self.dtype) for i in sorted(SHAPES)]


VARIANTS: dict[str, list[dict[str, Any]]] = {
    "sgd": [{}, {"momentum": 0.9}],
    "ccsgd": [{"momentum": 0.5}],
    "nag": [{}, {"momentum": 0.9}],
    "adam": [{}, {"beta1": 0.5, "beta2": 0.7, "epsilon": 1e-3}],
    "adamax": [{}, {"beta1": 0.5, "beta2": 0.7}],
    "nadam": [{}, {"beta1": 0.5, "beta2": 0.7, "schedule_decay": 0.1}],
    "adagrad": [{}, {"eps": 0.1}],
    "adadelta": [{}, {"rho": 0.5, "epsilon": 0.1}],
    "rmsprop": [
        {},
        {"gamma1": 0.5, "epsilon": 0.1},
        {"centered": True, "gamma2": 0.5},
        {"clip_weights": 0.5},
    ],
    "ftrl": [{}, {"lamda1": 0.3, "beta": 0.5}],
    "ftml": [{}, {"beta1": 0.3, "beta2": 0.7}],
    "dcasgd": [{}, {"lamda": 0.5}],
    "signum": [{}, {"momentum": 0.0}, {"momentum": 0.5, "wd_lh": 0.1}],
    "lamb": [
        {},
        {"lower_bound": 0.5, "upper_bound": 1.0},
        {"bias_correction": False, "epsilon": 0.1},
    ],
    "lars": [{}, {"momentum": 0.9, "eta": 0.1, "eps": 0.5}],
    "lbsgd": [
        {},
        {"momentum": 0.9, "batch_scale": 2, "updates_per_epoch": 2, "warmup_epochs": 2},
        {"batch_scale": 3, "warmup_strategy": "power2", "begin_epoch": 1, "updates_per_epoch": 4},
        {"batch_scale": 2, "warmup_strategy": "sqrt", "updates_per_epoch": 4},
        {"momentum": 0.5, "warmup_strategy": "lars"},
    ],
    "test": [{}],
}
SINGLE_STATES = {"adagrad", "adadelta", "rmsprop", "ftrl", "lamb"}
"""Whose states are single precision in the original, so that it takes no other weights; LAMB's
norms come out in single precision."""
FACTOR = ("FactorScheduler", {"step": 3, "factor": 0.5, "base_lr": 0.2})
WARMUP = ("CosineScheduler", {"max_update": 8, "base_lr": 0.2, "warmup_steps": 3})


def _cases_of(name: str, variant: dict[str, Any]) -> list[Case]:
    rate = {} if name in ("adadelta", "test") else {"learning_rate": 0.1}
    both = {**rate, **variant}
    dense = [
        Case(name, dict(variant)),
        Case(name, {**both, "wd": 0.1}),
        Case(name, {**both, "rescale_grad": 0.25}),
        Case(name, {**both, "clip_gradient": 0.2, "wd": 0.1, "rescale_grad": 0.5}),
        Case(name, {**both, "wd": 0.1}, named=True),
        Case(name, {**both, "multi_precision": True, "wd": 0.1}, dtype="float16"),
    ]
    if name not in ("adadelta", "test"):
        dense.append(Case(name, dict(variant), schedule=FACTOR))
    return dense


CASES = [
    case
    for name, variants in VARIANTS.items()
    for options in variants
    for case in _cases_of(name, options)
]
CASES += [
    case
    for name in ("sgd", "adam", "nag", "rmsprop", "adagrad", "lars")
    for case in (
        Case(
            name,
            {"learning_rate": 0.1, "wd": 0.2},
            lr_mult={"dense0_weight": 0.5, 1: 2.0},
            wd_mult={"dense0_bias": 3.0, 2: 0.25},
            named=True,
        ),
        Case(name, {"begin_num_update": 4}, schedule=WARMUP),
        Case(name, {"learning_rate": 0.3}, schedule=FACTOR),
    )
]
CASES += [
    Case(name, {"clip_gradient": 0, "wd": 0.1, "learning_rate": 0.1})
    for name in VARIANTS
    if name not in ("ccsgd", "test", "adadelta")
]
CASES.append(Case("adadelta", {"clip_gradient": 0, "wd": 0.1}))
CASES += [Case(name, {}, dtype="float64") for name in VARIANTS if name not in SINGLE_STATES]
CASES += [
    Case("sgd", {"momentum": 0.9, "lazy_update": False}),
    Case("adam", {"lazy_update": False}),
    Case("lars", {"momentum": 0.9, "momentum_correction": False}, schedule=FACTOR),
    Case("lars", {"momentum": 0.9}, schedule=FACTOR, named=True),
]

SAVED = {
    "sgd": Case("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}),
    "adam": Case("adam", {"learning_rate": 0.1}),
    "schedule": Case("nag", {"momentum": 0.9}, schedule=FACTOR),
    "half": Case("sgd", {"momentum": 0.9, "multi_precision": True}, dtype="float16"),
    "nadam": Case("nadam", {"multi_precision": True}, dtype="float16"),
}
"""What `.states` files were made of, after three steps."""

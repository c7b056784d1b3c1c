"""Learning rate schedules that are compared with the original: pure data."""

from __future__ import annotations

from typing import Any

UPDATES = list(range(26))
LINEAR = {"warmup_steps": 5, "warmup_begin_lr": 0.01}
CONSTANT = {"warmup_steps": 5, "warmup_begin_lr": 0.01, "warmup_mode": "constant"}

SCHEDULES: dict[str, tuple[str, dict[str, Any]]] = {
    f"{kind}-{number}": (kind, {**arguments, **extra})
    for kind, variants in {
        "FactorScheduler": [
            {"step": 3},
            {"step": 1, "factor": 0.5, "base_lr": 1.0},
            {"step": 4, "factor": 0.1, "stop_factor_lr": 1e-3, "base_lr": 0.5},
            {"step": 4, "factor": 0.0, "base_lr": 0.5},
        ],
        "MultiFactorScheduler": [
            {"step": [1, 2, 9]},
            {"step": [4, 8, 16], "factor": 0.5, "base_lr": 1.0},
            {"step": [5], "factor": 0.1, "base_lr": 0.1},
        ],
        "PolyScheduler": [
            {"max_update": 20},
            {"max_update": 13, "base_lr": 0.5, "pwr": 1},
            {"max_update": 20, "base_lr": 0.5, "pwr": 0.5, "final_lr": 0.1},
        ],
        "CosineScheduler": [
            {"max_update": 20},
            {"max_update": 13, "base_lr": 0.5},
            {"max_update": 20, "base_lr": 0.5, "final_lr": 0.1},
        ],
    }.items()
    for number, (arguments, extra) in enumerate(
        (arguments, extra) for arguments in variants for extra in ({}, LINEAR, CONSTANT)
    )
}

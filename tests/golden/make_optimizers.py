"""Runs every optimizer case under the original MXNet 1.9.1 and stores where it ends.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_optimizers.py

Writes `tests/golden/optimizer/runs.npz` (weights and states after ten steps), `schedules.json`
(learning rates), `updates.npz` (operators on several weights) and `*.states`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx  # noqa: E402

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from golden.optimizer_cases import CASES, NAMES, SAVED, STEPS, Case  # noqa: E402
from golden.schedule_cases import SCHEDULES, UPDATES  # noqa: E402
from golden.update_cases import UPDATE_CALLS  # noqa: E402
from golden.writing import write_json  # noqa: E402

OUT = HERE / "optimizer"


def make_updater(case: Case):
    """Makes the updater of a case."""
    options = dict(case.options)
    if case.schedule:
        kind, arguments = case.schedule
        options["lr_scheduler"] = getattr(mx.lr_scheduler, kind)(**arguments)
    if case.named:
        options["param_idx2name"] = dict(NAMES)
    optimizer = mx.optimizer.create(case.optimizer, **options)
    if case.lr_mult:
        optimizer.set_lr_mult(case.lr_mult)
    if case.wd_mult:
        optimizer.set_wd_mult(case.wd_mult)
    return mx.optimizer.get_updater(optimizer)


def run(case: Case, steps: int = STEPS):
    """Runs a case and gives the updater and the weights."""
    updater = make_updater(case)
    weights = [mx.nd.array(item, dtype=item.dtype) for item in case.weights()]
    for step in range(steps):
        gradients = [mx.nd.array(item, dtype=item.dtype) for item in case.gradients(step)]
        updater(list(range(len(weights))), gradients, weights)
    return updater, weights


def flatten(state) -> list:
    """Returns the arrays of a state in order."""
    if state is None:
        return []
    if isinstance(state, mx.nd.NDArray):
        return [state.asnumpy()]
    return [array for part in state for array in flatten(part)]


def pack(path: Path, results: dict) -> None:
    """Stores lists of arrays by name as one array of single precision, which compresses well."""
    flat = {name: np.concatenate([a.ravel() for a in arrays]) for name, arrays in results.items()}
    np.savez_compressed(
        path,
        names=np.array(list(flat)),
        sizes=np.array([len(values) for values in flat.values()]),
        values=np.concatenate([values.astype("float32") for values in flat.values()]),
    )


def run_cases() -> dict:
    """Returns weights and states after ten steps of every case."""
    results = {}
    for case in CASES:
        updater, weights = run(case)
        states = [
            array for index in sorted(updater.states) for array in flatten(updater.states[index])
        ]
        results[case.id] = [*(weight.asnumpy() for weight in weights), *states]
    return results


def main() -> int:
    """Writes all files."""
    OUT.mkdir(exist_ok=True)
    pack(OUT / "runs.npz", run_cases())
    rates = {}
    for name, (kind, arguments) in SCHEDULES.items():
        schedule = getattr(mx.lr_scheduler, kind)(**arguments)
        rates[name] = [schedule(update) for update in UPDATES]
    write_json(OUT / "schedules.json", rates)
    pack(OUT / "updates.npz", {name: call.run(mx) for name, call in UPDATE_CALLS.items()})
    for name, case in SAVED.items():
        updater, _ = run(case, steps=3)
        (OUT / f"{name}.states").write_bytes(updater.get_states(dump_optimizer=True))
        (OUT / f"{name}-alone.states").write_bytes(updater.get_states(dump_optimizer=False))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""Calls of update operators with `out=`, which the table of operator samples cannot make."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

SHAPES = ((2, 3), (4,))
RATES = {"lrs": (0.1, 0.2), "wds": (0.0, 0.3)}
ETAS = {**RATES, "etas": (0.5, 1.0)}
COUNTS = {"learning_rates": (0.1, 0.2), "wds": (0.0, 0.3), "step_count": (1, 4)}


@dataclass(frozen=True)
class UpdateCall:
    """A call on two weights, the results of which are written into the weights.

    Attributes:
        op: Name of the operator.
        dtype: Of weights and gradients.
        states: Number of states of each weight; the second one is never negative.
        tail: Arrays at the end of the call.
        attrs: Attributes.
    """

    op: str
    dtype: str
    states: int
    tail: tuple[tuple[float, ...], ...] = ()
    attrs: dict[str, Any] = field(default_factory=dict)
    shapes: tuple[tuple[int, ...], ...] = SHAPES

    def make(self) -> list[list[np.ndarray]]:
        """Returns the arrays of each weight."""
        random = np.random.RandomState(3)
        rows = []
        for shape in self.shapes:
            row = [random.uniform(-1, 1, shape).astype(self.dtype) for _ in range(2)]
            row += [
                random.uniform(0.2 if number == 1 else -1, 1, shape).astype("float32")
                for number in range(self.states)
            ]
            if "mp_" in self.op:
                row[-1] = row[0].astype("float32")  # a master copy
            rows.append(row)
        return rows

    def run(self, mx: Any) -> list[np.ndarray]:
        """Makes the call and gives weights and states after it."""
        rows = [[mx.nd.array(a, dtype=a.dtype) for a in row] for row in self.make()]
        tail = [mx.nd.array(values) for values in self.tail]
        module = mx.nd._internal if self.op.startswith("_") else mx.nd
        flat = [array for row in rows for array in row]
        if len(rows) > 1:
            getattr(module, self.op)(*flat, *tail, out=[row[0] for row in rows], **self.attrs)
        else:
            getattr(module, self.op)(*flat, *tail, out=rows[0][0], **self.attrs)
        return [
            array.asnumpy()
            for row in rows
            for part, array in enumerate(row)
            if part != 1  # the original scales some gradients in place
        ]


def _families() -> dict[str, UpdateCall]:
    several, pair = {"num_weights": 2}, ((0.1, 0.2), (0.0, 0.3))
    rows = {
        "multi_sgd_update": ("float32", 0, (), {**RATES, **several}),
        "multi_sgd_mom_update": ("float32", 1, (), {**RATES, **several, "momentum": 0.9}),
        "multi_mp_sgd_update": ("float16", 1, (), {**RATES, **several}),
        "multi_mp_sgd_mom_update": ("float16", 2, (), {**RATES, **several, "momentum": 0.9}),
        "preloaded_multi_sgd_update": ("float32", 0, pair, several),
        "preloaded_multi_sgd_mom_update": ("float32", 1, pair, {**several, "momentum": 0.9}),
        "preloaded_multi_mp_sgd_update": ("float16", 1, pair, several),
        "preloaded_multi_mp_sgd_mom_update": ("float16", 2, pair, {**several, "momentum": 0.9}),
        "_multi_adamw_update": ("float32", 2, ((0.5,),), {**ETAS, **several}),
        "_multi_mp_adamw_update": ("float16", 3, ((0.5,),), {**ETAS, **several}),
        "_multi_lamb_update": ("float32", 2, (), {**COUNTS, "num_tensors": 2}),
        "_multi_mp_lamb_update": ("float16", 3, (), {**COUNTS, "num_tensors": 2}),
    }
    calls = {}
    for op, (dtype, states, tail, attrs) in rows.items():
        calls[op] = UpdateCall(op, dtype, states, tail, attrs)
        scale = {} if "adamw" in op else {"rescale_grad": 0.5}
        limited = {**attrs, **scale, "clip_gradient": 0.2}
        calls[f"{op}-clipped"] = UpdateCall(op, dtype, states, tail, limited)
    bounded = {**COUNTS, "num_tensors": 2, "lower_bound": 0.5, "upper_bound": 1.0}
    calls["_multi_lamb_update-bounded"] = UpdateCall(
        "_multi_lamb_update", "float32", 2, (), {**bounded, "bias_correction": False}
    )
    nag = {"lr": 0.1, "momentum": 0.9, "wd": 0.3, "clip_gradient": 0.2}
    calls["nag_mom_update"] = UpdateCall("nag_mom_update", "float32", 1, (), nag, SHAPES[:1])
    calls["mp_nag_mom_update"] = UpdateCall("mp_nag_mom_update", "float16", 2, (), nag, SHAPES[:1])
    one = {"lr": 0.1, "eta": 0.5, "wd": 0.3, "beta1": 0.5, "clip_gradient": 0.2}
    for scale in (0.5, 0.0, float("nan"), float("inf")):
        name = f"_adamw_update-{scale}"
        calls[name] = UpdateCall("_adamw_update", "float32", 2, ((scale,),), one, SHAPES[:1])
        name = f"_mp_adamw_update-{scale}"
        calls[name] = UpdateCall("_mp_adamw_update", "float16", 3, ((scale,),), one, SHAPES[:1])
    return calls


UPDATE_CALLS = _families()

"""Operators whose gradient is not that of what they compute."""

from __future__ import annotations

from .core import rand, sample, values

ODD = [0.5, 1.5, -0.5, 2.3, -2.5, 0, 7]

SAMPLES = [
    *(
        sample(f"_contrib_{name}_ste", data, numeric=False, train=train)
        for name in ("round", "sign")
        for data in (values(ODD), rand(2, 3, low=-5, high=5), values(ODD, "float64"))
        for train in (True, False)
    ),
    sample("_contrib_round_ste", values(ODD, "float16"), numeric=False),
    *(
        sample(f"_contrib_{name}_ste", data, numeric=False, gradient=False)
        for name in ("round", "sign")
        for data in (values([3, 0, 7], "int32"), values([3, 0, 7], "uint8"), values([1e10, -1e10]))
    ),
    *(
        sample("_contrib_gradientmultiplier", data, numeric=False, **attrs)
        for data in (rand(2, 3), rand(3, dtype="float64"))
        for attrs in (
            {},
            {"scalar": 3},
            {"scalar": -0.5, "is_int": False},
            {"scalar": "0.25", "is_int": False, "train": False},
        )
    ),
    *(
        sample("_contrib_backward_gradientmultiplier", data, gradient=False, **attrs)
        for data in (rand(2, 3), values([3, 0, 7], "int32"))
        for attrs in ({}, {"scalar": 3}, {"scalar": -0.5, "is_int": False})
    ),
]

"""Programs with initializers that run alike under the original and under this package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

SUFFIXES = ("weight", "bias", "gamma", "beta", "min", "max", "bias_quantize", "moving_mean")
SUFFIXES += ("moving_var", "moving_inv_var", "moving_avg", "running_mean", "running_var", "scale")


@dataclass(frozen=True)
class Case:
    """One array, and the initializer that fills it."""

    id: str
    make: Callable[[Any], Any]
    name: str = "fc_weight"
    shape: tuple[int, ...] = (2, 3)
    attrs: dict[str, str] = field(default_factory=dict)
    plain: bool = False
    """Returns the name as a plain string."""

    def __str__(self) -> str:
        return self.id


def fill(mx: Any, case: Case) -> Any:
    """Returns the elements of the array that a case fills, or the name of the error."""
    array = mx.nd.full(case.shape, 7)
    name = case.name if case.plain else mx.init.InitDesc(case.name, case.attrs)
    try:
        case.make(mx.init)(name, array)
    except Exception as error:  # noqa: BLE001 - which error it is, is the result
        return ["error", *(kind.__name__ for kind in type(error).__mro__)]
    return array.asnumpy().tolist()


def describe(mx: Any, case: Case) -> list[Any]:
    """Returns range, mean and deviation of what a random case fills in."""
    array = mx.nd.zeros(case.shape)
    case.make(mx.init)(mx.init.InitDesc(case.name), array)
    values = array.asnumpy().astype("float64")
    return [float(item) for item in (values.min(), values.max(), values.mean(), values.std())]


def dumps(mx: Any, case: Case) -> str:
    """Returns the JSON of the initializer."""
    return case.make(mx.init).dumps()


def _patterns() -> list[Case]:
    cases = [
        Case(
            f"{kind} {suffix}", lambda init: init.Constant(3), f"x_{suffix}", plain=kind == "plain"
        )
        for suffix in SUFFIXES
        for kind in ("described", "plain")
    ]
    constant = {"make": lambda init: init.Constant(3), "plain": True}
    return [
        *cases,
        Case("plain upsampling", name="upsampling0_weight", shape=(2, 1, 4, 4), **constant),
        Case("plain stn_loc weight", name="stn_loc_weight", **constant),
        Case("plain stn_loc bias", name="stn_loc_bias", shape=(6,), **constant),
        Case("plain stn_loc bias of five", name="stn_loc_bias", shape=(5,), **constant),
        Case("own initializer", lambda init: init.One(), "x", attrs={"__init__": "zeros"}),
        Case(
            "own before name",
            lambda init: init.One(),
            "x_bias",
            attrs={"__init__": '["constant", {"value": 4.0}]'},
        ),
        Case("empty own", lambda init: init.One(), "x_bias", attrs={"__init__": ""}),
        Case("base weight", lambda init: init.Initializer()),
        Case("base gamma", lambda init: init.Initializer(), "x_gamma"),
    ]


def _constants() -> list[Case]:
    cases = [
        Case("zero", lambda init: init.Zero()),
        Case("one", lambda init: init.create("ones")),
        Case("constant of a row", lambda init: init.Constant(np.float32([1, 2, 3]))),
        Case("constant of a misfit", lambda init: init.Constant(np.float32([1, 2]))),
        Case("constant of text", lambda init: init.Constant("2.5")),
        Case("xavier of a vector", lambda init: init.Xavier(), shape=(3,)),
        Case("xavier of unknown type", lambda init: init.Xavier("cubic")),
        Case("xavier of unknown factor", lambda init: init.Xavier(factor_type="sum")),
    ]
    for shape in ((1, 1, 3, 3), (1, 2, 4, 4), (2, 1, 2, 5), (1, 1, 1, 1), (4, 4)):
        cases.append(Case(f"bilinear {shape}", lambda init: init.Bilinear(), shape=shape))
    for shape in ((8,), (6,), (3,), (2, 3)):
        cases.append(Case(f"lstm bias {shape}", lambda init: init.LSTMBias(2.0), shape=shape))
    return cases


def _mixtures() -> list[Case]:
    def mixed(*patterns: str) -> Callable[[Any], Any]:
        return lambda init: init.Mixed(patterns, [init.One(), init.Constant(9)][: len(patterns)])

    return [
        Case("mixed first", mixed("fc", ".*")),
        Case("mixed matches the start", mixed("weight", ".*")),
        Case("mixed without match", mixed("conv")),
        Case("mixed without initializer", lambda init: init.Mixed(["a"], [])),
        *(
            Case(
                f"fused {mode}{' both ways' if both else ''}",
                lambda init, mode=mode, both=both: init.FusedRNN(
                    init.Constant(3), 2, 2, mode, both, 5.0
                ),
                shape=(size,),
            )
            for mode, both, size in (
                ("lstm", False, 104),
                ("lstm", True, 240),
                ("gru", False, 78),
                ("rnn_relu", False, 26),
            )
        ),
        Case("fused misfit", lambda init: init.FusedRNN(init.Zero(), 2, 1, "gru"), shape=(43,)),
    ]


def cases() -> list[Case]:
    """Returns the cases whose elements are known."""
    return [*_patterns(), *_constants(), *_mixtures()]


def random_cases() -> list[Case]:
    """Returns the cases of which the distribution is known."""
    makers: dict[str, Callable[[Any], Any]] = {
        "uniform": lambda init: init.Uniform(),
        "uniform 2": lambda init: init.Uniform(2.0),
        "normal": lambda init: init.Normal(),
        "normal 3": lambda init: init.Normal(3),
        "xavier": lambda init: init.Xavier(),
        "xavier gaussian": lambda init: init.Xavier("gaussian"),
        "xavier in": lambda init: init.Xavier("uniform", "in", 2),
        "xavier out": lambda init: init.Xavier("uniform", "out", 2.5),
        "msra": lambda init: init.MSRAPrelu(),
        "msra in": lambda init: init.MSRAPrelu("in", 0.1),
        "orthogonal": lambda init: init.Orthogonal(),
        "orthogonal normal": lambda init: init.Orthogonal(2.0, "normal"),
    }
    return [
        Case(f"{name} {shape}", make, shape=shape)
        for name, make in makers.items()
        for shape in ((300, 100), (40, 30, 5, 5))
    ]

"""Activation functions chosen by name, and dropout."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Shape, Share
from mxnet.ops.core.registry import op
from mxnet.ops.core.traits import (
    ELEMENTWISE,
    NAMED,
    NAMED_OUTPUTS,
    Activation,
    Fusion,
    Labels,
    Traits,
    Types,
    Variables,
)
from mxnet.ops.nn.layouts import require_floating, require_input
from mxnet.ops.rules import drawing, quantizing

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "log_sigmoid": F.logsigmoid, "mish": F.mish, "relu": torch.relu, "sigmoid": torch.sigmoid,
    "softrelu": F.softplus, "softsign": F.softsign, "tanh": torch.tanh,
}  # fmt: skip

_WITH_SLOPE: dict[str, Callable[[Tensor, float], Tensor]] = {"leaky": F.leaky_relu, "elu": F.elu}

_WITHOUT_SLOPE: dict[str, Callable[[Tensor], Tensor]] = {"selu": torch.selu, "gelu": F.gelu}


def _as_activation(*, act_type: str) -> Activation | None:
    return (act_type, ()) if act_type in ("relu", "sigmoid", "tanh") else None


@op(
    "Activation",
    aliases=("_npx_activation",),
    fresh=True,
    traits=replace(
        ELEMENTWISE,
        labels=NAMED_OUTPUTS,
        drawing=drawing.ACTIVATION,
        fusion=Fusion(activation=_as_activation),
        quantization=quantizing.ACTIVATION,
    ),
)
def activation(
    data: Tensor,
    *,
    act_type: Literal["log_sigmoid", "mish", "relu", "sigmoid", "softrelu", "softsign", "tanh"],
) -> Tensor:
    """Applies an activation function to each element.

    Args:
        data: Input of any shape, of a float type.
        act_type: Which function: `relu` is ``max(x, 0)``, `sigmoid` is ``1 / (1 + exp(-x))``,
            `softrelu` is ``log(1 + exp(x))``, `softsign` is ``x / (1 + |x|)``, `tanh` is itself,
            `log_sigmoid` the logarithm of `sigmoid`, `mish` is ``x * tanh(softrelu(x))``; MXNet 2
            added these two.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.Activation(mx.nd.array([-1, 0, 2]), act_type="relu").asnumpy())
        [0. 0. 2.]
    """
    if not data.is_floating_point():
        require_floating("Activation", data)
    return _ACTIVATIONS[act_type](data)


def _fill_gamma(data: Shape, *, act_type: str, **_: object) -> dict[str, Shape]:
    return {"gamma": tuple(data[1:2]) or (1,)} if act_type == "prelu" else {}


def _leaky_inputs(*, act_type: str, **_: object) -> tuple[str, ...]:
    return ("data", "gamma") if act_type == "prelu" else ("data",)


def _leaky_outputs(*, act_type: str, **_: object) -> int:
    return 2 if act_type == "rrelu" else 1


def _leaky_output_names(*, act_type: str, **_: object) -> tuple[str, ...]:
    return ("output", "mask") if act_type == "rrelu" else ("output",)


def _leaky_as_activation(*, act_type: str, slope: float, **_: object) -> Activation | None:
    return ("leaky_relu", (slope,)) if act_type == "leaky" else None


@op(
    "LeakyReLU",
    aliases=("_npx_leaky_relu",),
    fill_shapes=_fill_gamma,
    active_inputs=_leaky_inputs,
    num_outputs=_leaky_outputs,
    traits=Traits(
        types=Types(statistics=("gamma",)),
        labels=Labels(outputs=_leaky_output_names, names_inputs=True, names_outputs=True),
        variables=Variables(initializers={"gamma": '["Constant", {"value": 0.25}]'}),
        drawing=drawing.ACTIVATION,
        fusion=Fusion(activation=_leaky_as_activation, keeps_layout=True),
    ),
)
def leaky_relu(
    data: Tensor,
    gamma: Tensor | None = None,
    *,
    act_type: Literal["elu", "gelu", "leaky", "prelu", "rrelu", "selu"] = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
    training: bool,
    generator: torch.Generator | None = None,
) -> Tensor | tuple[Tensor, Tensor]:
    """Applies a rectifier that lets some of the negative side through.

    Args:
        data: Input of any shape, of a float type.
        gamma: Slopes of `prelu`, learnt: one in all, or one for each channel (axis 1).
        act_type: Which function: `leaky` has a fixed slope, `prelu` a learnt one, `rrelu` a random
            one in training and the mean one in prediction (its second output has the slopes drawn);
            `elu` is ``slope * (exp(x) - 1)`` below zero; `selu` and `gelu` take no slope.
        slope: Slope of `leaky`, factor of `elu`.
        lower_bound: Least slope of `rrelu`.
        upper_bound: Greatest slope of `rrelu`.
        training: Whether the call is for training; supplied by the frontend.
        generator: Source of randomness, torch's own if None; supplied by the frontend.

    Example:
        >>> import mxnet as mx
        >>> print(mx.nd.LeakyReLU(mx.nd.array([-2, 0, 2]), slope=0.5).asnumpy())
        [-1.  0.  2.]
    """
    require_floating("LeakyReLU", data)
    if act_type in _WITH_SLOPE:
        return _WITH_SLOPE[act_type](data, slope)
    if act_type in _WITHOUT_SLOPE:
        return _WITHOUT_SLOPE[act_type](data)
    if act_type == "prelu":
        return _prelu(data, require_input("LeakyReLU", "gamma", gamma, "act_type='prelu'"))
    if not training:
        return F.leaky_relu(data, (lower_bound + upper_bound) / 2), torch.zeros_like(data)
    slopes = torch.empty(data.shape, dtype=data.dtype, device=data.device)
    slopes.uniform_(lower_bound, upper_bound, generator=generator)
    return torch.where(data > 0, data, data * slopes), slopes


def _prelu(data: Tensor, gamma: Tensor) -> Tensor:
    fits = data.ndim > 1 and gamma.ndim == 1 and gamma.shape[0] in (1, data.shape[1])
    if fits and gamma.dtype == data.dtype:
        return F.prelu(data, gamma)
    return torch.where(data > 0, data, data * gamma.reshape(_gamma_shape(data, gamma)))


def _gamma_shape(data: Tensor, gamma: Tensor) -> list[int]:
    """Places the axes of gamma among the first two of the data, from the second one backwards."""
    shape = [1] * data.ndim
    left = list(gamma.shape)
    for axis in range(min(data.ndim, 2) - 1, -1, -1):
        if left and left[-1] in (1, data.shape[axis]):
            shape[axis] = left.pop()
    if left:
        raise MXNetError(
            f"LeakyReLU: expected `gamma` to fit the first two axes of data of shape "
            f"{tuple(data.shape)}, got shape {tuple(gamma.shape)}"
        )
    return shape


def drop(data: Tensor, p: float, shape: Shape, generator: torch.Generator | None) -> Tensor:
    """Zeroes a random share `p` of the data and scales the rest; the mask has the given shape."""
    if p == 1:
        return data * 0
    mask = torch.empty(shape, dtype=data.dtype, device=data.device)
    return data * mask.bernoulli_(1 - p, generator=generator).div_(1 - p)


def _is_off_in_prediction(*, p: float, mode: str, **_: object) -> bool:
    return p == 0 or mode == "training"


@op(
    "Dropout",
    aliases=("_npx_dropout",),
    traits=replace(
        ELEMENTWISE,
        labels=NAMED.of("output", "mask"),
        fusion=Fusion(passes_through=_is_off_in_prediction),
        role="dropout",
    ),
)
def dropout(
    data: Tensor,
    *,
    p: Share = 0.5,
    mode: Literal["always", "training"] = "training",
    axes: Shape = (),
    cudnn_off: bool | None = False,
    training: bool,
    generator: torch.Generator | None = None,
) -> Tensor:
    """Zeroes a random share of the elements in training and scales the others to keep the mean.

    Args:
        data: Input of any shape, of a float type.
        p: Share of elements to drop; 1 leaves nothing to scale, and gives NaN.
        mode: `training` leaves the data alone in prediction, `always` does not.
        axes: Axes along which elements share their fate; none by default.
        cudnn_off: Accepted for compatibility.
        training: Whether the call is for training; supplied by the frontend.
        generator: Source of randomness, torch's own if None; supplied by the frontend.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((2, 50))
        >>> float(mx.nd.Dropout(x, p=0.5).sum().asscalar())
        100.0
        >>> with mx.autograd.train_mode():
        ...     y = mx.nd.Dropout(x, p=0.5)
        >>> sorted(set(y.reshape(-1).asnumpy().tolist()))
        [0.0, 2.0]
    """
    require_floating("Dropout", data)
    if p == 0 or not (training or mode == "always"):
        return data
    if p == 1:
        return data * math.nan  # what is left, nothing, times infinity
    if generator is None and not axes:
        return torch.dropout(data, p, True)
    if not all(0 <= axis < data.ndim for axis in axes):
        raise MXNetError(f"Dropout: expected `axes` in 0 to {data.ndim - 1}, got {axes}")
    shape = tuple(1 if axis in axes else size for axis, size in enumerate(data.shape))
    return drop(data, p, shape, generator)

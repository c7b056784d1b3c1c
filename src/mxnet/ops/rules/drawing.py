"""How `mx.viz` draws operators and counts their parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any, TypeAlias

from mxnet.ops.core.attrs import Shape

Settings: TypeAlias = Mapping[str, Any]

_LAYER, _NORMALIZATION, _ACTIVATION = "#fb8072", "#bebada", "#ffffb3"
_POOLING, _SHAPING, _OTHER = "#80b1d3", "#fdb462", "#fccde5"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawing:
    """The picture of an operator.

    Attributes:
        color: Color of its box.
        details: What stands in its box, from the attributes; None for the name of the node.
        titled: Whether the name of the operator stands above the details.
        count: Number of its parameters, from the attributes, the number of channels of its data
            and the shape of its output, if that is known.
    """

    color: str = _OTHER
    details: Callable[[Settings], str] | None = None
    titled: bool = True
    count: Callable[[Settings, int, Shape | None], int] | None = None


def _window(attrs: Settings) -> str:
    """Returns kernel and stride: `3x3/2x2`."""
    if not attrs["kernel"]:
        return "global"
    stride = "x".join(map(str, attrs["stride"] or (1,)))
    return f"{'x'.join(map(str, attrs['kernel']))}/{stride}"


def _count_convolution(attrs: Settings, channels: int, shape: Shape | None) -> int:
    filters = attrs["num_filter"]
    weights = channels * filters // attrs["num_group"] * prod(attrs["kernel"])
    return int(weights + (0 if attrs["no_bias"] else filters))


def _count_dense(attrs: Settings, channels: int, shape: Shape | None) -> int:
    return int((channels + (not attrs["no_bias"])) * attrs["num_hidden"])


def _count_normalization(attrs: Settings, channels: int, shape: Shape | None) -> int:
    return 0 if shape is None else 2 * shape[1]


def _count_embedding(attrs: Settings, channels: int, shape: Shape | None) -> int:
    return int(attrs["input_dim"] * attrs["output_dim"])


PLAIN = Drawing()
SHAPING = Drawing(color=_SHAPING)
EMBEDDING = Drawing(count=_count_embedding)
NORMALIZATION = Drawing(color=_NORMALIZATION, count=_count_normalization)
PROGRAM = Drawing(titled=False, details=lambda attrs: str(attrs["op_type"]))
ACTIVATION = Drawing(color=_ACTIVATION, details=lambda attrs: str(attrs["act_type"]))
DENSE = Drawing(color=_LAYER, details=lambda attrs: str(attrs["num_hidden"]), count=_count_dense)
CONVOLUTION = Drawing(
    color=_LAYER,
    details=lambda attrs: f"{_window(attrs)}, {attrs['num_filter']}",
    count=_count_convolution,
)
POOLING = Drawing(color=_POOLING, details=lambda attrs: f"{attrs['pool_type']}, {_window(attrs)}")

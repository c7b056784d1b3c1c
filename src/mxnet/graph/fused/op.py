"""The operators `_sg_mkldnn_conv` and `_sg_mkldnn_fully_connected`: fused layers as nodes.

Such an operator belongs to one node and owns its subgraph, as operators of control flow do. All
else about it is said as for any other operator: inputs, shapes, dtypes and a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any

import torch

from mxnet.errors import FileFormatError, MXNetError
from mxnet.graph.fused.compute import make_kernel, make_layer, quantized_inputs
from mxnet.graph.fused.parts import Parts, read_parts
from mxnet.graph.ir import Graph, Node, OwningOp
from mxnet.ops.core.attrs import Attr, Shape
from mxnet.ops.core.inference import infer
from mxnet.ops.core.registry import Input, Op, shapes_from_data
from mxnet.ops.core.traits import OPAQUE, Dtypes, Files, Labels, Settings, Shapes, Traits, Types
from mxnet.ops.rules import quantizing
from mxnet.ops.rules.flops import each_element
from mxnet.ops.rules.quantizing import Quantization

_STATES = ("moving_mean", "moving_var")
_NORMALIZATION = ("gamma", "beta", *_STATES)
_RANGED = ("data", "weight", "bias", "addend")
"""Inputs that can be bytes, which are followed by the range that they stand for."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fusion:
    """What is known of an operator for fused layers, whatever its subgraph.

    Attributes:
        name: Name of the operator in files.
        role: What passes treat its layer as, None if it is no layer.
        attrs: Annotations and defaults of the attributes by name.
        flags: Attributes that say which parts the subgraph has, with the question whether it has.
        former: Names of flags in older files, with those of today.
        true: How the flags are written.
        quantization: How a graph computes it on bytes.
    """

    name: str
    role: str | None
    attrs: Mapping[str, tuple[Any, Any]]
    flags: Mapping[str, Callable[[Parts], bool]]
    former: Mapping[str, str]
    true: str
    quantization: Quantization

    def declare_attrs(self) -> dict[str, Attr]:
        """Returns the attributes as operators declare them."""
        return {
            key: Attr.declared(key, annotation, default)
            for key, (annotation, default) in self.attrs.items()
        }

    def take_subgraph(self, subgraphs: Sequence[Graph]) -> Graph:
        """Returns the only subgraph of a node.

        Raises:
            FileFormatError: if there is none, or another one.
        """
        if len(subgraphs) != 1:
            raise FileFormatError(f"{self.name}: one subgraph expected, got {len(subgraphs)}")
        return subgraphs[0]


def _is_activated(parts: Parts) -> bool:
    return parts.activation is not None and parts.addition is None


RANGE_ATTRS = {"min_calib_range": (float | None, None), "max_calib_range": (float | None, None)}

CONVOLUTION = Fusion(
    name="_sg_mkldnn_conv",
    role="convolution",
    attrs={
        "with_bn": (bool, False),
        "with_act": (bool, False),
        "with_sum": (bool, False),
        "with_postsum_act": (bool, False),
        "quantized": (bool, False),
        **RANGE_ATTRS,
    },
    flags={
        "with_bn": lambda parts: parts.normalization is not None,
        "with_act": _is_activated,
        "with_sum": lambda parts: parts.addition is not None,
        "with_postsum_act": lambda parts: bool(parts.activation and parts.addition),
    },
    former={"with_relu": "with_act", "with_postsum_relu": "with_postsum_act"},
    true="true",
    quantization=quantizing.FUSED_CONVOLUTION,
)
DENSE = Fusion(
    name="_sg_mkldnn_fully_connected",
    role="dense",
    attrs={
        "quantized": (bool, False),
        "enable_float_output": (bool, False),
        "with_eltwise": (bool, False),
        **RANGE_ATTRS,
        "channel_wise_quantize": (bool | None, None),
    },
    flags={"with_eltwise": _is_activated},
    former={"with_relu": "with_eltwise"},
    true="True",
    quantization=quantizing.FUSED_DENSE,
)


@dataclass(frozen=True, slots=True, eq=False)
class FusedOp(OwningOp):
    """An operator that is a fused layer.

    Attributes:
        fusion: What it has in common with others of its name.
        parts: The operators of its subgraph.
        arrays: Names of the inputs that are not ranges, in order.
    """

    fusion: Fusion = field(kw_only=True)
    parts: Parts = field(kw_only=True)
    arrays: tuple[str, ...] = field(kw_only=True)

    @property
    def subgraph(self) -> Graph:
        """The graph that the layer computes, as long as it is not quantized."""
        return self.subgraphs[0]


def make_fused_op(fusion: Fusion, subgraphs: Sequence[Graph]) -> FusedOp:
    """Makes the operator of a fused layer.

    Args:
        fusion: What operator it is.
        subgraphs: Its only subgraph, in a list.

    Raises:
        FileFormatError: if the subgraph is not such a layer.
    """
    parts = read_parts(fusion.take_subgraph(subgraphs), fusion.role or "", fusion.name)
    arrays = _name_arrays(parts)
    ranges = [f"{end}_{name}" for name in arrays if name in _RANGED for end in ("min", "max")]
    return FusedOp(
        name=fusion.name,
        kernel=make_kernel(parts, arrays),
        inputs=tuple(map(Input, (*arrays, *ranges))),
        attrs=fusion.declare_attrs(),
        doc="",
        aux=_STATES if parts.normalization else (),
        strict_dtypes=True,
        differentiable=False,  # as in the original, for which such layers are for prediction
        fill_shapes=partial(_fill_shapes, parts, ranges),
        active_inputs=partial(_list_inputs, arrays),
        check_attrs=partial(_check_flags, fusion, parts),
        num_outputs=lambda **settings: len(name_outputs(**settings)),
        traits=Traits(
            shapes=Shapes(exact=True, keeps_batch=True),
            labels=Labels(outputs=name_outputs, names_outputs=True),
            types=Types(rule=partial(_find_dtypes, parts)),
            files=Files(upgrade=partial(_upgrade, fusion)),
            fusion=OPAQUE,
            flops=partial(_count_flops, parts),
            quantization=fusion.quantization,
        ),
        subgraphs=tuple(subgraphs),
        fusion=fusion,
        parts=parts,
        arrays=arrays,
    )


def _name_arrays(parts: Parts) -> tuple[str, ...]:
    """Names the inputs of a fused layer without ranges, in order."""
    names = list(parts.layer.input_names)
    if parts.normalization is not None:
        names += _NORMALIZATION
    return (*names, "addend") if parts.addition is not None else tuple(names)


def _list_inputs(arrays: Sequence[str], *, quantized: bool, **settings: Any) -> list[str]:
    """Lists the inputs in use; those of a quantized layer end with the ranges of bytes."""
    if not quantized:
        return [*arrays]
    ranged = [name for name in arrays if name in quantized_inputs(settings)]
    return [*arrays, *(f"{end}_{name}" for name in ranged for end in ("min", "max"))]


def name_outputs(
    *, quantized: bool, enable_float_output: bool = False, **_: object
) -> tuple[str, ...]:
    """Names the outputs of a fused operator: integers are followed by their range."""
    with_range = quantized and not enable_float_output
    return ("output", "min_output", "max_output") if with_range else ("output",)


def _find_dtypes(
    parts: Parts, names: Sequence[str], known: Dtypes, settings: Settings
) -> tuple[Dtypes, Dtypes]:
    """Finds the dtypes of inputs and outputs; see `Types.rule`."""
    if not settings["quantized"]:
        common = next((dtype for dtype in known if dtype is not None), None)
        return [common if dtype is None else dtype for dtype in known], [common]
    of_bytes = quantized_inputs(settings)
    fixed = {name: torch.int8 if name in of_bytes else torch.float32 for name in names}
    told = [
        fixed[name] if dtype is None and name not in ("data", "addend") else dtype
        for name, dtype in zip(names, known, strict=True)
    ]
    ends = [torch.float32] * (len(name_outputs(**settings)) - 1)
    return told, [make_layer(parts, settings).dtype, *ends]


def _check_flags(fusion: Fusion, parts: Parts, **settings: Any) -> None:
    for name, has_part in fusion.flags.items():
        if settings[name] != has_part(parts):
            raise FileFormatError(
                f"{fusion.name}: attribute `{name}` is {settings[name]}, "
                f"but the subgraph has {'the' if has_part(parts) else 'no such'} part"
            )


def _upgrade(fusion: Fusion, _version: int, attrs: dict[str, str]) -> None:
    """Renames the flags of an older file."""
    for former, today in fusion.former.items():
        if former in attrs:
            attrs[today] = attrs.pop(former)


def _fill_shapes(parts: Parts, ranges: Sequence[str], data: Shape, **_: object) -> dict[str, Shape]:
    layer, normalization = parts.layer, parts.normalization
    shapes = shapes_from_data(_op_of(layer), data, layer.settings)
    shapes |= dict.fromkeys(ranges, (1,))
    if normalization is None and parts.addition is None:
        return shapes
    inputs = [data, *(shapes[name] for name in layer.input_names[1:])]
    result = infer(_op_of(layer), inputs, [torch.float32] * len(inputs), layer.parsed)[0][0]
    if normalization is not None:
        shapes |= shapes_from_data(_op_of(normalization), result, normalization.settings)
    return shapes | {"addend": result}


def _count_flops(
    parts: Parts, inputs: Sequence[Shape], outputs: Sequence[Shape], _: Settings
) -> int:
    """Counts those of the layer, and one for each element and part that follows."""
    layer, result = parts.layer, outputs[:1]
    rule = _op_of(layer).traits.flops or each_element
    others = (len(parts.nodes) - 1) * prod(result[0])
    return others + rule(inputs[: len(layer.inputs)], result, layer.settings)


def _op_of(node: Node) -> Op:
    if node.op is None:  # a part of a fused layer is none
        raise MXNetError(f"fused layer: an operator expected, got the variable {node.name!r}")
    return node.op

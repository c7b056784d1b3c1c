"""Operators of fused layers: a layer and what follows it, or a product of self-attention, as nodes.

Such an operator belongs to one node and owns its subgraph, as operators of control flow do. All
else about it is said as for any other operator: inputs, shapes, dtypes and a kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import prod
from typing import Any

import torch

from mxnet.errors import FileFormatError
from mxnet.graph.fused.compute import RANGED, make_kernel, make_layer, quantized_inputs
from mxnet.graph.fused.parts import STATES, WEIGHTS, Parts, op_of, read_parts, read_product
from mxnet.graph.ir import Graph, OwningOp
from mxnet.ops.core.attrs import REQUIRED, Attr, Shape
from mxnet.ops.core.registry import Input, shapes_from_data
from mxnet.ops.core.traits import OPAQUE, Dtypes, Files, Labels, Settings, Shapes, Traits, Types
from mxnet.ops.meta import infer
from mxnet.ops.rules import quantizing
from mxnet.ops.rules.flops import each_element
from mxnet.ops.rules.quantizing import Quantization

_Fill = Callable[..., dict[str, Shape]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fusion:
    """What is known of an operator for fused layers, whatever its subgraph.

    Attributes:
        name: Name of the operator in files.
        attrs: Annotations and defaults of the attributes by name.
        quantization: How a graph computes it on bytes.
        read: Finds the parts in a subgraph; also takes the name of the operator.
        fill_shapes: Fills in shapes of inputs, from the parts, the shape of the first one and the
            attributes.
        role: What passes treat its layer as, None if it is no layer.
        shapes: Facts on its shapes.
        flags: Attributes that say which parts the subgraph has, with the question whether it has.
        repeated: Attributes that repeat those of the layer.
        former: Names of flags in older files, with those of today.
        true: How the flags are written.
    """

    name: str
    attrs: Mapping[str, tuple[Any, Any]]
    quantization: Quantization
    read: Callable[[Graph, str], Parts]
    fill_shapes: _Fill
    role: str | None = None
    shapes: Shapes = field(default_factory=Shapes)
    flags: Mapping[str, Callable[[Parts], bool]] = field(default_factory=dict)
    repeated: Sequence[str] = ()
    former: Mapping[str, str] = field(default_factory=dict)
    true: str = "True"


@dataclass(frozen=True, slots=True, eq=False)
class FusedOp(OwningOp):
    """An operator that is a fused layer.

    Attributes:
        fusion: What it has in common with others of its name.
        parts: The operators of its subgraph.
    """

    fusion: Fusion = field(kw_only=True)
    parts: Parts = field(kw_only=True)

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
    if len(subgraphs) != 1:
        raise FileFormatError(f"{fusion.name}: one subgraph expected, got {len(subgraphs)}")
    parts = fusion.read(subgraphs[0], fusion.name)
    arrays = parts.arrays
    ranges = _name_ranges(name for name in arrays if name in RANGED)
    return FusedOp(
        name=fusion.name,
        kernel=make_kernel(parts),
        inputs=tuple(map(Input, (*arrays, *ranges))),
        attrs={key: Attr.declared(key, *declared) for key, declared in fusion.attrs.items()},
        doc="",
        aux=STATES if parts.normalization else (),
        strict_dtypes=True,
        differentiable=False,  # as in the original, for which such layers are for prediction
        fill_shapes=partial(_fill_shapes, fusion, parts, ranges),
        active_inputs=partial(_list_inputs, arrays),
        check_attrs=partial(_check_attrs, fusion, parts),
        num_outputs=lambda **settings: len(_name_outputs(**settings)),
        traits=Traits(
            shapes=fusion.shapes,
            labels=Labels(outputs=_name_outputs, names_outputs=True),
            types=Types(rule=partial(_find_dtypes, parts)),
            files=Files(upgrade=partial(_upgrade, fusion)),
            fusion=OPAQUE,
            flops=partial(_count_flops, parts),
            quantization=fusion.quantization,
        ),
        subgraphs=tuple(subgraphs),
        fusion=fusion,
        parts=parts,
    )


def _name_ranges(names: Iterable[str]) -> list[str]:
    return [f"{end}_{name}" for name in names for end in ("min", "max")]


def _list_inputs(arrays: Sequence[str], *, quantized: bool, **settings: Any) -> list[str]:
    """Lists the inputs in use; those of a quantized layer end with the ranges of bytes."""
    if not quantized:
        return [*arrays]
    of_bytes = quantized_inputs(settings)
    return [*arrays, *_name_ranges(name for name in arrays if name in of_bytes)]


def _name_outputs(
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
    fixed = {"data": None, "addend": None, WEIGHTS: torch.uint8}
    told = [
        fixed.get(name, torch.int8 if name in of_bytes else torch.float32)
        if dtype is None
        else dtype
        for name, dtype in zip(names, known, strict=True)
    ]
    ends = [torch.float32] * (len(_name_outputs(**settings)) - 1)
    return told, [make_layer(parts, settings).dtype, *ends]


def _check_attrs(fusion: Fusion, parts: Parts, **settings: Any) -> None:
    for name, has_part in fusion.flags.items():
        if settings[name] != has_part(parts):
            raise FileFormatError(
                f"{fusion.name}: attribute `{name}` is {settings[name]}, "
                f"but the subgraph has {'the' if has_part(parts) else 'no such'} part"
            )
    for name in fusion.repeated:
        own = parts.layer.settings[name]
        if settings[name] != own:
            raise FileFormatError(
                f"{fusion.name}: {settings[name]} {name}, but the subgraph has {own}"
            )


def _upgrade(fusion: Fusion, _version: int, attrs: dict[str, str]) -> None:
    """Renames the flags of an older file."""
    for former, today in fusion.former.items():
        if former in attrs:
            attrs[today] = attrs.pop(former)


def _fill_shapes(
    fusion: Fusion, parts: Parts, ranges: Sequence[str], data: Shape, **settings: Any
) -> dict[str, Shape]:
    return {**fusion.fill_shapes(parts, data, **settings), **dict.fromkeys(ranges, (1,))}


def _fill_parameters(parts: Parts, data: Shape, **_: object) -> dict[str, Shape]:
    layer, normalization = parts.layer, parts.normalization
    shapes = shapes_from_data(parts.op, data, layer.settings)
    if normalization is None and parts.addition is None:
        return shapes
    inputs = [data, *(shapes[name] for name in layer.input_names[1:])]
    result = infer(parts.op, inputs, [torch.float32] * len(inputs), layer.parsed)[0][0]
    if normalization is not None:
        shapes |= shapes_from_data(op_of(normalization), result, normalization.settings)
    return shapes | {"addend": result}


def _fill_weights(_: Parts, data: Shape, *, heads: int, **__: object) -> dict[str, Shape]:
    length, batch = data[0], prod(data[1:2])
    return {WEIGHTS: (batch * heads, length, length)}


def _count_flops(
    parts: Parts, inputs: Sequence[Shape], outputs: Sequence[Shape], _: Settings
) -> int:
    """Counts those of the layer, and one for each element and part that follows."""
    layer, result = parts.layer, outputs[:1]
    rule = parts.op.traits.flops or each_element
    others = (len(parts.nodes) - 1) * prod(result[0])
    return others + rule(inputs[: len(layer.inputs)], result, layer.settings)


def _is_activated(parts: Parts) -> bool:
    return parts.activation is not None and parts.addition is None


_RANGE_ATTRS = {"min_calib_range": (float | None, None), "max_calib_range": (float | None, None)}

CONVOLUTION = Fusion(
    name="_sg_mkldnn_conv",
    attrs={
        "with_bn": (bool, False),
        "with_act": (bool, False),
        "with_sum": (bool, False),
        "with_postsum_act": (bool, False),
        "quantized": (bool, False),
        **_RANGE_ATTRS,
    },
    quantization=quantizing.FUSED_CONVOLUTION,
    read=partial(read_parts, role="convolution"),
    fill_shapes=_fill_parameters,
    role="convolution",
    shapes=Shapes(exact=True, keeps_batch=True),
    flags={
        "with_bn": lambda parts: parts.normalization is not None,
        "with_act": _is_activated,
        "with_sum": lambda parts: parts.addition is not None,
        "with_postsum_act": lambda parts: bool(parts.activation and parts.addition),
    },
    former={"with_relu": "with_act", "with_postsum_relu": "with_postsum_act"},
    true="true",
)
DENSE = Fusion(
    name="_sg_mkldnn_fully_connected",
    attrs={
        "quantized": (bool, False),
        "enable_float_output": (bool, False),
        "with_eltwise": (bool, False),
        **_RANGE_ATTRS,
        "channel_wise_quantize": (bool | None, None),
    },
    quantization=quantizing.FUSED_DENSE,
    read=partial(read_parts, role="dense"),
    fill_shapes=_fill_parameters,
    role="dense",
    shapes=Shapes(exact=True, keeps_batch=True),
    flags={"with_eltwise": _is_activated},
    former={"with_relu": "with_eltwise"},
)
SCORES, SUMS = (
    Fusion(
        name=name,
        attrs={
            "heads": (int, REQUIRED),
            "quantized": (bool, False),
            "enable_float_output": (bool, False),
            **_RANGE_ATTRS,
        },
        quantization=quantizing.FUSED_ATTENTION,
        read=partial(read_product, sums=sums),
        fill_shapes=_fill_weights,
        repeated=("heads",),
    )
    for name, sums in (("_sg_mkldnn_selfatt_qk", False), ("_sg_mkldnn_selfatt_valatt", True))
)
_BY_NAME = {fusion.name: fusion for fusion in (CONVOLUTION, DENSE, SCORES, SUMS)}


def make_op(name: str, subgraphs: Sequence[Graph]) -> FusedOp:
    """Makes the fused operator with a name from its subgraphs, as files have them."""
    return make_fused_op(_BY_NAME[name], subgraphs)

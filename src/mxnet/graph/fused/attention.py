"""The operators `_sg_mkldnn_selfatt_qk` and `_sg_mkldnn_selfatt_valatt`: attention as fused nodes.

Their subgraph is one operator. On floats they compute what that does, on bytes what
`mxnet.ops.quantization.fused_attention` has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import count
from math import prod

import torch
from torch import Tensor

from mxnet.errors import FileFormatError, MXNetError
from mxnet.graph.fused.op import RANGE_ATTRS, FusedOp, Fusion, name_outputs
from mxnet.graph.fused.parts import Parts
from mxnet.graph.graph import Graph
from mxnet.graph.node import Entry, Node
from mxnet.graph.rewrite import rewrite
from mxnet.ops.core.attrs import REQUIRED, Shape
from mxnet.ops.core.registry import Input, Kernel, as_tuple
from mxnet.ops.core.traits import OPAQUE, Attention, Dtypes, Labels, Settings, Traits, Types
from mxnet.ops.quantization.fused_attention import AttentionResult, attend
from mxnet.ops.quantization.fused_steps import Quantity
from mxnet.ops.rules import quantizing
from mxnet.ops.rules.flops import each_element

_PROJECTIONS = "queries_keys_values"
_ATTRS = {
    "heads": (int, REQUIRED),
    "quantized": (bool, False),
    "enable_float_output": (bool, False),
    **RANGE_ATTRS,
}


def _declare(name: str) -> Fusion:
    return Fusion(
        name=name,
        role=None,
        attrs=_ATTRS,
        flags={},
        former={},
        true="True",
        quantization=quantizing.FUSED_ATTENTION,
    )


SCORES, SUMS = _declare("_sg_mkldnn_selfatt_qk"), _declare("_sg_mkldnn_selfatt_valatt")


def _find_fusion(node: Node) -> Fusion | None:
    """Returns the fused operator of a product of self-attention, None for other nodes."""
    attention = None if node.op is None else node.op.traits.fusion.attention
    if attention is None or _PROJECTIONS not in node.input_names:
        return None
    return SUMS if attention.split_scores is None else SCORES


def make_attention_op(fusion: Fusion, subgraphs: Sequence[Graph]) -> FusedOp:
    """Makes the operator of a product of self-attention.

    Args:
        fusion: What operator it is.
        subgraphs: Its only subgraph, in a list.

    Raises:
        FileFormatError: if the subgraph is not such a product.
    """
    part = _read_part(fusion, subgraphs)
    op, attention = part.op, None if part.op is None else part.op.traits.fusion.attention
    if op is None or attention is None:
        raise MXNetError(f"{fusion.name}: an operator of attention expected, got {part.name!r}")
    arrays = part.input_names
    ranges = [f"{end}_{name}" for name in arrays for end in ("min", "max")]
    return FusedOp(
        name=fusion.name,
        kernel=_make_kernel(op.kernel, attention, len(arrays)),
        inputs=tuple(map(Input, (*arrays, *ranges))),
        attrs=fusion.declare_attrs(),
        doc="",
        strict_dtypes=True,
        differentiable=False,
        fill_shapes=partial(_fill_shapes, ranges),
        active_inputs=lambda **settings: [*arrays, *(ranges if settings["quantized"] else ())],
        check_attrs=partial(_check_heads, fusion, part),
        num_outputs=lambda **settings: len(name_outputs(**settings)),
        traits=Traits(
            labels=Labels(outputs=name_outputs, names_outputs=True),
            types=Types(rule=_find_dtypes),
            fusion=OPAQUE,
            flops=op.traits.flops or each_element,
            quantization=fusion.quantization,
        ),
        subgraphs=tuple(subgraphs),
        fusion=fusion,
        parts=Parts(part, None, None, None, None),
        arrays=arrays,
    )


def _read_part(fusion: Fusion, subgraphs: Sequence[Graph]) -> Node:
    """Returns the only operator of a subgraph, which may be a stranger's."""
    graph = fusion.take_subgraph(subgraphs)
    operators = [node for node in graph.nodes if node.op is not None]
    if len(operators) != 1 or _find_fusion(operators[0]) is not fusion:
        raise FileFormatError(f"{fusion.name}: the subgraph is no product of self-attention")
    if [*graph.heads] != [Entry(operators[0])]:
        raise FileFormatError(f"{fusion.name}: one output expected, got {len(graph.heads)}")
    variables = [entry.node for entry in operators[0].inputs]
    if len(set(variables)) != len(variables) or len(graph.nodes) != len(variables) + 1:
        raise FileFormatError(f"{fusion.name}: each variable of the subgraph is to be read once")
    return operators[0]


def _check_heads(fusion: Fusion, part: Node, *, heads: int, **_: object) -> None:
    if heads != part.settings["heads"]:
        raise FileFormatError(
            f"{fusion.name}: {heads} heads, but the subgraph has {part.settings['heads']}"
        )


def _make_kernel(on_floats: Kernel, attention: Attention, num_arrays: int) -> Kernel:
    """Returns the kernel of a fused product.

    Args:
        on_floats: The kernel of its part.
        attention: What the part is of attention.
        num_arrays: Number of the inputs that are not ranges.
    """

    def fused_attention(
        *inputs: Tensor,
        heads: int,
        quantized: bool = False,
        enable_float_output: bool = False,
        min_calib_range: float | None = None,
        max_calib_range: float | None = None,
    ) -> Tensor | tuple[Tensor, ...]:
        arrays, ends = inputs[:num_arrays], inputs[num_arrays:]
        if not quantized:
            (computed,) = as_tuple(on_floats(*arrays, heads=heads))
            return computed
        ranges = (min_calib_range, max_calib_range)
        wanted = AttentionResult(_as_range(*ranges), enable_float_output)
        if arrays[0].is_meta:
            (outline,) = as_tuple(on_floats(*(item.float() for item in arrays), heads=heads))
            result = torch.empty_like(outline, dtype=wanted.dtype)
            return result if enable_float_output else (result, *(ends[0].new_empty(1),) * 2)
        sources = [
            Quantity(item, ends[2 * place], ends[2 * place + 1])
            for place, item in enumerate(arrays)
        ]
        results = attend(attention, sources, heads, wanted)
        return results[0] if enable_float_output else results

    return fused_attention


def _as_range(low: float | None, high: float | None) -> tuple[float, float] | None:
    return None if low is None or high is None else (low, high)


def _find_dtypes(names: Sequence[str], known: Dtypes, settings: Settings) -> tuple[Dtypes, Dtypes]:
    """Finds the dtypes of inputs and outputs; see `Types.rule`."""
    if not settings["quantized"]:
        common = next((dtype for dtype in known if dtype is not None), None)
        return [common if dtype is None else dtype for dtype in known], [common]
    fixed = {_PROJECTIONS: torch.int8, "attention": torch.uint8}
    told = [
        fixed.get(name, torch.float32) if dtype is None else dtype
        for name, dtype in zip(names, known, strict=True)
    ]
    ranges = _as_range(settings["min_calib_range"], settings["max_calib_range"])
    result = AttentionResult(ranges, settings["enable_float_output"]).dtype
    return told, [result, *[torch.float32] * (len(name_outputs(**settings)) - 1)]


def _fill_shapes(
    ranges: Sequence[str], data: Shape, *, heads: int, **_: object
) -> dict[str, Shape]:
    length, batch = data[0], prod(data[1:2])
    return {**dict.fromkeys(ranges, (1,)), "attention": (batch * heads, length, length)}


def fuse_attention(graph: Graph) -> Graph:
    """Returns a graph in which products of self-attention are fused operators."""
    numbers = count()

    def change(node: Node, inputs: list[Entry]) -> Node | None:
        fusion = _find_fusion(node)
        if fusion is None:
            return None
        counts = Counter[str]()
        variables = []
        for entry in inputs:
            name = entry.node.output_name(entry.output)
            variables.append(Entry(Node(None, f"{name}{counts[name]}")))
            counts[name] += 1
        part = Node(node.op, node.name, node.attrs, variables)
        heads = str(node.settings["heads"])
        attrs = {"enable_float_output": "False", "heads": heads, "quantized": "False"}
        name = f"{fusion.name[1:]}_{next(numbers)}"
        return Node(make_attention_op(fusion, [Graph([Entry(part)])]), name, attrs, inputs)

    return rewrite(graph, change)

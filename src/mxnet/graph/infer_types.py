"""Element types of everything in a graph, from those of some variables.

The graph is walked until nothing new is found. An operator has one type for all its inputs but
those that it declares to be of any; what it computes is asked from the kernel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import TypeAlias

import torch

from mxnet import _dtypes
from mxnet.errors import MXNetError, shown
from mxnet.graph.infer_node import ask_kernel, list_entries
from mxnet.graph.infer_subgraph import find_types
from mxnet.graph.node import Entry, Node
from mxnet.graph.subgraph import SubgraphOp
from mxnet.ops.custom import Use
from mxnet.ops.registry import Op

Types: TypeAlias = dict[Entry, torch.dtype]

_STATES = frozenset({"gamma", "beta", "moving_mean", "moving_var"})
"""Inputs of normalizations, which are float32 beside data of half precision."""


def declared_type(node: Node) -> torch.dtype | None:
    """Reads the element type that a variable carries as an attribute, by its number in files."""
    text = node.attrs.get("__dtype__")
    if text is None or text == "-1":
        return None
    known = {str(code): row.torch for code, row in _dtypes.BY_CODE.items()}
    if text not in known:
        raise MXNetError(f"variable {node.name!r}: __dtype__ is {shown(text)}")
    return known[text]


def infer_types(nodes: Sequence[Node], given: Mapping[str, torch.dtype]) -> Types:
    """Finds out the element types of all outputs of sorted nodes, as far as that is possible.

    Args:
        nodes: The nodes, each after what it reads.
        given: Types of variables by name.
    """
    types: Types = {}
    for node in nodes:
        if node.op is None:
            found = given.get(node.name, declared_type(node))
            if found is not None:
                types[Entry(node)] = found
    count = -1
    while count != len(types):
        count = len(types)
        for node in nodes:
            if node.custom is not None:
                _visit_custom(node, node.custom, types)
            elif isinstance(node.op, SubgraphOp):
                for entry, kind in find_types(node, node.op, types, infer_types):
                    types.setdefault(entry, kind)
            elif node.op is not None:
                _visit(node, node.op, types)
    return types


def _visit_custom(node: Node, custom: Use, types: Types) -> None:
    """Asks an operator written in Python for element types."""
    count = len(custom.arguments)
    given = [types.get(entry) for entry in node.inputs[:count]]
    try:
        found = custom.infer_types(given)
    except MXNetError:
        if None not in given:
            raise
        return
    for entry, kind in zip(list_entries(node, count), chain(*found), strict=False):
        if kind is not None:
            types.setdefault(entry, kind)


def _visit(node: Node, op: Op, types: Types) -> None:
    outputs = [Entry(node, index) for index in range(node.num_outputs)]
    own = op.with_defaults(node.parsed).get("dtype")
    fixed = own if isinstance(own, torch.dtype) else None
    named = list(zip(node.input_names, node.inputs, strict=True))
    if op.name.endswith("Embedding"):
        weight = dict(named)["weight"]
        fixed = types.setdefault(weight, fixed or torch.float32)
    kind = _find_common(op, named, types)
    if kind is None and fixed is None:
        kind = next((types[entry] for entry in outputs if entry in types), None)
    half = bool(op.aux) and kind in (torch.float16, torch.bfloat16)
    if kind is not None and op.name not in ("Cast", "amp_cast"):
        for name, entry in named:
            if name in _STATES or name == "sequence_length" or _is_alike(op, name):
                types.setdefault(entry, torch.float32 if half and name in _STATES else kind)
    for entry, found in zip(outputs, _ask_kernel(node, op, types), strict=False):
        types.setdefault(entry, found)
    result = kind if fixed is None else fixed
    if result is not None:
        for entry in outputs:
            types.setdefault(entry, torch.float32 if half and entry.output else result)


def _is_alike(op: Op, name: str) -> bool:
    """Tells whether an input is of the type that the operator has for all."""
    if op.name.endswith("Embedding"):
        return name == "weight"
    return not op.any_dtype if op.variadic else name not in op.any_dtype


def _find_common(op: Op, named: Sequence[tuple[str, Entry]], types: Types) -> torch.dtype | None:
    """Gives the type of the inputs that are of one type, if one of them is known."""
    return next(
        (
            types[entry]
            for name, entry in named
            if name not in _STATES and _is_alike(op, name) and entry in types
        ),
        None,
    )


def _ask_kernel(node: Node, op: Op, types: Types) -> list[torch.dtype]:
    """Asks the kernel for the types of its outputs, on small inputs that it may not take."""
    if op.fill_shapes is not None or any(entry not in types for entry in node.inputs):
        return []
    kinds = [types[entry] for entry in node.inputs]
    placed: list[torch.dtype | None] = [*kinds]
    if not op.variadic:
        named = dict(zip(node.input_names, kinds, strict=True))
        placed = [named.get(item.name) for item in op.inputs]
    for shape in ((2, 2), (2, 2, 2, 2)):
        shapes = [None if kind is None else shape for kind in placed]
        try:
            return [kind for _, kind in ask_kernel(op, shapes, placed, node.parsed)]
        except MXNetError:
            continue
    return []

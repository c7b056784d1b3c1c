"""Checks the dtypes of a graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import torch

from mxnet import _dtypes
from mxnet.errors import MXNetError
from mxnet.graph.infer.known import Uniform
from mxnet.graph.ir.node import Entry, Node


def check_types(nodes: Sequence[Node], types: Mapping[Entry, torch.dtype]) -> None:
    """Checks that no operator gets inputs of dtypes that it does not mix.

    Raises:
        MXNetError: if one does; it names the node and the input.
    """
    if isinstance(types, Uniform):
        return
    for node in nodes:
        op = node.op
        if op is None or op.strict_dtypes:
            continue
        inputs = node.inputs
        if len(inputs) < 2:
            continue
        first = types.get(inputs[0])
        if all([types.get(entry) is first for entry in inputs]):  # a list is faster
            continue
        expected = None
        names = [op.inputs[0].name] * len(node.inputs) if op.variadic else node.input_names
        for name, entry in zip(names, node.inputs, strict=True):
            dtype = types.get(entry)
            if dtype is None or dtype is expected or name in op.any_dtype:
                continue
            if expected is not None:
                raise MXNetError(
                    f"Error in operator {node.name}: {op.name}: input {name} has the type "
                    f"{_dtypes.name_of(dtype)}, expected {_dtypes.name_of(expected)}"
                )
            expected = dtype

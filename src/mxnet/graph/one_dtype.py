"""Graphs in which everything has one dtype, which is told without a visit to any node.

Most operators have one dtype for all inputs and outputs: as soon as one is known, the others are.
If all operators of a graph are so, and there is a way between any two of its nodes, a single dtype
that is known is that of everything. To see it takes as long as the graph has kinds of nodes and
variables, of which there are few; graphs of other operators are left to `infer_types.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

import torch

from mxnet.graph.kind import Kind
from mxnet.graph.known import Uniform
from mxnet.graph.node import Entry, NodeList
from mxnet.graph.subgraph import SubgraphOp
from mxnet.ops.core.registry import Op


def find_one_dtype(
    nodes: NodeList, given: Iterable[torch.dtype]
) -> Mapping[Entry, torch.dtype] | None:
    """Returns the dtypes of a graph if they are all one, None if that is not certain.

    Args:
        nodes: The nodes.
        given: The dtypes of variables that are known.
    """
    if not nodes.is_connected or not all(map(_couples, nodes.ops)):
        return None
    kinds: set[Kind | None] = {*map(attrgetter("kind"), nodes)}
    constants = [kind for kind in kinds if kind is not None and not kind.op.inputs]
    dtypes = {*given, *(kind.settings["dtype"] for kind in constants)}
    if not dtypes:
        return {}
    dtype, *others = dtypes
    if others or not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
        return None
    return Uniform(nodes, dtype)


def _couples(op: Op) -> bool:
    """Returns whether floating-point inputs and outputs have one dtype as soon as one has it."""
    traits = op.traits
    if traits.runs_program or isinstance(op, SubgraphOp):
        return False
    if not op.inputs:
        return "dtype" in op.attrs
    return (
        (traits.types.same or traits.role == "movement")
        and "dtype" not in op.attrs
        and not (op.aux or op.any_dtype or traits.types.casts_precision)
        and not (traits.types.statistics or traits.types.assumed or traits.types.dtype_input)
    )

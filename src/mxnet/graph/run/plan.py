"""Plans: what runs when a graph is computed in one setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from mxnet._sharing import unshare_results
from mxnet.graph.infer.shapes import Shapes
from mxnet.graph.ir.subgraph import SubgraphOp
from mxnet.graph.lower.calls import Call, CallGraph
from mxnet.graph.lower.code import as_module, compile_graph
from mxnet.graph.lower.errors import Report
from mxnet.graph.lower.lower import LoweredGraph, Setting
from mxnet.graph.passes.basics import split_constant, watch_calls
from mxnet.graph.passes.layout import Layout
from mxnet.graph.passes.stages import Members, join_stages
from mxnet.graph.passes.table import Job, find_conditions, run_passes
from mxnet.graph.run.compiling import Compiled
from mxnet.graph.run.kept import Kept


class Plan:
    """A lowered graph, simplified for one setting.

    What depends on parameters alone is computed in the first call, and again after a parameter has
    been written to or replaced.

    Args:
        module: The lowered graph.
        constants: Positions of the inputs that are parameters, with their types.
        setting: What the graph was lowered for.
        fuses: Whether a library may run convolutions together with what follows, where it can.
        layout: Which convolutions run with the channels last in memory.
        watched: Whether each call goes through what is interposed.
        tensors: Inputs of the first run, None if they are not known.
        infer_shapes: Returns the shapes in the graph for these inputs.
    """

    def __init__(
        self,
        module: LoweredGraph,
        constants: Mapping[int, torch.dtype],
        setting: Setting,
        *,
        fuses: bool = True,
        layout: Layout = Layout.CHANNELS_FIRST,
        watched: bool = False,
        tensors: Sequence[Tensor] | None = None,
        infer_shapes: Callable[[], Shapes] = dict,
    ) -> None:
        graph = module.graph
        conditions = find_conditions(setting, layout, fuses and bool(constants))
        if tensors is not None:
            conditions.add("measured")
        fixed: dict[Call, torch.dtype] = {}
        if "predicts" in conditions and constants:
            inputs = [node for node in graph.nodes if node.op == "placeholder"]
            fixed = {inputs[position]: dtype for position, dtype in constants.items()}
        run_passes(
            Job(module, graph, setting, fixed, frozenset(conditions), tensors or (), infer_shapes)
        )
        prepared = split_constant(graph, fixed)
        if watched:
            watch_calls(graph)
        self.module = module
        self._forward: Callable[..., Any] = compile_graph(graph, module)
        self._prepare = None if prepared is None else _Prepared(module, prepared)

    def compile(
        self, backend: str, options: dict[str, Any], names: Sequence[str], report: Report
    ) -> None:
        """Lets a compiler of torch take the graph over.

        Args:
            backend: Name of the compiler, as `torch.compile` knows it.
            options: Other arguments of `torch.compile`.
            names: What the inputs are called.
            report: Is told, once, that and why the graph was compiled again.
        """
        graph = self.module.graph
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        labels = dict(zip(inputs, names, strict=False))

        def make(members: Members) -> Compiled:
            module = as_module(self.module, members.graph)
            known = [
                labels.get(node, f"an array inside, {i}") for i, node in enumerate(members.inputs)
            ]
            return Compiled(module, backend, options, known, report)

        opaque = [node for node in graph.nodes if _is_opaque(node)]
        self._forward = compile_graph(join_stages(graph, opaque, make), self.module)

    def refresh(self, tensors: Sequence[Tensor]) -> None:
        """Brings what depends on parameters up to date, in the same memory."""
        if self._prepare is not None:
            self._prepare(tensors, in_place=True)

    def __call__(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs."""
        if self._prepare is None:
            results: list[Tensor] = self._forward(*tensors)
            return results
        values = self._prepare(tensors)
        results = self._forward(*tensors, *values)
        return unshare_results(results, [item for item in values if not item.is_mkldnn])


def _is_opaque(node: Call) -> bool:
    """Returns whether compilers are to leave a call alone."""
    op = node.operator
    # A loop runs plans of its own.
    return op is not None and (op.traits.opaque or isinstance(op, SubgraphOp))


class _Prepared:
    """Values that depend on parameters alone, kept until one of these changes.

    Args:
        root: Module with the attributes that the graph reads.
        graph: Computes the values.
    """

    def __init__(self, root: LoweredGraph, graph: CallGraph) -> None:
        inputs = [node for node in graph.nodes if node.op == "placeholder"]
        self._used = [position for position, node in enumerate(inputs) if node.users]
        self._forward = compile_graph(graph, root)
        self._kept: Kept[list[Tensor]] = Kept([])

    def __call__(self, tensors: Sequence[Tensor], in_place: bool = False) -> list[Tensor]:
        """Computes the values, unless those of the last call still hold.

        Args:
            tensors: Inputs of the graph.
            in_place: Whether new values go where the last ones are, which a capture reads.
                Otherwise they do not: another thread may be using the last ones.
        """
        used = [tensors[position] for position in self._used]
        return self._kept.get(used, lambda last: self._compute(tensors, last if in_place else []))

    def _compute(self, tensors: Sequence[Tensor], place: list[Tensor]) -> list[Tensor]:
        """Computes the values, in the memory of earlier ones if there are any in `place`."""
        with torch.no_grad():
            values: list[Tensor] = self._forward(*tensors)
        if not place or any(item.is_mkldnn for item in values):
            return values
        for old, new in zip(place, values, strict=True):
            old.copy_(new)
        return place

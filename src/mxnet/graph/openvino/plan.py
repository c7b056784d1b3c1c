"""Plans for prediction in which OpenVINO computes all operators that it can."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from torch import Tensor

from mxnet.graph.lower import Call, LoweredGraph, Report, compile_graph
from mxnet.graph.openvino.config import Config
from mxnet.graph.openvino.partition import explain_exclusion, find_refused, join_regions
from mxnet.graph.openvino.region import Region
from mxnet.graph.passes import remove_dead, remove_identities, share_repeated


def make_plan(
    module: LoweredGraph,
    constants: Collection[int],
    tensors: Sequence[Tensor],
    config: Config,
    report: Report,
) -> Callable[[Sequence[Tensor]], list[Tensor]]:
    """Returns the function of the inputs that computes a graph with OpenVINO.

    Operators that OpenVINO cannot compute are left to their kernels; the report names them.

    Args:
        module: The graph, lowered for prediction on a CPU.
        constants: Positions of the inputs that are parameters.
        tensors: Inputs of the graph, for whose shapes the first network is made.
        config: How networks are compiled.
        report: Says what OpenVINO does not compute.
    """
    graph = module.graph
    remove_identities(graph)
    share_repeated(graph)
    remove_dead(graph)
    forward: Callable[..., list[Tensor]] = compile_graph(graph, module)
    calls = [node for node in graph.nodes if node.operator is not None]
    if all(explain_exclusion(node) is None for node in calls):
        whole = Region(forward, len(tensors), constants, config)
        try:
            whole(*tensors)
        except Exception:  # noqa: BLE001 - the operators are tried one by one below
            pass
        else:
            return whole.run
    refused = find_refused(module, tensors, config)
    if refused:
        report(f"leaves operators to their kernels, not to OpenVINO: {_describe(refused)}")
    if len(refused) < len(calls):
        forward = compile_graph(join_regions(module, constants, refused, config), module)
    return lambda values: forward(*values)


def _describe(refused: Mapping[Call, str]) -> str:
    """Lists operators, each with the first node that calls it and the reason."""
    reasons: dict[str, str] = {}
    for node, reason in refused.items():
        source: Any = node.source
        reasons.setdefault(source.op.name, f"{source.op.name} ({source.name!r}: {reason})")
    return "; ".join(reasons.values())

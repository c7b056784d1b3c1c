"""Plans for prediction in which OpenVINO computes all operators that it can."""

from __future__ import annotations

import operator
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any

import torch
from torch import Tensor

from mxnet._state import Lock, remember
from mxnet.graph.ir import SubgraphOp
from mxnet.graph.lower import (
    Call,
    CallGraph,
    Interpreter,
    LoweredGraph,
    Report,
    compile_graph,
    role_of,
)
from mxnet.graph.openvino.config import Config
from mxnet.graph.openvino.conversion import Conversion, convert
from mxnet.graph.openvino.network import Network
from mxnet.graph.passes import Members, join_stages, remove_dead, remove_identities, share_repeated
from mxnet.graph.run import Kept

_MOST_NETWORKS = 16
"""Shapes for which a region keeps networks, each of which has weights in an order of its own."""

_MANY_CONSTANTS = 64
"""Parameters that take longer to be looked at than another thread takes to wake up."""


class Region:
    """A function on tensors that OpenVINO computes, by a network for each set of shapes.

    Args:
        function: Computes the outputs with kernels; networks are made of it.
        num_inputs: Number of its arguments.
        constants: Positions of those that are parameters.
        config: How networks are compiled.
    """

    def __init__(
        self,
        function: Callable[..., list[Tensor]],
        num_inputs: int,
        constants: Collection[int],
        config: Config,
    ) -> None:
        self._function, self._config = function, config
        self._constants = frozenset(constants)
        self._pick_used = _picker(sorted(constants))
        self._pick_given = _picker([i for i in range(num_inputs) if i not in self._constants])
        self._lock = Lock()
        # By shapes and dtypes, `_MOST_NETWORKS` at most. Models do not depend on elements; the
        # networks are dropped when a parameter has been written to.
        self._conversions: dict[Any, Conversion] = {}
        self._networks: Kept[dict[Any, Network]] = Kept({})

    def __call__(self, *tensors: Tensor) -> list[Tensor]:
        """Computes the outputs."""
        return self.run(tensors)

    def run(self, tensors: Sequence[Tensor]) -> list[Tensor]:
        """Computes the outputs of inputs that are in a list, as plans get them."""
        key = tuple([(tensor.shape, tensor.dtype) for tensor in self._pick_given(tensors)])
        # To look at hundreds of parameters takes a share of a small network's time. It is done
        # while OpenVINO computes, which is in vain if one of them has been written to.
        latest = self._networks.last.get(key) if len(self._constants) >= _MANY_CONSTANTS else None
        wait = None if latest is None else latest.start(tensors)
        try:
            networks = self._networks.get(self._pick_used(tensors), _forget)
        finally:
            results = None if wait is None else wait()
        network = networks.get(key)
        if results is not None and network is latest:
            return results
        if network is None:
            if not all(tensor.numel() for tensor in tensors):  # OpenVINO takes no empty inputs
                return self._function(*tensors)
            network = self._add(networks, key, tensors)
        return network(tensors)

    def _add(self, networks: dict[Any, Network], key: Any, tensors: Sequence[Tensor]) -> Network:
        """Lets one thread make a network, for which others wait."""
        with self._lock:
            network = networks.get(key)
            if network is None:
                conversion = self._conversions.get(key)
                if conversion is None:
                    conversion = convert(self._function, tensors)
                    remember(self._conversions, key, conversion, _MOST_NETWORKS)
                network = Network(conversion, tensors, self._constants, self._config)
                remember(networks, key, network, _MOST_NETWORKS)
            return network


def _picker(positions: Sequence[int]) -> Callable[[Sequence[Tensor]], tuple[Tensor, ...]]:
    """Returns the function that picks the items at some positions."""
    if len(positions) > 1:
        return itemgetter(*positions)
    return lambda items: tuple(items[position] for position in positions)


def _forget(networks: dict[Any, Network]) -> dict[Any, Network]:
    """Returns the networks that hold for new values of parameters: none."""
    del networks
    return {}


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


_LONGEST_REASON = 300
"""Characters of an error that a warning quotes."""


def find_refused(
    module: LoweredGraph, tensors: Sequence[Tensor], config: Config
) -> dict[Call, str]:
    """Returns the calls of operators that OpenVINO cannot compute, with reasons.

    Each operator is tried by itself, once for calls that are alike.

    Args:
        module: The graph, lowered for prediction.
        tensors: Inputs of the graph.
        config: How networks are compiled.
    """
    values: dict[Call, Any] = {}
    with torch.no_grad():
        Interpreter(module, note=lambda node, value: _note(values, node, value)).run(*tensors)
    refused: dict[Call, str] = {}
    known: dict[Any, str | None] = {}
    for node in module.graph.nodes:
        if node.operator is None:
            continue
        reason = explain_exclusion(node)
        if reason is None:
            alone = Members([node, *_parts_of(node)])
            inputs = [values[item] for item in alone.inputs]
            key = (node.target, str(node.kwargs), *((v.shape, v.dtype) for v in inputs))
            if key not in known:
                known[key] = _try(compile_graph(alone.graph, module), inputs, config)
            reason = known[key]
        if reason is not None:
            refused[node] = reason
    return refused


def explain_exclusion(node: Call) -> str | None:
    """Returns why a call must be left to its kernel, None if it need not."""
    op = node.operator
    if isinstance(op, SubgraphOp):
        return "it runs graphs of its own"
    if op is None or role_of(node) == "normalization":  # which reads its states only
        return None
    changes = op.aux or op.mutates or op.traits.runs_program
    return "it writes to arrays or runs a program" if changes else None


def _note(values: dict[Call, Any], node: Call, value: Any) -> None:
    """Keeps shape and dtype of a value; untouched memory takes no space."""
    if isinstance(value, Tensor):
        values[node] = torch.empty(value.shape, dtype=value.dtype)


def _parts_of(node: Call) -> list[Call]:
    """Returns the nodes that take single outputs of a call with several."""
    return [user for user in node.users if user.target is operator.getitem]


def _try(
    function: Callable[..., list[Tensor]], inputs: Sequence[Tensor], config: Config
) -> str | None:
    """Returns why OpenVINO does not compute a function, None if it does."""
    try:
        Region(function, len(inputs), (), config)(*inputs)
    except Exception as error:  # noqa: BLE001 - of torch, OpenVINO or the kernel
        message = str(error)
        _, _, summary = message.partition("Summary:")  # what OpenVINO's frontend comes to at last
        return textwrap.shorten(f"{type(error).__name__}: {summary or message}", _LONGEST_REASON)
    return None


def join_regions(
    module: LoweredGraph, constants: Collection[int], refused: Collection[Call], config: Config
) -> CallGraph:
    """Returns a graph in which neighbouring operators that OpenVINO computes are one call.

    Args:
        module: The graph, lowered for prediction.
        constants: Positions of the inputs that are parameters.
        refused: Calls that are left to their kernels.
        config: How networks are compiled.
    """
    inputs = [node for node in module.graph.nodes if node.op == "placeholder"]
    fixed = {inputs[position] for position in constants}

    def make(members: Members) -> Region:
        function = compile_graph(members.graph, module)
        constant = [i for i, node in enumerate(members.inputs) if node in fixed]
        return Region(function, len(members.inputs), constant, config)

    return join_stages(module.graph, refused, make)

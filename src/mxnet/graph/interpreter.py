"""Running a lowered graph one operator at a time, with functions that look on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from mxnet.graph.calls import Call, CallGraph, map_calls
from mxnet.graph.failures import NodeError, name_node
from mxnet.graph.node import Node
from mxnet.ops.core.interposing import interposers, kernel_of
from mxnet.ops.core.registry import KERNEL_ERRORS, Op

ERRORS = (*KERNEL_ERRORS, AttributeError)
"""What the call of a kernel raises."""


class Interpreter:
    """Runs a lowered graph one call at a time; an error names the node whose operator fails.

    What one of the functions raises is raised as it is.

    Args:
        module: The lowered graph, before any pass.
        resolve: Called with the call of an operator, its node and the values computed so far,
            which it may replace before the call reads them.
        before: Called with a node and the arguments of its kernel; returns those to use.
        after: Called with a node and what its kernel returned.
        note: Called with each call, also those that belong to no node, and its value.
    """

    def __init__(
        self,
        module: nn.Module,
        *,
        resolve: Callable[[Call, Node, dict[Call, Any]], None] | None = None,
        before: Callable[[Node, tuple[Any, ...]], tuple[Any, ...]] | None = None,
        after: Callable[[Node, Any], None] | None = None,
        note: Callable[[Call, Any], None] | None = None,
    ) -> None:
        graph: CallGraph = module.graph  # type: ignore[assignment]  # a lowered graph has one
        self._module, self._calls = module, graph.nodes
        self._resolve, self._before, self._after, self._note = resolve, before, after, note
        self._last_reads: dict[Call, list[Call]] = {}
        last = {read: call for call in self._calls for read in (call, *call.all_input_nodes)}
        for read, call in last.items():
            self._last_reads.setdefault(call, []).append(read)
        self._values: dict[Call, Any] = {}

    def run(self, *tensors: Any) -> Any:
        """Computes the outputs from the values of the inputs."""
        given = iter(tensors)
        self._values = values = {}
        result = None
        for call in self._calls:
            result = next(given) if call.op == "placeholder" else self._run_call(call)
            values[call] = result
            if self._note is not None:
                self._note(call, result)
            for read in self._last_reads.get(call, ()):
                del values[read]
        return result

    def _run_call(self, call: Call) -> Any:
        node: Node | None = call.meta.get("source")
        if node is not None and node.op is not None:
            return self._run_operator(call, node, node.op)
        if call.op == "get_attr":
            return getattr(self._module, call.target)
        args, kwargs = self._read_arguments(call)
        return args[0] if call.op == "output" else call.target(*args, **kwargs)

    def _read_arguments(self, call: Call) -> tuple[tuple[Any, ...], dict[str, Any]]:
        read = self._values.__getitem__
        kwargs = {key: map_calls(item, read) for key, item in call.kwargs.items()}
        return map_calls(call.args, read), kwargs

    def _run_operator(self, call: Call, node: Node, op: Op) -> Any:
        if self._resolve is not None:
            self._resolve(call, node, self._values)
        args, kwargs = self._read_arguments(call)
        if self._before is not None:
            args = self._before(node, args)
        try:
            kernel: Any = call.target
            if interposers and self._note is None:  # a run to note shapes is not the user's
                kernel = kernel_of(op, kernel)
            result = kernel(*args, **kwargs)
        except NodeError:
            raise  # of a loop's body, which has named its own node
        except ERRORS as error:
            tensors = [item if isinstance(item, Tensor) else None for item in args]
            raise name_node(node, op, error, tensors) from error
        if self._after is not None:
            self._after(node, result)
        return result

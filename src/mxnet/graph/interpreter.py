"""Running a lowered graph one operator at a time, with functions that look on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, fx, nn

from mxnet.graph.failures import NodeError, name_node
from mxnet.graph.node import Node
from mxnet.ops.failures import KERNEL_ERRORS
from mxnet.ops.interposing import interposers, kernel_of
from mxnet.ops.registry import Op

ERRORS = (*KERNEL_ERRORS, AttributeError)
"""What the call of a kernel raises."""


class Interpreter(fx.Interpreter):
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
        resolve: Callable[[fx.Node, Node, dict[fx.Node, Any]], None] | None = None,
        before: Callable[[Node, tuple[Any, ...]], tuple[Any, ...]] | None = None,
        after: Callable[[Node, Any], None] | None = None,
        note: Callable[[fx.Node, Any], None] | None = None,
    ) -> None:
        super().__init__(module)
        self.extra_traceback = False  # for which torch would import its compiler
        self._resolve, self._before, self._after, self._note = resolve, before, after, note

    def run_node(self, n: fx.Node) -> Any:
        """Runs a call."""
        node: Node | None = n.meta.get("source")
        if node is None or node.op is None:
            result = super().run_node(n)
        else:
            result = self._run_operator(n, node, node.op)
        if self._note is not None:
            self._note(n, result)
        return result

    def _run_operator(self, call: fx.Node, node: Node, op: Op) -> Any:
        if self._resolve is not None:
            self._resolve(call, node, self.env)
        args, kwargs = self.fetch_args_kwargs_from_env(call)
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
            shapes = [tuple(item.shape) for item in args if isinstance(item, Tensor)]
            raise name_node(node, error, f"; inputs: {shapes}") from error
        if self._after is not None:
            self._after(node, result)
        return result

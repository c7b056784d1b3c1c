"""Watching operators: those of the forward pass, and the nodes of torch's backward pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from typing import Any

from torch import Tensor

from mxnet.ops.core.interposing import PlannedCall
from mxnet.ops.core.registry import Kernel, Op, as_tuple
from mxnet.profiler._blocks import blocks_of_call
from mxnet.profiler._device import DeviceTimes
from mxnet.profiler._memory import Memory
from mxnet.profiler._options import Options
from mxnet.profiler._spans import Span, ThreadLog, recorder

BACKWARD = "_backward_"
"""Begins the names of what the backward pass does."""


class OperatorWatch:
    """Notes a span for each operator; it is called in place of kernels.

    Args:
        options: What is profiled.
        device: Times on a GPU.
        memory: Follows the memory of results, None if that is not profiled.
        is_running: Whether the profiler still runs when a backward pass does.
    """

    def __init__(
        self,
        options: Options,
        device: DeviceTimes,
        memory: Memory | None,
        is_running: Callable[[], bool],
    ) -> None:
        self._imperative = options.wants("imperative")
        self.device, self.memory, self.is_running = device, memory, is_running

    def __call__(
        self, op: Any, kernel: Kernel, tensors: Sequence[Any], attrs: Mapping[str, Any]
    ) -> Any:
        """Runs a kernel and notes how long it took."""
        planned = op if isinstance(op, PlannedCall) else None
        inputs = _list_tensors(tensors)
        without_data = any(item.is_meta for item in inputs)
        if without_data or not (self._imperative or planned):
            return kernel(*tensors, **attrs)
        log = recorder.log()
        names = self._infer_blocks(log, planned)
        log.has_nested = False
        program = _program_of(op, attrs) if planned is None else planned.program
        span = log.begin_operator(op.name, program)
        if planned is not None:
            span.details["nodes"] = ",".join(planned.nodes)
        try:
            with self.device.range_of(span):
                result = kernel(*tensors, **attrs)
        finally:
            log.end(span, is_kept=self.is_running())
        results = _list_tensors(as_tuple(result))
        if self.memory is not None:
            self.memory.note(log, span, results, inputs)
        if program or not log.has_nested:  # else those inside have hooks on their nodes
            watch = _BackwardWatch(self, op.name, program, names)
            watch.attach(_find_nodes(results, inputs))
        log.has_nested = True
        return result

    def _infer_blocks(self, log: ThreadLog, planned: PlannedCall | None) -> tuple[str, ...]:
        """Begins spans of the blocks that a call of a graph belongs to; returns all its blocks."""
        inside: tuple[str, ...] = ()
        if planned is not None and log.blocks:
            inside = blocks_of_call(log.blocks[-1], planned)
            if not log.is_in_operator:  # else it is in the body of a loop
                log.infer(inside)
        return (*(block.label for block in log.blocks), *inside)


def _program_of(op: Op, attrs: Mapping[str, Any]) -> str:
    """Returns the name of the user's operator that runs, if it is one."""
    return str(attrs["op_type"]) if op.traits.runs_program else ""


class _BackwardWatch:
    """Notes a span for the nodes that torch made for one operator.

    torch runs nodes in the opposite order in which they were made, so that those of an operator
    follow each other, as one span. Which of them run depends on what is differentiated.
    """

    def __init__(
        self, watch: OperatorWatch, name: str, program: str, blocks: tuple[str, ...]
    ) -> None:
        self._watch, self._name = watch, f"{BACKWARD}{name}"
        self._program = program and f"{BACKWARD}{program}"
        self._blocks = tuple(f"{BACKWARD}{block}" for block in blocks)
        self._span: Span | None = None
        self._ran: set[int] = set()
        self._range = ExitStack()

    def attach(self, nodes: Sequence[Any]) -> None:
        """Puts hooks on the nodes."""
        for number, node in enumerate(nodes):
            node.register_prehook(partial(self._before, number))
            node.register_hook(self._after)

    def _before(self, number: int, _: Any) -> None:
        if not self._watch.is_running():
            return
        log = recorder.log()
        if number in self._ran:  # another pass over a graph that was retained
            self._ran.clear()
            self._span = None
        self._ran.add(number)
        if not log.is_in_operator:
            log.infer(self._blocks)
        if self._span is None:
            self._span = log.begin_operator(self._name, self._program)
        else:
            log.resume(self._span)
        self._range.enter_context(self._watch.device.range_of(self._span))

    def _after(self, computed: Any, given: Any) -> None:
        self._range.close()
        span = self._span
        if span is None:
            return
        log = recorder.log()
        log.end(span, is_kept=len(self._ran) == 1 and self._watch.is_running())
        if self._watch.memory is not None:
            self._watch.memory.note(log, span, _list_tensors(computed), _list_tensors(given))


def _find_nodes(results: Sequence[Tensor], inputs: Sequence[Tensor]) -> list[Any]:
    """Returns the nodes of torch's graph between results and inputs, without leaves."""
    seen = {None, *(item.grad_fn for item in inputs)}
    waiting: list[Any] = [item.grad_fn for item in results]
    nodes: list[Any] = []
    while waiting:
        node = waiting.pop()
        if node in seen or hasattr(node, "variable"):  # a leaf, where gradients accumulate
            continue
        seen.add(node)
        nodes.append(node)
        waiting += [each for each, _ in node.next_functions]
    return nodes


def _list_tensors(values: Sequence[Any]) -> list[Tensor]:
    tensors: list[Tensor] = []
    for value in values:
        if isinstance(value, Tensor):
            tensors.append(value)
        elif isinstance(value, (list, tuple)):
            tensors += _list_tensors(value)
    return tensors

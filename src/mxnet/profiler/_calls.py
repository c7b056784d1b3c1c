"""Watching operators, and calls of blocks and of the interface.

Their methods are replaced while the profiler runs, so that calls cost nothing while it does not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from torch import Tensor

from mxnet import autograd, ndarray
from mxnet._state import modes, remember
from mxnet.gluon import Block, Trainer, TrainStep
from mxnet.gluon.hybrid.tracing import holds_symbol
from mxnet.kvstore import KVStore
from mxnet.module import Module
from mxnet.ndarray import NDArray
from mxnet.ops.core.interposing import PlannedCall
from mxnet.ops.core.registry import Kernel, Op, as_tuple
from mxnet.optimizer import Updater
from mxnet.profiler._device import DeviceTimes, Memory
from mxnet.profiler._spans import API, BLOCK, OPERATOR, Options, Span, ThreadLog, recorder

_CALLS: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (NDArray, "NDArray", ("asnumpy", "backward", "copyto", "wait_to_read")),
    (ndarray, "nd", ("waitall",)),
    (autograd, "autograd", ("backward", "grad")),
    (TrainStep, "TrainStep", ("__call__",)),
    (Trainer, "Trainer", ("step", "update", "allreduce_grads")),
    (KVStore, "KVStore", ("push", "pull", "pushpull", "row_sparse_pull")),
    (Module, "Module", ("forward", "backward", "update", "update_metric")),
)
"""Where functions are, how the place is called, and which of them are watched."""

Function: TypeAlias = Callable[..., Any]


@contextmanager
def watch_calls(
    options: Options, device: DeviceTimes, is_running: Callable[[], bool]
) -> Iterator[None]:
    """Notes calls of blocks, of optimizers and, if wanted, of the interface."""
    watch = _CallWatch(device, is_running)
    with ExitStack() as replaced:
        replaced.enter_context(_replace(Block, "__call__", watch.block))
        replaced.enter_context(_replace(Updater, "__call__", watch.update))
        if options.wants("api"):
            for place, title, names in _CALLS:
                for name in names:
                    shown = title if name == "__call__" else f"{title}.{name}"
                    replaced.enter_context(_replace(place, name, partial(watch.function, shown)))
        yield


@contextmanager
def _replace(place: Any, name: str, watch: Callable[[Function], Function]) -> Iterator[None]:
    before, is_own = getattr(place, name), name in vars(place)
    setattr(place, name, functools.wraps(before)(watch(before)))
    try:
        yield
    finally:
        if is_own:
            setattr(place, name, before)
        else:
            delattr(place, name)


class _CallWatch:
    """Makes functions that note their calls.

    Args:
        device: Times on a GPU.
        is_running: Whether the profiler still runs when a call ends.
    """

    def __init__(self, device: DeviceTimes, is_running: Callable[[], bool]) -> None:
        self._device, self._is_running = device, is_running

    @contextmanager
    def _span(self, name: str, category: str) -> Iterator[Span]:
        log = recorder.log()
        span = log.begin(name, category)
        try:
            with self._device.range_of(span):
                yield span
        finally:
            log.end(span, is_kept=self._is_running())

    def function(self, title: str, function: Function) -> Function:
        """Returns a function of the interface that notes its calls."""

        def call(*args: Any, **kwargs: Any) -> Any:
            with self._span(title, API):
                return function(*args, **kwargs)

        return call

    def update(self, function: Function) -> Function:
        """Returns a call of an updater that notes the optimizer."""

        def call(updater: Updater, *args: Any, **kwargs: Any) -> Any:
            name = f"{type(updater.optimizer).__name__.lower()}_update"
            with self._span(name, OPERATOR):
                return function(updater, *args, **kwargs)

        return call

    def block(self, function: Function) -> Function:
        """Returns a call of a block that notes it."""

        def call(block: Block, *args: Any, **kwargs: Any) -> Any:
            if modes.tracer is not None or modes.probing or holds_symbol(args):
                return function(block, *args, **kwargs)  # which computes nothing
            blocks = recorder.log().blocks
            named = name_block(block, blocks[-1] if blocks else None)
            blocks.append(named)
            try:
                with self._span(named.label, BLOCK) as span:
                    span.details["class"] = type(block).__name__
                    return function(block, *args, **kwargs)
            finally:
                blocks.pop()

        return call


class NamedBlock(NamedTuple):
    """A block with the name that it has in a profile."""

    block: Block
    label: str


def name_block(block: Block, around: NamedBlock | None) -> NamedBlock:
    """Returns a block with its name.

    A block whose prefix is empty has the name of the one that it was made in. It is called after
    its place there: `net.features`, `net_stage1.0`.

    Args:
        block: The block.
        around: The block that calls it, if one does.
    """
    if around is not None and around.block.name == block.name:
        for place, child in around.block._children.items():
            if child is block:
                return NamedBlock(block, f"{around.label}.{place}")
    return NamedBlock(block, block.name)


_MOST_NAMES = 65536
_paths: WeakKeyDictionary[Block, dict[tuple[str, str], tuple[str, ...]]] = WeakKeyDictionary()
"""Blocks inside of a block by its label and the name of a node or variable, which stay the same."""


def blocks_of_call(around: NamedBlock, call: PlannedCall) -> tuple[str, ...]:
    """Returns the names of the blocks inside of a block that a call of its graph comes from.

    A block that is called with symbols names its nodes after its prefix. Where the graph was made
    of a program on arrays, only the parameters of a block have names with its prefix.

    Args:
        around: The block whose graph it is.
        call: The call.

    Returns:
        The names, the outermost first, without that of the block itself.
    """
    known = _paths.setdefault(around.block, {})
    for name in (call.nodes[0], *call.variables):
        key = around.label, name
        path = known.get(key)
        if path is None:
            path = _find(around, name)
            remember(known, key, path, _MOST_NAMES)
        if path:
            return path
    return ()


def _find(around: NamedBlock, name: str) -> tuple[str, ...]:
    fitting = [
        (len(inner.prefix), path)
        for path, inner in _descendants(around, ())
        if inner.prefix and name.startswith(inner.prefix)
    ]
    return max(fitting, key=lambda item: item[0])[1] if fitting else ()


def _descendants(
    around: NamedBlock, path: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], Any]]:
    for child in around.block._children.values():
        named = name_block(child, around)
        inside = (*path, named.label)
        yield inside, child
        yield from _descendants(named, inside)


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

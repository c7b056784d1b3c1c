"""Watching calls of blocks and of the interface.

Their methods are replaced while the profiler runs, so that calls cost nothing while it does not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, NamedTuple, TypeAlias
from weakref import WeakKeyDictionary

from mxnet import autograd, ndarray
from mxnet._state import modes, remember
from mxnet.gluon import Block, Trainer, TrainStep
from mxnet.gluon.hybrid.tracing import holds_symbol
from mxnet.kvstore import KVStore
from mxnet.module import Module
from mxnet.ndarray import NDArray
from mxnet.ops.core.interposing import PlannedCall
from mxnet.optimizer import Updater
from mxnet.profiler._device import DeviceTimes
from mxnet.profiler._options import Options
from mxnet.profiler._spans import API, BLOCK, OPERATOR, Span, recorder

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

"""Watching calls of blocks and of the interface.

Their methods are replaced while the profiler runs, so that calls cost nothing while it does not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, TypeAlias

from mxnet import autograd, ndarray
from mxnet._state.modes import modes
from mxnet.gluon import Block, Trainer, TrainStep
from mxnet.gluon.hybrid.tracing import holds_symbol
from mxnet.kvstore import KVStore
from mxnet.module import Module
from mxnet.ndarray import NDArray
from mxnet.optimizer import Updater
from mxnet.profiler._blocks import name_block
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

"""Watching calls of blocks and of the interface.

Their methods are replaced while the profiler runs, so that nobody asks for it while it does not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from mxnet import autograd, ndarray
from mxnet._modes import modes
from mxnet.gluon import Block, Trainer
from mxnet.gluon.hybrid.probing import probing
from mxnet.gluon.hybrid.tracing import holds_symbol
from mxnet.kvstore import KVStore
from mxnet.module import Module
from mxnet.ndarray import NDArray
from mxnet.optimizer import Updater
from mxnet.profiler._device import DeviceTimes
from mxnet.profiler._options import Options
from mxnet.profiler._spans import recorder

API = "MXNET_API"
"""Section of calls of the interface."""

_CALLS: tuple[tuple[Any, str, tuple[str, ...]], ...] = (
    (NDArray, "NDArray", ("asnumpy", "backward", "copyto", "wait_to_read")),
    (ndarray, "nd", ("waitall",)),
    (autograd, "autograd", ("backward", "grad")),
    (Trainer, "Trainer", ("step", "update", "allreduce_grads")),
    (KVStore, "KVStore", ("push", "pull", "pushpull", "row_sparse_pull")),
    (Module, "Module", ("forward", "backward", "update", "update_metric")),
)
"""Where functions are, how the place is called, and which of them are watched."""

Wrapped = Callable[..., Any]


@contextmanager
def watch_calls(
    options: Options, device: DeviceTimes, is_running: Callable[[], bool]
) -> Iterator[None]:
    """Notes calls of blocks, of optimizers and, if wanted, of the interface."""
    with ExitStack() as replaced:
        replaced.enter_context(_replace(Block, "__call__", _watch_block(is_running)))
        replaced.enter_context(_replace(Updater, "__call__", _watch_update(device, is_running)))
        if options.wants("api"):
            for place, title, names in _CALLS:
                for name in names:
                    watch = _watch_call(f"{title}.{name}", is_running)
                    replaced.enter_context(_replace(place, name, watch))
        yield


@contextmanager
def _replace(place: Any, name: str, watch: Callable[[Wrapped], Wrapped]) -> Iterator[None]:
    before, is_own = getattr(place, name), name in vars(place)
    setattr(place, name, functools.wraps(before)(watch(before)))
    try:
        yield
    finally:
        if is_own:
            setattr(place, name, before)
        else:
            delattr(place, name)


def _watch_call(title: str, is_running: Callable[[], bool]) -> Callable[[Wrapped], Wrapped]:
    def watch(function: Wrapped) -> Wrapped:
        def call(*args: Any, **kwargs: Any) -> Any:
            log = recorder.log()
            span = log.begin(title, API)
            try:
                return function(*args, **kwargs)
            finally:
                log.end(span, is_kept=is_running())

        return call

    return watch


def _watch_block(is_running: Callable[[], bool]) -> Callable[[Wrapped], Wrapped]:
    def watch(function: Wrapped) -> Wrapped:
        def call(block: Block, *args: Any, **kwargs: Any) -> Any:
            if modes.tracer is not None or probing.active or holds_symbol(args):
                return function(block, *args, **kwargs)  # which computes nothing
            log = recorder.log()
            span = log.begin(block.name, "block")
            span.details["class"] = type(block).__name__
            log.blocks.append(block)
            try:
                return function(block, *args, **kwargs)
            finally:
                log.blocks.pop()
                log.end(span, is_kept=is_running())

        return call

    return watch


def _watch_update(
    device: DeviceTimes, is_running: Callable[[], bool]
) -> Callable[[Wrapped], Wrapped]:
    def watch(function: Wrapped) -> Wrapped:
        def call(updater: Updater, *args: Any, **kwargs: Any) -> Any:
            log = recorder.log()
            span = log.begin(f"{type(updater.optimizer).__name__.lower()}_update", "operator")
            try:
                with device.range_of(span):
                    return function(updater, *args, **kwargs)
            finally:
                log.end(span, is_kept=is_running())

        return call

    return watch

"""Parts of the original's loaders that libraries import to build loaders of their own."""

from __future__ import annotations

import multiprocessing
import multiprocessing.queues
import pickle
from collections.abc import Callable, Iterable, MutableMapping
from contextlib import nullcontext
from multiprocessing.reduction import ForkingPickler
from typing import Any

from mxnet._state.np_scopes import set_np
from mxnet.context import CPU0, Context
from mxnet.gluon.data import _shared_memory
from mxnet.gluon.data._pinning import _as_in_context

Batchify = Callable[[Any], Any]


class _Here:
    """State of a worker process.

    Attributes:
        dataset: Where samples come from, if the process was given it when it began.
    """

    dataset: Any = None


def _worker_initializer(dataset: Any, active_shape: bool, active_array: bool) -> None:
    """Begins a worker process.

    Args:
        dataset: Where samples come from.
        active_shape: Whether shapes are NumPy's.
        active_array: Whether arrays are NumPy's.
    """
    _Here.dataset = dataset
    set_np(shape=active_shape, array=active_array)


def _thread_worker_initializer(active_shape: bool, active_array: bool) -> None:
    """Begins a thread that works for a loader; see `_worker_initializer`."""
    set_np(shape=active_shape, array=active_array)


def _worker_fn(samples: Iterable[Any], batchify_fn: Batchify, dataset: Any = None) -> bytes:
    """Makes one batch in a worker process and returns its bytes.

    Args:
        samples: Indices of the samples.
        batchify_fn: Merges them.
        dataset: Where they come from; by default the dataset that the process began with.
    """
    source = _Here.dataset if dataset is None else dataset
    return bytes(ForkingPickler.dumps(batchify_fn([source[index] for index in samples])))


def _thread_worker_fn(samples: Iterable[Any], batchify_fn: Batchify, dataset: Any) -> Any:
    """Makes one batch in a thread."""
    return batchify_fn([dataset[index] for index in samples])


class ConnectionWrapper:
    """A connection between processes on which arrays are sent through shared memory.

    Args:
        conn: One end of a `multiprocessing.Pipe`.
    """

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def send(self, obj: Any) -> None:
        """Sends an object."""
        self._conn.send_bytes(ForkingPickler.dumps(obj))

    def recv(self) -> Any:
        """Waits for an object and returns it."""
        return pickle.loads(self._conn.recv_bytes())

    def __getattr__(self, name: str) -> Any:
        if name == "_conn":  # not there yet while an object is unpickled
            raise AttributeError(name)
        return getattr(self._conn, name)


class Queue(multiprocessing.queues.Queue):  # type: ignore[type-arg]
    """A queue between processes, which sends arrays through shared memory."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


class SimpleQueue(multiprocessing.queues.SimpleQueue):  # type: ignore[type-arg]
    """A queue between processes without a thread that feeds it; see `Queue`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, ctx=multiprocessing.get_context(), **kwargs)


def worker_loop_v1(dataset: Any, key_queue: Any, data_queue: Any, batchify_fn: Batchify) -> None:
    """Makes batches until it is told to end, as the worker of a loader.

    Args:
        dataset: Where samples come from.
        key_queue: Yields pairs of a number and indices; a number of None ends the loop.
        data_queue: Gets pairs of the number and the batch.
        batchify_fn: Merges samples.
    """
    while True:
        number, samples = key_queue.get()
        if number is None:
            return
        data_queue.put((number, batchify_fn([dataset[index] for index in samples])))


def fetcher_loop_v1(
    data_queue: Any,
    data_buffer: MutableMapping[int, Any],
    pin_memory: bool = False,
    pin_device_id: int = 0,
    data_buffer_lock: Any = None,
) -> None:
    """Moves batches from a queue to a dict until it is told to end, as a thread of a loader.

    Args:
        data_queue: Yields pairs of a number and a batch; a number of None ends the loop.
        data_buffer: Gets the batches by number, on `cpu(0)` or in page-locked memory.
        pin_memory: Whether to put batches into page-locked memory.
        pin_device_id: The GPU that this memory is for.
        data_buffer_lock: Held while the dict is changed.
    """
    target = Context("cpu_pinned", pin_device_id) if pin_memory else CPU0
    lock = nullcontext() if data_buffer_lock is None else data_buffer_lock
    while True:
        number, batch = data_queue.get()
        if number is None:
            return
        moved = _as_in_context(batch, target)
        with lock:
            data_buffer[number] = moved


rebuild_ndarray = rebuild_np_ndarray = _shared_memory._from_values
reduce_ndarray = reduce_np_ndarray = _shared_memory._reduce

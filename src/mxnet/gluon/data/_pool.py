"""Batches from a pool of processes or threads that the caller provides.

`DataLoader` itself does not use this; libraries derive their own loaders from it.
"""

from __future__ import annotations

import multiprocessing
import multiprocessing.queues
import pickle
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import nullcontext
from functools import partial
from multiprocessing.reduction import ForkingPickler
from typing import Any

from mxnet import limits
from mxnet._state import set_np
from mxnet.context import CPU0, Context
from mxnet.gluon.data import _transfer
from mxnet.gluon.data._transfer import _as_in_context
from mxnet.gluon.data._workers import WorkerTimeoutError

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


rebuild_ndarray = rebuild_np_ndarray = _transfer._from_values
reduce_ndarray = reduce_np_ndarray = _transfer._reduce


class _MultiWorkerIter:
    """Sends lists of indices to a pool and yields the batches in order.

    Derived classes may override `_push_next`, which uses what is set here: `_worker_pool`,
    `_worker_fn`, `_batchify_fn`, `_dataset`, the iterator `_iter` over lists of indices, and
    `_data_buffer`, where the pool's answer to task number `_sent_idx` goes.

    Args:
        worker_pool: A pool with `apply_async`.
        batchify_fn: Merges a list of samples.
        batch_sampler: Yields lists of indices.
        pin_memory: Whether to put batches into page-locked memory.
        pin_device_id: The GPU that this memory is for.
        worker_fn: Called in the pool with indices, `batchify_fn` and `dataset`; returns a
            batch, or the bytes of a pickled one.
        prefetch: Number of batches to ask for ahead.
        dataset: Where samples come from; None if the pool has it already.
        data_loader: Object to keep alive as long as this iterator.
        timeout: Seconds to wait for a batch.
    """

    def __init__(
        self,
        worker_pool: Any,
        batchify_fn: Callable[[Any], Any],
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable[..., Any] = _worker_fn,
        prefetch: int = 0,
        dataset: Any = None,
        data_loader: Any = None,
        timeout: float = 120,
    ) -> None:
        self._worker_pool = worker_pool
        self._batchify_fn = batchify_fn
        self._batch_sampler = batch_sampler
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._worker_fn = worker_fn
        self._dataset = dataset
        self._data_loader = data_loader
        self._timeout = timeout
        self._data_buffer: dict[int, Any] = {}
        self._rcvd_idx = 0
        self._sent_idx = 0
        self._iter = iter(batch_sampler)
        for _ in range(prefetch):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def _push_next(self) -> None:
        """Asks the pool for the next batch, if there is one."""
        samples = next(self._iter, None)
        if samples is None:
            return
        arguments = (samples, self._batchify_fn, self._dataset)
        self._data_buffer[self._sent_idx] = self._worker_pool.apply_async(
            self._worker_fn, arguments
        )
        self._sent_idx += 1

    def __next__(self) -> Any:
        self._push_next()
        if self._rcvd_idx == self._sent_idx:
            raise StopIteration
        answer = self._data_buffer.pop(self._rcvd_idx)
        self._rcvd_idx += 1
        try:
            batch = answer.get(self._timeout)
        except multiprocessing.TimeoutError as error:
            raise WorkerTimeoutError.after(self._timeout) from error
        if isinstance(batch, bytes):
            batch = pickle.loads(batch)
        if self._pin_memory:
            batch = _as_in_context(batch, Context("cpu_pinned", self._pin_device_id))
        return batch

    next = __next__

    def __iter__(self) -> Iterator[Any]:
        return self


def _run_worker(
    take_limits: Callable[[], None], worker_fn: Callable[..., Any], *arguments: Any
) -> None:
    take_limits()
    worker_fn(*arguments)


class _MultiWorkerIterV1:
    """Sends lists of indices to workers and yields the batches in order.

    The workers are threads, which need no copy of the dataset; `DataLoader` has processes.

    Args:
        num_workers: Number of workers.
        dataset: Where samples come from.
        batchify_fn: Merges a list of samples.
        batch_sampler: Yields lists of indices.
        pin_memory: Whether to put batches into page-locked memory.
        pin_device_id: The GPU that this memory is for.
        worker_fn: The loop of a worker; called with the dataset, a queue of numbers and indices, a
            queue for numbers and batches, and `batchify_fn`.
    """

    def __init__(
        self,
        num_workers: int,
        dataset: Any,
        batchify_fn: Callable[[Any], Any],
        batch_sampler: Any,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        worker_fn: Callable[..., Any] = worker_loop_v1,
    ) -> None:
        self._batch_sampler = batch_sampler
        self._target = Context("cpu_pinned", pin_device_id) if pin_memory else CPU0
        self._key_queue: queue.Queue[Any] = queue.Queue()
        self._data_queue: queue.Queue[Any] = queue.Queue()
        self._data_buffer: dict[int, Any] = {}
        self._sent_idx = self._rcvd_idx = 0
        self._iter = iter(batch_sampler)
        arguments = (dataset, self._key_queue, self._data_queue, batchify_fn)
        work = partial(_run_worker, limits.carry(), worker_fn)
        self._workers = [
            threading.Thread(target=work, args=arguments, daemon=True) for _ in range(num_workers)
        ]
        for worker in self._workers:
            worker.start()
        for _ in range(2 * num_workers):
            self._push_next()

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def __del__(self) -> None:
        self.shutdown()

    def _push_next(self) -> None:
        """Asks for the next batch, if there is one."""
        samples = next(self._iter, None)
        if samples is not None:
            self._key_queue.put((self._sent_idx, samples))
            self._sent_idx += 1

    def __next__(self) -> Any:
        if self._rcvd_idx == self._sent_idx:
            self.shutdown()
            raise StopIteration
        while self._rcvd_idx not in self._data_buffer:
            number, batch = self._data_queue.get()
            self._data_buffer[number] = _as_in_context(batch, self._target)
        batch = self._data_buffer.pop(self._rcvd_idx)
        self._rcvd_idx += 1
        self._push_next()
        return batch

    next = __next__

    def __iter__(self) -> Iterator[Any]:
        return self

    def shutdown(self) -> None:
        """Ends the workers."""
        for _ in self._workers:
            self._key_queue.put((None, None))
        self._workers = []

"""Batches from a pool of processes or threads that the caller provides.

`DataLoader` itself does not use this; libraries derive their own loaders from it.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable, Iterator
from typing import Any

from mxnet.context import Context
from mxnet.gluon.data._failures import WorkerTimeoutError
from mxnet.gluon.data._legacy_loops import _worker_fn
from mxnet.gluon.data._pinning import _as_in_context


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

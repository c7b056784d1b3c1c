"""Batches from loops over queues, as the original's first loader had them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from typing import Any

from mxnet.context import CPU0, Context
from mxnet.gluon.data._legacy_loops import worker_loop_v1
from mxnet.gluon.data._pinning import _as_in_context


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
        self._workers = [
            threading.Thread(target=worker_fn, args=arguments, daemon=True)
            for _ in range(num_workers)
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

"""Loading batches in this process: when they are asked for, or ahead in threads."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.pool import ThreadPool
from typing import Any, NamedTuple

from mxnet._state import carry_switches
from mxnet.context import Context
from mxnet.gluon.data._batching import Batch, fetch, fetch_samples
from mxnet.gluon.data._collate import default_batchify_fn, default_mp_batchify_fn, merge_batch
from mxnet.gluon.data._load_errors import Failure, WorkerTimeoutError
from mxnet.gluon.data._seeding import Drawn, Seeds, move_on, numbered
from mxnet.gluon.data._transfer import CPU_SHARED

_MERGED_ON: dict[Callable[[Any], Any], Context | None] = {
    default_batchify_fn: None,
    default_mp_batchify_fn: CPU_SHARED,
}
"""Merge functions of this library, with the context of their batches."""


class Work(NamedTuple):
    """How to load a batch.

    Attributes:
        dataset: Where samples come from.
        batchify_fn: Function that merges them.
    """

    dataset: Any
    batchify_fn: Callable[[Any], Any]

    @property
    def is_merged_by_us(self) -> bool:
        """Whether `batchify_fn` is one of this library, which takes columns and keeps nothing."""
        return self.batchify_fn in _MERGED_ON

    def load(self, indices: Iterable[Any]) -> Any:
        """Loads one batch."""
        indices = list(indices)
        if not indices or not self.is_merged_by_us:
            return self.batchify_fn(fetch_samples(self.dataset, indices, indices))
        fetched = fetch(self.dataset, indices, indices)
        if isinstance(fetched, Batch):
            return merge_batch(fetched, _MERGED_ON[self.batchify_fn])
        return self.batchify_fn(fetched)


def load_from_memory(work: Work, batches: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Loads each batch from arrays when it is asked for; draws no random numbers."""
    return (work.load(indices) for indices in batches)


def load_here(work: Work, batches: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Loads each batch when it is asked for."""
    seeds, drawn = Seeds.now(), Drawn()
    try:
        for number, indices in numbered(batches):
            with seeds.of_batch(number) as draws:
                batch = work.load(indices)
            drawn |= draws[0]
            yield batch
    finally:
        move_on(drawn)


def load_in_threads(
    work: Work, batches: Iterable[Iterable[Any]], workers: int, prefetch: int, timeout: float
) -> Iterator[Any]:
    """Loads batches ahead in threads, which all draw from the generators of the process."""

    def load(number: int, indices: Iterable[Any]) -> Any:
        try:
            return work.load(indices)
        except Exception as error:  # noqa: BLE001 - it is raised where the batch is waited for
            return Failure.of(error, f"DataLoader: thread, batch {number}")

    pool = ThreadPool(workers, carry_switches())
    waiting: deque[Any] = deque()
    tasks = enumerate(batches)
    try:
        while True:
            while len(waiting) < max(prefetch, 1):
                task = next(tasks, None)
                if task is None:
                    break
                waiting.append(pool.apply_async(load, task))
            if not waiting:
                return
            try:
                batch = waiting.popleft().get(timeout)
            except multiprocessing.TimeoutError as error:
                raise WorkerTimeoutError.after(timeout) from error
            if isinstance(batch, Failure):
                raise batch.as_error()
            yield batch
    finally:
        pool.terminate()

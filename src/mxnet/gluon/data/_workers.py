"""Loading batches: here, in threads, or in processes by torch's worker machinery."""

from __future__ import annotations

import multiprocessing
import pickle
import signal
import sys
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from multiprocessing import connection
from multiprocessing.pool import ThreadPool
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

import torch
from torch.utils.data import DataLoader as TorchLoader
from torch.utils.data import Dataset as TorchDataset
from torch.utils.data import get_worker_info
from torch.utils.data._utils import signal_handling

from mxnet.context import Context
from mxnet.gluon.data import _shared_memory
from mxnet.gluon.data._arena import Arena
from mxnet.gluon.data._batching import Batch, fetch, fetch_samples
from mxnet.gluon.data._collate import (
    default_batchify_fn,
    default_mp_batchify_fn,
    merge_batch,
)
from mxnet.gluon.data._failures import Failure, WorkerDiedError, WorkerTimeoutError
from mxnet.gluon.data._seeding import Drawn, Seeds, move_on
from mxnet.gluon.data._shared_memory import CPU_SHARED

_LOOK_AFTER = 1.0
"""Seconds after which a loader that waits looks whether its workers are alive."""

_PATIENCE = 2.0
"""Seconds that workers get to end by themselves when they are no longer needed."""

Task = tuple[int, list[Any]]
"""Number of a batch and the indices of its samples."""


class Work(NamedTuple):
    """What there is to do for every batch.

    Attributes:
        dataset: Where samples come from.
        batchify_fn: What merges them.
    """

    dataset: Any
    batchify_fn: Callable[[Any], Any]

    @property
    def is_merged_by_us(self) -> bool:
        """Whether the function does not mind how samples are loaded, and keeps nothing."""
        return self.batchify_fn in _MERGED_ON

    def load(self, indices: list[Any]) -> Any:
        """Loads one batch."""
        if not indices or not self.is_merged_by_us:
            return self.batchify_fn(fetch_samples(self.dataset, indices))
        fetched = fetch(self.dataset, indices)
        if isinstance(fetched, Batch):
            return merge_batch(fetched, _MERGED_ON[self.batchify_fn])
        return self.batchify_fn(fetched)


_MERGED_ON: dict[Callable[[Any], Any], Context | None] = {
    default_batchify_fn: None,
    default_mp_batchify_fn: CPU_SHARED,
}
"""Our functions, with the context of their batches."""


def load_from_memory(work: Work, batches: Iterable[list[Any]]) -> Iterator[Any]:
    """Loads each batch when it is asked for, from arrays, which draws no random numbers."""
    return (work.load(indices) for indices in batches)


def load_here(work: Work, batches: Iterable[list[Any]]) -> Iterator[Any]:
    """Loads each batch when it is asked for."""
    seeds, drawn = Seeds.now(), Drawn()
    try:
        for number, indices in enumerate(batches):
            with seeds.of_batch(number) as found:
                batch = work.load(indices)
            drawn |= found[0]
            yield batch
    finally:
        move_on(drawn)


def load_in_threads(
    work: Work, batches: Iterable[list[Any]], workers: int, prefetch: int, timeout: float
) -> Iterator[Any]:
    """Loads batches ahead in threads, which all draw from the generators of the process."""

    def load(task: Task) -> Any:
        try:
            return work.load(task[1])
        except Exception as error:  # noqa: BLE001 - it is raised where the batch is waited for
            return Failure.of(error, f"DataLoader: thread, batch {task[0]}")

    pool = ThreadPool(workers)
    waiting: deque[Any] = deque()
    tasks = enumerate(batches)
    try:
        while True:
            while len(waiting) < max(prefetch, 1):
                task = next(tasks, None)
                if task is None:
                    break
                waiting.append(pool.apply_async(load, (task,)))
            if not waiting:
                return
            try:
                batch = waiting[0].get(timeout)
            except multiprocessing.TimeoutError as error:
                raise _timed_out(timeout) from error
            waiting.popleft()
            if isinstance(batch, Failure):
                raise batch.as_error()
            yield batch
    finally:
        pool.terminate()


def _timed_out(timeout: float) -> WorkerTimeoutError:
    return WorkerTimeoutError(
        f"DataLoader: no batch came within {timeout} seconds; a sample may wait for something that "
        "never comes, or take that long: see the argument timeout"
    )


class _Loaded(NamedTuple):
    """A batch as a worker sends it: its bytes, and what its samples drew from."""

    data: bytes | Failure
    drawn: Drawn


class _WorkerDataset(TorchDataset[_Loaded]):
    """What torch's workers see: a dataset of which one item is a whole batch."""

    def __init__(self, work: Work, seeds: Seeds, arena: Arena | None) -> None:
        self._work, self._seeds, self._arena = work, seeds, arena

    def __getitem__(self, task: Task) -> _Loaded:
        number, indices = task
        worker = get_worker_info().id  # type: ignore[union-attr]  # only workers come here
        _shared_memory.begin_batch(self._arena, worker, self._work.is_merged_by_us)
        try:
            with self._seeds.of_batch(number) as found:
                batch = self._work.load(indices)
            # Pickled here and not by the thread that feeds the queue, whose errors nobody sees.
            data = bytes(ForkingPickler.dumps(batch))
        except Exception as error:  # noqa: BLE001 - it is raised where the batch is waited for
            where = f"DataLoader: worker {worker}, batch {number}"
            return _Loaded(Failure.of(error, where), Drawn())
        return _Loaded(data, found[0])


def _unchanged(item: Any) -> Any:
    return item


def _start_worker(worker: int) -> None:  # noqa: ARG001 - torch passes it
    """Leaves Ctrl-C to the main process, which ends the workers, and other cores to others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(0)


class _Tasks:
    """The batches of one iteration, numbered."""

    def __init__(self, batches: Iterable[list[Any]]) -> None:
        self._batches = batches

    def __iter__(self) -> Iterator[Task]:
        return iter(enumerate(self._batches))


def load_in_processes(
    work: Work, batches: Iterable[list[Any]], workers: int, prefetch: int, timeout: float
) -> Iterator[Any]:
    """Loads batches ahead in processes, which live as long as the iteration."""
    drawn = Drawn()
    ahead = max(1, -(-prefetch // workers))
    arena = Arena.for_workers(workers, ahead) if _forks() else None
    dataset = _WorkerDataset(work, Seeds.now(), arena)
    iterator = _start(dataset, batches, workers, ahead, min(timeout, _LOOK_AFTER))
    if arena is not None:
        _shared_memory.open_arena(arena)
    try:
        while True:
            loaded = _wait(iterator, timeout)
            if loaded is None:
                return
            drawn |= loaded.drawn
            yield _unpickle(loaded.data, iterator)
    finally:
        _stop(iterator)
        if arena is not None:
            _shared_memory.close_arena(arena)
        move_on(drawn)


def _forks() -> bool:
    """Tells whether a new process begins as a copy of this one."""
    methods = multiprocessing.get_all_start_methods()  # the first is the default of the system
    return (multiprocessing.get_start_method(allow_none=True) or methods[0]) == "fork"


def _start(
    dataset: _WorkerDataset, batches: Iterable[list[Any]], workers: int, ahead: int, wait: float
) -> Any:
    with warnings.catch_warnings():
        # Torch has an opinion on more workers than cores, Python on forking beside threads.
        warnings.filterwarnings("ignore", "This DataLoader will create", UserWarning)
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        loader = TorchLoader(
            dataset,
            batch_size=None,
            sampler=_Tasks(batches),
            num_workers=workers,
            collate_fn=_unchanged,
            timeout=wait,
            prefetch_factor=ahead,
            worker_init_fn=_start_worker,
            generator=torch.Generator(),  # its own, or it would draw from that of the program
        )
        iterator: Any = iter(loader)
    # Torch would raise for a dead worker at any point of the program; here `_wait` looks.
    signal_handling._remove_worker_pids(id(iterator))  # type: ignore[attr-defined]
    iterator._worker_pids_set = False
    return iterator


def _wait(iterator: Any, timeout: float) -> _Loaded | None:
    """Gives the next batch, None after the last."""
    end = time.monotonic() + timeout
    while True:
        try:
            loaded: _Loaded | None = next(iterator, None)
        except RuntimeError as error:
            if "DataLoader worker" in str(error):
                raise _died(iterator, error) from error
            if "DataLoader timed out" not in str(error):  # but what a sampler raises, perhaps
                raise
            if time.monotonic() >= end:
                raise _timed_out(timeout) from error
        else:
            return loaded


def _died(iterator: Any, error: Exception) -> WorkerDiedError:
    connection.wait([worker.sentinel for worker in iterator._workers], _LOOK_AFTER)
    ended = [
        f"pid {worker.pid}, {_exit_of(worker.exitcode)}"
        for worker in iterator._workers
        if worker.exitcode is not None
    ]
    return WorkerDiedError(
        f"DataLoader: a worker process ended unexpectedly ({'; '.join(ended) or error}); "
        "it may have been killed for lack of memory, or have crashed in a sample: try num_workers=0"
    )


def _exit_of(code: int) -> str:
    return f"exit status {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _unpickle(data: bytes | Failure, iterator: Any) -> Any:
    if isinstance(data, Failure):
        raise data.as_error()
    try:
        return pickle.loads(data)
    except (OSError, EOFError) as error:  # the worker that holds the shared memory is gone
        raise _died(iterator, error) from error


def _stop(iterator: Any) -> None:
    """Ends the workers: those that do not within some seconds are terminated."""
    impatience = threading.Timer(_PATIENCE, _terminate, [iterator._workers])
    impatience.daemon = True
    impatience.start()
    try:
        iterator._shutdown_workers()
    finally:
        impatience.cancel()


def _terminate(workers: list[Any]) -> None:
    for worker in workers:
        worker.terminate()

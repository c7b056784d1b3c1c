"""Loading batches: in this process, ahead in threads, or in processes of torch's DataLoader."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
import pickle
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, islice
from multiprocessing import connection
from multiprocessing.pool import ThreadPool
from multiprocessing.reduction import ForkingPickler
from typing import Any, NamedTuple

import numpy as np
import torch
from torch.utils.data import DataLoader as TorchLoader
from torch.utils.data import Dataset as TorchDataset
from torch.utils.data import get_worker_info
from torch.utils.data._utils import signal_handling

from mxnet._start import remove_frames
from mxnet._state import Lock, carry_switches
from mxnet.context import Context
from mxnet.errors import MXNetError
from mxnet.gluon.data import _batching, _transfer
from mxnet.gluon.data._transfer import CPU_SHARED, Arena


class WorkerError(MXNetError):
    """A sample raised in a worker.

    The error is also an instance of the class that the sample raised, and has that error as its
    cause if it could be sent.

    Attributes:
        sample_index: Index of the sample, None if it is not known.
    """

    sample_index: Any = None
    __str__ = Exception.__str__  # KeyError's would quote the message


class WorkerStartError(MXNetError, OSError):
    """The system cannot provide what worker processes need."""


class WorkerDiedError(MXNetError):
    """A worker process ended before it was done."""


class WorkerTimeoutError(MXNetError, multiprocessing.TimeoutError, TimeoutError):
    """No batch arrived within the timeout."""

    @classmethod
    def after(cls, timeout: float) -> WorkerTimeoutError:
        """Makes the error to raise after some seconds."""
        return cls(
            f"DataLoader: no batch came within {timeout} seconds; a sample may wait for something "
            "that never comes, or take that long: see the argument timeout"
        )


class Failure(NamedTuple):
    """An error on its way from a worker to the program that waits for the batch.

    Attributes:
        error: The error itself, None if it cannot be sent.
        error_type: Its class, None if it cannot be sent.
        summary: Its class and message.
        text: Its traceback.
        where: Which worker and batch.
        index: Index of the sample, None if unknown.
    """

    error: Exception | None
    error_type: type[Exception] | None
    summary: str
    text: str
    where: str
    index: Any

    @classmethod
    def of(cls, error: Exception, where: str) -> Failure:
        """Describes an error that has just been caught."""
        remove_frames(error)
        summary = traceback.format_exception_only(error)[0].strip()
        text = "".join(traceback.format_exception(error))
        index = getattr(error, "sample_index", None)
        return cls(error, type(error), summary, text, where, index)

    def to_send(self) -> Failure:
        """Returns a copy without the parts that cannot be sent to another process."""
        error_type = self.error_type if _can_be_sent(self.error_type) else None
        return self._replace(
            error=self.error if _can_be_sent(self.error) else None, error_type=error_type
        )

    def as_error(self) -> WorkerError:
        """Returns the error to raise in the program that asked for the batch."""
        place = self.where if self.index is None else f"{self.where}, sample {self.index}"
        message = f"{place}: {self.summary}\n\nIn the worker:\n{self.text}"
        error = _make_error(self.error_type, message)
        error.sample_index = self.index
        error.__cause__ = self.error
        return error


def _can_be_sent(value: object) -> bool:
    """Returns whether a value can be pickled and unpickled; some errors only pickle."""
    try:
        pickle.loads(pickle.dumps(value))
    except Exception:  # noqa: BLE001 - pickling runs code of any class
        return False
    return True


def _make_error(error_type: type[Exception] | None, message: str) -> WorkerError:
    """Makes an error that is caught as `error_type` too, if such a class is possible."""
    if error_type is None or error_type is StopIteration:  # it would end the program's loop
        return WorkerError(message)
    try:
        both = type(
            f"Worker{error_type.__name__}", (WorkerError, error_type), {"__init__": _keep_message}
        )
        error: WorkerError = both(message)
    except TypeError:  # incompatible memory layouts, or a class with other arguments
        return WorkerError(message)
    return error


def _keep_message(self: Exception, message: str) -> None:
    """Replaces the constructor of a class whose arguments are not known."""
    self.args = (message,)


# Before a worker loads a batch, the three generators that samples may draw from (Python's `random`,
# NumPy's and that of `mx.random`) are seeded from their states in the program at the beginning of
# the iteration and the number of the batch, so that batches are the same for any number of workers.
# A generator that samples drew from is advanced in the program when the iteration ends, so that the
# next iteration has other numbers; the others stay untouched.


class Drawn(NamedTuple):
    """Which generators have been drawn from."""

    python: bool = False
    numpy: bool = False
    torch: bool = False

    def __or__(self, other: Any) -> Drawn:
        return Drawn(*(one or two for one, two in zip(self, other, strict=True)))


class Seeds(NamedTuple):
    """Digests of the generators' states at the beginning of an iteration."""

    python: bytes
    numpy: bytes
    torch: bytes

    @classmethod
    def now(cls) -> Seeds:
        """Reads the states of the generators without drawing from them."""
        state = _State()
        python = pickle.dumps(state.python)
        return cls(*(hashlib.blake2b(item).digest() for item in (python, *state.rest())))

    @contextmanager
    def of_batch(self, number: int) -> Iterator[list[Drawn]]:
        """Seeds the generators for one batch.

        Args:
            number: Position of the batch in the iteration.

        Yields:
            A list that holds, after the `with` block, which generators were drawn from.
        """
        draws: list[Drawn] = []
        random.seed(_derive(self.python, number))
        np.random.seed(np.frombuffer(_derive(self.numpy, number), dtype=np.uint32))
        torch.default_generator.manual_seed(
            int.from_bytes(_derive(self.torch, number)[:8], "little") >> 1
        )
        seeded = _State()
        yield draws
        draws.append(seeded.compare(_State()))


class _State:
    """The states of the generators."""

    def __init__(self) -> None:
        self.python = random.getstate()
        self.numpy: Any = np.random.get_state()
        self.torch = torch.get_rng_state()

    def rest(self) -> tuple[bytes, bytes]:
        """Returns the states of NumPy and torch as bytes."""
        name, key, *counts = self.numpy
        return pickle.dumps((name, counts)) + key.tobytes(), self.torch.numpy().tobytes()

    def compare(self, other: _State) -> Drawn:
        """Returns which of the generators have another state there."""
        pairs = zip(self.rest(), other.rest(), strict=True)
        return Drawn(self.python != other.python, *(one != two for one, two in pairs))


class RestOfBatches:
    """The batches of an iteration from one on, for training that goes on after a restart.

    Args:
        batches: All batches.
        first: Number of the first one.
    """

    def __init__(self, batches: Iterable[Any], first: int) -> None:
        self._batches, self.first = batches, first

    def __iter__(self) -> Iterator[Any]:
        return islice(self._batches, self.first, None)


def numbered(batches: Iterable[Any]) -> Iterator[tuple[int, Any]]:
    """Yields batches with the numbers that they have in a whole iteration."""
    first = batches.first if isinstance(batches, RestOfBatches) else 0
    return zip(count(first), batches, strict=False)


def _derive(digest: bytes, number: int) -> bytes:
    return hashlib.blake2b(digest, digest_size=16, salt=number.to_bytes(16, "little")).digest()


def move_on(drawn: Drawn) -> None:
    """Draws once from each generator that samples have drawn from."""
    if drawn.python:
        random.random()
    if drawn.numpy:
        np.random.random_sample()
    if drawn.torch:
        torch.rand(())


_MERGED_ON: dict[Callable[[Any], Any], Context | None] = {
    _batching.default_batchify_fn: None,
    _batching.default_mp_batchify_fn: CPU_SHARED,
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
            return self.batchify_fn(_batching.fetch_samples(self.dataset, indices, indices))
        fetched = _batching.fetch(self.dataset, indices, indices)
        if isinstance(fetched, _batching.Batch):
            return _batching.merge_batch(fetched, _MERGED_ON[self.batchify_fn])
        return self.batchify_fn(fetched)


def load_here(work: Work, batches: Iterable[Iterable[Any]]) -> Iterator[Any]:
    """Loads each batch when it is asked for; samples draw from the generators of the program."""
    return (work.load(indices) for indices in batches)


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


_LOOK_AFTER = 1.0
"""Seconds between checks, while a loader waits, whether its workers are alive."""

_PATIENCE = 2.0
"""Seconds that workers have to end by themselves when they are no longer needed."""


class _Task(NamedTuple):
    """A task for a worker: number of a batch, its samples, and the states of generators."""

    number: int
    indices: list[Any]
    seeds: Seeds


class _Loaded(NamedTuple):
    """A batch as a worker sends it: its bytes, and the generators that its samples drew from."""

    data: bytes | Failure
    drawn: Drawn


class _Tasks:
    """The tasks of one iteration, as torch asks for them."""

    def __init__(self) -> None:
        self.batches: Iterable[Iterable[Any]] = ()

    def __iter__(self) -> Iterator[_Task]:
        seeds = Seeds.now()
        return (_Task(number, list(item), seeds) for number, item in numbered(self.batches))


class _WorkerDataset(TorchDataset[_Loaded]):
    """The dataset of torch's workers, of which one item is a whole batch."""

    def __init__(self, work: Work, arena: Arena | None) -> None:
        self._work, self._arena = work, arena

    def __getitem__(self, task: _Task) -> _Loaded:
        worker = get_worker_info().id  # type: ignore[union-attr]  # only workers come here
        _transfer.begin_batch(self._arena, worker, self._work.is_merged_by_us)
        try:
            with task.seeds.of_batch(task.number) as draws:
                batch = self._work.load(task.indices)
            # Pickled here, because errors of the thread that feeds the queue are lost.
            data = bytes(ForkingPickler.dumps(batch))
        except Exception as error:  # noqa: BLE001 - it is raised where the batch is waited for
            where = f"DataLoader: worker {worker}, batch {task.number}"
            return _Loaded(Failure.of(error, where).to_send(), Drawn())
        return _Loaded(data, draws[0])


def _unchanged(item: Any) -> Any:
    return item


def _start_worker(switch: Callable[[], None], worker: int) -> None:  # noqa: ARG001 - torch's
    """Leaves Ctrl-C to the main process, which ends the workers, and limits OpenCV to one core."""
    switch()  # to the dialect of the program, which a process that is not forked does not know
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(0)
    else:  # read when it is imported
        os.environ["OPENCV_FOR_THREADS_NUM"] = "1"


def _forks() -> bool:
    """Returns whether a new process begins as a copy of this one."""
    methods = multiprocessing.get_all_start_methods()  # the first is the default of the system
    return (multiprocessing.get_start_method(allow_none=True) or methods[0]) == "fork"


_hiding = Lock()


@contextmanager
def _without_opinions() -> Iterator[None]:
    """Hides warnings: torch's about more workers than cores, Python's about forking.

    Filters are global to all threads; a lock makes sure that each thread restores them correctly.
    """
    with _hiding, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "This DataLoader will create", UserWarning)
        warnings.filterwarnings("ignore", "This process .* is multi-threaded", DeprecationWarning)
        yield


class Crew:
    """Worker processes, and the loader of torch that they belong to.

    Args:
        work: How to load a batch.
        workers: How many they are.
        prefetch: How many batches they load ahead together.
        timeout: Seconds to wait for a batch.
    """

    def __init__(self, work: Work, workers: int, prefetch: int, timeout: float) -> None:
        ahead = max(1, -(-prefetch // workers))
        self._forked = _forks()
        self._arena = Arena.for_workers(workers, ahead) if self._forked else None
        self._timeout = timeout
        self._tasks = _Tasks()
        self._iterator: Any = None
        with _without_opinions():
            self._loader = TorchLoader(
                _WorkerDataset(work, self._arena),
                batch_size=None,
                sampler=self._tasks,
                num_workers=workers,
                collate_fn=_unchanged,
                timeout=min(timeout, _LOOK_AFTER),
                prefetch_factor=ahead,
                worker_init_fn=partial(_start_worker, carry_switches()),
                persistent_workers=not self._forked,
                generator=torch.Generator(),  # otherwise it would draw from the program's generator
            )

    def load(self, batches: Iterable[Iterable[Any]]) -> Iterator[Any]:
        """Loads all batches in order; forked workers, which are cheap to start, end afterwards."""
        drawn, done = Drawn(), False
        self._start(batches)
        if self._arena is not None:
            _transfer.open_arena(self._arena)
        try:
            while (loaded := self._wait()) is not None:
                drawn |= loaded.drawn
                yield self._unpickle(loaded.data)
            done = True
        finally:
            if self._forked or not done:
                self.stop()
            if self._arena is not None:
                _transfer.close_arena(self._arena)
            move_on(drawn)

    @property
    def is_idle(self) -> bool:
        """Whether workers wait for another iteration."""
        return self._iterator is not None

    def _start(self, batches: Iterable[Iterable[Any]]) -> None:
        self._tasks.batches = batches
        try:
            with _without_opinions():
                self._iterator = iter(self._loader)
        except OSError as error:
            raise WorkerStartError(
                f"DataLoader: {self._loader.num_workers} worker processes cannot be started: "
                f"{error}; they need processes, open files and a little space in /dev/shm; "
                "thread_pool=True needs less"
            ) from error
        if self._iterator._worker_pids_set:
            # Torch would raise for a dead worker anywhere in the program; `_wait` checks instead.
            signal_handling._remove_worker_pids(id(self._iterator))  # type: ignore[attr-defined]
            self._iterator._worker_pids_set = False

    def _wait(self) -> _Loaded | None:
        """Returns the next batch, None after the last."""
        end = time.monotonic() + self._timeout
        while True:
            try:
                loaded: _Loaded | None = next(self._iterator, None)
            except RuntimeError as error:
                if "DataLoader worker" in str(error):
                    raise self._died(error) from error
                if "DataLoader timed out" not in str(error):  # it may come from a sampler
                    raise
                if time.monotonic() >= end:
                    raise WorkerTimeoutError.after(self._timeout) from error
            else:
                return loaded

    def _unpickle(self, data: bytes | Failure) -> Any:
        if isinstance(data, Failure):
            raise data.as_error()
        try:
            return pickle.loads(data)
        except (OSError, EOFError) as error:  # the worker that holds the shared memory is gone
            raise self._died(error) from error

    def _died(self, error: Exception) -> WorkerDiedError:
        workers = self._iterator._workers
        connection.wait([worker.sentinel for worker in workers], _LOOK_AFTER)
        ended = [
            f"pid {worker.pid}, {_exit_of(worker.exitcode)}"
            for worker in workers
            if worker.exitcode is not None
        ]
        return WorkerDiedError(
            f"DataLoader: a worker process ended unexpectedly ({'; '.join(ended) or error}); it "
            "may have been killed for lack of memory, or have crashed in a sample: try "
            "num_workers=0"
        )

    def stop(self) -> None:
        """Ends the workers; those still running after some seconds are terminated or killed."""
        iterator, self._iterator = self._iterator, None
        self._loader._iterator = None
        if iterator is None:
            return
        impatience = threading.Timer(_PATIENCE, _terminate, [iterator._workers])
        impatience.daemon = True
        impatience.start()
        try:
            iterator._shutdown_workers()
        finally:
            impatience.cancel()


def _exit_of(code: int) -> str:
    return f"exit status {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"


def _terminate(workers: list[Any]) -> None:
    """Terminates workers, and kills those that do not react."""
    for worker in workers:
        worker.terminate()
    left = {worker.sentinel: worker for worker in workers}
    end = time.monotonic() + _LOOK_AFTER
    while left and (ended := connection.wait(list(left), max(0.0, end - time.monotonic()))):
        for sentinel in ended:
            del left[sentinel]
    for worker in left.values():
        worker.kill()

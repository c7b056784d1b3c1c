"""The loader that makes batches of a dataset."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from mxnet._start import PublicInit, public_call
from mxnet._state import REQUIRED, as_in_mxnet2
from mxnet.context import CPU0, Context
from mxnet.errors import AttributeValueError, InvalidArgumentError
from mxnet.gluon.data import _workers
from mxnet.gluon.data import sampler as _sampler
from mxnet.gluon.data._batching import default_batchify_fn as default_batchify_fn
from mxnet.gluon.data._batching import default_mp_batchify_fn as default_mp_batchify_fn
from mxnet.gluon.data._load_errors import WorkerDiedError as WorkerDiedError
from mxnet.gluon.data._load_errors import WorkerError as WorkerError
from mxnet.gluon.data._load_errors import WorkerTimeoutError as WorkerTimeoutError
from mxnet.gluon.data._transfer import SharedMemoryError as SharedMemoryError
from mxnet.gluon.data._transfer import _as_in_context as _as_in_context
from mxnet.gluon.data.dataset import is_in_memory


class DataLoader(PublicInit):
    """Iterates over a dataset in batches.

    Batches are the same, in content and order, for any number of workers. So are the random
    numbers that samples draw in workers from `mx.random`, `numpy.random` and `random`; without
    workers, and in threads, they draw from the generators of the program. Workers end with the
    iteration, also if the loop is left early. Only where processes are not forked but spawned
    (Windows, macOS), which takes seconds, they wait for the next iteration.

    A dataset of arrays in memory whose transforms work on batches is gathered and transformed a
    batch at a time; a thread then loads ahead instead of workers, because sending arrays that are
    in memory already gains nothing.

    Args:
        dataset: A `Dataset`, or anything with a length and indices, such as an array.
        batch_size: Number of samples in a batch.
        shuffle: Whether to visit samples in random order, another one each time.
        sampler: Yields indices in the wanted order, instead of `shuffle`.
        last_batch: `"keep"` (the default), `"discard"` or `"rollover"` (to the next iteration).
        batch_sampler: Yields lists of indices, instead of the four arguments above.
        batchify_fn: Merges a list of samples; `default_batchify_fn` if not given.
        num_workers: Number of processes that load ahead; 0 loads when a batch is asked for.
        pin_memory: Whether to put batches into page-locked memory, from which a GPU copies faster.
        pin_device_id: The GPU that this memory is for.
        prefetch: Number of batches to load ahead, twice the number of workers if not given.
        thread_pool: Whether workers are threads instead of processes.
        timeout: Seconds to wait for a batch before giving up.
        auto_reload: Accepted for compatibility; an iteration begins with its first batch.
        try_nopython: Accepted for compatibility with MXNet 2; there is no other loader to try.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import data
        >>> dataset = data.ArrayDataset(mx.nd.ones((5, 2)), list(range(5)))
        >>> for batch, label in data.DataLoader(dataset, batch_size=2):
        ...     print(batch.shape, label.asnumpy())
        (2, 2) [0 1]
        (2, 2) [2 3]
        (1, 2) [4]
    """

    @as_in_mxnet2(
        {},
        ("auto_reload",),
        dataset=REQUIRED,
        batch_size=None,
        shuffle=False,
        sampler=None,
        last_batch=None,
        batch_sampler=None,
        batchify_fn=None,
        num_workers=0,
        pin_memory=False,
        pin_device_id=0,
        prefetch=None,
        thread_pool=False,
        timeout=120,
        try_nopython=None,
    )
    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
        prefetch: int | None = None,
        thread_pool: bool = False,
        timeout: float = 120,
        auto_reload: bool = False,
        try_nopython: bool | None = None,  # noqa: ARG002 - see above
    ) -> None:
        if timeout <= 0:
            raise InvalidArgumentError(
                f"DataLoader: timeout takes a positive number, got {timeout}"
            )
        self._dataset = dataset
        self._pin_memory = pin_memory
        self._pin_device_id = pin_device_id
        self._thread_pool = thread_pool
        self._timeout = timeout
        self.auto_reload = auto_reload
        self._batch_sampler = _choose_batches(
            dataset, batch_size, shuffle, sampler, last_batch, batch_sampler
        )
        self._num_workers = max(num_workers, 0)
        self._prefetch = max(0, 2 * self._num_workers if prefetch is None else int(prefetch))
        if batchify_fn is None:
            batchify_fn = default_mp_batchify_fn if self._num_workers else default_batchify_fn
        self._batchify_fn = batchify_fn
        self._waiting: _workers.Crew | None = None

    def __iter__(self) -> Iterator[Any]:
        return _Batches(self._iterate())

    def _iterate(self) -> Iterator[Any]:
        for batch in self._load():
            yield self._pin(batch) if self._pin_memory else batch

    def _iterate_from(self, first: int) -> Iterator[Any]:
        """Iterates over the batches from one on, which are those of a whole iteration.

        Args:
            first: Number of the batch.
        """
        batches = self._batch_sampler
        self._batch_sampler = _workers.RestOfBatches(batches, first)
        try:
            yield from self
        finally:
            self._batch_sampler = batches

    def _load(self) -> Iterator[Any]:
        work = _workers.Work(self._dataset, self._batchify_fn)
        if not self._num_workers:
            return _workers.load_here(work, self._batch_sampler)
        from_memory = work.is_merged_by_us and is_in_memory(self._dataset)
        if not self._thread_pool and not from_memory:
            return self._load_in_processes(work)
        workers = 1 if from_memory else self._num_workers
        return _workers.load_in_threads(
            work, self._batch_sampler, workers, self._prefetch, self._timeout
        )

    def _load_in_processes(self, work: _workers.Work) -> Iterator[Any]:
        """Loads with the waiting workers of the last iteration, or with new ones if none wait."""
        crew, self._waiting = self._waiting, None
        if crew is None:
            crew = _workers.Crew(work, self._num_workers, self._prefetch, self._timeout)
        yield from crew.load(self._batch_sampler)
        if crew.is_idle:
            self._waiting = crew

    def _pin(self, batch: Any) -> Any:
        return _as_in_context(batch, Context("cpu_pinned", self._pin_device_id))

    def __len__(self) -> int:
        return len(self._batch_sampler)

    def _repr_html_(self) -> str:
        """Returns what notebooks show: the data and how batches are made; no sample is loaded."""
        from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

        batches = self._batch_sampler
        rows: list[tuple[str, object]] = [
            ("dataset", f"{type(self._dataset).__name__}{_size(self._dataset, 'sample')}"),
            ("batches", f"{type(batches).__name__}{_size(batches, 'batch')}"),
        ]
        if isinstance(batches, _sampler.BatchSampler):
            rows.append(("batch_size", batches._batch_size))
            rows.append(("last_batch", batches._last_batch))
            rows.append(("order", type(batches._sampler).__name__))
        kind = "threads" if self._thread_pool else "processes"
        ahead = f"{self._num_workers} {kind}, {self._prefetch} batches ahead"
        rows.append(("workers", ahead if self._num_workers else "none"))
        rows.append(("pin_memory", self._pin_memory))
        return html_tables.table_to_html(type(self).__name__, (), rows)

    def clean(self) -> None:
        """Ends workers that wait for the next iteration."""
        crew, self._waiting = self._waiting, None
        if crew is not None:
            crew.stop()

    def refresh(self) -> None:
        """Makes the next iteration see changes of the dataset."""
        self.clean()

    def __del__(self) -> None:
        if getattr(self, "_waiting", None) is not None:
            self.clean()


class _Batches(Iterator[Any]):
    """The batches of one iteration; errors show the program's line that asks for the next."""

    def __init__(self, batches: Iterator[Any]) -> None:
        self._batches = batches

    @public_call
    def __next__(self) -> Any:
        return next(self._batches)


class DataLoaderV1(DataLoader):
    """The loader of early versions: fewer options, and batches on `cpu(0)` with workers too.

    Its arguments are the first ten of `DataLoader`.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = None,
        shuffle: bool = False,
        sampler: Any = None,
        last_batch: str | None = None,
        batch_sampler: Any = None,
        batchify_fn: Callable[[Any], Any] | None = None,
        num_workers: int = 0,
        pin_memory: bool = False,
        pin_device_id: int = 0,
    ) -> None:
        order = (batch_size, shuffle, sampler, last_batch, batch_sampler)
        super().__init__(dataset, *order, batchify_fn, num_workers, pin_memory, pin_device_id)

    def __iter__(self) -> Iterator[Any]:
        for batch in super().__iter__():
            yield batch if self._pin_memory else _as_in_context(batch, CPU0)


def _size(items: Any, noun: str) -> str:
    """Returns the number of items in words, nothing where they cannot be counted."""
    from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

    try:
        return f", {html_tables.count_to_text(len(items), noun)}"
    except (TypeError, NotImplementedError):  # samplers of users may have no length
        return ""


def _choose_batches(
    dataset: Any,
    batch_size: int | None,
    shuffle: bool,
    sampler: Any,
    last_batch: str | None,
    batch_sampler: Any,
) -> Any:
    """Returns the sampler of batches; raises for arguments that contradict each other."""
    if batch_sampler is not None:
        if batch_size is not None or shuffle or sampler is not None or last_batch is not None:
            raise AttributeValueError(
                "DataLoader: takes batch_sampler, or batch_size, shuffle, sampler and last_batch, "
                "not both"
            )
        return batch_sampler
    if batch_size is None:
        raise AttributeValueError("DataLoader: needs batch_size or batch_sampler, got neither")
    if sampler is None:
        sampler_class = _sampler.RandomSampler if shuffle else _sampler.SequentialSampler
        sampler = sampler_class(len(dataset))
    elif shuffle:
        raise AttributeValueError("DataLoader: takes shuffle or sampler, not both")
    return _sampler.BatchSampler(sampler, batch_size, last_batch or "keep")

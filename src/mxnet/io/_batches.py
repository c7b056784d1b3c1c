"""Batches, their descriptions, the base class of iterators, and iterators around others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet._start import PublicInit
from mxnet.errors import ArgumentTypeError, CheckFailedError, UnknownNameError
from mxnet.ndarray import NDArray

if TYPE_CHECKING:
    from typing_extensions import Self


class _NameAndShape(NamedTuple):
    name: str
    shape: tuple[int, ...]


class DataDesc(_NameAndShape):
    """Name, shape, element type and layout of one array of a batch.

    As a tuple it is `(name, shape)`.

    Args:
        name: Name of the input that takes the array.
        shape: Shape, including the batch axis.
        dtype: Element type.
        layout: One letter for each axis; `N` is the batch.

    Example:
        >>> import mxnet as mx
        >>> mx.io.DataDesc("data", (32, 3, 28, 28), dtype="float16")
        DataDesc[data,(32, 3, 28, 28),float16,NCHW]
    """

    dtype: Any = np.float32
    layout: str | None = "NCHW"

    def __new__(
        cls, name: str, shape: tuple[int, ...], dtype: Any = np.float32, layout: str | None = "NCHW"
    ) -> Self:
        """Makes the tuple of name and shape; the rest are attributes."""
        made = super().__new__(cls, name, shape)
        made.dtype = dtype
        made.layout = layout
        return made

    def __repr__(self) -> str:
        return f"DataDesc[{self.name},{self.shape},{self.dtype},{self.layout}]"

    @staticmethod
    def get_batch_axis(layout: str | None) -> int:
        """Returns the batch axis of a layout: -1 if it has none, 0 if `layout` is None.

        Example:
            >>> import mxnet as mx
            >>> mx.io.DataDesc.get_batch_axis("TNC")
            1
        """
        return 0 if layout is None else layout.find("N")

    @staticmethod
    def get_list(
        shapes: Iterable[tuple[str, tuple[int, ...]]], types: Iterable[tuple[str, Any]] | None
    ) -> list[DataDesc]:
        """Makes descriptions from named shapes and, if given, named element types.

        Raises:
            UnknownNameError: if a shape has no element type of the same name.
        """
        if types is None:
            return [DataDesc(name, shape) for name, shape in shapes]
        known, shapes = dict(types), list(shapes)
        missing = [name for name, _ in shapes if name not in known]
        if missing:
            raise UnknownNameError(f"DataDesc.get_list: no element type for {', '.join(missing)}")
        return [DataDesc(name, shape, known[name]) for name, shape in shapes]


class DataBatch(PublicInit):
    """A batch of examples, as an iterator returns it.

    Args:
        data: List of arrays.
        label: List of arrays.
        pad: How many examples at the end are padding.
        index: Numbers of the examples.
        bucket_key: Bucket to which the batch belongs.
        provide_data: Descriptions of `data`.
        provide_label: Descriptions of `label`.

    Example:
        >>> import mxnet as mx
        >>> batch = mx.io.DataBatch([mx.nd.ones((4, 3))], [mx.nd.zeros(4)], pad=1)
        >>> print(batch)
        DataBatch: data shapes: [(4, 3)] label shapes: [(4,)]
        >>> [array.shape for array in batch.data], batch.pad
        ([(4, 3)], 1)
    """

    def __init__(
        self,
        data: Sequence[NDArray],
        label: Sequence[NDArray] | None = None,
        pad: int | None = None,
        index: Any = None,
        bucket_key: Any = None,
        provide_data: Any = None,
        provide_label: Any = None,
    ) -> None:
        for name, arrays in (("data", data), ("label", label)):
            if arrays is not None and not isinstance(arrays, (list, tuple)):
                raise ArgumentTypeError(
                    f"DataBatch: `{name}` takes a list of arrays, got {type(arrays).__name__}"
                )
        self.data = data
        self.label: Any = label
        self.pad = pad
        self.index = index
        self.bucket_key = bucket_key
        self.provide_data = provide_data
        self.provide_label = provide_label

    def __str__(self) -> str:
        data = [array.shape for array in self.data]
        label = None if not self.label else [array.shape for array in self.label]
        return f"{type(self).__name__}: data shapes: {data} label shapes: {label}"


class DataIter(PublicInit):
    """Base class of iterators over batches.

    A subclass has `provide_data` and `provide_label`, lists of `DataDesc`, and either overrides
    `next`, or `iter_next` with `getdata`, `getlabel`, `getpad` and `getindex`.

    Args:
        batch_size: Number of examples in a batch.

    Example:
        >>> import mxnet as mx
        >>> class Countdown(mx.io.DataIter):
        ...     provide_data = [mx.io.DataDesc("data", (2, 1))]
        ...     provide_label = []
        ...     left = 3
        ...     def reset(self):
        ...         self.left = 3
        ...     def next(self):
        ...         if not self.left:
        ...             raise StopIteration
        ...         self.left -= 1
        ...         return mx.io.DataBatch([mx.nd.full((2, 1), self.left)], [])
        >>> [int(batch.data[0].sum().asscalar()) for batch in Countdown(batch_size=2)]
        [4, 2, 0]
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> DataBatch:
        return self.next()

    def reset(self) -> None:
        """Goes back to the first batch.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> _ = list(batches)
            >>> batches.reset()
            >>> len(list(batches))
            2
        """

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> batch = batches.next()
            >>> print(batch.data[0].asnumpy(), batch.label[0].asnumpy())
            [0. 1. 2. 3.] [0. 1. 2. 3.]
        """
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> while batches.iter_next():
            ...     print(batches.getdata()[0].asnumpy(), batches.getpad())
            [0. 1. 2. 3.] 0
            [4. 5. 0. 1.] 2
        """
        return False

    def getdata(self) -> Any:
        """Returns the data of the current batch.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> batches.iter_next(), batches.getdata()[0].asnumpy()
            (True, array([0., 1., 2., 3.], dtype=float32))
        """

    def getlabel(self) -> Any:
        """Returns the label of the current batch.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> batches.iter_next(), batches.getlabel()[0].asnumpy()
            (True, array([0., 1., 2., 3.], dtype=float32))
        """

    def getindex(self) -> Any:
        """Returns the numbers of the examples in the current batch, None if they are not known.

        Example:
            >>> import mxnet as mx
            >>> class Indexed(mx.io.DataIter):
            ...     def getindex(self):
            ...         return [4, 2]
            ...     def getdata(self):
            ...         return [mx.nd.ones(2)]
            ...     def getlabel(self):
            ...         return []
            ...     def iter_next(self):
            ...         return True
            >>> Indexed(batch_size=2).next().index
            [4, 2]
        """

    def getpad(self) -> Any:
        """Returns how many examples of the current batch are padding.

        Example:
            >>> import mxnet as mx
            >>> batches = mx.io.NDArrayIter(mx.nd.arange(6), mx.nd.arange(6), batch_size=4)
            >>> _ = batches.iter_next()
            >>> batches.iter_next(), batches.getpad()  # the last two are the first ones again
            (True, 2)
        """


class NoBatchError(CheckFailedError, AttributeError):
    """A batch is asked for before the first was read."""


class CurrentBatchIter(DataIter):
    """Base of iterators that read whole batches and hold the current one."""

    current_batch: Any = None
    """What was read last: has `data`, `label`, `pad` and `index`."""

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        if not self.iter_next():
            raise StopIteration
        batch: DataBatch = self._present()
        return batch

    def _present(self) -> Any:
        if self.current_batch is None:
            raise NoBatchError(f"{type(self).__name__}: no batch is at hand; call next() first")
        return self.current_batch

    def getdata(self) -> Any:
        """Returns the data of the current batch."""
        return self._present().data

    def getlabel(self) -> Any:
        """Returns the label of the current batch."""
        return self._present().label

    def getindex(self) -> Any:
        """Returns the numbers of the examples in the current batch."""
        return self._present().index

    def getpad(self) -> Any:
        """Returns how many examples of the current batch are padding."""
        return self._present().pad


class ResizeIter(CurrentBatchIter):
    """Makes every round of an iterator a given number of batches long.

    Args:
        data_iter: The iterator; at its end it is reset and goes on.
        size: Batches in a round.
        reset_internal: Whether `reset` also resets `data_iter`.

    Example:
        >>> import numpy as np
        >>> import mxnet as mx
        >>> batches = mx.io.NDArrayIter(np.arange(6), batch_size=2)  # three batches
        >>> longer = mx.io.ResizeIter(batches, size=5)
        >>> [int(batch.data[0][0].asscalar()) for batch in longer]
        [0, 2, 4, 0, 2]
    """

    def __init__(self, data_iter: Any, size: int, reset_internal: bool = True) -> None:
        super().__init__(data_iter.batch_size)
        self.data_iter, self.size, self.reset_internal = data_iter, size, reset_internal
        self.cur = 0
        """Number of batches returned in this round."""
        for name in ("provide_data", "provide_label", "default_bucket_key"):
            if hasattr(data_iter, name):  # only iterators over buckets have a key
                setattr(self, name, getattr(data_iter, name))

    def reset(self) -> None:
        """Starts a new round."""
        self.cur = 0
        if self.reset_internal:
            self.data_iter.reset()

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        is_left = self.cur < self.size
        if is_left:
            self.current_batch = self._draw()
            self.cur += 1
        return is_left

    def _draw(self) -> DataBatch:
        """Takes a batch from the wrapped iterator, which is reset at its end."""
        with suppress(StopIteration):
            batch: DataBatch = self.data_iter.next()
            return batch
        self.data_iter.reset()
        first: DataBatch = self.data_iter.next()
        return first


class PrefetchingIter(CurrentBatchIter):
    """Reads iterators ahead, each in a thread of its own, and joins their batches.

    An error in the thread of an iterator is raised by the call that would return its batch.

    Args:
        iters: An iterator or a list of them.
        rename_data: For each iterator a dictionary from its names to new ones.
        rename_label: The same for labels.

    Example:
        >>> import numpy as np
        >>> import mxnet as mx
        >>> images = mx.io.NDArrayIter(np.ones((4, 3)), batch_size=2)
        >>> words = mx.io.NDArrayIter(np.zeros((4, 5)), batch_size=2)
        >>> names = [{"data": "image"}, {"data": "words"}]
        >>> pairs = mx.io.PrefetchingIter([images, words], rename_data=names)
        >>> [(name, shape) for name, shape in pairs.provide_data]
        [('image', (2, 3)), ('words', (2, 5))]
        >>> [len(batch.data) for batch in pairs]
        [2, 2]
    """

    def __init__(
        self,
        iters: Any,
        rename_data: Sequence[dict[str, Any]] | None = None,
        rename_label: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__()
        self.iters = list(iters) if isinstance(iters, (list, tuple)) else [iters]
        self.n_iter = len(self.iters)
        if not self.iters:
            raise ArgumentTypeError("PrefetchingIter: takes at least one iterator, got none")
        self.rename_data = rename_data
        self.rename_label = rename_label
        self.batch_size = self.provide_data[0][1][0]
        self._threads = [
            ThreadPoolExecutor(1, thread_name_prefix="PrefetchingIter", initializer=limits.carry())
            for _ in self.iters
        ]
        self._coming: list[Future[DataBatch | None]] | None = self._ask()

    @property
    def provide_data(self) -> list[Any]:
        """Descriptions of the data, those of the first iterator first."""
        return _join([item.provide_data for item in self.iters], self.rename_data)

    @property
    def provide_label(self) -> list[Any]:
        """Descriptions of the labels, those of the first iterator first."""
        return _join([item.provide_label for item in self.iters], self.rename_label)

    def _ask(self) -> list[Future[DataBatch | None]]:
        """Lets every thread read its next batch."""
        pairs = zip(self._threads, self.iters, strict=True)
        return [thread.submit(_next_or_none, item) for thread, item in pairs]

    def reset(self) -> None:
        """Goes back to the first batch; what was read ahead is dropped."""
        for future in self._coming or ():
            future.exception()  # waits: iterators are not thread-safe
        for item in self.iters:
            item.reset()
        self._coming = self._ask()

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        if self._coming is None:
            return False
        futures, self._coming = self._coming, None
        batches = [future.result() for future in futures]
        present = [batch for batch in batches if batch is not None]
        if not present:
            return False
        if len(present) < self.n_iter or len({batch.pad for batch in present}) > 1:
            raise CheckFailedError("PrefetchingIter: the iterators differ in length")
        self._coming = self._ask()
        self.current_batch = DataBatch(
            [array for batch in present for array in batch.data],
            [array for batch in present for array in batch.label or ()],
            present[0].pad,
            present[0].index,
            present[0].bucket_key,
            self.provide_data,
            self.provide_label,
        )
        return True


def _next_or_none(iterator: Any) -> DataBatch | None:
    try:
        batch: DataBatch = iterator.next()
    except StopIteration:
        return None
    return batch


def _join(lists: list[list[Any]], names: Sequence[dict[str, Any]] | None) -> list[Any]:
    """Joins lists of descriptions, renamed if `names` is given."""
    if names is None:
        return [description for part in lists for description in part]
    joined = []
    for part, renamed in zip(lists, names, strict=True):
        for given in part:
            description = given if isinstance(given, DataDesc) else DataDesc(*given)
            if description.name not in renamed:
                raise UnknownNameError(
                    f"PrefetchingIter: no new name for {description.name!r}; "
                    f"there are names for {', '.join(map(repr, renamed))}"
                )
            joined.append(DataDesc(renamed[description.name], description.shape, description.dtype))
    return joined

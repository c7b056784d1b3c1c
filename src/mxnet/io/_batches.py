"""Batches, their descriptions, and the base class of iterators."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mxnet._tracebacks import PublicInit
from mxnet.errors import ArgumentTypeError, UnknownNameError
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
        cls,
        name: str,
        shape: tuple[int, ...],
        dtype: Any = np.float32,
        layout: str | None = "NCHW",
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
        shapes: Iterable[tuple[str, tuple[int, ...]]],
        types: Iterable[tuple[str, Any]] | None,
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
        self.label = label
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
    """

    def __init__(self, batch_size: int = 0) -> None:
        self.batch_size = batch_size

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> DataBatch:
        return self.next()

    def reset(self) -> None:
        """Goes back to the first batch."""

    def next(self) -> DataBatch:
        """Returns the next batch.

        Raises:
            StopIteration: after the last one.
        """
        if not self.iter_next():
            raise StopIteration
        return DataBatch(self.getdata(), self.getlabel(), self.getpad(), self.getindex())

    def iter_next(self) -> bool:
        """Moves to the next batch and returns whether there is one."""
        return False

    def getdata(self) -> Any:
        """Returns the data of the current batch."""

    def getlabel(self) -> Any:
        """Returns the label of the current batch."""

    def getindex(self) -> Any:
        """Returns the numbers of the examples in the current batch, None if they are not known."""

    def getpad(self) -> Any:
        """Returns how many examples of the current batch are padding."""

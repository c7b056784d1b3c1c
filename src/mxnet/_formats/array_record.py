"""One stored array, and the cursor that every reader of stored arrays takes its bytes from."""

from __future__ import annotations

import io
import math
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from mxnet.errors import FileFormatError

Array: TypeAlias = npt.NDArray[Any]
Storage: TypeAlias = Literal["default", "row_sparse", "csr"]
Shape: TypeAlias = tuple[int, ...]

CPU = (1, 0)
MAX_NDIM = 32
"""What every supported NumPy can represent."""

_CHUNK = 1 << 24


@dataclass(frozen=True, slots=True, eq=False)
class ArrayRecord:
    """An array as a file holds it.

    Args:
        data: Elements; the stored ones only if sparse, None if the array was never filled.
        storage: Kind of array.
        shape: Shape of the whole array, which is that of `data` if it is dense.
        aux: Positions of stored elements: `(indices,)` for row_sparse, `(indptr, indices)` for csr.
        context: Device type (1 cpu, 2 gpu, 3 cpu_pinned, 5 cpu_shared) and device number.
        np_shape: Whether it was written for NumPy's idea of shapes; None if the file does not say.
    """

    data: Array | None
    storage: Storage
    shape: Shape
    aux: tuple[Array, ...] = ()
    context: tuple[int, int] = CPU
    np_shape: bool | None = None

    @classmethod
    def dense(cls, data: Array, context: tuple[int, int] = CPU) -> ArrayRecord:
        """Makes the record of an ordinary array."""
        return cls(data, "default", data.shape, (), context)


def find_problem(record: ArrayRecord) -> str | None:
    """Says in what way the parts of a record contradict each other; None if they do not."""
    data, shape = record.data, record.shape
    if record.storage == "default":
        if record.aux or shape != (() if data is None else data.shape):
            return f"a dense array takes data of its shape {shape} and no indices"
        return None
    if data is None:
        return f"a {record.storage} array has no data"
    if any(part.ndim != 1 or part.dtype.kind not in "iu" for part in record.aux):
        return "indices must be integers in one dimension"
    if record.storage == "row_sparse":
        return _find_row_sparse_problem(data, shape, record.aux)
    return _find_csr_problem(data, shape, record.aux)


def _find_row_sparse_problem(data: Array, shape: Shape, aux: tuple[Array, ...]) -> str | None:
    if len(aux) != 1 or not shape or data.shape != (len(aux[0]), *shape[1:]):
        return f"rows of shape {data.shape} do not fit a row_sparse array of shape {shape}"
    return _find_range_problem(aux[0], shape[0])


def _find_csr_problem(data: Array, shape: Shape, aux: tuple[Array, ...]) -> str | None:
    if len(aux) != 2 or len(shape) != 2 or data.shape != aux[1].shape:
        return f"elements of shape {data.shape} do not fit a csr array of shape {shape}"
    indptr, indices = aux
    if not len(indptr) and not len(indices):
        return None  # the original leaves the pointers out of an array it never filled
    if len(indptr) != shape[0] + 1:
        return f"{len(indptr)} row pointers do not fit {shape[0]} rows"
    if indptr[0] != 0 or indptr[-1] != len(indices) or (indptr[1:] < indptr[:-1]).any():
        return f"row pointers do not rise from 0 to {len(indices)}, the number of elements"
    return _find_range_problem(indices, shape[1])


def _find_range_problem(indices: Array, size: int) -> str | None:
    if len(indices) and not 0 <= int(indices.min()) <= int(indices.max()) < size:
        return f"indices go from {indices.min()} to {indices.max()} where {size} is the size"
    return None


class Cursor:
    """Takes values from a stream of known size, refusing what cannot be there before allocating.

    Args:
        file: Stream, positioned where reading begins.
        size: Number of bytes from there to the end.
        origin: Name for error messages.
        place: Which part of the file is being read, for error messages; readers change it.
    """

    def __init__(self, file: io.BufferedIOBase, size: int, origin: str, place: str = "") -> None:
        self.place = place
        self.remaining = size
        self._file = file
        self._origin = origin

    def error(self, problem: str) -> FileFormatError:
        """Makes the error that names the file and the place in it."""
        return FileFormatError(f"{self.located()}: {problem}")

    def located(self) -> str:
        """Names the file and the place in it."""
        return ": ".join(filter(None, (self._origin, self.place)))

    def take(self, num_bytes: int, what: str) -> bytes:
        """Takes that many bytes."""
        if num_bytes > self.remaining:
            self._require(num_bytes, what)
        taken = self._file.read(num_bytes)
        if len(taken) != num_bytes:
            raise self.error(f"the file ends inside {what}")
        self.remaining -= num_bytes
        return taken

    def unpack(self, layout: struct.Struct, what: str) -> tuple[Any, ...]:
        """Takes the values of a layout."""
        size = layout.size
        if size > self.remaining:
            self._require(size, what)
        taken = self._file.read(size)
        if len(taken) != size:
            raise self.error(f"the file ends inside {what}")
        self.remaining -= size
        return layout.unpack(taken)

    def peek(self, num_bytes: int) -> bytes:
        """Looks at the next bytes, fewer at the end, without taking them."""
        start = self._file.tell()
        seen = self._file.read(min(num_bytes, self.remaining))
        self._file.seek(start)
        return seen

    def take_dims(self, ndim: int, kind: Literal["q", "I"]) -> Shape:
        """Takes a shape of `ndim` sizes, each of struct's type `kind`."""
        if not 0 <= ndim <= MAX_NDIM:
            raise self.error(f"expected between 0 and {MAX_NDIM} dimensions, got {ndim}")
        dims = self.unpack(struct.Struct(f"<{ndim}{kind}"), "the shape")
        if min(dims, default=0) < 0:
            raise self.error(f"shape {dims} has a negative size")
        return dims

    def take_array(self, dtype: np.dtype[Any], shape: Sequence[int], what: str) -> Array:
        """Takes the elements of an array."""
        # NumPy computes this product even if another size is 0, and refuses an overflow.
        num_bytes = math.prod(shape) * dtype.itemsize
        counted = num_bytes or math.prod(filter(None, shape)) * dtype.itemsize
        if counted > sys.maxsize:
            raise self.error(f"shape {tuple(shape)} of {what} is too large for any array")
        if num_bytes > self.remaining:
            self._require(num_bytes, f"{what} of shape {tuple(shape)}")
        flat = allocate(num_bytes)
        for start in range(0, num_bytes, _CHUNK):
            part = flat[start : start + _CHUNK]
            if self._file.readinto(part.data) != len(part):
                raise self.error(f"the file ends inside {what}")
        self.remaining -= num_bytes
        if dtype == np.bool_:
            np.minimum(flat, 1, out=flat)  # other bytes are no booleans and mislead NumPy
        return flat.view(dtype).reshape(shape)

    def _require(self, num_bytes: int, what: str) -> None:
        if num_bytes > self.remaining:
            raise self.error(f"{what} takes {num_bytes} bytes, only {self.remaining} are left")


def allocate(num_bytes: int) -> npt.NDArray[np.uint8]:
    """Returns memory with any content, aligned for every dtype.

    It is torch's, if the program has imported that: NumPy asks the system for large pages, which it
    gives back at once, so that every file is read into pages that the system has to clear first.

    Raises:
        MemoryError: if there is not so much.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return np.empty(num_bytes, np.uint8)
    try:
        memory: npt.NDArray[Any] = torch.empty(num_bytes, dtype=torch.uint8).numpy()
    except RuntimeError:  # which NumPy says better
        return np.empty(num_bytes, np.uint8)
    return memory

"""Saving and loading arrays, and the creation functions that take a storage type."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from mxnet._arrays.array import new
from mxnet._formats import params
from mxnet._formats.array_record import ArrayRecord
from mxnet._start import tracebacks
from mxnet._state import modes
from mxnet.errors import (
    FileAccessError,
    FileFormatError,
    MissingFileError,
    UnsuitableArgumentError,
    UnsupportedTypeError,
)
from mxnet.ndarray._creation import array as array
from mxnet.ndarray._creation import empty as empty
from mxnet.ndarray._creation import zeros as zeros
from mxnet.ndarray._ndarray import NDArray
from mxnet.ndarray._ndarray import storage_class as _storage_class
from mxnet.ops.core.allocation import naming_shortage
from mxnet.ops.core.registry import KERNEL_ERRORS

Arrays = list[NDArray] | dict[str, NDArray]


def explain_access(where: str, fname: str | os.PathLike[str], error: OSError) -> FileAccessError:
    """Returns an error for what the system raised about a file, which names it."""
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileAccessError
    return kind(error.errno, f"{where}: {error.strerror}", os.fspath(fname))


def save(fname: str | os.PathLike[str], data: Any) -> None:
    """Saves arrays in MXNet's format, or in that of safetensors.

    The file is complete or not there: it is written beside its place and renamed.

    Args:
        fname: Path of the file; one that ends with `.safetensors` has the format of that name,
            which takes dense arrays with names.
        data: An array, a list of arrays, or a dictionary of arrays by name.

    Raises:
        FileAccessError: if the file cannot be written.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import mxnet as mx
        >>> with TemporaryDirectory() as folder:
        ...     mx.nd.save(folder + "/a.params", {"weight": mx.nd.ones(2)})
        ...     print(mx.nd.load(folder + "/a.params")["weight"].asnumpy())
        [1. 1.]
    """
    if isinstance(data, NDArray):
        data = [data]
    if isinstance(data, Mapping):
        names, arrays = list(data.keys()), list(data.values())
    elif isinstance(data, Sequence) and not isinstance(data, str):
        names, arrays = [], list(data)
    else:
        raise UnsuitableArgumentError(
            f"save: takes an NDArray, a list or a dict of them, got {type(data).__name__}"
        )
    for item in arrays:
        if not isinstance(item, NDArray):
            raise UnsupportedTypeError(f"save: takes NDArrays, got {type(item).__name__}")
    if not all(isinstance(name, str) for name in names):
        raise UnsupportedTypeError("save: the names of arrays must be strings")
    try:
        records = [item._to_record() for item in arrays]
        params.save_params(fname, records, names, np_shape=modes.np_shape)
    except OSError as error:
        raise explain_access("save", fname, error) from error


def load(fname: str | os.PathLike[str]) -> Any:
    """Loads arrays saved by `save`, by any version of MXNet, by NumPy or by safetensors.

    A checkpoint of torch (`.pt`, `.pth`, `.bin`), which is a pickle, is refused with a message
    that says how to convert it.

    Args:
        fname: Path of the file, whose format is known by its content.

    Returns:
        A list, or a dictionary if the arrays have names.

    Raises:
        FileFormatError: if the file is damaged, or has arrays without elements or axes and was
            saved under the other setting of `np_shape`.
        MissingFileError: if there is no such file.
        FileAccessError: if it cannot be read.

    Example:
        >>> from tempfile import TemporaryDirectory
        >>> import mxnet as mx
        >>> with TemporaryDirectory() as folder:
        ...     mx.nd.save(folder + "/a.params", [mx.nd.ones(2), mx.nd.zeros(3)])
        ...     print([array.shape for array in mx.nd.load(folder + "/a.params")])
        [(2,), (3,)]
    """
    try:
        return _arrays(*params.load_params(fname), os.fspath(fname))
    except OSError as error:
        raise explain_access("load", fname, error) from error


def load_frombuffer(buf: bytes) -> Any:
    """Loads arrays from the bytes of a file; see `load`.

    Example:
        >>> import mxnet as mx
        >>> import os, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "x.params")
        ...     mx.nd.save(path, {"x": mx.nd.array([1, 2])})
        ...     with open(path, "rb") as file:
        ...         arrays = mx.nd.load_frombuffer(file.read())
        ...
        >>> print(arrays["x"].asnumpy())
        [1. 2.]
    """
    if not isinstance(buf, (bytes, bytearray, memoryview)):
        raise UnsupportedTypeError(f"load_frombuffer: takes bytes, got {type(buf).__name__}")
    return _arrays(*params.read_params(buf, "buffer"), "buffer")


def _arrays(records: Sequence[ArrayRecord], names: Sequence[str], origin: str) -> Arrays:
    arrays = []
    for index, record in enumerate(records):
        if record.np_shape is not None and record.np_shape != modes.np_shape:
            _check_shapes(record, f"{origin}: array {names[index] if names else index}")
        is_dense = record.storage == "default"
        array = new(NDArray if is_dense else _storage_class(record.storage, "load"))
        try:
            array._take_record(record)
        except KERNEL_ERRORS:
            with naming_shortage(f"{origin}: array {names[index] if names else index}"):
                raise
        arrays.append(array)
    return dict(zip(names, arrays, strict=True)) if names else arrays


def _check_shapes(record: ArrayRecord, where: str) -> None:
    """Raises if the shape of a record of the other setting of `np_shape` means something else.

    Lengths of 0 and shapes without axes are known inside of `np_shape` and unknown outside.
    """
    if record.data is not None and (0 in record.shape or not record.shape):
        saved, remedy = ("inside", "True") if record.np_shape else ("outside", "False")
        raise FileFormatError(
            f"{where}: has the shape {record.shape}, saved {saved} of np_shape, which is unknown "
            f"here; load the file in `with mx.util.np_shape({remedy}):`"
        )


tracebacks.public_functions(globals())

"""Opens ONNX files: sizes, versions, tensors. Nothing in a file is trusted.

A file is parsed by the package `onnx`. Tensors that lie in other files are read from the folder
of the model only, and from nowhere else that a path in the file may name.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mxnet import limits
from mxnet._formats.files import open_foreign, read_foreign
from mxnet._formats.onnx_package import load_onnx
from mxnet.errors import (
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    UnsupportedTypeError,
    shown,
)
from mxnet.onnx._import.budget import BYTES, MOST_AXES, Budget
from mxnet.onnx._import.lengths import Axis, Length
from mxnet.onnx._import.nodes import Array
from mxnet.onnx._import.wire import count_messages, read_kind

_OLDEST_OPSET = 7
_MESSAGES_FOR_EACH = 10
"""Messages of a file, such as attributes and shapes, for each node that a graph may have."""
_DTYPES = frozenset(
    {"float32", "float64", "float16", "bfloat16", "bool"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
"""Element types that arrays of this package have."""


class ModelFile:
    """A parsed model.

    Args:
        source: Path of the file, its bytes, or a parsed `onnx.ModelProto`.

    Attributes:
        onnx: The package `onnx`.
        model: The parsed model.
        origin: The file, as messages name it.
        folder: Where tensors in other files are, None if the model is not in a file.
        opsets: Versions of the domains of operators.
        budget: What the import of this model may still spend.
    """

    def __init__(self, source: Any) -> None:
        self.onnx = load_onnx()
        self.folder: Path | None = None
        self.origin = "model"
        self._external: set[tuple[int, int]] = set()
        if isinstance(source, (str, os.PathLike)):
            self.origin = os.fspath(source)
            self.folder = Path(os.path.realpath(self.origin)).parent
            self.model = self._parse(self._read(self.origin))
        elif isinstance(source, (bytes, bytearray, memoryview)):
            self.model = self._parse(bytes(source))
        elif isinstance(source, self.onnx.ModelProto):
            self.model = source
        else:
            raise UnsupportedTypeError(
                "import_model: takes the path of a file, its bytes or an onnx.ModelProto, "
                f"got {type(source).__name__}"
            )
        self.opsets = self._check()
        self.budget = Budget(self.origin, self.model.ByteSize())

    def error(self, problem: str) -> FileFormatError:
        """Returns the error for a damaged file."""
        return FileFormatError(f"{self.origin}: {problem}")

    def _read(self, path: str) -> bytes:
        try:
            return read_foreign(path)
        except FileNotFoundError as error:
            raise MissingFileError(error.errno, "import_model: no such file", path) from error
        except OSError as error:
            raise self.error(f"cannot be read: {error.strerror}") from error

    def _parse(self, content: bytes) -> Any:
        model = self.onnx.ModelProto()
        most = _MESSAGES_FOR_EACH * limits.get("graph_nodes")
        count = count_messages(content, read_kind(model.DESCRIPTOR), most)
        limits.check(
            "graph_nodes", -(-count // _MESSAGES_FOR_EACH), f"{self.origin}: messages of the file"
        )
        try:
            model.ParseFromString(content)
        except Exception as error:
            raise self.error(f"not a model of ONNX: {shown(str(error))}") from error
        return model

    def _check(self) -> dict[str, int]:
        if not self.model.graph.node and not self.model.graph.output:
            raise self.error("not a model of ONNX: it has no graph")
        opsets = read_opsets(self.model.opset_import)
        newest = int(self.onnx.defs.onnx_opset_version())
        version = opsets.setdefault("", newest if opsets else 1)
        if not _OLDEST_OPSET <= version <= newest:
            raise self.error(
                f"opset {version} is not one of {_OLDEST_OPSET} to {newest}; convert the model "
                "with onnx.version_converter"
            )
        return opsets

    def array_of(self, tensor: Any) -> Array:
        """Returns the elements of a tensor of the file.

        Raises:
            FileFormatError: The tensor is damaged, or its type is not one of arrays here.
            LimitExceededError: Tensors of the file take more memory than is left to the import.
        """
        place = f"tensor {shown(tensor.name)}"
        dims = [int(length) for length in tensor.dims]
        if len(dims) > MOST_AXES or any(length < 0 for length in dims):
            raise self.error(f"{place}: {shown(dims)} is not a shape")
        dtype = self.dtype_name(tensor.data_type, place)
        count = math.prod(dims)
        if tensor.data_location == self.onnx.TensorProto.EXTERNAL:
            return self._read_external(tensor, dims, dtype, place)
        if count > 8 * len(tensor.raw_data) + self._count_stored(tensor):
            raise self.error(
                f"{place}: {count} elements of shape {shown(dims)} are not in the file"
            )
        self.budget.spend(BYTES, count * _item_type(dtype).itemsize, place)
        try:
            array = np.asarray(self.onnx.numpy_helper.to_array(tensor))
        except Exception as error:
            raise self.error(f"{place}: {shown(str(error))}") from error
        if array.shape != tuple(dims):
            raise self.error(f"{place}: expected shape {tuple(dims)}, got {array.shape}")
        return array

    @staticmethod
    def _count_stored(tensor: Any) -> int:
        kinds = ("float", "int32", "int64", "double", "uint64")
        return max(len(getattr(tensor, f"{kind}_data")) for kind in kinds)

    def _read_external(self, tensor: Any, dims: list[int], dtype: str, place: str) -> Array:
        entries = {item.key: item.value for item in tensor.external_data}
        location = shown(entries.get("location", ""))
        item_type = _item_type(dtype)
        size = math.prod(dims) * item_type.itemsize
        limits.check("array_bytes", size, f"{self.origin}: {place}")
        try:
            path = self._locate(entries.get("location", ""), place)
            offset, length = int(entries.get("offset", "0")), int(entries.get("length", size))
            with open_foreign(path) as file:
                status = os.fstat(file.fileno())
                if offset < 0 or length != size or size > status.st_size - offset:
                    raise self.error(f"{place}: {location} does not hold {size} bytes of it")
                self._pay_external(status, size, place)
                file.seek(offset)
                array = np.fromfile(file, item_type, math.prod(dims)).reshape(dims)
        except OSError as error:
            raise self.error(f"{place}: {location} cannot be read: {error.strerror}") from error
        except (ValueError, RuntimeError) as error:  # the latter for links in a ring
            if str(error).startswith(f"{self.origin}: "):
                raise
            raise self.error(f"{place}: {location}: {shown(str(error))}") from error
        if dtype == "bfloat16":
            return array.view(self.onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type))
        return array

    def _pay_external(self, status: os.stat_result, size: int, place: str) -> None:
        """Spends the bytes of a tensor, after the file that has them has been counted once."""
        file = (status.st_dev, status.st_ino)
        if file not in self._external:
            self._external.add(file)
            self.budget.add_file(status.st_size)
        self.budget.spend(BYTES, size, place)

    def _locate(self, location: str, place: str) -> Path:
        if self.folder is None:
            raise self.error(
                f"{place}: its elements are in another file; give the path of the model"
            )
        path = (self.folder / location).resolve()
        if not location or os.path.isabs(location) or not path.is_relative_to(self.folder):
            raise self.error(f"{place}: {shown(location)} is not in the folder of the model")
        if not path.is_file():
            raise self.error(f"{place}: there is no file {shown(location)} beside the model")
        return path

    def dtype_name(self, number: int, place: str) -> str:
        """Returns the name of an element type of ONNX.

        Raises:
            FileFormatError: Arrays of this package have no such type.
        """
        try:
            name = str(self.onnx.TensorProto.DataType.Name(number)).lower()
        except (ValueError, TypeError) as error:
            raise self.error(f"{place}: {shown(number)} is no element type") from error
        name = {"float": "float32", "double": "float64"}.get(name, name)
        if name not in _DTYPES:
            raise self.error(f"{place}: arrays of {name} cannot be imported")
        return name

    def dtype_number(self, name: str) -> int:
        """Returns the number of ONNX for an element type of this package."""
        names = {"float32": "FLOAT", "float64": "DOUBLE"}
        return int(self.onnx.TensorProto.DataType.Value(names.get(name, name.upper())))


def _item_type(dtype: str) -> np.dtype[Any]:
    """Returns the type of NumPy with the bits of elements."""
    return np.dtype(np.uint16 if dtype == "bfloat16" else dtype)


def read_opsets(items: Sequence[Any]) -> dict[str, int]:
    """Returns versions of domains, ONNX's own under the empty name."""
    return {("" if i.domain == "ai.onnx" else i.domain): int(i.version) for i in items}


class Facts(NamedTuple):
    """What is known of a tensor.

    Attributes:
        shape: Its lengths, None if their number is not known.
        dtype: Name of its element type.
    """

    shape: tuple[Axis, ...] | None = None
    dtype: str | None = None


def read_facts(file: ModelFile, info: Any) -> Facts:
    """Returns what a file says of a tensor.

    Args:
        file: The file.
        info: A `ValueInfoProto`.
    """
    if not info.type.HasField("tensor_type"):
        return Facts()
    tensor, place = info.type.tensor_type, f"value {shown(info.name)}"
    dtype = file.dtype_name(tensor.elem_type, place) if tensor.elem_type else None
    if not tensor.HasField("shape"):
        return Facts(None, dtype)
    if len(tensor.shape.dim) > MOST_AXES:
        raise file.error(f"{place}: {len(tensor.shape.dim)} axes, the most are {MOST_AXES}")
    return Facts(tuple(_read_length(dim) for dim in tensor.shape.dim), dtype)


def _read_length(dim: Any) -> Axis:
    if dim.HasField("dim_value") and dim.dim_value >= 0:
        return int(dim.dim_value)
    return Length(str(dim.dim_param) or None)


def set_input_shapes(file: ModelFile, shapes: Mapping[str, Sequence[int]]) -> None:
    """Writes shapes that the caller gives into the inputs of a model.

    Raises:
        ArgumentValueError: There is no such input, or it has another number of axes.
    """
    inputs = {item.name: item for item in file.model.graph.input}
    for name, shape in shapes.items():
        if name not in inputs:
            known = ", ".join(map(repr, inputs))
            raise ArgumentValueError(f"import_model: no input {name!r}; there are {known}")
        tensor = inputs[name].type.tensor_type
        if tensor.HasField("shape") and len(tensor.shape.dim) != len(shape):
            raise ArgumentValueError(
                f"import_model: input {name!r} has {len(tensor.shape.dim)} axes, got {shape!r}"
            )
        tensor.ClearField("shape")
        for length in shape:
            tensor.shape.dim.add().dim_value = int(length)


class Declarations:
    """What a file says of the results of its nodes: a hint where inference finds nothing.

    Args:
        file: The file.
        graph: The graph of the file.
    """

    def __init__(self, file: ModelFile, graph: Any) -> None:
        self._file = file
        self._infos = {item.name: item for item in (*graph.value_info, *graph.output)}

    def get(self, name: str) -> Facts:
        """Returns what is said of a tensor, nothing if it is of a type that is refused anyway."""
        info = self._infos.get(name)
        if info is None:
            return Facts()
        try:
            return read_facts(self._file, info)
        except FileFormatError:
            return Facts()

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
from mxnet.errors import (
    ArgumentValueError,
    FileFormatError,
    MissingFileError,
    UnsupportedTypeError,
    shown,
)
from mxnet.onnx._import.lengths import Axis, Length
from mxnet.onnx._import.nodes import Array
from mxnet.onnx._package import load_onnx

_OLDEST_OPSET = 7
_DTYPES = frozenset(
    {"float32", "float64", "float16", "bfloat16", "bool"}
    | {f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}
)
"""Element types that arrays of this package have."""


class ModelFile:
    """A parsed model.

    Args:
        source: Path of the file, its bytes, or a parsed `onnx.ModelProto`.
    """

    def __init__(self, source: Any) -> None:
        self.onnx = load_onnx()
        self.folder: Path | None = None
        self.origin = "model"
        if isinstance(source, (str, os.PathLike)):
            self.origin = os.fspath(source)
            self.folder = Path(self.origin).resolve().parent
            self.model = self._parse(self._read(Path(self.origin)))
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

    def error(self, problem: str) -> FileFormatError:
        """Returns the error for a damaged file."""
        return FileFormatError(f"{self.origin}: {problem}")

    def _read(self, path: Path) -> bytes:
        try:
            return read_foreign(path)
        except FileNotFoundError as error:
            raise MissingFileError(error.errno, "import_model: no such file", str(path)) from error

    def _parse(self, content: bytes) -> Any:
        model = self.onnx.ModelProto()
        try:
            model.ParseFromString(content)
        except Exception as error:
            raise self.error(f"not a model of ONNX: {shown(str(error))}") from error
        return model

    def _check(self) -> dict[str, int]:
        if not self.model.graph.node and not self.model.graph.output:
            raise self.error("not a model of ONNX: it has no graph")
        opsets: dict[str, int] = {}
        for item in self.model.opset_import:
            domain = "" if item.domain == "ai.onnx" else item.domain
            opsets[domain] = int(item.version)
        newest = int(self.onnx.defs.onnx_opset_version())
        version = opsets.setdefault("", newest if opsets else 1)
        if not _OLDEST_OPSET <= version <= newest:
            raise self.error(
                f"opset {version} is not one of {_OLDEST_OPSET} to {newest}; convert the model "
                "with onnx.version_converter"
            )
        limits.check("graph_nodes", self.count_nodes(), f"{self.origin}: graph")
        return opsets

    def count_nodes(self) -> int:
        """Returns how many nodes the graph has once functions of the file are put into it."""
        counts: dict[tuple[str, str], int] = {}
        most = limits.get("graph_nodes") + 1
        for _ in range(limits.get("graph_depth")):
            before = dict(counts)
            for function in self.model.functions:
                total = sum(counts.get((n.domain, n.op_type), 1) for n in function.node)
                counts[function.domain, function.name] = min(most, total)
            if counts == before:
                break
        else:
            raise self.error("functions of the file call each other too deeply, or themselves")
        return sum(counts.get((node.domain, node.op_type), 1) for node in self.model.graph.node)

    def array_of(self, tensor: Any) -> Array:
        """Returns the elements of a tensor of the file.

        Raises:
            FileFormatError: The tensor is damaged, or its type is not one of arrays here.
        """
        place = f"tensor {shown(tensor.name)}"
        dims = [int(length) for length in tensor.dims]
        if any(length < 0 for length in dims) or len(dims) > 32:
            raise self.error(f"{place}: {shown(dims)} is not a shape")
        dtype = self.dtype_name(tensor.data_type, place)
        count = math.prod(dims)
        if tensor.data_location == self.onnx.TensorProto.EXTERNAL:
            return self._read_external(tensor, dims, dtype, place)
        if count > 8 * len(tensor.raw_data) + self._count_stored(tensor):
            raise self.error(
                f"{place}: {count} elements of shape {shown(dims)} are not in the file"
            )
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
        path = self._locate(entries, place)
        try:
            offset = int(entries.get("offset", "0"))
            item_type = np.dtype(np.uint16 if dtype == "bfloat16" else dtype)
            size = math.prod(dims) * item_type.itemsize
            with open_foreign(path) as file:
                available = os.fstat(file.fileno()).st_size - offset
                if offset < 0 or size > available:
                    raise self.error(f"{place}: {path.name!r} does not hold {size} bytes of it")
                file.seek(offset)
                array = np.fromfile(file, item_type, math.prod(dims)).reshape(dims)
        except OSError as error:
            raise self.error(f"{place}: {path.name!r} cannot be read: {error.strerror}") from error
        except ValueError as error:
            if isinstance(error, FileFormatError):
                raise
            raise self.error(f"{place}: {shown(str(error))}") from error
        if dtype == "bfloat16":
            return array.view(self.onnx.helper.tensor_dtype_to_np_dtype(tensor.data_type))
        return array

    def _locate(self, entries: Mapping[str, str], place: str) -> Path:
        location = entries.get("location", "")
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
        except ValueError as error:
            raise self.error(f"{place}: {number} is no element type") from error
        name = {"float": "float32", "double": "float64"}.get(name, name)
        if name not in _DTYPES:
            raise self.error(f"{place}: arrays of {name} cannot be imported")
        return name

    def dtype_number(self, name: str) -> int:
        """Returns the number of ONNX for an element type of this package."""
        names = {"float32": "FLOAT", "float64": "DOUBLE"}
        return int(self.onnx.TensorProto.DataType.Value(names.get(name, name.upper())))


_SMALL = 1024
"""Elements of a tensor that inference may want to read."""


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
    tensor = info.type.tensor_type
    dtype = file.dtype_name(tensor.elem_type, f"value {info.name!r}") if tensor.elem_type else None
    if not tensor.HasField("shape"):
        return Facts(None, dtype)
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


def infer_facts(file: ModelFile) -> dict[str, Facts]:
    """Returns what is known of the tensors of a graph, as far as ONNX's inference finds it."""
    onnx, graph = file.onnx, file.model.graph
    light = onnx.ModelProto(ir_version=max(file.model.ir_version, 4))
    light.opset_import.extend(file.model.opset_import)
    light.graph.name = graph.name or "graph"
    for part in ("node", "input", "output", "value_info"):
        getattr(light.graph, part).extend(getattr(graph, part))
    inputs = {item.name for item in graph.input}
    for tensor in graph.initializer:
        count = math.prod(max(int(length), 0) for length in tensor.dims)
        if count <= _SMALL and tensor.data_location != onnx.TensorProto.EXTERNAL:
            light.graph.initializer.append(tensor)
        elif tensor.name not in inputs:
            # Weights take part by their shape; their elements are many.
            info = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)
            light.graph.input.append(info)
    try:
        # Without its propagation of data, which a few bytes can keep busy for ever; what is known
        # of data is computed here.
        inferred = onnx.shape_inference.infer_shapes(light).graph
    except Exception:  # noqa: BLE001 - what it raises is not documented; shapes are found otherwise
        inferred = light.graph
    items = (*inferred.value_info, *inferred.output, *inferred.input)
    return {item.name: _facts_or_none(file, item) for item in items}


def _facts_or_none(file: ModelFile, info: Any) -> Facts:
    try:
        return read_facts(file, info)
    except ValueError:  # a type of elements that only a node that is refused can have
        return Facts()

"""The functions of `mx.onnx` that read models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mxnet import symbol
from mxnet.context import Context
from mxnet.gluon import SymbolBlock
from mxnet.ndarray import NDArray
from mxnet.onnx._import.importer import Importer, named_after
from mxnet.onnx._import.lengths import Length
from mxnet.onnx._import.reader import ModelFile, read_facts, set_input_shapes
from mxnet.symbol import Symbol

Shapes = Mapping[str, Sequence[int]]


def _import(model_file: Any, shapes: Shapes | None) -> tuple[Importer, Symbol]:
    file = ModelFile(model_file)
    with named_after(file.origin):
        if shapes is not None:
            if file.model is model_file:
                file.model = type(model_file).FromString(model_file.SerializeToString())
            set_input_shapes(file, shapes)
        importer = Importer(file)
        outputs = importer.run()
        return importer, outputs[0] if len(outputs) == 1 else symbol.Group(outputs)


def import_model(
    model_file: Any, shapes: Shapes | None = None
) -> tuple[Symbol, dict[str, NDArray], dict[str, NDArray]]:
    """Reads a model in the ONNX format as a graph with its parameters.

    Computations of shapes inside of the model are done now; a model whose inputs have lengths that
    the file leaves open keeps them open where that is possible.

    Args:
        model_file: Path of the file, its bytes, or an `onnx.ModelProto`.
        shapes: Shapes of inputs by name, in place of those of the file. They are needed if a
            model computes with a length that the file leaves open.

    Returns:
        The graph, its parameters and its auxiliary states by name.

    Raises:
        FileFormatError: The file is damaged.
        NotImportableError: A node cannot be imported; the message names it, its operator and what
            the matter is.
        ImportError: The package `onnx` is not installed.

    Example:
        >>> import mxnet as mx
        >>> sym, arg_params, aux_params = mx.onnx.import_model("net.onnx")  # doctest: +SKIP
    """
    importer, outputs = _import(model_file, shapes)
    return outputs, importer.arg_params, importer.aux_params


def import_to_gluon(
    model_file: Any, ctx: Context | Sequence[Context] | None = None, shapes: Shapes | None = None
) -> SymbolBlock:
    """Reads a model in the ONNX format as a block, with its parameters.

    Args:
        model_file: Path of the file, its bytes, or an `onnx.ModelProto`.
        ctx: Context or contexts of the parameters, the current one by default.
        shapes: As for `import_model`.

    Returns:
        A block that is called with the inputs in the order of the file.

    Raises:
        MXNetError: as `import_model` does.

    Example:
        >>> import mxnet as mx
        >>> net = mx.onnx.import_to_gluon("net.onnx", mx.cpu())  # doctest: +SKIP
    """
    importer, outputs = _import(model_file, shapes)
    with named_after(importer.file.origin):
        block = SymbolBlock(outputs, importer.inputs)
        values = {**importer.arg_params, **importer.aux_params}
        used = {name: values[name] for name, _ in block.params.items()}
        block.params.load_dict(used, ctx=ctx, cast_dtype=True, dtype_source="saved")
    return block


def get_model_metadata(model_file: Any) -> dict[str, list[tuple[str, tuple[int, ...]]]]:
    """Returns names and shapes of the inputs and outputs of a model in the ONNX format.

    Args:
        model_file: Path of the file, its bytes, or an `onnx.ModelProto`.

    Returns:
        Lists of names and shapes under `"input_tensor_data"` and `"output_tensor_data"`. A length
        that the file leaves open is 0, as in the original.

    Raises:
        FileFormatError: The file is damaged.
    """
    file = ModelFile(model_file)
    graph = file.model.graph
    parameters = {tensor.name for tensor in graph.initializer}

    def describe(items: Sequence[Any]) -> list[tuple[str, tuple[int, ...]]]:
        rows = []
        for item in items:
            shape = read_facts(file, item).shape or ()
            rows.append((item.name, tuple(0 if isinstance(n, Length) else n for n in shape)))
        return rows

    with named_after(file.origin):
        return {
            "input_tensor_data": describe([i for i in graph.input if i.name not in parameters]),
            "output_tensor_data": describe(graph.output),
        }

"""`export_block`: a Gluon network as an ONNX file, from the network and example inputs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from mxnet import _dtypes, autograd
from mxnet.errors import InvalidArgumentError
from mxnet.gluon import HybridBlock, SymbolBlock
from mxnet.gluon._parameter_dict import value_to_save
from mxnet.gluon.hybrid.tracing import leaves_of, structure_of, trace
from mxnet.ndarray import NDArray
from mxnet.onnx._export.file import write_model
from mxnet.onnx._export.graph import read_variables
from mxnet.onnx._export.model import convert, read_params
from mxnet.onnx._export.table import check_opset
from mxnet.symbol import Symbol


def export_block(
    net: HybridBlock,
    onnx_file_path: str | os.PathLike[str],
    *inputs: Any,
    dynamic_batch: bool = False,
    dynamic_input_shapes: Sequence[Sequence[int | str | None]] | None = None,
    run_shape_inference: bool = False,
    opset_version: int | None = None,
) -> str:
    """Writes a Gluon network as an ONNX file, for inputs like the ones that are given.

    The network is called once with the inputs, in prediction mode, so that parameters that wait
    for their shapes get them. It stays as it was otherwise.

    Args:
        net: The network.
        onnx_file_path: File to write.
        *inputs: Arrays, or lists of arrays such as states, as a call of the network takes them.
        dynamic_batch: Whether the first axis of all inputs may have any length.
        dynamic_input_shapes: Shapes of the inputs with None, or a name, for lengths that are open,
            where these are others than the first.
        run_shape_inference: Whether the file gets the shapes of all values between the nodes;
            not if its parameters are more than 2 GB.
        opset_version: Version of ONNX's operators to write, 13 to 21, 21 by default.

    Returns:
        The path of the file.

    Raises:
        MXNetError: if the network cannot become a graph, or a node cannot be written in ONNX; it
            names the node.
        ImportError: if the package `onnx` is not installed.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> net = mx.gluon.nn.Dense(2)
        >>> net.initialize()
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = mx.onnx.export_block(net, f"{folder}/dense.onnx", mx.nd.ones((1, 3)))
        ...     os.path.getsize(path) > 0
        True
    """
    arrays = list(leaves_of(inputs))
    if not isinstance(net, HybridBlock) or not arrays:
        raise InvalidArgumentError(
            "export_block: takes a HybridBlock, a path and at least one array, got "
            f"{type(net).__name__} and {len(arrays)} arrays"
        )
    with autograd.predict_mode():
        net(*inputs)
    graph = _graph_of(net, structure_of(inputs))
    names = _input_names(net, arrays)
    used = {node.name for node in read_variables(graph._graph)}
    params = {
        name: value_to_save(parameter)
        for name, parameter in net.collect_params().items()
        if name in used
    }
    shapes = _shapes(arrays, dynamic_batch, dynamic_input_shapes)
    path, opset = os.fspath(onnx_file_path), check_opset(opset_version)
    parts = convert(
        graph,
        read_params(params),
        {name: shape for name, shape in zip(names, shapes, strict=True) if name in used},
        {
            name: _dtypes.element_type(array.dtype).name
            for name, array in zip(names, arrays, strict=True)
        },
        opset,
        {
            name: array.shape
            for name, array in zip(names, arrays, strict=True)
            if name in used and shapes != [item.shape for item in arrays]
        },
    )
    write_model(parts, path, opset, run_shape_inference=run_shape_inference)
    return path


class _Call:
    """Calls a network as its parent would, so that a missing argument gets its default."""

    def __init__(self, net: HybridBlock) -> None:
        self.name, self._net = net.name, net
        self.collect_params = net.collect_params
        self._mx_graph_to_export = net._mx_graph_to_export

    def _mx_run_hybrid_forward(self, *args: Any) -> Any:
        return self._net(*args)


def _graph_of(net: HybridBlock, structure: Sequence[Any]) -> Symbol:
    if isinstance(net, SymbolBlock) or not net._mx_has_hybrid_forward():
        return net._mx_graph_to_export(structure)
    return trace(_Call(net), structure).graph


def _input_names(net: HybridBlock, arrays: Sequence[NDArray]) -> list[str]:
    """Returns what a graph of the network calls its inputs."""
    if isinstance(net, SymbolBlock):
        return list(net._input_names)
    return ["data"] if len(arrays) == 1 else [f"data{index}" for index in range(len(arrays))]


def _shapes(
    arrays: Sequence[NDArray],
    dynamic_batch: bool,
    open_shapes: Sequence[Sequence[int | str | None]] | None,
) -> list[Sequence[int | str | None]]:
    if open_shapes is None:
        if not dynamic_batch:
            return [array.shape for array in arrays]
        return [("batch", *array.shape[1:]) if array.ndim else () for array in arrays]
    if len(open_shapes) != len(arrays):
        raise InvalidArgumentError(
            f"export_block: dynamic_input_shapes takes a shape for each of the {len(arrays)} "
            f"arrays, got {len(open_shapes)}"
        )
    return [tuple(shape) for shape in open_shapes]

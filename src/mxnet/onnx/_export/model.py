"""`export_model` and `export_block`: a network and its parameters as an ONNX file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mxnet import autograd, symbol
from mxnet import ndarray as nd
from mxnet._formats import element_types
from mxnet._state import REQUIRED, as_in_mxnet2
from mxnet.errors import InvalidArgumentError, MXNetError
from mxnet.gluon import HybridBlock, SymbolBlock
from mxnet.gluon.hybrid.tracing import leaves_of, structure_of, trace
from mxnet.gluon.parameters import parameters_by_name, value_to_save
from mxnet.graph.ir import Entry, Graph, Node
from mxnet.log import INFO, get_logger
from mxnet.ndarray import NDArray
from mxnet.onnx._export.builder import Builder, Value
from mxnet.onnx._export.file import ModelParts, OpenShape, write_model
from mxnet.onnx._export.graph import GraphWriter, infer_open_graph, read_variables, write_parameters
from mxnet.onnx._package import load_onnx
from mxnet.onnx._table import check_opset
from mxnet.ops.core.attrs import NUMPY_SHAPES, UNKNOWN, Shape, ShapeRules
from mxnet.symbol import Symbol


@as_in_mxnet2(
    {},
    ("opset_version",),
    sym=REQUIRED,
    params=REQUIRED,
    in_shapes=None,
    in_types=np.float32,
    onnx_file_path="model.onnx",
    verbose=False,
    dynamic=False,
    dynamic_input_shapes=None,
    run_shape_inference=False,
    input_type=None,
    input_shape=None,
    large_model=False,
)
def export_model(
    sym: Symbol | str | os.PathLike[str],
    params: Any,
    in_shapes: Sequence[Sequence[int]] | None = None,
    in_types: Any = np.float32,
    onnx_file_path: str | os.PathLike[str] = "model.onnx",
    verbose: bool = False,
    dynamic: bool = False,
    dynamic_input_shapes: Sequence[Sequence[int | str | None]] | None = None,
    run_shape_inference: bool = False,
    input_type: Any = None,
    input_shape: Sequence[Sequence[int]] | None = None,
    opset_version: int | None = None,
    large_model: bool = False,
) -> str:
    """Writes a network with its parameters as an ONNX file, checked by the package `onnx`.

    Args:
        sym: The network, or the path of its `-symbol.json`.
        params: The parameters: a dictionary of arrays by name (with or without `arg:` and `aux:`),
            a list of two of them, arguments and auxiliary states, or the path of a `.params` file.
        in_shapes: Shapes of the inputs, in the order in which `sym.list_inputs()` has them. Labels,
            which a prediction does not read, may be left out. If they are not, the file has inputs
            for those that the program has named.
        in_types: Dtype of all inputs, or a list of one for each.
        onnx_file_path: File to write.
        verbose: Whether to log what is converted.
        dynamic: Whether lengths of inputs may be left open.
        dynamic_input_shapes: Shapes of the inputs with None, or a name, for lengths that are open.
            By default all lengths are open if `dynamic` is true.
        run_shape_inference: Whether the file gets the shapes of all values between the nodes;
            not if its parameters are more than 2 GB.
        input_type: Older name of `in_types`.
        input_shape: Older name of `in_shapes`.
        opset_version: Version of ONNX's operators to write, 13 to 21, 21 by default.
        large_model: Whether parameters are written to a file of their own.

    Returns:
        The path of the file. Parameters of more than 2 GB together are written to a file of the
        same name with `.data` at its end, beside it, as are others of a `large_model`.

    Raises:
        MXNetError: if shapes, types or parameters do not fit the network, or if a node cannot be
            written in ONNX; it names the node.
        ImportError: if the package `onnx` is not installed.

    Example:
        >>> import os, tempfile
        >>> import mxnet as mx
        >>> x, w = mx.sym.var("x"), mx.sym.var("w")
        >>> net = mx.sym.FullyConnected(x, w, no_bias=True, num_hidden=2, name="fc")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "fc.onnx")
        ...     path == mx.onnx.export_model(
        ...         net, {"w": mx.nd.ones((2, 3))}, [(1, 3)], onnx_file_path=path
        ...     )
        True
    """
    load_onnx()
    path = os.fspath(onnx_file_path)
    opset = check_opset(opset_version)
    network = sym if isinstance(sym, Symbol) else symbol.load(sym)
    arrays = read_params(params)
    given = _list_shapes(in_shapes if input_shape is None else input_shape)
    inputs = _choose_inputs(network._graph, arrays, given)
    shapes: dict[str, OpenShape] = {
        node.name: tuple(shape) for node, shape in zip(inputs, given, strict=True)
    }
    dtypes = _read_types(inputs, in_types if input_type is None else input_type)
    open_shapes = _open(inputs, shapes, dynamic_input_shapes) if dynamic else shapes
    own_label = _own_label(network._graph)
    shapes, open_shapes = (
        {name: shape for name, shape in known.items() if name != own_label}
        for known in (shapes, open_shapes)
    )
    if verbose:
        get_logger("mxnet.onnx", level=INFO).info("exporting %d nodes", len(network._graph.nodes))
    example = _without_open_lengths(shapes) if dynamic else None
    parts = convert(network, arrays, open_shapes, dtypes, opset, example)
    write_model(parts, path, opset, run_shape_inference=run_shape_inference, apart=large_model)
    if verbose:
        get_logger("mxnet.onnx", level=INFO).info("wrote %d nodes to %s", len(parts.nodes), path)
    return path


def convert(
    network: Symbol,
    arrays: Mapping[str, np.ndarray[Any, Any]],
    shapes: Mapping[str, OpenShape],
    dtypes: Mapping[str, str],
    opset: int,
    example: Mapping[str, Shape] | None = None,
) -> ModelParts:
    """Converts a network to nodes of ONNX.

    Args:
        network: The network.
        arrays: Its parameters by name.
        shapes: Shapes of the inputs by name, with None or names for open lengths.
        dtypes: Names of the dtypes of the inputs.
        opset: Version of ONNX's operators.
        example: Shapes of the inputs without open lengths, which fit each other.
    """
    graph = network._graph
    known: dict[str, Shape | None] = {
        name: tuple(item if isinstance(item, int) else UNKNOWN for item in shape)
        for name, shape in shapes.items()
    }
    known |= {name: array.shape for name, array in arrays.items() if name in graph.input_names}
    types = {name: array.dtype.name for name, array in arrays.items()} | dict(dtypes)
    types = {name: dtype for name, dtype in types.items() if name in known}
    rules = _shape_rules(network)
    inferred = infer_open_graph(graph, known, example or {}, types, rules)
    builder = Builder(opset)
    writer = GraphWriter(builder, graph, *inferred, rules)
    inputs = _write_inputs(writer, shapes)
    write_parameters(writer, arrays)
    _check_complete(writer, shapes)
    writer.write()
    return ModelParts(builder, inputs, _write_outputs(writer))


def _shape_rules(network: Symbol) -> ShapeRules:
    """Returns how shapes are meant; a graph from a file does not say which dialect it is of."""
    if any(op.name.startswith("_np") for op in network._graph.nodes.ops):
        return NUMPY_SHAPES
    return network._shape_rules


def _write_inputs(
    writer: GraphWriter, shapes: Mapping[str, OpenShape]
) -> list[tuple[Value, OpenShape]]:
    found = []
    for node in writer.graph.inputs:
        if node.name in shapes:
            entry = Entry(node)
            name = writer.builder.new_name(node.name)
            value = Value(writer.builder, name, writer.dtype(entry), writer.shape(entry))
            writer.values[entry] = value
            found.append((value, shapes[node.name]))
    return found


def _write_outputs(writer: GraphWriter) -> list[Value]:
    """Returns the outputs under the names that the network has for them."""
    builder, taken = writer.builder, set()
    outputs = []
    for head, name in zip(writer.graph.heads, writer.graph.output_names, strict=True):
        value = writer.values[head]
        if value.name != name or name in taken or head.node.op is None:
            copied = builder.op("Identity", value, shape=value.shape)
            value = builder.rename(copied, name, len(builder.nodes) - 1)
        taken.add(name)
        outputs.append(value)
    return outputs


def _check_complete(writer: GraphWriter, shapes: Mapping[str, object]) -> None:
    missing = [
        node.name
        for node in read_variables(writer.graph)
        if Entry(node) not in writer.values and node.name not in shapes
    ]
    if missing:
        raise MXNetError(f"export_model: params has no arrays for {', '.join(missing)}")


def read_params(params: Any) -> dict[str, np.ndarray[Any, Any]]:
    """Returns parameters by name, without `arg:` and `aux:`, as arrays of NumPy.

    Raises:
        MXNetError: if they are not given in a form that is known.
    """
    if isinstance(params, (str, os.PathLike)):
        params = nd.load(params)
    groups = params if isinstance(params, (list, tuple)) else [params]
    arrays: dict[str, np.ndarray[Any, Any]] = {}
    for group in groups:
        if not isinstance(group, Mapping):
            raise MXNetError(
                "export_model: params takes a path, a dictionary of arrays by name or a list of "
                f"two of them, got {type(group).__name__}"
            )
        for key, array in group.items():
            name = key[4:] if key.startswith(("arg:", "aux:")) else key
            arrays[name] = _as_numpy(array)
    return arrays


def _as_numpy(array: Any) -> np.ndarray[Any, Any]:
    if isinstance(array, nd.NDArray):
        if element_types.element_type(array.dtype).name == "bfloat16":  # which ONNX Runtime lacks
            array = array.astype("float32")
        array = array.asnumpy()
    return np.asarray(array)


def _list_shapes(shapes: Sequence[Any] | None) -> list[Sequence[int]]:
    """Returns the shapes that were given; one alone need not be in a list."""
    if shapes is None:
        return []
    return [shapes] if shapes and isinstance(shapes[0], int) else list(shapes)


def _choose_inputs(
    graph: Graph, arrays: Mapping[str, object], shapes: Sequence[object]
) -> list[Node]:
    """Returns the variables that shapes were given for: those that are read, or labels as well."""
    inputs = [node for node in read_variables(graph) if node.name not in arrays]
    if len(shapes) == len(inputs):
        return inputs
    variables = [node for node in graph.inputs if node.name not in arrays]
    own = _own_label(graph)
    for given in (variables, [node for node in variables if node.name != own]):
        if len(shapes) == len(given):
            return given
    names = [node.name for node in inputs]
    raise MXNetError(
        f"export_model: in_shapes takes a shape for each of the inputs {names}, "
        f"got {len(shapes) or 'none'}; what is a parameter must be in params"
    )


def _own_label(graph: Graph) -> str | None:
    """Returns the label that a loss at the end of a graph has named; no file has it as an input."""
    name = f"{graph.nodes[-1].name}_label"
    return None if name in {node.name for node in read_variables(graph)} else name


def _without_open_lengths(shapes: Mapping[str, OpenShape]) -> dict[str, Shape] | None:
    """Returns shapes as an example, None if they have open lengths themselves."""
    if any(not isinstance(length, int) for shape in shapes.values() for length in shape):
        return None
    return {name: tuple(map(int, shape)) for name, shape in shapes.items()}  # type: ignore[arg-type]


def _read_types(inputs: Sequence[Node], types: Any) -> dict[str, str]:
    given = types if isinstance(types, (list, tuple)) else [types] * len(inputs)
    if len(given) == 1:
        given = [*given] * len(inputs)
    if len(given) != len(inputs):
        raise MXNetError(
            f"export_model: in_types takes one dtype, or one for each of the {len(inputs)} inputs, "
            f"got {len(given)}"
        )
    return {
        node.name: element_types.element_type(dtype).name
        for node, dtype in zip(inputs, given, strict=True)
    }


def _open(
    inputs: Sequence[Node], shapes: Mapping[str, OpenShape], open_shapes: Sequence[OpenShape] | None
) -> dict[str, OpenShape]:
    """Returns the shapes of inputs with what is open in them."""
    if open_shapes is None:
        return {name: (None,) * len(shape) for name, shape in shapes.items()}
    if len(open_shapes) != len(inputs):
        raise MXNetError(
            f"export_model: dynamic_input_shapes takes a shape for each of the {len(inputs)} "
            f"inputs, got {len(open_shapes)}"
        )
    return {node.name: tuple(shape) for node, shape in zip(inputs, open_shapes, strict=True)}


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
    found = parameters_by_name(net).items()
    params = {name: value_to_save(parameter) for name, parameter in found if name in used}
    open_shapes = _shapes(arrays, dynamic_batch, dynamic_input_shapes)
    path, opset = os.fspath(onnx_file_path), check_opset(opset_version)
    given = dict(zip(names, arrays, strict=True))
    dtypes = {name: element_types.element_type(array.dtype).name for name, array in given.items()}
    shapes = {name: item for name, item in zip(names, open_shapes, strict=True) if name in used}
    example = {name: given[name].shape for name in shapes}
    if open_shapes == [array.shape for array in arrays]:
        example = {}
    parts = convert(graph, read_params(params), shapes, dtypes, opset, example)
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
    arrays: Sequence[NDArray], dynamic_batch: bool, open_shapes: Sequence[OpenShape] | None
) -> list[OpenShape]:
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

"""Networks that are ready to run, with data to try them on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import numpy as np

import mxnet as mx
from glueball.models import Model
from mxnet import _dtypes
from mxnet.graph.infer_types import infer_types
from mxnet.graph.node import Entry, Node
from mxnet.ndarray import NDArray
from mxnet.ops.core.attrs import Shape

_SEED = 2026


def make_block(model: Model) -> mx.gluon.SymbolBlock:
    """Returns the network with its parameters.

    Args:
        model: A model whose parameters are known; see `Model.need_parameters`.
    """
    model.need_parameters()
    inputs = [mx.sym.var(name) for name in model.data_names]
    block = mx.gluon.SymbolBlock(model.graph, inputs)
    for name, parameter in block.collect_params().items():
        value = model.parameters[name]
        parameter.dtype = value.dtype
        parameter.shape = value.shape
        parameter.initialize(ctx=mx.cpu())
        parameter.set_data(value)
    return block


def make_data(model: Model, shapes: Mapping[str, Shape] | None = None) -> list[NDArray]:
    """Returns data for the network, the same each time, in the order of its inputs.

    Inputs that are looked up in a table are indices of it; others are numbers between 0 and 1.

    Args:
        model: The model.
        shapes: Shapes of the data, those of the model if not given.
    """
    shapes = model.shapes if shapes is None else shapes
    numbers = np.random.default_rng(_SEED)
    dtypes = _dtypes_of_data(model)
    data = []
    for name in model.data_names:
        limit = _find_table(model, name)
        drawn = numbers.random(shapes[name])
        values = drawn if limit is None else np.floor(drawn * limit)
        data.append(mx.nd.array(values, dtype=dtypes[name]))
    return data


def with_batch(model: Model, batch: int, axis: int) -> dict[str, Shape]:
    """Returns the shapes of the data with another number of samples."""
    return {
        name: shape if axis >= len(shape) else (*shape[:axis], batch, *shape[axis + 1 :])
        for name, shape in model.shapes.items()
    }


def count_elements(shapes: Mapping[str, Shape]) -> int:
    """Returns the number of elements of all data."""
    return sum(map(prod, shapes.values()))


def as_numpy(outputs: NDArray | Sequence[NDArray]) -> list[np.ndarray]:
    """Returns the results of a network as arrays of NumPy."""
    listed = [outputs] if isinstance(outputs, NDArray) else list(outputs)
    return [output.asnumpy() for output in listed]


def _dtypes_of_data(model: Model) -> dict[str, str]:
    """Returns the element types that the parameters make data have."""
    nodes = model.graph._graph.nodes
    given = {
        node.name: _dtypes.to_torch(model.parameters[node.name].dtype)
        for node in nodes.variables
        if node.name in model.parameters
    }
    types = infer_types(nodes, given)
    found = {node.name: types.get(Entry(node)) for node in nodes.variables}
    return {
        name: "float32" if dtype is None else _dtypes.name_of(dtype)
        for name, dtype in found.items()
    }


def _find_table(model: Model, name: str) -> int | None:
    """Returns the number of rows of the table that an input is looked up in, None if in none."""
    for node in model.graph._graph.nodes:
        for position, entry in enumerate(node.inputs):
            if entry.node.op is None and entry.node.name == name and _is_index(node, position):
                sizes = [
                    model.parameters[other.node.name].shape
                    for other in node.inputs
                    if other.node.name in model.parameters
                ]
                return next((shape[0] for shape in sizes if len(shape) > 1), 1)
    return None


def _is_index(node: Node, position: int) -> bool:
    """Returns whether an input may be of another dtype than the table that a node reads."""
    if node.op is None or node.op.traits.types.dtype_input is None:
        return False
    return node.input_names[position] in node.op.any_dtype

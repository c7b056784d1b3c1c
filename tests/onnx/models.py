"""Small models of ONNX for tests."""

from __future__ import annotations

import numpy as np
import onnx

FLOAT, INT = onnx.TensorProto.FLOAT, onnx.TensorProto.INT64


def make_model(nodes, inputs, outputs, constants=(), opset: int = 17):
    """Makes a model: inputs are arrays or tuples of lengths by name, outputs are names."""
    infos = []
    for name, item in inputs.items():
        is_array = isinstance(item, np.ndarray)
        dtype = onnx.helper.np_dtype_to_tensor_dtype(item.dtype) if is_array else FLOAT
        infos.append(
            onnx.helper.make_tensor_value_info(name, dtype, item.shape if is_array else item)
        )
    graph = onnx.helper.make_graph(
        nodes,
        "graph",
        infos,
        [onnx.helper.make_empty_tensor_value_info(name) for name in outputs],
        [onnx.numpy_helper.from_array(array, name) for name, array in dict(constants).items()],
    )
    opsets = [onnx.helper.make_opsetid("", opset)]
    return onnx.helper.make_model(graph, opset_imports=opsets, ir_version=8)


def node(op, inputs, outputs, **attrs):
    return onnx.helper.make_node(op, inputs.split(), outputs.split(), **attrs)


def floats(*shape, seed=0):
    return np.random.default_rng(seed).standard_normal(shape).astype("float32")

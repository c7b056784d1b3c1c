"""Activations, softmax and dropout."""

from __future__ import annotations

import math
from typing import Any

from mxnet.onnx._import.functions import cast, np, npx, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


@imports("Relu")
def _relu(_: Node, x: Value) -> Any:
    return sym.relu(x.sym) if x.is_float else np.maximum(x.np, 0)


@imports("Sigmoid")
def _sigmoid(_: Node, x: Value) -> Any:
    return sym.sigmoid(x.sym)


@imports("Softplus")
def _softplus(_: Node, x: Value) -> Any:
    return sym.Activation(x.sym, act_type="softrelu")


@imports("Softsign")
def _softsign(_: Node, x: Value) -> Any:
    return sym.softsign(x.sym)


@imports("LeakyRelu")
def _leaky_relu(node: Node, x: Value) -> Any:
    return sym.LeakyReLU(x.sym, act_type="leaky", slope=node.get("alpha", 0.01))


@imports("Elu")
def _elu(node: Node, x: Value) -> Any:
    return sym.LeakyReLU(x.sym, act_type="elu", slope=node.get("alpha", 1.0))


@imports("Selu")
def _selu(node: Node, x: Value) -> Any:
    alpha = node.get("alpha", 1.67326319217681884765625)
    gamma = node.get("gamma", 1.05070102214813232421875)
    return gamma * sym.LeakyReLU(x.sym, act_type="elu", slope=alpha)


@imports("Celu")
def _celu(node: Node, x: Value) -> Any:
    alpha = node.get("alpha", 1.0)
    return np.maximum(x.np, 0) + np.minimum(alpha * np.expm1(x.np / alpha), 0)


@imports("PRelu")
def _prelu(_: Node, x: Value, slope: Value) -> Any:
    return np.where(x.np < 0, x.np * slope.np, x.np)


@imports("ThresholdedRelu")
def _thresholded_relu(node: Node, x: Value) -> Any:
    return np.where(x.np > node.get("alpha", 1.0), x.np, np.zeros_like(x.np))


@imports("HardSigmoid")
def _hard_sigmoid(node: Node, x: Value) -> Any:
    return sym.hard_sigmoid(x.sym, alpha=node.get("alpha", 0.2), beta=node.get("beta", 0.5))


@imports("HardSwish")
def _hard_swish(_: Node, x: Value) -> Any:
    return x.sym * sym.hard_sigmoid(x.sym, alpha=1 / 6, beta=0.5)


@imports("Swish")
def _swish(node: Node, x: Value) -> Any:
    return x.sym * sym.sigmoid(x.sym * node.get("alpha", 1.0))


@imports("Mish")
def _mish(_: Node, x: Value) -> Any:
    return x.np * np.tanh(sym.Activation(x.sym, act_type="softrelu").as_np_ndarray())


@imports("Gelu", "FastGelu")
def _gelu(node: Node, x: Value, bias: Value | None = None) -> Any:
    data = x.np if bias is None else x.np + bias.np
    if node.op_type == "FastGelu" or node.get("approximate", "none") == "tanh":
        inner = math.sqrt(2 / math.pi) * (data + 0.044715 * data * data * data)
        return 0.5 * data * (1 + np.tanh(inner))
    return sym.LeakyReLU(data.as_nd_ndarray(), act_type="gelu")


@imports("Shrink")
def _shrink(node: Node, x: Value) -> Any:
    lambd, bias = node.get("lambd", 0.5), node.get("bias", 0.0)
    zeros = np.zeros_like(x.np)
    below = np.where(x.np < -lambd, x.np + bias, zeros)
    return np.where(x.np > lambd, x.np - bias, below)


@imports("Softmax", "LogSoftmax", "Hardmax")
def _softmax(node: Node, x: Value) -> Any:
    functions = {"Softmax": sym.softmax, "LogSoftmax": sym.log_softmax, "Hardmax": _hardmax}
    function = functions[node.op_type]
    if node.version >= 13:
        return function(x.sym, axis=node.get("axis", -1))
    # Older versions take all axes from this one on for one.
    axis = node.axis(x, 1)
    if axis == x.ndim - 1:
        return function(x.sym, axis=-1)
    flat = npx.reshape(x.np, newshape=(*[-2] * axis, -1))
    return sym.reshape_like(function(flat.as_nd_ndarray(), axis=-1), x.sym)


def _hardmax(x: Any, axis: int) -> Any:
    # The first of several largest elements counts.
    largest = sym.broadcast_equal(x, sym.max(x, axis=axis, keepdims=True)).as_np_ndarray()
    earlier = np.cumsum(largest, axis=axis) - largest
    return (largest * cast(np.equal(earlier, 0), "float32")).as_nd_ndarray()


@imports("Dropout")
def _dropout(node: Node, x: Value, *options: Value | None) -> Any:
    rate = node.get("ratio", 0.5)
    if options and options[0] is not None:
        rate = node.constant(1, "ratio").item()  # type: ignore[union-attr]  # it is there
    training = len(options) > 1 and node.constant(2, "training_mode")
    if len(node.outputs) > 1 and node.outputs[1]:
        if training:
            raise node.error("the mask of a dropout that is active cannot be imported")
        return [sym.identity(x.sym), cast(np.ones_like(x.np), "bool")]
    return sym.Dropout(x.sym, p=float(rate), mode="always" if training else "training")

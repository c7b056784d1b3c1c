"""Normalizations, activations, softmax and dropout."""

from __future__ import annotations

import math
from typing import Any

import numpy as onp

from mxnet.onnx._import.nodes import Node, Value, cast, np, npx, sym
from mxnet.onnx._table import imports


@imports("BatchNormalization", "SpatialBN")
def _batch(node: Node, x: Value, scale: Value, bias: Value, mean: Value, var: Value) -> Any:
    if node.get("training_mode", 0):
        raise node.error("training_mode=1 cannot be imported")
    if any(item.constant is None for item in (scale, bias, mean, var)):
        return _batch_of_inputs(node, x, scale, bias, mean, var)
    return sym.BatchNorm(
        x.sym,
        scale.sym,
        bias.sym,
        node.importer.auxiliary(mean),
        node.importer.auxiliary(var),
        eps=node.get("epsilon", 1e-5),
        momentum=node.get("momentum", 0.9),
        fix_gamma=False,
        use_global_stats=False,
    )[0]


def _batch_of_inputs(
    node: Node, x: Value, scale: Value, bias: Value, mean: Value, var: Value
) -> Any:
    """Writes the formula, as averages that are computed are not states."""
    shape = (1, -1, *[1] * (x.ndim - 2)) if x.ndim > 1 else (-1,)
    s, b, m, v = (npx.reshape(item.np, newshape=shape) for item in (scale, bias, mean, var))
    return (x.np - m) / np.sqrt(v + node.get("epsilon", 1e-5)) * s + b


@imports("GroupNormalization")
def _group(node: Node, x: Value, scale: Value, bias: Value) -> Any:
    groups, channels = node.get("num_groups", 1), x.lengths[1]
    if not isinstance(channels, int):
        raise node.error("the number of channels must be known")
    if not 0 < groups <= channels or channels % groups:
        raise node.error(f"{channels} channels cannot be divided into {groups} groups")
    eps = node.get("epsilon", 1e-5)
    if scale.sizes == (groups,):  # before opset 21
        return sym.GroupNorm(x.sym, scale.sym, bias.sym, num_groups=groups, eps=eps)
    if scale.sizes != (channels,):
        raise node.error(f"scale of shape {scale.sizes} fits neither groups nor channels")
    ones, zeros = (
        node.importer.constant(onp.full(groups, number, scale.dtype), f"{node.name}_{number}").sym
        for number in (1, 0)
    )
    result = sym.GroupNorm(x.sym, ones, zeros, num_groups=groups, eps=eps).as_np_ndarray()
    shape = (1, -1, *[1] * (x.ndim - 2))
    scale_, bias_ = (npx.reshape(item.np, newshape=shape) for item in (scale, bias))
    return result * scale_ + bias_


@imports("LayerNormalization")
def _layer(node: Node, x: Value, scale: Value, bias: Value | None = None) -> Any:
    axis, eps = node.axis(x, -1), node.get("epsilon", 1e-5)
    wants_statistics = any(node.outputs[1:])
    if axis == x.ndim - 1 and scale.ndim == 1 and bias is not None and not wants_statistics:
        return sym.LayerNorm(x.sym, scale.sym, bias.sym, axis=-1, eps=eps)
    result, mean, inverse = _normalize(x.np, tuple(range(axis, x.ndim)), eps, scale)
    return [result if bias is None else result + bias.np, mean, inverse]


def _normalize(x: Any, axes: int | tuple[int, ...], eps: float, scale: Value) -> tuple[Any, ...]:
    """Returns an array without its mean and deviation, its mean, and one over its deviation."""
    mean = np.mean(x, axis=axes, keepdims=True)
    centered = x - mean
    inverse = 1 / np.sqrt(np.mean(centered * centered, axis=axes, keepdims=True) + eps)
    return centered * inverse * scale.np, mean, inverse


@imports("RMSNormalization", "SimplifiedLayerNormalization")
def _root_mean_square(node: Node, x: Value, scale: Value) -> Any:
    axes = tuple(range(node.axis(x, -1), x.ndim))
    mean = np.mean(x.np * x.np, axis=axes, keepdims=True)
    return x.np / np.sqrt(mean + node.get("epsilon", 1e-5)) * scale.np


@imports("LRN")
def _local_response(node: Node, x: Value) -> Any:
    size = node.get("size", 5)
    if size % 2 == 0:
        return _even_local_response(node, x, size)
    return sym.LRN(
        x.sym,
        alpha=node.get("alpha", 1e-4),
        beta=node.get("beta", 0.75),
        knorm=node.get("bias", 1.0),
        nsize=size,
    )


def _even_local_response(node: Node, x: Value, size: int) -> Any:
    node.repeat(size, weight=2)
    before, after = (size - 1) // 2, size - 1 - (size - 1) // 2
    channels = x.lengths[1]
    if not isinstance(channels, int):
        raise node.error("the number of channels must be known")
    widths = ((0, 0), (before, after), *[(0, 0)] * (x.ndim - 2))
    squares = np.pad(x.np * x.np, widths, mode="constant", constant_values=0.0).as_nd_ndarray()
    total = sum(
        sym.slice_axis(squares, axis=1, begin=start, end=start + channels).as_np_ndarray()
        for start in range(size)
    )
    scaled = node.get("bias", 1.0) + node.get("alpha", 1e-4) / size * total
    return x.np / np.power(scaled, node.get("beta", 0.75))


@imports("LpNormalization")
def _unit_norm(node: Node, x: Value) -> Any:
    axis, p = node.axis(x, -1), node.get("p", 2)
    if p == 1:
        length = np.sum(np.abs(x.np), axis=axis, keepdims=True)
    else:
        length = np.sqrt(np.sum(x.np * x.np, axis=axis, keepdims=True))
    # What is 0 stays 0.
    return x.np / np.where(np.equal(length, 0), np.ones_like(length), length)


@imports("MeanVarianceNormalization")
def _standardize(node: Node, x: Value) -> Any:
    axes = tuple(node.ints("axes", [0, 2, 3]) or ())
    centered = x.np - np.mean(x.np, axis=axes, keepdims=True)
    deviation = np.sqrt(np.mean(centered * centered, axis=axes, keepdims=True))
    return centered / (deviation + 1e-9)


@imports("SkipLayerNormalization")
def _skip_layer(
    node: Node,
    x: Value,
    skip: Value,
    scale: Value,
    beta: Value | None = None,
    bias: Value | None = None,
) -> Any:
    total = x.np + skip.np if bias is None else x.np + skip.np + bias.np
    result, *_ = _normalize(total, -1, node.get("epsilon", 1e-12), scale)
    return result if beta is None else result + beta.np


@imports("Relu")
def _relu(_: Node, x: Value) -> Any:
    return np.maximum(x.np, 0)


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
def _tanh_gelu(_: Node, x: Value, bias: Value | None = None) -> Any:
    data = x.np if bias is None else x.np + bias.np
    inner = math.sqrt(2 / math.pi) * (data + 0.044715 * data * data * data)
    return 0.5 * data * (1 + np.tanh(inner))


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

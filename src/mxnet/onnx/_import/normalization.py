"""Normalizations."""

from __future__ import annotations

from typing import Any

import numpy as onp

from mxnet import limits
from mxnet.onnx._import.functions import np, npx, sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.values import Value


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


@imports("InstanceNormalization")
def _instance(node: Node, x: Value, scale: Value, bias: Value) -> Any:
    return sym.InstanceNorm(x.sym, scale.sym, bias.sym, eps=node.get("epsilon", 1e-5))


@imports("GroupNormalization")
def _group(node: Node, x: Value, scale: Value, bias: Value) -> Any:
    groups, channels = node.get("num_groups", 1), x.lengths[1]
    if not isinstance(channels, int):
        raise node.error("the number of channels must be known")
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
    axes = tuple(range(axis, x.ndim))
    mean = np.mean(x.np, axis=axes, keepdims=True)
    centered = x.np - mean
    inverse = 1 / np.sqrt(np.mean(centered * centered, axis=axes, keepdims=True) + eps)
    result = centered * inverse * scale.np
    return [result if bias is None else result + bias.np, mean, inverse]


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
    limits.check("operator_steps", size, f"node {node.name!r}: size")
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
    mean = np.mean(total, axis=-1, keepdims=True)
    centered = total - mean
    eps = node.get("epsilon", 1e-12)
    inverse = 1 / np.sqrt(np.mean(centered * centered, axis=-1, keepdims=True) + eps)
    result = centered * inverse * scale.np
    return result if beta is None else result + beta.np

"""How layers of torch become operators."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import nn

from mxnet.gluon.contrib.torch._function_table import (
    adaptive_pool,
    dropout,
    gelu,
    leaky_relu,
    pool,
    relu6,
    silu,
)
from mxnet.gluon.contrib.torch._values import Operators, require, spread

Read = Callable[[str], Any]
"""Returns what stands for a parameter or a buffer of a layer, None if it has none."""
Rule = Callable[..., Any]
"""Takes the operators, the layer, its parameters and the arguments of the call."""


def _linear(ops: Operators, layer: nn.Linear, read: Read, x: Any) -> Any:
    bias = read("bias")
    return ops.F.FullyConnected(
        x,
        read("weight"),
        *(() if bias is None else (bias,)),
        num_hidden=layer.out_features,
        no_bias=bias is None,
        flatten=False,
    )


def _convolution(ops: Operators, layer: Any, read: Read, x: Any) -> Any:
    require(layer.padding_mode == "zeros", f"a convolution with padding {layer.padding_mode!r}")
    require(not isinstance(layer.padding, str), f"a convolution with padding={layer.padding!r}")
    bias, options = read("bias"), {}
    if layer.transposed:
        options["adj"] = layer.output_padding
    function = ops.F.Deconvolution if layer.transposed else ops.F.Convolution
    return function(
        x,
        read("weight"),
        *(() if bias is None else (bias,)),
        kernel=layer.kernel_size,
        stride=layer.stride,
        dilate=layer.dilation,
        pad=layer.padding,
        num_filter=layer.out_channels,
        num_group=layer.groups,
        no_bias=bias is None,
        **options,
    )


def _batch_norm(ops: Operators, layer: Any, read: Read, x: Any) -> Any:
    require(layer.affine, "a normalization with affine=False")
    require(layer.track_running_stats, "a normalization with track_running_stats=False")
    require(layer.momentum is not None, "a normalization with momentum=None")
    return ops.F.BatchNorm(
        x,
        *map(read, ("weight", "bias", "running_mean", "running_var")),
        eps=layer.eps,
        momentum=1 - layer.momentum,
        fix_gamma=False,
        axis=1,
    )


def _layer_norm(ops: Operators, layer: nn.LayerNorm, read: Read, x: Any) -> Any:
    gamma, beta = read("weight"), read("bias")
    require(gamma is not None and beta is not None, "a LayerNorm without weight or bias")
    require(len(layer.normalized_shape) == 1, "a LayerNorm over several axes")
    return ops.F.LayerNorm(x, gamma, beta, axis=-1, eps=layer.eps)


def _embedding(ops: Operators, layer: nn.Embedding, read: Read, x: Any) -> Any:
    require(layer.max_norm is None, "an Embedding with max_norm")
    return ops.F.Embedding(
        x, read("weight"), input_dim=layer.num_embeddings, output_dim=layer.embedding_dim
    )


def _function(name: str, **attrs: Any) -> Rule:
    def rule(ops: Operators, layer: nn.Module, read: Read, x: Any) -> Any:
        del layer, read
        return getattr(ops.F, name)(x, **attrs)

    return rule


def _softmax(name: str) -> Rule:
    def rule(ops: Operators, layer: Any, read: Read, x: Any) -> Any:
        del read
        require(layer.dim is not None, f"{name} without dim")
        return getattr(ops.F, name)(x, axis=layer.dim)

    return rule


def _softplus(ops: Operators, layer: nn.Softplus, read: Read, x: Any) -> Any:
    del read
    require(layer.beta == 1, "a Softplus with beta")
    return ops.F.Activation(x, act_type="softrelu")


def _prelu(ops: Operators, layer: nn.PReLU, read: Read, x: Any) -> Any:
    del layer
    return ops.F.LeakyReLU(x, read("weight"), act_type="prelu")


def _dropout(ops: Operators, layer: Any, read: Read, x: Any, axes: tuple[int, ...] = ()) -> Any:
    del read
    return ops.F.Dropout(x, p=layer.p, axes=axes) if axes else dropout(ops, x, layer.p)


def _max_pool(ops: Operators, layer: Any, read: Read, x: Any, num_axes: int) -> Any:
    del read
    require(set(spread(layer.dilation, 1)) == {1}, "a pooling with dilation")
    require(not layer.return_indices, "a pooling with return_indices")
    sizes = layer.kernel_size, layer.stride, layer.padding
    return pool(ops, x, "max", *sizes, ceil_mode=layer.ceil_mode, num_axes=num_axes)


def _avg_pool(ops: Operators, layer: Any, read: Read, x: Any, num_axes: int) -> Any:
    del read
    require(getattr(layer, "divisor_override", None) is None, "a pooling with divisor_override")
    require(not layer.ceil_mode, "an average pooling with ceil_mode")
    sizes = layer.kernel_size, layer.stride, layer.padding
    counts = layer.count_include_pad
    return pool(ops, x, "avg", *sizes, num_axes=num_axes, count_include_pad=counts)


def _adaptive(ops: Operators, layer: Any, read: Read, x: Any, kind: str, num_axes: int) -> Any:
    del read
    return adaptive_pool(ops, x, layer.output_size, kind=kind, num_axes=num_axes)


def _upsample(ops: Operators, layer: nn.Upsample, read: Read, x: Any) -> Any:
    del read
    scale: Any = layer.scale_factor
    same = isinstance(scale, float) and scale == int(scale)
    require(layer.mode == "nearest" and same, "an Upsample that is not nearest by a whole number")
    return ops.F.UpSampling(x, scale=int(scale), sample_type="nearest")


def _flatten(ops: Operators, layer: nn.Flatten, read: Read, x: Any) -> Any:
    del read
    return ops.flatten(x, layer.start_dim, layer.end_dim)


LAYERS: dict[type[nn.Module], Rule] = {
    nn.Linear: _linear,
    **dict.fromkeys((nn.Conv1d, nn.Conv2d, nn.Conv3d), _convolution),
    **dict.fromkeys((nn.ConvTranspose1d, nn.ConvTranspose2d, nn.ConvTranspose3d), _convolution),
    **dict.fromkeys((nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d), _batch_norm),
    nn.LayerNorm: _layer_norm,
    nn.Embedding: _embedding,
    nn.ReLU: _function("relu"),
    nn.ReLU6: lambda ops, layer, read, x: relu6(ops, x),  # noqa: ARG005
    nn.Sigmoid: _function("sigmoid"),
    nn.Tanh: _function("tanh"),
    nn.Softsign: _function("softsign"),
    nn.Softplus: _softplus,
    nn.GELU: lambda ops, layer, read, x: gelu(ops, x, layer.approximate),  # noqa: ARG005
    nn.SiLU: lambda ops, layer, read, x: silu(ops, x),  # noqa: ARG005
    nn.LeakyReLU: lambda ops, layer, read, x: leaky_relu(ops, x, layer.negative_slope),  # noqa: ARG005
    nn.ELU: lambda ops, layer, read, x: ops.F.LeakyReLU(  # noqa: ARG005
        x, act_type="elu", slope=layer.alpha
    ),
    nn.SELU: _function("LeakyReLU", act_type="selu"),
    nn.PReLU: _prelu,
    nn.Identity: lambda ops, layer, read, x: x,  # noqa: ARG005
    nn.Softmax: _softmax("softmax"),
    nn.LogSoftmax: _softmax("log_softmax"),
    nn.Dropout: _dropout,
    nn.Dropout2d: partial(_dropout, axes=(2, 3)),
    nn.Flatten: _flatten,
    nn.MaxPool1d: partial(_max_pool, num_axes=1),
    nn.MaxPool2d: partial(_max_pool, num_axes=2),
    nn.MaxPool3d: partial(_max_pool, num_axes=3),
    nn.AvgPool1d: partial(_avg_pool, num_axes=1),
    nn.AvgPool2d: partial(_avg_pool, num_axes=2),
    nn.AvgPool3d: partial(_avg_pool, num_axes=3),
    nn.AdaptiveAvgPool1d: partial(_adaptive, kind="avg", num_axes=1),
    nn.AdaptiveAvgPool2d: partial(_adaptive, kind="avg", num_axes=2),
    nn.AdaptiveAvgPool3d: partial(_adaptive, kind="avg", num_axes=3),
    nn.AdaptiveMaxPool1d: partial(_adaptive, kind="max", num_axes=1),
    nn.AdaptiveMaxPool2d: partial(_adaptive, kind="max", num_axes=2),
    nn.Upsample: _upsample,
}
"""Rules by the class of the layer."""

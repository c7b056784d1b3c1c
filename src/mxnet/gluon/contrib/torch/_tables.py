"""How functions, methods and layers of torch become operators."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
import torch.nn.functional as functional
from torch import nn

from mxnet.errors import MXNetError
from mxnet.ndarray import NDArray
from mxnet.symbol import Symbol


class ConversionError(MXNetError):
    """A module of torch cannot become operators of this package."""


class Length:
    """Length of an axis of some array, which a graph knows only as that of an axis to keep.

    Args:
        axis: The axis.
    """

    def __init__(self, axis: int) -> None:
        self.axis = axis

    def _refuse(self, *_: Any) -> Any:
        raise ConversionError("computes with the length of an axis, which a graph does not know")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = _refuse


class Shape:
    """Shape of some array."""

    def __getitem__(self, axis: Any) -> Length:
        if not isinstance(axis, int) or axis < 0:
            raise ConversionError(f"the part {axis!r} of a shape is not known in a graph")
        return Length(axis)


class Operators:
    """The operators of `F`, and what rules have in common.

    Args:
        F: The operators, of the classic dialect.
        has_scalars: Whether an array may have no axes, as in the NumPy dialect.
    """

    def __init__(self, F: Any, has_scalars: bool = False) -> None:
        self.F, self.has_scalars = F, has_scalars

    def combine(self, name: str, first: Any, second: Any) -> Any:
        """Adds, subtracts, multiplies or divides arrays and numbers.

        Args:
            name: `"add"`, `"sub"`, `"mul"` or `"div"`.
            first: An array or a number.
            second: An array or a number.
        """
        if is_array(first) and is_array(second):
            return getattr(self.F, f"broadcast_{name}")(first, second)
        for item in (first, second):
            if not is_array(item) and not isinstance(item, (int, float)):
                raise ConversionError(f"{name} of {type(item).__name__} is not in a graph")
        results = {
            "add": lambda: first + second,
            "sub": lambda: first - second,
            "mul": lambda: first * second,
            "div": lambda: first / second,
        }
        return results[name]()

    def reshape(self, x: Any, lengths: Sequence[Any]) -> Any:
        """Changes the shape; a length may be that of the same axis as it is."""
        shape = []
        for position, length in enumerate(lengths):
            if isinstance(length, Length):
                if length.axis != position:
                    raise ConversionError("a reshape moves the length of an axis to another place")
                length = 0
            if not isinstance(length, int):
                raise ConversionError(f"a reshape to a length of type {type(length).__name__}")
            shape.append(length)
        return self.F.reshape(x, shape=tuple(shape))

    def flatten(self, x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
        """Folds axes into one."""
        if end_dim != -1 or start_dim < 0:
            raise ConversionError("flatten folds all axes from one on, given from the front")
        return self.F.reshape(x, shape=(*(0,) * start_dim, -1))


def is_array(value: Any) -> bool:
    """Returns whether a value is an array or stands for one."""
    return isinstance(value, (NDArray, Symbol))


def spread(value: Any, count: int) -> tuple[int, ...]:
    """Returns one number for each axis."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * count


def require(condition: bool, what: str) -> None:
    """Raises if a layer has a setting that no operator has."""
    if not condition:
        raise ConversionError(what)


Rule = Callable[..., Any]
"""Takes the operators and the arguments of a call."""


def _binary(name: str) -> Rule:
    def rule(ops: Operators, input: Any, other: Any, *, alpha: float = 1) -> Any:
        require(alpha == 1, f"{name} with alpha")
        return ops.combine(name, input, other)

    return rule


def _unary(name: str) -> Rule:
    def rule(ops: Operators, input: Any, inplace: bool = False) -> Any:
        del inplace  # results of operators are arrays of their own
        return getattr(ops.F, name)(input)

    return rule


def _reduction(name: str) -> Rule:
    def rule(ops: Operators, input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None and ops.has_scalars:
            return getattr(input.as_np_ndarray(), name)(keepdims=keepdim).as_nd_ndarray()
        axes = () if dim is None else spread(dim, 1)
        return getattr(ops.F, name)(input, axis=axes, keepdims=keepdim)

    return rule


def _softmax(name: str) -> Rule:
    def rule(
        ops: Operators, input: Any, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None
    ) -> Any:
        require(dim is not None and dtype is None, f"{name} without dim, or with dtype")
        return getattr(ops.F, name)(input, axis=dim)

    return rule


def gelu(ops: Operators, input: Any, approximate: str = "none") -> Any:
    """Applies `gelu`."""
    require(approximate == "none", f"gelu with approximate={approximate!r}")
    return ops.F.LeakyReLU(input, act_type="gelu")


def silu(ops: Operators, input: Any, inplace: bool = False) -> Any:
    """Multiplies by the sigmoid."""
    del inplace
    return input * ops.F.sigmoid(input)


def leaky_relu(
    ops: Operators, input: Any, negative_slope: float = 0.01, inplace: bool = False
) -> Any:
    """Multiplies negative elements by a slope."""
    del inplace
    return ops.F.LeakyReLU(input, act_type="leaky", slope=negative_slope)


def relu6(ops: Operators, input: Any, inplace: bool = False) -> Any:
    """Clips to 0 and 6."""
    del inplace
    return ops.F.clip(input, a_min=0, a_max=6)


def dropout(
    ops: Operators, input: Any, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Any:
    """Drops elements while training."""
    del inplace
    return ops.F.Dropout(input, p=p) if training else input


def pool(
    ops: Operators,
    input: Any,
    kind: str,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    *,
    ceil_mode: bool = False,
    num_axes: int = 2,
    **options: Any,
) -> Any:
    """Reduces windows to their maximum or average."""
    kernel = spread(kernel_size, num_axes)
    return ops.F.Pooling(
        input,
        kernel=kernel,
        stride=kernel if stride is None else spread(stride, num_axes),
        pad=spread(padding, num_axes),
        pool_type=kind,
        pooling_convention="full" if ceil_mode else "valid",
        **options,
    )


def _max_pool2d(
    ops: Operators,
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    require(set(spread(dilation, 1)) == {1} and not return_indices, "max_pool2d with dilation")
    return pool(ops, input, "max", kernel_size, stride, padding, ceil_mode=ceil_mode)


def _avg_pool2d(
    ops: Operators,
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    require(not ceil_mode, "an average pooling with ceil_mode")
    counts = count_include_pad
    return pool(ops, input, "avg", kernel_size, stride, padding, count_include_pad=counts)


def adaptive_pool(
    ops: Operators, input: Any, output_size: Any, *, kind: str = "avg", num_axes: int = 2
) -> Any:
    """Pools to a given size."""
    size = spread(output_size, num_axes)
    if set(size) == {1}:
        return ops.F.Pooling(input, kernel=(1,) * num_axes, global_pool=True, pool_type=kind)
    require(kind == "avg" and num_axes == 2, "an adaptive pooling to more than one point")
    require(None not in size, "an adaptive pooling that keeps a length")
    return ops.F.contrib.AdaptiveAvgPooling2D(input, output_size=size)


def _concatenate(ops: Operators, tensors: Sequence[Any], dim: int = 0) -> Any:
    return ops.F.concat(*tensors, dim=dim)


def _stack(ops: Operators, tensors: Sequence[Any], dim: int = 0) -> Any:
    return ops.F.stack(*tensors, axis=dim)


def _transpose(ops: Operators, input: Any, dim0: int, dim1: int) -> Any:
    return ops.F.swapaxes(input, dim1=dim0, dim2=dim1)


def _permute(ops: Operators, input: Any, *dims: Any) -> Any:
    axes = dims[0] if len(dims) == 1 and isinstance(dims[0], (list, tuple)) else dims
    return ops.F.transpose(input, axes=tuple(axes))


def _reshape(ops: Operators, input: Any, *shape: Any) -> Any:
    lengths = shape[0] if len(shape) == 1 and isinstance(shape[0], (list, tuple)) else shape
    return ops.reshape(input, lengths)


def _unsqueeze(ops: Operators, input: Any, dim: int) -> Any:
    return ops.F.expand_dims(input, axis=dim)


def _squeeze(ops: Operators, input: Any, dim: int) -> Any:
    return ops.F.squeeze(input, axis=dim)


def _flatten(ops: Operators, input: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    return ops.flatten(input, start_dim, end_dim)


def _negative(ops: Operators, input: Any) -> Any:
    return ops.combine("mul", input, -1)


def _itself(ops: Operators, input: Any, *_: Any) -> Any:  # noqa: ARG001
    return input


_EVERYWHERE: dict[str, Rule] = {
    "add": _binary("add"),
    "sub": _binary("sub"),
    "mul": _binary("mul"),
    "div": _binary("div"),
    "neg": _negative,
    **{name: _unary(name) for name in ("relu", "sigmoid", "tanh", "exp", "log", "sqrt", "abs")},
    **{name: _reduction(name) for name in ("mean", "sum")},
    "softmax": _softmax("softmax"),
    "log_softmax": _softmax("log_softmax"),
    "flatten": _flatten,
    "transpose": _transpose,
    "permute": _permute,
    "reshape": _reshape,
    "squeeze": _squeeze,
    "unsqueeze": _unsqueeze,
}
"""What torch has as a function and as a method."""

METHODS: dict[str, Rule] = {
    **_EVERYWHERE,
    **{f"{name}_": _EVERYWHERE[name] for name in ("add", "sub", "mul", "div", "relu")},
    "view": _reshape,
    "contiguous": _itself,
    "detach": lambda ops, input: ops.F.BlockGrad(input),
}
"""Rules by the name of the method."""

FUNCTIONS: dict[Any, Rule] = {
    **{getattr(torch, name): rule for name, rule in _EVERYWHERE.items()},
    operator.add: _binary("add"),
    operator.iadd: _binary("add"),
    operator.sub: _binary("sub"),
    operator.mul: _binary("mul"),
    operator.imul: _binary("mul"),
    operator.truediv: _binary("div"),
    operator.neg: _negative,
    torch.cat: _concatenate,
    torch.concat: _concatenate,
    torch.stack: _stack,
    functional.relu: _unary("relu"),
    functional.sigmoid: _unary("sigmoid"),
    functional.tanh: _unary("tanh"),
    functional.softmax: _softmax("softmax"),
    functional.log_softmax: _softmax("log_softmax"),
    functional.gelu: gelu,
    functional.silu: silu,
    functional.leaky_relu: leaky_relu,
    functional.relu6: relu6,
    functional.dropout: dropout,
    functional.max_pool2d: _max_pool2d,
    functional.avg_pool2d: _avg_pool2d,
    functional.adaptive_avg_pool2d: adaptive_pool,
}
"""Rules by the function itself."""


Read = Callable[[str], Any]
"""Returns what stands for a parameter or a buffer of a layer, None if it has none."""
LayerRule = Callable[..., Any]
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


def _function(name: str, **attrs: Any) -> LayerRule:
    def rule(ops: Operators, layer: nn.Module, read: Read, x: Any) -> Any:
        del layer, read
        return getattr(ops.F, name)(x, **attrs)

    return rule


def _softmax_layer(name: str) -> LayerRule:
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


def _flatten_layer(ops: Operators, layer: nn.Flatten, read: Read, x: Any) -> Any:
    del read
    return ops.flatten(x, layer.start_dim, layer.end_dim)


LAYERS: dict[type[nn.Module], LayerRule] = {
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
    nn.Softmax: _softmax_layer("softmax"),
    nn.LogSoftmax: _softmax_layer("log_softmax"),
    nn.Dropout: _dropout,
    nn.Dropout2d: partial(_dropout, axes=(2, 3)),
    nn.Flatten: _flatten_layer,
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

"""Layers on bytes: convolution, dense, normalization, pooling; recurrent ones are only declared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Any, Literal

import torch
import torch.nn.functional as F
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Count, Shape, Share
from mxnet.ops.core.traits import Dtypes, Labels, Settings
from mxnet.ops.nn.layouts import check_window, require_shape
from mxnet.ops.nn.linear import Layout, Tuning, convolution, fill_convolution
from mxnet.ops.nn.pooling import Layout as PoolingLayout
from mxnet.ops.nn.rnn import fill_rnn
from mxnet.ops.quantization.conversion import (
    BYTES,
    DATA_RANGE,
    FLOATS,
    INT8_LARGEST,
    INT8_LEVELS,
    INT32_LARGEST,
    RANGE,
    UINT8_LARGEST,
    UINT8_LEVELS,
    calibrated_range,
    constant,
    empty_results,
    fill_data_range,
    integer_op,
    inverse_scale,
    is_calibrated,
    levels_of,
    like_data,
    magnitude,
    require_dtype,
    require_ranges,
    saturate,
    scale_of,
)
from mxnet.ops.quantization.kernels import Window, convolve_to_int32, multiply_to_int32
from mxnet.ops.rules import flops

_CONV, _DENSE = "_contrib_quantized_conv", "_contrib_quantized_fully_connected"
_OUTPUT_DTYPES = [torch.int32, torch.float32, torch.float32]
_RANGES = ("min_data", "max_data", "min_weight", "max_weight")
_BIAS_RANGES = ("min_bias", "max_bias")
_INPUT_DTYPES = {"weight": (torch.int8,), "bias": (torch.int8,)} | dict.fromkeys(
    _RANGES + _BIAS_RANGES, FLOATS
)


def _inputs(*, no_bias: bool, **_: object) -> tuple[str, ...]:
    """Names the inputs; a bias brings its range."""
    if no_bias:
        return ("data", "weight", *_RANGES)
    return ("data", "weight", "bias", *_RANGES, *_BIAS_RANGES)


def _with_ranges(shapes: dict[str, Shape]) -> dict[str, Shape]:
    return shapes | dict.fromkeys(_RANGES + _BIAS_RANGES, RANGE)


def _range_of_sums(ends: Sequence[Tensor], levels: float) -> tuple[Tensor, Tensor]:
    """Returns the range that int32 sums of products stand for.

    Args:
        ends: Ends of the ranges of the data and of the weights.
        levels: What the range of the weights is split into.
    """
    low_data, high_data, low_weight, high_weight = ends
    step = scale_of(low_data, high_data, INT8_LARGEST) * scale_of(low_weight, high_weight, levels)
    largest = step * constant(INT32_LARGEST, step)
    return -largest, largest


def _fill_conv(data: Shape, **settings: Any) -> dict[str, Shape]:
    if len(data) not in (4, 5):
        raise MXNetError(f"{_CONV}: expected data of 4 or 5 axes, got shape {data}")
    return _with_ranges(dict(fill_convolution(data, **settings)))


def _check_conv(*, num_group: int, layout: str | None, **window: Any) -> None:
    if num_group != 1:
        raise MXNetError(f"{_CONV}: expected num_group=1, got {num_group}")
    if layout not in (None, "NCHW", "NCDHW"):
        raise MXNetError(f"{_CONV}: expected layout NCHW or NCDHW, got {layout}")
    check_window(_CONV, (2, 3), **window)


@integer_op(
    _CONV,
    _INPUT_DTYPES,
    _OUTPUT_DTYPES,
    fill_shapes=_fill_conv,
    active_inputs=_inputs,
    check_attrs=_check_conv,
    flops=flops.convolution_with(weight=1),
)
def quantized_conv(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    kernel: Shape,
    stride: Shape = (),
    dilate: Shape = (),
    pad: Shape = (),
    num_filter: Count,
    num_group: Count = 1,
    workspace: int = 1024,
    no_bias: bool = False,
    cudnn_tune: Tuning = None,
    cudnn_off: bool = False,
    layout: Layout = None,
) -> tuple[Tensor, ...]:
    """Computes a convolution of bytes, whose result is int32.

    Args:
        data: Integers, uint8, on GPUs also int8, of shape `(batch, channels, *spatial)` with two or
            three spatial axes.
        weight: Filters, int8, of shape `(num_filter, channels, *kernel)`.
        bias: Offsets, int8, of shape `(num_filter,)`. To sums of uint8 they are added as they are:
            their range does not matter.
        min_data: Lower end of the range of the data, of shape `(1,)`; so are the other ranges.
        max_data: Upper end of the range of the data.
        min_weight: Lower end of the range of the filters.
        max_weight: Upper end of the range of the filters.
        min_bias: Lower end of the range of the bias.
        max_bias: Upper end of the range of the bias.
        kernel: Size of the window.
        stride: Steps of the window, 1 if empty.
        dilate: Distances between the points of the window, 1 if empty.
        pad: Zeros on both sides of each spatial axis, none if empty.
        num_filter: Number of output channels.
        num_group: 1.
        workspace: Accepted for compatibility.
        no_bias: Whether to leave the bias and its range out.
        cudnn_tune: Accepted for compatibility.
        cudnn_off: Accepted for compatibility.
        layout: `NCHW`, `NCDHW` or None.

    Returns:
        The sums of products, int32, and the ends of the range that int32 stands for.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1, 1, 2, 2), dtype="uint8")
        >>> weight = mx.nd.ones((1, 1, 2, 2), dtype="int8")
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> ranges = {"min_data": low, "max_data": high, "min_weight": low, "max_weight": high}
        >>> options = {"kernel": (2, 2), "num_filter": 1, "no_bias": True}
        >>> print(mx.nd.contrib.quantized_conv(x, weight, **ranges, **options)[0].asnumpy())
        [[[[4]]]]
    """
    attrs = {"kernel": kernel, "stride": stride, "dilate": dilate, "pad": pad}
    ends = dict(zip(_RANGES, (min_data, max_data, min_weight, max_weight), strict=True))
    require_ranges(_CONV, **ends)
    if data.is_meta:
        shape = convolution(
            data.float(), weight.float(), num_filter=num_filter, no_bias=True, **attrs
        ).shape
        return empty_results((shape, torch.int32))
    require_dtype(_CONV, "data", data, *((torch.uint8,) if _is_on_cpu(data) else BYTES))
    require_dtype(_CONV, "weight", weight, torch.int8)
    axes = len(kernel)
    require_shape(_CONV, "weight", weight, (num_filter, data.shape[1], *kernel))
    window = Window(stride or (1,) * axes, pad or (0,) * axes, dilate or (1,) * axes)
    sums = convolve_to_int32(data, weight, window)
    if data.dtype is torch.int8 and not no_bias:
        require_ranges(_CONV, min_bias=min_bias, max_bias=max_bias)
        bias_ends = _given({"min_bias": min_bias, "max_bias": max_bias})
        offsets = _scale_bias(_required_bias(_CONV, bias, num_filter), bias_ends, _given(ends))
        sums += offsets.reshape(-1, *(1,) * axes)
    elif not no_bias:
        sums += _required_bias(_CONV, bias, num_filter).reshape(-1, *(1,) * axes)
    return (sums, *_range_of_sums(_given(ends), INT8_LARGEST))


def _is_on_cpu(data: Tensor) -> bool:
    return data.device.type == "cpu"


def _scale_bias(offsets: Tensor, bias_ends: Sequence[Tensor], ends: Sequence[Tensor]) -> Tensor:
    """Returns a bias of int8 in the unit of sums of products of int8, as int32.

    Args:
        offsets: The bias.
        bias_ends: Ends of its range.
        ends: Ends of the ranges of the data and of the weights.
    """
    low_data, high_data, low_weight, high_weight = ends
    low_bias, high_bias = bias_ends
    step = scale_of(low_data, high_data, INT8_LARGEST) * scale_of(
        low_weight, high_weight, INT8_LARGEST
    )
    factor = scale_of(low_bias, high_bias, INT8_LARGEST) / step
    return (offsets * factor).round().to(torch.int32)


def _given(ends: dict[str, Tensor | None]) -> tuple[Tensor, ...]:
    return tuple(end for end in ends.values() if end is not None)


def _required_bias(name: str, bias: Tensor | None, count: int) -> Tensor:
    if bias is None:
        raise MXNetError(f"{name}: expected an input `bias` with no_bias=False, got none")
    require_dtype(name, "bias", bias, torch.int8)
    require_shape(name, "bias", bias, (count,))
    return bias.to(torch.int32)


def _fill_dense(data: Shape, *, num_hidden: int, flatten: bool, **_: object) -> dict[str, Shape]:
    in_units = prod(data[1:]) if flatten else data[-1]
    return _with_ranges({"weight": (num_hidden, in_units), "bias": (num_hidden,)})


def _rescale_bias(bias: Tensor, low: Tensor, high: Tensor, per_unit: Tensor) -> Tensor:
    """Returns a bias in steps of the sums of products, cut off towards 0.

    Args:
        bias: The offsets.
        low: Lower end of their range.
        high: Upper end of their range.
        per_unit: Number of steps of the sums that stand for 1.
    """
    scale = magnitude(low, high) * per_unit / constant(INT8_LEVELS, low)
    return (bias * scale).to(torch.int32)


@integer_op(
    _DENSE,
    {"data": BYTES, **_INPUT_DTYPES},
    _OUTPUT_DTYPES,
    fill_shapes=_fill_dense,
    active_inputs=_inputs,
    flops=flops.dense,
)
def quantized_fully_connected(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    min_data: Tensor | None = None,
    max_data: Tensor | None = None,
    min_weight: Tensor | None = None,
    max_weight: Tensor | None = None,
    min_bias: Tensor | None = None,
    max_bias: Tensor | None = None,
    *,
    num_hidden: Count,
    no_bias: bool = False,
    flatten: bool = True,
) -> tuple[Tensor, ...]:
    """Computes a dense layer on bytes, whose result is int32.

    Args:
        data: Integers, int8 or uint8, of shape `(batch, ...)`.
        weight: Weights, int8, of shape `(num_hidden, in_units)`.
        bias: Offsets, int8, of shape `(num_hidden,)`.
        min_data: Lower end of the range of the data, of shape `(1,)`; so are the other ranges.
        max_data: Upper end of the range of the data.
        min_weight: Lower end of the range of the weights.
        max_weight: Upper end of the range of the weights.
        min_bias: Lower end of the range of the bias.
        max_bias: Upper end of the range of the bias.
        num_hidden: Size of the output.
        no_bias: Whether to leave the bias and its range out.
        flatten: Whether to fold all axes but the first into one; otherwise the layer applies to the
            last axis.

    Returns:
        The sums of products, int32, and the ends of the range that int32 stands for.

    Example:
        >>> import mxnet as mx
        >>> x, weight = mx.nd.ones((1, 3), dtype="int8"), mx.nd.ones((2, 3), dtype="int8")
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> ranges = {"min_data": low, "max_data": high, "min_weight": low, "max_weight": high}
        >>> options = {"num_hidden": 2, "no_bias": True}
        >>> y = mx.nd.contrib.quantized_fully_connected(x, weight, **ranges, **options)
        >>> print(y[0].asnumpy())
        [[3 3]]
    """
    ends = dict(zip(_RANGES, (min_data, max_data, min_weight, max_weight), strict=True))
    require_ranges(_DENSE, **ends)
    if flatten:
        rows = data.reshape(data.shape[0], -1)
        shape: Shape = (data.shape[0], num_hidden)
    else:
        rows = data.reshape(-1, data.shape[-1])
        shape = (*data.shape[:-1], num_hidden)
    require_shape(_DENSE, "weight", weight, (num_hidden, rows.shape[1]))
    if data.is_meta:
        return empty_results((shape, torch.int32))
    require_dtype(_DENSE, "data", data, *BYTES)
    require_dtype(_DENSE, "weight", weight, torch.int8)
    sums = multiply_to_int32(rows, weight)
    low, high, low_weight, high_weight = _given(ends)
    if not no_bias:
        require_ranges(_DENSE, min_bias=min_bias, max_bias=max_bias)
        per_unit = inverse_scale(magnitude(low, high), levels_of(data.dtype)) * inverse_scale(
            magnitude(low_weight, high_weight), INT8_LEVELS
        )
        offsets = _required_bias(_DENSE, bias, num_hidden)
        low_bias, high_bias = _given({"min_bias": min_bias, "max_bias": max_bias})
        sums += _rescale_bias(offsets, low_bias, high_bias, per_unit)
    # The original splits the range of the weights, not that of the data, into 255.
    levels = UINT8_LARGEST if data.dtype is torch.uint8 else INT8_LARGEST
    return (sums.reshape(shape), *_range_of_sums(_given(ends), levels))


_NORM = "_contrib_quantized_batch_norm"
_PARAMETERS = ("gamma", "beta", "moving_mean", "moving_var")


def _fill_norm(data: Shape, *, axis: int, **_: object) -> dict[str, Shape]:
    return {**dict.fromkeys(_PARAMETERS, (data[axis],)), "min_data": RANGE, "max_data": RANGE}


def _slope_and_offset(
    parameters: tuple[Tensor, ...], eps: float, extent: Tensor, result: Tensor
) -> tuple[Tensor, Tensor]:
    """Returns what a byte is multiplied by, and what is added, for each channel.

    Args:
        parameters: Scale, offset, mean and variance of each channel.
        eps: What is added to variances.
        extent: Magnitude of the range of the data.
        result: Magnitude of the range of the result.
    """
    gamma, beta, mean, variance = parameters
    gain = gamma * (variance.double() + eps).rsqrt_().float()
    slope = gain * extent / result
    offset = (beta - mean * gamma * (variance.double() + eps).rsqrt_().float()) * constant(
        INT8_LEVELS, result
    )
    # The original's kernel normalizes once more, by a variance of 1.
    unit = (constant(1, result) + constant(eps, result)).sqrt()
    return slope / unit, offset / result


@integer_op(
    _NORM,
    {"data": BYTES, **dict.fromkeys(_PARAMETERS, FLOATS), **DATA_RANGE},
    [torch.int8, torch.float32, torch.float32],
    aux=("moving_mean", "moving_var"),
    fill_shapes=_fill_norm,
)
def quantized_batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> tuple[Tensor, ...]:
    """Normalizes bytes by the moving mean and variance of their channel.

    Args:
        data: Integers, int8 or uint8, with the channels on axis 1.
        gamma: Scale of each channel; it counts whatever `fix_gamma` is.
        beta: Offset of each channel.
        moving_mean: Mean of each channel.
        moving_var: Variance of each channel.
        min_data: Lower end of the range of the data, of shape `(1,)`.
        max_data: Upper end of the range of the data, of shape `(1,)`.
        eps: What is added to variances.
        momentum: Accepted for compatibility.
        fix_gamma: Accepted for compatibility.
        use_global_stats: Accepted for compatibility.
        output_mean_var: Accepted for compatibility.
        axis: Axis of the channels, 1.
        cudnn_off: Accepted for compatibility.
        min_calib_range: Lower end of the range of the result; it is needed.
        max_calib_range: Upper end of the range of the result; it is needed.

    Returns:
        The normalized integers, int8, and the ends of their range.

    Example:
        >>> import mxnet as mx
        >>> x, zeros, ones = mx.nd.ones((1, 2), dtype="int8"), mx.nd.zeros(2), mx.nd.ones(2)
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> calibrated = {"min_calib_range": -1, "max_calib_range": 1}
        >>> arrays = (x, ones, zeros, zeros, ones, low, high)
        >>> print(mx.nd.contrib.quantized_batch_norm(*arrays, **calibrated)[0].dtype.__name__)
        int8
    """
    require_ranges(_NORM, min_data=min_data, max_data=max_data)
    parameters = (gamma, beta, moving_mean, moving_var)
    for role, array in zip(_PARAMETERS, parameters, strict=True):
        require_shape(_NORM, role, array, (data.shape[axis],))
    if data.is_meta:
        return empty_results((data.shape, torch.int8))
    require_dtype(_NORM, "data", data, *BYTES)
    for role, array in zip(_PARAMETERS, parameters, strict=True):
        require_dtype(_NORM, role, array, torch.float32)
    if data.shape[axis] != data.shape[1]:
        raise MXNetError(f"{_NORM}: expected the channels on axis 1, got axis {axis}")
    if not is_calibrated(min_calib_range, max_calib_range):
        raise MXNetError(
            f"{_NORM}: expected a calibrated range, got none; set min_calib_range and "
            "max_calib_range"
        )
    low, high = calibrated_range(min_calib_range, max_calib_range, data)
    slope, offset = _slope_and_offset(
        parameters, eps, magnitude(min_data, max_data), magnitude(low, high)
    )
    if data.dtype is torch.uint8:
        ratio = constant(INT8_LEVELS, low) / constant(UINT8_LEVELS, low)
        data = saturate(data.float().mul_(ratio), torch.int8)
    shape = (-1, *(1 for _ in data.shape[2:]))
    steps = data.float().mul_(slope.reshape(shape)).add_(offset.reshape(shape))
    return saturate(steps, torch.int8), low, high


_RNN = "_contrib_quantized_rnn"
_INPUTS = ("data", "parameters", "state", "state_cell", "data_scale", "data_shift")


def _fill_parameters(data: Shape, **settings: Any) -> dict[str, Shape]:
    return fill_rnn(data, **settings) | {"data_scale": RANGE, "data_shift": RANGE}


def _count_outputs(*, state_outputs: bool, **_: object) -> int:
    return 3 if state_outputs else 1


def _name_outputs(**attrs: Any) -> tuple[str, ...]:
    # The letter that is missing is missing in files, too.
    return ("output", "state_output", "statecell_ouput")[: _count_outputs(**attrs)]


def _output_dtypes(known: Dtypes, settings: Settings) -> Dtypes:
    return [torch.float32] * _count_outputs(**settings)


def _active_inputs(**_: object) -> tuple[str, ...]:
    return _INPUTS


@integer_op(
    _RNN,
    {"data": (torch.uint8,), **dict.fromkeys(_INPUTS[1:], FLOATS)},
    _output_dtypes,
    num_outputs=_count_outputs,
    labels=Labels(outputs=_name_outputs, names_outputs=True),
    fill_shapes=_fill_parameters,
    active_inputs=_active_inputs,
)
def quantized_rnn(
    data: Tensor,
    parameters: Tensor,
    state: Tensor,
    state_cell: Tensor,
    data_scale: Tensor,
    data_shift: Tensor,
    *,
    state_size: Count,
    num_layers: Count,
    bidirectional: bool = False,
    mode: Literal["gru", "lstm", "rnn_relu", "rnn_tanh"],
    p: Share = 0.0,
    state_outputs: bool = False,
    projection_size: int | None = None,
    lstm_state_clip_min: float | None = None,
    lstm_state_clip_max: float | None = None,
    lstm_state_clip_nan: bool = False,
    use_sequence_length: bool = False,
) -> tuple[Tensor, ...]:
    """Stands for an LSTM on bytes in graphs; running it raises.

    The original computes it on few CPUs only, and raises on all others.

    Args:
        data: Sequences of shape `(time, batch, input)`, uint8, as `quantize_asym` returns them.
        parameters: All weights, then all biases, in one vector, float32.
        state: First hidden state, of shape `(layers * directions, batch, state_size)`.
        state_cell: First cell state, of the same shape.
        data_scale: Scale of the data, of shape `(1,)`.
        data_shift: Shift of the data, of shape `(1,)`.
        state_size: Size of the hidden state.
        num_layers: Number of layers.
        bidirectional: Whether each layer also runs backwards.
        mode: `lstm`.
        p: Share of the outputs that is dropped in training.
        state_outputs: Whether to return the final states too.
        projection_size: Size to which the hidden state is projected.
        lstm_state_clip_min: Least value of the cell state.
        lstm_state_clip_max: Greatest value of the cell state.
        lstm_state_clip_nan: Whether clipping also replaces NaN.
        use_sequence_length: Whether lengths of sequences are given.

    Returns:
        The outputs and, if they are asked for, the final states, float32.

    Example:
        >>> import mxnet as mx
        >>> data = mx.sym.var("data")
        >>> y = mx.sym.contrib.quantized_rnn(data, state_size=4, num_layers=1, mode="lstm")
        >>> print(len(y.list_arguments()))
        6
    """
    if mode != "lstm":
        raise MXNetError(f"{_RNN}: expected mode lstm, got {mode}")
    filled = fill_rnn(
        tuple(data.shape),
        state_size=state_size,
        num_layers=num_layers,
        bidirectional=bidirectional,
        mode=mode,
        projection_size=projection_size,
    )
    for role, array in (("parameters", parameters), ("state", state), ("state_cell", state_cell)):
        require_shape(_RNN, role, array, filled[role])
    if data.is_meta:
        size = (projection_size or state_size) * (1 + bidirectional)
        shapes = ((*data.shape[:2], size), state.shape, state_cell.shape)
        made = tuple(torch.empty(shape, device="meta") for shape in shapes)
        return made if state_outputs else made[:1]
    require_dtype(_RNN, "data", data, torch.uint8)
    raise MXNetError(
        f"{_RNN}: no kernel for recurrent layers of bytes; leave the layer out of quantization "
        "(`exclude_operators=['RNN']`) or use the operator RNN"
    )


_POOLING = "_contrib_quantized_pooling"


def _check_pooling(
    *, kernel: Shape, stride: Shape, pad: Shape, pool_type: str, layout: str | None, **_: object
) -> None:
    if len(kernel) not in (2, 3) or min((*kernel, *stride)) < 1:
        raise MXNetError(
            f"{_POOLING}: expected a positive kernel of 2 or 3 sizes, got {kernel} and stride "
            f"{stride}"
        )
    if pool_type not in ("max", "avg"):
        raise MXNetError(f"{_POOLING}: expected pool_type max or avg, got {pool_type}")
    if layout not in (None, "NCHW", "NCDHW"):
        raise MXNetError(f"{_POOLING}: expected layout NCHW or NCDHW, got {layout}")
    for attribute, values in (("stride", stride), ("pad", pad)):
        if values and len(values) != len(kernel):
            raise MXNetError(
                f"{_POOLING}: expected `{attribute}` of {len(kernel)} numbers, got {values}"
            )


def _count_windows(spatial: Shape, kernel: Shape, window: Window, convention: str) -> Shape:
    """Returns the number of windows along each axis."""
    sizes = list(zip(spatial, kernel, window.stride, window.pad, strict=True))
    rooms = [size + 2 * margin - length for size, length, _, margin in sizes]
    if min(rooms) < 0:
        raise MXNetError(
            f"{_POOLING}: kernel {kernel} does not fit data of spatial size {spatial} with pad "
            f"{window.pad}"
        )
    if convention == "full":
        return tuple(1 - (-room // step) for room, step in zip(rooms, window.stride, strict=True))
    return tuple(1 + room // step for room, step in zip(rooms, window.stride, strict=True))


def _check_kernel_takes(
    spatial: Shape, counts: Shape, kernel: Shape, window: Window, convention: str, excludes: bool
) -> None:
    """Refuses windows for which the original's kernel has no descriptor."""
    sizes = list(zip(spatial, counts, kernel, window.stride, window.pad, strict=True))
    # Of three axes the original checks the outer ones alone, unless it adds to the padding.
    checked = sizes if convention == "full" else [sizes[0], sizes[-1]]
    if any(margin >= length for _, _, length, _, margin in checked):
        raise MXNetError(
            f"{_POOLING}: expected a pad smaller than the kernel {kernel}, got {window.pad}"
        )
    if convention == "same" and any(
        (size + 2 * margin - length) % step for size, _, length, step, margin in sizes
    ):
        raise MXNetError(
            f"{_POOLING}: expected windows that reach the end of spatial size {spatial} with "
            f"pooling_convention='same', got kernel {kernel} and stride {window.stride}"
        )
    if excludes and any(
        margin >= length or (count - 1) * step - margin >= size
        for size, count, length, step, margin in sizes
    ):
        raise MXNetError(
            f"{_POOLING}: a window lies outside of spatial size {spatial}, of which there is no "
            "average; set count_include_pad or another pooling_convention"
        )


def _pad(data: Tensor, counts: Shape, kernel: Shape, window: Window, value: int) -> Tensor:
    """Pads data so that every window lies inside."""
    widths: list[int] = []
    for size, count, length, step, margin in zip(
        data.shape[2:], counts, kernel, window.stride, window.pad, strict=True
    ):
        widths = [margin, max((count - 1) * step + length - size - margin, 0), *widths]
    return F.pad(data, widths, value=value) if any(widths) else data


def _count_points(data: Tensor, counts: Shape, kernel: Shape, window: Window) -> Tensor:
    """Returns how many points of the data lie in each window."""
    lengths = []
    for size, count, length, step, margin in zip(
        data.shape[2:], counts, kernel, window.stride, window.pad, strict=True
    ):
        begin = torch.arange(count, device=data.device) * step - margin
        lengths.append((begin + length).clamp(max=size) - begin.clamp(min=0))
    return reduce(lambda outer, inner: outer.unsqueeze(-1) * inner, lengths).float()


def _pool_max(data: Tensor, counts: Shape, kernel: Shape, window: Window) -> Tensor:
    """Takes maxima along one axis after the other.

    torch's kernel for bytes counts points by bytes, and refuses images with channels last in
    memory, as convolutions return them.
    """
    pooled = _pad(data, counts, kernel, window, torch.iinfo(data.dtype).min)
    for axis, (count, length, step) in enumerate(zip(counts, kernel, window.stride, strict=True)):
        before = (slice(None),) * (axis + 2)
        reach = (count - 1) * step + 1
        windows = [(*before, slice(begin, begin + reach, step)) for begin in range(length)]
        parts = [pooled[points] for points in windows]
        pooled = reduce(torch.maximum, parts) if length > 1 else parts[0].clone()
    return pooled


def _pool_average(
    data: Tensor, counts: Shape, kernel: Shape, window: Window, excludes: bool
) -> Tensor:
    """Averages windows: float32 holds their sums exactly, and the quotient rounds to even."""
    padded = _pad(data, counts, kernel, window, 0).float()
    pool = F.avg_pool2d if len(kernel) == 2 else F.avg_pool3d
    sums = pool(padded, kernel, window.stride, divisor_override=1)
    if excludes:
        points = _count_points(data, counts, kernel, window)
    else:
        points = sums.new_full((), prod(kernel))
    return sums.div_(points).round_().to(data.dtype)


@integer_op(
    _POOLING,
    DATA_RANGE,
    like_data,
    fill_shapes=fill_data_range,
    check_attrs=_check_pooling,
    flops=flops.pooling,
)
def quantized_pooling(
    data: Tensor,
    min_data: Tensor,
    max_data: Tensor,
    *,
    kernel: Shape = (),
    pool_type: Literal["avg", "lp", "max", "sum"] = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,
    pooling_convention: Literal["full", "same", "valid"] = "valid",
    stride: Shape = (),
    pad: Shape = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: PoolingLayout = None,
    output_size: Shape | None = None,
) -> tuple[Tensor, ...]:
    """Reduces each window of bytes to its maximum or its average, which is rounded to even.

    Args:
        data: Integers, int8 or uint8, of shape `(batch, channels, *spatial)` with two or three
            spatial axes.
        min_data: Lower end of their range, of shape `(1,)`.
        max_data: Upper end of their range, of shape `(1,)`.
        kernel: Size of the window; needed with `global_pool` too, for its number of axes.
        pool_type: `max` or `avg`.
        global_pool: Whether one window covers each channel; ignores stride and pad.
        cudnn_off: Accepted for compatibility.
        pooling_convention: Number of windows along an axis. `valid`: as many as fit; `full`: also
            one that ends outside; `same`: as `valid`, and raises if they do not reach the end.
        stride: Steps of the window, 1 if empty.
        pad: Points added on both sides of each spatial axis, none if empty.
        p_value: Accepted for compatibility.
        count_include_pad: Whether an average counts points outside of the data; None counts them.
        layout: `NCHW`, `NCDHW` or None.
        output_size: Accepted for compatibility with MXNet 2.

    Returns:
        The pooled integers and the range, which stays the same.

    Example:
        >>> import mxnet as mx
        >>> x = mx.nd.ones((1, 1, 2, 2), dtype="int8")
        >>> low, high = mx.nd.array([-1]), mx.nd.array([1])
        >>> print(mx.nd.contrib.quantized_pooling(x, low, high, kernel=(2, 2))[0].asnumpy())
        [[[[1]]]]
    """
    require_ranges(_POOLING, min_data=min_data, max_data=max_data)
    if data.ndim not in (4, 5) or data.ndim != len(kernel) + 2:
        raise MXNetError(
            f"{_POOLING}: kernel {kernel} takes data of {len(kernel) + 2} axes, "
            f"got shape {tuple(data.shape)}"
        )
    axes, spatial = len(kernel), tuple(data.shape[2:])
    window = Window(stride or (1,) * axes, pad or (0,) * axes, ())
    counts = _count_windows(spatial, kernel, window, pooling_convention)
    if global_pool:
        kernel, window, counts = spatial, Window((1,) * axes, (0,) * axes, ()), (1,) * axes
    if data.is_meta:
        return empty_results(((*data.shape[:2], *counts), data.dtype))
    require_dtype(_POOLING, "data", data, *BYTES)
    excludes = pool_type == "avg" and count_include_pad is False
    _check_kernel_takes(spatial, counts, kernel, window, pooling_convention, excludes)
    if pool_type == "max":
        pooled = _pool_max(data, counts, kernel, window)
    else:
        pooled = _pool_average(data, counts, kernel, window, excludes)
    return pooled, min_data.clone(), max_data.clone()

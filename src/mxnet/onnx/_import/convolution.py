"""Convolutions and their transposes."""

from __future__ import annotations

from typing import Any

from mxnet.onnx._import.functions import sym
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.shaping import pad
from mxnet.onnx._import.values import Value
from mxnet.onnx._import.windows import read_window


def _kernel(node: Node, weight: Value) -> tuple[int, ...]:
    kernel = tuple(node.ints("kernel_shape") or weight.sizes[2:])
    if kernel != weight.sizes[2:]:
        raise node.error(f"kernel_shape {kernel} does not fit weights of shape {weight.sizes}")
    return kernel


@imports("Conv")
def _convolution(node: Node, x: Value, weight: Value, bias: Value | None = None) -> Any:
    window = read_window(node, x, _kernel(node, weight))
    data, padding = x.sym, window.before
    if not window.is_even:
        data = pad(node, x.np, window.widths, "constant", 0.0).as_nd_ndarray()
        padding = (0,) * len(window.kernel)
    inputs = [data, weight.sym] if bias is None else [data, weight.sym, bias.sym]
    return sym.Convolution(
        *inputs,
        kernel=window.kernel,
        stride=window.stride,
        dilate=window.dilate,
        pad=padding,
        num_filter=weight.sizes[0],
        num_group=node.get("group", 1),
        no_bias=bias is None,
    )


@imports("ConvTranspose")
def _transposed(node: Node, x: Value, weight: Value, bias: Value | None = None) -> Any:
    kernel = _kernel(node, weight)
    count, groups = len(kernel), node.get("group", 1)
    stride = tuple(node.ints("strides", [1] * count) or [])
    dilate = tuple(node.ints("dilations", [1] * count) or [])
    before, after, extra = _output_pads(node, x, kernel, stride, dilate)
    inputs = [x.sym, weight.sym] if bias is None else [x.sym, weight.sym, bias.sym]
    options = {
        "kernel": kernel,
        "stride": stride,
        "dilate": dilate,
        "num_filter": weight.sizes[1] * groups,
        "num_group": groups,
        "no_bias": bias is None,
    }
    fits = all(0 <= more < max(step, 1) for more, step in zip(extra, stride, strict=True))
    if before == after and fits:
        return sym.Deconvolution(*inputs, pad=before, adj=extra, **options)
    # Everything is computed, and then cut off or filled up on each side.
    full = sym.Deconvolution(*inputs, pad=(0,) * count, **options).as_np_ndarray()
    widths = [(-a, more - b) for a, b, more in zip(before, after, extra, strict=True)]
    if bias is not None and any(end > 0 for _, end in widths):
        raise node.error("output_padding beyond the step, with a bias, cannot be imported")
    return pad(node, full, [(0, 0), (0, 0), *widths], "constant", 0.0)


def _output_pads(
    node: Node,
    x: Value,
    kernel: tuple[int, ...],
    stride: tuple[int, ...],
    dilate: tuple[int, ...],
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Returns what is cut off at the beginning and the end of each axis, and what is added."""
    count = len(kernel)
    extra = tuple(node.ints("output_padding", [0] * count) or [])
    pads = node.ints("pads", [0] * 2 * count) or []
    mode = node.get("auto_pad", "NOTSET")
    shape = node.ints("output_shape")
    if len(extra) != count or len(pads) != 2 * count or len(stride) != count:
        raise node.error(f"strides, pads and output_padding do not fit a window of {count} axes")
    if shape is None and mode not in ("SAME_UPPER", "SAME_LOWER"):
        pads = [0] * 2 * count if mode == "VALID" else pads
        return tuple(pads[:count]), tuple(pads[count:]), extra
    before, after = [], []
    wanted = (
        shape[-count:]
        if shape
        else [size * step for size, step in zip(x.sizes[2:], stride, strict=True)]
    )
    for axis, size in enumerate(x.sizes[2:]):
        full = stride[axis] * (size - 1) + extra[axis] + (kernel[axis] - 1) * dilate[axis] + 1
        total = full - wanted[axis]
        less, more = (total // 2, total - total // 2) if total >= 0 else (0, total)
        before.append(less if mode != "SAME_LOWER" else more)
        after.append(more if mode != "SAME_LOWER" else less)
    if mode == "NOTSET":  # the larger part comes first, unless SAME_UPPER says otherwise
        before, after = (
            [max(a, b) for a, b in zip(before, after, strict=True)],
            [min(a, b) for a, b in zip(before, after, strict=True)],
        )
    return tuple(before), tuple(after), extra


@imports("DeformConv")
def _deformable(
    node: Node,
    x: Value,
    weight: Value,
    offset: Value,
    bias: Value | None = None,
    mask: Value | None = None,
) -> Any:
    window = read_window(node, x, _kernel(node, weight))
    if not window.is_even:
        raise node.error("uneven padding of a deformable convolution cannot be imported")
    options = {
        "kernel": window.kernel,
        "stride": window.stride,
        "dilate": window.dilate,
        "pad": window.before,
        "num_filter": weight.sizes[0],
        "num_group": node.get("group", 1),
        "num_deformable_group": node.get("offset_group", 1),
        "no_bias": bias is None,
    }
    tail = [] if bias is None else [bias.sym]
    if mask is None:
        return sym.contrib.DeformableConvolution(x.sym, offset.sym, weight.sym, *tail, **options)
    return sym.contrib.ModulatedDeformableConvolution(
        x.sym, offset.sym, mask.sym, weight.sym, *tail, **options
    )

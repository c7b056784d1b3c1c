"""Pooling."""

from __future__ import annotations

import math
from typing import Any

from mxnet import limits
from mxnet.onnx._import.functions import cast, np, sym
from mxnet.onnx._import.lengths import Length
from mxnet.onnx._import.nodes import Node, imports
from mxnet.onnx._import.shaping import pad
from mxnet.onnx._import.values import Value
from mxnet.onnx._import.windows import Window, read_window


@imports("GlobalAveragePool", "GlobalMaxPool")
def _global(node: Node, x: Value) -> Any:
    axes = tuple(range(2, x.ndim))
    if len(axes) in (1, 2, 3):
        mode = "avg" if node.op_type == "GlobalAveragePool" else "max"
        return sym.Pooling(x.sym, global_pool=True, pool_type=mode, kernel=(1,) * len(axes))
    function = np.mean if node.op_type == "GlobalAveragePool" else np.max
    return function(x.np, axis=axes, keepdims=True)


@imports("GlobalLpPool")
def _global_norm(node: Node, x: Value) -> Any:
    p = node.get("p", 2)
    total = np.sum(np.power(np.abs(x.np), p), axis=tuple(range(2, x.ndim)), keepdims=True)
    return np.power(total, 1 / p)


@imports("MaxPool")
def _max(node: Node, x: Value) -> Any:
    if len(node.outputs) > 1 and node.outputs[1]:
        raise node.error("the positions of the largest elements cannot be imported")
    if node.get("storage_order", 0):
        raise node.error("storage_order=1 cannot be imported")
    window = read_window(node, x, tuple(node.ints("kernel_shape") or ()))
    if any(distance != 1 for distance in window.dilate):
        return _max_of_parts(node, x, window)
    lowest = -3.4028234663852886e38 if x.is_float else 0.0
    if not x.is_float and x.dtype != "uint8":
        lowest = {"int8": -128.0}.get(x.dtype or "", -2147483648.0)
    return _pool(node, x, window, "max", lowest)


def _max_of_parts(node: Node, x: Value, window: Window) -> Any:
    """Takes the largest of shifted slices, one for each point of a window with distances."""
    after = _ceil_pads(node, x, window) if node.get("ceil_mode", 0) else window.after
    widths = [(0, 0), (0, 0), *zip(window.before, after, strict=True)]
    data = pad(node, x.np, widths, "constant", -3.4028234663852886e38)
    sizes = [
        (size + a + b - (kernel - 1) * distance - 1) // step + 1
        for size, a, b, kernel, distance, step in zip(
            x.sizes[2:],
            window.before,
            after,
            window.kernel,
            window.dilate,
            window.stride,
            strict=True,
        )
    ]
    limits.check("operator_steps", math.prod(window.kernel), f"node {node.name!r}: window")
    offsets: list[tuple[int, ...]] = [()]
    for kernel, distance in zip(window.kernel, window.dilate, strict=True):
        offsets = [(*one, point * distance) for one in offsets for point in range(kernel)]
    result = None
    for offset in offsets:
        begin = (None, None, *offset)
        end = [
            start + (size - 1) * step + 1
            for start, size, step in zip(offset, sizes, window.stride, strict=True)
        ]
        part = sym.slice(
            data.as_nd_ndarray(),
            begin=begin,
            end=(None, None, *end),
            step=(None, None, *window.stride),
        ).as_np_ndarray()
        result = part if result is None else np.maximum(result, part)
    return result


def _ceil_pads(node: Node, x: Value, window: Window) -> tuple[int, ...]:
    """Returns what must be added at the end so that no element is left out."""
    after = []
    for axis, size in enumerate(x.lengths[2:]):
        if isinstance(size, Length):
            raise node.error("ceil_mode needs images of known size here")
        reach = (window.kernel[axis] - 1) * window.dilate[axis] + 1
        step, begin, end = window.stride[axis], window.before[axis], window.after[axis]
        count = -(-(size + begin + end - reach) // step) + 1
        if (count - 1) * step >= size + begin:  # a window that would begin after the image
            count -= 1
        after.append(max(end, (count - 1) * step + reach - size - begin))
    return tuple(after)


def _pool(node: Node, x: Value, window: Window, mode: str, filling: float) -> Any:
    """Pools; what is added unevenly or beyond the end is filled first."""
    data, padding = x.sym, window.before
    after = _ceil_pads(node, x, window) if node.get("ceil_mode", 0) else window.after
    if after != window.before:
        widths = [(0, 0), (0, 0), *zip(window.before, after, strict=True)]
        data = pad(node, x.np, widths, "constant", filling).as_nd_ndarray()
        padding = (0,) * len(window.kernel)
    return sym.Pooling(
        data,
        kernel=window.kernel,
        stride=window.stride,
        pad=padding,
        pool_type=mode,
        count_include_pad=True,
        pooling_convention="valid",
    )


@imports("AveragePool")
def _average(node: Node, x: Value) -> Any:
    window = read_window(node, x, tuple(node.ints("kernel_shape") or ()))
    if any(distance != 1 for distance in window.dilate):
        raise node.error("an average over windows with dilations cannot be imported")
    counts_padding = bool(node.get("count_include_pad", 0))
    has_padding = any(window.before) or any(window.after)
    after = _ceil_pads(node, x, window) if node.get("ceil_mode", 0) else window.after
    if after == window.before and (counts_padding or not has_padding):
        return _pool(node, x, window, "avg", 0.0)
    if after == window.before:
        return sym.Pooling(
            x.sym,
            kernel=window.kernel,
            stride=window.stride,
            pad=window.before,
            pool_type="avg",
            count_include_pad=False,
            pooling_convention="valid",
        )
    # The sum over a window, divided by the number of its elements that count.
    ones = np.ones_like(x.np)
    if counts_padding:
        ones = pad(node, ones, window.widths, "constant", 1.0)
        rest = tuple(b - a for a, b in zip(window.after, after, strict=True))
        bare = Window(window.kernel, window.stride, window.dilate, (0,) * len(rest), rest)
    else:
        rest = after
        bare = window
    total = _sum_windows(node, x.np, window, after)
    count = _sum_windows(node, ones, bare, rest)
    return total / count


def _sum_windows(node: Node, x: Any, window: Window, after: tuple[int, ...]) -> Any:
    widths = [(0, 0), (0, 0), *zip(window.before, after, strict=True)]
    data = pad(node, x, widths, "constant", 0.0)
    summed = sym.Pooling(
        data.as_nd_ndarray(),
        kernel=window.kernel,
        stride=window.stride,
        pool_type="sum",
        pooling_convention="valid",
    )
    return summed.as_np_ndarray()


@imports("LpPool")
def _norm(node: Node, x: Value) -> Any:
    window = read_window(node, x, tuple(node.ints("kernel_shape") or ()))
    if any(distance != 1 for distance in window.dilate):
        raise node.error("a norm over windows with dilations cannot be imported")
    p = node.get("p", 2)
    after = _ceil_pads(node, x, window) if node.get("ceil_mode", 0) else window.after
    return np.power(_sum_windows(node, np.power(np.abs(x.np), p), window, after), 1 / p)


@imports("MaxRoiPool")
def _max_in_regions(node: Node, x: Value, regions: Value) -> Any:
    sizes = tuple(node.ints("pooled_shape") or ())
    scale = node.get("spatial_scale", 1.0)
    return sym.ROIPooling(x.sym, regions.sym, pooled_size=sizes, spatial_scale=scale)


@imports("RoiAlign")
def _align_regions(node: Node, x: Value, regions: Value, batch: Value) -> Any:
    if node.get("mode", "avg") != "avg":
        raise node.error("mode 'max' cannot be imported")
    default = "half_pixel" if node.version >= 16 else "output_half_pixel"
    shifted = node.get("coordinate_transformation_mode", default) == "half_pixel"
    numbers = np.expand_dims(cast(batch.np, "float32"), 1)
    rows = np.concatenate([numbers, regions.np], axis=1).as_nd_ndarray()
    return sym.contrib.ROIAlign(
        x.sym,
        rows,
        pooled_size=(node.get("output_height", 1), node.get("output_width", 1)),
        spatial_scale=node.get("spatial_scale", 1.0),
        sample_ratio=node.get("sampling_ratio", 0) or -1,
        aligned=shifted,
    )

"""Convolutions and pooling: windows that slide over images."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from mxnet.onnx._import.lengths import Length
from mxnet.onnx._import.nodes import Node, Value, cast, np, sym
from mxnet.onnx._import.shaping import pad
from mxnet.onnx._table import imports


class Window(NamedTuple):
    """A window over the spatial axes.

    Attributes:
        kernel: Its size.
        stride: Its steps.
        dilate: Distances between its points.
        before: Elements that are added at the beginning of each axis.
        after: Elements that are added at the end.
    """

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilate: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]

    @property
    def has_distances(self) -> bool:
        """Whether there are elements between its points."""
        return any(distance != 1 for distance in self.dilate)

    @property
    def is_even(self) -> bool:
        """Whether as much is added at the beginning as at the end."""
        return self.before == self.after

    @property
    def widths(self) -> list[tuple[int, int]]:
        """What is added to each axis of an array."""
        return [(0, 0), (0, 0), *zip(self.before, self.after, strict=True)]

    def bare(self) -> Window:
        """Returns the window over an array that has what is added already."""
        none = (0,) * len(self.kernel)
        return self._replace(before=none, after=none)


def read_window(node: Node, x: Value, kernel: tuple[int, ...]) -> Window:
    """Returns the window of a node.

    Args:
        node: The node.
        x: What it slides over.
        kernel: Its size.
    """
    count = len(kernel)
    if count not in (1, 2, 3):
        raise node.error(f"windows over {count} axes cannot be imported")
    stride = node.ints("strides", [1] * count) or []
    dilate = node.ints("dilations", [1] * count) or []
    pads = node.ints("pads", [0] * 2 * count) or []
    if len(stride) != count or len(dilate) != count or len(pads) != 2 * count:
        raise node.error(f"strides, dilations and pads do not fit a window of {count} axes")
    if min(*kernel, *stride, *dilate, 1) < 1 or min(pads) < 0:
        raise node.error("sizes of a window must be positive")
    mode = node.get("auto_pad", "NOTSET")
    if mode in ("SAME_UPPER", "SAME_LOWER"):
        pads = _same_pads(x.sizes[2:], kernel, stride, dilate, mode)
    elif mode == "VALID":
        pads = [0] * 2 * count
    elif mode != "NOTSET":
        raise node.error(f"auto_pad {mode!r} is not known")
    return Window(kernel, tuple(stride), tuple(dilate), tuple(pads[:count]), tuple(pads[count:]))


def _same_pads(
    sizes: tuple[int, ...], kernel: tuple[int, ...], stride: list[int], dilate: list[int], mode: str
) -> list[int]:
    before, after = [], []
    for size, window, step, distance in zip(sizes, kernel, stride, dilate, strict=True):
        needed = (-(-size // step) - 1) * step + (window - 1) * distance + 1 - size
        total = max(needed, 0)
        less, more = total // 2, total - total // 2
        before.append(less if mode == "SAME_UPPER" else more)
        after.append(more if mode == "SAME_UPPER" else less)
    return before + after


def _kernel(node: Node, weight: Value) -> tuple[int, ...]:
    kernel = tuple(node.ints("kernel_shape") or weight.sizes[2:])
    if kernel != weight.sizes[2:]:
        raise node.error(f"kernel_shape {kernel} does not fit weights of shape {weight.sizes}")
    return kernel


def _options(node: Node, window: Window, weight: Value, bias: Value | None) -> dict[str, Any]:
    """Returns attributes that operators of convolutions have."""
    return {
        "kernel": window.kernel,
        "stride": window.stride,
        "dilate": window.dilate,
        "pad": window.before,
        "num_filter": weight.sizes[0],
        "num_group": node.get("group", 1),
        "no_bias": bias is None,
    }


def _fill(node: Node, x: Any, window: Window, value: float) -> Any:
    """Adds to an array what a window has beside it."""
    return pad(node, x, window.widths, "constant", value)


@imports("Conv")
def _convolution(node: Node, x: Value, weight: Value, bias: Value | None = None) -> Any:
    window = read_window(node, x, _kernel(node, weight))
    data = x.sym
    if not window.is_even:
        data, window = _fill(node, x.np, window, 0.0).as_nd_ndarray(), window.bare()
    inputs = [data, weight.sym] if bias is None else [data, weight.sym, bias.sym]
    return sym.Convolution(*inputs, **_options(node, window, weight, bias))


@imports("ConvTranspose")
def _transposed(node: Node, x: Value, weight: Value, bias: Value | None = None) -> Any:
    kernel = _kernel(node, weight)
    count, groups = len(kernel), node.get("group", 1)
    stride = tuple(node.ints("strides", [1] * count) or [])
    dilate = tuple(node.ints("dilations", [1] * count) or [])
    before, after, extra = _output_pads(node, x, kernel, stride, dilate)
    inputs = [x.sym, weight.sym] if bias is None else [x.sym, weight.sym, bias.sym]
    window = Window(kernel, stride, dilate, before, after)
    fits = all(0 <= more < max(step, 1) for more, step in zip(extra, stride, strict=True))
    filters = {"num_filter": weight.sizes[1] * groups}
    if window.is_even and fits:
        options = _options(node, window, weight, bias) | filters
        return sym.Deconvolution(*inputs, adj=extra, **options)
    # Everything is computed, and then cut off or filled up on each side.
    options = _options(node, window.bare(), weight, bias) | filters
    full = sym.Deconvolution(*inputs, **options).as_np_ndarray()
    widths = [(-a, more - b) for a, b, more in zip(before, after, extra, strict=True)]
    if bias is not None and any(end > 0 for _, end in widths):
        raise node.error("output_padding beyond the step, with a bias, cannot be imported")
    return pad(node, full, [(0, 0), (0, 0), *widths], "constant", 0.0)


def _output_pads(
    node: Node, x: Value, kernel: tuple[int, ...], stride: tuple[int, ...], dilate: tuple[int, ...]
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
    sizes = [size * step for size, step in zip(x.sizes[2:], stride, strict=True)]
    wanted = shape[-count:] if shape else sizes
    for axis, size in enumerate(x.sizes[2:]):
        full = stride[axis] * (size - 1) + extra[axis] + (kernel[axis] - 1) * dilate[axis] + 1
        total = full - wanted[axis]
        less, more = (total // 2, total - total // 2) if total >= 0 else (0, total)
        before.append(less if mode != "SAME_LOWER" else more)
        after.append(more if mode != "SAME_LOWER" else less)
    if mode == "NOTSET":  # the larger part comes first, unless SAME_UPPER says otherwise
        before, after = list(map(max, before, after)), list(map(min, before, after))
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
    options = _options(node, window, weight, bias)
    options["num_deformable_group"] = node.get("offset_group", 1)
    function = sym.contrib.ModulatedDeformableConvolution
    if mask is None:
        function = sym.contrib.DeformableConvolution
    inputs = [item.sym for item in (x, offset, mask, weight, bias) if item is not None]
    return function(*inputs, **options)


_LOWEST = -3.4028234663852886e38
"""What no element is less than."""


def _read_pooling(node: Node, x: Value) -> Window:
    return read_window(node, x, tuple(node.ints("kernel_shape") or ()))


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
    window = _read_pooling(node, x)
    if window.has_distances:
        return _max_of_parts(node, x, window)
    lowest = _LOWEST if x.is_float else 0.0
    if not x.is_float and x.dtype != "uint8":
        lowest = {"int8": -128.0}.get(x.dtype or "", -2147483648.0)
    return _pool(node, x, window, "max", lowest)


def _max_of_parts(node: Node, x: Value, window: Window) -> Any:
    """Takes the largest of shifted slices, one for each point of a window with distances."""
    window = window._replace(after=_ends(node, x, window))
    data = _fill(node, x.np, window, _LOWEST).as_nd_ndarray()
    sizes = [
        (size + a + b - (kernel - 1) * distance - 1) // step + 1
        for size, (kernel, step, distance, a, b) in zip(
            x.sizes[2:], zip(*window, strict=True), strict=True
        )
    ]
    node.repeat(math.prod(window.kernel), weight=2)
    offsets: list[tuple[int, ...]] = [()]
    for kernel, distance in zip(window.kernel, window.dilate, strict=True):
        offsets = [(*one, point * distance) for one in offsets for point in range(kernel)]
    result = None
    for offset in offsets:
        rows = zip(offset, sizes, window.stride, strict=True)
        end = [start + (size - 1) * step + 1 for start, size, step in rows]
        bounds = {"begin": offset, "end": end, "step": window.stride}
        options = {name: (None, None, *numbers) for name, numbers in bounds.items()}
        part = sym.slice(data, **options).as_np_ndarray()
        result = part if result is None else np.maximum(result, part)
    return result


def _ends(node: Node, x: Value, window: Window) -> tuple[int, ...]:
    """Returns what is added at the end, so that no element is left out where that is asked for."""
    if not node.get("ceil_mode", 0):
        return window.after
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
    window, data = window._replace(after=_ends(node, x, window)), x.sym
    if not window.is_even:
        data, window = _fill(node, x.np, window, filling).as_nd_ndarray(), window.bare()
    return _pooling(data, window, mode, pad=window.before, count_include_pad=True)


def _pooling(data: Any, window: Window, mode: str, **options: Any) -> Any:
    options |= {"kernel": window.kernel, "stride": window.stride}
    return sym.Pooling(data, pool_type=mode, pooling_convention="valid", **options)


@imports("AveragePool")
def _average(node: Node, x: Value) -> Any:
    window = _read_pooling(node, x)
    if window.has_distances:
        raise node.error("an average over windows with dilations cannot be imported")
    counts_padding = bool(node.get("count_include_pad", 0))
    has_padding = any(window.before) or any(window.after)
    after = _ends(node, x, window)
    if after == window.before and (counts_padding or not has_padding):
        return _pool(node, x, window, "avg", 0.0)
    if after == window.before:
        return _pooling(x.sym, window, "avg", pad=window.before, count_include_pad=False)
    # The sum over a window, divided by the number of its elements that count.
    ones = np.ones_like(x.np)
    whole = counted = window._replace(after=after)
    if counts_padding:
        ones = _fill(node, ones, window, 1.0)
        rest = tuple(b - a for a, b in zip(window.after, after, strict=True))
        counted = window.bare()._replace(after=rest)
    return _sum_windows(node, x.np, whole) / _sum_windows(node, ones, counted)


def _sum_windows(node: Node, x: Any, window: Window) -> Any:
    data = _fill(node, x, window, 0.0)
    return _pooling(data.as_nd_ndarray(), window, "sum").as_np_ndarray()


@imports("LpPool")
def _norm(node: Node, x: Value) -> Any:
    window = _read_pooling(node, x)
    if window.has_distances:
        raise node.error("a norm over windows with dilations cannot be imported")
    p = node.get("p", 2)
    window = window._replace(after=_ends(node, x, window))
    return np.power(_sum_windows(node, np.power(np.abs(x.np), p), window), 1 / p)


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

"""Steps that are layers: products, convolutions, pooling, normalization, outputs, sampling."""

from __future__ import annotations

from typing import Any

import numpy as np

from tools.random_programs.catalogue.table import row, rows
from tools.random_programs.draft import Draft, call

_REAL = ("float32", "float64")


def _full_shape(shape: tuple[int, ...]) -> bool:
    return 0 not in shape


@row("FullyConnected")
def _fully_connected(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3, 4), _REAL, fits=_full_shape)
    options = draft.options(flatten=[True, False], no_bias=[True, False])
    shape = draft.shape(data)
    hidden = draft.whole(1, 4)
    units = shape[-1] if options.get("flatten") is False else int(np.prod(shape[1:]))
    given = [data, draft.like(data, (hidden, units))]
    if not options.get("no_bias"):
        given.append(draft.like(data, (hidden,)))
    return call("FullyConnected", *given, num_hidden=hidden, **options)


def _image(draft: Draft, ndim: int, channels: int | None = None) -> str:
    dtype = "float32" if draft.chance(0.85) else "float64"

    def fits(shape: tuple[int, ...]) -> bool:
        return _full_shape(shape) and min(shape[2:]) > 2 and channels in (None, shape[1])

    if draft.chance(0.5):
        for name in draft.recent():
            shape = draft.shape(name)
            if len(shape) == ndim and draft.dtype(name) == dtype and fits(shape):
                return name
    shape = [draft.whole(1, 2), channels or draft.one([1, 2, 4])]
    return draft.new(shape + [draft.whole(3, 6) for _ in range(ndim - 2)], dtype)


def _window(draft: Draft, spatial: int) -> dict[str, Any]:
    options: dict[str, Any] = {"kernel": [draft.whole(1, 3) for _ in range(spatial)]}
    if draft.chance(0.5):
        options["stride"] = [draft.whole(1, 2) for _ in range(spatial)]
    if draft.chance(0.5):
        options["pad"] = [draft.whole(0, (size - 1) // 2 + size // 3) for size in options["kernel"]]
    return options


@row("Convolution")
def _convolution(draft: Draft) -> dict[str, Any]:
    spatial = draft.one([1, 2, 2, 2, 3])
    data = _image(draft, spatial + 2)
    options = _window(draft, spatial)
    if draft.chance(0.2):
        options["dilate"] = [draft.whole(1, 2) for _ in range(spatial)]
    channels = draft.shape(data)[1]
    groups = draft.one([1, 1, channels])
    filters = groups * draft.whole(1, 2)
    given = [data, draft.like(data, [filters, channels // groups, *options["kernel"]])]
    if draft.chance(0.5):
        options["no_bias"] = True
    else:
        given.append(draft.like(data, (filters,)))
    if groups > 1:
        options["num_group"] = groups
    return call("Convolution", *given, num_filter=filters, **options)


@row("Deconvolution")
def _deconvolution(draft: Draft) -> dict[str, Any]:
    spatial = draft.one([1, 2, 2])
    data = _image(draft, spatial + 2)
    options = _window(draft, spatial)
    channels = draft.shape(data)[1]
    filters = draft.whole(1, 3)
    given = [data, draft.like(data, [channels, filters, *options["kernel"]])]
    if draft.chance(0.4):
        options["no_bias"] = False
        given.append(draft.like(data, (filters,)))
    if draft.chance(0.2) and "stride" in options:
        options["adj"] = [stride - 1 for stride in options["stride"]]
    return call("Deconvolution", *given, num_filter=filters, **options)


@row("Pooling")
def _pooling(draft: Draft) -> dict[str, Any]:
    spatial = draft.one([1, 2, 2, 2, 3])
    data = _image(draft, spatial + 2)
    kind = draft.one(["max", "avg", "sum", "lp"])
    options: dict[str, Any] = {"pool_type": kind}
    if draft.chance(0.2):
        options["global_pool"] = True
    else:
        options |= _window(draft, spatial) | draft.options(pooling_convention=["valid", "full"])
    if kind == "lp":
        options["p_value"] = draft.one([1, 2, 3])
    if kind == "avg":
        options |= draft.options(count_include_pad=[True, False])
    return call("Pooling", data, **options)


@row("contrib.AdaptiveAvgPooling2D")
def _adaptive(draft: Draft) -> dict[str, Any]:
    return call(
        "contrib.AdaptiveAvgPooling2D",
        _image(draft, 4),
        **draft.options(output_size=[1, 2, [2, 3]]),
    )


@row("contrib.BilinearResize2D")
def _resize(draft: Draft) -> dict[str, Any]:
    size = {"height": draft.whole(1, 6), "width": draft.whole(1, 6)}
    return call(
        "contrib.BilinearResize2D",
        _image(draft, 4),
        **size,
        **draft.options(align_corners=[True, False]),
    )


@row("UpSampling")
def _upsampling(draft: Draft) -> dict[str, Any]:
    return call("UpSampling", _image(draft, 4), scale=draft.whole(1, 3), sample_type="nearest")


@row("BatchNorm")
def _batch_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3, 4), _REAL, fits=_full_shape)
    options = draft.options(fix_gamma=[True, False], eps=[1e-3, 1e-2], axis=[1, -1])
    channels = draft.shape(data)[options.get("axis", 1)]
    dtype = draft.dtype(data)
    # With `fix_gamma` the original overwrites gamma by ones, which it therefore is here.
    gamma = "any" if options.get("fix_gamma") is False else [1, 2]
    parameters = [draft.new((channels,), dtype, draw) for draw in (gamma, "any", [-2, 3], [1, 5])]
    return call("BatchNorm", data, *parameters, use_global_stats=True, **options)


@row("LayerNorm")
def _layer_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL, fits=_full_shape)
    axis = draft.one([-1, -1, 0, 1])
    length = draft.shape(data)[axis]
    if length == 1:  # The gradient would be what rounding makes of 0.
        data, axis, length = draft.new((2, 3), draft.one(_REAL)), -1, 3
    return call(
        "LayerNorm", data, draft.like(data, (length,)), draft.like(data, (length,)), axis=axis
    )


@row("InstanceNorm")
def _instance_norm(draft: Draft) -> dict[str, Any]:
    data = draft.any((3, 4), "float32", fits=_full_shape)
    parameters = [draft.new(draft.shape(data)[1:2], "float32") for _ in range(2)]
    return call("InstanceNorm", data, *parameters, **draft.options(eps=[1e-2]))


@row("GroupNorm")
def _group_norm(draft: Draft) -> dict[str, Any]:
    data = _image(draft, 4, 4)
    groups = draft.one([1, 2, 4])
    parameters = [draft.like(data, (groups,)) for _ in range(2)]
    return call("GroupNorm", data, *parameters, num_groups=groups)


@row("LRN")
def _lrn(draft: Draft) -> dict[str, Any]:
    return call(
        "LRN",
        draft.any(4, "float32", fits=_full_shape),
        nsize=draft.one([1, 3, 5]),
        **draft.options(alpha=[0.1], knorm=[1.0]),
    )


@row("Dropout")
def _dropout(draft: Draft) -> dict[str, Any]:
    return call("Dropout", draft.float(), p=draft.one([0, 0.5]), mode="training")


def _regression(draft: Draft, name: str) -> dict[str, Any]:
    data = draft.any((2, 3), _REAL)
    # What the original gives as the gradient of a label is whatever was in memory.
    label = draft.new(draft.shape(data), draft.dtype(data), [-2, 3])
    return call(name, data, label, **draft.options(grad_scale=[0.5, 2.0]))


rows("LinearRegressionOutput LogisticRegressionOutput MAERegressionOutput", _regression)


@row("SoftmaxOutput")
def _softmax_output(draft: Draft) -> dict[str, Any]:
    data = draft.any(2, _REAL, fits=_full_shape)
    rows_, classes = draft.shape(data)
    options = draft.options(
        grad_scale=[2.0], use_ignore=[True], ignore_label=[0, 1], smooth_alpha=[0.1],
        normalization=["null", "batch", "valid"],
    )  # fmt: skip
    return call(
        "SoftmaxOutput", data, draft.new((rows_,), draft.dtype(data), [0, classes]), **options
    )


@row("softmax_cross_entropy")
def _cross_entropy(draft: Draft) -> dict[str, Any]:
    data = draft.any(2, _REAL, fits=_full_shape)
    rows_, classes = draft.shape(data)
    return call("softmax_cross_entropy", data, draft.new((rows_,), draft.dtype(data), [0, classes]))


@row("SVMOutput")
def _svm(draft: Draft) -> dict[str, Any]:
    data = draft.any(2, _REAL, fits=_full_shape)
    rows_, classes = draft.shape(data)
    label = draft.new((rows_,), draft.dtype(data), [0, classes])
    return call("SVMOutput", data, label, **draft.options(margin=[0.5], use_linear=[True]))


@row("MakeLoss")
def _make_loss(draft: Draft) -> dict[str, Any]:
    return call(
        "MakeLoss",
        draft.float(),
        **draft.options(grad_scale=[0.5, 2.0], normalization=["batch", "null"]),
    )


@row("BilinearSampler")
def _sampler(draft: Draft) -> dict[str, Any]:
    data = _image(draft, 4)
    grid = draft.new((draft.shape(data)[0], 2, 3, 2), draft.dtype(data), "unit")
    return call("BilinearSampler", data, grid)


@row("GridGenerator")
def _grid(draft: Draft) -> dict[str, Any]:
    if draft.chance(0.5):
        return call(
            "GridGenerator",
            draft.new((2, 6), "float32", "unit"),
            transform_type="affine",
            target_shape=[2, 3],
        )
    return call("GridGenerator", draft.new((1, 2, 3, 4), "float32", "unit"), transform_type="warp")


@row("ROIPooling")
def _roi(draft: Draft) -> dict[str, Any]:
    data = _image(draft, 4)
    regions = draft.new((2, 5), draft.dtype(data), [0, 1])
    return call(
        "ROIPooling", data, regions, pooled_size=[2, 2], spatial_scale=draft.one([1.0, 0.5])
    )


@row("contrib.box_iou")
def _iou(draft: Draft) -> dict[str, Any]:
    dtype = draft.one(_REAL)
    boxes = [draft.new((draft.whole(1, 3), 4), dtype, "positive") for _ in range(2)]
    return call("contrib.box_iou", *boxes, **draft.options(format=["corner", "center"]))


def _attention(draft: Draft, name: str) -> dict[str, Any]:
    heads = draft.one([1, 2])
    length, batch = draft.whole(1, 3), draft.whole(1, 2)
    joined = draft.new((length, batch, heads * 2 * 3), "float32")
    if name.endswith("qk"):
        return call(name, joined, heads=heads)
    return call(name, joined, draft.new((batch * heads, length, length), "float32"), heads=heads)


rows("contrib.interleaved_matmul_selfatt_qk contrib.interleaved_matmul_selfatt_valatt", _attention)


@row("Correlation")
def _correlation(draft: Draft) -> dict[str, Any]:
    data = draft.new((1, 2, 4, 5), "float32")
    options = draft.options(max_displacement=[1, 2], pad_size=[1, 2], is_multiply=[True, False])
    return call("Correlation", data, draft.like(data), kernel_size=1, **options)

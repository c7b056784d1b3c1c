"""Quantized arrays: conversion, convolution and dense layer, pooling, activation, calibration."""

from __future__ import annotations

import numpy as np

from .core import Array, Sample, ints, rand, sample, values

QUANTIZE, QUANTIZE_V2 = "_contrib_quantize", "_contrib_quantize_v2"
ASYM = "_contrib_quantize_asym"
DEQUANTIZE, REQUANTIZE = "_contrib_dequantize", "_contrib_requantize"
CONV, DENSE = "_contrib_quantized_conv", "_contrib_quantized_fully_connected"
POOLING, ACTIVATION = "_contrib_quantized_pooling", "_contrib_quantized_act"
ADD, MULTIPLY = "_contrib_quantized_elemwise_add", "_contrib_quantized_elemwise_mul"
CONCAT, EMBEDDING = "_contrib_quantized_concat", "_contrib_quantized_embedding"
NORM, RECURRENT = "_contrib_quantized_batch_norm", "_contrib_quantized_rnn"
FLATTEN, CALIBRATE = "_contrib_quantized_flatten", "_contrib_calibrate_entropy"

NUMBERS = [-1.5, -1, -0.5, 0, 0.004, 0.5, 0.9999, 1, 2]
TIES = [-127.5, -2.5, -0.5, 0.5, 1.5, 2.5, 126.5, 127.5, 254.5]
LARGE = [1, -5, 2**30, -(2**30), 2**31 - 1, 12345678, -12345678, 100000, 0]


def one(number: float) -> Array:
    """An end of a range."""
    return values([number])


def int8(*shape: int) -> Array:
    """Random bytes of all values."""
    return ints(*shape, low=-128, high=128, dtype="int8")


def uint8(*shape: int) -> Array:
    """Random bytes of all values, without sign."""
    return ints(*shape, low=0, high=256, dtype="uint8")


def exact(op: str, *inputs: Array | None, **fields) -> Sample:
    """A sample whose results agree bit for bit; there are no gradients but zeros."""
    return sample(op, *inputs, gradient=False, train=False, rtol=0, atol=0, **fields)


def refused(op: str, *inputs: Array | None, **fields) -> Sample:
    """A sample that raises."""
    return sample(op, *inputs, raises=True, **fields)


PAIR = (one(-1), one(1))
WIDE = (one(-0.3), one(2.7))
CALIBRATED = [
    {"min_calib_range": low, "max_calib_range": high}
    for low, high in ((-1, 1), (0, 1), (-0.7, 0.3), (-2, -1), (1.5, 2))
]
HALF = {"min_calib_range": -1.0}

QUANTIZED = [
    *(
        exact(QUANTIZE, values(NUMBERS), *ends, out_type=out_type)
        for ends in (PAIR, WIDE, (one(0), one(1)), (one(1), one(-1)), (one(0), one(0)))
        for out_type in ("int8", "uint8")
    ),
    exact(QUANTIZE, rand(2, 3, 4, 4, low=-3, high=3), *WIDE),
    exact(QUANTIZE, values(TIES), one(-127), one(127), out_type="int8"),
    exact(QUANTIZE, values(TIES), one(-255), one(255)),
    exact(QUANTIZE, values([float("nan"), float("inf"), -float("inf")]), *PAIR, out_type="int8"),
    exact(QUANTIZE, values([float("nan"), float("inf"), -float("inf")]), *PAIR),
    sample(QUANTIZE, rand(5), *PAIR, numeric=False, label="gradients"),
    refused(QUANTIZE, rand(3, dtype="float64"), *PAIR),
    refused(QUANTIZE, ints(3), *PAIR),
    refused(QUANTIZE, rand(3), values([-1, 0]), one(1)),
    refused(QUANTIZE, rand(3), values([[-1]]), one(1)),
    refused(QUANTIZE, rand(3), *PAIR, out_type="auto"),
    refused(QUANTIZE, rand(1, 1, 1, 1, 1, 1, 2), *PAIR),
    *(exact(QUANTIZE_V2, values(NUMBERS), out_type=kind) for kind in ("int8", "uint8", "auto")),
    *(
        exact(QUANTIZE_V2, data, out_type=kind, **ends)
        for data in (values(NUMBERS), int8(5), uint8(5))
        for ends in CALIBRATED
        for kind in ("int8", "uint8", "auto")
    ),
    exact(QUANTIZE_V2, values(NUMBERS), **HALF),
    *(exact(QUANTIZE_V2, data, out_type="uint8") for data in (int8(4), uint8(4))),
    *(exact(QUANTIZE_V2, data) for data in (int8(4), uint8(4), rand(3, 2, 5), values([0, 0]))),
    exact(QUANTIZE_V2, values(TIES), min_calib_range=-127.5, max_calib_range=127.5),
    exact(QUANTIZE_V2, values(TIES), out_type="uint8", min_calib_range=0, max_calib_range=255.5),
    exact(QUANTIZE_V2, values([1, float("nan"), 2]), min_calib_range=-1, max_calib_range=1),
    sample(QUANTIZE_V2, rand(5), numeric=False, label="gradients"),
    refused(QUANTIZE_V2, rand(3, dtype="float16")),
    refused(QUANTIZE_V2, ints(3)),
    refused(QUANTIZE_V2, rand(3), out_type="int32"),
    refused(QUANTIZE_V2, rand(1, 1, 1, 1, 1, 1, 2)),
]

SHIFTED = [
    exact(ASYM, values(np.reshape(NUMBERS, (3, 3, 1)).tolist())),
    exact(ASYM, values(np.reshape(NUMBERS, (3, 3, 1)).tolist()), **CALIBRATED[0]),
    exact(ASYM, rand(4, 3, 5, low=-0.2, high=3)),
    refused(ASYM, rand(2, 3, 4, dtype="float64")),
    refused(ASYM, int8(2, 3, 4)),
]

RESTORED = [
    *(
        exact(DEQUANTIZE, data, *ends)
        for data in (int8(9), uint8(9), int8(2, 3, 1, 2))
        for ends in (PAIR, WIDE, (one(0), one(0)))
    ),
    sample(DEQUANTIZE, int8(5), *PAIR, numeric=False, label="gradients"),
    refused(DEQUANTIZE, ints(3), *PAIR),
    refused(DEQUANTIZE, rand(3), *PAIR),
    refused(DEQUANTIZE, int8(3), values([-1, 1]), one(1)),
    refused(DEQUANTIZE, int8(3), *PAIR, out_type="float16"),
    refused(DEQUANTIZE, int8(1, 1, 1, 1, 1, 1, 2), *PAIR),
    *(
        exact(REQUANTIZE, values(LARGE, "int32"), *ends, out_type=kind, **options)
        for ends in (PAIR, (one(-10), one(7)))
        for options in ({}, *CALIBRATED)
        for kind in ("int8", "uint8", "auto")
    ),
    exact(REQUANTIZE, values([5, -9], "int32"), *PAIR, **HALF),
    exact(REQUANTIZE, values([5, -(2**31)], "int32"), *PAIR, label="no magnitude in int32"),
    exact(REQUANTIZE, values([0, 0], "int32"), *PAIR),
    exact(REQUANTIZE, ints(2, 3, 4, low=-(10**6), high=10**6), *WIDE),
    refused(REQUANTIZE, int8(3), *PAIR),
    refused(REQUANTIZE, rand(3), *PAIR),
    refused(REQUANTIZE, ints(3), *PAIR, out_type="float32"),
]

RANGES = (one(-0.5), one(1.7), one(-1.2), one(0.8))
BIAS_RANGE = (one(-0.3), one(2.2))
SMALL = uint8(2, 4, 5, 5)


def conv(data: Array, weight: Array, bias: Array | None = None, **attrs) -> Sample:
    """A call of the convolution, without a bias if none is given."""
    fields = {"kernel": weight.full_shape[2:], "num_filter": weight.full_shape[0], **attrs}
    if bias is None:
        return exact(CONV, data, weight, None, *RANGES, no_bias=True, **fields)
    return exact(CONV, data, weight, bias, *RANGES, *BIAS_RANGE, **fields)


def refused_conv(data: Array, weight: Array, *others: Array | None, **attrs) -> Sample:
    """A call of the convolution that raises."""
    fields = {"kernel": weight.full_shape[2:], "num_filter": weight.full_shape[0], **attrs}
    return refused(CONV, data, weight, *(others or (None, *RANGES)), **fields)


CONVOLUTIONS = [
    conv(SMALL, int8(3, 4, 3, 3)),
    conv(SMALL, int8(3, 4, 3, 3), int8(3)),
    conv(SMALL, int8(3, 4, 3, 3), int8(3), stride=(2, 2), pad=(1, 1)),
    conv(SMALL, int8(3, 4, 3, 3), dilate=(2, 2), pad=(2, 2)),
    conv(SMALL, int8(5, 4, 1, 1), layout="NCHW"),
    conv(SMALL, int8(2, 4, 2, 3), stride=(1, 2), pad=(0, 1)),
    conv(uint8(1, 4, 3, 5, 4), int8(3, 4, 2, 3, 2), int8(3), pad=(1, 1, 0)),
    conv(uint8(1, 600, 3, 3), int8(2, 600, 3, 3), label="sums above 2**24"),
    refused_conv(int8(2, 4, 5, 5), int8(3, 4, 3, 3), no_bias=True),
    refused_conv(rand(2, 4, 5, 5), int8(3, 4, 3, 3), no_bias=True),
    refused_conv(SMALL, uint8(3, 4, 3, 3), no_bias=True),
    refused_conv(SMALL, int8(3, 5, 3, 3), no_bias=True),
    refused_conv(SMALL, int8(4, 2, 3, 3), no_bias=True, num_group=2),
    refused_conv(SMALL, int8(3, 4, 3, 3), no_bias=True, layout="NHWC"),
    refused_conv(uint8(2, 4, 5), int8(3, 4, 3), no_bias=True),
    refused_conv(SMALL, int8(3, 4, 3, 3), ints(3), *RANGES, *BIAS_RANGE),
    refused_conv(SMALL, int8(3, 4, 3, 3), None, *PAIR, values([-1, -1, -1]), one(1), no_bias=True),
]


def dense(data: Array, weight: Array, bias: Array | None = None, **attrs) -> Sample:
    """A call of the dense layer, without a bias if none is given."""
    fields = {"num_hidden": weight.full_shape[0], **attrs}
    if bias is None:
        return exact(DENSE, data, weight, None, *RANGES, no_bias=True, **fields)
    return exact(DENSE, data, weight, bias, *RANGES, *BIAS_RANGE, **fields)


LAYERS = [
    *(
        dense(data, int8(3, 8), bias)
        for data in (int8(2, 8), uint8(2, 8))
        for bias in (None, int8(3))
    ),
    dense(int8(2, 4, 2), int8(3, 8), int8(3)),
    dense(uint8(2, 4, 2), int8(3, 2), int8(3), flatten=False),
    dense(int8(3, 2000), int8(5, 2000), int8(5), label="sums above 2**24"),
    exact(DENSE, int8(2, 8), int8(3, 8), int8(3), *PAIR, *PAIR, *PAIR, num_hidden=3),
    refused(DENSE, rand(2, 8), int8(3, 8), None, *RANGES, num_hidden=3, no_bias=True),
    refused(DENSE, int8(2, 8), uint8(3, 8), None, *RANGES, num_hidden=3, no_bias=True),
    refused(DENSE, int8(2, 7), int8(3, 8), None, *RANGES, num_hidden=3, no_bias=True),
    refused(DENSE, int8(2, 8), int8(3, 8), ints(3), *RANGES, *BIAS_RANGE, num_hidden=3),
]

WINDOWS = [
    {"kernel": (2, 2)},
    {"kernel": (3, 3), "pad": (1, 1)},
    {"kernel": (3, 2), "stride": (2, 2), "pad": (1, 0)},
    {"kernel": (2, 2), "stride": (2, 2), "pooling_convention": "full"},
    {"kernel": (2, 2), "global_pool": True},
    {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "same"},
]
POOLED = [
    *(
        exact(POOLING, data, *WIDE, pool_type=kind, **window)
        for data in (int8(2, 3, 5, 5), uint8(2, 3, 5, 5))
        for kind in ("max", "avg")
        for window in WINDOWS
    ),
    *(
        exact(POOLING, int8(1, 2, 5, 5), *PAIR, pool_type="avg", count_include_pad=False, **window)
        for window in WINDOWS[:4]
    ),
    *(
        exact(POOLING, int8(1, 2, 3, 4, 5), *PAIR, pool_type=kind, kernel=(2, 2, 2), pad=(0, 1, 1))
        for kind in ("max", "avg")
    ),
    *(
        exact(POOLING, data, *PAIR, kernel=(3, 3), stride=(3, 3), pad=(1, 1), pool_type=kind)
        for data in (int8(1, 1, 5, 5), uint8(1, 1, 5, 5))
        for kind in ("max", "avg")
    ),
    exact(
        POOLING,
        int8(1, 1, 5, 5),
        *PAIR,
        kernel=(3, 3),
        stride=(3, 3),
        pad=(1, 1),
        pooling_convention="full",
        label="windows outside",
    ),
    *(
        refused(POOLING, data, *PAIR, **attrs)
        for data, attrs in (
            (int8(1, 1, 5, 5), {"pool_type": "sum", "kernel": (2, 2)}),
            (int8(1, 1, 5, 5), {"pool_type": "lp", "kernel": (2, 2), "p_value": 2}),
            (int8(1, 1, 5, 5), {"kernel": (2, 2), "layout": "NHWC"}),
            (int8(1, 1, 5, 5), {"global_pool": True}),
            (int8(1, 1, 5, 5), {"kernel": (7, 7)}),
            (int8(1, 1, 5, 5), {"kernel": (7, 7), "global_pool": True}),
            (int8(1, 1, 5, 5), {"kernel": (2, 2), "pad": (2, 2)}),
            (int8(1, 1, 5, 5), {"kernel": (2, 2), "stride": (2, 2), "pooling_convention": "same"}),
            (
                int8(1, 1, 5, 5),
                {
                    "kernel": (2, 2),
                    "stride": (4, 4),
                    "pad": (1, 1),
                    "pooling_convention": "full",
                    "pool_type": "avg",
                    "count_include_pad": False,
                },
            ),
            (rand(1, 1, 5, 5), {"kernel": (2, 2)}),
            (int8(1, 1, 5), {"kernel": (2,)}),
        )
    ),
]

KEPT = [
    *(exact(ACTIVATION, data, *WIDE, act_type="relu") for data in (int8(2, 3, 4), uint8(7))),
    *(
        refused(ACTIVATION, int8(3), *PAIR, act_type=kind)
        for kind in ("sigmoid", "tanh", "softrelu", "softsign")
    ),
    refused(ACTIVATION, int8(3), *PAIR),
    refused(ACTIVATION, rand(3), *PAIR, act_type="relu"),
    refused(ACTIVATION, ints(3), *PAIR, act_type="relu"),
    *(
        exact(FLATTEN, data, *WIDE)
        for data in (int8(2, 3, 4), uint8(2, 3), int8(5), rand(2, 3, 1), ints(2, 2, 2))
    ),
    refused(FLATTEN, int8(2, 3), values([1, 2]), one(1)),
]


def histogram(numbers: np.ndarray, num_bins: int) -> tuple[Array, Array]:
    """A histogram of numbers around 0."""
    reach = float(np.abs(numbers).max())
    counts, edges = np.histogram(numbers, bins=num_bins, range=(-reach, reach))
    return values(counts.tolist()), values(edges.astype("float32").tolist())


RANDOM = np.random.RandomState(3)
HISTOGRAMS = [
    histogram(RANDOM.standard_normal(3000), 601),
    histogram(np.maximum(RANDOM.standard_normal(3000), 0), 601),
    histogram(RANDOM.laplace(size=2000), 600),
    histogram(RANDOM.uniform(-1, 1, 300), 301),
]
THRESHOLDS = [
    *(
        exact(CALIBRATE, *pair, num_quantized_bins=bins, label=f"histogram {number}")
        for number, pair in enumerate(HISTOGRAMS)
        for bins in (63, 255)
    ),
    exact(CALIBRATE, values([1, 2, 3, 4, 5]), values(range(6)), num_quantized_bins=5),
    exact(CALIBRATE, values([0] * 7), values(range(8)), num_quantized_bins=3),
    exact(
        CALIBRATE, values([1000, 20, 30, 40, 50, 60, 1000]), values(range(8)), num_quantized_bins=3
    ),
    refused(CALIBRATE, values([1, 2, 3]), values(range(3)), num_quantized_bins=3),
    refused(CALIBRATE, values([1, 2, 3], "int32"), values(range(4)), num_quantized_bins=3),
    refused(CALIBRATE, values([1, 2, 3]), values(range(4), "float64"), num_quantized_bins=3),
]

OPERANDS = [
    (left(*shape), right(*shape))
    for left in (int8, uint8)
    for right in (int8, uint8)
    for shape in ((40,), (2, 3, 4))
]
SUMS = [
    *(
        exact(ADD, *pair, *ends, **options)
        for pair in OPERANDS
        for ends in ((*PAIR, *PAIR), RANGES)
        for options in ({}, *CALIBRATED[:2])
    ),
    refused(ADD, int8(3), int8(1), *RANGES),
    refused(ADD, rand(3), int8(3), *RANGES),
    refused(ADD, ints(3), ints(3), *RANGES),
    refused(ADD, int8(3), int8(3), values([1, 2]), *RANGES[1:]),
]
IMPERATIVE = "the original raises in imperative calls; symbols are compared in programs"
PRODUCTS = [
    exact(MULTIPLY, int8(40), int8(40), *RANGES, oracle=False, why=IMPERATIVE, **options)
    for options in ({}, CALIBRATED[0], {"enable_float_output": True})
]
PRODUCTS += [
    refused(MULTIPLY, *pair, *RANGES)
    for pair in ((uint8(3), int8(3)), (rand(3), rand(3)), (int8(3), int8(1)))
]

JOINED = [
    *(
        exact(CONCAT, left(2, 3), right(2, 4), *RANGES, num_args=2, dim=1)
        for left in (int8, uint8)
        for right in (int8, uint8)
    ),
    exact(CONCAT, int8(1, 3), int8(2, 3), *PAIR, *PAIR, num_args=2, dim=0),
    exact(CONCAT, int8(1, 2, 3), uint8(1, 3, 3), uint8(1, 1, 3), *RANGES, *WIDE, num_args=3),
    exact(CONCAT, uint8(2, 3), *WIDE, num_args=1),
    exact(CONCAT, uint8(2, 3), int8(2, 1), one(0.4), one(0.1), one(0.3), one(0.2), num_args=2),
    exact(CONCAT, int8(2, 3), one(-0.4), one(-0.1), num_args=1),
    refused(CONCAT, int8(2, 3), int8(2, 4), *RANGES),
    refused(CONCAT, rand(2, 3), rand(2, 4), *RANGES, num_args=2),
    refused(CONCAT, int8(2, 3), int8(3, 4), *RANGES, num_args=2),
    *(
        exact(EMBEDDING, data, int8(3, 4), *WIDE, input_dim=3, output_dim=4)
        for data in (values([0, 2, 1]), values([[0, 7], [-1, 1.7]]), ints(5, high=3))
    ),
    refused(EMBEDDING, values([0, 1]), uint8(3, 4), *WIDE, input_dim=3, output_dim=4),
    refused(EMBEDDING, values([0, 1]), int8(3, 4), *WIDE, input_dim=4, output_dim=4),
]

CHANNELS = (rand(4, low=-2, high=2), rand(4), rand(4), rand(4, low=0.2, high=3))
NORMALIZED = [
    *(
        exact(NORM, data(*shape), *CHANNELS, *WIDE, min_calib_range=-3, max_calib_range=2, **attrs)
        for data in (int8, uint8)
        for shape in ((2, 4), (2, 4, 30), (2, 4, 5, 5), (1, 4, 2, 3, 2))
        for attrs in ({}, {"eps": 0.1, "fix_gamma": False})
    ),
    refused(NORM, int8(2, 4, 3), *CHANNELS, *WIDE),
    refused(NORM, rand(2, 4, 3), *CHANNELS, *WIDE, **CALIBRATED[0]),
    refused(NORM, int8(2, 3, 4), *CHANNELS, *WIDE, axis=2, **CALIBRATED[0]),
]

WEIGHTS = (rand(4 * 5 * (4 + 5) + 8 * 5), rand(1, 2, 5), rand(1, 2, 5))
NETWORK = {"state_size": 5, "num_layers": 1}
REFUSED_NETWORKS = [
    refused(RECURRENT, uint8(3, 2, 4), *WEIGHTS, *PAIR, mode="lstm", **NETWORK),
    refused(RECURRENT, int8(3, 2, 4), *WEIGHTS, *PAIR, mode="lstm", **NETWORK),
    refused(RECURRENT, uint8(3, 2, 4), *WEIGHTS, *PAIR, mode="gru", **NETWORK),
]

SAMPLES = [
    *QUANTIZED,
    *SHIFTED,
    *RESTORED,
    *CONVOLUTIONS,
    *LAYERS,
    *POOLED,
    *KEPT,
    *THRESHOLDS,
    *SUMS,
    *PRODUCTS,
    *JOINED,
    *NORMALIZED,
    *REFUSED_NETWORKS,
]

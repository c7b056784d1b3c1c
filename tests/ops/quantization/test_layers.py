"""Convolutions on int8, which GPUs have: a CPU computes them here as a GPU does."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet.contrib import quantization
from mxnet.ops.quantization import layers


@pytest.fixture
def as_on_gpus(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(layers, "_is_on_cpu", lambda _: False)


@pytest.mark.usefixtures("as_on_gpus")
@pytest.mark.parametrize("no_bias", [False, True])
def test_int8_is_near_floats(no_bias: bool):
    random = np.random.RandomState(0)
    shapes = ((2, 3, 6, 6), (4, 3, 3, 3), (4,))[: 3 - no_bias]
    floats = [mx.nd.array(random.normal(size=shape)) for shape in shapes]
    arrays, ends = [], []
    for item in floats:
        integers, *extent = mx.nd.contrib.quantize_v2(item)
        arrays.append(integers)
        ends += extent
    attrs = {"kernel": (3, 3), "num_filter": 4, "pad": (1, 1), "no_bias": no_bias}
    sums, low, high = mx.nd.contrib.quantized_conv(*arrays, *ends, **attrs)
    result = sums.asnumpy() * (high.asscalar() / 2.0**31)
    expected = mx.nd.Convolution(*floats, **attrs).asnumpy()
    assert np.abs(result - expected).max() < 0.02 * np.abs(expected).max()
    assert low.asscalar() == -high.asscalar()


def test_int8_is_refused_on_cpus():
    data, *ends = mx.nd.contrib.quantize_v2(mx.nd.ones((1, 3, 4, 4)))
    weight, *more = mx.nd.contrib.quantize_v2(mx.nd.ones((2, 3, 1, 1)))
    with pytest.raises(mx.MXNetError, match="expected `data` of uint8, got int8"):
        mx.nd.contrib.quantized_conv(
            data, weight, *ends, *more, kernel=(1, 1), num_filter=2, no_bias=True
        )


def test_graphs_for_gpus_have_int8():
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(1, 1), num_filter=2, name="c")
    graph, _ = quantization._quantize_symbol(net, mx.gpu(), quantized_dtype="auto")
    types = {name: attrs.get("out_type") for name, attrs in graph.attr_dict().items()}
    assert types["data_quantize"] == types["requantize_c"] == "int8"

"""Networks and operators on integers of eight bits on an accelerator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.contrib import quantization
from tests.golden.quantization_cases import DATA, build

pytestmark = pytest.mark.gpu

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "quantization"
GPU, CPU = mx.gpu(), mx.cpu()


def bytes_of(dtype: str, *shape: int) -> np.ndarray:
    info = np.iinfo(dtype)
    return np.random.RandomState(1).randint(info.min, info.max + 1, shape).astype(dtype)


def compute(name: str, ctx: mx.Context, *arrays: np.ndarray, **attrs: Any) -> list[np.ndarray]:
    """Returns what an operator computes on a context."""
    placed = [nd.array(item, ctx=ctx, dtype=item.dtype) for item in arrays]
    results = getattr(nd.contrib, name)(*placed, **attrs)
    assert all(item.context == ctx for item in results)
    return [item.asnumpy() for item in results]


def ends(low: float, high: float) -> list[np.ndarray]:
    return [np.array([end], "float32") for end in (low, high)]


CALLS: dict[str, tuple[str, list[np.ndarray], dict[str, Any]]] = {
    "quantize": ("quantize_v2", [DATA], {}),
    "quantize_calibrated": (
        "quantize_v2",
        [DATA],
        {"out_type": "auto", "min_calib_range": 0.0, "max_calib_range": 0.9},
    ),
    "convolution": (
        "quantized_conv",
        [
            bytes_of("uint8", 2, 8, 9, 9),
            bytes_of("int8", 16, 8, 3, 3),
            bytes_of("int8", 16),
            *ends(0, 1),
            *ends(-0.5, 0.4),
            *ends(-2, 2),
        ],
        {"kernel": (3, 3), "num_filter": 16, "stride": (2, 2), "pad": (1, 1)},
    ),
    "dense": (
        "quantized_fully_connected",
        [
            bytes_of("int8", 24, 32),
            bytes_of("int8", 16, 32),
            bytes_of("int8", 16),
            *ends(-1, 1),
            *ends(-0.5, 0.4),
            *ends(-2, 2),
        ],
        {"num_hidden": 16},
    ),
    "dense_of_few": (
        "quantized_fully_connected",
        [bytes_of("uint8", 3, 5), bytes_of("int8", 7, 5), *ends(0, 1), *ends(-0.5, 0.4)],
        {"num_hidden": 7, "no_bias": True},
    ),
    "entropy": (
        "calibrate_entropy",
        [
            item.astype("float32")
            for item in np.histogram(np.random.RandomState(0).randn(20000), 1001, (-5, 5))
        ],
        {},
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_operators_compute_what_they_do_on_a_cpu(name: str):
    operator, arrays, attrs = CALLS[name]
    for result, expected in zip(
        compute(operator, GPU, *arrays, **attrs),
        compute(operator, CPU, *arrays, **attrs),
        strict=True,
    ):
        assert result.dtype == expected.dtype
        assert np.array_equal(result, expected)


def test_a_convolution_of_int8_is_near_that_of_floats():
    random = np.random.RandomState(0)
    floats = [
        nd.array(random.normal(size=shape), ctx=GPU) for shape in ((2, 8, 9, 9), (16, 8, 3, 3))
    ]
    (data, *data_ends), (weight, *weight_ends) = map(nd.contrib.quantize_v2, floats)
    attrs = {"kernel": (3, 3), "num_filter": 16, "no_bias": True}
    sums, _, high = nd.contrib.quantized_conv(data, weight, *data_ends, *weight_ends, **attrs)
    assert sums.context == GPU
    result = sums.asnumpy() * (high.asscalar() / 2.0**31)
    expected = nd.Convolution(*floats, **attrs).asnumpy()
    assert np.abs(result - expected).max() < 0.02 * np.abs(expected).max()


@pytest.mark.parametrize("static", [False, True])
@pytest.mark.parametrize("mode", ["none", "naive", "entropy"])
@pytest.mark.parametrize("network", ["plain", "residual", "branches"])
def test_networks_are_quantized_on_a_gpu(network: str, mode: str, static: bool):
    net = build(network)
    exact = net(nd.array(DATA)).asnumpy()
    net.collect_params().reset_ctx(GPU)
    quantized = quantization.quantize_net_v2(
        net, quantized_dtype="auto", calib_mode=mode, calib_data=[nd.array(DATA[:8])], ctx=GPU
    )
    data = nd.array(DATA, ctx=GPU)
    eager = quantized(data)
    assert eager.context == GPU
    operators = {node.op.name for node in quantized._symbol._graph.nodes if node.op is not None}
    assert {"_contrib_quantized_conv", "_contrib_quantized_fully_connected"} <= operators
    limit = 0.1 if mode != "entropy" else 0.5  # which cuts off what is rare
    assert np.abs(eager.asnumpy() - exact).max() < limit * np.abs(exact).max()
    quantized.hybridize(static_alloc=static, static_shape=static)
    for _ in range(3):
        np.testing.assert_allclose(quantized(data).asnumpy(), eager.asnumpy(), rtol=1e-5)


@pytest.mark.parametrize("static", [False, True])
def test_fused_layers_of_a_file_compute_what_the_original_does(static: bool):
    block = gluon.SymbolBlock.imports(
        str(FOLDER / "residual-symbol.json"), ["data"], str(FOLDER / "residual-0000.params"), GPU
    )
    block.hybridize(static_alloc=static, static_shape=static)
    expected = np.load(FOLDER / "results.npz")["residual entropy"]
    for _ in range(3):
        result = block(nd.array(DATA, ctx=GPU)).asnumpy()
        assert np.median(np.abs(result - expected)) < 1e-5
        np.testing.assert_allclose(result, expected, atol=0.02 * np.abs(expected).max())


def test_a_fused_graph_is_for_cpus():
    with pytest.raises(mx.MXNetError, match="expected a CPU"):
        quantization.quantize_model_mkldnn(
            mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), {}, {}, ctx=GPU
        )

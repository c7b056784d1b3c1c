"""Quantized layers in plans: weights are prepared once, and again after a parameter has changed."""

import numpy as np
import pytest

import mxnet as mx
from mxnet.ops.quantization import fused
from tests.golden.fused_cases import CALIBRATED, Case, compute, quantized


def layer(**attrs):
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, pad=(1, 1), name="c")
    result = mx.sym.Activation(mx.sym.BatchNorm(conv, name="b"), act_type="relu", name="a")
    return quantized(result, {**CALIBRATED, **attrs}, ["data_min", "data_max"])


def values(seed=0, batch=2):
    rng = np.random.RandomState(seed)
    shapes = {"c_weight": (4, 3, 3, 3), "c_bias": 4, "b_gamma": 4, "b_beta": 4, "b_moving_mean": 4}
    return {
        "data": rng.randint(0, 256, (batch, 3, 6, 6)).astype("uint8"),
        "data_min": np.zeros(1, "float32"),
        "data_max": np.ones(1, "float32"),
        "b_moving_var": np.ones(4, "float32"),
        **{
            name: rng.randn(*np.atleast_1d(shape)).astype("float32")
            for name, shape in shapes.items()
        },
    }


@pytest.fixture
def packings(monkeypatch):
    """Counts how often filters are prepared."""
    counted = []
    prepare = fused.FusedConvolution.prepare

    def count(self, *parameters):
        counted.append(self)
        return prepare(self, *parameters)

    monkeypatch.setattr(fused.FusedConvolution, "prepare", count)
    return counted


def block_of(symbol, given):
    inputs = [mx.sym.var(name) for name in ("data", "data_min", "data_max")]
    block = mx.gluon.SymbolBlock(symbol, inputs)
    for name, parameter in block.collect_params().items():
        parameter.shape = given[name].shape
        parameter.initialize()
        parameter.set_data(mx.nd.array(given[name]))
    return block


def call(block, given):
    names = ("data", "data_min", "data_max")
    results = block(*(mx.nd.array(given[name], dtype=given[name].dtype) for name in names))
    return [item.asnumpy() for item in results]


def test_filters_are_prepared_once_for_all_calls(packings):
    given = values()
    block = block_of(layer(), given)
    for seed in range(3):
        call(block, {**given, "data": values(seed)["data"]})
    assert len(packings) == 1


def test_a_changed_weight_is_prepared_again(packings):
    given = values()
    block = block_of(layer(), given)
    call(block, given)
    given["c_weight"] = given["c_weight"] * np.float32(0.5)
    block.collect_params()["c_weight"].set_data(mx.nd.array(given["c_weight"]))
    result = call(block, given)[0]
    assert len(packings) == 2
    assert (result == compute(Case(layer(), given))[0]).all()


def test_batches_of_several_sizes_are_computed_alike():
    given = values(batch=5)
    block = block_of(layer(), given)
    whole = call(block, given)[0]
    for batch in (1, 3, 5):
        part = call(block, {**given, "data": given["data"][:batch]})[0]
        assert (part == whole[:batch]).all()


def test_calibrated_ranges_are_those_of_the_attributes():
    _, low, high = call(block_of(layer(), values()), values())
    assert (low, high) == (-3, 5)


def test_a_layer_computes_the_same_while_gradients_are_recorded():
    given = values()
    block = block_of(layer(), given)
    expected = call(block, given)
    with mx.autograd.record():
        recorded = call(block, given)
    for one, other in zip(expected, recorded, strict=True):
        assert (one == other).all()


def test_channels_at_the_end_are_refused():
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, layout="NHWC", name="c")
    with pytest.raises(mx.MXNetError, match="takes channels on axis 1, got layout 'NHWC'"):
        quantized(conv, CALIBRATED, ["data_min", "data_max"]).infer_type(data="uint8")


def test_a_dense_layer_by_row_needs_a_range():
    dense = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f")
    symbol = quantized(dense, {"channel_wise_quantize": "True"}, ["data_min", "data_max"])
    with pytest.raises(mx.MXNetError, match="needs min_calib_range and max_calib_range"):
        symbol.infer_type(data="uint8")

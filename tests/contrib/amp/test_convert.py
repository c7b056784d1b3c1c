"""Conversion of float32 models to mixed precision."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet._formats.element_types import element_type
from mxnet.contrib import amp
from mxnet.gluon import nn
from tests.golden.amp_cases import CONVERSIONS, GRAPHS, convert

DTYPES = ["float16", "bfloat16"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("conversion", CONVERSIONS)
@pytest.mark.parametrize("graph", GRAPHS)
def test_graphs_are_converted_as_by_the_original(golden, graph, conversion, dtype):
    expected = golden["converted"][f"{graph}/{conversion}/{dtype}"]
    found = convert(mx, amp, graph, conversion, dtype)
    if expected == "fails":  # the original makes a graph of mixed dtypes, and then refuses it
        assert found != "fails"
    else:
        assert found == expected


def _run(symbol, shapes):
    executor = symbol.simple_bind(mx.cpu(), grad_req="null", **shapes)
    for name, array in {**executor.arg_dict, **executor.aux_dict}.items():
        values = nd.random.uniform(-1, 1, array.shape) if name.endswith("weight") else nd.ones(1)
        array[:] = values.astype(array.dtype)
    return [output.astype("float32").asnumpy() for output in executor.forward()]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("conversion", CONVERSIONS)
def test_converted_graphs_compute_the_same(conversion, dtype):
    shapes = {"data": (2, 2, 6, 6)}
    symbol = GRAPHS["convolutions"](mx)
    mx.random.seed(0)
    expected = _run(symbol, shapes)
    options = dict(CONVERSIONS[conversion])
    if "data_names" in options:
        options["data_names"] = ["data", "softmax_label"]
    converted = amp.convert_symbol(symbol, target_dtype=dtype, **options)
    mx.random.seed(0)
    for found, exact in zip(_run(converted, shapes), expected, strict=True):
        np.testing.assert_allclose(found, exact, rtol=0.05, atol=0.05 * abs(exact).max())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"target_dtype": "float64"}, "target_dtype"),
        ({"target_dtype_ops": "Convolution"}, "takes a list"),
        ({"target_dtype_ops": ["xx"]}, "list_lp16_ops"),
        ({"target_dtype_ops": ["dot"]}, "list_lp16_ops"),
        ({"target_dtype_ops": ["exp"]}, "in one list only"),
        ({"fp32_ops": ["Activation"]}, "in one list only"),
        ({"conditional_fp32_ops": [("Activation", 1, 2)]}, "a row of conditional_fp32_ops"),
        ({"conditional_fp32_ops": "x"}, "takes a list"),
        ({"excluded_sym_names": "fc"}, "takes a list"),
    ],
)
def test_wrong_arguments_are_explained(options, message):
    symbol = mx.sym.relu(mx.sym.var("x"))
    with pytest.raises(AssertionError, match=message):
        amp.convert_symbol(symbol, **options)


def test_other_types_are_refused():
    symbol = mx.sym.relu(mx.sym.var("x"))
    with pytest.raises(AssertionError, match="takes a Symbol"):
        amp.convert_symbol(3)
    with pytest.raises(AssertionError, match="arg_params takes a dict"):
        amp.convert_model(symbol, [], {})
    with pytest.raises(AssertionError, match="takes a HybridBlock"):
        amp.convert_hybrid_block(symbol)
    with pytest.raises(AssertionError, match="takes a BucketingModule"):
        amp.amp.convert_bucketing_module(symbol)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("optional", [False, True])
def test_parameters_of_a_model_are_converted_on_demand(dtype, optional):
    hidden = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    symbol = mx.sym.BatchNorm(hidden, name="bn")
    shapes, _, states = symbol.infer_shape(data=(2, 3))
    names = symbol.list_arguments()
    args = {n: nd.ones(s) for n, s in zip(names, shapes, strict=True) if n != "data"}
    aux = {n: nd.ones(s) for n, s in zip(symbol.list_auxiliary_states(), states, strict=True)}
    converted, args, aux = amp.convert_model(
        symbol, args, aux, target_dtype=dtype, cast_optional_params=optional
    )
    assert element_type(args["fc_weight"].dtype).name == (dtype if optional else "float32")
    assert args["bn_gamma"].dtype == aux["bn_moving_var"].dtype == np.float32
    executor = converted.bind(mx.cpu(), {"data": nd.ones((2, 3)), **args}, aux_states=aux)
    out = executor.forward()[0]
    assert out.dtype == np.float32
    np.testing.assert_allclose(out.asnumpy(), 4.0, rtol=0.02)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("optional", [False, True])
def test_a_block_is_converted(dtype, optional):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    x = nd.random.uniform(shape=(2, 3, 6, 6))
    with pytest.raises(RuntimeError, match="run it once"):
        amp.convert_hybrid_block(net, ctx=mx.cpu())
    net.hybridize()
    expected = net(x).asnumpy()
    converted = amp.convert_hybrid_block(
        net, target_dtype=dtype, ctx=mx.cpu(), cast_optional_params=optional
    )
    assert isinstance(converted, gluon.SymbolBlock)
    found = converted(x)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=0.05, atol=0.02)
    dtypes = {element_type(p.dtype).name for p in converted.collect_params(".*weight").values()}
    assert dtypes == {dtype if optional else "float32"}
    assert net.collect_params()[net[0].weight.name].dtype == np.float32


def test_a_bucketing_module_is_converted():
    def network(_length):
        data = mx.sym.var("data")
        hidden = mx.sym.FullyConnected(data, num_hidden=3, flatten=False, name="fc")
        return (mx.sym.softmax(mx.sym.sum(hidden, axis=1)), ("data",), None)

    module = mx.mod.BucketingModule(network, default_bucket_key=4)
    module.bind([("data", (2, 4, 5))], for_training=False)
    module.init_params()
    batch = mx.io.DataBatch([nd.ones((2, 4, 5))], bucket_key=4, provide_data=[("data", (2, 4, 5))])
    module.forward(batch)
    converted = amp.amp.convert_bucketing_module(module, target_dtype="bfloat16")
    converted.bind([("data", (2, 4, 5))], for_training=False)
    converted.forward(batch)
    np.testing.assert_allclose(
        converted.get_outputs()[0].asnumpy(), module.get_outputs()[0].asnumpy(), rtol=0.05
    )
    with pytest.raises(AssertionError, match="has no parameters"):
        amp.amp.convert_bucketing_module(mx.mod.BucketingModule(network, default_bucket_key=4))

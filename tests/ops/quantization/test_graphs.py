"""Quantized operators in symbols, against what the original lists, infers and computes."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx

contrib, var = mx.sym.contrib, mx.sym.var
RANGE = ["float32", "float32"]


def names_of(dtypes):
    """Returns the names of types as `infer_type` lists them."""
    return [np.dtype(dtype).name for dtype in dtypes]


def dense(**attrs):
    return contrib.quantized_fully_connected(var("data"), num_hidden=3, name="q", **attrs)


def conv(**attrs):
    return contrib.quantized_conv(var("data"), kernel=(3, 3), num_filter=3, name="q", **attrs)


def norm(**attrs):
    return contrib.quantized_batch_norm(var("data"), name="q", **attrs)


def concat():
    return contrib.quantized_concat(var("data"), var("other"), num_args=2, name="q")


ENDS = ["q_min_data", "q_max_data", "q_min_weight", "q_max_weight"]


@pytest.mark.parametrize(
    ("symbol", "arguments", "outputs"),
    [
        (
            conv(),
            ["data", "q_weight", "q_bias", *ENDS, "q_min_bias", "q_max_bias"],
            ["q_output", "q_min_output", "q_max_output"],
        ),
        (
            dense(no_bias=True),
            ["data", "q_weight", *ENDS],
            ["q_output", "q_min_output", "q_max_output"],
        ),
        (
            concat(),
            ["data", "other", "q_arg0_min", "q_arg0_max", "q_arg1_min", "q_arg1_max"],
            ["q_output", "q_min_output", "q_max_output"],
        ),
        (
            contrib.quantize_v2(var("data"), name="q"),
            ["data"],
            ["q_output0", "q_output1", "q_output2"],
        ),
        (
            contrib.quantize_asym(var("data"), name="q"),
            ["data"],
            ["q_output", "q_scale", "q_shift"],
        ),
        (
            contrib.dequantize(var("data"), name="q"),
            ["data", "q_min_range", "q_max_range"],
            ["q_output"],
        ),
        (
            contrib.calibrate_entropy(var("data"), name="q"),
            ["data", "q_hist_edges"],
            ["q_threshold", "q_divergence"],
        ),
        (
            norm(),
            ["data", "q_gamma", "q_beta", "q_min_data", "q_max_data"],
            ["q_output", "q_min_output", "q_max_output"],
        ),
        (
            contrib.quantized_elemwise_mul(var("data"), enable_float_output=True, name="q"),
            ["data", "q_rhs", "q_lhs_min", "q_lhs_max", "q_rhs_min", "q_rhs_max"],
            ["q_output"],
        ),
    ],
    ids=lambda value: value.name if isinstance(value, mx.sym.Symbol) else "",
)
def test_names_of_inputs_and_outputs(symbol, arguments, outputs):
    assert symbol.list_arguments() == arguments
    assert symbol.list_outputs() == outputs
    again = mx.sym.load_json(symbol.tojson())
    assert again.list_arguments() == arguments
    assert again.list_outputs() == outputs


@pytest.mark.parametrize(
    ("symbol", "given", "arguments", "outputs"),
    [
        (
            contrib.quantize(var("data"), out_type="int8"),
            "float32",
            ["float32", *RANGE],
            ["int8", *RANGE],
        ),
        (contrib.quantize_v2(var("data")), "uint8", ["uint8"], ["int8", *RANGE]),
        (
            contrib.quantize_v2(
                var("data"), out_type="auto", min_calib_range=0.0, max_calib_range=1.0
            ),
            "float32",
            ["float32"],
            ["uint8", *RANGE],
        ),
        (conv(), "uint8", ["uint8", "int8", "int8", *RANGE * 3], ["int32", *RANGE]),
        (dense(no_bias=True), "int8", ["int8", "int8", *RANGE * 2], ["int32", *RANGE]),
        (contrib.requantize(var("data")), "int32", ["int32", *RANGE], ["int8", *RANGE]),
        (contrib.dequantize(var("data")), "uint8", ["uint8", *RANGE], ["float32"]),
        (
            contrib.quantized_act(var("data"), act_type="relu"),
            "uint8",
            ["uint8", *RANGE],
            ["int8", *RANGE],
        ),
        (
            contrib.quantized_pooling(var("data"), kernel=(2, 2)),
            "uint8",
            ["uint8", *RANGE],
            ["uint8", *RANGE],
        ),
        (contrib.quantized_flatten(var("data")), "int32", ["int32", *RANGE], ["int32", *RANGE]),
        (norm(), "uint8", ["uint8", *RANGE, *RANGE], ["int8", *RANGE]),
        (
            contrib.quantized_embedding(var("data"), input_dim=3, output_dim=4),
            "float32",
            ["float32", "int8", *RANGE],
            ["int8", *RANGE],
        ),
    ],
)
def test_types_are_inferred(symbol, given, arguments, outputs):
    inferred = symbol.infer_type(data=given)
    assert names_of(inferred[0]) == arguments
    assert names_of(inferred[1]) == outputs


@pytest.mark.parametrize(
    ("symbol", "given"),
    [
        (contrib.quantize(var("data")), "int8"),
        (contrib.quantize_v2(var("data")), "int32"),
        (contrib.dequantize(var("data")), "float32"),
        (contrib.requantize(var("data")), "int8"),
        (dense(), "float32"),
        (norm(), "float32"),
        (contrib.quantized_elemwise_add(var("data")), "int32"),
        (concat(), "float32"),
    ],
)
def test_types_that_do_not_fit_are_refused(symbol, given):
    with pytest.raises(mx.MXNetError):
        symbol.infer_type(data=given)


def test_shapes_are_inferred():
    arguments, outputs, _ = conv().infer_shape(data=(2, 4, 5, 5))
    assert arguments == [(2, 4, 5, 5), (3, 4, 3, 3), (3,), *[(1,)] * 6]
    assert outputs == [(2, 3, 3, 3), (1,), (1,)]
    assert dense().infer_shape(data=(2, 4, 5, 5))[0][1] == (3, 100)
    assert norm().infer_shape(data=(2, 4, 5, 5))[2] == [(4,), (4,)]
    arguments, outputs, _ = concat().infer_shape(data=(2, 4, 5), other=(2, 3, 5))
    assert arguments == [(2, 4, 5), (2, 3, 5), *[(1,)] * 4]
    assert outputs == [(2, 7, 5), (1,), (1,)]


def test_simple_bind_allocates_bytes():
    executor = conv().simple_bind(
        mx.cpu(), grad_req="null", type_dict={"data": "uint8"}, data=(1, 4, 5, 5)
    )
    assert executor.arg_dict["q_weight"].dtype == np.int8
    assert executor.arg_dict["q_min_bias"].dtype == np.float32
    executor.arg_dict["data"][:] = 2
    executor.arg_dict["q_weight"][:] = 3
    executor.arg_dict["q_bias"][:] = -5
    assert (executor.forward()[0].asnumpy() == 2 * 3 * 4 * 9 - 5).all()


LEFT, RIGHT = [44, -81, -11, 64, -61, 123], [-91, 107, 12, -56, 127, 9]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, ([-4004, -8667, -132, -3584, -7747, 1107], [-399432.75], [399432.75])),
        (
            {"min_calib_range": -2.0, "max_calib_range": 2.0},
            ([-47, -101, -1, -42, -91, 13], [-2.0], [2.0]),
        ),
        (
            {"min_calib_range": -0.1, "max_calib_range": 0.1},
            ([82, 9, -31, -75, -30, 4], [-0.1], [0.1]),  # without saturation
        ),
        (
            {"enable_float_output": True},
            (
                [
                    -0.7389158010482788,
                    -1.599446415901184,
                    -0.02435986138880253,
                    -0.6614071726799011,
                    -1.4296655654907227,
                    0.20429065823554993,
                ],
            ),
        ),
    ],
)
def test_products_in_an_executor(options, expected):
    names = ("lhs", "rhs", "lhs_min", "lhs_max", "rhs_min", "rhs_max")
    symbol = contrib.quantized_elemwise_mul(*map(var, names), **options)
    arrays = [mx.nd.array(row, dtype="int8") for row in (LEFT, RIGHT)]
    arrays += [mx.nd.array([end]) for end in (-1, 1, -2, 3)]
    outputs = symbol.bind(mx.cpu(), dict(zip(names, arrays, strict=True))).forward()
    assert len(outputs) == len(expected)
    for output, values in zip(outputs, expected, strict=True):
        np.testing.assert_array_equal(output.asnumpy(), np.array(values, output.dtype))

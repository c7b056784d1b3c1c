"""Operations, parameters and memory of the nodes of a graph."""

from __future__ import annotations

from math import prod

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

import mxnet as mx
from mxnet.gluon import nn
from mxnet.graph.infer import costs
from mxnet.ops.core.registry import all_ops, as_tuple, get_op
from mxnet.ops.core.traits import NO_TRAITS


def measure(symbol, dtypes=None, **shapes) -> costs.Costs:
    return costs.measure(symbol._graph, shapes, dtypes)


PRODUCTS = [
    ("Convolution", [(2, 4, 9, 9), (6, 2, 3, 3)], {"kernel": (3, 3), "num_filter": 6,
     "num_group": 2, "stride": (2, 2), "no_bias": True}),
    ("Convolution", [(2, 9, 9, 4), (6, 3, 3, 4)], {"kernel": (3, 3), "num_filter": 6,
     "layout": "NHWC", "no_bias": True}),
    ("Deconvolution", [(2, 4, 5, 5), (4, 3, 3, 3)], {"kernel": (3, 3), "num_filter": 6,
     "num_group": 2, "no_bias": True}),
    ("FullyConnected", [(2, 4, 5), (7, 20)], {"num_hidden": 7, "no_bias": True}),
    ("FullyConnected", [(2, 4, 5), (7, 5)], {"num_hidden": 7, "no_bias": True, "flatten": False}),
    ("dot", [(3, 4), (4, 5)], {}),
    ("dot", [(4, 3), (5, 4)], {"transpose_a": True, "transpose_b": True}),
    ("dot", [(2, 3, 4), (4, 5)], {}),
    ("batch_dot", [(2, 3, 4), (2, 4, 5)], {}),
    ("batch_dot", [(2, 4, 3), (2, 5, 4)], {"transpose_a": True, "transpose_b": True}),
    ("_linalg_gemm2", [(2, 4, 3), (2, 4, 5)], {"transpose_a": True}),
    ("_npi_matmul", [(2, 3, 4), (4, 5)], {}),
    ("_np_dot", [(3, 4), (4, 5)], {}),
    ("_npi_tensordot", [(3, 4, 5), (5, 4, 2)], {"a_axes_summed": (1, 2), "b_axes_summed": (1, 0)}),
    ("_npi_tensordot_int_axes", [(3, 4, 5), (4, 5, 2)], {"axes": 2}),
    ("_npi_einsum", [(3, 4, 5), (4, 5, 2)], {"subscripts": "ijk,jkl->il"}),
    ("_contrib_interleaved_matmul_selfatt_qk", [(5, 2, 24)], {"heads": 2}),
    ("_contrib_interleaved_matmul_selfatt_valatt", [(5, 2, 24), (4, 5, 5)], {"heads": 2}),
    ("_contrib_interleaved_matmul_encdec_qk", [(5, 2, 8), (7, 2, 16)], {"heads": 2}),
    ("_contrib_interleaved_matmul_encdec_valatt", [(7, 2, 16), (4, 5, 7)], {"heads": 2}),
]  # fmt: skip


FAST = (
    *("Convolution", "Deconvolution", "FullyConnected", "RNN", "_contrib_DeformableConvolution"),
    *("_linalg_gemm", "_linalg_gemm2", "batch_dot", "dot"),
)


@pytest.mark.parametrize(("name", "shapes", "attrs"), PRODUCTS)
def test_products_have_the_operations_that_torch_counts(name, shapes, attrs):
    op = get_op(name)
    tensors = [torch.ones(shape) for shape in shapes]
    with FlopCounterMode(display=False) as counter:
        result = op.kernel(*tensors, **attrs)
    outputs = [tuple(tensor.shape) for tensor in as_tuple(result)]
    counted = costs.count_flops(op, shapes, outputs, op.with_defaults(attrs))
    assert counted == counter.get_total_flops() > 0


def test_every_operator_whose_products_are_fast_says_how_many_they_are():
    fast = {op for op in all_ops() if op.traits.low_precision}
    fast |= {get_op(name) for name in (*FAST, *(row[0] for row in PRODUCTS))}
    assert {op.name for op in fast if not op.traits.flops} == set()


def test_a_bias_is_an_addition_for_each_result():
    x = mx.sym.var("x")
    with_bias = measure(mx.sym.FullyConnected(x, num_hidden=7), x=(2, 5))
    without = measure(mx.sym.FullyConnected(x, num_hidden=7, no_bias=True), x=(2, 5))
    assert with_bias.flops - without.flops == 2 * 7


@pytest.mark.parametrize(
    ("name", "flops"),
    [("relu", 24), ("sum", 24), ("Flatten", 0), ("identity", 0), ("ones_like", 0), ("Cast", 0)],
)
def test_operators_that_move_elements_have_no_operations(name, flops):
    attrs = {"dtype": "float16"} if name == "Cast" else {}
    symbol = getattr(mx.sym, name)(mx.sym.var("x"), **attrs)
    assert measure(symbol, x=(2, 3, 4)).flops == flops


def test_a_recurrent_layer_multiplies_by_each_parameter_at_each_step():
    x = mx.sym.var("x")
    symbol = mx.sym.RNN(x, state_size=6, num_layers=1, mode="gru", state=mx.sym.zeros((1, 2, 6)))
    parameters = 3 * 6 * (4 + 6 + 2)
    result = measure(symbol, x=(5, 2, 4))
    assert result.rows[-1].num_parameters == parameters
    assert result.rows[-1].flops == 2 * parameters * 5 * 2


def test_pooling_looks_at_windows_or_at_everything():
    x = mx.sym.var("x")
    windows = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2))
    assert measure(windows, x=(1, 3, 4, 4)).flops == 3 * 4 * 4
    everything = mx.sym.Pooling(x, global_pool=True, kernel=(1, 1))
    assert measure(everything, x=(1, 3, 4, 4)).flops == 3 * 16


def test_a_network_of_the_zoo():
    net = mx.gluon.model_zoo.vision.resnet18_v1()
    result = measure(net(mx.sym.var("data")), data=(1, 3, 224, 224))
    assert result.flops == pytest.approx(2 * 1.82e9, rel=0.01)  # 1.8 billion multiply-adds
    assert result.num_parameters == 11_699_112
    assert result.parameter_bytes == 4 * result.num_parameters
    assert result.unknown == ()
    # The result of the first convolution, and its normalization.
    assert result.peak_bytes == 2 * 4 * 64 * 112 * 112
    assert result.peak_bytes < result.output_bytes


def test_a_shared_parameter_counts_once():
    x, weight = mx.sym.var("x"), mx.sym.var("weight")
    first = mx.sym.FullyConnected(x, weight, num_hidden=5, no_bias=True)
    second = mx.sym.FullyConnected(first, weight, num_hidden=5, no_bias=True)
    assert [row.num_parameters for row in measure(second, x=(2, 5)).rows] == [25, 0]


def test_memory_depends_on_the_dtype():
    net = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=7)
    half = measure(net, {"x": torch.float16}, x=(2, 5))
    assert half.rows[0].output_bytes == 2 * 2 * 7
    assert half.rows[0].dtype is torch.float16


def test_results_are_freed_after_their_last_use():
    x = mx.sym.var("x")
    chain = mx.sym.relu(mx.sym.relu(mx.sym.relu(x)))
    assert measure(chain, x=(100,)).peak_bytes == 2 * 400
    assert measure(chain + x, x=(100,)).peak_bytes == 3 * 400


def test_loops_and_programs_are_unknown():
    x = mx.sym.var("x")
    outputs, _ = mx.sym.contrib.foreach(lambda row, state: (row * 2, state), x, [mx.sym.var("s")])
    result = measure(outputs, x=(4, 3), s=(1,))
    assert [node.op.name for node in result.unknown] == ["_foreach"]


def test_unknown_shapes_are_unknown_costs():
    result = measure(mx.sym.relu(mx.sym.var("x")))
    assert result.rows[0].flops is None
    assert result.rows[0].outputs == (None,)


def test_a_graph_without_operators_costs_nothing():
    assert measure(mx.sym.var("x"), x=(3,)).rows == ()


def test_a_declaration_need_not_say_anything():
    op = get_op("relu")
    assert costs.count_flops(op, [(2, 3)], [(2, 3)], {}) == 6
    assert NO_TRAITS.flops is None


def test_the_summary_of_a_network_agrees_with_its_graph(capsys):
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3, activation="relu"), nn.BatchNorm(), nn.Dense(10))
    net.initialize()
    net.summary(mx.nd.ones((2, 3, 16, 16)), costs=True)
    printed = capsys.readouterr().out
    expected = measure(net(mx.sym.var("data")), data=(2, 3, 16, 16))
    assert f"Floating-point operations of this call: {expected.flops}\n" in printed
    assert f"Bytes of parameters: {expected.parameter_bytes}\n" in printed
    rows = [line.split() for line in printed.splitlines() if line.strip().startswith("Dense-")]
    assert [int(field) for field in rows[0][-2:]] == [
        2 * 10 * (2 * 8 * 14 * 14 + 1),
        4 * (prod((10, 8 * 14 * 14)) + 10 + 2 * 10),
    ]


def test_the_summary_is_that_of_the_original_unless_costs_are_asked_for(capsys):
    net = nn.Dense(10)
    net.initialize()
    net.summary(mx.nd.ones((1, 4)))
    assert "FLOPs" not in capsys.readouterr().out

"""Methods of symbols about backends and executors, and inputs that are made for a node."""

from __future__ import annotations

import logging

import pytest

import mxnet as mx
from mxnet import nd

A, B = mx.sym.var("a"), mx.sym.var("b")


class TestBackends:
    def test_the_result_computes_the_same(self):
        net = (A * 2).optimize_for("MKLDNN", {"a": nd.ones(2)})
        assert net.eval(a=nd.ones(2))[0].asnumpy().tolist() == [2, 2]
        assert net.get_backend_symbol("inductor").list_arguments() == ["a"]

    def test_an_unknown_backend_is_reported(self, caplog):
        with caplog.at_level(logging.ERROR):
            net = (A * 2).optimize_for("no such backend")
        assert "no such backend" in caplog.text
        assert net.list_arguments() == ["a"]

    @pytest.mark.parametrize("args", [{"a": nd.ones(2), "b": nd.ones(3)}, [nd.ones(2), nd.ones(3)]])
    def test_arrays_that_do_not_fit(self, args):
        with pytest.raises(mx.MXNetError, match="does not agree"):
            (A * B).optimize_for("MKLDNN", args)
        assert (A * B).optimize_for("MKLDNN", args, skip_infer=True) is not None

    def test_an_unknown_backend_has_no_symbol(self):
        with pytest.raises(mx.MXNetError, match="no such backend"):
            A.get_backend_symbol("no such backend")


class TestMissingInputs:
    def test_a_given_variable_learns_how_to_start(self):
        state = mx.sym.var("state")
        mx.sym.BatchNorm(A, moving_var=state)
        assert state.attr("__init__") == '["one", {}]'

    def test_an_initializer_of_the_user_stays(self):
        state = mx.sym.var("state", init="zeros")
        mx.sym.BatchNorm(A, moving_var=state)
        assert state.attr("__init__") == "zeros"

    def test_a_count_that_is_no_number(self):
        with pytest.raises(ValueError, match="num_args"):
            mx.sym.Concat(A, num_args="many")

    def test_the_weight_of_an_upsampling_tells_how_to_start(self):
        net = mx.sym.UpSampling(A, scale=2, sample_type="bilinear", num_filter=1, name="up")
        assert net.attr_dict()["up_weight"]["__init__"] == '["bilinear", {}]'
        exe = net.simple_bind(mx.cpu(), a=(1, 1, 3, 3))
        name = mx.init.InitDesc("up_weight", net.attr_dict()["up_weight"])
        mx.init.Uniform()(name, exe.arg_dict["up_weight"])
        assert exe.arg_dict["up_weight"].asnumpy().max() == 0.5625
        assert exe.forward()[0].shape == (1, 1, 6, 6)


def test_sparse_functions_are_those_of_dense_symbols():
    assert mx.sym.sparse.dot is mx.sym.dot
    assert mx.sym.sparse.elemwise_add is mx.sym.elemwise_add


def test_types_that_are_not_known_stay_open():
    arguments, outputs, states = mx.sym.FullyConnected(A, num_hidden=2).infer_type_partial()
    assert arguments == [None, None, None]
    assert outputs == [None]
    assert states == []


def test_there_is_no_graph_of_gradients():
    with pytest.raises(mx.MXNetError, match="backward"):
        (A * B).gradient(["a"])

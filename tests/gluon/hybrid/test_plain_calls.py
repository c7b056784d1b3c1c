"""Calls of layers on arrays, for which parameters are read in a short way."""

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn


class Scale(nn.HybridBlock):
    """Multiplies by a parameter and notes the context in which it runs."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.factor = self.params.get("factor", shape=(1,), init="ones")
        self.contexts = []

    def hybrid_forward(self, F, x, *others, factor):
        self.contexts.append(mx.current_context())
        for other in others:
            x = x + other
        return F.broadcast_mul(x, factor)


@pytest.fixture
def layer():
    made = Scale()
    made.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    return made


@pytest.mark.parametrize("number", [0, 1])
def test_a_call_runs_where_its_data_are(layer, number):
    layer.factor.list_data()[number][:] = 3
    result = layer(nd.ones((2,), ctx=mx.cpu(number)))
    assert result.context == mx.cpu(number)
    assert layer.contexts == [mx.cpu(number)]
    np.testing.assert_array_equal(result.asnumpy(), [3, 3])


def test_a_context_without_the_parameters_is_refused(layer):
    with pytest.raises(mx.MXNetError, match=r"was not initialized on context cpu\(2\)"):
        layer(nd.ones((2,), ctx=mx.cpu(2)))


def test_several_arrays_and_none(layer):
    one = nd.ones((2,))
    np.testing.assert_array_equal(layer(one, one).asnumpy(), [2, 2])
    with pytest.raises(TypeError):
        layer(one, None)


def test_a_parameter_may_compute_its_value(layer):
    class Doubled(gluon.Parameter):
        """A parameter whose value is computed when it is read, as libraries write them."""

        def data(self, ctx=None):
            return 2 * super().data(ctx)

    doubled = Doubled("doubled", shape=(1,), init="ones")
    doubled.initialize()
    layer(nd.ones((2,)))
    layer._reg_params["factor"] = doubled
    np.testing.assert_array_equal(layer(nd.ones((2,))).asnumpy(), [2, 2])


def test_other_arrays_of_a_parameter_are_seen(layer):
    data = nd.ones((2,))
    layer(data)
    layer.cast("float64")
    assert layer(data.astype("float64")).dtype == np.float64
    layer.cast("float32")
    layer.factor.set_data(nd.array([5]))
    np.testing.assert_array_equal(layer(data).asnumpy(), [5, 5])
    layer.collect_params().reset_ctx(mx.cpu(3))
    assert layer(data.as_in_context(mx.cpu(3))).context == mx.cpu(3)


def test_a_forward_of_the_object_is_called(layer):
    layer.forward = lambda x: x + 1
    np.testing.assert_array_equal(layer(nd.ones((2,))).asnumpy(), [2, 2])


def test_errors_name_the_layer(layer):
    with pytest.raises(mx.MXNetError, match=layer.name):
        layer(nd.ones((2,)), nd.ones((3,)))

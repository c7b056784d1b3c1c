"""Parameters: initialization, contexts, gradients, sharing."""

import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd
from tests.gluon.networks import DATA, Branches

TWO = [mx.cpu(0), mx.cpu(1)]


def make(**fields):
    parameter = gluon.Parameter("w", **{"shape": (2, 3), **fields})
    parameter.initialize()
    return parameter


def test_defaults():
    parameter = gluon.Parameter("w", shape=(2, 3))
    assert repr(parameter) == "Parameter w (shape=(2, 3), dtype=<class 'numpy.float32'>)"
    assert (parameter.grad_req, parameter.lr_mult, parameter.wd_mult) == ("write", 1.0, 1.0)
    assert parameter.dtype is np.float32
    assert parameter.name == "w"


def test_a_number_is_the_shape_of_a_vector():
    assert gluon.Parameter("w", shape=3).shape == (3,)


def test_values_lie_in_the_default_range_whatever_the_name():
    values = make(shape=(100, 10)).data().asnumpy()
    assert abs(values).max() <= 0.07
    assert values.std() > 0.03


@pytest.mark.parametrize("init", ["ones", mx.init.One(), mx.init.Constant(1)])
def test_own_initializer_goes_before_that_of_the_network(init):
    parameter = gluon.Parameter("w", shape=(2,), init=init)
    parameter.initialize(default_init=mx.init.Zero())
    assert parameter.data().asnumpy().tolist() == [1, 1]


def test_initializer_of_the_call_goes_before_the_own_one():
    parameter = gluon.Parameter("w", shape=(2,), init="zeros")
    parameter.initialize("ones")
    assert parameter.data().asnumpy().tolist() == [1, 1]


def test_second_initialization_warns_and_changes_nothing():
    parameter = make()
    before = parameter.data().asnumpy()
    with pytest.warns(UserWarning, match="'w' is already initialized"):
        parameter.initialize("ones")
    assert (parameter.data().asnumpy() == before).all()
    parameter.initialize("ones", force_reinit=True)
    assert parameter.data().asnumpy().tolist() == [[1, 1, 1], [1, 1, 1]]


def test_shape_fills_unknown_lengths():
    parameter = gluon.Parameter("w", shape=(2, 0))
    parameter.shape = (2, 4)
    assert parameter.shape == (2, 4)


def test_value_can_be_set_while_the_shape_is_waited_for():
    parameter = gluon.Parameter("w", shape=(2, 0), allow_deferred_init=True)
    parameter.initialize()
    parameter.set_data(nd.ones((2, 5)))
    assert parameter.shape == (2, 5)
    parameter._finish_deferred_init()
    assert parameter.data().asnumpy().sum() == 10


def test_several_contexts():
    parameter = gluon.Parameter("w", shape=(2,))
    parameter.initialize(ctx=TWO)
    assert parameter.list_ctx() == TWO
    assert [array.context for array in parameter.list_data()] == TWO
    assert [array.context for array in parameter.list_grad()] == TWO
    assert parameter.data().context == mx.cpu(0)
    assert parameter.data(mx.cpu(1)).context == mx.cpu(1)
    with mx.cpu(1):
        assert parameter.data().context == mx.cpu(1)
    first, second = (array.asnumpy() for array in parameter.list_data())
    assert (first == second).all()


def test_set_data_sets_all_contexts():
    parameter = gluon.Parameter("w", shape=(2,))
    parameter.initialize(ctx=TWO)
    parameter.set_data(nd.array([3, 4]))
    assert [array.asnumpy().tolist() for array in parameter.list_data()] == [[3, 4], [3, 4]]


def test_reset_ctx_moves_the_value():
    parameter = make()
    before = parameter.data().asnumpy()
    parameter.reset_ctx(mx.cpu(1))
    assert parameter.list_ctx() == [mx.cpu(1)]
    assert (parameter.data().asnumpy() == before).all()
    assert parameter.grad().context == mx.cpu(1)


def test_deferred_parameter_knows_its_contexts():
    parameter = gluon.Parameter("w", shape=(0,), allow_deferred_init=True)
    parameter.initialize(ctx=mx.cpu(1))
    assert parameter.list_ctx() == [mx.cpu(1)]
    parameter.reset_ctx(TWO)
    assert parameter.list_ctx() == TWO


def test_cast_keeps_value_and_gives_a_gradient_of_the_new_type():
    parameter = make()
    before = parameter.data().asnumpy()
    parameter.cast("float64")
    assert parameter.data().dtype == np.float64
    assert parameter.grad().dtype == np.float64
    assert (parameter.data().asnumpy() == before).all()
    assert repr(parameter) == "Parameter w (shape=(2, 3), dtype=float64)"


def test_grad_req_can_change():
    parameter = make()
    parameter.grad_req = "add"
    for _ in range(2):
        with mx.autograd.record():
            loss = (parameter.data() * 3).sum()
        loss.backward()
    assert parameter.grad().asnumpy().tolist() == [[6, 6, 6], [6, 6, 6]]
    parameter.zero_grad()
    assert parameter.grad().asnumpy().any() == np.False_
    parameter.grad_req = "null"
    with pytest.raises(RuntimeError, match="grad_req='null'"):
        parameter.grad()
    parameter.grad_req = "write"
    assert parameter.grad().shape == (2, 3)


def test_what_is_not_differentiable_stays_without_gradient():
    parameter = gluon.Parameter("w", shape=(2,), differentiable=False)
    parameter.grad_req = "write"
    assert parameter.grad_req == "null"


def test_parameter_survives_pickling():
    parameter = make()
    other = pickle.loads(pickle.dumps(parameter))
    assert (other.data().asnumpy() == parameter.data().asnumpy()).all()
    with mx.autograd.record():
        loss = other.data().sum()
    loss.backward()
    assert other.grad().asnumpy().sum() == 6


def test_constant():
    constant = gluon.Constant("c", [[1, 2], [3, 4]])
    constant.initialize()
    assert repr(constant) == "Constant c (shape=(2, 2), dtype=<class 'numpy.float32'>)"
    assert constant.data().asnumpy().tolist() == [[1, 2], [3, 4]]
    with pytest.warns(UserWarning, match="'c' has no gradient"):
        constant.grad_req = "write"
    assert constant.grad_req == "null"


def test_constant_keeps_its_value_under_any_initializer():
    net = Branches(prefix="net_")
    net.initialize(mx.init.Zero())
    assert net.shift.data().asnumpy().tolist() == [[0.5]]


def test_dictionary_makes_and_finds():
    params = gluon.ParameterDict("net_")
    weight = params.get("w", shape=(2, 3))
    assert params["net_w"] is weight
    assert params.get("w") is weight
    assert list(params.keys()) == list(params) == ["net_w"]
    assert "net_w" in params
    assert repr(params) == f"net_ (\n  {weight}\n)"


def test_dictionary_merges_shapes():
    params = gluon.ParameterDict("net_")
    first = params.get("w", shape=(2, 0))
    assert params.get("w", shape=(0, 3)) is first
    assert first.shape == (2, 3)


def test_dictionary_looks_into_the_shared_one():
    shared = gluon.ParameterDict("net_")
    weight = shared.get("w", shape=(2,))
    assert gluon.ParameterDict("net_", shared=shared).get("w", shape=(2,)) is weight
    assert gluon.ParameterDict("other_", shared=shared).get("w", shape=(2,)) is not weight


def test_get_constant():
    params = gluon.ParameterDict("net_")
    constant = params.get_constant("c", nd.ones(2))
    assert params.get_constant("c") is constant
    assert params.get_constant("c", nd.ones(2)) is constant


def test_setattr_sets_all():
    params = gluon.ParameterDict("net_")
    params.get("a", shape=(1,))
    params.get("b", shape=(1,))
    params.setattr("lr_mult", 0.1)
    params.setattr("grad_req", "null")
    assert {p.lr_mult for p in params.values()} == {0.1}
    assert {p.grad_req for p in params.values()} == {"null"}


def test_whole_network_on_two_contexts():
    net = Branches(prefix="net_")
    net.initialize(ctx=TWO)
    outputs = [net(DATA.as_in_context(ctx)) for ctx in TWO]
    assert [output.context for output in outputs] == TWO
    first, second = (output.asnumpy() for output in outputs)
    assert (first == second).all()
    net.collect_params().reset_ctx(mx.cpu(2))
    assert net(DATA.as_in_context(mx.cpu(2))).context == mx.cpu(2)
    assert net.collect_params().list_ctx() == [mx.cpu(2)]


def test_value_set_while_recording_is_refused_where_a_gradient_is_wanted():
    weight = gluon.Parameter("w", shape=(2,), init="ones")
    weight.initialize()
    with mx.autograd.record():
        product = weight.data() * 2
        with pytest.raises(mx.MXNetError, match="already in a computational graph"):
            weight.set_data(nd.zeros(2))
        with mx.autograd.pause():
            weight.set_data(nd.array([3, 4]))
    product.backward()
    assert weight.data().asnumpy().tolist() == [3, 4]
    assert weight.grad().asnumpy().tolist() == [2, 2]


def test_value_set_while_recording_is_recorded_where_no_gradient_is_wanted():
    mean = gluon.Parameter("m", shape=(2,), init="zeros", grad_req="null")
    mean.initialize()
    data = nd.array([[1, 2]])
    data.attach_grad()
    for _ in range(2):
        with mx.autograd.record():
            mean.set_data(0.75 * mean.data() + 0.25 * data.mean(axis=0))
            loss = (data - mean.data()).sum()
        loss.backward()
    assert mean.data().asnumpy().tolist() == [0.4375, 0.875]
    assert data.grad.asnumpy().tolist() == [[0.75, 0.75]]


def test_a_parameter_can_be_wrapped_by_copying_what_it_holds():
    class Wrapped(gluon.Parameter):
        def __init__(self, inner):
            super().__init__(inner.name, shape=inner.shape)
            self._data, self._grad = inner._data, inner._grad
            self._ctx_list, self._ctx_map = inner._ctx_list, inner._ctx_map

        def data(self, ctx=None):
            return self._check_and_get(self._data, ctx) * 2

    parameter = gluon.Parameter("w", shape=(2,))
    assert parameter._ctx_list is None
    parameter.initialize(init="ones", ctx=[mx.cpu(0), mx.cpu(1)])
    assert parameter._check_and_get(parameter._data, list) is parameter._data
    assert parameter._ctx_list == [mx.cpu(0), mx.cpu(1)]
    wrapped = Wrapped(parameter)
    assert wrapped.data(mx.cpu(1)).asnumpy().tolist() == [2, 2]
    assert wrapped.data(mx.cpu(1)).context == mx.cpu(1)


def test_a_sparse_parameter_has_one_trainer():
    dense = mx.gluon.Parameter("dense", shape=(2, 2))
    sparse = mx.gluon.Parameter("sparse", shape=(2, 2), stype="row_sparse")
    for parameter in (dense, sparse):
        parameter._set_trainer("first")
        parameter._set_trainer("first")
    dense._set_trainer("second")
    with pytest.raises(RuntimeError, match="another Trainer"):
        sparse._set_trainer("second")
    sparse._set_trainer(None)
    assert (dense._trainer, sparse._trainer) == ("second", None)

"""Dialects: a second one is added here, and Gluon follows it without knowing of it."""

import threading
from types import ModuleType

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import gluon
from mxnet._arrays import operators
from mxnet._arrays.functions import as_function
from mxnet._frontend import dialect
from mxnet._frontend.dialect import CLASSIC, Dialect, current_dialect, dialect_of
from mxnet._state import modes
from mxnet.context import resolve
from mxnet.ops.core.attrs import ShapeRules
from mxnet.ops.core.public import PublicFunctions, install_methods
from mxnet.ops.core.spellings import CLASSIC as SPELLINGS


class Loud(mx.nd.NDArray):
    """Arrays of a dialect in which elements have no axes."""

    __slots__ = ()
    __hash__ = mx.nd.NDArray.__hash__


class LoudSymbol(mx.sym.Symbol):
    """Symbols of the same dialect."""


def array(values, ctx=None, dtype="float32"):
    return Loud._wrap(torch.as_tensor(np.asarray(values, dtype)), resolve(ctx))


def zeros(shape, ctx=None, dtype="float32", **_):
    return array(np.zeros(shape), ctx, dtype)


def _make_functions():
    module = ModuleType("loud")
    functions = PublicFunctions(
        SPELLINGS, "loud", lambda op, name, where: as_function(op, name, Loud, where)
    )["op"]
    vars(module).update(functions, array=array, zeros=zeros)
    operators.install(Loud)
    install_methods(Loud, ("sum", "mean"), functions)
    return module


LOUD = Dialect(
    "loud", Loud, LoudSymbol, _make_functions(), mx.sym, SPELLINGS, ShapeRules(-1, True, ())
)


@pytest.fixture
def loud(monkeypatch):
    """Registers the dialect and switches this thread to it."""
    monkeypatch.setitem(dialect.ARRAY_DIALECTS, Loud, LOUD)
    monkeypatch.setitem(dialect._SYMBOL_DIALECTS, LoudSymbol, LOUD)
    monkeypatch.setattr(modes, "dialect", LOUD)
    return LOUD


def test_a_thread_begins_in_the_classic_dialect(loud):
    found = []
    thread = threading.Thread(target=lambda: found.append(current_dialect()))
    thread.start()
    thread.join()
    assert (current_dialect(), found) == (loud, [CLASSIC])


def test_arrays_and_symbols_have_a_dialect(loud):
    assert dialect_of(mx.nd.ones(2)) is CLASSIC
    assert dialect_of(mx.nd.sparse.zeros("csr", (2, 3))) is CLASSIC
    assert dialect_of(mx.sym.var("x")) is CLASSIC
    assert dialect_of(array([1])) is loud
    assert dialect_of("neither") is loud
    assert dialect.dialect_of_call([3, [None, mx.nd.ones(2)]]) is CLASSIC


@pytest.mark.usefixtures("loud")
def test_parameters_and_their_gradients_are_arrays_of_the_dialect():
    parameter = gluon.Parameter("weight", shape=(2, 3))
    parameter.initialize()
    assert type(parameter.data()) is type(parameter.grad()) is Loud
    assert type(gluon.Constant("c", [1, 2]).value) is Loud


def test_layers_compute_in_the_dialect_of_their_input(loud):
    seen = []

    class Doubling(gluon.nn.Dense):
        def hybrid_forward(self, F, x, weight, bias=None):
            seen.append(F)
            return super().hybrid_forward(F, x, weight, bias) * 2

    layer = Doubling(4)
    layer.initialize()
    x = array([[1, 2], [3, 4]])
    with mx.autograd.record():
        result = layer(x)
        loss = gluon.loss.L2Loss()(result, zeros((2, 4)))
    loss.backward()
    assert seen[-1] is loud.array_functions
    assert {type(item) for item in (result, loss, layer.weight.grad())} == {Loud}


@pytest.mark.usefixtures("loud")
def test_cells_unroll_in_the_dialect_of_their_input():
    cell = gluon.rnn.RNNCell(3, input_size=2)
    cell.initialize()
    steps = array(np.ones((4, 5, 2)))
    outputs, states = cell.unroll(5, steps, merge_outputs=True)
    assert (type(outputs), outputs.shape, type(states[0])) == (Loud, (4, 5, 3), Loud)


@pytest.mark.usefixtures("loud")
def test_batches_are_arrays_of_the_dialect():
    column = array([1, 2, 3, 4])
    for dataset in (gluon.data.SimpleDataset([1.0, 2, 3, 4]), gluon.data.ArrayDataset(column)):
        assert {type(batch) for batch in gluon.data.DataLoader(dataset, batch_size=2)} == {Loud}


@pytest.mark.usefixtures("loud")
def test_elements_have_the_shape_that_the_dialect_says():
    rows = np.array([0, 2])
    assert gluon.data._batching.gather(array([1, 2, 3]), rows).shape == (2,)
    assert gluon.data._batching.gather(mx.nd.array([1, 2, 3]), rows).shape == (2, 1)


@pytest.mark.usefixtures("loud")
def test_gradients_and_states_of_optimizers_are_arrays_of_the_dialect():
    class Double(mx.autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, gradient):
            seen.append(type(gradient))
            return gradient * 2

    seen = []
    x = array([1, 2])
    x.attach_grad()
    with mx.autograd.record():
        result = Double()(x)
    gradient = mx.autograd.grad(result, [x])[0]
    state = mx.optimizer.SGD(momentum=0.9).create_state(0, x)
    assert {type(item) for item in (x.grad, result, gradient, state)} | {*seen} == {Loud}
    assert gradient.asnumpy().tolist() == [2, 2]


@pytest.mark.usefixtures("loud")
def test_arrays_keep_their_class_on_the_way_to_another_process():
    values = array([1, 2])
    make, parts = gluon.data._transfer._reduce(values)
    assert (type(make(*parts)), make(*parts).asnumpy().tolist()) == (Loud, [1, 2])

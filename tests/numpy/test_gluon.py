"""Gluon on arrays of `mx.np`."""

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, gluon, np, npx
from mxnet.gluon import _losses, nn

_RANDOM = onp.random.RandomState(0)
_DATA = _RANDOM.randn(16, 5).astype("float32")
_LABEL = _RANDOM.randn(16, 1).astype("float32")


@pytest.fixture(autouse=True)
def _numpy_dialect():
    npx.set_np()
    yield
    npx.reset_np()


class Net(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.hidden, self.output = nn.Dense(8, activation="relu"), nn.Dense(1)
        self.factor = self.params.get("factor", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, factor):
        return F.np.maximum(self.output(self.hidden(x)), -3) * factor + F.np.exp(factor)


def _train(net, dialect):
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    losses = []
    for _ in range(3):
        with autograd.record():
            loss = gluon.loss.L2Loss()(net(dialect(_DATA)), dialect(_LABEL))
        loss.backward()
        trainer.step(16)
        losses.append(loss.asnumpy())
    return onp.array(losses), loss


@pytest.mark.parametrize("hybridized", [False, True])
def test_networks_train(hybridized):
    net = Net()
    net.initialize(mx.init.Constant(0.1))
    if hybridized:
        net.hybridize()
    losses, last = _train(net, np.array)
    assert (type(last), last.shape) == (np.ndarray, (16,))
    assert losses.mean(axis=1).tolist() == sorted(losses.mean(axis=1), reverse=True)
    weight = net.hidden.weight
    arrays = (weight.data(), weight.grad(), *weight.list_data(), *weight.list_grad())
    assert {type(item) for item in arrays} == {np.ndarray}


def test_training_is_that_of_the_classic_dialect():
    def make():
        net = nn.HybridSequential()
        net.add(nn.Dense(8, activation="relu"), nn.Dense(1))
        net.initialize(mx.init.Constant(0.1))
        return net

    losses, _ = _train(make(), np.array)
    with mx.util.np_array(False), mx.util.np_shape(False):
        expected, _ = _train(make(), mx.nd.array)
    assert losses.tolist() == expected.tolist()


def test_parameters_stay_in_the_dialect_that_they_were_made_in():
    layer = nn.Dense(2, in_units=3)
    layer.initialize()
    assert type(layer.weight.data()) is np.ndarray
    with mx.util.np_array(False):
        data = layer.weight.data()
        assert (type(data), type(layer.weight.grad())) == (np.ndarray,) * 2
        data[:] = 3
        assert type(layer(mx.nd.ones((1, 3)))) is mx.nd.NDArray  # which the original refuses
    assert layer.weight.data().asnumpy().tolist() == [[3] * 3] * 2


def test_exported_networks_are_read_back(tmp_path):
    net = Net()
    net.initialize()
    net.hybridize()
    data = np.array(_DATA)
    expected = net(data)
    net.export(str(tmp_path / "net"))
    files = (str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params"))
    result = gluon.SymbolBlock.imports(*files)(data)
    assert type(result) is np.ndarray
    assert result.asnumpy().tolist() == expected.asnumpy().tolist()
    assert "_npi_exp" in (tmp_path / "net-symbol.json").read_text()


def test_batches_are_arrays_of_the_dialect():
    dataset = gluon.data.ArrayDataset(np.array(_DATA), onp.arange(16))
    data, label = next(iter(gluon.data.DataLoader(dataset, batch_size=8)))
    assert (type(data), data.shape) == (np.ndarray, (8, 5))
    assert (type(label), label.shape, str(label.dtype)) == (np.ndarray, (8,), "int64")


def test_metrics_take_both_dialects():
    for dialect in (np.array, mx.nd.array):
        metric = mx.metric.MSE()
        metric.update(dialect(_LABEL), dialect(_LABEL + 2))
        assert metric.get()[1] == pytest.approx(4)


def test_cached_operators_and_executors():
    x = mx.sym.var("x").as_np_ndarray()
    graph = mx.sym.np.exp(x * 0)
    result = mx.nd.CachedOp(graph)(np.array(3))
    assert (type(result), result.shape, float(result)) == (np.ndarray, (), 1.0)
    (output,) = graph.bind(mx.cpu(), {"x": np.array([1, 2])}).forward()
    assert (type(output), output.asnumpy().tolist()) == (np.ndarray, [1, 1])


class OnArrays(nn.HybridBlock):
    """Written as in later versions: `forward` on arrays."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Dense(4)

    def forward(self, x):
        hidden = np.tanh(self.layer(x))
        return -hidden[:, 1:3] * 2 + hidden[0, 0]


def test_programs_on_arrays_are_traced():
    net = OnArrays()
    net.initialize()
    data = np.array(_DATA)
    expected = net(data)
    net.hybridize()
    result = net(data)
    assert (type(result), result.shape) == (np.ndarray, (16, 2))
    assert onp.allclose(result.asnumpy(), expected.asnumpy())
    assert type(net._mx_hybrid.traced) is mx.sym.np._Symbol


@pytest.mark.parametrize("hybridized", [False, True])
def test_recurrent_layers(hybridized):
    layer = gluon.rnn.LSTM(4)
    layer.initialize()
    if hybridized:
        layer.hybridize()
    data = np.array(_RANDOM.randn(3, 2, 5).astype("float32"))
    with autograd.record():
        output = layer(data)
    output.backward()
    assert (type(output), output.shape) == (np.ndarray, (3, 2, 4))
    output, states = layer(data, layer.begin_state(batch_size=2))
    assert {type(item) for item in (output, *states)} == {np.ndarray}


def test_get_symbol_is_a_symbol_of_the_dialect():
    x = np.array([1.0, 2])
    x.attach_grad()
    with autograd.record():
        y = np.exp(x)[0] * 2
    graph = autograd.get_symbol(y)
    assert type(graph) is mx.sym.np._Symbol
    (result,) = graph.eval(var0=np.array([0.0, 1]))
    assert (result.shape, float(result)) == ((), 2.0)


def test_the_cross_entropy_of_arrays_is_one_kernel(monkeypatch):
    used = []
    chain = _losses.invoke_chain
    monkeypatch.setattr(_losses, "invoke_chain", lambda *args: used.append(args) or chain(*args))
    loss = gluon.loss.SoftmaxCrossEntropyLoss()(np.zeros((2, 4)), np.array([1, 3]))
    assert (type(loss), len(used)) == (np.ndarray, 1)
    onp.testing.assert_allclose(loss.asnumpy(), onp.log([4, 4]), rtol=1e-6)

"""Networks that OpenVINO computes, compared with the same networks without it."""

import importlib
import threading

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd
from mxnet.gluon import nn, rnn
from mxnet.gluon.model_zoo import vision
from mxnet.test_utils import assert_almost_equal

pytest.importorskip("openvino", reason="the extra glueball[openvino] is not installed")
region = importlib.import_module("mxnet.graph.openvino.plan")

CLOSE = {"rtol": 1e-4, "atol": 1e-5}


class Lambda(nn.HybridBlock):
    """A block of one function."""

    def __init__(self, function):
        super().__init__()
        self._function = function

    def hybrid_forward(self, F, *args):
        return self._function(F, *args)


class Attention(nn.HybridBlock):
    """A layer of a transformer, written as GluonNLP does."""

    def __init__(self, heads=2, units=8):
        super().__init__()
        self._heads = heads
        with self.name_scope():
            self.project = nn.Dense(3 * units, flatten=False)
            self.first, self.second = nn.LayerNorm(), nn.LayerNorm()
            self.inner = nn.Dense(4 * units, flatten=False)
            self.activation, self.outer = nn.GELU(), nn.Dense(units, flatten=False)

    def hybrid_forward(self, F, x):
        projected = self.project(x)
        scores = F.contrib.interleaved_matmul_selfatt_qk(projected, heads=self._heads)
        weights = F.Dropout(F.softmax(scores), p=0.1)
        mixed = F.contrib.interleaved_matmul_selfatt_valatt(projected, weights, heads=self._heads)
        x = self.first(x + mixed)
        return self.second(x + self.outer(self.activation(self.inner(x))))


def convolutional():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.Conv2D(4, 3, groups=2), nn.LeakyReLU(0.1), nn.MaxPool2D(), nn.GlobalAvgPool2D())
    net.add(nn.Dropout(0.5), nn.Dense(3))
    return net


def recurrent(layer, **kwargs):
    net = nn.HybridSequential()
    net.add(nn.Embedding(10, 4), layer(5, 2, input_size=4, **kwargs), nn.Dense(3, flatten=False))
    return net


def as_list(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def compare(net, *arrays, **options):
    net.initialize(mx.init.Xavier())
    expected = as_list(net(*arrays))
    net.hybridize(backend="openvino", **options)
    for result, reference in zip(as_list(net(*arrays)), expected, strict=True):
        assert result.dtype == reference.dtype
        assert_almost_equal(result.asnumpy(), reference.asnumpy(), **CLOSE)


def test_layers_of_vision():
    compare(convolutional(), mx.nd.random.uniform(shape=(2, 3, 8, 8)))


def test_transformer():
    compare(Attention(), mx.nd.random.uniform(shape=(5, 2, 8)))


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU, rnn.RNN])
def test_recurrent_layers(layer, bidirectional):
    net = recurrent(layer, bidirectional=bidirectional)
    compare(net, mx.nd.array([[1, 2], [3, 4], [9, 0]]))


@pytest.mark.parametrize("layer", [rnn.LSTM, rnn.GRU])
def test_states_of_recurrent_layers(layer):
    net = layer(5, 2, input_size=4, bidirectional=True)
    data = mx.nd.random.uniform(shape=(3, 2, 4))
    states = [mx.nd.random.uniform(shape=item["shape"]) for item in net.state_info(2)]
    net.initialize(mx.init.Xavier())
    expected = net(data, states)
    net.hybridize(backend="openvino")
    results = net(data, states)
    assert_almost_equal(results[0].asnumpy(), expected[0].asnumpy(), **CLOSE)
    for result, reference in zip(results[1], expected[1], strict=True):
        assert_almost_equal(result.asnumpy(), reference.asnumpy(), **CLOSE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["resnet18_v2", "mobilenetv2_0.25", "squeezenet1.1", "vgg11_bn"])
def test_networks_of_the_zoo(name):
    compare(vision.get_model(name, classes=10), mx.nd.random.uniform(shape=(1, 3, 64, 64)))


def test_several_results_and_an_input_that_is_one():
    block = Lambda(lambda F, x, _unused: (x * 2, x, F.argmax(x, axis=1), x.astype("int32")))
    compare(block, mx.nd.random.uniform(shape=(3, 4)), mx.nd.ones(2))


def test_results_have_memory_of_their_own():
    net, x = Lambda(lambda _, x: (x, x + 1, x + 1)), mx.nd.zeros((2, 2))
    net.hybridize(backend="openvino")
    first = net(x)
    for result in first:
        result[:] = 7
    assert x.asnumpy().tolist() == [[0, 0], [0, 0]]
    assert [result.asnumpy()[0, 0] for result in net(x)] == [0, 1, 1]
    assert [result.asnumpy()[0, 0] for result in first] == [7, 7, 7]


def test_shapes_may_change_and_be_empty():
    net = nn.Dense(3, in_units=2)
    net.initialize()
    net.hybridize(backend="openvino")
    weight, bias = net.weight.data().asnumpy(), net.bias.data().asnumpy()
    for rows in (1, 4, 1):
        x = np.random.rand(rows, 2).astype("float32")
        assert_almost_equal(net(mx.nd.array(x)).asnumpy(), x @ weight.T + bias, **CLOSE)
    assert net(mx.nd.array(np.empty((0, 2)))).shape == (0, 3)


def test_views_are_read_as_they_are():
    net, x = Lambda(lambda _, x: x * 2), mx.nd.arange(12).reshape((3, 4))
    net.hybridize(backend="openvino")
    assert net(x[1:3]).asnumpy().tolist() == (2 * x[1:3]).asnumpy().tolist()
    assert net(x.T).asnumpy().tolist() == (2 * x.T).asnumpy().tolist()


def test_copies_of_transposed_inputs_last_as_long_as_they_are_read():
    net = Lambda(lambda _, x, y: x - y)
    net.hybridize(backend="openvino")
    x, y = mx.nd.random.uniform(shape=(2, 64, 32))
    for array in (x, y):
        array.attach_grad()
    with mx.autograd.record():
        transposed = x.T, y.T
    assert np.array_equal(net(*transposed).asnumpy(), (x - y).asnumpy().T)


def test_an_array_that_is_filled_again_is_read_again():
    net, x = Lambda(lambda _, x: x * 2), mx.nd.array([1, 2])
    net.hybridize(backend="openvino")
    first = net(x)
    x[:] = 5
    assert net(x).asnumpy().tolist() == [10, 10]
    assert first.asnumpy().tolist() == [2, 4]


def test_parameters_that_were_written_to_count_in_the_next_call():
    net, x = nn.Dense(1, in_units=1, use_bias=False), mx.nd.ones((1, 1))
    net.initialize(mx.init.One())
    net.hybridize(backend="openvino")
    assert net(x).asscalar() == 1
    net.weight.data()[:] = 3
    assert net(x).asscalar() == 3
    net.weight.set_data(mx.nd.full((1, 1), 4))
    assert net(x).asscalar() == 4
    net.cast("float16")
    assert net(x.astype("float16")).asscalar() == 4


def test_training_between_predictions():
    net, x = convolutional(), mx.nd.random.uniform(shape=(4, 3, 8, 8))
    net.initialize(mx.init.Xavier())
    net.hybridize(backend="openvino")
    before = net(x).asnumpy()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    with autograd.record():
        loss = net(x).sum()
    loss.backward()
    trainer.step(1)
    after = net(x).asnumpy()
    net.hybridize(active=False)
    assert np.abs(after - before).max() > 1e-3
    assert_almost_equal(after, net(x).asnumpy(), **CLOSE)


def test_gradients_in_prediction_mode():
    net, x = convolutional(), mx.nd.random.uniform(shape=(2, 3, 8, 8))
    net.initialize(mx.init.Xavier())
    x.attach_grad()
    gradients = []
    for options in ({"active": False}, {"backend": "openvino"}):
        net.hybridize(**options)
        with autograd.record(train_mode=False):
            net(x).sum().backward()
        gradients.append(x.grad.asnumpy())
    assert_almost_equal(gradients[1], gradients[0], **CLOSE)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_networks_in_half_precision(dtype):
    net, x = convolutional(), mx.nd.random.uniform(shape=(2, 3, 8, 8))
    net.initialize(mx.init.Xavier())
    expected = net(x)
    net.cast(dtype)
    net.hybridize(backend="openvino")
    result = net(x.astype(dtype))
    assert result.dtype == x.astype(dtype).dtype
    assert_almost_equal(result.astype("float32"), expected, rtol=0.05, atol=0.05)


def test_optimize_for_compiles_also_what_waits_for_shapes(monkeypatch):
    net, x = nn.Dense(2), mx.nd.ones((1, 3))
    net.initialize()
    net.optimize_for(x, backend="openvino")
    monkeypatch.setattr(region, "convert", None)  # is not called any more
    monkeypatch.setattr(region, "Network", None)
    assert net(x).shape == (1, 2)


def test_lower_precision_is_an_option():
    net, x = convolutional(), mx.nd.random.uniform(shape=(2, 3, 8, 8))
    net.initialize(mx.init.Xavier())
    expected = net(x)
    net.optimize_for(x, backend="openvino", precision="bfloat16", num_threads=1)
    assert net(x).dtype == np.float32
    assert_almost_equal(net(x), expected, rtol=0.05, atol=0.05)


def test_operators_that_openvino_lacks_are_named_and_run_by_their_kernels():
    def function(F, x):
        rectified = F.relu(x) * 2
        return F.contrib.box_nms(rectified) + 1, rectified

    net, x = Lambda(function), mx.nd.random.uniform(shape=(1, 8, 6))
    expected = net(x)
    net.hybridize(backend="openvino")
    with pytest.warns(UserWarning, match=r"not to OpenVINO: _contrib_box_nms \('lambda"):
        results = net(x)
    for result, reference in zip(results, expected, strict=True):
        assert_almost_equal(result.asnumpy(), reference.asnumpy(), **CLOSE)


def test_reasons_name_the_operator_of_torch_that_openvino_lacks():
    net = Lambda(lambda F, x: F.linalg.det(x))
    net.hybridize(backend="openvino")
    with pytest.warns(UserWarning, match=r"No conversion rule found for operations: aten\."):
        assert net(mx.nd.array([[2, 0], [0, 3]])).asnumpy() == pytest.approx(6)


def test_a_strict_block_raises_instead():
    net = Lambda(lambda F, x: F.contrib.box_nms(x))
    net.hybridize(backend="openvino", strict=True)
    with pytest.raises(mx.MXNetError, match="not to OpenVINO: _contrib_box_nms"):
        net(mx.nd.random.uniform(shape=(1, 8, 6)))


def test_random_numbers_are_drawn_by_the_package():
    net, x = Lambda(lambda F, x: F.random.uniform(shape=(4,)) + x * 0), mx.nd.ones(4)
    net.hybridize(backend="openvino")
    with pytest.warns(UserWarning, match="it draws random numbers"):
        first = net(x).asnumpy()
    assert not np.array_equal(net(x).asnumpy(), first)


def test_integers_that_wrap_are_left_to_the_kernels():
    net, x = Lambda(lambda _, x: x * 2), mx.nd.array([200, 3], dtype="uint8")
    net.hybridize(backend="openvino")
    with pytest.warns(UserWarning, match=r"OpenVINO saturates torch\.uint8"):
        assert net(x).asnumpy().tolist() == [144, 6]


def test_negative_indices():
    index = mx.nd.array([[-1, 0], [-2, 1]])
    compare(
        Lambda(lambda F, x, index: F.gather_nd(x, index)), mx.nd.arange(6).reshape((2, 3)), index
    )


def test_ends_of_sequences():
    block = Lambda(lambda F, x, ends: F.SequenceLast(x, ends, use_sequence_length=True))
    compare(block, mx.nd.random.uniform(shape=(3, 2, 4)), mx.nd.array([1, 3]))


def test_images_of_bytes_are_inputs():
    image = mx.nd.array(np.arange(12).reshape((1, 2, 2, 3)), dtype="uint8")
    compare(Lambda(lambda _, x: x.astype("float32").transpose((0, 3, 1, 2)) / 255), image)


def test_double_precision_is_left_to_the_kernels():
    net, x = nn.Dense(2, in_units=3, dtype="float64"), mx.nd.ones((1, 3), dtype="float64") / 3
    net.initialize()
    expected = net(x).asnumpy()
    net.hybridize(backend="openvino")
    with pytest.warns(UserWarning, match=r"does not compute torch\.float64"):
        result = net(x).asnumpy()
    assert result.dtype == np.float64
    assert_almost_equal(result, expected, rtol=1e-14, atol=0)


def test_threads_share_a_network():
    net = nn.Dense(8, in_units=8)
    net.initialize()
    net.hybridize(backend="openvino")
    weight = net.weight.data().asnumpy()
    wrong = []

    def predict(seed):
        generator = np.random.default_rng(seed)
        for _ in range(20):
            x = generator.random((4, 8), dtype="float32")
            if not np.allclose(net(mx.nd.array(x)).asnumpy(), x @ weight.T, 1e-4, 1e-5):
                wrong.append(seed)

    threads = [threading.Thread(target=predict, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_executors_of_optimized_symbols():
    data = mx.sym.var("data")
    net = mx.sym.Activation(mx.sym.FullyConnected(data, num_hidden=3, name="dense"), "tanh")
    arrays = {
        "data": mx.nd.random.uniform(shape=(2, 4)),
        "dense_weight": mx.nd.random.uniform(shape=(3, 4)),
        "dense_bias": mx.nd.random.uniform(shape=(3,)),
    }
    optimized = net.optimize_for("openvino", arrays, precision="float32")
    executors = [item.simple_bind(mx.cpu(), data=(2, 4)) for item in (net, optimized)]
    for _ in range(2):
        for executor in executors:
            executor.copy_params_from(arrays)
        expected, result = (executor.forward()[0].asnumpy() for executor in executors)
        assert_almost_equal(result, expected, **CLOSE)
        arrays["dense_weight"] *= 2
    for executor in executors:
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((2, 3)))
    gradients = [executor.grad_dict["dense_weight"].asnumpy() for executor in executors]
    assert_almost_equal(gradients[1], gradients[0], **CLOSE)
    programs = [executor._bound.program for executor in executors]
    assert [program._options.backend for program in programs] == [None, "openvino"]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_arrays_on_a_gpu_raise():
    net = nn.Dense(2, in_units=2)
    net.initialize(ctx=mx.gpu())
    net.hybridize(backend="openvino")
    with pytest.raises(mx.MXNetError, match="computes on a CPU"):
        net(mx.nd.ones((1, 2), ctx=mx.gpu()))


def test_networks_of_many_parameters_follow_writes_to_them():
    net = nn.HybridSequential()
    for _ in range(40):  # with a weight and a bias each
        net.add(nn.Dense(4, in_units=4))
    x = mx.nd.random.uniform(shape=(2, 4))
    compare(net, x)
    for value in (1, 2):
        net[39].bias.data()[:] = value
        net[39].weight.set_data(mx.nd.zeros((4, 4)))
        first, second = net(x), net(x + 1)
        assert first.asnumpy().tolist() == second.asnumpy().tolist() == [[value] * 4] * 2

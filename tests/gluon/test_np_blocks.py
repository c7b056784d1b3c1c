"""Layers, losses, metrics and transforms give the same in both dialects."""

import warnings

import numpy as onp
import pytest

import mxnet as mx
from mxnet import autograd, gluon, np, util
from mxnet.gluon import nn, rnn
from mxnet.gluon.data.vision import transforms

_RANDOM = onp.random.RandomState(0)


def _in_both(compute):
    """Runs a program on arrays of each dialect, and returns both results as NumPy arrays."""
    results = []
    for is_np, cls, make in ((False, mx.nd.NDArray, mx.nd.array), (True, np.ndarray, np.array)):
        mx.random.seed(0)
        with util.np_array(is_np), util.np_shape(is_np):
            outputs = compute(lambda values, make=make: make(values, dtype=values.dtype))
            assert {type(item) for item in outputs} == {cls}
            results.append([item.asnumpy() for item in outputs])
    return results


def _assert_alike(results):
    for classic, numpy in zip(*results, strict=True):
        assert classic.size == numpy.size
        assert onp.allclose(classic.reshape(numpy.shape), numpy, rtol=1e-5, atol=1e-6)


LAYERS = {
    "dense": (lambda: nn.Dense(3), (2, 4)),
    "conv": (lambda: nn.Conv2D(3, 3), (2, 3, 8, 8)),
    "transposed": (lambda: nn.Conv2DTranspose(3, 3), (2, 3, 5, 5)),
    "max": (lambda: nn.MaxPool2D(), (2, 3, 8, 8)),
    "mean": (lambda: nn.GlobalAvgPool2D(), (2, 3, 8, 8)),
    "batch_norm": (lambda: nn.BatchNorm(), (2, 3, 8, 8)),
    "layer_norm": (lambda: nn.LayerNorm(), (2, 3)),
    "group_norm": (lambda: nn.GroupNorm(1), (2, 4, 4, 4)),
    "flatten": (lambda: nn.Flatten(), (2, 3, 4)),
    "prelu": (lambda: nn.PReLU(), (2, 3)),
    "gelu": (lambda: nn.GELU(), (2, 3)),
    "pad": (lambda: nn.ReflectionPad2D(1), (2, 3, 4, 4)),
    "rnn": (lambda: rnn.RNN(4), (3, 2, 5)),
    "lstm": (lambda: rnn.LSTM(4, 2, bidirectional=True), (3, 2, 5)),
    "gru": (lambda: rnn.GRU(4, layout="NTC"), (3, 2, 5)),
    "resnet": (lambda: gluon.model_zoo.vision.resnet18_v1(classes=3, thumbnail=True), (1, 3, 8, 8)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name):
    make_layer, shape = LAYERS[name]
    data = _RANDOM.rand(*shape).astype("float32")

    def compute(make):
        layer = make_layer()
        layer.initialize(mx.init.Constant(0.1))
        outputs = []
        for _ in range(2):
            x = make(data)
            x.attach_grad()
            with autograd.record():
                result = layer(x)
            result.backward()
            outputs += [result, x.grad]
            layer.hybridize()
        return outputs

    _assert_alike(_in_both(compute))


CELLS = {
    "rnn": lambda: rnn.RNNCell(3),
    "lstm": lambda: rnn.LSTMCell(3),
    "gru": lambda: rnn.GRUCell(3),
    "residual": lambda: rnn.ResidualCell(rnn.RNNCell(5)),
    "bidirectional": lambda: rnn.BidirectionalCell(rnn.RNNCell(3), rnn.RNNCell(3)),
}


@pytest.mark.parametrize("name", CELLS)
@pytest.mark.parametrize("merged", [True, False])
def test_cells(name, merged):
    data = _RANDOM.rand(2, 4, 5).astype("float32")

    def compute(make):
        cell = CELLS[name]()
        cell.initialize(mx.init.Constant(0.1))
        outputs, states = cell.unroll(4, make(data), merge_outputs=merged)
        return [*([outputs] if merged else outputs), *states]

    _assert_alike(_in_both(compute))


_PRED, _LABEL = (_RANDOM.rand(4, 3).astype("float32") for _ in range(2))
_CLASSES = onp.array([0, 1, 2, 1], dtype="float32")
_SIGNS = onp.array([1, -1, 1, 1], dtype="float32")
LOSSES = {
    "L1Loss": (_PRED, _LABEL),
    "L2Loss": (_PRED, _LABEL),
    "SigmoidBCELoss": (_PRED, _LABEL),
    "SoftmaxCELoss": (_PRED, _CLASSES),
    "KLDivLoss": (_PRED, _LABEL),
    "HuberLoss": (_PRED, _LABEL),
    "HingeLoss": (_PRED, _LABEL),
    "TripletLoss": (_PRED, _LABEL, _PRED * 2),
    "PoissonNLLLoss": (_PRED, _LABEL),
    "CosineEmbeddingLoss": (_PRED, _LABEL, _SIGNS),
    "SDMLLoss": (_PRED, _LABEL),
}


@pytest.mark.parametrize("name", LOSSES)
def test_losses(name):
    def compute(make):
        loss, arguments = getattr(gluon.loss, name)(), [make(item) for item in LOSSES[name]]
        arguments[0].attach_grad()
        with autograd.record():
            result = loss(*arguments)
        result.backward()
        loss.hybridize()
        return [result, arguments[0].grad, loss(*arguments)]

    _assert_alike(_in_both(compute))


@pytest.mark.parametrize("name", ["acc", "ce", "mae", "rmse", "pearsonr", "top_k_accuracy"])
def test_metrics(name):
    options = {"top_k": 2} if name == "top_k_accuracy" else {}
    label = _LABEL if name in ("mae", "rmse", "pearsonr") else _CLASSES
    values = []
    for is_np, make in ((False, mx.nd.array), (True, np.array)):
        with util.np_array(is_np), util.np_shape(is_np):
            metric = mx.metric.create(name, **options)
            metric.update([make(label)], [make(_PRED)])
            values.append(metric.get()[1])
    assert values[0] == pytest.approx(values[1])


TRANSFORMS = {
    "tensor": transforms.ToTensor(),
    "resize": transforms.Resize(4),
    "crop": transforms.CenterCrop(4),
    "normalized": transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)]),
    "grey": transforms.RandomGray(1.0),
}


@pytest.mark.parametrize("name", TRANSFORMS)
def test_transforms(name):
    image = (_RANDOM.rand(8, 8, 3) * 255).astype("uint8")
    _assert_alike(_in_both(lambda make: [TRANSFORMS[name](make(image))]))


@pytest.mark.parametrize(
    ("key", "is_compiled"),
    [
        (mx.np.array([-1, 0, 1], dtype="int32"), True),
        (mx.np.array([[1, 0], [1, 1], [0, 0]], dtype="bool"), False),
        (mx.np.array([1, 0, 1], dtype="bool"), False),
    ],
)
def test_arrays_select_the_same_in_compiled_blocks(key, is_compiled):
    class Net(gluon.HybridBlock):
        def forward(self, x, key):
            return x[key]

    net, x = Net(), mx.np.arange(6).reshape(3, 2)
    expected = net(x, key).asnumpy()
    net.hybridize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = net(x, key).asnumpy()
    onp.testing.assert_array_equal(found, expected)
    assert is_compiled is not any("runs imperatively" in str(item.message) for item in caught)


def test_positions_of_values_are_found_in_compiled_blocks():
    class Net(gluon.HybridBlock):
        def forward(self, x):
            return mx.np.flatnonzero(x)

    net = Net()
    net.hybridize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert net(mx.np.array([[0, 3], [4, 0]])).tolist() == [1, 2]

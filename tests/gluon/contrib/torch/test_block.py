"""Modules of torch as blocks."""

from __future__ import annotations

import copy
import pickle
import warnings

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.contrib.torch import TorchBlock
from mxnet.gluon.hybrid.forward import UntracedWarning
from tests.gluon.contrib.torch.resnet import SmallResNet

X = np.random.RandomState(0).normal(size=(4, 3)).astype("float32")
IMAGES = np.random.RandomState(1).normal(size=(6, 1, 8, 8)).astype("float32")


def make_mixed(hybridize=False):
    torch.manual_seed(1)
    net = gluon.nn.HybridSequential()
    module = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh())
    net.add(TorchBlock(copy.deepcopy(module)), gluon.nn.Dense(2, in_units=5))
    mx.random.seed(1)
    net.initialize(mx.init.Xavier())
    if hybridize:
        net.hybridize()
    return net, module


def test_parameters_are_those_of_the_module():
    net, module = make_mixed()
    prefix = net[0].prefix
    params = net.collect_params()
    names = ["0_weight", "0_bias", "1_weight", "1_bias", "1_running_mean", "1_running_var"]
    assert list(params)[:6] == [prefix + name for name in names]
    assert (params[prefix + "0_weight"].data().asnumpy() == module[0].weight.detach().numpy()).all()
    assert params[prefix + "1_running_var"].grad_req == "null"
    assert params[prefix + "1_weight"].shape == (5,)
    assert "Linear(in_features=3" in repr(net)


@pytest.mark.parametrize("hybridize", [False, True])
def test_results_and_gradients_are_those_of_torch(hybridize):
    net, module = make_mixed(hybridize)
    dense = nn.Linear(5, 2)
    with torch.no_grad():
        dense.weight.copy_(net[1].weight.data().to_torch())
        dense.bias.zero_()
    for _ in range(2):
        data = nd.array(X)
        data.attach_grad()
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        tensor = torch.tensor(X, requires_grad=True)
        module.zero_grad()
        dense.zero_grad()
        (dense(module(tensor)) ** 2).sum().backward()
        assert data.grad.asnumpy() == pytest.approx(tensor.grad.numpy(), rel=1e-3, abs=1e-4)
        for name, parameter in module.named_parameters():
            grad = net[0]._reg_params[name].grad().asnumpy()
            assert grad == pytest.approx(parameter.grad.numpy(), rel=1e-3, abs=1e-4)
    mean = net[0]._reg_params["1.running_mean"].data().asnumpy()
    assert mean == pytest.approx(module[1].running_mean.numpy(), rel=1e-4)
    module.eval()
    if not hybridize:  # the variance of a graph is that of Gluon
        expected = dense(module(torch.tensor(X))).detach().numpy()
        assert net(nd.array(X)).asnumpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("hybridize", [False, True])
def test_modes_follow_autograd(hybridize):
    block = TorchBlock(nn.Dropout(0.5))
    block.initialize()
    if hybridize:
        block.hybridize()
    x = nd.ones((100,))
    with autograd.predict_mode():
        assert (block(x) == 1).asnumpy().all()
    with autograd.train_mode():
        assert set(block(x).asnumpy()) == {0, 2}
    assert (block(x) == 1).asnumpy().all()


def test_buffers_stay_in_prediction_and_move_in_training():
    net, _ = make_mixed()
    mean = net[0]._reg_params["1.running_mean"]
    net(nd.array(X))
    assert not mean.data().asnumpy().any()
    with autograd.train_mode():
        net(nd.array(X))
    assert mean.data().asnumpy().all()


@pytest.mark.parametrize("step", ["trainer", "train_step"])
@pytest.mark.parametrize("hybridize", [False, True])
def test_a_residual_network_of_torch_is_trained_inside_of_gluon(step, hybridize):
    torch.manual_seed(3)
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(2, 3, padding=1), TorchBlock(SmallResNet(2, 8)))
    net.add(gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier())
    if hybridize:
        net.hybridize()
    labels = nd.array([0, 1, 2, 0, 1, 2])
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    run = gluon.TrainStep(net, loss_of, trainer) if step == "train_step" else None
    losses = []
    for _ in range(12):
        if run is not None:
            loss = run(nd.array(IMAGES), labels)
        else:
            with autograd.record():
                loss = loss_of(net(nd.array(IMAGES)), labels)
            loss.backward()
            trainer.step(6)
        losses.append(loss.mean().asscalar())
    assert losses[-1] < losses[0] / 4


def test_save_load_and_export(tmp_path):
    net, _ = make_mixed(hybridize=True)
    expected = net(nd.array(X)).asnumpy()
    net.save_parameters(str(tmp_path / "net.params"))
    saved = nd.load(str(tmp_path / "net.params"))
    assert {"0.0.weight", "0.1.running_var", "1.bias"} <= saved.keys()
    other = gluon.nn.HybridSequential()
    module = nn.Sequential(nn.Linear(3, 5), nn.BatchNorm1d(5), nn.Tanh())
    other.add(TorchBlock(module), gluon.nn.Dense(2))
    other.load_parameters(str(tmp_path / "net.params"))
    assert other(nd.array(X)).asnumpy() == pytest.approx(expected, rel=1e-5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.export(str(tmp_path / "net"))
    files = [str(tmp_path / name) for name in ("net-symbol.json", "net-0000.params")]
    imported = gluon.SymbolBlock.imports(files[0], ["data"], files[1])
    assert imported(nd.array(X)).asnumpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)
    module = other[0].to_module()
    assert module[0].weight.detach().numpy() == pytest.approx(saved["0.0.weight"].asnumpy())


def test_a_residual_network_becomes_a_graph(tmp_path):
    torch.manual_seed(0)
    block = TorchBlock(SmallResNet())
    block.initialize()
    expected = block(nd.array(IMAGES)).asnumpy()
    block.hybridize(strict=True)
    assert block(nd.array(IMAGES)).asnumpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)
    block.export(str(tmp_path / "resnet"))
    graph = mx.sym.load(str(tmp_path / "resnet-symbol.json"))
    assert len(graph.list_auxiliary_states()) == 12


LAYERS = [
    (nn.Linear(4, 3), (2, 5, 4)),
    (nn.Conv1d(4, 6, 3, stride=2, padding=1, groups=2), (2, 4, 9)),
    (nn.Conv2d(3, 4, (3, 1), dilation=2, bias=False), (2, 3, 8, 8)),
    (nn.Conv3d(2, 3, 2), (2, 2, 4, 4, 4)),
    (nn.ConvTranspose2d(3, 4, 3, stride=2, padding=1, output_padding=1), (2, 3, 5, 5)),
    (nn.BatchNorm2d(3, eps=0.1), (2, 3, 4, 4)),
    (nn.LayerNorm(4, eps=0.1), (2, 3, 4)),
    *((layer(), (2, 3)) for layer in (nn.ReLU, nn.ReLU6, nn.Sigmoid, nn.Tanh, nn.Softsign)),
    *((layer(), (2, 3)) for layer in (nn.Softplus, nn.GELU, nn.SiLU, nn.ELU, nn.SELU)),
    (nn.LeakyReLU(0.3), (2, 3)),
    (nn.PReLU(3), (2, 3, 4)),
    (nn.Softmax(1), (2, 3, 4)),
    (nn.LogSoftmax(-1), (2, 3, 4)),
    (nn.Flatten(), (2, 3, 4)),
    (nn.Identity(), (2, 3)),
    (nn.MaxPool1d(3, ceil_mode=True), (2, 3, 8)),
    (nn.MaxPool2d(3, 2, 1), (2, 3, 7, 8)),
    (nn.AvgPool2d(2, padding=1, count_include_pad=False), (2, 3, 6, 6)),
    (nn.AvgPool3d(2), (2, 3, 4, 4, 4)),
    (nn.AdaptiveAvgPool1d(1), (2, 3, 4)),
    (nn.AdaptiveAvgPool2d((2, 3)), (2, 3, 5, 7)),
    (nn.AdaptiveMaxPool2d(1), (2, 3, 5, 7)),
    (nn.Upsample(scale_factor=2), (2, 3, 4, 5)),
]


@pytest.mark.parametrize(("layer", "shape"), LAYERS, ids=lambda item: type(item).__name__)
def test_operators_of_a_layer_compute_what_it_computes(layer, shape):
    x = nd.array(np.random.RandomState(5).normal(size=shape))
    block = TorchBlock(layer)
    block.initialize()
    expected = block(x).asnumpy()
    block.hybridize(strict=True)
    result = block(x)
    assert result.shape == expected.shape
    assert result.asnumpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)


class Functions(nn.Module):
    """Calls functions and methods that have operators."""

    def forward(self, x, y):
        parts = [
            torch.cat([x, y], dim=1).flatten(1),
            (x + y * 2 - 1).view(x.shape[0], -1) / 3,
            torch.stack([x, y], dim=1).reshape(x.size(0), -1),
            functional.relu(-x).permute(0, 2, 1).transpose(1, 2).flatten(1),
            x.mean(dim=2) + y.sum((1,), keepdim=True).squeeze(1).unsqueeze(1).mean(2),
            functional.dropout(torch.sigmoid(x), 0.5, self.training).flatten(1),
            torch.softmax(x, dim=-1).contiguous().flatten(1),
            functional.max_pool2d(x.unsqueeze(1), 2).flatten(1),
            functional.avg_pool2d(y.unsqueeze(1), 2).flatten(1),
            (functional.silu(x) * functional.gelu(y) - functional.relu6(x)).flatten(1),
            torch.exp(functional.leaky_relu(x)).flatten(1) + torch.sqrt(abs_of(y)).flatten(1),
        ]
        return parts[0], [torch.cat(parts, dim=1), y]


def abs_of(x):
    return torch.abs(x).tanh()


def test_operators_of_functions_and_methods():
    arrays = [nd.array(np.random.RandomState(i).normal(size=(2, 4, 6))) for i in range(2)]
    block = TorchBlock(Functions())
    expected = block(*arrays)
    block.hybridize(strict=True)
    results = block(*arrays)
    assert results[0].asnumpy() == pytest.approx(expected[0].asnumpy())
    for result, wanted in zip(results[1], expected[1], strict=True):
        assert result.asnumpy() == pytest.approx(wanted.asnumpy(), rel=1e-4, abs=1e-5)


def test_an_embedding():
    block = TorchBlock(nn.Embedding(5, 3))
    block.initialize()
    indices = nd.array([[0, 4], [2, 2]], dtype="int32")
    expected = block(indices).asnumpy()
    block.hybridize(strict=True)
    assert block(indices).asnumpy() == pytest.approx(expected)


def test_cast_and_move():
    net, _ = make_mixed()
    net.cast("float64")
    assert net(nd.array(X, dtype="float64")).dtype is np.float64
    net.collect_params().reset_ctx(mx.cpu(1))
    out = net(nd.array(X, dtype="float64", ctx=mx.cpu(1)))
    assert out.context == mx.cpu(1)
    with pytest.raises(mx.MXNetError, match="was not initialized on context"):
        net(nd.array(X, dtype="float64"))


def test_several_contexts():
    net, _ = make_mixed()
    net.collect_params().reset_ctx([mx.cpu(0), mx.cpu(1)])
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    parts = gluon.utils.split_and_load(nd.array(X), [mx.cpu(0), mx.cpu(1)])
    with autograd.record():
        losses = [net(part).sum() for part in parts]
    autograd.backward(losses)
    trainer.step(4)
    weight = net[0]._reg_params["0.weight"]
    assert (weight.data(mx.cpu(0)).asnumpy() == weight.data(mx.cpu(1)).asnumpy()).all()


class TestLazyModules:
    """Their shapes come in the first call."""

    def make(self):
        torch.manual_seed(0)
        module = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU())
        block = TorchBlock(nn.Sequential(module, nn.Flatten(), nn.LazyLinear(2)))
        block.initialize()
        return block

    def test_first_call(self):
        block = self.make()
        weight = block._reg_params["2.weight"]
        assert weight.shape is None
        with pytest.raises(mx.gluon.parameter.DeferredInitializationError):
            weight.data()
        assert block(nd.array(IMAGES)).shape == (6, 2)
        assert weight.shape == (2, 4 * 36)
        assert block._reg_params["0.1.running_mean"].shape == (4,)
        assert weight.data().asnumpy().any()

    def test_inside_of_a_hybridized_network(self):
        net = gluon.nn.HybridSequential()
        net.add(gluon.nn.Conv2D(2, 3), self.make(), gluon.nn.Dense(3))
        net.initialize()
        net.hybridize()
        first = net(nd.array(IMAGES)).asnumpy()
        assert net(nd.array(IMAGES)).asnumpy() == pytest.approx(first, rel=1e-4, abs=1e-5)

    def test_values_of_a_file(self, tmp_path):
        block = self.make()
        expected = block(nd.array(IMAGES)).asnumpy()
        block.save_parameters(str(tmp_path / "lazy.params"))
        other = self.make()
        other.load_parameters(str(tmp_path / "lazy.params"))
        assert other(nd.array(IMAGES)).asnumpy() == pytest.approx(expected, rel=1e-5)
        assert other.to_module()[2].weight.shape == (2, 144)

    def test_data_that_does_not_fit(self):
        block = self.make()
        with pytest.raises(mx.MXNetError, match="cannot be inferred"):
            block(nd.array(X[0]))
        assert block(nd.array(IMAGES)).shape == (6, 2)


def test_the_initializer_of_the_network_if_asked_for():
    block = TorchBlock(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4)), keep_values=False)
    block.initialize(mx.init.One())
    values = {name: item.data().asnumpy() for name, item in block._reg_params.items()}
    assert (values["0.weight"] == 1).all()
    assert (values["1.weight"] == 1).all()
    assert not (values["0.bias"] == 1).all()


class Unusual(nn.Module):
    """Has all that is not a plain parameter."""

    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(2.0))
        self.frozen = nn.Parameter(torch.ones(2), requires_grad=False)
        self.empty = nn.Parameter(torch.zeros(0))
        self.register_buffer("count", torch.zeros((), dtype=torch.int64))
        self.register_buffer("cache", torch.full((2,), 3.0), persistent=False)
        self.first = nn.Linear(2, 2, bias=False)
        self.second = nn.Linear(2, 2, bias=False)
        self.second.weight = self.first.weight
        self.x = nn.Parameter(torch.zeros(2))

    def forward(self, data, factor=1):
        self.count = self.count + 1
        y = self.second(self.first(data * self.scale + self.frozen + self.cache + self.x)) * factor
        return {"y": y, "parts": (y.sum(), data)}


def test_unusual_parameters_arguments_and_results():
    torch.manual_seed(0)
    module = Unusual()
    expected = copy.deepcopy(module)
    block = TorchBlock(module)
    block.initialize()
    assert set(block._reg_params) == {"scale", "frozen", "x", "first.weight", "count"}
    assert block._reg_params["frozen"].grad_req == "null"
    data = nd.array([[1.0, 2.0]])
    with autograd.record():
        result = block(data, 3)
        loss = result["y"].sum()
    loss.backward()
    wanted = expected(torch.tensor([[1.0, 2.0]]), 3)
    wanted["y"].sum().backward()
    assert result["y"].asnumpy() == pytest.approx(wanted["y"].detach().numpy())
    assert result["parts"][0].asscalar() == pytest.approx(wanted["parts"][0].item())
    for name in ("scale", "first.weight", "x"):
        grad = expected.get_parameter(name).grad.numpy().reshape(-1)
        assert block._reg_params[name].grad().asnumpy().reshape(-1) == pytest.approx(grad)
    assert block._reg_params["count"].data().asscalar() == 1
    result["parts"][1][:] = 0  # results have memory of their own
    assert data.asnumpy().any()


def test_the_numpy_dialect():
    _, module = make_mixed()
    module.eval()
    mx.npx.set_np()
    try:
        block = TorchBlock(module)
        block.initialize()
        x = mx.np.array(X)
        x.attach_grad()
        with autograd.record(train_mode=False):
            y = block(x)
        assert type(y) is mx.np.ndarray
        y.backward()
        assert x.grad.any()
    finally:
        mx.npx.reset_np()


@pytest.mark.parametrize("is_written_on_arrays", [False, True])
def test_a_hybridized_block_of_the_numpy_dialect(is_written_on_arrays, tmp_path):
    class Written(mx.gluon.HybridBlock):
        def __init__(self, inner):
            super().__init__()
            self.inner = inner

        def forward(self, x):
            return mx.np.tanh(self.inner(x)) * 2

    _, module = make_mixed()
    module.eval()
    mx.npx.set_np()
    try:
        block = TorchBlock(module)
        net = Written(block) if is_written_on_arrays else gluon.nn.HybridSequential()
        if not is_written_on_arrays:
            net.add(block, gluon.nn.Dense(3))
        net.initialize()
        x = mx.np.array(X)
        expected = net(x)
        net.hybridize(strict=True)
        parameter = next(iter(block.collect_params().values()))
        grads = []
        for _ in range(2):
            with autograd.record(train_mode=False):
                y = net(x)
            y.backward()
            grads.append(parameter.grad().asnumpy())
            net.hybridize(False)
        assert type(y) is mx.np.ndarray
        np.testing.assert_allclose(y.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(*grads, rtol=1e-5, atol=1e-6)
        net.hybridize()
        net(x)
        net.export(str(tmp_path / "net"))
        again = mx.gluon.SymbolBlock.imports(
            str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
        )
        np.testing.assert_allclose(again(x).asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-6)
    finally:
        mx.npx.reset_np()


def test_a_sum_of_all_elements_has_no_axes_in_the_numpy_dialect():
    class Total(nn.Module):
        def forward(self, x):
            return x.mean() * 2

    mx.npx.set_np()
    try:
        block = TorchBlock(Total())
        block.hybridize(strict=True)
        result = block(mx.np.array(X))
        assert result.shape == ()
        assert result.item() == pytest.approx(2 * X.mean(), rel=1e-5)
    finally:
        mx.npx.reset_np()


def test_copies():
    net, _ = make_mixed()
    expected = net(nd.array(X)).asnumpy()
    for copied in (copy.deepcopy(net), pickle.loads(pickle.dumps(net))):
        assert copied(nd.array(X)).asnumpy() == pytest.approx(expected)
        assert copied[0]._state.module is not net[0]._state.module


class Branching(nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x


@pytest.mark.parametrize(
    ("module", "reason"),
    [
        (nn.LSTM(3, 3), r"torch\.nn\.LSTM has no counterpart"),
        (nn.Sequential(nn.GLU()), r"torch\.nn\.GLU \(0\) has no counterpart"),
        (Branching(), "torch.fx cannot trace the module"),
        (nn.Sequential(nn.BatchNorm1d(3, affine=False)), "affine=False"),
    ],
)
def test_what_has_no_operators_says_so_and_runs(module, reason, tmp_path):
    if isinstance(module, nn.Sequential):
        module.append(nn.Linear(3 if "affine" in reason else 1, 2))
        x = X if "affine" in reason else X[:, :2]
    else:
        x = X
    block = TorchBlock(module)
    block.initialize()
    eager = block(nd.array(x))
    block.hybridize()
    with pytest.warns(UntracedWarning, match=reason):
        hybrid = block(nd.array(x))
    for one, other in zip(
        *([item] if isinstance(item, nd.NDArray) else [item[0]] for item in (eager, hybrid)),
        strict=True,
    ):
        assert one.asnumpy() == pytest.approx(other.asnumpy())
    with pytest.raises(mx.MXNetError, match=reason):
        block.export(str(tmp_path / "net"))


def test_misuse():
    with pytest.raises(TypeError, match=r"takes a torch.nn.Module, got Dense"):
        TorchBlock(gluon.nn.Dense(2))
    with pytest.raises(mx.MXNetError, match=r"dtype torch\.complex64"):
        TorchBlock(nn.Linear(2, 2, dtype=torch.complex64))
    block = TorchBlock(nn.Linear(3, 2))
    with pytest.raises(mx.MXNetError, match="has not been initialized"):
        block(nd.array(X))
    block.initialize()
    with pytest.raises(mx.MXNetError, match=r"TorchBlock '.*'.*: RuntimeError: mat1 and mat2"):
        block(nd.ones((4, 4)))
    pair = TorchBlock(nn.Bilinear(3, 3, 1))
    pair.initialize()
    with pytest.raises(mx.MXNetError, match="arrays of one context"):
        pair(nd.array(X), nd.array(X, ctx=mx.cpu(1)))


def test_names_that_differ_by_a_dot_alone():
    module = nn.ModuleDict({"a": nn.Linear(1, 1, bias=False), "a_weight": nn.ParameterList()})
    module.register_parameter("a_weight_", nn.Parameter(torch.ones(1)))
    module["a_weight"].append(nn.Parameter(torch.ones(1)))
    del module["a_weight"]
    module.register_parameter("a_weight", nn.Parameter(torch.ones(1)))
    block = TorchBlock(module)
    assert len(block.collect_params()) == 3

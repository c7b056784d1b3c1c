"""Blocks as modules of torch."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn
from mxnet.gluon.contrib.torch import TorchBlock, as_torch_module
from mxnet.gluon.model_zoo import vision
from tests.gluon.contrib.torch.resnet import SmallResNet
from tests.gluon.networks import Branches, make_tied

IMAGES = np.random.RandomState(1).normal(size=(6, 1, 8, 8)).astype("float32")


def make_net():
    mx.random.seed(2)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D())
    net.add(nn.Dense(8, activation="tanh"), nn.Dropout(0.5), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    net(nd.array(IMAGES))
    return net


def test_parameters_and_buffers_have_the_names_of_files(tmp_path):
    net = make_net()
    module = net.to_torch()
    net.save_parameters(str(tmp_path / "net.params"))
    saved = nd.load(str(tmp_path / "net.params"))
    state = module.state_dict()
    assert state.keys() == saved.keys()
    for name, tensor in state.items():
        assert tensor.numpy().tolist() == saved[name].asnumpy().tolist()
    assert [name for name, _ in module.named_buffers()] == ["1.running_mean", "1.running_var"]
    assert dict(module.named_parameters()).keys() == state.keys() - {
        "1.running_mean",
        "1.running_var",
    }
    assert "(0): Conv2D(1 -> 4, kernel_size=(3, 3)" in repr(module)


def test_predictions_are_those_of_the_block():
    net = make_net()
    module = net.to_torch().eval()
    expected = net(nd.array(IMAGES)).asnumpy()
    assert module(torch.tensor(IMAGES)).detach().numpy() == pytest.approx(expected, abs=1e-6)


def test_gradients_and_statistics_are_those_of_the_block():
    net, other = Branches(), Branches(prefix="other_")
    x = np.random.RandomState(0).normal(size=(5, 4)).astype("float32")
    for each in (net, other):
        each.initialize(mx.init.One())
        with autograd.pause():
            each(nd.array(x))
    module = other.to_torch()
    weights = torch.tensor([[1.0, 2.0]] * 5) * torch.arange(5.0).reshape(5, 1)
    data = nd.array(x)
    data.attach_grad()
    with autograd.record():
        loss = (net(data) * nd.from_torch(weights)).sum()
    loss.backward()
    tensor = torch.tensor(x, requires_grad=True)
    (module(tensor) * weights).sum().backward()
    assert tensor.grad.numpy() == pytest.approx(data.grad.asnumpy(), rel=1e-4, abs=1e-5)
    params = net._collect_params_with_prefix()
    for name, parameter in module.named_parameters():
        grad = params[name].grad().asnumpy()
        assert parameter.grad.numpy() == pytest.approx(grad, rel=1e-4, abs=1e-5)
    for name, buffer in module.named_buffers():
        assert buffer.numpy() == pytest.approx(params[name].data().asnumpy(), rel=1e-5)
    assert "shift" in dict(module.named_buffers())


@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "AdamW"])
def test_optimizers_of_torch_train_the_block(optimizer):
    net = make_net()
    module = net.to_torch()
    trainer = getattr(torch.optim, optimizer)(module.parameters(), lr=0.05)
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    torch.manual_seed(0)
    losses = []
    for _ in range(40):
        loss = torch.nn.functional.cross_entropy(module(torch.tensor(IMAGES)), labels)
        trainer.zero_grad()
        loss.backward()
        trainer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
    module.eval()
    result = module(torch.tensor(IMAGES)).detach().numpy()
    assert net(nd.array(IMAGES)).asnumpy() == pytest.approx(result, rel=1e-4, abs=1e-5)


def test_modes_decide_about_dropout():
    block = nn.Dropout(0.5)
    module = block.to_torch()
    x = torch.ones(100)
    assert set(module.train()(x).tolist()) == {0, 2}
    assert module.eval()(x).tolist() == x.tolist()
    torch.manual_seed(1)
    first = module.train()(x)
    torch.manual_seed(1)
    assert (first == module(x)).all()


def test_hooks_see_every_block_and_modules_can_be_replaced():
    module = make_net().to_torch().eval()
    seen = []
    for name, part in module.named_modules():
        part.register_forward_hook(
            lambda *seen_now, name=name: seen.append((name, seen_now[2].shape))
        )
    module(torch.tensor(IMAGES))
    assert [name for name, _ in seen] == ["0", "1", "2", "3", "4.act", "4", "5", "6", ""]
    assert seen[3][1] == (6, 4, 4, 4)
    module.get_submodule("4").act = torch.nn.ReLU()
    module.add_module("6", torch.nn.Linear(8, 2))
    assert module(torch.tensor(IMAGES)).shape == (6, 2)


def test_layers_are_those_of_torch_to_its_tools():
    module = make_net().to_torch()
    assert isinstance(module.get_submodule("0"), torch.nn.Conv2d)
    assert module.get_submodule("0").in_channels == 1
    last = module.get_submodule("6")
    assert isinstance(last, torch.nn.Linear)
    assert (last.in_features, last.out_features) == (8, 3)
    assert not isinstance(module.get_submodule("4"), torch.nn.Linear)  # it has an activation
    embedding = nn.Embedding(5, 3)
    embedding.initialize()
    table = embedding.to_torch()
    assert isinstance(table, torch.nn.Embedding)
    assert table(torch.tensor([1, 4])).shape == (2, 3)
    without_bias = nn.Dense(2, use_bias=False, in_units=3)
    without_bias.initialize()
    assert without_bias.to_torch().bias is None


def test_state_is_loaded_into_the_block():
    net, other = make_net(), make_net()
    for parameter in other.collect_params().values():
        parameter.set_data(parameter.data() + 0.1)
    module = net.to_torch()
    module.load_state_dict(other.to_torch().state_dict())
    expected = other(nd.array(IMAGES)).asnumpy()
    assert net(nd.array(IMAGES)).asnumpy() == pytest.approx(expected)
    with pytest.raises(RuntimeError, match="Missing key"):
        module.load_state_dict({})


def test_casting_and_copies():
    net = make_net()
    module = net.to_torch().eval()
    x = torch.tensor(IMAGES)
    expected = module(x)
    copied = copy.deepcopy(module)
    assert torch.equal(copied(x), expected)
    with torch.no_grad():
        next(copied.parameters()).zero_()
    assert torch.equal(module(x), expected)
    restored = pickle.loads(pickle.dumps(module))
    assert torch.equal(restored(x), expected)
    double = copy.deepcopy(module).double()
    assert torch.allclose(double(x.double()).float(), expected, atol=1e-5)
    assert net(nd.array(IMAGES)).dtype is np.float32
    half = copy.deepcopy(module).to(torch.bfloat16)
    with pytest.raises(mx.MXNetError, match="gamma has the dtype"):
        half(x.bfloat16())


def test_moving_to_a_device_makes_tensors_there():
    class Noisy(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.broadcast_add(x, F.ones(shape=(1,)))

    block = Noisy()
    module = block.to_torch()
    assert module(torch.zeros(2)).tolist() == [1, 1]
    block = nn.HybridSequential()
    block.add(nn.Dense(2, in_units=2), Noisy())
    block.initialize()
    assert block.to_torch().to("meta")(torch.zeros(1, 2, device="meta")).device.type == "meta"


def test_shared_parameters_stay_shared():
    net = make_tied()
    net.initialize()
    module = net.to_torch()
    assert module.get_submodule("0").weight is module.get_submodule("1").weight
    assert len(list(module.parameters())) == 4
    assert torch.equal(
        module.eval()(torch.ones(2, 4)).detach(), net(nd.ones((2, 4))).to_torch().detach()
    )


def test_parameters_without_gradients():
    net = nn.Dense(2, in_units=2)
    net.collect_params().setattr("grad_req", "null")
    net.initialize()
    assert not any(p.requires_grad for p in net.to_torch().parameters())


class Reused(nn.HybridBlock):
    """Calls a child twice, a grandchild, and uses a weight of a child."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.body = nn.HybridSequential()
        self.body.add(nn.Dense(4, in_units=4), nn.Dense(4, in_units=4))

    def hybrid_forward(self, F, x):
        first = self.body[0](self.body(self.body(x)))
        return F.dot(first, F.ones((4, 4))), [self.body[1](x), F.argmax(x, axis=1)]


def test_blocks_that_are_called_in_other_ways():
    block = Reused()
    block.initialize(mx.init.Normal(1))
    x = nd.array(np.random.RandomState(0).normal(size=(3, 4)))
    module = block.to_torch()
    results, expected = module(x.to_torch()), block(x)
    assert results[0].detach().numpy() == pytest.approx(expected[0].asnumpy(), rel=1e-5)
    for one, other in zip(results[1], expected[1], strict=True):
        assert one.detach().numpy() == pytest.approx(other.asnumpy(), rel=1e-5)
    results[0].sum().backward()
    assert all(p.grad is not None for p in module.parameters())


class OnArrays(nn.Block):
    """Computes on arrays, with a loop that looks at values."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = nn.Dense(3, in_units=3)
        self.scale = self.params.get("scale", shape=(1,), init="ones")

    def forward(self, x, steps=1):
        for _ in range(steps):
            x = self.dense(x) * self.scale.data()
            if x.sum().asscalar() > 1e9:
                break
        return x


def test_blocks_without_a_graph_run_on_arrays():
    block = OnArrays()
    block.initialize(mx.init.Normal(1))
    module = block.to_torch()
    seen = []
    module.dense.register_forward_hook(lambda *_: seen.append(1))
    x = torch.randn(2, 3, requires_grad=True)
    result = module(x, 2)
    result.sum().backward()
    weight, bias = (
        p.data().to_torch().detach().clone().requires_grad_()
        for p in (block.dense.weight, block.dense.bias)
    )
    y = x.detach().clone().requires_grad_()
    expected = (y @ weight.T + bias) @ weight.T + bias
    expected.sum().backward()
    assert torch.allclose(result, expected)
    assert torch.allclose(x.grad, y.grad, rtol=1e-4)
    assert torch.allclose(module.dense.weight.grad, weight.grad, rtol=1e-4)
    assert module.scale.grad.item() != 0
    assert len(seen) == 2
    with torch.no_grad():
        assert not module(x).requires_grad
    assert block.scale.data().grad.asscalar() == 0  # gradients are the module's
    double = copy.deepcopy(module).double()
    assert double(x.detach().double()).dtype is torch.float64
    assert block.scale.data().dtype is np.float32


@pytest.mark.parametrize("layer", [rnn.LSTM(4, 2), rnn.GRU(4, bidirectional=True)])
def test_recurrent_layers(layer):
    layer.initialize()
    x = nd.array(np.random.RandomState(0).normal(size=(3, 2, 5)))
    expected = layer(x).asnumpy()
    module = layer.to_torch(x)
    result = module(x.to_torch())
    assert result.detach().numpy() == pytest.approx(expected, rel=1e-4, abs=1e-5)
    result.sum().backward()
    assert all(p.grad.abs().sum() > 0 for p in module.parameters())


def test_a_cell_with_states():
    cell = rnn.LSTMCell(4, input_size=3)
    cell.initialize()
    x, states = nd.ones((2, 3)), [nd.ones((2, 4)), nd.zeros((2, 4))]
    module = cell.to_torch(x, states)
    output, next_states = module(x.to_torch(), [item.to_torch() for item in states])
    expected, expected_states = cell(x, states)
    assert output.detach().numpy() == pytest.approx(expected.asnumpy())
    assert next_states[1].detach().numpy() == pytest.approx(expected_states[1].asnumpy())


def test_a_module_of_torch_inside():
    torch.manual_seed(0)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(2, 1, in_channels=1), TorchBlock(SmallResNet(2, 3)))
    net.initialize(mx.init.Xavier())
    module = net.to_torch().eval()
    inner = module.get_submodule("1")
    assert isinstance(inner, SmallResNet)
    expected = net(nd.array(IMAGES)).asnumpy()
    result = module(torch.tensor(IMAGES))
    assert result.detach().numpy() == pytest.approx(expected, rel=1e-4, abs=1e-6)
    with torch.no_grad():
        inner.fc.bias.add_(1)
    assert net(nd.array(IMAGES)).asnumpy() == pytest.approx(expected + 1, rel=1e-4)
    assert "1.layers.0.bn1.running_mean" in module.state_dict()


def test_a_symbol_block():
    data = mx.sym.var("data")
    graph = mx.sym.FullyConnected(mx.sym.relu(data), num_hidden=2, name="fc")
    net = gluon.SymbolBlock(graph, data)
    net.initialize(mx.init.One())
    x = nd.array([[1.0, -2.0]])
    module = net.to_torch(x)
    assert module(x.to_torch()).tolist() == net(x).asnumpy().tolist()
    assert module.state_dict().keys() == net._collect_params_with_prefix().keys()


def test_a_gluon_network_inside_of_torch_is_trained():
    torch.manual_seed(4)
    mx.random.seed(4)
    net = vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 4, 8], classes=4, thumbnail=True)
    net.initialize(mx.init.Xavier())
    body = net.to_torch(nd.zeros((1, 2, 8, 8)))
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 1), body, torch.nn.Linear(4, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    labels = torch.tensor([0, 1, 2, 0, 1, 2])
    losses = []
    for _ in range(30):
        loss = torch.nn.functional.cross_entropy(model(torch.tensor(IMAGES)), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
    model.eval()
    hidden = model[0](torch.tensor(IMAGES)).detach()
    expected = net(nd.from_torch(hidden)).asnumpy()
    assert body(hidden).detach().numpy() == pytest.approx(expected, rel=1e-3, abs=1e-4)


def test_the_numpy_dialect():
    mx.npx.set_np()
    try:
        net = nn.HybridSequential()
        net.add(nn.Dense(4, activation="relu", in_units=3), nn.Dense(2, in_units=4))
        net.initialize()
        x = mx.np.array([[1.0, 2.0, 3.0]])
        module = net.to_torch()
        assert module(x.to_torch()).detach().numpy() == pytest.approx(net(x).asnumpy())
    finally:
        mx.npx.reset_np()


def test_misuse():
    net = nn.Dense(2)
    with pytest.raises(mx.MXNetError, match="has not been initialized"):
        net.to_torch()
    net.initialize()
    with pytest.raises(mx.MXNetError, match="deferred until its shape is known"):
        net.to_torch()
    module = net.to_torch(nd.ones((1, 3)))
    with pytest.raises(TypeError, match=r"takes a Block, got Linear"):
        as_torch_module(torch.nn.Linear(1, 1))
    with pytest.raises(RuntimeError, match="mat1 and mat2"):  # as torch says it
        module(torch.ones(2, 4))
    with pytest.raises(mx.MXNetError, match="takes tensors of torch, got NDArray; call"):
        module(nd.ones((2, 3)))

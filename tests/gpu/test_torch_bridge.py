"""Gradients that cross between arrays and tensors of torch on an accelerator."""

from __future__ import annotations

import numpy as np
import PIL.Image
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.contrib.torch import TorchBlock
from mxnet.gluon.model_zoo import vision
from tests.gluon.contrib.torch.resnet import SmallResNet

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("side", ["array", "tensor"])
@pytest.mark.parametrize("options", [None, {}, {"static_alloc": True, "static_shape": True}])
def test_a_network_between_two_tensors(side, options):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(8, activation="tanh", in_units=3), gluon.nn.Dense(2, in_units=8))
    net.initialize(mx.init.Normal(1), ctx=mx.gpu())
    if options is not None:
        net.hybridize(**options)
    tensor = torch.randn(5, 3, device="cuda", requires_grad=True)
    for _ in range(4):  # long enough for a captured graph
        tensor.grad = None
        with autograd.record():
            result = net(nd.from_torch(tensor * 2))
            loss = (result.to_torch() ** 3).sum()
            if side == "array":
                loss = nd.from_torch(loss)
        loss.backward()
    (w0, b0), (w1, b1) = [
        [p.data().to_torch().detach().clone().requires_grad_() for p in (layer.weight, layer.bias)]
        for layer in net
    ]
    data = tensor.detach().clone().requires_grad_()
    ((torch.tanh(data * 2 @ w0.T + b0) @ w1.T + b1) ** 3).sum().backward()
    assert torch.allclose(tensor.grad, data.grad, rtol=1e-3, atol=1e-3)
    for layer, weight, bias in zip(net, (w0, w1), (b0, b1), strict=True):
        for parameter, expected in ((layer.weight, weight), (layer.bias, bias)):
            grad = parameter.grad().to_torch()
            assert torch.allclose(grad, expected.grad, rtol=1e-3, atol=1e-3)


def test_optimizers_of_torch_train_arrays():
    x = nd.array([1.0, -2.0], ctx=mx.gpu())
    x.attach_grad()
    optimizer = torch.optim.AdamW([x.to_torch()], lr=0.5)
    for _ in range(3):
        with autograd.record():
            loss = (x * x).sum()
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    assert abs(x.asnumpy()).max() < 1


def test_libraries_read_arrays():
    x = nd.array(np.arange(12).reshape(2, 2, 3), ctx=mx.gpu(), dtype="uint8")
    assert torch.from_dlpack(x).device.type == "cuda"
    torch.from_dlpack(x)[0, 0, 0] = 9
    assert x[0, 0, 0].asscalar() == 9
    assert np.asarray(x).sum() == 75
    assert PIL.Image.fromarray(x).size == (2, 2)


@pytest.mark.parametrize("options", [None, {}, {"static_alloc": True, "static_shape": True}])
@pytest.mark.parametrize("step", ["trainer", "train_step"])
def test_a_residual_network_of_torch_is_trained_inside_of_gluon(options, step):
    torch.manual_seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(2, 3, padding=1), TorchBlock(SmallResNet(2, 8)), gluon.nn.Dense(3))
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    if options is not None:
        net.hybridize(**options)
    values = np.random.RandomState(1).normal(size=(6, 1, 8, 8))
    images = nd.array(values, ctx=mx.gpu())
    labels = nd.array([0, 1, 2, 0, 1, 2], ctx=mx.gpu())
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.02})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    run = gluon.TrainStep(net, loss_of, trainer) if step == "train_step" else None
    losses = []
    for _ in range(12):
        if run is not None:
            loss = run(images, labels)
        else:
            with autograd.record():
                loss = loss_of(net(images), labels)
            loss.backward()
            trainer.step(6)
        losses.append(loss.mean().asscalar())
    assert losses[-1] < losses[0] / 4
    module = net[1].to_module()
    assert module.fc.weight.device.type == "cpu"


def test_a_gluon_network_inside_of_torch_is_trained():
    net = vision.ResNetV1(vision.BasicBlockV1, [1, 1], [4, 4, 8], classes=4, thumbnail=True)
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    body = net.to_torch(nd.zeros((1, 2, 8, 8), ctx=mx.gpu()))
    model = torch.nn.Sequential(torch.nn.Conv2d(1, 2, 1).cuda(), body, torch.nn.Linear(4, 3).cuda())
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    torch.manual_seed(0)
    images, labels = torch.randn(6, 1, 8, 8).cuda(), torch.tensor([0, 1, 2, 0, 1, 2]).cuda()
    losses = []
    for _ in range(40):
        loss = torch.nn.functional.cross_entropy(model(images), labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
    hidden = model.eval()[0](images).detach()
    expected = net(nd.from_torch(hidden)).asnumpy()
    assert body(hidden).detach().cpu().numpy() == pytest.approx(expected, rel=1e-2, abs=1e-2)


def test_a_network_moves_to_the_gpu_as_a_module():
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, in_units=3), gluon.nn.Dropout(0.5), gluon.nn.Dense(2, in_units=4))
    net.initialize(mx.init.One())
    module = net.to_torch().cuda()
    result = module(torch.ones(2, 3, device="cuda"))
    result.sum().backward()
    assert all(p.grad.is_cuda for p in module.parameters())
    assert net.collect_params().list_ctx() == [mx.cpu()]
    exported = torch.export.export(module.eval(), (torch.ones(2, 3, device="cuda"),))
    assert exported.module()(torch.ones(2, 3, device="cuda")).tolist() == [[12, 12], [12, 12]]

"""Gradients that cross between arrays and tensors of torch, in both directions."""

from __future__ import annotations

import copy
import pickle
from contextlib import nullcontext

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.hybrid.forward import UntracedWarning

VALUES = [[1.0, -2.0, 3.0], [0.5, 0.0, -1.0]]
NAMESPACES = {"nd": (nd.array, nd.from_torch), "np": (mx.np.array, mx.npx.from_torch)}


@pytest.fixture(params=NAMESPACES)
def functions(request):
    return NAMESPACES[request.param]


def make_variable(make_array, grad_req="write"):
    x = make_array(VALUES)
    x.attach_grad(grad_req)
    return x


@pytest.mark.parametrize("side", ["array", "tensor"])
def test_one_backward_fills_the_gradients_of_both(functions, side):
    make_array, from_torch = functions
    x = make_variable(make_array)
    weight = torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    with autograd.record():
        scaled = from_torch(torch.relu((x * 2).to_torch()) * weight)
        loss = (scaled * x).sum()
    assert type(scaled) is type(x)
    if side == "array":
        loss.backward()
    else:
        with autograd.record():
            tensor = loss.to_torch()
        tensor.sum().backward()
    values = np.array(VALUES)
    positive = values > 0
    factor = np.array([2.0, 3.0, 4.0])
    assert x.grad.asnumpy() == pytest.approx(4 * values * positive * factor)
    assert weight.grad.numpy() == pytest.approx((2 * values**2 * positive).sum(axis=0))


@pytest.mark.parametrize(("grad_req", "factor"), [("write", 1), ("add", 3)])
def test_gradients_from_torch_are_written_or_added(functions, grad_req, factor):
    x = make_variable(functions[0], grad_req)
    for _ in range(3):
        with autograd.record():
            loss = (x.to_torch() ** 2).sum()
        loss.backward()
    assert x.grad.asnumpy() == pytest.approx(2 * factor * np.array(VALUES))


def test_no_gradient_where_none_is_wanted(functions):
    x = make_variable(functions[0], "null")
    with autograd.record():
        tensor = x.to_torch()
    assert not tensor.requires_grad
    assert x.grad is None


def test_gradients_of_a_torch_leaf_accumulate_as_in_torch():
    leaf = torch.ones(2, requires_grad=True)
    for _ in range(2):
        with autograd.record():
            y = nd.from_torch(leaf) * 3
        y.backward()
    assert leaf.grad.tolist() == [6, 6]


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("side", ["array", "tensor"])
def test_a_network_between_two_tensors(hybridize, side):
    mx.random.seed(3)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, activation="tanh", in_units=3), gluon.nn.Dense(2, in_units=4))
    net.initialize(mx.init.Normal(1))
    if hybridize:
        net.hybridize()
    tensor = torch.tensor(VALUES, requires_grad=True)
    for _ in range(2):  # the second call runs the graph of the first
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
    data = torch.tensor(VALUES, requires_grad=True)
    ((torch.tanh(data * 2 @ w0.T + b0) @ w1.T + b1) ** 3).sum().backward()
    assert torch.allclose(tensor.grad, data.grad, rtol=1e-4)
    for layer, weight, bias in zip(net, (w0, w1), (b0, b1), strict=True):
        assert torch.allclose(layer.weight.grad().to_torch(), weight.grad, rtol=1e-4)
        assert torch.allclose(layer.bias.grad().to_torch(), bias.grad, rtol=1e-4)


def test_memory_is_shared_while_recording():
    x = make_variable(nd.array)
    with autograd.record():
        y = x * 2
        assert y.to_torch().data_ptr() == nd.from_torch(y.to_torch()).to_torch().data_ptr()
    with autograd.record():
        assert x.to_torch().data_ptr() == x.to_torch().data_ptr()
    x[:] = 7
    with autograd.record():
        assert x.to_torch()[0, 0] == 7


def test_a_view_of_an_input_is_not_written_through_torch():
    x = make_variable(nd.array)
    with autograd.record():
        y = nd.transpose(x)
        y.to_torch().mul_(0)
    assert y.asnumpy().tolist() == np.zeros((3, 2)).tolist()
    assert x.asnumpy().tolist() == VALUES


def test_outside_of_record_there_is_no_history():
    x = make_variable(nd.array)
    with autograd.record():
        y = x * 2
    assert not x.to_torch().requires_grad
    assert not y.to_torch().requires_grad
    assert x.to_torch().data_ptr() == x.to_torch().data_ptr()
    leaf = torch.ones(2, requires_grad=True)
    assert nd.from_torch(leaf).to_torch().data_ptr() == leaf.data_ptr()
    with pytest.raises(mx.MXNetError, match="not in a computational graph"):
        nd.from_torch(leaf * 2).backward()


def test_a_graph_that_torch_has_used_up_is_gone():
    x = make_variable(nd.array)
    with autograd.record():
        y = x * x
        loss = y.to_torch().sum()
    loss.backward()
    with pytest.raises(mx.MXNetError, match="not in a computational graph"):
        y.backward()


def test_integers_have_no_gradient_to_pass():
    x = nd.array([1, 2], dtype="int32")
    x.attach_grad()
    with autograd.record():
        assert not x.to_torch().requires_grad


def test_second_derivatives_cross():
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        cube = nd.from_torch(x.to_torch() ** 3)
        first = autograd.grad(cube, [x], create_graph=True)[0]
        loss = nd.from_torch(first.to_torch() * 2)
    loss.backward()
    assert x.grad.asscalar() == 24


def test_gradients_of_variables_alone():
    x, y = nd.array([2.0]), nd.array([5.0])
    for array in (x, y):
        array.attach_grad()
    with autograd.record():
        z = nd.from_torch(x.to_torch() * y.to_torch())
    assert autograd.grad(z, [y])[0].asscalar() == 2
    assert x.grad.asscalar() == 0


def test_a_function_of_torch_in_a_function_of_ours():
    x = nd.array([1.0, 2.0])
    x.attach_grad()
    with autograd.record():
        y = nd.dot(nd.from_torch(torch.fft.rfft(x.to_torch()).abs()), nd.ones(2))
    y.backward()
    assert x.grad.asnumpy().tolist() == [0, 2]


class WithTorch(gluon.nn.HybridBlock):
    """Computes a part of its output by torch."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = gluon.nn.Dense(2, in_units=3)

    def forward(self, x):
        return nd.from_torch(torch.erfc(self.dense(x).to_torch())) * 2


def test_a_hybridized_block_that_calls_torch_says_so_and_keeps_its_gradients():
    net = WithTorch()
    net.initialize(mx.init.Normal(1))
    gradients = []
    for expectation in (nullcontext(), pytest.warns(UntracedWarning, match="runs imperatively")):
        with autograd.record(), expectation:
            loss = net(nd.array(VALUES)).sum()
        loss.backward()
        gradients.append(net.dense.weight.grad().asnumpy())
        net.hybridize()
    assert gradients[0].all()
    assert gradients[0] == pytest.approx(gradients[1])


def test_a_tensor_is_not_kept_in_a_graph():
    offset = torch.zeros(3, requires_grad=True)

    class Shifted(gluon.nn.HybridBlock):
        def forward(self, x):
            return x + nd.from_torch(offset)

    net = Shifted()
    net.hybridize()
    with autograd.record(), pytest.warns(UntracedWarning, match="makes an array of a tensor"):
        loss = net(nd.ones((3,))).sum()
    loss.backward()
    assert offset.grad.tolist() == [1, 1, 1]


class TestOptimizersOfTorch:
    """They train arrays by the tensors of `to_torch()`."""

    @pytest.mark.parametrize("grad_req", ["write", "add"])
    @pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW", "RMSprop"])
    def test_they_change_arrays_as_they_change_parameters(self, name, grad_req):
        x = make_variable(nd.array, grad_req)
        own = torch.nn.Parameter(torch.tensor(VALUES))
        optimizers = [getattr(torch.optim, name)([item], lr=0.1) for item in (x.to_torch(), own)]
        for _ in range(3):
            with autograd.record():
                loss = (x * x * x).sum()
            loss.backward()
            (own**3).sum().backward()
            for optimizer in optimizers:
                optimizer.step()
                optimizer.zero_grad()
        assert x.asnumpy() == pytest.approx(own.detach().numpy())
        assert x.grad.asnumpy().any() == 0

    def test_parameters_of_a_network(self):
        net = gluon.nn.Dense(1, in_units=1)
        net.initialize(mx.init.One())
        tensors = [p.data().to_torch() for p in net.collect_params().values()]
        optimizer = torch.optim.SGD(tensors, lr=0.5)
        assert tensors[0].grad is None
        with autograd.record():
            loss = net(nd.array([[2.0]]))
        loss.backward()
        assert torch.nn.utils.clip_grad_norm_(tensors, 1e9).item() == pytest.approx(5**0.5)
        optimizer.step()
        assert net.weight.data().asscalar() == 0
        assert net.bias.data().asscalar() == -0.5

    def test_a_closure(self):
        x = make_variable(nd.array)

        def evaluate():
            with autograd.record():
                loss = ((x - 1) ** 2).sum()
            loss.backward()
            return loss

        torch.optim.LBFGS([x.to_torch()], line_search_fn="strong_wolfe").step(evaluate)
        assert x.asnumpy() == pytest.approx(np.ones((2, 3)), abs=1e-4)

    def test_the_gradient_is_memory_of_the_array(self):
        x = make_variable(nd.array)
        tensor = x.to_torch()
        tensor.grad = torch.ones(2, 3)
        tensor.grad.mul_(2)
        assert x.grad.asnumpy().tolist() == [[2, 2, 2], [2, 2, 2]]
        with pytest.raises(mx.MXNetError, match="expected a tensor of shape"):
            tensor.grad = torch.ones(3)

    def test_a_tensor_of_a_graph_is_refused(self):
        x = make_variable(nd.array)
        with autograd.record():
            tensor = x.to_torch()
        with pytest.raises(ValueError, match="non-leaf"):
            torch.optim.SGD([tensor], lr=0.1)

    def test_copies_are_ordinary_tensors(self):
        tensor = make_variable(nd.array).to_torch()
        for copied in (copy.deepcopy(tensor), pickle.loads(pickle.dumps(tensor)), tensor + 0):
            assert type(copied) is torch.Tensor
            assert copied.tolist() == VALUES

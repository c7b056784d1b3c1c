"""Whole networks give the same after `hybridize`, in one piece or in parts."""

from __future__ import annotations

import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from tests.gluon.networks import DATA, Branches, make_tied, set_values
from tests.golden import network_cases
from tests.golden.network_cases import NETWORKS

from .observe import compare, compiled_blocks

SMALL = {"branches": lambda: Branches(prefix="net_"), "tied": lambda: make_tied(prefix="net_")}


def make(name):
    net = NETWORKS[name][0](f"{name}_")
    net.initialize()
    data = [nd.array(item) for item in network_cases.make_data(name)]
    net(*data)
    for parameter in net.collect_params().values():
        network_cases.fill(parameter)
    if name != "mixture":
        for item in data:
            item.attach_grad()
    return net, data


@pytest.mark.parametrize("flags", [{}, {"static_alloc": True, "static_shape": True}], ids=str)
@pytest.mark.parametrize("name", NETWORKS)
def test_a_network(name, flags):
    net, data = make(name)
    compare(net, lambda: net(*data), [] if name == "mixture" else data, **flags)


@pytest.mark.parametrize("name", SMALL)
def test_a_small_network(name):
    net = SMALL[name]()
    net.initialize()
    net(DATA)
    set_values(net)
    data = DATA.copy()
    data.attach_grad()
    compare(net, lambda: net(data), [data])


@pytest.mark.parametrize("name", ["lenet", "mlp", "upscaler"])
def test_only_some_children(name):
    net, data = make(name)
    parent = nn.Sequential()
    parent.add(*(net[position] for position in range(len(net))))

    class Some(gluon.Block):
        def __init__(self):
            super().__init__()
            self.parent = parent

        def hybridize(self, active=True, **kwargs):
            for position in range(0, len(parent), 2):
                parent[position].hybridize(active, **kwargs)

        def forward(self, x):
            return self.parent(x)

    some = Some()
    compare(some, lambda: some(*data), data)


def test_a_program_on_arrays_with_layers():
    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="net_")
            with self.name_scope():
                self.conv = nn.Conv2D(3, 3)
                self.norm = nn.BatchNorm()
                self.cell = gluon.rnn.LSTM(4)
                self.drop = nn.Dropout(0.3)

        def forward(self, x):
            y = nd.relu(self.norm(self.conv(x)))
            steps = y.reshape((y.shape[0], -1)).expand_dims(1)
            return self.drop(self.cell(steps)), y.shape[0] * y

    net = Net()
    net.initialize()
    data = nd.random.uniform(shape=(2, 1, 5, 5))
    data.attach_grad()
    net(data)
    compare(net, lambda: net(data), [data])
    net.hybridize()
    net(data)
    assert net.name in compiled_blocks(net)


def test_a_graph_in_a_graph():
    inner = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    net = nn.HybridSequential(prefix="net_")
    net.add(gluon.SymbolBlock(inner, mx.sym.var("data")), nn.Dense(2, in_units=3, prefix="d_"))
    net.initialize(mx.init.Uniform(1))
    data = nd.random.uniform(shape=(2, 4))
    data.attach_grad()
    net(data)
    compare(net, lambda: net(data), [data])
    (found,) = net[0].to_fx(data)(data.to_torch())
    assert (found.detach().numpy() == net[0](data).asnumpy()).all()


def test_a_forward_around_with_parameters_that_wait():
    class Turned(gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="net_")
            self.weight = self.params.get("weight", shape=(2, 0), allow_deferred_init=True)

        def forward(self, x):
            return super().forward(x.T)

        def hybrid_forward(self, F, x, weight):
            return F.FullyConnected(x, weight, num_hidden=2, no_bias=True)

    net = Turned()
    net.initialize()
    net.hybridize()
    data = nd.ones((3, 5))
    assert net(data).shape == (5, 2)
    assert net.weight.shape == (2, 3)
    data.attach_grad()
    compare(net, lambda: net(data), [data])


def test_networks_on_two_contexts():
    net, data = make("lenet")
    net.collect_params().reset_ctx([mx.cpu(0), mx.cpu(1)])
    parts = gluon.utils.split_and_load(nd.concat(*data, *data, dim=0), [mx.cpu(0), mx.cpu(1)])

    def gradients():
        with autograd.record():
            losses = [(net(part) ** 2).sum() for part in parts]
        autograd.backward(losses)
        return [
            gradient.asnumpy()
            for p in net.collect_params().values()
            if p.grad_req != "null"
            for gradient in p.list_grad()
        ]

    expected = gradients()
    net.hybridize()
    for one, other in zip(gradients(), expected, strict=True):
        assert abs(one - other).max() < 1e-5

"""Hybridized networks with row_sparse gradients are compiled, and do as the imperative ones."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.hybrid.forward import UntracedWarning
from mxnet.test_utils import assert_almost_equal

WORDS = nd.array([[1, 5], [1, 0], [3, 3]])

WAYS = {
    "plain": {},
    "static": {"static_alloc": True, "static_shape": True},
    "inlined": {"inline_limit": 100},
    "compiled": {"backend": "aot_eager"},
}


def make(way=None, **options):
    mx.random.seed(3)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Embedding(7, 3, sparse_grad=True), nn.Dense(2, in_units=6))
    net.initialize(mx.init.Xavier(), **options)
    if way is not None:
        net.hybridize(strict=True, **WAYS[way])
    return net


def differentiate(net, data=WORDS):
    with autograd.record():
        loss = (net(data) ** 2).sum()
    loss.backward()
    return loss


@pytest.mark.filterwarnings("ignore::DeprecationWarning:torch")
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("grad_req", ["write", "add"])
def test_gradients_are_those_of_the_imperative_network(way, grad_req):
    found = []
    for net in (make(), make(way)):
        net.collect_params().setattr("grad_req", grad_req)
        for _ in range(3):
            differentiate(net)
        gradient = net[0].weight.grad()
        assert gradient.stype == "row_sparse"
        gradient.check_format()
        found.append((gradient.indices.asnumpy(), gradient.data.asnumpy()))
    np.testing.assert_array_equal(found[0][0], [0, 1, 3, 5])
    np.testing.assert_array_equal(found[0][0], found[1][0])
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-5)


def test_a_network_is_compiled():
    net = make("plain")
    for _ in range(2):
        differentiate(net)
    assert all(graph is not None for graph in net._mx_hybrid._graphs.values())


def test_no_gradient_is_as_large_as_a_table(monkeypatch):
    sizes = []
    zeros = torch.zeros_like

    def note(tensor, *args, **options):
        sizes.append(tensor.numel())
        return zeros(tensor, *args, **options)

    net = nn.HybridSequential()
    net.add(nn.Embedding(1_000_000, 4, sparse_grad=True), nn.Dense(1, in_units=8))
    net.initialize(mx.init.Zero())
    net.hybridize(strict=True)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.TrainStep(net, gluon.loss.L2Loss(), trainer)
    monkeypatch.setattr(torch, "zeros_like", note)
    for _ in range(3):
        step(WORDS, nd.zeros((3, 1)))
        assert net[0].weight.grad()._parts[0].shape == (4, 4)
    assert max(sizes, default=0) < 1_000_000


def test_two_contexts_have_rows_of_their_own():
    contexts = [mx.cpu(0), mx.cpu(1)]
    found = []
    for net in (make(ctx=contexts), make("plain", ctx=contexts)):
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
        for _ in range(3):
            halves = gluon.utils.split_and_load(nd.array([[1, 5], [2, 0]]), contexts)
            with autograd.record():
                losses = [(net(half) ** 2).sum() for half in halves]
            autograd.backward(losses)
            trainer.step(2)
        found.append([item.asnumpy() for item in net[0].weight.list_data()])
    np.testing.assert_allclose(*found, rtol=1e-5)


@pytest.mark.parametrize("hybridize", [False, True])
def test_imported_graphs_have_sparse_gradients(tmp_path, hybridize):
    net = make("plain")
    differentiate(net)
    net.export(str(tmp_path / "net"))
    files = [str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")]
    block = gluon.SymbolBlock.imports(*files)
    if hybridize:
        block.hybridize(static_alloc=True)
    for _ in range(2):
        differentiate(block)
    gradient = block.collect_params()[net[0].weight.name].grad()
    assert gradient.stype == "row_sparse"
    assert_almost_equal(gradient.indices, net[0].weight.grad().indices)
    assert_almost_equal(gradient.data, net[0].weight.grad().data)


def test_shared_parameters_keep_their_storage():
    data, table = mx.sym.var("data"), mx.sym.var("w")
    found = mx.sym.Embedding(data, table, input_dim=7, output_dim=3, sparse_grad=True)
    params = gluon.ParameterDict()
    params.get("w", shape=(7, 3))
    block = gluon.SymbolBlock(found, data, params=params)
    block.initialize(mx.init.One())
    with autograd.record():
        block(WORDS).sum().backward()
    assert block.collect_params()["w"].grad().stype == "default"
    assert block.collect_params()["w"].grad().asnumpy()[:, 0].tolist() == [1, 2, 0, 2, 0, 1, 0]


def test_a_table_that_other_layers_use_too():
    class Tied(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.table = self.params.get("table", shape=(7, 3), grad_stype="row_sparse")

        def hybrid_forward(self, F, x, table):
            rows = F.Embedding(x, table, input_dim=7, output_dim=3, sparse_grad=True)
            first = F.slice_axis(table, axis=0, begin=0, end=2)
            return F.dot(F.mean(rows, axis=1), first, transpose_b=True)

    found = []
    for hybridize in (False, True):
        net = Tied()
        net.initialize(mx.init.One())
        if hybridize:
            net.hybridize(strict=True)
        for _ in range(2):
            differentiate(net)
        gradient = net.table.grad()
        found.append((gradient.indices.asnumpy(), gradient.data.asnumpy()))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_sparse_value_says_why_it_is_not_compiled():
    class Rows(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.table = self.params.get("table", shape=(7, 3), stype="row_sparse")

        def forward(self, x):
            rows = self.table.row_sparse_data(x)
            return nd.Embedding(x, rows, input_dim=7, output_dim=3, sparse_grad=True)

    net = Rows()
    net.initialize()
    gluon.Trainer(net.collect_params(), "sgd")
    net.hybridize()
    with pytest.warns(UntracedWarning, match="table' is sparse"):
        net(WORDS)
    net.hybridize(strict=True)
    with pytest.raises(mx.MXNetError, match="table' is sparse"):
        net(WORDS)


def test_that_calls_with_sparse_arrays_are_not_compiled_is_said_once():
    class Product(gluon.HybridBlock):
        def hybrid_forward(self, F, x, w):
            return F.dot(x, w)

    net = Product()
    net.hybridize()
    features, weight = nd.array([[0, 2], [3, 0]]).tostype("csr"), nd.ones((2, 2))
    with pytest.warns(UntracedWarning, match="runs imperatively on sparse arrays.*got csr"):
        first = net(features, weight)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_almost_equal(net(features, weight), first)
        assert_almost_equal(net(features.tostype("default"), weight), first)
    net.hybridize(strict=True)
    with pytest.raises(mx.MXNetError, match="cannot become a graph: graphs take dense arrays"):
        net(features, weight)


@pytest.mark.parametrize("stype", ["default", "row_sparse"])
def test_executors_write_rows(stype):
    data, table = mx.sym.var("data"), mx.sym.var("w", stype=stype)
    found = mx.sym.Embedding(data, table, input_dim=7, output_dim=3, sparse_grad=True)
    executor = mx.sym.make_loss(mx.sym.sum(found) * 2).simple_bind(
        mx.cpu(), grad_req={"data": "null", "w": "write"}, data=(2, 2)
    )
    for words, rows in (([[1, 5], [1, 0]], [0, 1, 5]), ([[6, 6], [6, 6]], [6])):
        executor.forward(is_train=True, data=nd.array(words))
        executor.backward()
        gradient = executor.grad_dict["w"]
        assert gradient.stype == "row_sparse"
        assert gradient.indices.asnumpy().tolist() == rows
    assert gradient.data.asnumpy().tolist() == [[8, 8, 8]]


def test_executors_leave_no_rows_where_no_gradient_arrives():
    data, table = mx.sym.var("data"), mx.sym.var("w")
    rows = mx.sym.Embedding(data, table, input_dim=7, output_dim=3, sparse_grad=True)
    gradient = mx.nd.sparse.row_sparse_array(([[1, 1, 1]], [2]), shape=(7, 3))
    executor = mx.sym.BlockGrad(rows).bind(
        mx.cpu(),
        {"data": WORDS, "w": nd.ones((7, 3))},
        {"w": gradient},
        {"w": "write", "data": "null"},
    )
    executor.forward(is_train=True)
    executor.backward(nd.ones((3, 2, 3)))
    assert not gradient.asnumpy().any()

"""Sparse arrays and lazy updates on an accelerator."""

from __future__ import annotations

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.contrib.amp.loss_scaler import LossScaler
from mxnet.gluon import nn
from mxnet.ndarray import sparse

pytestmark = pytest.mark.gpu


def test_arrays_move_and_compute():
    rows = sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2), ctx=mx.gpu())
    assert str(rows) == "\n<RowSparseNDArray 4x2 @gpu(0)>"
    assert (rows + rows).asnumpy().tolist() == (rows.as_in_context(mx.cpu()) * 2).asnumpy().tolist()
    matrix = nd.array([[0, 1], [2, 0]], ctx=mx.gpu()).tostype("csr")
    product = nd.dot(matrix, nd.ones((2, 3), ctx=mx.gpu()))
    assert product.context == mx.gpu(0)
    assert product.asnumpy().tolist() == [[1, 1, 1], [2, 2, 2]]
    assert sparse.retain(rows, nd.array([3], ctx=mx.gpu())).asnumpy()[3].tolist() == [3, 4]


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adagrad"])
def test_training_is_that_on_the_cpu(optimizer):
    found = []
    for ctx in (mx.cpu(), mx.gpu()):
        layer = gluon.nn.Embedding(7, 3, sparse_grad=True)
        layer.initialize(ctx=ctx)
        layer.weight.set_data(nd.arange(21).reshape((7, 3)) / 10)
        trainer = gluon.Trainer(layer.collect_params(), optimizer, {"learning_rate": 0.1})
        for step in range(5):
            with autograd.record():
                loss = (layer(nd.array([step % 3, 5, 5], ctx=ctx)) ** 2).sum()
            loss.backward()
            trainer.step(3)
        assert layer.weight.grad().stype == "row_sparse"
        found.append(layer.weight.data().asnumpy())
    assert found[0] == pytest.approx(found[1], abs=1e-5)


STATIC = {"static_alloc": True, "static_shape": True}


def recommender(way=None):
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(
        nn.Embedding(50, 8, sparse_grad=True),
        nn.Dense(4, activation="relu", in_units=24),
        nn.Dense(1, in_units=4),
    )
    net.initialize(mx.init.Xavier(), ctx=mx.gpu())
    if way is not None:
        net.hybridize(strict=True, **way)
    return net


def batch_of(seed):
    numbers = np.random.RandomState(seed)
    data = nd.array(numbers.randint(0, 50, (16, 3)), ctx=mx.gpu())
    return data, nd.array(numbers.rand(16, 1), ctx=mx.gpu())


def same_rows(first, second):
    assert first.stype == second.stype == "row_sparse"
    first.check_format()
    np.testing.assert_array_equal(first.indices.asnumpy(), second.indices.asnumpy())
    np.testing.assert_allclose(first.data.asnumpy(), second.data.asnumpy(), rtol=1e-3, atol=1e-5)


@pytest.mark.parametrize("way", [{}, STATIC], ids=["hybridized", "static"])
@pytest.mark.parametrize("grad_req", ["write", "add"])
def test_compiled_networks_have_the_rows_of_imperative_ones(way, grad_req):
    nets = recommender(), recommender(way)
    loss = gluon.loss.L2Loss()
    for net in nets:
        net.collect_params().setattr("grad_req", grad_req)
        for seed in range(6):
            data, label = batch_of(seed)
            with autograd.record():
                losses = loss(net(data), label)
            losses.backward()
    same_rows(*(net[0].weight.grad() for net in nets))


@pytest.mark.parametrize("optimizer", ["sgd", "adam", "adagrad", "rmsprop"])
@pytest.mark.parametrize("clip", [None, 0.1])
def test_captured_steps_are_those_of_the_loop(optimizer, clip):
    nets = recommender(), recommender({})
    loss, options = gluon.loss.L2Loss(), {"learning_rate": 0.05}
    trainers = [gluon.Trainer(net.collect_params(), optimizer, options) for net in nets]
    step = gluon.TrainStep(nets[1], loss, trainers[1], clip_global_norm=clip, strict=True)
    for seed in range(10):
        data, label = batch_of(seed)
        with autograd.record():
            losses = loss(nets[0](data), label)
        losses.backward()
        if clip is not None:
            gradients = [item.grad() for item in nets[0].collect_params().values()]
            gluon.utils.clip_global_norm(gradients, clip)
        trainers[0].step(16)
        found = step(data, label)
        np.testing.assert_allclose(losses.asnumpy(), found.asnumpy(), rtol=1e-3, atol=1e-5)
        same_rows(*(net[0].weight.grad() for net in nets))
    (kind,) = step._captures._kinds.values()
    assert kind.capture is not None
    for one, other in zip(*(net.collect_params().values() for net in nets), strict=True):
        np.testing.assert_allclose(
            one.data().asnumpy(), other.data().asnumpy(), rtol=1e-3, atol=1e-4
        )


def test_a_captured_step_leaves_other_rows_alone():
    net = recommender({})
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    step = gluon.TrainStep(net, gluon.loss.L2Loss(), trainer, strict=True)
    for seed in range(6):
        step(*batch_of(seed))
    before = net[0].weight.data().asnumpy()
    step(nd.full((16, 3), 7, ctx=mx.gpu()), nd.zeros((16, 1), ctx=mx.gpu()))
    changed = (net[0].weight.data().asnumpy() != before).any(axis=1)
    assert changed.nonzero()[0].tolist() == [7]


def test_overflows_undo_a_captured_step():
    net = recommender({})
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    trainer._amp_loss_scaler = LossScaler()
    trainer._amp_original_scale = trainer._scale
    step = gluon.TrainStep(net, gluon.loss.L2Loss(), trainer, strict=True)
    for seed in range(6):
        step(*batch_of(seed))
    before = net[0].weight.data().asnumpy()
    data, label = batch_of(7)
    label[3] = np.inf
    step(data, label)
    np.testing.assert_array_equal(net[0].weight.data().asnumpy(), before)
    step(*batch_of(8))
    assert (net[0].weight.data().asnumpy() != before).any()

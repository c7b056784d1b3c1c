"""Hybridized networks follow what happens to their parameters and to themselves."""

from __future__ import annotations

import copy
import pickle
import threading
import warnings

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .observe import assert_same, compiled_blocks, observe, restore, values_of

DATA = nd.array(np.random.RandomState(0).uniform(-1, 1, (3, 2, 6, 6)))


def make(hybrid=True, **flags):
    """A network all of whose weights are folded or brought into another order in prediction."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(3, 3, in_channels=2), nn.BatchNorm(in_channels=3), nn.Activation("relu"))
        net.add(nn.Conv2D(2, 2, in_channels=3, use_bias=False), nn.BatchNorm(in_channels=2))
        net.add(nn.Flatten(), nn.Dense(4, in_units=18), nn.BatchNorm(in_channels=4))
    net.initialize()
    random = np.random.RandomState(2)
    for parameter in net.collect_params().values():
        parameter.set_data(nd.array(random.uniform(0.3, 1, parameter.shape)))
    if hybrid:
        net.hybridize(**flags)
    return net


def assert_follows(net, data=DATA):
    """Checks that a network gives what its parameters give without graphs."""
    found = net(data).asnumpy()
    names = {name: p.data(data.context).asnumpy() for name, p in net.collect_params().items()}
    plain = make(hybrid=False)
    for name, parameter in plain.collect_params().items():
        parameter.set_data(nd.array(names[name]))
    expected = plain(data.as_in_context(mx.cpu())).asnumpy()
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5)


def write_view(net):
    view = net[0].weight.data()[0]
    view[:] = 0.25


def write_through_torch(net):
    net[0].weight.data().to_torch().fill_(0.5)


def train_one_step(net, optimizer="sgd"):
    trainer = gluon.Trainer(net.collect_params(), optimizer, {"learning_rate": 0.1})
    with autograd.record():
        loss = (net(DATA) ** 2).sum()
    loss.backward()
    trainer.step(3)


def run_in_training(net):
    with autograd.train_mode():
        net(DATA)


CHANGES = {
    "trainer": train_one_step,
    "trainer with Adam": lambda net: train_one_step(net, "adam"),
    "statistics": run_in_training,
    "set_data": lambda net: net[0].weight.set_data(nd.ones((3, 2, 3, 3))),
    "set_data of a variance": lambda net: net[1].running_var.set_data(nd.array([1, 2, 3])),
    "set_data of a bias": lambda net: net[6].bias.set_data(nd.array([1, 2, 3, 4])),
    "[:] =": lambda net: net[3].weight.data().__setitem__(slice(None), 0.7),
    "[0] =": lambda net: net[1].gamma.data().__setitem__(0, 0.7),
    "+=": lambda net: net[1].beta.data().__iadd__(1),
    "a view": write_view,
    "torch": write_through_torch,
    "out=": lambda net: nd.ones((3,), out=net[1].beta.data()),
    "initialize": lambda net: net.initialize(mx.init.Constant(0.3), force_reinit=True),
    "zero statistics": lambda net: net[1].initialize(force_reinit=True),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_predictions_follow_parameters(change):
    net = make()
    assert_follows(net)
    before = net(DATA).asnumpy()
    change(net)
    assert_follows(net)
    assert not np.allclose(net(DATA).asnumpy(), before)
    change(net)
    assert_follows(net)


def test_predictions_follow_a_file(tmp_path):
    net = make()
    net.save_parameters(tmp_path / "net.params")
    expected = net(DATA).asnumpy()
    net[0].weight.set_data(nd.zeros((3, 2, 3, 3)))
    assert not np.allclose(net(DATA).asnumpy(), expected)
    net.load_parameters(tmp_path / "net.params")
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)


def test_predictions_follow_a_cast_and_back():
    net = make()
    expected = net(DATA).asnumpy()
    net.cast("float64")
    found = net(DATA.astype("float64"))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)
    net.cast("float32")
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-5)


def test_a_parameter_that_is_cast_by_itself():
    net = make()
    net(DATA)
    for parameter in net.collect_params().values():
        parameter.cast("float64")
    expected = make(hybrid=False)(DATA).asnumpy()
    found = net(DATA.astype("float64"))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5)


def test_predictions_follow_to_another_context():
    net = make()
    expected = net(DATA).asnumpy()
    net.collect_params().reset_ctx(mx.cpu(1))
    there = DATA.as_in_context(mx.cpu(1))
    found = net(there)
    assert found.context == mx.cpu(1)
    np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-6)
    with pytest.raises(mx.MXNetError, match="context"):
        net(DATA)
    net.collect_params().reset_ctx([mx.cpu(0), mx.cpu(1)])
    assert net(DATA).context == mx.cpu(0)
    assert net(there).context == mx.cpu(1)
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)


@pytest.mark.parametrize("request_", ["add", "null"])
def test_requests_for_gradients_can_change(request_):
    nets = [make(), make(hybrid=False)]
    found = []
    for net in nets:
        results = [observe(net, lambda net=net: net(DATA), [], ["record"])]
        net.collect_params(".*weight").setattr("grad_req", request_)
        results += [observe(net, lambda net=net: net(DATA), [], ["record"]) for _ in range(2)]
        net.collect_params(".*weight").setattr("grad_req", "write")
        results.append(observe(net, lambda net=net: net(DATA), [], ["record"]))
        found.append(results)
    for one, other in zip(*found, strict=True):
        assert_same(one, other)


def test_ten_steps_of_training_end_alike():
    ends = []
    for flags in ({}, {"static_alloc": True, "static_shape": True}, None):
        net = make(hybrid=flags is not None, **(flags or {}))
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
        random = np.random.RandomState(1)
        for _ in range(10):
            data = nd.array(random.uniform(-1, 1, (5, 2, 6, 6)))
            with autograd.record():
                loss = ((net(data) - 1) ** 2).mean()
            loss.backward()
            trainer.step(1)
            net(data)
        ends.append({name: item.asnumpy() for name, item in values_of(net).items()})
    assert_same(ends[0], ends[2], 1e-4)
    assert_same(ends[1], ends[2], 1e-4)


@pytest.mark.parametrize("momentum", [0.0, 0.9])
def test_predictions_follow_gradient_descent(momentum):
    net = nn.Conv2D(4, 3, in_channels=2, activation="relu")
    net.initialize()
    net.hybridize()
    net(DATA)  # which makes a plan with weights of its own
    options = {"learning_rate": 0.1, "momentum": momentum}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options)
    with autograd.record():
        loss = (net(DATA) ** 2).mean()
    loss.backward()
    trainer.step(1)
    found = net(DATA).asnumpy()
    net.hybridize(active=False)
    np.testing.assert_allclose(found, net(DATA).asnumpy(), rtol=1e-5)


def test_children_that_come_later_are_run():
    net = make()
    before = net(DATA)
    net.add(nn.Dense(3, in_units=4, prefix="last_"))
    net[8].initialize(mx.init.One())
    found = net(DATA)
    assert found.shape == (3, 3)
    np.testing.assert_allclose(
        found.asnumpy()[:, 0], before.asnumpy().sum(1) + net[8].bias.data()[0].asscalar(), rtol=1e-5
    )


def test_hybridize_again_with_other_flags():
    net = make()
    expected = net(DATA).asnumpy()
    graph = net._mx_hybrid
    net.hybridize(clear=False)
    assert net._mx_hybrid is graph
    net.hybridize(clear=False, static_alloc=True, static_shape=True)
    assert net._mx_hybrid is not graph
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)
    net.hybridize()
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)
    net.hybridize(active=False)
    assert compiled_blocks(net) == []
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-5)


@pytest.mark.parametrize(
    "duplicate",
    [copy.deepcopy, lambda net: pickle.loads(pickle.dumps(net))],
    ids=["copy", "pickle"],
)
def test_copies_have_graphs_of_their_own(duplicate):
    net = make()
    expected = net(DATA).asnumpy()
    other = duplicate(net)
    np.testing.assert_allclose(other(DATA).asnumpy(), expected, rtol=1e-6)
    other[0].weight.set_data(nd.zeros((3, 2, 3, 3)))
    assert not np.allclose(other(DATA).asnumpy(), expected)
    np.testing.assert_allclose(net(DATA).asnumpy(), expected, rtol=1e-6)
    assert net.name in compiled_blocks(net)
    assert other.name in compiled_blocks(other)


def test_shared_parameters_get_one_gradient():
    found = []
    for hybrid in (True, False):
        net = nn.HybridSequential()
        first = nn.Dense(4, in_units=4)
        net.add(first, nn.Dense(4, in_units=4, params=first.params), nn.Dense(2, in_units=4))
        net.initialize(mx.init.Constant(0.3))
        if hybrid:
            net.hybridize()
        with autograd.record():
            loss = (net(nd.ones((2, 4))) ** 2).sum() + (first(nd.ones((1, 4))) ** 2).sum()
        loss.backward()
        found.append([p.grad().asnumpy() for p in net.collect_params().values()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_two_calls_in_one_record():
    found = []
    for hybrid in (True, False):
        net = make(hybrid=hybrid)
        with autograd.record():
            loss = (net(DATA) * net(DATA * 2)).sum()
        loss.backward()
        found.append(
            {name: p.grad().asnumpy() for name, p in net.collect_params().items()
             if p.grad_req != "null"}
        )  # fmt: skip
        found[-1].update((name, p.data().asnumpy()) for name, p in net.collect_params().items()
                         if p.grad_req == "null")  # fmt: skip
    assert_same(*found, 1e-4)


def test_gradients_of_gradients():
    found = []
    for hybrid in (True, False):
        net = nn.HybridSequential()
        net.add(nn.Dense(5, activation="tanh", in_units=3), nn.Dense(1, in_units=5))
        net.initialize(mx.init.Constant(0.2))
        if hybrid:
            net.hybridize()
        data = nd.array([[0.1, 0.2, 0.3], [0.5, -0.4, 1]])
        data.attach_grad()
        with autograd.record():
            first = autograd.grad(net(data), data, create_graph=True, retain_graph=True)[0]
            penalty = (first**2).sum()
        penalty.backward()
        found.append([first.asnumpy(), data.grad.asnumpy(), net[0].weight.grad().asnumpy()])
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_calls_from_several_threads():
    net = make()
    parts = [DATA * (number + 1) for number in range(4)]
    expected = [make(hybrid=False)(part).asnumpy() for part in parts]
    errors: list[BaseException] = []

    def work(number):
        try:
            for _ in range(10):
                found = net(parts[number]).asnumpy()
                np.testing.assert_allclose(found, expected[number], rtol=1e-5, atol=1e-5)
        except BaseException as error:  # noqa: BLE001 - shown by the main thread
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_dropout_is_random_and_repeatable():
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    net.hybridize()
    data = nd.ones((10, 10))
    with autograd.train_mode():
        first, second = net(data).asnumpy(), net(data).asnumpy()
        mx.random.seed(5)
        third = net(data).asnumpy()
        mx.random.seed(5)
        assert (net(data).asnumpy() == third).all()
    assert (first != second).any()
    assert (net(data).asnumpy() == 1).all()


@pytest.mark.parametrize("mode", [autograd.predict_mode, autograd.train_mode])
def test_random_operators_draw_anew(mode):
    class Noise(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            noise = F.random.normal(shape=(3, 4)) * F.random.uniform(shape=(3, 4))
            return x + noise, F.random.poisson(2, shape=(5,))

    net, data = Noise(), nd.zeros((3, 4))
    with mode():
        mx.random.seed(3)
        expected = [item.asnumpy() for item in net(data)]
        net.hybridize()
        found = []
        for seed in (3, 4, 3):
            mx.random.seed(seed)
            found.append([item.asnumpy() for item in net(data)])
        again = net(data)[0].asnumpy()
    for first, second in zip(expected, found[2], strict=True):
        np.testing.assert_array_equal(first, second)
    assert (found[0][0] == found[2][0]).all()
    assert not (found[0][0] == found[1][0]).any()
    assert not (again == found[2][0]).any()


def test_sparse_gradients_stay_sparse():
    grads = []
    for hybrid in (True, False):
        net = nn.HybridSequential(prefix="net_")
        net.add(nn.Embedding(10, 3, sparse_grad=True), nn.Dense(2, in_units=3, flatten=False))
        net.initialize(mx.init.Constant(0.5))
        if hybrid:
            net.hybridize()
        with autograd.record():
            total = (net(nd.array([1, 3, 3])) ** 2).sum()
        total.backward()
        gradient = net[0].weight.grad()
        assert gradient.stype == "row_sparse"
        grads.append(gradient.asnumpy())
    np.testing.assert_allclose(*grads, rtol=1e-6)


def test_results_can_be_written_to():
    net = make()
    first = net(DATA)
    expected = first.asnumpy()
    first[:] = 0
    np.testing.assert_array_equal(net(DATA).asnumpy(), expected)


def test_a_result_that_is_the_argument_is_a_copy():
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5), nn.Flatten())
    net.hybridize()
    data = nd.ones((2, 3))
    found = net(data)
    found[:] = 5
    assert (data.asnumpy() == 1).all()


def test_nothing_is_said_about_a_network_that_is_traced():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert_follows(make())


def test_modes_change_between_calls():
    net, plain = make(), make(hybrid=False)
    before = values_of(net)
    modes = ["predict", "record", "train", "predict again", "record predict", "record", "predict"]
    found = observe(net, lambda: net(DATA), [], modes)
    restore(plain, before)
    assert_same(found, observe(plain, lambda: plain(DATA), [], modes))


def test_a_batch_of_nothing_and_one_of_one():
    net, plain = make(), make(hybrid=False)
    net(DATA)
    np.testing.assert_allclose(net(DATA[:1]).asnumpy(), plain(DATA[:1]).asnumpy(), rtol=1e-5)
    empty = nd.from_torch(torch.zeros(0, 2, 6, 6))
    assert net(empty).shape == plain(empty).shape == (0, 4)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_folded_layers_keep_half_precision(dtype):
    """BatchNorm keeps single precision in a cast network; the bias it folds into must not."""
    net = make(hybrid=False)
    net.cast(dtype)
    data = DATA.astype(dtype)
    expected = net(data).astype("float32").asnumpy()
    net.hybridize()
    for _ in range(2):
        result = net(data)
        assert result.dtype == data.dtype
        np.testing.assert_allclose(result.astype("float32").asnumpy(), expected, rtol=0.05)

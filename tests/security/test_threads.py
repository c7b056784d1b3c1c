"""Eight threads at once: what each computes and saves is what one thread does."""

from __future__ import annotations

import itertools
import sys
import threading
from contextlib import contextmanager

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from tests.security.threads import (
    NETWORKS,
    NUM_THREADS,
    ByName,
    Expected,
    build,
    check_failures,
    data_of,
    run_together,
)


@pytest.fixture(autouse=True)
def _frequent_switches():
    """Lets threads take turns after every few instructions, which brings races out."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def check_rounds(count, folder):
    """Runs so many rounds, each of one thread: a first call, a prediction, training and saving."""
    expected = [Expected(kind, folder) for kind in NETWORKS]
    for _, one in zip(range(count // NUM_THREADS), itertools.cycle(expected), strict=False):
        one.check_round(folder)


def test_first_calls_predictions_training_and_saving(tmp_path):
    check_rounds(120, tmp_path)


@pytest.mark.slow
def test_first_calls_predictions_training_and_saving_for_long(tmp_path):
    check_rounds(10_000, tmp_path)


def test_failures_are_raised_where_their_arrays_are_read():
    check_failures(200)


@pytest.mark.slow
def test_failures_are_raised_where_their_arrays_are_read_for_long():
    check_failures(10_000)


def train(kind, number, steps=5):
    """Trains a network of the thread's own, and returns its losses and its parameters."""
    with mx.name.NameManager():
        net, data = build(kind), data_of(number)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1e-4})
    losses = []
    for _ in range(steps):
        with autograd.record():
            loss = (net(data) ** 2).sum()
        loss.backward()
        trainer.step(len(data))
        losses.append(float(loss.asscalar()))
    return losses, [parameter.data().asnumpy() for parameter in net.collect_params().values()]


@contextmanager
def load():
    """Keeps two more threads busy: one in Python, one in torch's engine."""
    stop = threading.Event()
    x = nd.ones((16, 16))
    x.attach_grad()

    def differentiate():
        with autograd.record():
            y = nd.dot(x, x).sum()
        y.backward()

    def repeat(work):
        while not stop.is_set():
            work()

    works = (differentiate, lambda: sum(range(1000)))
    threads = [threading.Thread(target=repeat, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    yield
    stop.set()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("kinds", [*itertools.combinations(NETWORKS, 2)], ids="-".join)
def test_two_threads_that_train_different_networks_get_what_one_thread_gets(kinds):
    expected = [train(kind, number) for number, kind in enumerate(kinds)]
    with load():
        for _ in range(3):
            results = run_together(lambda number: train(kinds[number], number), 2)
            for (losses, values), (one_losses, one_values) in zip(results, expected, strict=True):
                assert losses == one_losses
                assert all(map(np.array_equal, values, one_values))


@pytest.mark.parametrize("kind", [kind for kind in NETWORKS if kind != "eager"])
def test_eight_threads_that_predict_with_one_network_get_what_one_thread_gets(kind):
    net, data = build(kind), [data_of(number) for number in range(NUM_THREADS)]
    for item in data[:2]:  # both shapes, twice: the first call rounds otherwise
        net(item), net(item)
    expected = [net(item).asnumpy() for item in data]
    with load():
        results = run_together(lambda i: [net(data[i]).asnumpy() for _ in range(20)])
    for found, one in zip(results, expected, strict=True):
        assert all(np.array_equal(item, one) for item in found)


def test_a_shared_parameter_adds_the_gradients_of_all_threads():
    weight = mx.gluon.Parameter("weight", grad_req="add", shape=(3,))
    weight.initialize(mx.init.One())

    def work(number):
        for _ in range(50):
            with autograd.record():
                loss = (weight.data() * (number + 1)).sum()
            loss.backward()

    run_together(work)
    assert weight.grad().asnumpy().tolist() == [50.0 * sum(range(1, NUM_THREADS + 1))] * 3


def test_backward_and_grad_at_once_do_not_mix():
    def work(number):
        x = nd.array([number + 1.0])
        x.attach_grad()
        found = []
        for step in range(50):
            with autograd.record():
                y = x * x * (step + 1)
            if number % 2:
                found.append(float(autograd.grad(y, x)[0].asscalar()))
            else:
                y.backward()
                found.append(float(x.grad.asscalar()))
        return found

    for number, found in enumerate(run_together(work)):
        assert found == [2.0 * (number + 1) * (step + 1) for step in range(50)]


def nested(*order):
    children = {name: nn.Dense(4, prefix=f"{name}_") for name in sorted({*"".join(order)})}
    networks = []
    for names in order:
        net = nn.HybridSequential(prefix=f"{names}_")
        net.add(*(children[name] for name in names))
        net.hybridize()
        networks.append(net)
    return [*networks, *children.values()]


@pytest.mark.parametrize("order", [("ab", "ba"), ("abc", "cba", "bac"), ("ab", "ab", "ab")])
def test_blocks_in_several_networks_are_first_called_from_all_sides(order):
    data = nd.ones((2, 4))

    def outputs(run):
        networks = nested(*order)
        for net in networks:
            net.initialize(ByName(), force_reinit=True)
        return run(lambda number: networks[number % len(networks)](data).asnumpy())

    expected = outputs(lambda work: [work(number) for number in range(NUM_THREADS)])
    for _ in range(5):
        for found, one in zip(outputs(run_together), expected, strict=True):
            np.testing.assert_allclose(found, one, rtol=1e-5)


@pytest.mark.parametrize("kind", NETWORKS)
def test_a_first_call_that_fails_leaves_the_network_to_the_others(kind):
    expected = build(kind)
    expected(data_of(1))
    for _ in range(3):
        net = build(kind)

        def work(number, net=net):
            if number % 2:
                return net(data_of(1)).asnumpy()
            with pytest.raises((mx.base.MXNetError, AttributeError)):
                net(nd.ones((2, 1, 1, 1)) if kind in ("eager", "hybridized", "static") else "text")
            return None

        for found in run_together(work)[1::2]:
            np.testing.assert_allclose(found, expected(data_of(1)).asnumpy(), rtol=1e-5)


def test_threads_share_the_random_stream_of_a_context():
    def draw(count):
        return [tuple(nd.random.uniform(shape=3).asnumpy().tolist()) for _ in range(count)]

    mx.random.seed(5)
    expected = draw(50 * NUM_THREADS)
    mx.random.seed(5)
    found = run_together(lambda _: draw(50))
    assert sorted(itertools.chain(*found)) == sorted(expected)


def test_a_new_thread_has_modes_scopes_and_names_of_its_own():
    def look(_=0):
        return (
            autograd.is_recording(),
            autograd.is_training(),
            mx.current_context(),
            mx.sym.var("x").list_attr(),
            mx.sym.relu(mx.sym.var("x")).name,
            nn.Dense(1).name,
        )

    with mx.cpu(1), mx.name.Prefix("p_"), mx.AttrScope(a="1"), autograd.record():
        here, there = look(), run_together(look)
    assert here == (True, True, mx.cpu(1), {"a": "1"}, "p_relu0", "p_dense0")
    assert set(map(str, there)) == {str((False, False, mx.cpu(0), {}, "relu0", "dense0"))}


def test_one_scope_entered_by_all_threads_is_left_by_each():
    names, attributes = mx.name.NameManager(), mx.AttrScope(a="1")
    block = nn.HybridSequential(prefix="net_")

    def work(_):
        found = []
        for _ in range(50):
            with names, attributes, block.name_scope():
                found.append(nn.Dense(1).prefix)
            with names:
                found.append(mx.sym.relu(mx.sym.var("x")).name)
            assert mx.sym.var("x").list_attr() == {}
        assert nn.Dense(1).prefix == "dense0_"
        return found

    found = list(itertools.chain(*run_together(work)))
    assert len(found) == len(set(found)) == 100 * NUM_THREADS


def bound():
    data = mx.sym.var("data")
    graph = mx.sym.FullyConnected(data, num_hidden=3, name="fc")
    executor = graph.simple_bind(mx.cpu(), data=(2, 4))
    for name, array in executor.arg_dict.items():
        ByName()(mx.init.InitDesc(name + "_weight"), array)
    return executor


def step(executor, number):
    executor.forward(is_train=True, data=nd.full((2, 4), number))
    executor.backward(nd.ones((2, 3)))
    return executor.outputs[0].asnumpy(), executor.grad_dict["fc_weight"].asnumpy()


def test_an_executor_in_each_thread_computes_what_one_thread_does():
    expected = [step(bound(), number) for number in range(NUM_THREADS)]
    executors = [bound() for _ in range(NUM_THREADS)]
    for _ in range(20):
        for found, one in zip(run_together(lambda i: step(executors[i], i)), expected, strict=True):
            assert all(map(np.array_equal, found, one))


def test_an_executor_that_threads_share_is_used_in_turn():
    executor = bound()
    run_together(lambda number: [step(executor, number) for _ in range(50)])
    assert all(map(np.array_equal, step(executor, 1), step(bound(), 1)))


def test_loaders_in_threads_give_their_batches():
    class Numbers(gluon.data.Dataset):
        def __len__(self):
            return 12

        def __getitem__(self, idx):
            return np.float32(idx)

    options = ({"num_workers": 1}, {"num_workers": 2, "thread_pool": True}, {})

    def load(number):
        loader = gluon.data.DataLoader(Numbers(), 5, **options[number % 3])
        return [batch.asnumpy().tolist() for batch in loader]

    assert run_together(load) == [[[0, 1, 2, 3, 4], [5, 6, 7, 8, 9], [10, 11]]] * NUM_THREADS


def test_threads_that_save_to_one_file_leave_the_content_of_one(tmp_path):
    path = str(tmp_path / "shared.params")

    def work(number):
        for _ in range(10):
            nd.save(path, {"a": nd.full((100,), number)})
            values = nd.load(path)["a"].asnumpy()
            assert len(set(values.tolist())) == 1

    run_together(work)
    assert [entry.name for entry in tmp_path.iterdir()] == ["shared.params"]


def test_a_thread_that_ends_takes_its_state_along():
    run_together(lambda _: autograd.record().__enter__())
    before = threading.active_count()
    assert not run_together(lambda _: autograd.is_recording()).count(True)
    assert threading.active_count() == before

"""Networks hybridized with static memory and shapes: graphs captured on the GPU and replayed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

pytestmark = [pytest.mark.gpu, pytest.mark.usefixtures("exact_convolutions")]

STATIC = {"static_alloc": True, "static_shape": True, "strict": True}


def copies(make: Any) -> tuple[Any, Any]:
    """Returns a network and a static one with the same parameters."""
    mx.random.seed(3)
    eager = make()
    eager.initialize(mx.init.Xavier(), ctx=mx.gpu())
    static = make()
    static.initialize(ctx=mx.gpu())
    return eager, static


def share(eager: Any, static: Any, *data: Any) -> None:
    """Copies the parameters, whose shapes the data tells, and hybridizes one network."""
    eager(*data)
    static(*data)
    pairs = zip(eager.collect_params().values(), static.collect_params().values(), strict=True)
    for source, target in pairs:
        target.set_data(source.data())
    static.hybridize(**STATIC)


def close(first: Any, second: Any, rtol: float = 1e-4, atol: float = 1e-5) -> None:
    np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), rtol=rtol, atol=atol)


def close_parameters(first: Any, second: Any, gradients: bool = True) -> None:
    pairs = zip(first.collect_params().values(), second.collect_params().values(), strict=True)
    for one, other in pairs:
        close(one.data(), other.data())
        if gradients and one.grad_req != "null":
            close(one.grad(), other.grad())


def mlp() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.Dense(4))
    return net


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(8, 3, padding=1),
        nn.BatchNorm(),
        nn.Activation("relu"),
        nn.MaxPool2D(),
        nn.Conv2D(8, 3, use_bias=False),
        nn.BatchNorm(),
        nn.Dense(5),
    )
    return net


def batch(*shape: int) -> Any:
    return nd.random.uniform(-1, 1, shape=shape, ctx=mx.gpu())


def data_for(make: Any, size: int = 6) -> Any:
    return batch(size, 7) if make is mlp else batch(size, 3, 12, 12)


NETWORKS = [mlp, convolutional]


@pytest.mark.parametrize("make", NETWORKS)
@pytest.mark.parametrize("optimizer", ["sgd", "adam", "rmsprop"])
def test_training_is_that_of_the_imperative_network(make: Any, optimizer: str) -> None:
    eager, static = copies(make)
    share(eager, static, data_for(make))
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    static_loss = gluon.loss.SoftmaxCrossEntropyLoss()
    static_loss.hybridize(**STATIC)
    options = {"learning_rate": 0.01}
    trainers = [gluon.Trainer(n.collect_params(), optimizer, options) for n in (eager, static)]
    for step in range(8):
        data, label = data_for(make), nd.array(np.arange(6) % 4, ctx=mx.gpu())
        losses = []
        for net, loss, trainer in zip(
            (eager, static), (loss_of, static_loss), trainers, strict=True
        ):
            with autograd.record():
                value = loss(net(data), label)
            value.backward()
            trainer.set_learning_rate(0.01 if step < 5 else 0.005)
            trainer.step(6)
            losses.append(value)
        close(*losses, rtol=1e-3, atol=1e-4)
    for one, other in zip(
        eager.collect_params().values(), static.collect_params().values(), strict=True
    ):
        close(one.data(), other.data(), rtol=1e-2, atol=1e-3)


@pytest.mark.parametrize("make", NETWORKS)
def test_prediction_follows_the_parameters(make: Any) -> None:
    eager, static = copies(make)
    share(eager, static, data_for(make))
    for factor in (1.0, 2.0, -1.0):
        for net in (eager, static):
            for parameter in net.collect_params().values():
                if parameter.name.endswith(("weight", "gamma")):
                    parameter.set_data(parameter.data() * factor)
        for size in (6, 6, 3):
            data = data_for(make, size)
            close(eager(data), static(data))


def test_results_outlive_later_calls() -> None:
    eager, static = copies(mlp)
    share(eager, static, data_for(mlp))
    inputs = [data_for(mlp) for _ in range(9)]
    kept = [static(item) for item in inputs]
    parts = [static(item)[1:3] for item in inputs]
    for item, result, part in zip(inputs, kept, parts, strict=True):
        close(eager(item), result)
        close(eager(item)[1:3], part)


def test_several_calls_before_backward() -> None:
    """A siamese network is called for each input; each call keeps its own activations."""
    eager, static = copies(convolutional)
    inputs = [data_for(convolutional) for _ in range(6)]
    share(eager, static, inputs[0])
    for count in (2, 3, 6, 2):
        for net in (eager, static):
            with autograd.record():
                total = sum((net(item) ** 2).sum() for item in inputs[:count])
            total.backward()
        close_parameters(eager, static)


def test_two_losses_on_one_result() -> None:
    eager, static = copies(mlp)
    data, target = data_for(mlp), batch(6, 4)
    share(eager, static, data)
    losses = [gluon.loss.L2Loss(), gluon.loss.L1Loss()]
    for loss in losses:
        loss.hybridize(**STATIC)
    for _ in range(4):
        for net in (eager, static):
            with autograd.record():
                found = net(data)
                total = losses[0](found, target) + losses[1](found, target) + found.sum(axis=1)
            total.backward()
        close_parameters(eager, static)


def test_parameters_that_are_also_used_elsewhere() -> None:
    eager, static = copies(mlp)
    data = data_for(mlp)
    share(eager, static, data)
    for _ in range(3):
        for net in (eager, static):
            with autograd.record():
                total = net(data).sum() + (net[0].weight.data() ** 2).sum()
            total.backward()
        close_parameters(eager, static)


def test_gradients_can_be_added_up() -> None:
    eager, static = copies(mlp)
    data = data_for(mlp)
    share(eager, static, data)
    for net in (eager, static):
        net.collect_params().setattr("grad_req", "add")
        for _ in range(3):
            with autograd.record():
                total = net(data).sum()
            total.backward()
    close_parameters(eager, static)


def test_gradients_of_inputs_and_autograd_grad() -> None:
    eager, static = copies(mlp)
    share(eager, static, data_for(mlp))
    found = []
    for net in (eager, static):
        results = []
        for seed in range(3):
            mx.random.seed(seed)
            data = batch(6, 7)
            data.attach_grad()
            with autograd.record():
                total = (net(data) ** 2).sum()
            total.backward(retain_graph=True)
            total.backward()
            with autograd.record():
                total = (net(data) ** 2).sum()
            weight = net[0].weight.data()
            results += [data.grad.copy(), autograd.grad(total, [weight])[0]]
        found.append(results)
    for one, other in zip(*found, strict=True):
        close(one, other)


def test_a_second_derivative_is_computed_uncaptured() -> None:
    def slope_of_slope(net: gluon.HybridBlock, data: nd.NDArray) -> nd.NDArray:
        data.attach_grad()
        with autograd.record():
            total = net(data).square().sum()
            (slope,) = autograd.grad(total, [data], create_graph=True)
            penalty = slope.square().sum()
        penalty.backward()
        return data.grad

    imperative, static = copies(mlp)
    data = data_for(mlp)
    share(imperative, static, data)
    static.hybridize(**{**STATIC, "strict": False})
    expected = slope_of_slope(imperative, data.copy())
    with pytest.warns(UserWarning, match="is differentiated twice"):
        close(slope_of_slope(static, data.copy()), expected)


def test_dropout_differs_from_call_to_call() -> None:
    net = nn.HybridSequential()
    net.add(nn.Dropout(0.5))
    net.hybridize(**STATIC)
    data = nd.ones((64, 64), ctx=mx.gpu())
    with autograd.record():
        first, second = net(data).asnumpy(), net(data).asnumpy()
    assert (first != second).any()
    for result in (first, second):
        assert set(np.unique(result)) == {0.0, 2.0}
        assert abs(result.mean() - 1) < 0.1


def test_states_of_a_language_model_go_on() -> None:
    class Model(gluon.HybridBlock):
        def __init__(self, **kwargs: Any) -> None:
            super().__init__(**kwargs)
            self.embedding = nn.Embedding(20, 8)
            self.layers = rnn.LSTM(8, num_layers=2, input_size=8)
            self.output = nn.Dense(20, flatten=False, in_units=8)

        def hybrid_forward(self, F: Any, words: Any, states: Any) -> Any:
            del F
            found, last = self.layers(self.embedding(words), states)
            return self.output(found), last

    eager, static = copies(Model)
    words = nd.array(np.arange(30).reshape(5, 6) % 20, ctx=mx.gpu())
    states = eager.layers.begin_state(6, ctx=mx.gpu())
    share(eager, static, words, states)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    kept: list[Any] = []
    for net in (eager, static):
        carried = states
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
        for _ in range(6):
            carried = [state.detach() for state in carried]
            with autograd.record():
                found, carried = net(words, carried)
                loss = loss_of(found.reshape((-1, 20)), words.reshape((-1,)))
            loss.backward()
            trainer.step(30)
        kept.append((loss, *carried))
    for one, other in zip(*kept, strict=True):
        close(one, other, rtol=1e-3, atol=1e-4)


def test_a_result_that_is_an_input() -> None:
    class Both(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return x, F.relu(x), F.reshape(x, shape=(-1,))

    net = Both()
    net.hybridize(**STATIC)
    for _ in range(3):
        data = batch(2, 3)
        same, positive, flat = net(data)
        same[:] = 7
        close(positive, nd.relu(data))
        close(flat, data.reshape((-1,)))
        assert (data.asnumpy() != 7).all()


def test_a_network_that_cannot_be_captured_still_runs() -> None:
    class Fetch(mx.operator.CustomOp):
        def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
            del is_train, aux
            self.assign(out_data[0], req[0], nd.array(in_data[0].asnumpy() * 2, ctx=mx.gpu()))

    @mx.operator.register("fetch_on_host")
    class FetchProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx: Any, shapes: Any, dtypes: Any) -> Any:
            del ctx, shapes, dtypes
            return Fetch()

    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            return F.Custom(x, op_type="fetch_on_host") + 1

    net = Net()
    net.hybridize(**{**STATIC, "strict": False})
    data = batch(2, 3)
    with pytest.warns(UserWarning, match="one by one"):
        found = net(data)
    close(found, data * 2 + 1)
    close(net(data), data * 2 + 1)
    assert nd.random.uniform(shape=(3,), ctx=mx.gpu()).asnumpy().std() > 0  # still draws


def test_gradients_go_to_the_arrays_of_the_moment() -> None:
    """`grad_req` may change after the first call, with it the arrays of gradients."""
    eager, static = copies(mlp)
    data = data_for(mlp)
    share(eager, static, data)
    for request in ("write", "null", "write", "add", "write"):
        for net in (eager, static):
            net[0].weight.grad_req = request
            for _ in range(2):
                with autograd.record():
                    total = (net(data) ** 2).sum()
                total.backward()
        close_parameters(eager, static)


def test_gradients_outlive_a_forward_pass() -> None:
    eager, static = copies(mlp)
    data = data_for(mlp)
    share(eager, static, data)
    for net in (eager, static):
        with autograd.record():
            total = (net(data) ** 2).sum()
        total.backward()
        with autograd.record():
            net(data * 3)
        net(data * 2)
    close_parameters(eager, static)


def test_results_that_are_views_of_each_other() -> None:
    class Parts(gluon.HybridBlock):
        def hybrid_forward(self, F: Any, x: Any) -> Any:
            found = F.relu(x)
            return found, F.reshape(found, shape=(-1,)), F.slice_axis(found, axis=0, begin=0, end=1)

    net = Parts()
    net.hybridize(**STATIC)
    for _ in range(3):
        data = batch(2, 3)
        whole, flat, part = net(data)
        whole[:] = 7
        flat[:1] = 8
        close(flat[1:], nd.relu(data).reshape((-1,))[1:])
        close(part, nd.relu(data)[:1])

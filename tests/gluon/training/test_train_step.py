"""Whole steps: as the loop, also when they are captured (on the CPU, with a stand-in for CUDA)."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.train_step import UncapturedStepWarning
from mxnet.ops.core.interposing import interpose
from tests.gluon.training.fake_capture import FakeEngine

SOFTMAX = gluon.loss.SoftmaxCrossEntropyLoss()


def network(dropout=0.0, hybridize=False):
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.BatchNorm(), nn.Dropout(dropout), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    if hybridize:
        net.hybridize()
    return net


def batches(count, size=4, seed=0):
    numbers = np.random.RandomState(seed)
    return [
        (nd.array(numbers.rand(size, 5)), nd.array(numbers.randint(0, 3, size)))
        for _ in range(count)
    ]


class Run:
    """A network with a trainer, trained by the loop or by a step with captures."""

    def __init__(self, captured, net=None, optimizer="sgd", options=None, loss=SOFTMAX, **more):
        self.net = network() if net is None else net
        self.loss = loss
        options = {"learning_rate": 0.05} if options is None else options
        self.trainer = gluon.Trainer(self.net.collect_params(), optimizer, options)
        self.engine = FakeEngine()
        self.step = None
        if captured:
            self.step = gluon.TrainStep(self.net, loss, self.trainer, **more)
            self.step._engine = self.engine
            self.step.reset()
        mx.random.seed(5)

    def __call__(self, data, label):
        if self.step is not None:
            return self.step(data, label)
        with autograd.record():
            loss = self.loss(self.net(data), label)
        loss.backward()
        self.trainer.step(len(data))
        return loss

    def values(self):
        return [item.data().asnumpy() for item in self.net.collect_params().values()]

    def gradients(self):
        parameters = self.net.collect_params().values()
        return [item.grad().asnumpy() for item in parameters if item.grad_req != "null"]


def pair(**options):
    """Returns the loop and the captured step on equal networks."""
    make = options.pop("make", network)
    return [Run(captured, make(), **options) for captured in (False, True)]


def same(first, second, tolerance=0.0):
    """Checks that two runs have the same parameters, gradients and counts."""
    for one, other in zip(
        [*first.values(), *first.gradients()], [*second.values(), *second.gradients()], strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=tolerance, atol=tolerance)
    assert first.trainer.optimizer.num_update == second.trainer.optimizer.num_update


def train(runs, data, tolerance=0.0):
    """Trains both runs on the same batches, each with random numbers of its own stream."""
    states = [torch.get_rng_state()] * 2
    for inputs, labels in data:
        losses = []
        for position, run in enumerate(runs):
            torch.set_rng_state(states[position])
            losses.append(run(inputs, labels).asnumpy())
            states[position] = torch.get_rng_state()
        np.testing.assert_allclose(*losses, rtol=tolerance, atol=tolerance)
    same(*runs, tolerance)


EXACT = ["sgd", "nag", "signum", "rmsprop", "adagrad", "adadelta", "ftrl"]
NUMBERED = ["adam", "adamax", "lamb", "ftml", "dcasgd", "nadam", "sgld", "lars"]
OUTSIDE = ["lbsgd", "test"]


@pytest.mark.parametrize("optimizer", EXACT)
def test_a_captured_step_is_that_of_the_loop(optimizer):
    runs = pair(optimizer=optimizer, options={"learning_rate": 0.05, "wd": 0.01})
    train(runs, batches(8))
    assert len(runs[1].engine.captures) == 1
    assert runs[1].engine.num_replays == 5


@pytest.mark.parametrize("optimizer", NUMBERED)
def test_numbers_that_change_with_each_update_are_tensors(optimizer):
    runs = pair(optimizer=optimizer, options={"learning_rate": 0.01, "wd": 0.01})
    train(runs, batches(8), 1e-3)
    assert len(runs[1].engine.captures) == 1
    assert runs[1].engine.num_replays == 5


@pytest.mark.parametrize("optimizer", OUTSIDE)
def test_other_optimizers_update_after_the_capture(optimizer):
    runs = pair(optimizer=optimizer)
    with pytest.warns(UncapturedStepWarning, match="the step is not captured as a whole"):
        train(runs, batches(8))
    assert runs[1].engine.num_replays == 5


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_schedule_needs_one_capture(optimizer):
    options = {"learning_rate": 0.05, "lr_scheduler": None}
    runs = []
    for captured in (False, True):
        options["lr_scheduler"] = mx.lr_scheduler.CosineScheduler(10, base_lr=0.05)
        runs.append(Run(captured, network(), optimizer, dict(options)))
    train(runs, batches(12), 1e-4)
    assert len(runs[1].engine.captures) == 1


@pytest.mark.parametrize("optimizer", ["ftrl", "nadam", "lars", "sgld", "groupadagrad"])
def test_optimizers_of_few_programs_take_schedules(optimizer):
    runs = []
    for captured in (False, True):
        mx.random.seed(1)
        net = nn.Dense(3, in_units=5, use_bias=False)
        net.initialize(mx.init.Xavier())
        schedule = mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1)
        options = {"learning_rate": 0.1, "lr_scheduler": schedule}
        runs.append(Run(captured, net, optimizer, options))
    train(runs, batches(12), 1e-5)
    assert len(runs[1].engine.captures) == 1


def test_a_learning_rate_that_is_set_becomes_a_tensor():
    runs = pair(options={"learning_rate": 0.05, "momentum": 0.9})
    train(runs, batches(5))
    for rate in (0.01, 0.02, 0.03):
        for run in runs:
            run.trainer.set_learning_rate(rate)
        train(runs, batches(2), 1e-6)
    assert len(runs[1].engine.captures) == 2


@pytest.mark.parametrize("hybridize", [False, True])
def test_dropout_draws_anew_in_each_step(hybridize):
    runs = pair(make=lambda: network(0.5, hybridize))
    train(runs, batches(8))
    data, label = batches(1)[0]
    runs[1].trainer.set_learning_rate(0)
    assert runs[1](data, label).asnumpy().tolist() != runs[1](data, label).asnumpy().tolist()


def test_each_kind_of_batch_has_its_capture():
    runs = pair()
    sizes = [4, 4, 4, 4, 2, 4, 2, 2, 2, 4, 2]
    train(runs, [batches(1, size, seed)[0] for seed, size in enumerate(sizes)])
    assert [item.num_replays for item in runs[1].engine.captures] == [3, 2]


def test_results_outlive_later_steps():
    losses = []
    for run in pair():
        mx.random.seed(5)
        losses.append([run(*batch) for batch in batches(7)])
    for one, other in zip(*losses, strict=True):
        np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())


def test_gradients_that_are_added_up():
    runs = pair()
    for run in runs:
        for parameter in run.net.collect_params().values():
            if parameter.grad_req != "null":
                parameter.grad_req = "add"
    train(runs, batches(6))
    for run in runs:
        run.net.collect_params().zero_grad()
    train(runs, batches(3))
    assert len(runs[1].engine.captures) == 1


def test_parameters_that_are_written_to(tmp_path):
    runs = pair()
    train(runs, batches(5))
    runs[0].net.save_parameters(str(tmp_path / "net.params"))
    train(runs, batches(2))
    for run in runs:
        run.net.load_parameters(str(tmp_path / "net.params"))
        run.net[0].weight.set_data(run.net[0].weight.data() * 2)
    train(runs, batches(2))
    assert len(runs[1].engine.captures) == 1


@pytest.mark.parametrize("change", ["cast", "reset_ctx", "initialize", "grad_req"])
def test_parameters_that_get_other_memory(change):
    runs = pair()
    train(runs, batches(5))
    for run in runs:
        mx.random.seed(3)
        if change == "cast":
            run.net.cast("float64")
            run.trainer._init_optimizer("sgd", {"learning_rate": 0.05})
        elif change == "reset_ctx":
            run.net.collect_params().reset_ctx(mx.cpu())
        elif change == "initialize":
            run.net.initialize(mx.init.Xavier(), force_reinit=True)
        else:
            run.net[0].weight.grad_req = "null"
    data = batches(6)
    if change == "cast":
        data = [(x.astype("float64"), y) for x, y in data]
    train(runs, data)
    assert len(runs[1].engine.captures) == 2


def test_states_are_saved_and_loaded(tmp_path):
    path = str(tmp_path / "trainer.states")
    runs = pair(options={"learning_rate": 0.05, "momentum": 0.9})
    train(runs, batches(6))
    runs[1].trainer.save_states(path)
    train(runs, batches(2))
    for run in runs:
        run.trainer.load_states(path)
        assert run.trainer.optimizer.num_update == 6
    train(runs, batches(6))
    assert len(runs[1].engine.captures) == 2


def test_gradients_of_the_loop_and_of_captures_alternate():
    runs = pair()
    train(runs, batches(5))
    for run in runs:
        with autograd.record():
            loss = run.net(nd.ones((4, 5))).sum()
        loss.backward()
    same(*runs)
    train(runs, batches(2))
    assert len(runs[1].engine.captures) == 1


def test_a_part_of_a_gradient_sees_the_next_step():
    runs = pair()
    train(runs, batches(5))
    parts = [run.net[0].weight.grad()[1:3] for run in runs]
    train(runs, batches(2))
    np.testing.assert_array_equal(parts[0].asnumpy(), parts[1].asnumpy())


def test_prediction_follows_the_captured_update():
    """A plan for prediction keeps what it computed from parameters, until these are written to."""
    runs = pair(make=lambda: network(hybridize=True))
    for _ in range(6):
        train(runs, batches(1))
        results = [run.net(nd.ones((2, 5))).asnumpy() for run in runs]
        np.testing.assert_array_equal(*results)


def test_hooks_keep_a_step_in_the_loop():
    runs = pair()
    seen = []
    handle = runs[1].net[0].register_forward_hook(lambda *_: seen.append("call"))
    with pytest.warns(UncapturedStepWarning, match="Dense 'dense.*' has a hook"):
        train(runs, batches(5))
    assert len(seen) == 5
    handle.detach()
    train(runs, batches(2))
    assert runs[1].engine.num_replays == 2
    runs[1].net[0].register_forward_hook(lambda *_: seen.append("call"))
    train(runs, batches(2))
    assert len(seen) == 7


def test_a_hybridized_network_is_captured_again():
    runs = pair()
    train(runs, batches(5))
    runs[1].net.hybridize(static_alloc=True, static_shape=True)
    train(runs, batches(5), 1e-6)
    assert len(runs[1].engine.captures) == 2


def plan_names(run):
    """Returns the names of the blocks that have a graph of network and loss."""
    block = run.step._body._joined._block
    return None if block is None else [type(block.net).__name__, type(block.loss).__name__]


@pytest.mark.parametrize("outputs", [False, True])
def test_a_hybridized_network_and_its_loss_are_one_graph(outputs):
    def make():
        return network(0.5, hybridize=True)

    loop, whole = Run(False, make()), Run(True, make(), return_outputs=outputs)
    if outputs:
        step = whole.step
        whole.step = lambda *batch: step(*batch)[0]
        train([loop, whole], batches(6), 1e-6)
        whole.step = step
    else:
        train([loop, whole], batches(6), 1e-6)
    assert plan_names(whole) == ["HybridSequential", "SoftmaxCrossEntropyLoss"]


def test_a_changed_network_gets_another_graph():
    runs = pair(make=lambda: network(hybridize=True))
    train(runs, batches(6), 1e-6)
    for run in runs:
        mx.random.seed(4)
        run.net.add(nn.Dense(3, in_units=3))
        run.net[4].initialize(mx.init.Xavier())
    train(runs, batches(6), 1e-6)
    assert len(runs[1].engine.captures) == 2


def test_networks_whose_call_is_more_than_a_graph_are_called():
    class Doubled(nn.HybridSequential):
        def __call__(self, x):
            return super().__call__(x) * 2

    def make():
        mx.random.seed(1)
        net = Doubled()
        net.add(nn.Dense(3, in_units=5))
        net.initialize()
        net.hybridize()
        return net

    runs = pair(make=make)
    train(runs, batches(6))
    assert plan_names(runs[1]) is None


def test_a_compiler_takes_network_and_loss():
    runs = pair(backend="aot_eager")
    train(runs, batches(6), 1e-5)
    assert plan_names(runs[1]) == ["HybridSequential", "SoftmaxCrossEntropyLoss"]
    assert runs[1].engine.num_replays == 3
    with pytest.raises(ValueError, match="backend takes one of"):
        Run(True, backend="none of them")


def test_parameters_without_a_new_gradient():
    class Branches(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.used, self.idle = nn.Dense(3, in_units=5), nn.Dense(3, in_units=5)

        def forward(self, x):
            return self.used(x)

    def make():
        mx.random.seed(2)
        net = Branches()
        net.initialize(mx.init.Xavier())
        return net

    loop, captured = pair(make=make, ignore_stale_grad=True)
    loop.trainer.step = lambda size: gluon.Trainer.step(loop.trainer, size, ignore_stale_grad=True)
    train([loop, captured], batches(6))
    assert captured.engine.num_replays == 3
    for run in (loop, captured):
        with autograd.record():
            loss = run.net.idle(nd.ones((4, 5))).sum()
        loss.backward()
    train([loop, captured], batches(1))
    refusing = Run(True, make())
    with pytest.raises(gluon.trainer.StaleGradientError):
        refusing(*batches(1)[0])


def test_clipping_is_that_of_the_helper():
    loop, captured = pair(clip_global_norm=0.01)
    step = loop.trainer.step

    def clip_and_step(size):
        parameters = loop.net.collect_params().values()
        gradients = [item.grad() for item in parameters if item.grad_req != "null"]
        gluon.utils.clip_global_norm(gradients, 0.01)
        step(size)

    loop.trainer.step = clip_and_step
    train([loop, captured], batches(6), 1e-6)  # sums of squares are rounded in another order
    assert captured.engine.num_replays == 3


def test_half_precision_with_master_copies():
    def make():
        net = network()
        net.cast("float16")
        return net

    options = {"learning_rate": 0.05, "momentum": 0.9, "multi_precision": True}
    runs = pair(make=make, options=options)
    data = [(x.astype("float16"), y) for x, y in batches(7)]
    train(runs, data)
    assert runs[1].engine.num_replays == 4
    for run in runs:
        run.trainer.set_learning_rate(0.01)
    train(runs, data, 1e-2)


def test_several_inputs_labels_and_losses():
    class Two(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.first, self.second = nn.Dense(3, in_units=5), nn.Dense(1, in_units=5)

        def hybrid_forward(self, F, x, pair):
            return self.first(x + pair[0]), self.second(F.broadcast_mul(x, pair[1]))

    def make():
        mx.random.seed(2)
        net = Two()
        net.initialize(mx.init.Xavier())
        return net

    losses = [SOFTMAX, gluon.loss.L2Loss()]
    loop, captured = Run(False, make()), Run(True, make(), loss=losses, return_outputs=True)
    for x, y in batches(6):
        data, labels = (x, [x + 1, x - 1]), (y, y)
        with autograd.record():
            outputs = loop.net(*data)
            values = [loss(item, y) for loss, item in zip(losses, outputs, strict=True)]
        autograd.backward(values)
        loop.trainer.step(4)
        given, returned = captured.step(data, labels)
        for one, other in zip([*values, *outputs], [*given, *returned], strict=True):
            np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
        same(loop, captured)
    assert captured.engine.num_replays == 3


def test_a_network_that_returns_its_loss():
    class Own(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3)

        def hybrid_forward(self, F, x, y):
            return F.softmax_cross_entropy(self.dense(x), y)

    net = Own()
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    step = gluon.TrainStep(net, None, trainer)
    (x, y) = batches(1)[0]
    losses = [step((x, y), batch_size=4).asscalar() for _ in range(20)]
    assert losses[-1] < losses[0]


def test_what_reads_elements_runs_in_the_loop():
    class Reading(nn.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(3, in_units=5)

        def forward(self, x):
            return self.dense(x) * float(x.to_torch().sum().item() > 0)

    def make():
        mx.random.seed(2)
        net = Reading()
        net.initialize(mx.init.Xavier())
        return net

    runs = pair(make=make)
    with pytest.warns(UncapturedStepWarning, match="not permitted when stream is capturing"):
        train(runs, batches(5))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        train(runs, batches(3))
    strict = Run(True, make(), strict=True)
    for _ in range(3):
        strict(*batches(1)[0])
    with pytest.raises(mx.MXNetError, match="not captured as a whole"):
        strict(*batches(1)[0])


def test_interposed_functions_see_each_operator():
    runs = pair()
    train(runs, batches(5))
    names = []

    def note(op, kernel, tensors, attrs):
        names.append(op.name)
        return kernel(*tensors, **attrs)

    with interpose(note):
        runs[1](*batches(1)[0])
    assert "FullyConnected" in names


def test_several_contexts_split_the_batch():
    contexts = [mx.cpu(0), mx.cpu(1)]

    def make():
        mx.random.seed(2)
        net = nn.Dense(3, in_units=5)
        net.initialize(mx.init.Xavier(), ctx=contexts)
        return net

    loop, whole = make(), make()
    trainers = [gluon.Trainer(net.collect_params(), "sgd") for net in (loop, whole)]
    step = gluon.TrainStep(whole, SOFTMAX, trainers[1])
    for x, y in batches(3, 6):
        parts = [gluon.utils.split_and_load(item, contexts) for item in (x, y)]
        with autograd.record():
            losses = [SOFTMAX(loop(a), b) for a, b in zip(*parts, strict=True)]
        autograd.backward(losses)
        trainers[0].step(6)
        for one, other in zip(losses, step(x, y), strict=True):
            np.testing.assert_array_equal(one.asnumpy(), other.asnumpy())
    np.testing.assert_array_equal(loop.weight.data().asnumpy(), whole.weight.data().asnumpy())


def test_a_store_adds_gradients_up_inside_of_the_step():
    calls = []

    class Doubling(mx.kvstore.KVStoreBase):
        """A store that pretends there is another worker with the same gradients."""

        type = "doubling"

        @staticmethod
        def is_capable(capability):
            del capability
            return False

        def broadcast_all(self, keys, values):
            assert len(keys) == len(values)

        def pushpull_all(self, keys, values):
            assert len(keys) == len(values)
            calls.append("pushpull")
            for replicas in values:
                replicas[0] *= 2

    runs = []
    for captured in (False, True):
        run = Run(captured, network())
        run.trainer._kvstore_params["kvstore"] = Doubling()
        runs.append(run)
    train(runs, batches(6))
    assert runs[1].engine.num_replays == 3
    assert calls.count("pushpull") == 6 + 3 + 1


def test_wrong_arguments():
    net = network()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with pytest.raises(TypeError, match=r"trainer takes a gluon\.Trainer, got Dense"):
        gluon.TrainStep(net, SOFTMAX, nn.Dense(1))
    with pytest.raises(TypeError, match="loss takes a function"):
        gluon.TrainStep(net, 3, trainer)
    with pytest.raises(TypeError, match="expected an NDArray among the data"):
        gluon.TrainStep(net, SOFTMAX, trainer)(3)
    with pytest.raises(TypeError, match="expected the loss to be an NDArray"):
        gluon.TrainStep(net, lambda *_: 3, trainer)(*batches(1)[0])
    with pytest.raises(ValueError, match="2 losses need as many outputs and labels"):
        gluon.TrainStep(net, [SOFTMAX, SOFTMAX], trainer)(*batches(1)[0])

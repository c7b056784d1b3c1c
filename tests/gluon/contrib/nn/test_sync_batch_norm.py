"""Batch normalization over several contexts of one process against the whole batch on one."""

import copy
import gc
import pickle
import sys
import threading
import warnings
import weakref

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import nn
from mxnet.gluon.contrib.nn import SyncBatchNorm

STEPS = 5
CONTEXTS = [mx.cpu(0), mx.cpu(1)]
LOSS = gluon.loss.SoftmaxCrossEntropyLoss()


def make_data():
    random = np.random.RandomState(0)
    images = random.randn(STEPS, 8, 3, 6, 6).astype("float32")
    return images, random.randint(0, 4, (STEPS, 8)).astype("float32")


def make_net(norm, contexts):
    mx.random.seed(1)
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), norm(), nn.Activation("relu"))
    net.add(nn.Conv2D(5, 3), norm(), nn.Dense(4))
    net.initialize(mx.init.Xavier(), ctx=contexts)
    return net


def train(norm, contexts, hybridize=False):
    net = make_net(norm, contexts)
    if hybridize:
        net.hybridize()
    options = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options, update_on_kvstore=False)
    step = gluon.TrainStep(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer)
    losses = []
    for number, (data, label) in enumerate(zip(*make_data(), strict=True)):
        if hybridize and number == 2:
            net.hybridize()  # again, in the midst of training
        loss = step(mx.nd.array(data), mx.nd.array(label))
        parts = loss if isinstance(loss, list) else [loss]
        losses.append(np.concatenate([part.asnumpy() for part in parts]))
    values = [[p.data(ctx).asnumpy() for p in net.collect_params().values()] for ctx in contexts]
    return losses, values


@pytest.mark.parametrize("hybridize", [False, True])
def test_two_contexts_are_trained_as_one_with_the_whole_batch(hybridize):
    losses, (wanted,) = train(nn.BatchNorm, [mx.cpu()], hybridize)
    own_losses, values = train(lambda: SyncBatchNorm(num_devices=2), CONTEXTS, hybridize)
    np.testing.assert_allclose(own_losses, losses, rtol=1e-5, atol=1e-6)
    for found in values:
        for array, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(array, other, rtol=1e-5, atol=1e-6)


def test_layers_for_one_device_normalize_parts_apart():
    _, (wanted,) = train(nn.BatchNorm, [mx.cpu()])
    _, (found, _) = train(lambda: SyncBatchNorm(num_devices=1), CONTEXTS)
    assert any(abs(array - other).max() > 1e-3 for array, other in zip(found, wanted, strict=True))


def record_all(net, parts, labels):
    with mx.autograd.record():
        return [LOSS(net(part), label) for part, label in zip(parts, labels, strict=True)]


def loop_over_list(net, parts, labels):
    losses = record_all(net, parts, labels)
    mx.autograd.backward(losses)
    return losses


def loop_twice(net, parts, labels):
    losses = record_all(net, parts, labels)
    for loss in losses:
        loss.backward()
    return losses


def loop_once(net, parts, labels):
    losses = []
    for part, label in zip(parts, labels, strict=True):
        with mx.autograd.record():
            losses.append(LOSS(net(part), label))
        losses[-1].backward()
    return losses


def loop_in_halves(net, parts, labels):
    """Calls two networks one after the other, the second with what the first returns."""
    head, tail = net[:3], net[3:]
    with mx.autograd.record():
        features = [head(part) for part in parts]
        losses = [LOSS(tail(x), label) for x, label in zip(features, labels, strict=True)]
    for loss in reversed(losses):
        loss.backward()
    return losses


def call_in_threads(net, parts, labels):
    losses = [None] * len(parts)

    def compute(number):
        with mx.autograd.record():
            losses[number] = LOSS(net(parts[number]), labels[number])

    threads = [threading.Thread(target=compute, args=(i,)) for i in range(len(parts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for loss in losses:
        loss.backward()
    return losses


LOOPS = [loop_over_list, loop_twice, loop_once, loop_in_halves, call_in_threads]


def train_in_loop(loop, hybridize):
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    if hybridize:
        net.hybridize()
    options = {"learning_rate": 0.1, "momentum": 0.9}
    trainer = gluon.Trainer(net.collect_params(), "sgd", options, update_on_kvstore=False)
    losses = []
    for data, label in zip(*make_data(), strict=True):
        parts = gluon.utils.split_and_load(mx.nd.array(data), CONTEXTS)
        labels = gluon.utils.split_and_load(mx.nd.array(label), CONTEXTS)
        losses.append(np.concatenate([loss.asnumpy() for loss in loop(net, parts, labels)]))
        trainer.step(len(data))
    return losses, [
        [p.data(ctx).asnumpy() for p in net.collect_params().values()] for ctx in CONTEXTS
    ]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_over_contexts_trains_as_one_with_the_whole_batch(loop, hybridize):
    losses, (wanted,) = train(nn.BatchNorm, [mx.cpu()], hybridize)
    own_losses, values = train_in_loop(loop, hybridize)
    np.testing.assert_allclose(own_losses, losses, rtol=1e-5, atol=1e-6)
    for found in values:
        for array, other in zip(found, wanted, strict=True):
            np.testing.assert_allclose(array, other, rtol=1e-5, atol=1e-6)


def split_images():
    return gluon.utils.split_and_load(mx.nd.array(make_data()[0][0]), CONTEXTS)


def test_parts_that_nobody_knows_are_normalized_apart_and_warn_once():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    parts = [part + 0 for part in split_images()]
    with pytest.warns(UserWarning, match="split_and_load returns, unchanged"):
        run_loop(net, parts)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run_loop(net, parts)


def run_loop(net, parts):
    with mx.autograd.record():
        return [net(part) for part in parts]


def test_backward_of_a_part_waits_for_that_of_the_others():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    first, _ = run_loop(net, split_images())
    first.backward()
    gradient = net[0].weight.grad(CONTEXTS[0])
    assert not gradient.asnumpy().any()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    with pytest.raises(UserWarning, match="waits for backward of other parts of the batch"):
        trainer.step(8)
    with pytest.raises(mx.MXNetError, match="call backward for all of them"):
        run_loop(net, split_images())
    for output in run_loop(net, split_images()):
        output.backward()
    assert gradient.asnumpy().any()


def test_a_part_that_is_written_to_between_the_calls_raises():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    parts = split_images()
    with mx.autograd.record():
        net(parts[0])
    parts[1][:] = 0
    with mx.autograd.record(), pytest.raises(mx.MXNetError, match="was written to after the call"):
        net(parts[1])


def test_a_pass_that_does_not_concern_the_parts_does_not_wait():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    first, second = run_loop(net, split_images())
    first.backward()
    x = mx.nd.array([3.0])
    x.attach_grad()
    with mx.autograd.record():
        y = x * x
    y.backward()
    assert x.grad.asscalar() == 6
    second.backward()
    assert net[0].weight.grad(CONTEXTS[1]).asnumpy().any()


def test_what_was_computed_for_a_part_goes_with_it():
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    outputs = []
    net.register_forward_hook(lambda _, args, output: outputs.append((args, weakref.ref(output))))
    parts = split_images()
    with mx.autograd.record():
        net(parts[0])
    reference = next(output for (part,), output in outputs if part is parts[1])
    outputs.clear()
    gc.collect()
    assert reference() is not None
    del parts
    gc.collect()
    assert reference() is None


class Late(nn.HybridBlock):
    """A network whose layers come when it has been put together, as most are written."""

    def __init__(self, norm):
        super().__init__()
        self.features = nn.HybridSequential()
        self.features.add(nn.HybridSequential())
        self.output = nn.Dense(4)
        self.features[0].add(nn.Conv2D(4, 3))
        self.features[0].add(norm())

    def hybrid_forward(self, F, x):
        return self.output(F.relu(self.features(x)))


def as_is(net):
    return net


def pickled(net):
    net = pickle.loads(pickle.dumps(net))
    net.collect_params().reset_ctx(CONTEXTS)
    return net


def from_older_file(net):
    """Is pickled without what blocks have known since about what is in them."""
    for name in ("_mx_may_need_parts", "_mx_parents"):
        net.apply(lambda block, name=name: block.__dict__.pop(name, None))
    return pickled(net)


def changed(net):
    """Gets its normalization after it has been copied and called."""
    net.features[0]._children.popitem()
    net = copy.deepcopy(net)
    net(mx.nd.ones((2, 3, 6, 6)))
    layer = SyncBatchNorm(num_devices=2)
    layer.initialize(ctx=CONTEXTS)
    net.features[0].add(layer)
    return net


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("treat", [as_is, copy.deepcopy, pickled, from_older_file, changed])
def test_networks_around_the_layer_compute_all_parts(treat):
    net = Late(lambda: SyncBatchNorm(num_devices=2))
    net.initialize(ctx=CONTEXTS)
    net = treat(net)
    parts, calls = split_images(), []
    net.register_forward_hook(lambda *_: calls.append(threading.get_ident()))
    with mx.autograd.record():
        net(parts[0])
    assert threading.get_ident() not in calls[1:]
    assert len(calls) == 3  # one in prediction, then each part in a thread of its own


def test_other_networks_run_as_if_the_layer_had_never_been_made():
    dense, loss = nn.Dense(2, in_units=3), gluon.loss.L2Loss()
    dense.initialize(ctx=CONTEXTS)
    parts = gluon.utils.split_and_load(mx.nd.ones((4, 3)), CONTEXTS)

    def step():
        with mx.autograd.record():
            losses = [loss(dense(part), part[:, :2]) for part in parts]
        for item in losses:
            item.backward()

    step()
    before = count_calls(step)
    net = make_net(lambda: SyncBatchNorm(num_devices=2), CONTEXTS)
    for output in run_loop(net, split_images()):
        output.backward()
    assert count_calls(step) == before
    del net, output
    gc.collect()
    assert count_calls(step) == before


def count_calls(function):
    names = []
    sys.setprofile(lambda frame, event, _: names.append((event, frame.f_code.co_name)))
    try:
        function()
    finally:
        sys.setprofile(None)
    return [name for event, name in names if event == "call"]


def test_prediction_uses_the_running_statistics():
    layer = SyncBatchNorm(num_devices=2)
    layer.initialize(ctx=CONTEXTS)
    data = mx.nd.array([[3.0], [5.0]])
    np.testing.assert_allclose(layer(data).asnumpy(), data.asnumpy(), rtol=1e-4)

"""Training by an estimator, and hooks, summaries, mixed precision and profiling."""

import logging

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon.contrib import estimator
from mxnet.gluon.contrib.estimator import EpochEnd, Estimator, TrainBegin

logging.getLogger().setLevel(logging.WARNING)
net = gluon.nn.HybridSequential()
net.add(gluon.nn.Dense(8, activation="relu"), gluon.nn.Dense(3))
net.initialize(mx.init.Xavier())
dataset = gluon.data.ArrayDataset(nd.random.uniform(shape=(12, 4)), nd.arange(12) % 3)
loader = gluon.data.DataLoader(dataset, batch_size=4)


class Counter(TrainBegin, EpochEnd):
    def train_begin(self, estimator, *args, **kwargs):
        self.epochs = 0

    def epoch_end(self, estimator, *args, **kwargs):
        self.epochs += 1


counter = Counter()
est = Estimator(
    net=net,
    loss=gluon.loss.SoftmaxCrossEntropyLoss(),
    train_metrics=mx.metric.Accuracy(),
    trainer=gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}),
    context=mx.cpu(),
)
est.fit(
    train_data=loader,
    epochs=2,
    event_handlers=[counter, estimator.LoggingHandler(log_interval="epoch")],
)
print(counter.epochs)
shapes: list[object] = []


def note(block, inputs, outputs):
    shapes.append((block.name, outputs.shape))


loss = gluon.loss.SoftmaxCrossEntropyLoss()
assert_type(loss(net(nd.ones((1, 4))), nd.zeros((1,))), nd.NDArray)
handle = net[0].register_forward_hook(note)
assert_type(net(nd.ones((1, 4))), nd.NDArray)
handle.detach()
net.summary(nd.ones((1, 4)))
with mx.autograd.record(), mx.AttrScope(group="a"), mx.name.Prefix("b_"):
    named = gluon.nn.Dense(2)
print(repr(net), named.name, named.prefix, shapes)

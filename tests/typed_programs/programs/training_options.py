"""Optimizers, schedules, initializers and metrics, the package's and one's own."""

import math

from typing_extensions import assert_type

import mxnet as mx
from mxnet import gluon, nd


@mx.init.register
class Half(mx.init.Initializer):
    def _init_weight(self, name, arr):
        arr[:] = 0.5


@mx.optimizer.register
class Descent(mx.optimizer.Optimizer):
    def create_state(self, index, weight):
        return nd.zeros(weight.shape, weight.context)

    def update(self, index, weight, grad, state):
        self._update_count(index)
        weight[:] = weight - self._get_lr(index) * grad


class Cosine(mx.lr_scheduler.LRScheduler):
    def __call__(self, num_update):
        return self.base_lr * (1 + math.cos(num_update / 100)) / 2


class Distance(mx.metric.EvalMetric):
    def __init__(self, name="distance", **kwargs):
        super().__init__(name, **kwargs)

    def update(self, labels, preds):
        for label, pred in zip(labels, preds):
            self.sum_metric += float((label - pred).abs().sum().asscalar())
            self.num_inst += label.size


net = gluon.nn.Dense(2, weight_initializer="xavier", bias_initializer=Half())
net.initialize(mx.init.MSRAPrelu(), ctx=[mx.cpu(0)])
x = nd.ones((3, 4))
net(x)
schedule = mx.lr_scheduler.FactorScheduler(step=10, factor=0.5, base_lr=0.1)
assert_type(schedule(5), float)
trainers = [
    gluon.Trainer(net.collect_params(), "nag", {"learning_rate": 0.1, "momentum": 0.9}),
    gluon.Trainer(
        net.collect_params(), mx.optimizer.Adam(learning_rate=0.1, lr_scheduler=schedule)
    ),
    gluon.Trainer(net.collect_params(), Descent(learning_rate=0.5, wd=0.0), kvstore=None),
    gluon.Trainer(
        net.collect_params(),
        mx.optimizer.create("rmsprop", lr_scheduler=Cosine()),
        update_on_kvstore=False,
    ),
]
for trainer in trainers:
    with mx.autograd.record():
        loss = gluon.loss.HuberLoss()(net(x), nd.zeros((3, 2)))
    loss.backward()
    trainer.allreduce_grads()
    trainer.update(3, ignore_stale_grad=True)
    assert_type(trainer.learning_rate, float)
metrics = mx.metric.CompositeEvalMetric()
for metric in [mx.metric.Accuracy(), mx.metric.TopKAccuracy(top_k=2), "f1", Distance()]:
    metrics.add(metric)
labels, predictions = [nd.array([0, 1, 1])], [nd.array([[0.9, 0.1], [0.2, 0.8], [0.6, 0.4]])]
own = Distance()
own.update([nd.ones((3,))], [nd.zeros((3,))])
print(own.get(), own.get_name_value(), dict(mx.metric.create(["acc", "ce"]).get_name_value()))
name, value = own.get()
custom = mx.metric.np(lambda label, pred: float((label == pred.argmax(1)).mean()))
custom.update(labels, predictions)
accuracy = mx.metric.Accuracy()
accuracy.update(labels, predictions)
print(accuracy.get()[1], custom.get(), schedule.base_lr)
for parameter in net.collect_params().values():
    parameter.lr_mult = 2.0
    parameter.grad_req = "add"
    parameter.zero_grad()

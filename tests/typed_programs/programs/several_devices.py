"""Data parallel training on several contexts, and key-value stores."""

from typing_extensions import assert_type

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

contexts = [mx.gpu(i) for i in range(mx.context.num_gpus())] or [mx.cpu(0), mx.cpu(1)]
net = nn.Dense(3)
net.initialize(ctx=contexts)
loss = gluon.loss.SoftmaxCrossEntropyLoss(sparse_label=True)
trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore="device")
data, label = nd.random.uniform(shape=(8, 4)), nd.arange(8) % 3


def train_batch(X, y, ctx_list):
    Xs = gluon.utils.split_and_load(X, ctx_list, even_split=False)
    ys = gluon.utils.split_and_load(y, ctx_list, even_split=False)
    with autograd.record():
        losses = [loss(net(X_), y_) for X_, y_ in zip(Xs, ys)]
    for l in losses:
        l.backward()
    trainer.step(X.shape[0])
    return sum(float(l.sum().asscalar()) for l in losses)


print(train_batch(data, label, contexts))
nd.waitall()
parts = gluon.utils.split_and_load(data, contexts)
assert_type(parts, list[nd.NDArray])
assert_type([net(part) for part in parts], list[nd.NDArray])
assert_type(net.weight.list_data(), list[nd.NDArray])
assert_type(net.weight.list_ctx(), list[mx.Context])
store = mx.kv.create("local")
store.init(3, nd.ones((2, 3)))
store.push(3, [nd.ones((2, 3)) * 2, nd.ones((2, 3))])
result = nd.zeros((2, 3))
store.pull(3, out=result)
print(result, store.rank, store.num_workers, store.type)
with mx.Context("cpu", 1):
    assert_type(nd.ones((2,)).context, mx.Context)
assert_type(mx.cpu(1).device_id, int)
assert_type(data.copyto(contexts[0]), nd.NDArray | bool)
assert_type(data.as_in_context(mx.cpu()), nd.NDArray)

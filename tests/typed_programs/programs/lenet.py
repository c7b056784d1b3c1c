"""A convolutional network that is trained on images, with contexts and metrics."""

import time

from typing_extensions import assert_type

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


def try_gpu():
    try:
        ctx = mx.gpu()
        _ = nd.zeros((1,), ctx=ctx)
    except mx.base.MXNetError:
        ctx = mx.cpu()
    return ctx


net = nn.HybridSequential(prefix="lenet_")
with net.name_scope():
    net.add(
        nn.Conv2D(channels=4, kernel_size=5, activation="tanh"),
        nn.AvgPool2D(pool_size=2, strides=2),
        nn.BatchNorm(),
        nn.Flatten(),
        nn.Dropout(0.5),
        nn.Dense(10),
    )
ctx = try_gpu()
net.initialize(mx.init.Xavier(magnitude=2.24), ctx=ctx, force_reinit=True)
net.hybridize(static_alloc=True, static_shape=True)
images = nd.random.uniform(shape=(16, 1, 28, 28), ctx=ctx)
labels = nd.arange(16, ctx=ctx) % 10
train_data = gluon.data.DataLoader(gluon.data.ArrayDataset(images, labels), batch_size=8)
softmax_cross_entropy = gluon.loss.SoftmaxCrossEntropyLoss()
trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.001, "wd": 1e-4})
metric = mx.metric.Accuracy()
for epoch in range(1):
    tic = time.time()
    metric.reset()
    train_loss = 0.0
    for data, label in train_data:
        data = data.as_in_context(ctx)
        label = label.as_in_context(ctx)
        with autograd.record():
            output = net(data)
            loss = softmax_cross_entropy(output, label)
        loss.backward()
        trainer.step(data.shape[0])
        train_loss += loss.mean().asscalar()
        metric.update([label], [output])
    name, value = metric.get()
    print(f"epoch {epoch}: {name} {value} {train_loss:.3f} {time.time() - tic:.1f} s")
    trainer.set_learning_rate(trainer.learning_rate * 0.5)
prediction = net(images)
assert_type(prediction, nd.NDArray)
assert_type(softmax_cross_entropy(prediction, labels), nd.NDArray)
assert_type(prediction.argmax(axis=1), nd.NDArray)
accuracy = (prediction.argmax(axis=1) == labels).mean().asscalar()
print(accuracy, net.collect_params(".*weight"))
for name, parameter in net.collect_params().items():
    assert_type(name, str)
    assert_type(parameter, gluon.Parameter)
    assert_type(parameter.data(), nd.NDArray)

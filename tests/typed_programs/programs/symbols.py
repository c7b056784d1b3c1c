"""A network of symbols, trained by a module."""

import logging

import numpy as np
from typing_extensions import assert_type

import mxnet as mx

logging.getLogger().setLevel(logging.WARNING)
data = mx.sym.var("data")
flat = mx.sym.flatten(data=data)
fc1 = mx.sym.FullyConnected(data=flat, num_hidden=16, name="fc1")
act1 = mx.symbol.Activation(data=fc1, act_type="relu", name="relu1")
fc2 = mx.sym.FullyConnected(act1, name="fc2", num_hidden=10)
net = mx.sym.SoftmaxOutput(fc2, name="softmax")
assert_type(net, mx.sym.Symbol)
assert_type(fc1 + 1, mx.sym.Symbol)
assert_type(net.list_arguments(), list[str])
arg_shapes, out_shapes, aux_shapes = net.infer_shape(data=(4, 1, 4, 4))
inputs = np.random.uniform(size=(16, 1, 4, 4)).astype("float32")
targets = np.arange(16) % 10
train_iter = mx.io.NDArrayIter(
    inputs, targets, batch_size=4, shuffle=True, label_name="softmax_label"
)
val_iter = mx.io.NDArrayIter({"data": inputs}, {"softmax_label": targets}, 4)
mod = mx.mod.Module(
    symbol=net, context=mx.cpu(), data_names=["data"], label_names=["softmax_label"]
)
mod.fit(
    train_iter,
    eval_data=val_iter,
    optimizer="sgd",
    optimizer_params={"learning_rate": 0.1},
    eval_metric="acc",
    batch_end_callback=mx.callback.Speedometer(4, 100),
    num_epoch=1,
)
print(mod.score(val_iter, ["mse", "acc"]))
prob = mod.predict(val_iter)
print(prob[0].shape, mod.get_params()[0]["fc1_weight"].shape)

by_hand = mx.mod.Module(net, logger=logging.getLogger())
by_hand.bind(data_shapes=train_iter.provide_data, label_shapes=train_iter.provide_label)
by_hand.init_params(initializer=mx.init.Uniform(scale=0.1))
by_hand.init_optimizer(optimizer="sgd", optimizer_params=(("learning_rate", 0.1),))
metric = mx.metric.create("acc")
train_iter.reset()
for batch in train_iter:
    by_hand.forward(batch, is_train=True)
    by_hand.update_metric(metric, batch.label)
    by_hand.backward()
    by_hand.update()
print(metric.get(), by_hand.get_outputs()[0].shape)

a, b = mx.sym.Variable("a"), mx.sym.Variable("b")
executor = (a * b + 2).bind(mx.cpu(), {"a": mx.nd.ones((2,)), "b": mx.nd.ones((2,)) * 3})
print(executor.forward()[0].asnumpy(), executor.outputs[0].shape)
group = mx.sym.Group([a, b, mx.sym.broadcast_add(a, b)])
internals = net.get_internals()
assert_type(internals["fc1_output"], mx.sym.Symbol)
assert_type(group[0], mx.sym.Symbol)
assert_type(mx.sym.load_json(net.tojson()), mx.sym.Symbol)
block = mx.gluon.nn.Dense(3)
assert_type(block(mx.sym.var("x")), mx.sym.Symbol)

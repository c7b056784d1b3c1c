"""Programs that bind networks: outputs, gradients and states of one or more steps."""

from __future__ import annotations

import mxnet as mx
from mxnet import nd

from .core import functions, lines
from .executor_net_helpers import a, b, data, fill, label, run


def perceptron():
    net = mx.sym.FullyConnected(data, num_hidden=4, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu1")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    return run(net, heads=False, data=(3, 5), values={"softmax_label": nd.array([0, 1, 2])})


def convolutional():
    net = mx.sym.Convolution(data, kernel=(3, 3), num_filter=3, name="c1")
    net = mx.sym.BatchNorm(net, fix_gamma=False, name="bn")
    net = mx.sym.Activation(net, act_type="relu")
    net = mx.sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max")
    net = mx.sym.Flatten(net)
    net = mx.sym.FullyConnected(net, num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    return run(
        net, heads=False, times=2, data=(2, 1, 6, 6), values={"softmax_label": nd.array([0, 1])}
    )


def shared_weights():
    w = mx.sym.var("w")
    one = mx.sym.FullyConnected(a, weight=w, num_hidden=3, no_bias=True)
    two = mx.sym.FullyConnected(b, weight=w, num_hidden=3, no_bias=True)
    return run(mx.sym.Group([one, two]), a=(2, 4), b=(3, 4))


def unrolled_by_hand():
    w, u = mx.sym.var("w"), mx.sym.var("u")
    h = mx.sym.var("h")
    for step in range(3):
        x = mx.sym.slice_axis(data, axis=0, begin=step, end=step + 1)
        h = mx.sym.tanh(mx.sym.dot(x, w) + mx.sym.dot(h, u))
    return run(h, data=(3, 2), w=(2, 2), u=(2, 2), h=(1, 2))


def residual():
    net = data
    for i in range(3):
        net = net + mx.sym.Activation(
            mx.sym.FullyConnected(net, num_hidden=3, name="fc%d" % i), act_type="tanh"
        )
    return run(net, data=(2, 3))


def through_a_file(folder):
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name="fc"), name="softmax")
    net.save(folder + "/net.json")
    return run(mx.sym.load(folder + "/net.json"), heads=False, data=(2, 3))


def an_inner_output():
    net = mx.sym.FullyConnected(data, num_hidden=4, name="fc1")
    net = mx.sym.FullyConnected(mx.sym.relu(net), num_hidden=2, name="fc2")
    return run(net.get_internals()["fc1_output"], data=(2, 3))


def training_by_hand():
    net = mx.sym.LinearRegressionOutput(mx.sym.FullyConnected(data, num_hidden=1, name="fc"), label)
    exe = net.simple_bind(
        mx.cpu(), data=(8, 2), label=(8, 1), grad_req={"fc_weight": "write", "fc_bias": "write"}
    )
    fill(exe)
    losses = []
    for step in range(20):
        out = exe.forward(is_train=True)[0]
        losses.append(((out - exe.arg_dict["label"]) ** 2).mean().asscalar())
        exe.backward()
        for name in ("fc_weight", "fc_bias"):
            exe.arg_dict[name][:] -= 0.1 * exe.grad_dict[name]
    return losses[0], losses[-1], exe.arg_dict["fc_weight"], exe.arg_dict["fc_bias"]


def an_optimizer():
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=3, name="fc"), name="softmax")
    exe = fill(net.simple_bind(mx.cpu(), data=(4, 2)))
    exe.arg_dict["softmax_label"][:] = nd.array([0, 1, 2, 0])
    update = mx.optimizer.get_updater(mx.optimizer.create("sgd", learning_rate=0.1, momentum=0.9))
    for step in range(3):
        exe.forward(is_train=True)
        exe.backward()
        for i, name in enumerate(["fc_weight", "fc_bias"]):
            update(i, exe.grad_dict[name], exe.arg_dict[name])
    return exe.arg_dict["fc_weight"], exe.arg_dict["fc_bias"], exe.outputs[0]


PROGRAMS = {
    **lines(
        "executor_net_helpers",
        """
    run(a * b + a, a=(2, 3), b=(2, 3))
    run(a * b + a, a=(2, 3), b=(2, 3), grad_req='add', times=3)
    run(a * b, a=(2, 3), b=(2, 3), grad_req={'a': 'write', 'b': 'null'})
    run(a * b, a=(2, 3), b=(2, 3), grad_req=['add', 'write'], times=2)
    run(a * b, a=(2, 3), b=(2, 3), grad_req={'b': 'add'}, times=2)
    run(a * b, a=(2, 3), grad_req='null')
    run(a, a=(2, 3))
    run(a * 2, a=(4,), types={'a': 'float64'})
    run(a * b, a=(4,), b=(4,), types={'b': 'float16'})
    run(a.exp(), a=(2, 3))
    run(mx.sym.broadcast_add(a, b), a=(2, 3), b=(1, 3))
    run(mx.sym.dot(a, b), a=(2, 3), b=(3, 4))
    run(mx.sym.batch_dot(a, b, transpose_b=True), a=(2, 2, 3), b=(2, 4, 3))
    run(mx.sym.Group([a + b, a * b]), a=(2,), b=(2,))
    run(mx.sym.Group([a + b, mx.sym.BlockGrad(a * b)]), a=(2,), b=(2,))
    run(mx.sym.split(data, num_outputs=3, axis=1, name='s'), data=(2, 6))
    run(mx.sym.split(data, num_outputs=3, axis=1)[1], data=(2, 6))
    run(mx.sym.concat(a, b, dim=1), a=(2, 1), b=(2, 3))
    run(mx.sym.Concat(a, a * 2, dim=0), a=(2, 1))
    run(mx.sym.ElementWiseSum(a, b, a), a=(3,), b=(3,))
    run(mx.sym.reshape(data, shape=(0, -1)), data=(2, 3, 4))
    run(mx.sym.transpose(data, axes=(1, 0, 2)), data=(2, 3, 2))
    run(mx.sym.slice_axis(data, axis=1, begin=1, end=3), data=(2, 4))
    run(mx.sym.where(a > b, a, b), a=(5,), b=(5,))
    run(mx.sym.clip(data, -0.5, 0.5), data=(6,))
    run(mx.sym.maximum(a, b), a=(5,), b=(5,))
    run(mx.sym.sum(data, axis=1), data=(3, 4))
    run(mx.sym.mean(data), data=(3, 4))
    run(mx.sym.norm(data), data=(3, 4))
    run(mx.sym.max(data, axis=0), data=(3, 4))
    run(mx.sym.topk(data, k=2, ret_typ='value'), data=(3, 4))
    run(mx.sym.argmax(data, axis=1), data=(3, 4), heads=True)
    run(mx.sym.one_hot(data, depth=3), data=(4,), values={'data': nd.array([0, 1, 2, 1])})
    run(mx.sym.take(a, b), a=(4, 2), b=(3,), values={'b': nd.array([0, 3, 0])})
    run(mx.sym.pick(a, b), a=(3, 4), b=(3,), values={'b': nd.array([0, 3, 1])})
    run(mx.sym.FullyConnected(data, num_hidden=3, name='fc'), data=(2, 4))
    run(mx.sym.FullyConnected(data, num_hidden=3, no_bias=True, name='fc'), data=(2, 2, 2))
    run(mx.sym.FullyConnected(data, num_hidden=3, flatten=False, name='fc'), data=(2, 2, 2))
    run(mx.sym.FullyConnected(data, weight=a, num_hidden=4, no_bias=True) + a.sum(), data=(2, 4))
    run(mx.sym.Activation(data, act_type='softrelu'), data=(2, 4))
    run(mx.sym.LeakyReLU(data, act_type='leaky', slope=0.3), data=(2, 4))
    run(mx.sym.LeakyReLU(data, act_type='prelu', name='p'), data=(2, 3))
    run(mx.sym.LeakyReLU(data, act_type='elu'), data=(2, 4))
    run(mx.sym.Convolution(data, kernel=(3, 3), num_filter=2, pad=(1, 1), name='c'), data=(1, 2, 4, 4))
    run(mx.sym.Convolution(data, kernel=(3,), num_filter=2, stride=(2,), name='c'), data=(1, 2, 7))
    run(mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, num_group=2, no_bias=True, name='c'), data=(1, 2, 4, 4))
    run(mx.sym.Deconvolution(data, kernel=(2, 2), stride=(2, 2), num_filter=2, name='d'), data=(1, 2, 3, 3))
    run(mx.sym.Pooling(data, kernel=(2, 2), stride=(2, 2), pool_type='max'), data=(1, 2, 4, 4))
    run(mx.sym.Pooling(data, kernel=(2, 2), pool_type='avg'), data=(1, 1, 3, 3))
    run(mx.sym.Pooling(data, global_pool=True, pool_type='avg', kernel=(1, 1)), data=(1, 2, 3, 3))
    run(mx.sym.BatchNorm(data, name='bn'), data=(4, 3))
    run(mx.sym.BatchNorm(data, fix_gamma=False, momentum=0.5, name='bn'), data=(2, 3, 2, 2))
    run(mx.sym.BatchNorm(data, fix_gamma=False, use_global_stats=True, name='bn'), data=(4, 3))
    run(mx.sym.LayerNorm(data, name='ln'), data=(4, 3))
    run(mx.sym.InstanceNorm(data, name='in'), data=(2, 3, 4))
    run(mx.sym.L2Normalization(data), data=(2, 3))
    run(mx.sym.LRN(data, nsize=3), data=(1, 4, 2, 2))
    run(mx.sym.Dropout(data, p=0.0), data=(2, 3))
    run(mx.sym.Embedding(data, input_dim=5, output_dim=2, name='e'), data=(3,), grad_req={'e_weight': 'add'}, values={'data': nd.array([0, 4, 0])})
    run(mx.sym.SoftmaxOutput(data, name='softmax'), heads=False, data=(3, 4), values={'softmax_label': nd.array([0, 3, 1])})
    run(mx.sym.SoftmaxOutput(data, label, use_ignore=True, ignore_label=1, normalization='valid'), heads=False, data=(3, 4), values={'label': nd.array([0, 3, 1])})
    run(mx.sym.SoftmaxOutput(data, label, multi_output=True), heads=False, data=(2, 3, 2), values={'label': nd.array([[0, 2], [1, 1]])})
    run(mx.sym.SoftmaxOutput(data, label, grad_scale=0.5), heads=False, data=(3, 4), values={'label': nd.array([0, 3, 1])})
    run(mx.sym.LinearRegressionOutput(data, label), heads=False, data=(3, 2))
    run(mx.sym.LinearRegressionOutput(data, name='lro'), heads=False, data=(3, 1))
    run(mx.sym.LogisticRegressionOutput(data, label), heads=False, data=(3, 2))
    run(mx.sym.MAERegressionOutput(data, label), heads=False, data=(3, 2))
    run(mx.sym.SVMOutput(data, label), heads=False, data=(3, 4), values={'label': nd.array([0, 3, 1])})
    run(mx.sym.MakeLoss((a - b) ** 2, grad_scale=3), heads=False, a=(2, 2), b=(2, 2))
    run(mx.sym.make_loss(mx.sym.sum((a - b) ** 2)), heads=False, a=(2, 2), b=(2, 2))
    run(mx.sym.MakeLoss(a * b, normalization='batch'), heads=False, a=(4, 2), b=(4, 2))
    run(mx.sym.softmax_cross_entropy(data, label), grad_req={'data': 'write'}, data=(3, 4), label=(3,), values={'label': nd.array([0, 3, 1])})
    run(mx.sym.smooth_l1(a - b, scalar=2.0), a=(3,), b=(3,))
    run(mx.sym.log_softmax(data, axis=1), data=(2, 3))
    run(mx.sym.SoftmaxActivation(data), data=(2, 3))
    run(mx.sym.CTCLoss(data, label), data=(4, 1, 3), label=(1, 2), values={'label': nd.array([[1, 2]])})
    run(mx.sym.RNN(data, state_size=3, num_layers=1, mode='rnn_tanh', state_outputs=True, name='r'), data=(2, 1, 2))
    run(mx.sym.RNN(data, state_size=2, num_layers=2, mode='lstm', state_outputs=True, name='r'), data=(3, 2, 2))
    run(mx.sym.RNN(data, state_size=2, num_layers=1, mode='gru', bidirectional=True, name='r'), data=(2, 2, 2))
    run(mx.sym.SequenceMask(data, label, use_sequence_length=True), data=(3, 2), values={'label': nd.array([1, 3])})
    run(mx.sym.UpSampling(data, scale=2, sample_type='nearest'), data=(1, 1, 2, 2))
    run(mx.sym.UpSampling(data, scale=2, sample_type='bilinear', num_filter=2, name='u'), data=(1, 2, 2, 2))
    run(mx.sym.Cast(data, dtype='float64') * 2, data=(3,))
    run(mx.sym.Group([mx.sym.SoftmaxOutput(data, label), mx.sym.BlockGrad(data * 2)]), heads=False, data=(2, 3))
    run(mx.sym.Activation(data, act_type='relu'), data=(2, 3), types={'data': 'float16'})
    [v.dtype for v in fill(mx.sym.FullyConnected(mx.sym.BatchNorm(data), num_hidden=2).simple_bind(mx.cpu(), data=(2, 3), type_dict={'data': 'float16'})).arg_arrays]
    run(mx.sym.SoftmaxOutput(mx.sym.FullyConnected(data, num_hidden=2, name='fc'), name='softmax'), heads=False, data=(2, 3), types={'data': 'float64'})
    run(mx.sym.zeros((2, 2)) + a, a=(2, 2))
    run(mx.sym.ones_like(a) * b, a=(2, 2))
    run(mx.sym.arange(4).reshape((2, 2)) * a)
    """,
    ),
    **functions(globals()),
}

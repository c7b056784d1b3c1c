"""Programs that build and train the networks of well known examples from symbols."""

from __future__ import annotations

import random

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions
from .symbolic_helpers import S, Waves, digits, mlp, near, short, wave


class Skip(mx.mod.BaseModule):
    def __init__(self, sym, name):
        super().__init__()
        self.inner, self.calls = mx.mod.Module(sym, data_names=[name], label_names=None), 0

    data_names = property(lambda self: self.inner.data_names)
    label_names = property(lambda self: [])
    output_names = property(lambda self: self.inner.output_names)
    data_shapes = property(lambda self: self.inner.data_shapes)
    label_shapes = property(lambda self: None)
    output_shapes = property(
        lambda self: [(n, s[1]) for n, s in zip(self.output_names, self.inner.data_shapes)]
    )

    def get_params(self):
        return self.inner.get_params()

    def init_params(self, *args, **kwargs):
        self.inner.init_params(*args, **kwargs)
        self.params_initialized = True

    def bind(self, data_shapes, label_shapes=None, *args, **kwargs):
        self.inner.bind(data_shapes, None, *args, **kwargs)
        self.binded, self.for_training = True, True

    def init_optimizer(self, *args, **kwargs):
        self.inner.init_optimizer(*args, **kwargs)
        self.optimizer_initialized = True

    def forward(self, data_batch, is_train=None):
        self.calls += 1
        self.open = self.calls % 2 == 0
        self.out = data_batch.data
        if self.open:
            self.inner.forward(data_batch, is_train)
            self.out = [a + b for a, b in zip(data_batch.data, self.inner.get_outputs())]

    def backward(self, out_grads=None):
        self.grads = out_grads
        if self.open:
            self.inner.backward(out_grads)
            self.grads = [a + b for a, b in zip(out_grads, self.inner.get_input_grads())]

    def update(self):
        if self.open:
            self.inner.update()

    def update_metric(self, *args, **kwargs):
        pass

    def get_outputs(self, merge_multi_context=True):
        return self.out

    def get_input_grads(self, merge_multi_context=True):
        return self.grads

    def install_monitor(self, mon):
        pass


def stochastic_depth_wired():
    x, y = digits()
    seq = mx.mod.SequentialModule()
    seq.add(
        mx.mod.Module(
            S.Activation(S.FullyConnected(S.var("data"), num_hidden=6, name="in"), act_type="relu"),
            label_names=None,
        )
    )
    seq.add(
        Skip(
            S.Activation(
                S.FullyConnected(S.var("mid_data"), num_hidden=6, name="mid"), act_type="tanh"
            ),
            "mid_data",
        ),
        auto_wiring=True,
    )
    seq.add(
        mx.mod.Module(
            S.SoftmaxOutput(
                S.FullyConnected(S.var("out_data"), num_hidden=4, name="out"), name="softmax"
            ),
            data_names=["out_data"],
        ),
        auto_wiring=True,
        take_labels=True,
    )
    it = mx.io.NDArrayIter(x, y, 16)
    seq.bind(it.provide_data, it.provide_label)
    seq.init_params(Waves())
    seq.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for batch in it:
        seq.forward(batch, is_train=True)
        seq.backward()
        seq.update()
    return near(seq.get_params()[0]), [o.shape for o in seq.get_outputs()], seq.output_names


def custom_operator_tutorial_softmax_in_a_module():
    class Softmax(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            x = in_data[0].asnumpy()
            y = np.exp(x - x.max(axis=1).reshape((x.shape[0], 1)))
            y /= y.sum(axis=1).reshape((x.shape[0], 1))
            self.assign(out_data[0], req[0], mx.nd.array(y))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            l = in_data[1].asnumpy().ravel().astype(int)
            y = out_data[0].asnumpy()
            y[np.arange(l.shape[0]), l] -= 1.0
            self.assign(in_grad[0], req[0], mx.nd.array(y))

    @mx.operator.register("my_softmax")
    class SoftmaxProp(mx.operator.CustomOpProp):
        def __init__(self):
            super(SoftmaxProp, self).__init__(need_top_grad=False)

        def list_arguments(self):
            return ["data", "label"]

        def list_outputs(self):
            return ["output"]

        def infer_shape(self, in_shape):
            return [in_shape[0], (in_shape[0][0],)], [in_shape[0]], []

        def infer_type(self, in_type):
            return in_type, [in_type[0]], []

        def create_operator(self, ctx, shapes, dtypes):
            return Softmax()

    net = S.FullyConnected(S.var("data"), num_hidden=4, name="fc")
    net = S.Custom(data=net, name="softmax", op_type="my_softmax")
    x, y = digits()
    mod = mx.mod.Module(net)
    it = mx.io.NDArrayIter(x, y, 16)
    mod.fit(it, num_epoch=3, initializer=Waves(), optimizer_params={"learning_rate": 0.3})
    return (
        net.list_arguments(),
        net.list_outputs(),
        near(mod.get_params()[0]),
        [(k, np.float16(v)) for k, v in mod.score(it, "acc")],
    )


def custom_operator_tutorial_dense_with_weights():
    class Dense(mx.operator.CustomOp):
        def __init__(self, bias):
            self._bias = bias

        def forward(self, is_train, req, in_data, out_data, aux):
            x, weight = in_data[0].asnumpy(), in_data[1].asnumpy()
            self.assign(out_data[0], req[0], mx.nd.array(x.dot(weight.T) + self._bias))

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            x, w, dy = in_data[0].asnumpy(), in_data[1].asnumpy(), out_grad[0].asnumpy()
            self.assign(in_grad[0], req[0], mx.nd.array(dy.dot(w)))
            self.assign(in_grad[1], req[1], mx.nd.array(dy.T.dot(x)))

    @mx.operator.register("dense")
    class DenseProp(mx.operator.CustomOpProp):
        def __init__(self, bias, units="2"):
            super().__init__(need_top_grad=True)
            self._bias, self._units = float(bias), int(units)

        def list_arguments(self):
            return ["data", "weight"]

        def infer_type(self, in_type):
            return [in_type[0]] * 2, [in_type[0]], []

        def infer_shape(self, in_shape):
            return [in_shape[0], (self._units, in_shape[0][1])], [(in_shape[0][0], self._units)], []

        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Dense(self._bias)

    net = S.Custom(S.var("data"), bias=1.5, units=3, op_type="dense", name="d")
    mod = mx.mod.Module(S.MakeLoss(S.square(net), name="l"), label_names=None)
    mod.bind([("data", (2, 4))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for i in range(3):
        mod.forward_backward(mx.io.DataBatch([nd.array(wave((2, 4)))]))
        mod.update()

    class DenseBlock(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(3, 4), init="one")

        def hybrid_forward(self, F, x, weight):
            return F.Custom(x, weight, bias=0.5, units=3, op_type="dense")

    block = DenseBlock()
    block.initialize()
    block.hybridize()
    with autograd.record():
        out = block(nd.array(wave((2, 4))))
    out.backward()
    return near(mod.get_params()[0]), net.attr("bias"), out, block.weight.grad()


def _sentences():
    sentences = [
        [1, 2, 3],
        [2, 3, 4, 5],
        [1, 3],
        [4, 5, 6, 1, 2],
        [2, 1, 3],
        [3, 3, 2, 1],
        [1, 5],
        [5, 6, 1, 2, 3],
    ] * 4
    return sentences


def bucketing_example_with_unrolled_cells():
    mx.random.seed(1)
    random.seed(1)
    np.random.seed(1)
    sentences = _sentences()
    train = mx.rnn.BucketSentenceIter(sentences, 4, buckets=[3, 5], invalid_label=0)
    stack = mx.rnn.SequentialRNNCell()
    stack.add(mx.rnn.LSTMCell(num_hidden=5, prefix="lstm_l0_"))
    stack.add(mx.rnn.GRUCell(num_hidden=4, prefix="gru_l1_"))

    def sym_gen(seq_len):
        data, label = S.Variable("data"), S.Variable("softmax_label")
        embed = S.Embedding(data=data, input_dim=7, output_dim=6, name="embed")
        stack.reset()
        outputs, states = stack.unroll(seq_len, inputs=embed, merge_outputs=True)
        pred = S.Reshape(outputs, shape=(-1, 4))
        pred = S.FullyConnected(data=pred, num_hidden=7, name="pred")
        return (
            S.SoftmaxOutput(
                data=pred,
                label=S.Reshape(label, shape=(-1,)),
                name="softmax",
                use_ignore=True,
                ignore_label=0,
            ),
            ("data",),
            ("softmax_label",),
        )

    model = mx.mod.BucketingModule(sym_gen=sym_gen, default_bucket_key=train.default_bucket_key)
    model.bind(train.provide_data, train.provide_label)
    model.init_params(Waves())
    model.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.05})
    metric = mx.metric.Perplexity(0)
    for epoch in range(2):
        for key in (3, 5, 3):
            d = nd.array([[(i * 3 + j) % 6 + 1 for j in range(key)] for i in range(4)])
            l = nd.array(
                [
                    [(i * 3 + j + 1) % 6 + 1 if j < key - 1 else 0 for j in range(key)]
                    for i in range(4)
                ]
            )
            batch = mx.io.DataBatch(
                [d],
                [l],
                bucket_key=key,
                provide_data=[mx.io.DataDesc("data", d.shape, layout="NT")],
                provide_label=[mx.io.DataDesc("softmax_label", l.shape, layout="NT")],
            )
            model.forward(batch)
            model.update_metric(metric, batch.label)
            model.backward()
            model.update()
    return (
        sorted(model._buckets),
        near({k: v for k, v in model.get_params()[0].items() if "bias" in k}),
        np.float16(metric.get()[1]),
    )


def bucketing_with_fused_cells():
    fused = mx.rnn.FusedRNNCell(4, num_layers=2, mode="lstm", bidirectional=True, prefix="f_")

    def sym_gen(n):
        embed = S.Embedding(S.var("data"), input_dim=6, output_dim=3, name="embed")
        fused.reset()
        out, _ = fused.unroll(n, inputs=embed, merge_outputs=True, layout="TNC")
        pred = S.FullyConnected(S.Reshape(out, shape=(-1, 8)), num_hidden=6, name="pred")
        return (
            S.SoftmaxOutput(pred, S.Reshape(S.var("softmax_label"), shape=(-1,)), name="softmax"),
            ("data",),
            ("softmax_label",),
        )

    mod = mx.mod.BucketingModule(sym_gen, default_bucket_key=4)

    def batch(n):
        d = nd.array([[(i + j) % 6 for j in range(2)] for i in range(n)])
        desc = lambda name: [mx.io.DataDesc(name, (n, 2), layout="TN")]
        return mx.io.DataBatch(
            [d],
            [(d + 1) % 6],
            bucket_key=n,
            provide_data=desc("data"),
            provide_label=desc("softmax_label"),
        )

    first = batch(4)
    mod.bind(first.provide_data, first.provide_label)
    mod.init_params(mx.init.Constant(0.1))
    mod.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5})
    for n in (4, 2, 3, 4):
        mod.forward_backward(batch(n))
        mod.update()
    args = mod.get_params()[0]
    return (
        {k: v.shape for k, v in args.items()},
        short(args["pred_bias"].asnumpy()),
        short(args["f_parameters"].asnumpy()[:8]),
        sorted(fused.unpack_weights(args)),
    )


def lenet_with_adam_in_module():
    data = S.var("data")
    net = S.Pooling(
        S.Activation(S.Convolution(data, kernel=(3, 3), num_filter=4, name="c1"), act_type="tanh"),
        pool_type="max",
        kernel=(2, 2),
        stride=(2, 2),
    )
    net = S.FullyConnected(S.Flatten(net), num_hidden=4, name="fc1")
    net = S.SoftmaxOutput(net, name="softmax")
    rng = np.random.RandomState(0)
    y = rng.randint(0, 4, 32)
    x = rng.rand(32, 1, 8, 8).astype("float32") * 0.2
    for i, k in enumerate(y):
        x[i, 0, k * 2 : k * 2 + 2] += 1
    mod = mx.mod.Module(net)
    it = mx.io.NDArrayIter(x, y, 8)
    mod.fit(
        it,
        num_epoch=3,
        initializer=Waves(),
        optimizer="adam",
        optimizer_params={"learning_rate": 0.02},
    )
    return [(k, np.float16(v)) for k, v in mod.score(it, ["acc", "ce"])], near(
        {"c1": mod.get_params()[0]["c1_bias"]}
    )


def batch_normalization_in_module_with_global_statistics(folder):
    net = S.BatchNorm(
        S.FullyConnected(S.var("data"), num_hidden=4, name="fc"),
        fix_gamma=False,
        momentum=0.5,
        eps=1e-3,
        name="bn",
    )
    net = S.SoftmaxOutput(net, name="softmax")
    x, y = digits()
    mod = mx.mod.Module(net)
    it = mx.io.NDArrayIter(x, y, 16)
    mod.fit(it, num_epoch=2, initializer=Waves(), optimizer_params={"learning_rate": 0.1})
    args, aux = mod.get_params()
    a = mod.predict(it)[:3]
    mod.save_checkpoint(folder + "/bn", 1)
    again = mx.mod.Module.load(folder + "/bn", 1)
    again.bind(it.provide_data, for_training=False)
    it.reset()
    return (
        near(args),
        near(aux),
        short(a.asnumpy()),
        short(again.predict(it)[:3].asnumpy()),
        sorted(nd.load(folder + "/bn-0001.params")),
    )


def fast_gradient_sign():
    x, y = digits(16)
    mod = mx.mod.Module(mlp())
    it = mx.io.NDArrayIter(x, y, 16)
    mod.bind(it.provide_data, it.provide_label, inputs_need_grad=True)
    mod.init_params(Waves())
    batch = next(it)
    mod.forward(batch, is_train=True)
    mod.backward()
    sign = nd.sign(mod.get_input_grads()[0])
    worse = mx.io.DataBatch([batch.data[0] + 0.1 * sign], batch.label)
    before = mod.get_outputs()[0].copy()
    mod.forward(worse, is_train=False)
    return sign, short(before.asnumpy()[:2]), short(mod.get_outputs()[0].asnumpy()[:2])


def fast_gradient_sign_with_an_executor():
    net = mlp()
    exe = net.simple_bind(
        mx.cpu(),
        data=(4, 8),
        softmax_label=(4,),
        grad_req={n: "write" if n == "data" else "null" for n in net.list_arguments()},
    )
    for i, name in enumerate(sorted(exe.arg_dict)):
        exe.arg_dict[name][:] = wave(exe.arg_dict[name].shape, i)
    exe.arg_dict["softmax_label"][:] = [0, 1, 2, 3]
    exe.forward(is_train=True)
    exe.backward()
    return exe.grad_dict, exe.grad_arrays[0] is exe.grad_dict["data"]


def siamese_network_with_shared_weights():
    w, b = S.var("shared_weight"), S.var("shared_bias")
    left = S.FullyConnected(S.var("left"), w, b, num_hidden=4, name="l")
    right = S.FullyConnected(S.var("right"), weight=w, bias=b, num_hidden=4, name="r")
    d = S.sum(S.square(left - right), axis=1)
    label = S.var("label")
    loss = S.MakeLoss(label * d + (1 - label) * S.square(S.maximum(2 - S.sqrt(d + 1e-6), 0)))
    mod = mx.mod.Module(
        S.Group([loss, S.BlockGrad(d)]), data_names=["left", "right"], label_names=["label"]
    )
    mod.bind([("left", (3, 5)), ("right", (3, 5))], [("label", (3,))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    for i in range(3):
        mod.forward_backward(
            mx.io.DataBatch(
                [nd.array(wave((3, 5), i)), nd.array(wave((3, 5), i + 1))], [nd.array([0, 1, 1])]
            )
        )
        mod.update()
    return near(mod.get_params()[0]), mod.get_outputs(), mod.symbol.list_arguments()


def triplet_loss_by_bind():
    w = S.var("w")
    a, p, n = (S.FullyConnected(S.var(k), w, no_bias=True, num_hidden=3) for k in "apn")
    a, p, n = (S.L2Normalization(t) for t in (a, p, n))
    loss = S.MakeLoss(
        S.Activation(S.sum(S.square(a - p) - S.square(a - n), axis=1) + 0.5, act_type="relu")
    )
    exe = loss.simple_bind(mx.cpu(), a=(4, 5), p=(4, 5), n=(4, 5))
    for i, (k, v) in enumerate(sorted(exe.arg_dict.items())):
        v[:] = wave(v.shape, i)
    exe.forward(is_train=True)
    exe.backward()
    return loss.list_arguments(), exe.outputs, exe.grad_dict["w"]


def text_classification_with_several_kernels():
    words, vec = 7, 4
    data = S.Embedding(S.Variable("data"), input_dim=20, output_dim=vec, name="vocab_embed")
    conv_input = S.Reshape(data=data, target_shape=(2, 1, words, vec))
    pooled = []
    for size in (2, 3):
        c = S.Convolution(data=conv_input, kernel=(size, vec), num_filter=3, name="conv%d" % size)
        c = S.Activation(data=c, act_type="relu")
        pooled.append(
            S.Pooling(data=c, pool_type="max", kernel=(words - size + 1, 1), stride=(1, 1))
        )
    h = S.Reshape(data=S.Concat(*pooled, dim=1), shape=(2, 6))
    net = S.SoftmaxOutput(
        data=S.FullyConnected(data=h, num_hidden=2, name="cls"),
        label=S.Variable("softmax_label"),
        name="softmax",
    )
    exe = net.simple_bind(
        mx.cpu(),
        data=(2, words),
        grad_req={n: "write" for n in net.list_arguments() if n.endswith(("weight", "bias"))},
    )
    for i, (name, a) in enumerate(sorted(exe.arg_dict.items())):
        a[:] = wave(a.shape, i)
    exe.arg_dict["data"][:] = np.arange(14).reshape(2, 7)
    exe.arg_dict["softmax_label"][:] = [0, 1]
    exe.forward(is_train=True)
    exe.backward()
    return (
        {k: v.shape for k, v in exe.arg_dict.items()},
        exe.outputs,
        exe.grad_dict["conv3_weight"],
        exe.grad_dict["vocab_embed_weight"],
    )


def fully_convolutional_segmentation():
    data = S.var("data")
    net = S.Activation(
        S.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=3, name="c1"), act_type="relu"
    )
    pool = S.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max")
    score = S.Convolution(pool, kernel=(1, 1), num_filter=2, name="score")
    big = S.Deconvolution(
        score,
        kernel=(4, 4),
        stride=(2, 2),
        pad=(1, 1),
        num_filter=2,
        no_bias=True,
        name="bigscore",
        attr={"__init__": '["bilinear", {}]'},
    )
    crop = S.Crop(*[big, data], offset=(0, 0), name="upscore")
    net = S.SoftmaxOutput(
        crop, multi_output=True, use_ignore=True, ignore_label=255, name="softmax"
    )
    mod = mx.mod.Module(net)
    mod.bind([("data", (1, 3, 6, 6))], [("softmax_label", (1, 6, 6))])
    mod.init_params(mx.init.Mixed(["bigscore_weight", ".*"], [mx.init.Bilinear(), Waves()]))
    mod.init_optimizer(optimizer_params={"learning_rate": 0.01})
    label = nd.array((np.arange(36).reshape(1, 6, 6) % 3 > 0))
    label[0, 0, 0] = 255
    for _ in range(2):
        mod.forward_backward(mx.io.DataBatch([nd.array(wave((1, 3, 6, 6)))], [label]))
        mod.update()
    return (
        net.list_arguments(),
        near(mod.get_params()[0]),
        mod.get_outputs()[0].shape,
        short(mod.get_outputs()[0].asnumpy()[0, 0, :2]),
    )


def model_parallel_stages():
    with mx.AttrScope(ctx_group="stage1"):
        net = S.Activation(
            S.FullyConnected(S.var("data"), num_hidden=5, name="fc1"), act_type="relu"
        )
    with mx.AttrScope(ctx_group="stage2"):
        net = S.SoftmaxOutput(S.FullyConnected(net, num_hidden=4, name="fc2"), name="softmax")
    x, y = digits()
    mod = mx.mod.Module(
        net, context=[mx.cpu(0)], group2ctxs={"stage1": mx.cpu(1), "stage2": mx.cpu(2)}
    )
    it = mx.io.NDArrayIter(x, y, 16)
    mod.fit(it, num_epoch=2, initializer=Waves(), optimizer_params={"learning_rate": 0.2})
    groups = {k: v.get("__ctx_group__") for k, v in sorted(net.attr_dict().items())}
    return near(mod.get_params()[0]), groups


def recurrent_net_with_begin_states_as_data():
    cell = mx.rnn.LSTMCell(3, prefix="l_")
    outs, states = cell.unroll(
        3, S.var("data"), layout="NTC", begin_state=[S.var("h0"), S.var("c0")], merge_outputs=True
    )
    net = S.Group([S.MakeLoss(outs), S.BlockGrad(states[0]), S.BlockGrad(states[1])])
    mod = mx.mod.Module(net, data_names=["data", "h0", "c0"], label_names=None)
    mod.bind([("data", (2, 3, 4)), ("h0", (2, 3)), ("c0", (2, 3))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    h, c = nd.zeros((2, 3)), nd.zeros((2, 3))
    for i in range(3):
        mod.forward_backward(mx.io.DataBatch([nd.array(wave((2, 3, 4), i)), h, c], []))
        mod.update()
        _, h, c = [o.copy() for o in mod.get_outputs()]
    return h, c, near(mod.get_params()[0])


def variational_autoencoder_without_noise():
    data = S.var("data")
    h = S.Activation(S.FullyConnected(data, num_hidden=5, name="enc"), act_type="tanh")
    mu, logvar = (
        S.FullyConnected(h, num_hidden=2, name="mu"),
        S.FullyConnected(h, num_hidden=2, name="logvar"),
    )
    z = mu + S.broadcast_mul(S.exp(0.5 * logvar), S.var("eps", shape=(4, 2)))
    y = S.Activation(S.FullyConnected(z, num_hidden=6, name="dec"), act_type="sigmoid")
    KL = -0.5 * S.sum(1 + logvar - S.pow(mu, 2) - S.exp(logvar), axis=1)
    rec = -S.sum(data * S.log(y + 1e-6) + (1 - data) * S.log(1 - y + 1e-6), axis=1)
    loss = S.MakeLoss(S.mean(KL + rec), name="loss")
    mod = mx.mod.Module(loss, data_names=["data", "eps"], label_names=None)
    mod.bind([("data", (4, 6)), ("eps", (4, 2))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.01})
    losses = []
    for i in range(5):
        mod.forward_backward(
            mx.io.DataBatch([nd.array(np.abs(wave((4, 6)))), nd.array(wave((4, 2), i))])
        )
        mod.update()
        losses.append(mod.get_outputs()[0].asnumpy().item())
    return short(losses), near(mod.get_params()[0])


def nce_loss():
    def nce(data, label, weight, embed, vocab, hidden, num):
        le = S.Embedding(
            data=label, input_dim=vocab, weight=embed, output_dim=hidden, name="label_embed"
        )
        d = S.Reshape(data=data, shape=(-1, 1, hidden))
        pred = S.sum(data=S.broadcast_mul(d, le), axis=2)
        return S.LogisticRegressionOutput(data=pred, label=weight)

    d = S.Embedding(S.var("data"), input_dim=8, output_dim=3, name="data_embed")
    d = S.sum(d, axis=1)
    net = nce(d, S.var("label"), S.var("label_weight"), S.var("embed_weight"), 8, 3, 4)
    mod = mx.mod.Module(net, data_names=["data", "label"], label_names=["label_weight"])
    mod.bind([("data", (2, 3)), ("label", (2, 4))], [("label_weight", (2, 4))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.5})
    for _ in range(2):
        mod.forward_backward(
            mx.io.DataBatch(
                [nd.array([[0, 1, 2], [3, 4, 5]]), nd.array([[1, 2, 3, 4], [5, 6, 7, 0]])],
                [nd.array([[1, 0, 0, 0], [1, 0, 0, 0]])],
            )
        )
        mod.update()
    return near(mod.get_params()[0]), mod.get_outputs()


def ctc_with_a_module():
    data = S.var("data")
    pred = S.FullyConnected(data, num_hidden=4, flatten=False, name="fc")
    loss = S.MakeLoss(S.contrib.ctc_loss(data=pred, label=S.var("label")), name="ctc")
    mod = mx.mod.Module(
        S.Group([loss, S.BlockGrad(S.softmax(pred, axis=2))]), label_names=["label"]
    )
    mod.bind(
        [mx.io.DataDesc("data", (5, 2, 3), layout="TNC")],
        [mx.io.DataDesc("label", (2, 2), layout="NT")],
    )
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1, "rescale_grad": 1.0})
    out = []
    for _ in range(3):
        mod.forward_backward(
            mx.io.DataBatch([nd.array(wave((5, 2, 3)))], [nd.array([[1, 2], [2, 0]])])
        )
        mod.update()
        out.append(mod.get_outputs()[0].copy())
    return out, near(mod.get_params()[0])


def _single_shot():
    body = S.Activation(
        S.Convolution(S.var("data"), kernel=(3, 3), stride=(2, 2), num_filter=4, name="b"),
        act_type="relu",
    )
    cls = S.Flatten(
        S.transpose(
            S.Convolution(body, kernel=(3, 3), pad=(1, 1), num_filter=3 * 3, name="cls"),
            axes=(0, 2, 3, 1),
        )
    )
    loc = S.Flatten(
        S.transpose(
            S.Convolution(body, kernel=(3, 3), pad=(1, 1), num_filter=3 * 4, name="loc"),
            axes=(0, 2, 3, 1),
        )
    )
    anchors = S.contrib.MultiBoxPrior(body, sizes=(0.3, 0.5), ratios=(1, 2), name="anchors")
    cls = S.transpose(S.Reshape(cls, shape=(0, -1, 3)), axes=(0, 2, 1), name="cls_preds")
    tmp = S.contrib.MultiBoxTarget(
        anchors,
        S.var("label"),
        cls,
        overlap_threshold=0.5,
        negative_mining_ratio=3,
        negative_mining_thresh=0.5,
        name="target",
    )
    prob = S.SoftmaxOutput(
        data=cls,
        label=tmp[2],
        ignore_label=-1,
        use_ignore=True,
        multi_output=True,
        normalization="valid",
        name="cls_prob",
    )
    l1 = S.MakeLoss(
        S.smooth_l1(tmp[1] * (loc - tmp[0]), scalar=1.0),
        grad_scale=1.0,
        normalization="valid",
        name="loc_loss",
    )
    det = S.MakeLoss(
        S.contrib.MultiBoxDetection(prob, loc, anchors, nms_threshold=0.5, name="detection"),
        grad_scale=0,
        name="det_out",
    )
    net = S.Group([prob, l1, S.MakeLoss(tmp[2], grad_scale=0, name="cls_label"), det])
    return net


def ssd_heads():
    net = _single_shot()
    exe = net.simple_bind(mx.cpu(), data=(1, 3, 8, 8), label=(1, 2, 5))
    for i, (name, a) in enumerate(sorted(exe.arg_dict.items())):
        a[:] = wave(a.shape, i, 0.3)
    exe.arg_dict["label"][:] = nd.array([[[0, 0.1, 0.1, 0.5, 0.5], [1, 0.4, 0.4, 0.9, 0.9]]])
    exe.forward(is_train=True)
    exe.backward()
    return (
        net.list_outputs(),
        [o.shape for o in exe.outputs],
        short(exe.outputs[1].asnumpy()),
        exe.outputs[2],
        short(exe.grad_dict["loc_bias"].asnumpy()),
        short(exe.grad_dict["cls_bias"].asnumpy()),
    )


def spatial_transformer():
    data = S.var("data")
    loc = S.FullyConnected(
        S.Flatten(data),
        num_hidden=6,
        name="loc",
        bias=S.var("loc_bias", init="[1.0, 0, 0, 0, 1.0, 0]"),
    )
    net = S.SpatialTransformer(
        data=data, loc=loc, target_shape=(4, 4), transform_type="affine", sampler_type="bilinear"
    )
    exe = net.simple_bind(mx.cpu(), data=(1, 1, 5, 5))
    exe.arg_dict["data"][:] = wave((1, 1, 5, 5))
    exe.arg_dict["loc_bias"][:] = [1, 0.1, 0, 0, 1, -0.1]
    exe.forward(is_train=True)
    exe.backward(nd.ones((1, 1, 4, 4)))
    return exe.outputs, exe.grad_dict["data"], exe.grad_dict["loc_bias"]


PROGRAMS = functions(globals())

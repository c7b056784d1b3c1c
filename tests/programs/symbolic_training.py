"""Programs that train with symbols in unusual ways, schedules, optimizers and contexts."""

from __future__ import annotations

import logging

import mxnet as mx
import numpy as np
from mxnet import nd

from .core import functions, variants
from .symbolic_helpers import S, Waves, digits, mlp, near, short, wave


def _build():
    data = S.Variable("data")
    act = S.Activation(
        S.FullyConnected(data, name="fc1", num_hidden=8), name="relu1", act_type="relu"
    )
    one = S.SoftmaxOutput(S.FullyConnected(act, name="fc3", num_hidden=4), name="softmax1")
    two = S.SoftmaxOutput(S.FullyConnected(act, name="fc4", num_hidden=2), name="softmax2")
    return S.Group([one, two])


class Multi(mx.io.DataIter):
    def __init__(self, inner):
        super().__init__(inner.batch_size)
        self.inner = inner

    @property
    def provide_data(self):
        return self.inner.provide_data

    @property
    def provide_label(self):
        label = self.inner.provide_label[0]
        return [("softmax1_label", label[1]), ("softmax2_label", label[1])]

    def hard_reset(self):
        self.inner.hard_reset()

    def reset(self):
        self.inner.reset()

    def next(self):
        batch = self.inner.next()
        label = batch.label[0]
        return mx.io.DataBatch(
            data=batch.data, label=[label, label % 2], pad=batch.pad, index=batch.index
        )


class MultiAccuracy(mx.metric.EvalMetric):
    def __init__(self, num=None):
        self.num = num
        super().__init__("multi-accuracy")

    def reset(self):
        self.num_inst = [0] * (self.num or 1)
        self.sum_metric = [0.0] * (self.num or 1)

    def reset_local(self):
        self.reset()

    def update(self, labels, preds):
        mx.metric.check_label_shapes(labels, preds)
        for i in range(len(labels)):
            p = mx.nd.argmax_channel(preds[i]).asnumpy().astype("int32")
            l = labels[i].asnumpy().astype("int32")
            self.sum_metric[i] += (p.flat == l.flat).sum()
            self.num_inst[i] += len(p.flat)

    def get(self):
        return zip(
            *(
                ("%s-task%d" % (self.name, i), self.sum_metric[i] / self.num_inst[i])
                for i in range(self.num)
            )
        )

    def get_name_value(self):
        return [(n, float(v)) for n, v in zip(*self.get())]


def multi_task():
    x, y = digits()
    mod = mx.mod.Module(_build(), label_names=("softmax1_label", "softmax2_label"))
    train = Multi(mx.io.NDArrayIter(x, y, 16))
    mod.fit(
        train,
        eval_metric=MultiAccuracy(num=2),
        num_epoch=3,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.3},
    )
    train.reset()
    return (
        mod.score(train, MultiAccuracy(num=2)),
        [o.shape for o in mod.get_outputs()],
        near(mod.get_params()[0]),
    )


def adversarial_pair_of_modules():
    batch, code = 4, 3
    rand = S.Variable("rand")
    gout = S.Activation(
        S.FullyConnected(rand, num_hidden=5, name="g1"), act_type="tanh", name="gout"
    )
    label = S.Variable("label")
    dloss = S.LogisticRegressionOutput(
        S.FullyConnected(S.Variable("data"), num_hidden=1, name="d1"), label, name="dloss"
    )
    G = mx.mod.Module(gout, data_names=("rand",), label_names=None)
    G.bind(data_shapes=[("rand", (batch, code))])
    G.init_params(Waves())
    G.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.05, "beta1": 0.5})
    D = mx.mod.Module(dloss, data_names=("data",), label_names=("label",))
    D.bind(
        data_shapes=[("data", (batch, 5))],
        label_shapes=[("label", (batch, 1))],
        inputs_need_grad=True,
    )
    D.init_params(Waves())
    D.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.05, "beta1": 0.5})
    metric = mx.metric.CustomMetric(lambda l, p: ((p > 0.5) == l).mean(), name="facc")
    label = nd.zeros((batch, 1))
    for t in range(4):
        noise = mx.io.DataBatch([nd.array(wave((batch, code), t))], [])
        G.forward(noise, is_train=True)
        out = G.get_outputs()
        label[:] = 0
        D.forward(mx.io.DataBatch(out, [label]), is_train=True)
        D.backward()
        gradD = [[g.copyto(g.context) for g in grads] for grads in D._exec_group.grad_arrays]
        D.update_metric(metric, [label])
        label[:] = 1
        D.forward(mx.io.DataBatch([nd.array(wave((batch, 5), t + 2))], [label]), is_train=True)
        D.backward()
        for gradsr, gradsf in zip(D._exec_group.grad_arrays, gradD):
            for gr, gf in zip(gradsr, gradsf):
                gr += gf
        D.update()
        label[:] = 1
        D.forward(mx.io.DataBatch(out, [label]), is_train=True)
        D.backward()
        diff = D.get_input_grads()
        G.backward(diff)
        G.update()
    return (
        near(G.get_params()[0]),
        near(D.get_params()[0]),
        short(diff[0].asnumpy()),
        np.float16(metric.get()[1]),
    )


def neural_style_with_bind():
    def body():
        data = S.Variable("data")
        c1 = S.Activation(
            S.Convolution(data, num_filter=3, kernel=(3, 3), pad=(1, 1), name="conv1"),
            act_type="relu",
            name="relu1",
        )
        p = S.Pooling(c1, kernel=(2, 2), stride=(2, 2), pool_type="avg")
        c2 = S.Activation(
            S.Convolution(p, num_filter=4, kernel=(3, 3), pad=(1, 1), name="conv2"),
            act_type="relu",
            name="relu2",
        )
        return S.Group([c1, c2]), c2

    style, content = body()
    size = (1, 3, 8, 8)

    def gram(symbol):
        _, shapes, _ = symbol.infer_shape(data=size)
        grams, scale = [], []
        for i, shape in enumerate(shapes):
            x = S.Reshape(symbol[i], target_shape=(int(shape[1]), int(np.prod(shape[2:]))))
            grams.append(S.FullyConnected(x, x, no_bias=True, num_hidden=shape[1]))
            scale.append(np.prod(shape[1:]) * shape[1])
        return S.Group(grams), scale

    g, scale = gram(style)
    loss = []
    for i in range(2):
        loss.append(S.sum(S.square(g[i] - S.Variable("target_gram_%d" % i))))
    total = S.Group([S.Group(loss), S.sum(S.square(content - S.Variable("target_content")))])
    arg_names = total.list_arguments()
    shapes = dict(zip(arg_names, total.infer_shape(data=size)[0]))
    args = {k: nd.array(wave(v, i, 0.3)) for i, (k, v) in enumerate(sorted(shapes.items()))}
    grads = {"data": nd.zeros(size)}
    reqs = ["write" if n == "data" else "null" for n in arg_names]
    ex = total.bind(mx.cpu(), args=args, args_grad=grads, grad_req=reqs)
    opt = mx.optimizer.create("sgd", learning_rate=0.001)
    state = opt.create_state(0, args["data"])
    hist = []
    for e in range(3):
        ex.forward(is_train=True)
        ex.backward([nd.ones(o.shape) * w for o, w in zip(ex.outputs, (1.0, 0.5, 2.0))])
        opt.update(0, ex.arg_dict["data"], grads["data"], state)
        hist.append(short([o.asnumpy().item() for o in ex.outputs]))
    return shapes, hist, short(grads["data"].asnumpy()[0, 0, :2])


def neural_style_total_variation_by_convolution():
    img = S.Variable("img")
    kernel_weight = S.Variable("kernel")
    channels = S.SliceChannel(img, num_outputs=3)
    out = (
        S.Concat(
            *[
                S.Convolution(
                    data=channels[i],
                    weight=kernel_weight,
                    num_filter=1,
                    kernel=(3, 3),
                    pad=(1, 1),
                    no_bias=True,
                    stride=(1, 1),
                )
                for i in range(3)
            ]
        )
        * 0.1
    )
    kernel = nd.array([[0, -1, 0], [-1, 4, -1], [0, -1, 0]]).reshape((1, 1, 3, 3)) / 8.0
    ex = out.bind(mx.cpu(), args={"img": nd.array(wave((1, 3, 4, 4))), "kernel": kernel})
    return ex.forward(), out.list_arguments()


def autoencoder_with_bind():
    data, label = S.Variable("data"), S.Variable("label")

    def block(x, i, n, act=True):
        x = S.FullyConnected(
            x, weight=S.Variable("w%d" % i), bias=S.Variable("b%d" % i), num_hidden=n
        )
        return S.Activation(x, act_type="sigmoid") if act else x

    net = S.LinearRegressionOutput(block(block(data, 0, 3), 1, 6, False), label, grad_scale=0.5)
    shapes = net.infer_shape(data=(5, 6))[0]
    names = net.list_arguments()
    args = {n: nd.array(wave(s, i, 0.5)) for i, (n, s) in enumerate(zip(names, shapes))}
    args["label"] = args["data"]
    grad = {n: nd.zeros(s) for n, s in zip(names, shapes) if n not in ("data", "label")}
    ex = net.bind(mx.cpu(), args, grad, {n: "write" if n in grad else "null" for n in names})
    losses = []
    for _ in range(30):
        ex.forward(is_train=True)
        losses.append(float(((ex.outputs[0] - args["data"]) ** 2).mean().asscalar()))
        ex.backward()
        for n in grad:
            args[n] -= 0.1 * grad[n]
    ex.forward(is_train=False)
    return short([losses[0], losses[10], losses[-1]]), short(ex.outputs[0].asnumpy())


def reinforce_with_a_module():
    state = S.Variable("data")
    h = S.Activation(S.FullyConnected(state, num_hidden=6, name="fc1"), act_type="relu")
    policy = S.SoftmaxActivation(S.FullyConnected(h, num_hidden=3, name="policy"), name="p")
    value = S.FullyConnected(h, num_hidden=1, name="value")
    log = S.log(S.clip(policy, 1e-5, 1 - 1e-5))
    entropy = S.sum(policy * log, axis=1)
    net = S.Group(
        [
            S.BlockGrad(policy, name="out_policy"),
            S.log(policy, name="logp"),
            S.LinearRegressionOutput(value, S.Variable("value_label"), name="vloss"),
            S.MakeLoss(entropy, grad_scale=0.01, name="ent"),
        ]
    )
    mod = mx.mod.Module(net, label_names=["value_label"])
    mod.bind([("data", (4, 5))], [("value_label", (4, 1))], grad_req="add")
    mod.init_params(Waves())
    mod.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.1})
    rewards = nd.array([[1.0], [0.5], [-0.5], [0.2]])
    for step in range(3):
        mod.forward(mx.io.DataBatch([nd.array(wave((4, 5), step))], [rewards]), is_train=True)
        probs = mod.get_outputs()[0]
        actions = nd.argmax(probs, axis=1)
        hot = nd.one_hot(actions, 3)
        advantage = rewards - mod.get_outputs()[2]
        mod.backward([nd.zeros((4, 3)), -hot * advantage])
    mod.update()
    return mod.output_names, near(mod.get_params()[0]), short(probs.asnumpy())


def matrix_factorization_with_module():
    def build(users, items, k):
        user, item, score = S.Variable("user"), S.Variable("item"), S.Variable("score")
        u = S.Embedding(data=user, input_dim=users, output_dim=k, name="u")
        v = S.Embedding(data=item, input_dim=items, output_dim=k, name="v")
        pred = S.Flatten(S.sum_axis(u * v, axis=1))
        return S.LinearRegressionOutput(data=pred, label=score)

    net = build(6, 5, 3)
    rng = np.random.RandomState(1)
    u, i = rng.randint(0, 6, 40), rng.randint(0, 5, 40)
    s = ((u * i) % 4).astype("float32")
    it = mx.io.NDArrayIter({"user": u, "item": i}, {"score": s}, 8)
    mod = mx.mod.Module(net, data_names=["user", "item"], label_names=["score"])
    mod.fit(
        it,
        num_epoch=4,
        eval_metric=mx.metric.RMSE(),
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.3, "momentum": 0.5, "wd": 1e-3},
    )
    return (
        net.list_arguments(),
        it.provide_data[0].name,
        near(mod.get_params()[0]),
        [(k, np.float16(v)) for k, v in mod.score(it, "rmse")],
    )


def factorization_machine():
    x = S.Variable("data")
    w, v = S.Variable("w"), S.Variable("v", shape=(6, 3))
    linear = S.dot(x, w)
    square_of_sum = S.square(S.dot(x, v))
    sum_of_square = S.dot(S.square(x), S.square(v))
    cross = 0.5 * S.sum(square_of_sum - sum_of_square, axis=1, keepdims=True)
    net = S.LogisticRegressionOutput(
        S.broadcast_add(linear, S.Variable("b", shape=(1,)).reshape((1, 1))) + cross,
        S.Variable("label"),
    )
    exe = net.simple_bind(mx.cpu(), data=(4, 6), w=(6, 1), label=(4, 1))
    for k, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, k)
    exe.forward(is_train=True)
    exe.backward()
    return exe.outputs, {k: exe.grad_dict[k] for k in ("w", "v", "b")}


def svm_output_in_a_module():
    x, y = digits()
    net = S.SVMOutput(
        S.FullyConnected(S.var("data"), num_hidden=4, name="fc"),
        name="svm",
        use_linear=False,
        regularization_coefficient=0.5,
    )
    mod = mx.mod.Module(net, label_names=["svm_label"])
    it = mx.io.NDArrayIter(x, y, 16, label_name="svm_label")
    mod.fit(
        it,
        num_epoch=3,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.02, "momentum": 0.9, "wd": 0.001},
    )
    return [(k, np.float16(v)) for k, v in mod.score(it, "acc")], near(mod.get_params()[0])


def svm_with_the_linear_loss():
    x, y = digits()
    net = S.SVMOutput(
        S.FullyConnected(S.var("data"), num_hidden=4, name="fc"),
        name="svm",
        use_linear=True,
        regularization_coefficient=0.5,
    )
    mod = mx.mod.Module(net, label_names=["svm_label"])
    it = mx.io.NDArrayIter(x, y, 16, label_name="svm_label")
    mod.fit(
        it,
        num_epoch=3,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.02, "momentum": 0.9, "wd": 0.001},
    )
    return [(k, np.float16(v)) for k, v in mod.score(it, "acc")], near(mod.get_params()[0])


def monitor_weights_in_fit():
    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())

    log, handler = logging.getLogger(), Keep()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    x, y = digits()
    norm = lambda d: mx.nd.norm(d) / np.sqrt(d.size)
    mon = mx.mon.Monitor(2, norm, pattern=".*weight", sort=True)
    mod = mx.mod.Module(mlp())
    mod.fit(mx.io.NDArrayIter(x, y, 16), num_epoch=1, monitor=mon, initializer=Waves())
    log.removeHandler(handler)
    log.setLevel(level)
    kept = [line.split() for line in lines if line.startswith("Batch")]
    return [(w[1], w[2], np.float16(w[3])) for w in kept]


def speedometer_and_progress_in_fit():
    lines = []

    class Keep(logging.Handler):
        def emit(self, record):
            lines.append(record.getMessage())

    log, handler = logging.getLogger(), Keep()
    level = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    x, y = digits()
    mod = mx.mod.Module(mlp())
    mod.fit(
        mx.io.NDArrayIter(x, y, 8),
        num_epoch=2,
        initializer=Waves(),
        batch_end_callback=[
            mx.callback.Speedometer(8, 3),
            mx.callback.ProgressBar(8),
            mx.callback.log_train_metric(4),
        ],
        eval_data=mx.io.NDArrayIter(x, y, 8),
        eval_end_callback=mx.callback.LogValidationMetricsCallback(),
    )
    log.removeHandler(handler)
    log.setLevel(level)
    import re

    return [
        re.sub(r"[0-9.]+ samples", "N samples", re.sub(r"cost=.*", "cost", line)) for line in lines
    ]


def module_with_a_work_load():
    x, y = digits(48)
    mod = mx.mod.Module(mlp(), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1, 2])
    mod.fit(mx.io.NDArrayIter(x, y, 12), num_epoch=2, initializer=Waves())
    return near(mod.get_params()[0]), [str(s) for s in mod._exec_group.slices]


def _scheduled(make):
    x, y = digits()
    schedule = make()
    mod = mx.mod.Module(mlp())
    rates = []
    mod.fit(
        mx.io.NDArrayIter(x, y, 16),
        num_epoch=3,
        initializer=Waves(),
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.4, "lr_scheduler": schedule},
        batch_end_callback=lambda p: rates.append(round(p.locals["self"]._optimizer._get_lr(0), 5)),
    )
    return rates, near(mod.get_params()[0]), schedule.base_lr


class Reciprocal(mx.lr_scheduler.LRScheduler):
    def __call__(self, n):
        return self.base_lr / n


_SCHEDULES = {
    "factor": lambda: mx.lr_scheduler.FactorScheduler(step=3, factor=0.5, stop_factor_lr=0.05),
    "several_factors": lambda: mx.lr_scheduler.MultiFactorScheduler(
        step=[2, 6, 9], factor=0.1, base_lr=0.3
    ),
    "polynomial": lambda: mx.lr_scheduler.PolyScheduler(max_update=10, base_lr=0.3, pwr=2),
    "cosine_after_a_warm_up": lambda: mx.lr_scheduler.CosineScheduler(
        10, base_lr=0.3, final_lr=0.01, warmup_steps=3, warmup_begin_lr=0.05
    ),
    "of_your_own": Reciprocal,
}


def _optimized(name, options):
    x, y = digits()
    mod = mx.mod.Module(mlp())
    mod.fit(
        mx.io.NDArrayIter(x, y, 16),
        num_epoch=2,
        initializer=Waves(),
        optimizer=name,
        optimizer_params=options,
    )
    return near(mod.get_params()[0])


_OPTIMIZERS: dict[str, dict[str, float]] = {
    "sgd": {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.01, "clip_gradient": 0.5},
    "nag": {"learning_rate": 0.1, "momentum": 0.9},
    "adam": {"learning_rate": 0.01},
    "rmsprop": {"learning_rate": 0.01},
    "adagrad": {"learning_rate": 0.1},
    "adadelta": {},
    "ftrl": {"learning_rate": 0.1},
    "signum": {"learning_rate": 0.01},
    "ftml": {"learning_rate": 0.01},
    "nadam": {"learning_rate": 0.01},
    "adamax": {},
    "dcasgd": {},
    "lamb": {},
    "lars": {"learning_rate": 0.1},
}


def _on_contexts(count):
    x, y = digits(48)
    options = {"learning_rate": 0.3, "momentum": 0.9}
    mod = mx.mod.Module(mlp(), context=[mx.cpu(i) for i in range(count)])
    mod.fit(
        mx.io.NDArrayIter(x, y, 12),
        num_epoch=3,
        initializer=Waves(),
        kvstore="local",
        optimizer_params=options,
    )
    one = mx.mod.Module(mlp())
    one.fit(mx.io.NDArrayIter(x, y, 12), num_epoch=3, initializer=Waves(), optimizer_params=options)
    same = all(
        np.allclose(a.asnumpy(), one.get_params()[0][k].asnumpy(), atol=1e-4)
        for k, a in mod.get_params()[0].items()
    )
    return (
        near(mod.get_params()[0]),
        same,
        mod.get_outputs()[0].shape,
        len(mod.get_outputs(merge_multi_context=False)[0]),
    )


PROGRAMS = {
    **functions(globals()),
    **variants("schedule", _scheduled, {name: {"make": make} for name, make in _SCHEDULES.items()}),
    **variants(
        "optimizer",
        _optimized,
        {name: {"name": name, "options": options} for name, options in _OPTIMIZERS.items()},
    ),
    **variants("contexts", _on_contexts, {str(count): {"count": count} for count in (2, 3)}),
}

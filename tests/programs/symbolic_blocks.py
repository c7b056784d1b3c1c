"""Programs where symbols meet Gluon, files, data iterators, monitors and names."""

from __future__ import annotations

import json
import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions
from .symbolic_helpers import S, Waves, digits, mlp, near, short, wave


def a_block_with_a_symbol_inside():
    class Both(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.w = self.params.get("w", shape=(3, 0), allow_deferred_init=True)
                self.scale = self.params.get_constant("scale", nd.array([2.0]))

        def hybrid_forward(self, F, x, w, scale):
            return F.broadcast_mul(F.FullyConnected(x, w, num_hidden=3, no_bias=True), scale)

    net = Both(prefix="both_")
    net.initialize(mx.init.One())
    net.hybridize()
    y = net(nd.array(wave((2, 4))))
    out = net(S.var("data"))
    return y, out.list_arguments(), net.w.shape


def several_inputs_and_nested_outputs():
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, a, bs):
            b, c = bs
            return [a + b, [b * c, (a - c, c)]]

    net = Net()
    ins = nd.ones(2), [nd.ones(2) * 2, nd.ones(2) * 3]
    eager = net(*ins)
    net.hybridize()
    return eager, net(*ins), net(*ins)


def casting_a_hybridized_net(folder):
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(3, in_units=2), mx.gluon.nn.BatchNorm(in_channels=3))
    net.initialize(mx.init.One())
    net.hybridize()
    a = net(nd.ones((1, 2)))
    net.cast("float64")
    b = net(nd.ones((1, 2), dtype="float64"))
    net.export(folder + "/n")
    s = mx.sym.load(folder + "/n-symbol.json")
    return (
        a,
        b,
        {k: v.get("__dtype__") for k, v in sorted(s.attr_dict().items())},
        {k: v.dtype for k, v in nd.load(folder + "/n-0000.params").items()},
    )


def export_before_a_call(folder):
    net = mx.gluon.nn.Dense(3, in_units=2)
    net.initialize()
    net.hybridize()
    return net.export(folder + "/n")


def export_without_hybridize(folder):
    net = mx.gluon.nn.Dense(3, in_units=2)
    net.initialize()
    net(nd.ones((1, 2)))
    return net.export(folder + "/n")


def symbol_of_a_block_that_is_not_hybrid():
    class Plain(mx.gluon.Block):
        def forward(self, x):
            return x * 2

    return Plain()(S.var("x")).list_outputs()


def autograd_get_symbol():
    x = nd.ones((2, 2))
    x.attach_grad()
    with autograd.record():
        y = nd.relu(x * 2 + 1).sum()
    s = autograd.get_symbol(y)
    return (
        len(s.list_arguments()),
        [n["op"] for n in json.loads(s.tojson())["nodes"]],
        len(s.list_outputs()),
    )


def sequences_of_hybrid_children_called_alone():
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(3, activation="relu"), mx.gluon.nn.Dense(2))
    net.initialize(Waves())
    net.hybridize()
    x = nd.array(wave((2, 4)))
    return (
        net(x),
        net[0](x),
        net[1](net[0](x)),
        len(net),
        net[0:1](x) if hasattr(net[0:1], "__call__") else None,
        [type(c).__name__ for c in net],
    )


def summary_and_repr_of_a_net():
    import contextlib
    import io as _io

    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(
            mx.gluon.nn.Conv2D(2, 3, in_channels=1), mx.gluon.nn.MaxPool2D(), mx.gluon.nn.Dense(2)
        )
    net.initialize()
    out = _io.StringIO()
    with contextlib.redirect_stdout(out):
        net.summary(nd.ones((1, 1, 8, 8)))
    return repr(net), out.getvalue()


def symbolblock_with_labels_as_parameters_left_out(folder):
    block = mx.gluon.SymbolBlock(mlp().get_internals()["fc2_output"], S.var("data"), params=None)
    block.initialize(Waves())
    y = block(nd.array(wave((2, 8))))
    block.save_parameters(folder + "/p")
    return y, sorted(nd.load(folder + "/p")), block.name[:11], sorted(block.params.keys())


def symbolblock_imports_with_allow_missing(folder):
    mlp().save(folder + "/s.json")
    nd.save(folder + "/s.params", {"arg:fc1_weight": nd.ones((8, 8)), "arg:extra": nd.ones(2)})
    found = []
    for options in (
        {},
        {"allow_missing": True},
        {"ignore_extra": True},
        {"allow_missing": True, "ignore_extra": True},
    ):
        try:
            b = mx.gluon.SymbolBlock.imports(
                folder + "/s.json", ["data", "softmax_label"], folder + "/s.params", **options
            )
            found.append(sorted(b.collect_params().keys()))
        except Exception as error:
            found.append(isinstance(error, AssertionError))
    return found


def symbolblock_imports_of_a_missing_input(folder):
    mlp().save(folder + "/s.json")
    b = mx.gluon.SymbolBlock.imports(folder + "/s.json", ["nothing"])
    return sorted(b.collect_params().keys())


def symbolblock_without_parameters_file(folder):
    mlp().save(folder + "/s.json")
    b = mx.gluon.SymbolBlock.imports(folder + "/s.json", ["data", "softmax_label"])
    b.initialize(Waves())
    return b(nd.array(wave((2, 8))), nd.zeros(2)), [
        (k, p.shape) for k, p in b.collect_params().items()
    ]


def sharing_parameters_between_a_symbol_and_a_net():
    net = mx.gluon.nn.Dense(3, in_units=4, prefix="d_")
    net.initialize(Waves())
    out = net(S.var("data"))
    args = {k: v.data() for k, v in net.collect_params().items()}
    exe = out.bind(mx.cpu(), dict(args, data=nd.array(wave((2, 4)))))
    a = exe.forward()[0].copy()
    net.weight.set_data(nd.ones((3, 4)))
    return a, net(nd.array(wave((2, 4))))


def load_checkpoint_of_other_prefixes(folder):
    nd.save(folder + "/m-0007.params", {"arg:a_weight": nd.ones(2), "aux:mean": nd.zeros(1)})
    mlp().save(folder + "/m-symbol.json")
    sym, args, aux = mx.model.load_checkpoint(folder + "/m", 7)
    a2, x2 = mx.model.load_params(folder + "/m", 7)
    return sorted(args), sorted(aux), sym.name, sorted(a2), sorted(x2)


def save_checkpoint_with_remove_amp_cast(folder):
    net = S.FullyConnected(S.amp_cast(S.var("data"), dtype="float16"), num_hidden=2, name="f")
    mx.model.save_checkpoint(folder + "/m", 1, net, {"w": nd.ones(1)}, {}, remove_amp_cast=True)
    a = S.load(folder + "/m-symbol.json").get_internals().list_outputs()
    mx.model.save_checkpoint(folder + "/m", 2, net, {"w": nd.ones(1)}, {}, remove_amp_cast=False)
    b = S.load(folder + "/m-symbol.json").get_internals().list_outputs()
    return a, b, sorted(os.listdir(folder))


def save_checkpoint_without_a_symbol(folder):
    mx.model.save_checkpoint(folder + "/m", 12345, None, {"w": nd.ones(1)}, {"s": nd.ones(1)})
    return sorted(os.listdir(folder)), sorted(nd.load(folder + "/m-12345.params"))


def load_of_a_missing_checkpoint(folder):
    return mx.model.load_checkpoint(folder + "/nothing", 1)


def module_loaded_and_bound_for_other_shapes(folder):
    m = mx.mod.Module(mlp())
    m.bind([("data", (2, 8))], [("softmax_label", (2,))])
    m.init_params(Waves())
    m.save_checkpoint(folder + "/m", 1)
    n = mx.mod.Module.load(folder + "/m", 1, context=mx.cpu(1), label_names=None)
    n.bind([("data", (5, 8))], for_training=False)
    n.forward(mx.io.DataBatch([nd.array(wave((5, 8)))], None))
    return n.get_outputs(), n.label_names, [str(d) for d in n.data_shapes]


def predict_with_several_outputs():
    inner = mlp().get_internals()
    m = mx.mod.Module(S.Group([S.BlockGrad(inner["fc1_output"] * 1), inner["softmax_output"]]))
    it = mx.io.NDArrayIter(wave((5, 8)), np.zeros(5), 2)
    m.bind(it.provide_data, it.provide_label, for_training=False)
    m.init_params(Waves())
    a = m.predict(it)
    b = m.predict(it, merge_batches=False)
    return [x.shape for x in a], [[o.shape for o in p] for p in b]


def update_metric_with_output_and_label_names():
    inner = mlp().get_internals()
    net = S.Group([inner["softmax_output"], S.BlockGrad(inner["fc1_output"], name="feat")])
    m = mx.mod.Module(net)
    x, y = digits(16)
    it = mx.io.NDArrayIter(x, y, 8)
    m.bind(it.provide_data, it.provide_label)
    m.init_params(Waves())
    metric = mx.metric.Accuracy(output_names=["softmax_output"], label_names=["softmax_label"])
    return [(k, np.float16(v)) for k, v in m.score(it, metric)]


def a_data_iterator_of_your_own():
    class Simple(mx.io.DataIter):
        def __init__(self):
            super().__init__(4)
            self.cur = 0

        @property
        def provide_data(self):
            return [mx.io.DataDesc("data", (4, 8))]

        @property
        def provide_label(self):
            return [mx.io.DataDesc("softmax_label", (4,))]

        def reset(self):
            self.cur = 0

        def next(self):
            if self.cur >= 3:
                raise StopIteration
            self.cur += 1
            return mx.io.DataBatch(
                [nd.array(wave((4, 8), self.cur))], [nd.array([0, 1, 2, 3])], pad=0
            )

    m = mx.mod.Module(mlp())
    m.fit(Simple(), num_epoch=2, initializer=Waves(), eval_metric="ce")
    return near(m.get_params()[0]), [b.data[0].shape for b in Simple()], m.predict(Simple()).shape


def resized_and_prefetched_iterators_in_fit():
    x, y = digits(32)
    it = mx.io.ResizeIter(mx.io.NDArrayIter(x, y, 8), 6)
    m = mx.mod.Module(mlp())
    count = []
    m.fit(
        mx.io.PrefetchingIter(it),
        num_epoch=2,
        initializer=Waves(),
        batch_end_callback=lambda p: count.append(p.nbatch),
    )
    return count, near({"b": m.get_params()[0]["fc2_bias"]})


def csv_iterator_in_fit(folder):
    x, y = digits(12)
    np.savetxt(folder + "/x.csv", x, delimiter=",")
    np.savetxt(folder + "/y.csv", y, delimiter=",")
    it = mx.io.CSVIter(
        data_csv=folder + "/x.csv",
        data_shape=(8,),
        label_csv=folder + "/y.csv",
        label_shape=(1,),
        batch_size=4,
    )
    m = mx.mod.Module(
        mlp(), label_names=["label"] if it.provide_label[0].name == "label" else ["softmax_label"]
    )
    return (
        it.provide_data[0].name,
        it.provide_label[0].name,
        it.provide_label[0].shape,
        [b.data[0].shape for b in it],
    )


def weights_tied_through_an_embedding():
    w = S.var("embed_weight", shape=(6, 4))
    e = S.Embedding(S.var("data"), weight=w, input_dim=6, output_dim=4, name="embed")
    out = S.FullyConnected(
        S.Reshape(e, shape=(-1, 4)), weight=w, num_hidden=6, no_bias=True, name="dec"
    )
    net = S.SoftmaxOutput(out, S.Reshape(S.var("softmax_label"), shape=(-1,)), name="softmax")
    m = mx.mod.Module(net)
    m.bind([("data", (2, 3))], [("softmax_label", (2, 3))])
    m.init_params(Waves())
    m.init_optimizer(optimizer_params={"learning_rate": 0.5})
    for _ in range(3):
        m.forward_backward(
            mx.io.DataBatch([nd.array([[0, 1, 2], [3, 4, 5]])], [nd.array([[1, 2, 3], [4, 5, 0]])])
        )
        m.update()
    return net.list_arguments(), near(m.get_params()[0])


def unrolled_gru_with_attention():
    T, N, C, H = 3, 2, 4, 3
    cell = mx.rnn.GRUCell(H, prefix="g_")
    outs, _ = cell.unroll(T, S.var("data"), layout="NTC", merge_outputs=True)
    query = S.FullyConnected(
        S.slice_axis(outs, axis=1, begin=T - 1, end=T).reshape((0, -1)), num_hidden=H, name="q"
    )
    scores = S.batch_dot(outs, S.expand_dims(query, axis=2))
    att = S.softmax(scores, axis=1)
    ctx = S.sum(S.broadcast_mul(outs, att), axis=1)
    net = S.LinearRegressionOutput(S.FullyConnected(ctx, num_hidden=1, name="o"), S.var("label"))
    exe = net.simple_bind(mx.cpu(), data=(N, T, C), label=(N, 1))
    for i, (k, a) in enumerate(sorted(exe.arg_dict.items())):
        a[:] = wave(a.shape, i)
    exe.forward(is_train=True)
    exe.backward()
    return (
        exe.outputs,
        short(exe.grad_dict["g_i2h_weight"].asnumpy()),
        short(exe.grad_dict["q_weight"].asnumpy()),
    )


def residual_network_of_symbols():
    def unit(data, n, name, match):
        b = S.BatchNorm(data, fix_gamma=False, eps=2e-5, momentum=0.9, name=name + "_bn1")
        a = S.Activation(b, act_type="relu", name=name + "_relu1")
        c = S.Convolution(
            a,
            num_filter=n,
            kernel=(3, 3),
            pad=(1, 1),
            no_bias=True,
            workspace=256,
            name=name + "_conv1",
        )
        s = (
            data
            if match
            else S.Convolution(a, num_filter=n, kernel=(1, 1), no_bias=True, name=name + "_sc")
        )
        return c + s

    net = S.var("data")
    net = S.BatchNorm(net, fix_gamma=True, eps=2e-5, name="bn_data")
    for i in range(3):
        net = unit(net, 4, "u%d" % i, i > 0)
    net = S.Pooling(net, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    net = S.SoftmaxOutput(
        S.FullyConnected(S.Flatten(net), num_hidden=3, name="fc1"), name="softmax"
    )
    m = mx.mod.Module(net)
    m.bind([("data", (2, 3, 6, 6))], [("softmax_label", (2,))])
    m.init_params(Waves())
    m.init_optimizer(
        optimizer="nag", optimizer_params={"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-4}
    )
    for _ in range(2):
        m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 3, 6, 6)))], [nd.array([0, 2])]))
        m.update()
    a, x = m.get_params()
    return (
        net.list_auxiliary_states(),
        near({k: a[k] for k in ("fc1_bias", "u1_bn1_beta", "bn_data_gamma")}),
        short(m.get_outputs()[0].asnumpy()),
    )


def fixed_parameters_of_a_net():
    net = mlp()
    m = mx.mod.Module(
        net, fixed_param_names=[n for n in net.list_arguments() if n.startswith("fc1")]
    )
    x, y = digits()
    m.fit(
        mx.io.NDArrayIter(x, y, 16),
        num_epoch=2,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.5},
    )
    start = wave((8, 8), len("fc1_weight") % 7, 0.5)
    return (
        bool((m.get_params()[0]["fc1_weight"].asnumpy() == start).all()),
        near({k: v for k, v in m.get_params()[0].items() if "fc2" in k}),
        [g[0] is None for g in m._exec_group.grad_arrays],
        m._exec_group.param_names,
    )


def frozen_layers_by_lr_mult():
    data = S.var("data")
    net = S.FullyConnected(data, num_hidden=8, name="fc1", attr={"lr_mult": "0"})
    net = S.SoftmaxOutput(S.FullyConnected(net, num_hidden=4, name="fc2"), name="softmax")
    m = mx.mod.Module(net)
    x, y = digits()
    m.fit(
        mx.io.NDArrayIter(x, y, 16),
        num_epoch=2,
        initializer=Waves(),
        optimizer_params={"learning_rate": 0.5},
    )
    start = wave((8, 8), len("fc1_weight") % 7, 0.5)
    return (
        bool(np.allclose(m.get_params()[0]["fc1_weight"].asnumpy(), start)),
        near({"b": m.get_params()[0]["fc2_bias"]}),
        sorted(m._optimizer.lr_mult.items()),
        sorted(m._optimizer.wd_mult.items()),
    )


def logged_parameters_of_an_optimizer_through_set_lr_mult():
    m = mx.mod.Module(mlp())
    m.bind([("data", (2, 8))], [("softmax_label", (2,))])
    m.init_params(Waves())
    opt = mx.optimizer.SGD(
        learning_rate=0.1, param_idx2name={i: n for i, n in enumerate(m._param_names)}
    )
    opt.set_lr_mult({"fc1_weight": 0.0})
    opt.set_wd_mult({"fc2_weight": 3.0})
    m.init_optimizer(optimizer=opt)
    m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 8)))], [nd.array([0, 1])]))
    m.update()
    return near(m.get_params()[0]), sorted(opt.wd_mult.items())


def installing_a_monitor_on_a_module():
    m = mx.mod.Module(mlp())
    m.bind([("data", (2, 8))], [("softmax_label", (2,))])
    m.init_params(Waves())
    mon = mx.mon.Monitor(
        1,
        stat_func=lambda a: nd.norm(a),
        pattern="fc[12]_(output|weight)|softmax_output",
        sort=True,
    )
    m.install_monitor(mon)
    mon.tic()
    m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 8)))], [nd.array([0, 1])]))
    return [(n, k, np.float16(v.strip())) for n, k, v in mon.toc()]


def group_of_an_inner_output_and_a_loss():
    inner = mlp().get_internals()
    net = S.Group([mlp(), inner["fc1_output"]])
    return net.list_outputs(), net.list_arguments()


def partial_forward_by_hand():
    net = mlp()
    exe = net.simple_bind(mx.cpu(), data=(2, 8))
    for i, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, i)
    found = {}
    inner = net.get_internals()
    for name in inner.list_outputs():
        if name.endswith("_output"):
            s = inner[name]
            found[name] = s.eval(**{k: exe.arg_dict[k] for k in s.list_arguments()})[0]
    return found


def deep_copy_keeps_a_net_apart():
    import copy

    a = S.FullyConnected(S.var("data"), num_hidden=2, name="f")
    b = copy.deepcopy(a)
    a._set_attr(__mood__="x")
    return a.attr("__mood__"), b.attr("__mood__"), b.list_arguments(), (a + b).list_arguments()


def name_managers_nest_and_restore():
    found = []
    with mx.name.NameManager():
        found.append(S.relu(S.var("x")).name)
        with mx.name.Prefix("a_"):
            found.append(S.relu(S.var("x")).name)
            with mx.name.NameManager():
                found.append(S.relu(S.var("x")).name)
            found.append(S.relu(S.var("x")).name)
        found.append(S.relu(S.var("x")).name)
    return found


def a_name_manager_of_your_own():
    class Upper(mx.name.NameManager):
        def get(self, name, hint):
            return super().get(name, hint).upper()

    with Upper():
        s = S.FullyConnected(S.var("x"), num_hidden=1) + 1
    return s.list_arguments(), s.name


def gluon_names_inside_a_prefix():
    with mx.name.Prefix("p_"):
        net = mx.gluon.nn.HybridSequential()
        with net.name_scope():
            net.add(mx.gluon.nn.Dense(2))
        out = net(S.var("data"))
    return [n.split("_", 1)[1] for n in out.list_arguments()[1:]], out.name.split("_", 1)[1]


def attributes_reach_gluons_nodes():
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            with mx.AttrScope(__tag__="t"):
                return F.relu(x) + 1

    out = Net(prefix="n_")(S.var("data"))
    return {k: sorted(v.items()) for k, v in sorted(out.attr_dict().items())}, out.list_outputs()


def linear_regression_the_old_way():
    rng = np.random.RandomState(0)
    X = rng.rand(40, 2).astype("float32")
    Yv = X.dot([[2.0], [-3.4]]).astype("float32") + 4.2
    it = mx.io.NDArrayIter(X, Yv, 10, shuffle=False, label_name="lin_reg_label")
    net = S.LinearRegressionOutput(
        S.FullyConnected(S.Variable("data"), name="fc1", num_hidden=1),
        S.Variable("lin_reg_label"),
        name="lro",
    )
    m = mx.mod.Module(net, data_names=["data"], label_names=["lin_reg_label"])
    m.fit(
        it,
        it,
        optimizer_params={"learning_rate": 0.3, "momentum": 0.5},
        num_epoch=10,
        eval_metric="mse",
        initializer=mx.init.Zero(),
    )
    return (
        near(m.get_params()[0]),
        [(k, np.float16(v)) for k, v in m.score(it, ["mse", "mae", "rmse"])],
        short(m.predict(it)[:3].asnumpy()),
    )


def logistic_regression_on_two_classes():
    x, y = digits(40, 2)
    net = S.LogisticRegressionOutput(
        S.FullyConnected(S.var("data"), num_hidden=1, name="fc"), name="softmax"
    )
    m = mx.mod.Module(net)
    it = mx.io.NDArrayIter(x, y.reshape(-1, 1), 10)
    m.fit(
        it,
        num_epoch=3,
        initializer=Waves(),
        optimizer="adam",
        optimizer_params={"learning_rate": 0.1},
        eval_metric=mx.metric.create(lambda l, p: float(((p > 0.5) == l).mean())),
    )
    return near(m.get_params()[0])


def python_loss_module_at_the_end_of_a_chain():

    net = S.FullyConnected(S.var("data"), num_hidden=4, name="fc")
    seq = mx.mod.SequentialModule()
    seq.add(mx.mod.Module(net, label_names=None))
    seq.add(
        mx.mod.PythonLossModule(
            grad_func=lambda scores, labels: nd.softmax(scores) - nd.one_hot(labels, 4)
        ),
        take_labels=True,
        auto_wiring=True,
    )
    x, y = digits()
    it = mx.io.NDArrayIter(x, y, 16)
    seq.fit(it, num_epoch=3, initializer=Waves(), optimizer_params={"learning_rate": 0.3})
    return near(seq.get_params()[0]), [(k, np.float16(v)) for k, v in seq.score(it, "acc")]


def boolean_mask_in_a_graph():
    s = S.contrib.boolean_mask(S.var("x"), S.var("m")) * 2
    exe = s.bind(
        mx.cpu(),
        {"x": nd.array([[1, 2], [3, 4], [5, 6]]), "m": nd.array([0, 1, 1])},
        {"x": nd.zeros((3, 2))},
    )
    exe.forward(is_train=True)
    exe.backward(nd.ones((2, 2)))
    return (
        exe.outputs,
        exe.grad_dict["x"],
        s.infer_shape_partial(x=(3, 2), m=(3,)),
        s.infer_shape(x=(3, 2), m=(3,)),
    )


def random_symbols_follow_the_seed():
    s = S.Group([S.random.uniform(0, 1, shape=(3,)), S.random.normal(0, 1, shape=(3,))])
    exe = s.bind(mx.cpu(), {})
    mx.random.seed(3)
    a = [o.copy() for o in exe.forward()]
    mx.random.seed(3)
    b = [o.copy() for o in exe.forward()]
    c = [o.copy() for o in exe.forward()]
    return (
        [bool((p == q).asnumpy().all()) for p, q in zip(a, b)],
        [bool((p == q).asnumpy().all()) for p, q in zip(a, c)],
        [o.shape for o in a],
    )


def gradients_through_random_samples():
    mu, sigma = S.var("mu"), S.var("sigma")
    s = mu + sigma * S.random.normal(0, 1, shape=(4,))
    exe = s.bind(
        mx.cpu(),
        {"mu": nd.zeros(4), "sigma": nd.ones(4)},
        {"mu": nd.zeros(4), "sigma": nd.zeros(4)},
    )
    out = exe.forward(is_train=True)[0].asnumpy()
    exe.backward(nd.ones(4))
    return exe.grad_dict["mu"], bool(np.allclose(exe.grad_dict["sigma"].asnumpy(), out))


def mirrored_memory_attributes_are_accepted():
    with mx.AttrScope(force_mirroring="True", mirror_stage="True"):
        net = mlp()
    exe = net.simple_bind(mx.cpu(), data=(2, 8))
    for i, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, i)
    exe.forward(is_train=True)
    exe.backward()
    return (
        short(exe.grad_dict["fc1_bias"].asnumpy()),
        net.attr("force_mirroring"),
        net.attr("__mirror_stage__"),
    )


def profile_like_loop_over_executors():
    net = mlp()
    shared = net.simple_bind(mx.cpu(), data=(8, 8))
    for i, a in enumerate(shared.arg_arrays):
        a[:] = wave(a.shape, i)
    r = []
    for n in (8, 4, 2):
        exe = shared.reshape(partial_shaping=True, data=(n, 8))
        exe.arg_dict["data"][:] = wave((n, 8))
        r.append(exe.forward()[0].copy())
    return r


def hooks_on_a_hybridized_net():
    seen = []
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(2, in_units=3))
    net.initialize(mx.init.One())
    h = net.register_forward_hook(
        lambda b, i, o: seen.append(("after", b.name, i[0].shape, o.shape))
    )
    p = net.register_forward_pre_hook(lambda b, i: seen.append(("before", b.name, i[0].shape)))
    net.hybridize()
    net(nd.ones((1, 3)))
    net(nd.ones((2, 3)))
    h.detach()
    net(nd.ones((1, 3)))
    return seen


def infer_shape_of_a_block():
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Conv2D(2, 3), mx.gluon.nn.Dense(3))
    net.initialize(mx.init.One())
    net.infer_shape(nd.ones((1, 4, 5, 5)))
    return [(k, p.shape) for k, p in net.collect_params().items()]


def infer_type_of_a_block():
    net = mx.gluon.nn.Dense(3, in_units=2, prefix="d_")
    net.infer_type(nd.ones((1, 2), dtype="float32"))
    return [(k, p.dtype) for k, p in net.collect_params().items()]


def infer_type_of_a_block_with_other_types():
    net = mx.gluon.nn.Dense(3, in_units=2, prefix="d_")
    return net.infer_type(nd.ones((1, 2), dtype="float16"))


PROGRAMS = functions(globals())

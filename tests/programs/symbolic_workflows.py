"""Programs that take symbols to Gluon, files, key-value stores and predictions, and back."""

from __future__ import annotations

import json
import os

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions
from .symbolic_helpers import S, Waves, digits, mlp, near, short, wave


def foreach_in_a_hybrid_block():
    class Cumulative(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x, init):
            def step(data, state):
                out = data + state
                return out, out * 0.5

            outs, last = F.contrib.foreach(step, x, init)
            return outs, last

    net = Cumulative()
    x, h = nd.array(wave((4, 3))), nd.ones((3,))
    x.attach_grad()
    h.attach_grad()
    found = []
    for hybrid in (False, True):
        net.hybridize(hybrid)
        with autograd.record():
            outs, last = net(x, h)
            loss = (outs**2).sum() + last.sum()
        loss.backward()
        found += [outs, last, x.grad.copy(), h.grad.copy()]
    return found


def while_loop_in_a_hybrid_block():
    class Collatz(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, n, count):
            def cond(n, count):
                return n < 100

            def body(n, count):
                return n * 2, [n * 2 + 1, count + 1]

            return F.contrib.while_loop(cond, body, [n, count], max_iterations=10)

    net = Collatz()
    found = []
    for hybrid in (False, True):
        net.hybridize(hybrid)
        outs, state = net(nd.array([3.0]), nd.array([0.0]))
        found += [[o.shape for o in outs] if isinstance(outs, list) else outs.shape, state]
        found.append((outs[0] if isinstance(outs, list) else outs)[:5])
    return found


def foreach_over_a_cell_as_a_symbol():
    cell = mx.gluon.rnn.LSTMCell(3, prefix="cell_", input_size=2)
    data, h, c = S.var("data"), S.var("h"), S.var("c")
    outs, states = S.contrib.foreach(cell, data, [h, c])
    net = S.Group([outs] + states)
    exe = net.simple_bind(mx.cpu(), data=(4, 2, 2), h=(2, 3), c=(2, 3))
    for i, name in enumerate(sorted(exe.arg_dict)):
        exe.arg_dict[name][:] = wave(exe.arg_dict[name].shape, i)
    exe.forward(is_train=True)
    exe.backward([nd.ones(o.shape) for o in exe.outputs])
    again = S.load_json(net.tojson())
    return (
        sorted(net.list_arguments()),
        net.list_outputs(),
        [o.shape for o in exe.outputs],
        short(exe.outputs[0].asnumpy()),
        short(exe.grad_dict["cell_i2h_weight"].asnumpy()),
        sorted(again.list_arguments()),
    )


def while_loop_as_a_symbol_with_a_bound():
    i, s = S.var("i"), S.var("s")
    outs, states = S.contrib.while_loop(
        lambda i, s: i <= 4, lambda i, s: ([i + s, s * 2], [i + 1, s + i]), [i, s], max_iterations=8
    )
    net = S.Group(outs + states)
    exe = net.bind(
        mx.cpu(), {"i": nd.array([1.0]), "s": nd.array([0.0])}, {"i": nd.zeros(1), "s": nd.zeros(1)}
    )
    exe.forward(is_train=True)
    exe.backward([nd.ones(o.shape) for o in exe.outputs])
    return (
        [o.shape for o in exe.outputs],
        exe.outputs[0][:4],
        exe.outputs[2],
        exe.outputs[3],
        exe.grad_dict,
        net.list_outputs(),
    )


def export_and_imports(folder):
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(
            mx.gluon.nn.Conv2D(3, 3, in_channels=1),
            mx.gluon.nn.BatchNorm(in_channels=3),
            mx.gluon.nn.Activation("relu"),
            mx.gluon.nn.Flatten(),
            mx.gluon.nn.Dense(2, in_units=48),
        )
    net.initialize(Waves())
    net.hybridize()
    x = nd.array(wave((2, 1, 6, 6)))
    y = net(x)
    net.export(folder + "/net", epoch=3)
    again = mx.gluon.SymbolBlock.imports(
        folder + "/net-symbol.json", ["data"], folder + "/net-0003.params"
    )
    sym, args, aux = mx.model.load_checkpoint(folder + "/net", 3)
    mod = mx.mod.Module(sym, label_names=None)
    mod.bind([("data", (2, 1, 6, 6))], for_training=False)
    mod.set_params(args, aux)
    mod.forward(mx.io.DataBatch([x]))
    return (
        y,
        again(x),
        mod.get_outputs(),
        sorted(args),
        sorted(aux),
        sym.list_outputs(),
        sorted(os.listdir(folder)),
    )


def imports_and_fine_tune(folder):
    net = mx.gluon.nn.HybridSequential(prefix="base_")
    with net.name_scope():
        net.add(
            mx.gluon.nn.Dense(4, activation="tanh", in_units=3), mx.gluon.nn.Dense(2, in_units=4)
        )
    net.initialize(Waves())
    net.hybridize()
    net(nd.ones((1, 3)))
    net.export(folder + "/b")
    sym = mx.sym.load(folder + "/b-symbol.json")
    inner = sym.get_internals()
    feats = mx.gluon.SymbolBlock([inner["base_dense0_tanh_fwd_output"]], [S.var("data")])
    feats.collect_params().load(folder + "/b-0000.params", ignore_extra=True)
    head = mx.gluon.nn.Dense(1, in_units=4, prefix="head_")
    head.initialize(Waves())
    new = mx.gluon.nn.HybridSequential()
    new.add(feats, head)
    feats.collect_params().setattr("grad_req", "null")
    trainer = mx.gluon.Trainer(new.collect_params(), "sgd", {"learning_rate": 0.1})
    x = nd.array(wave((4, 3)))
    for _ in range(3):
        with autograd.record():
            loss = ((new(x) - 1) ** 2).mean()
        loss.backward()
        trainer.step(1)
    return inner.list_outputs(), new(x), sorted(new.collect_params().keys()), loss


def symbolblock_of_several_outputs():
    data = S.var("data")
    a = S.FullyConnected(data, num_hidden=3, name="fc1")
    b = S.Activation(a, act_type="relu", name="act")
    c = S.FullyConnected(b, num_hidden=2, name="fc2")
    block = mx.gluon.SymbolBlock(S.Group([a, b, c]), data)
    block.initialize(Waves())
    outs = block(nd.array(wave((2, 4))))
    block.hybridize()
    again = block(nd.array(wave((2, 4))))
    return (
        outs,
        again,
        list(block.collect_params().keys()),
        [p.shape for p in block.collect_params().values()],
    )


def zoo_features_by_internals():
    net = mx.gluon.model_zoo.vision.squeezenet1_1(prefix="sq_")
    net.initialize(mx.init.Constant(0.01))
    out = net(S.var("data"))
    inner = out.get_internals()
    names = [n for n in inner.list_outputs() if n.endswith("_output")]
    return (
        len(names),
        names[:3],
        names[-3:],
        len(out.list_arguments()),
        out.infer_shape(data=(1, 3, 224, 224))[1],
        inner[names[10]].infer_shape(data=(1, 3, 224, 224))[1],
    )


def a_gluon_net_called_with_a_symbol():
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(
            mx.gluon.nn.Dense(4, activation="relu"),
            mx.gluon.nn.BatchNorm(),
            mx.gluon.nn.Dropout(0.5),
            mx.gluon.nn.Dense(2),
        )
    out = net(S.var("data"))
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss(prefix="l_")(out, S.var("label"))
    return (
        out.list_arguments(),
        out.list_auxiliary_states(),
        out.infer_shape(data=(5, 3)),
        loss.list_arguments(),
        loss.infer_shape(data=(5, 3), label=(5,))[1],
        {k: sorted(v.items()) for k, v in sorted(out.attr_dict().items())},
    )


def a_gluon_loss_trained_by_a_module():
    net = mx.gluon.nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(8, activation="relu"), mx.gluon.nn.Dense(4))
    loss = S.MakeLoss(
        mx.gluon.loss.SoftmaxCrossEntropyLoss()(net(S.var("data")), S.var("label")), name="loss"
    )
    x, y = digits()
    mod = mx.mod.Module(loss, label_names=["label"])
    it = mx.io.NDArrayIter(x, y, 16, label_name="label")
    mod.fit(
        it,
        num_epoch=2,
        initializer=Waves(),
        eval_metric=mx.metric.Loss(),
        optimizer_params={"learning_rate": 0.2},
    )
    return near(mod.get_params()[0]), [
        (k, np.float16(v)) for k, v in mod.score(it, mx.metric.Loss())
    ]


def gradient_accumulation_with_grad_req_add():
    x, y = digits(32)
    mod = mx.mod.Module(mlp())
    mod.bind([("data", (8, 8))], [("softmax_label", (8,))], grad_req="add")
    mod.init_params(Waves())
    mod.init_optimizer(
        optimizer="sgd", optimizer_params={"learning_rate": 0.1, "rescale_grad": 1 / 16}
    )
    it = mx.io.NDArrayIter(x, y, 8)
    for i, batch in enumerate(it):
        mod.forward_backward(batch)
        if i % 2:
            mod.update()
            for grads in mod._exec_group.grad_arrays:
                for g in grads:
                    g[:] = 0
    return near(mod.get_params()[0])


def clip_by_global_norm_in_module():
    x, y = digits(16)
    mod = mx.mod.Module(mlp())
    it = mx.io.NDArrayIter(x, y, 8)
    mod.bind(it.provide_data, it.provide_label)
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 1.0})
    norms = []
    for batch in it:
        mod.forward_backward(batch)
        grads = [g for part in mod._exec_group.grad_arrays for g in part]
        norms.append(np.float16(mx.gluon.utils.clip_global_norm(grads, 0.5)))
        mod.update()
    return norms, near(mod.get_params()[0])


def initializers_by_pattern_and_from_a_file(folder):
    net = mlp()
    nd.save(folder + "/w.params", {"arg:fc1_weight": nd.ones((8, 8)) * 3})
    mod = mx.mod.Module(net)
    mod.bind([("data", (2, 8))], [("softmax_label", (2,))])
    mod.init_params(
        mx.init.Load(
            folder + "/w.params",
            default_init=mx.init.Mixed([".*bias", ".*"], [mx.init.Constant(7), mx.init.One()]),
        )
    )
    return near(mod.get_params()[0])


def initializers_of_variables_in_a_symbol():
    w = S.var("w_weight", init=mx.init.Constant(2))
    b = S.var("b_bias", init="ones")
    net = S.FullyConnected(S.var("data"), w, b, num_hidden=2, name="fc")
    net = S.FullyConnected(
        net,
        S.var("odd_name", init=mx.init.LSTMBias(1.0))
        if False
        else S.var("v", init=mx.init.Orthogonal(rand_type="normal")),
        num_hidden=2,
        no_bias=True,
        name="fc2",
    )
    mod = mx.mod.Module(net, label_names=None)
    mod.bind([("data", (2, 3))])
    mod.init_params(mx.init.Zero())
    a = mod.get_params()[0]
    return near({k: a[k] for k in ("w_weight", "b_bias")}), bool(
        np.allclose(a["v"].asnumpy().dot(a["v"].asnumpy().T), 2 * np.eye(2), atol=1e-4)
    )


def kvstore_used_directly():
    kv = mx.kv.create("local")
    kv.init(3, nd.ones((2, 3)))
    a = nd.zeros((2, 3))
    kv.pull(3, out=a)
    found = [a.copy()]
    kv.push(3, [nd.ones((2, 3)), nd.ones((2, 3)) * 2])
    kv.pull(3, out=a)
    found.append(a.copy())
    kv._set_updater(lambda key, new, old: old.__iadd__(new * key))
    kv.push(3, nd.ones((2, 3)))
    kv.pull(3, out=a)
    found.append(a.copy())
    kv = mx.kv.create("device")
    kv.init(["x", "y"], [nd.ones(2), nd.zeros(2)])
    outs = [nd.zeros(2), nd.zeros(2)]
    kv.pull(["x", "y"], out=outs)
    return found, outs, kv.type, kv.rank, kv.num_workers


def data_parallel_by_hand_with_kvstore_and_executors():
    net = mlp()
    ctxs = [mx.cpu(0), mx.cpu(1)]
    exes = [net.simple_bind(c, data=(4, 8)) for c in ctxs]
    kv = mx.kv.create("local")
    kv.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, rescale_grad=1 / 8))
    names = [n for n in net.list_arguments() if n not in ("data", "softmax_label")]
    for i, n in enumerate(names):
        init = nd.array(wave(exes[0].arg_dict[n].shape, i, 0.5))
        kv.init(i, init)
        kv.pull(i, [e.arg_dict[n] for e in exes])
    x, y = digits(8)
    for step in range(3):
        for k, e in enumerate(exes):
            e.forward(
                is_train=True,
                data=nd.array(x[k * 4 : k * 4 + 4], ctx=ctxs[k]),
                softmax_label=nd.array(y[k * 4 : k * 4 + 4], ctx=ctxs[k]),
            )
            e.backward()
        for i, n in enumerate(names):
            kv.push(i, [e.grad_dict[n] for e in exes], priority=-i)
            kv.pull(i, [e.arg_dict[n] for e in exes], priority=-i)
    return near({n: exes[0].arg_dict[n] for n in names}), str(exes[1].arg_dict["fc1_bias"].context)


def visualisation_of_a_modules_symbol():
    import contextlib
    import io as _io

    out = _io.StringIO()
    with contextlib.redirect_stdout(out):
        mx.viz.print_summary(mlp(), {"data": (1, 8)})
    dot = mx.viz.plot_network(mlp(), shape={"data": (1, 8)}, save_format="dot")
    return out.getvalue(), sorted(line.split()[0] for line in dot.body), dot.name


def straight_dope_hybrid_sequential_speed_path():
    net = mx.gluon.nn.HybridSequential()
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(8, activation="relu"))
        net.add(mx.gluon.nn.Dense(4, activation="relu"))
        net.add(mx.gluon.nn.Dense(2))
    net.collect_params().initialize(mx.init.Constant(0.1))
    x = nd.ones((1, 6))
    a = net(x)
    net.hybridize()
    b = net(x)
    sym = net(S.var("data"))
    return (
        a,
        b,
        len(sym.list_arguments()),
        json.loads(sym.tojson())["nodes"][-1]["op"],
        type(sym).__name__,
    )


def straight_dope_a_block_that_prints_its_f():
    seen = []

    class Net(mx.gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            with self.name_scope():
                self.fc1 = mx.gluon.nn.Dense(4)
                self.fc2 = mx.gluon.nn.Dense(2)

        def hybrid_forward(self, F, x):
            seen.append((F.__name__, type(x).__name__))
            x = F.relu(self.fc1(x))
            return self.fc2(x)

    net = Net()
    net.initialize(mx.init.One())
    net(nd.ones((1, 3)))
    net.hybridize()
    for _ in range(3):
        y = net(nd.ones((1, 3)))
    return seen[0], seen[-1], y


def d2l_hybrid_net_with_export(folder):
    def get_net():
        net = mx.gluon.nn.HybridSequential()
        net.add(
            mx.gluon.nn.Dense(6, activation="relu"),
            mx.gluon.nn.Dense(5, activation="relu"),
            mx.gluon.nn.Dense(2),
        )
        net.initialize(mx.init.Constant(0.2))
        return net

    net = get_net()
    net.hybridize()
    x = nd.array(wave((1, 4)))
    y = net(x)
    net.export(folder + "/my_mlp")
    net2 = mx.gluon.nn.SymbolBlock.imports if hasattr(mx.gluon.nn, "SymbolBlock") else None
    found = mx.gluon.SymbolBlock.imports(
        folder + "/my_mlp-symbol.json", "data", folder + "/my_mlp-0000.params", ctx=mx.cpu()
    )
    return y, found(x), sorted(os.listdir(folder)), net2 is None


def prediction_from_files_as_a_server_does(folder):
    mod = mx.mod.Module(mlp())
    mod.bind([("data", (2, 8))], [("softmax_label", (2,))])
    mod.init_params(Waves())
    mod.save_checkpoint(folder + "/srv", 0)
    sym = mx.sym.load(folder + "/srv-symbol.json")
    params = nd.load(folder + "/srv-0000.params")
    args = {k[4:]: v for k, v in params.items() if k.startswith("arg:")}
    shapes, out_shapes, _ = sym.infer_shape(data=(1, 8))
    for name, shape in zip(sym.list_arguments(), shapes):
        if name not in args:
            args[name] = nd.zeros(shape)
    exe = sym.bind(mx.cpu(), args, grad_req="null")
    found = []
    for i in range(2):
        exe.forward(is_train=False, data=nd.array(wave((1, 8), i)))
        found.append(exe.outputs[0].asnumpy())
    bigger = exe.reshape(allow_up_sizing=True, data=(3, 8), softmax_label=(3,))
    bigger.forward(data=nd.array(wave((3, 8))))
    return found, out_shapes, bigger.outputs


def module_reshape_for_other_batch_sizes():
    mod = mx.mod.Module(mlp())
    mod.bind([("data", (4, 8))], [("softmax_label", (4,))])
    mod.init_params(Waves())
    mod.init_optimizer(optimizer_params={"learning_rate": 0.1})
    shapes = []
    for n in (4, 2, 6, 4):
        mod.reshape([("data", (n, 8))], [("softmax_label", (n,))])
        mod.forward_backward(
            mx.io.DataBatch([nd.array(wave((n, 8)))], [nd.array(np.arange(n) % 4)])
        )
        mod.update()
        shapes.append(
            (mod.get_outputs()[0].shape, mod.data_shapes[0].shape, mod._optimizer.rescale_grad)
        )
    return shapes, near(mod.get_params()[0])


def iter_predict_and_pads():
    x, y = digits(10)
    mod = mx.mod.Module(mlp())
    it = mx.io.NDArrayIter(x, y, 4, last_batch_handle="pad")
    mod.bind(it.provide_data, it.provide_label, for_training=False)
    mod.init_params(Waves())
    return (
        [(i, p[0].shape, b.pad, b.index is not None) for p, i, b in mod.iter_predict(it)],
        mod.predict(it).shape,
        [p[0].shape for p in mod.predict(it, merge_batches=False)],
        mod.predict(it, num_batch=2).shape,
    )


def top_k_and_custom_metrics_in_score():
    x, y = digits(20)
    mod = mx.mod.Module(mlp())
    it = mx.io.NDArrayIter(x, y, 5)
    mod.bind(it.provide_data, it.provide_label, for_training=False)
    mod.init_params(Waves())
    metrics = mx.metric.CompositeEvalMetric()
    metrics.add(mx.metric.TopKAccuracy(top_k=2))
    metrics.add(mx.metric.np(lambda l, p: float((l - p.argmax(1)).mean()), name="diff"))
    metrics.add("ce")
    return [(k, np.float16(v)) for k, v in mod.score(it, metrics)]


def dropout_and_random_layers_in_prediction():
    net = S.Dropout(S.FullyConnected(S.var("data"), num_hidden=4, name="fc"), p=0.9, name="drop")
    net = S.LeakyReLU(net, act_type="rrelu", name="rr")
    exe = net.simple_bind(mx.cpu(), data=(2, 3))
    for i, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, i)
    return exe.forward(is_train=False)[0], net.list_outputs(), net.get_internals().list_outputs()


PROGRAMS = functions(globals())

"""Programs on parameters, blocks, hybridized blocks and trainers as tests and books write them."""

from __future__ import annotations

import json
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.base import py_str
from mxnet.gluon import nn

from .core import functions
from .gluon_helpers import Sum, Waves, backward, mlp, outcome, parameter, total, wave


def blocks_in_containers_warn():
    r = []
    for value in (
        [nn.Dense(2)],
        {"a": nn.Dense(1)},
        [[nn.Dense(1)]],
        ({"a": nn.Dense(1)},),
        {"a": [nn.Dense(1)]},
        [3],
        [3, (nn.Dense(1),)],
    ):
        for name in ("x", "_x", "__x"):
            b = gluon.Block()
            setattr(b, name, value)
            with warnings.catch_warnings(record=True) as found:
                warnings.simplefilter("always")
                b.collect_params()
            r.append(len(found))
    b = gluon.Block()
    b.x = [nn.Dense(1)]
    b.y = b.x[0]
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        b.collect_params()
    r.append(len(found))
    return r


def arrays_in_the_place_of_values():
    r = []
    for hybrid in (False, True):
        n = nn.Dense(2, in_units=3)
        n.initialize(Waves())
        if hybrid:
            n.hybridize()
        x = wave(4, 3)
        r.append(n(x))
        q = n.weight
        place = q._ctx_map[mx.cpu().device_typeid & 1][0]
        r.append([place, q._ctx_map])
        for k in range(3):
            q._data[place] = wave(2, 3) * k
            r += [n(x), q.data()]
        w = wave(2, 3)
        w.attach_grad()
        with autograd.record():
            q._data[place] = w * 3
            y = n(x)
        y.backward()
        r += [y, w.grad]
    q = gluon.Parameter("x", shape=(2,))
    r.append(q._ctx_map)
    q.initialize(ctx=[mx.cpu(2), mx.cpu(0)])
    r.append(q._ctx_map)
    return r


def loading_other_types(folder):
    r = []
    n = nn.Dense(2, in_units=3)
    n.initialize(Waves())
    n.cast("float16")
    n.save_parameters(folder + "/h")
    for options in (
        {},
        {"cast_dtype": True},
        {"cast_dtype": True, "dtype_source": "saved"},
        {"cast_dtype": True, "dtype_source": "x"},
    ):
        for known in (False, True):
            m = nn.Dense(2, in_units=3)
            if known:
                m.initialize()
            r.append(outcome(m.load_parameters, folder + "/h", **options))
            r.append(outcome(lambda: (m.weight.dtype, m.weight.data().dtype)))
    return r


def a_graph_in_float16_keeps_the_precision_of_its_normalizations(folder):
    r = []
    net = nn.HybridSequential(prefix="f_")
    with net.name_scope():
        net.add(
            nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(in_channels=4), nn.Dense(2, in_units=144)
        )
    net.initialize()
    net.hybridize()
    net(nd.zeros((1, 3, 8, 8)))
    net.export(folder + "/f")
    b = gluon.SymbolBlock(
        mx.sym.load(folder + "/f-symbol.json"), mx.sym.var("data", dtype="float16")
    )
    b.load_parameters(folder + "/f-0000.params")
    r.append({k: np.dtype(v.dtype) for k, v in b.collect_params().items()})
    b.cast("float16")
    r.append({k: np.dtype(v.dtype) for k, v in b.collect_params().items()})
    return r


def parts_of_a_network_by_pattern():
    r = []
    net = mlp()
    net(wave(3, 5))
    r = [
        list(net.collect_params(p).keys())
        for p in (".*weight", "weight", ".*dense0.*|.*gamma", "n_dense1_(weight|bias)")
    ]
    net.collect_params(".*dense0.*").setattr("grad_req", "null")
    net[2].collect_params().setattr("lr_mult", 10)
    t = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.01})
    for _ in range(2):
        with autograd.record():
            loss = (net(wave(3, 5)) ** 2).sum()
        loss.backward()
        t.step(3)
    r += [net[0].weight.data(), net[2].weight.data()]
    return r


def kinds_of_layers():
    layers = [
        nn.MaxPool1D(),
        nn.MaxPool2D(),
        nn.MaxPool3D(),
        nn.AvgPool1D(),
        nn.AvgPool2D(),
        nn.AvgPool3D(),
        nn.Conv2D(1, 1),
        nn.Conv2DTranspose(1, 1),
        nn.BatchNorm(),
        gluon.loss.HingeLoss(),
        gluon.loss.SquaredHingeLoss(),
    ]
    kinds = [
        nn.MaxPool1D,
        nn.MaxPool2D,
        nn.AvgPool1D,
        nn.AvgPool2D,
        nn.Conv2D,
        nn.conv_layers._Conv,
        nn.conv_layers._Pooling,
        nn.basic_layers._BatchNorm,
        gluon.loss.HingeLoss,
    ]
    return [[isinstance(layer, kind) for kind in kinds] for layer in layers]


def shared_layers_train_once():
    net = nn.Sequential()
    shared = nn.Dense(4, activation="relu")
    net.add(
        nn.Dense(4, activation="relu"),
        shared,
        nn.Dense(4, activation="relu", params=shared.params),
        nn.Dense(2),
    )
    net.initialize(Waves())
    with autograd.record():
        loss = net(wave(2, 3)).sum()
    loss.backward()
    return net[1].weight is net[2].weight, net[1].weight.grad()


def an_initializer_that_looks_at_names():
    seen = []

    class Mine(mx.init.Initializer):
        def _init_default(self, name, arr):
            seen.append(("default", name))
            arr[:] = 3

        def _init_bias(self, name, arr):
            seen.append(("bias", name))
            arr[:] = 4

        def _init_weight(self, name, arr):
            seen.append(("weight", name))
            arr[:] = 5

    n = nn.HybridSequential(prefix="z_")
    with n.name_scope():
        n.add(nn.Dense(2, in_units=2), nn.BatchNorm(in_channels=2), nn.PReLU(), nn.Embedding(2, 2))
    n.initialize(Mine())
    return seen, {k: v.data() for k, v in n.collect_params().items()}


def the_norm_is_a_number_of_numpy():
    a = [nd.array([3, 4]), nd.array([12])]
    return (
        gluon.utils.clip_global_norm(a, 1.0),
        a,
        gluon.utils.clip_global_norm(a, 5.0),
        gluon.utils.clip_global_norm(a, 5.0, check_isfinite=False),
    )


def downloads_that_fail(folder):
    download = gluon.utils.download
    return [
        outcome(download, "http://127.0.0.1:1/x.bin", path=folder + "/h", retries=0),
        outcome(download, "http://127.0.0.1:1/"),
        outcome(download, "http://127.0.0.1:1/x", path=folder + "/h", retries=-1),
    ]


def a_hybridized_block_takes_arrays():
    one = nd.ones((2,))
    r = []
    for value in (1, 2.5, True, "a", np.float32(1), np.ones(2), {"a": one}, (1, 2), [one, 1]):
        r.append(outcome(total(), one, value))
        r.append(outcome(total(), value, one))
    r += [
        outcome(total(False), one, 3),
        outcome(total(False), one, 2.5),
        outcome(total(False), one, (1, 2)),
    ]
    return r


def arrays_and_symbols_are_not_mixed():
    one = nd.ones((2,))
    r = []
    for hybrid in (False, True):
        for value in (mx.sym.var("q"), [mx.sym.var("q")]):
            r += [outcome(total(hybrid), one, value), outcome(total(hybrid), value, one)]
    return r


def arrays_of_one_context():
    one = nd.ones((2,))
    r = []
    for a, b in ((mx.cpu(1), mx.cpu(2)), (mx.cpu(0), mx.cpu(1)), (mx.cpu(0), mx.cpu_pinned(0))):
        net = total()
        r.append(outcome(net, nd.ones((2,), ctx=a), nd.ones((2,), ctx=b)))
        r.append(net(one, one))
        r.append(outcome(net, nd.ones((2,), ctx=a), nd.ones((2,), ctx=b)))
    r.append(total(False)(nd.ones((2,), ctx=mx.cpu(1)), nd.ones((2,), ctx=mx.cpu(2))))
    return r


def the_structure_of_arguments_stays():
    one = nd.ones((2,))
    r = []
    net = total()
    r += [
        net(one, one),
        outcome(net, one),
        outcome(net, one, None),
        outcome(net, [one], one),
        outcome(net, one, [one]),
        net(one, one),
    ]
    net.hybridize()
    r += [net(one), net(one, None), outcome(net, one, one), net(one)]
    net.cast("float32")
    r += [net(one, one), outcome(net, one)]
    net = total()
    r += [
        net([one, one], [one, one]),
        net((one, one), [one, one]),
        outcome(net, [one, one, one], [one, one]),
        outcome(net, [one, one]),
    ]
    net.hybridize(False)
    r += [net(one), net(one, 3), net([one])]
    with autograd.record():
        r += [outcome(total(), one, 3), total()(one)]
    return r


def children_are_called_in_several_ways_inside_of_a_graph():
    one = nd.ones((2,))
    r = []

    class Parent(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.child = Sum()

        def hybrid_forward(self, F, x):
            return self.child(x, 2) + self.child(x) + self.child(x, x)

    p = Parent()
    r.append(p(one))
    p.hybridize()
    r += [p(one), p(one)]

    class Outside(gluon.Block):
        def __init__(self):
            super().__init__()
            self.child = Sum()

        def forward(self, x):
            return self.child(x) + self.child(x, x)

    q = Outside()
    r.append(q(one))
    q.hybridize()
    r.append(outcome(q, one))
    return r


def how_often_a_program_is_traced():
    r = []

    class Noting(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            self.dense = nn.Dense(2)

        def hybrid_forward(self, F, x):
            r.append(F.__name__)
            return self.dense(x)

    for before in (True, False):
        net = Noting()
        net.initialize()
        if before:
            net(wave(2, 3))
            net(wave(2, 3))
        net.hybridize()
        net(wave(2, 3))
        net(wave(2, 3))
        net(wave(4, 3))
        with autograd.record():
            net(wave(2, 3))
        r.append("done")
    return r


def hooks_of_children_are_called_while_a_program_is_traced():
    r = []
    net = mlp()
    net.hybridize()
    net[0].register_forward_hook(lambda b, i, o: r.append(type(o).__name__))
    net.register_forward_hook(lambda b, i, o: r.append(("net", type(o).__name__)))
    net(wave(2, 3))
    net(wave(2, 3))
    return r


def files_have_the_shapes_that_parameters_were_declared_with(folder):
    r = []
    for first in (False, True):
        net = mlp("m_")
        if first:
            net(wave(2, 3))
        net.hybridize()
        net(wave(2, 3))
        net.export(folder + "/m")
        r.append(
            [
                (n["name"], n["op"], n.get("attrs"))
                for n in json.load(open(folder + "/m-symbol.json"))["nodes"]
            ]
        )
    return r


def operator_hooks():
    r = []
    for everything in (False, True):
        for block, shape in (
            (mlp("a%d_" % everything), (2, 3)),
            (nn.MaxPool2D(prefix="mp_"), (1, 1, 4, 4)),
            (nn.Dropout(0.5, prefix="do_"), (2, 3)),
            (nn.LayerNorm(prefix="ln_"), (2, 3)),
            (nn.HybridLambda(lambda F, x: F.concat(x * 2, x + 1, dim=1), prefix="l_"), (2, 3)),
            (nn.HybridLambda(lambda F, x: F.split(x, num_outputs=3), prefix="s_"), (2, 3)),
        ):
            names = []
            block.initialize()
            block.hybridize()
            block(nd.ones(shape))
            block.register_op_hook(
                lambda name, kind, array: names.append(
                    (py_str(name), py_str(kind), type(name).__name__)
                ),
                monitor_all=everything,
            )
            block(nd.ones(shape))
            r.append(names)
    net = mlp()
    net.register_op_hook(lambda *_: r.append("called"))
    net(wave(2, 3))
    return r


def weights_that_are_changed_before_their_use():
    r = []

    class Layer(gluon.HybridBlock):
        def __init__(self, function, shape, **kwargs):
            super().__init__(**kwargs)
            self.function = function
            self.w = self.params.get("w", shape=shape, init=Waves(), allow_deferred_init=True)

        def hybrid_forward(self, F, x, w):
            return F.FullyConnected(x, self.function(F, w), num_hidden=2, no_bias=True)

    for hybrid in (False, True):
        for function, shape in (
            (lambda F, w: w * 2, (2, 0)),
            (lambda F, w: F.tanh(w) + w, (2, 0)),
            (lambda F, w: w.reshape((2, -1)), (2, 0)),
            (lambda F, w: F.transpose(w), (0, 2)),
        ):
            net = Layer(function, shape)
            net.initialize()
            if hybrid:
                net.hybridize()
            r.append((net(wave(3, 4)), net.w.shape, net(wave(3, 4))))
    return r


def the_first_call_of_a_hybridized_network_trains():
    r = []
    for hybrid in (False, True):
        net = mlp("q%d_" % hybrid)
        if hybrid:
            net.hybridize()
        x = wave(3, 4)
        x.attach_grad()
        with autograd.record():
            y = net(x)
            loss = (y * y * wave(3, 2)).sum()
        loss.backward()
        r += [
            y,
            x.grad,
            net[1].running_mean.data(),
            net[1].running_var.data(),
            net[0].weight.grad(),
            net(x),
        ]
    return r


def first_data_that_does_not_fit():
    r = []
    net = nn.HybridSequential(prefix="z_")
    net.add(nn.Conv2D(2, 3, prefix="a_"), nn.Dense(2, prefix="b_"))
    net.initialize(Waves())
    net.hybridize()
    r += [
        outcome(net, wave(3, 4)),
        net[0].weight.shape,
        net(wave(1, 2, 5, 5)),
        net[0].weight.shape,
        outcome(net, wave(1, 3, 5, 5)),
        outcome(net, wave(1, 2, 6, 6)),
        net(wave(2, 2, 5, 5)).shape,
    ]
    return r


def several_calls_before_backward():
    net = mlp()
    net.hybridize()
    x = wave(3, 5)
    x.attach_grad()
    with autograd.record():
        a = net(x)
        b = net(x * 2)
        c = net(a.sum() * x)
        loss = (a * b).sum() + c.sum()
    loss.backward()
    return x.grad, net[0].weight.grad()


def adding_to_gradients_of_a_hybridized_block():
    r = []
    net = mlp()
    net(wave(3, 5))
    net.collect_params().setattr("grad_req", "add")
    net.hybridize()
    for _ in range(3):
        with autograd.record():
            loss = net(wave(3, 5)).sum()
        loss.backward()
        r.append(net[0].weight.grad().copy())
    net.collect_params().zero_grad()
    net[0].weight.grad_req = "null"
    with autograd.record():
        loss = net(wave(3, 5)).sum()
    loss.backward()
    r += [net[0].bias.grad(), outcome(net[0].weight.grad)]
    return r


def a_network_inside_of_another_as_a_graph(folder):
    a = mlp("a_")
    a.hybridize()
    a(wave(1, 3))
    a.export(folder + "/a")
    inner = gluon.SymbolBlock.imports(
        folder + "/a-symbol.json", ["data"], folder + "/a-0000.params"
    )
    net = nn.HybridSequential(prefix="o_")
    with net.name_scope():
        net.add(inner, nn.Dense(1))
    net[1].initialize(Waves())
    net.hybridize()
    t = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    for _ in range(3):
        with autograd.record():
            loss = (net(wave(2, 3)) ** 2).mean()
        loss.backward()
        t.step(2)
    net.save_parameters(folder + "/p")
    return loss, sorted(net.collect_params().keys()), sorted(nd.load(folder + "/p"))


def several_outputs_that_are_inputs():
    r = []

    class Three(gluon.HybridBlock):
        def hybrid_forward(self, F, a, b):
            return a, b, a

    for options in ({}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True}):
        net = Three()
        net.hybridize(**options)
        r += [net(nd.arange(3), nd.ones(2)) for _ in range(2)]
    return r


def stores():
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    for ctx in ([mx.cpu(0)], TWO):
        for kvstore in ("device", "local", None, mx.kv.create("device"), mx.kv.create("local")):
            x = parameter([1, 2, 3], ctx)
            t = gluon.Trainer([x], "sgd", {"learning_rate": 0.1}, kvstore=kvstore)
            r.append((t._kv_initialized, len(t._params_to_init)))
            for _ in range(3):
                backward(x)
                t.step(1)
            r.append(
                (
                    x.list_data(),
                    t._update_on_kvstore,
                    t._kvstore.type if t._kvstore else None,
                    t._kv_initialized,
                    len(t._params_to_init),
                )
            )
    return r


def parts_of_a_step(folder):
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    for ctx in ([mx.cpu(0)], TWO):
        for kvstore in ("device", "object", None):
            for in_store in (None, False):
                store = mx.kv.create("device") if kvstore == "object" else kvstore
                x = parameter([1, 2, 3], ctx)
                t = gluon.Trainer(
                    [x], "sgd", {"learning_rate": 0.1}, kvstore=store, update_on_kvstore=in_store
                )
                backward(x)
                r.append(outcome(t.allreduce_grads))
                r.append(x.list_grad())
                backward(x)
                r.append(outcome(t.update, 1))
                r.append(x.list_data())
                backward(x)
                t.step(1)
                t.save_states(folder + "/s")
                t.load_states(folder + "/s")
                backward(x)
                t.step(1)
                r.append(x.list_data())
    return r


def gradients_in_two_bits():
    TWO = [mx.cpu(0), mx.cpu(1)]

    def go(ctx=TWO, **options):
        x = parameter([1, 2, 3], ctx)
        t = gluon.Trainer([x], "sgd", {"learning_rate": 0.1}, **options)
        for _ in range(3):
            backward(x)
            t.step(1)
        return x.list_data()

    two = {"type": "2bit", "threshold": 0.5}
    return [
        go(compression_params=two),
        go(compression_params=two, update_on_kvstore=False),
        go([mx.cpu(0)], compression_params=two),
        outcome(go, compression_params={"type": "bogus"}),
    ]


def a_store_of_the_user():
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    calls = []

    class Mine(mx.kvstore.KVStoreBase):
        def broadcast(self, key, value, out, priority=0):
            calls.append(("broadcast", key, len(out)))
            for array in out:
                array[:] = value

        def pushpull(self, key, value, out=None, priority=0):
            calls.append(("pushpull", key, len(value), out is None))
            whole = sum(v.as_in_context(mx.cpu()) for v in value)
            for array in value:
                array[:] = whole

        @staticmethod
        def is_capable(capability):
            return False

        @property
        def type(self):
            return "mine"

    for ctx in ([mx.cpu(0)], TWO):
        x = parameter([1, 2], ctx)
        t = gluon.Trainer([x], "sgd", {"learning_rate": 0.1}, kvstore=Mine())
        for _ in range(2):
            backward(x)
            t.step(1)
        r.append((x.list_data(), t._update_on_kvstore, list(calls)))
        calls.clear()
    x = parameter([1, 2])
    backward(x)
    r.append(outcome(gluon.Trainer([x], "sgd", kvstore=Mine(), update_on_kvstore=True).step, 1))
    return r


def contexts_that_change(folder):
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    params = gluon.ParameterDict()
    x = params.get("x", shape=(3,), lr_mult=1.0)
    params.initialize(ctx=TWO, init="zeros")
    t = gluon.Trainer(params, "sgd", {"learning_rate": 0.1})
    params.save(folder + "/kv")
    backward(x, lambda w: w + 1)
    t.step(1)
    r.append(x.list_data())
    params.load(folder + "/kv")
    backward(x, lambda w: w + 1)
    t.step(1)
    r.append(x.list_data())
    params.reset_ctx([mx.cpu(1)])
    backward(x)
    t.step(1)
    r.append(x.list_data())
    return r


def row_sparse_parameters_and_stores():
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []

    def go(stype, grad_stype, ctx, **options):
        x = gluon.Parameter("x", shape=(4, 1), stype=stype, grad_stype=grad_stype)
        x.initialize(ctx=ctx, init="zeros")
        t = gluon.Trainer([x], "sgd", {"learning_rate": 0.1}, **options)
        rows = nd.arange(4)
        values = x.list_data() if stype == "default" else x.list_row_sparse_data(rows)
        with autograd.record():
            losses = [(w + 1).sum() for w in values]
        autograd.backward(losses)
        t.step(1)
        return (
            t._update_on_kvstore,
            t._kvstore.type if t._kvstore else None,
            t._contains_sparse_weight,
            t._contains_sparse_grad,
            (x.data(ctx[0]) if stype == "default" else x.row_sparse_data(rows)).asnumpy(),
        )

    for ctx in ([mx.cpu(0)], TWO):
        for options in ({}, {"update_on_kvstore": False}, {"kvstore": None}):
            r += [
                outcome(go, stype, "row_sparse", ctx, **options)
                for stype in ("default", "row_sparse")
            ]
    s = gluon.Parameter("s", shape=(3, 2), stype="row_sparse")
    s.initialize()
    t = gluon.Trainer([s], "sgd")
    r += [s._trainer is t, outcome(gluon.Trainer, [s], "sgd")]
    d = gluon.Parameter("d", shape=(3, 2))
    d.initialize()
    t = gluon.Trainer([d], "sgd")
    u = gluon.Trainer([d], "adam")
    r.append(d._trainer is u)
    return r


def states_of_the_optimizer_in_a_store(folder):
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    x = parameter([1, 2], TWO)
    t = gluon.Trainer([x], "sgd", {"learning_rate": 0.1})
    backward(x)
    t.step(1)
    r.append(t._kvstore._updater.optimizer._get_lr(0))
    x.lr_mult = 2.0
    t.save_states(folder + "/s")
    t.load_states(folder + "/s")
    r.append(t._kvstore._updater.optimizer._get_lr(0))
    return r


def batches_over_contexts():
    TWO = [mx.cpu(0), mx.cpu(1)]
    r = []
    for ctx in ([mx.cpu(0)], TWO):
        for hybrid in (False, True):
            net = nn.HybridSequential(prefix="m_")
            with net.name_scope():
                net.add(nn.Dense(8, activation="relu"), nn.Dense(3))
            net.initialize(Waves(), ctx=ctx)
            if hybrid:
                net.hybridize()
            t = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
            entropy = gluon.loss.SoftmaxCrossEntropyLoss()
            for _ in range(3):
                parts = zip(
                    gluon.utils.split_and_load(wave(8, 5), ctx),
                    gluon.utils.split_and_load(nd.array(np.arange(8) % 3), ctx),
                )
                with autograd.record():
                    losses = [entropy(net(a), b) for a, b in parts]
                for loss in losses:
                    loss.backward()
                t.step(8)
            r.append([p.data(c) for p in net.collect_params().values() for c in ctx])
    return r


PROGRAMS = functions(globals())

"""Programs on details of Gluon: saved models, names, shared parameters, flags, hooks, contexts."""

from __future__ import annotations

import contextlib
import io
import json
import os
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .core import functions
from .gluon_helpers import Waves, outcome, wave


class _Chain(nn.Block):
    """Keeps children under names with the counters of the process in them."""

    def push(self, block):
        self._children[f"{block.name}_at{len(self._children)}"] = block

    def forward(self, x):
        for block in self._children.values():
            x = block(x)
        return x


def _chain(kind=nn.Dense):
    inner, outer = _Chain(), _Chain()
    inner.push(kind(3))
    outer.push(inner)
    outer.push(kind(2))
    return outer


def _stack(**flags):
    net = nn.HybridSequential(prefix="stack_")
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"), nn.BatchNorm(), nn.Dropout(0), nn.Dense(2))
    net.initialize(Waves())
    if flags:
        net.hybridize(**flags)
    return net


def _keys(path):
    return sorted((name, value.shape) for name, value in nd.load(path).items())


def _attempt(function, *args, **kwargs):
    """Says whether a call succeeds."""
    result = outcome(function, *args, **kwargs)
    return "raised" if isinstance(result, Exception) else "done"


def models_with_children_named_by_counters(folder):
    path = os.path.join(folder, "model")
    one = _chain()
    one.initialize(Waves())
    one.hybridize()
    x = wave(2, 3)
    expected = one(x)
    one.save(path)
    two = _chain()
    before = list(two._children)
    two.load(path)
    names = [list(net._children) for net in (one, two)]
    return [
        (two(x) - expected).asnumpy().max(),
        names[0] == names[1],
        before != names[1],
        [child.name for child in two._children.values()]
        == [child.name for child in one._children.values()],
        _keys(path + "-model.params")[0][1],
    ]


def models_saved_without_a_graph(folder):
    path = os.path.join(folder, "model")
    one = _chain()
    one.initialize(Waves())
    x = wave(2, 3)
    expected = one(x)
    one.save(path)
    two = _chain()
    two.load(path)
    with open(path + "-model.json") as file:
        saved = json.load(file)
    (entry,) = saved.values()
    return (two(x) - expected).asnumpy().max(), sorted(entry)


def models_loaded_into_others(folder):
    path = os.path.join(folder, "model")
    one = _stack(active=True)
    x = wave(3, 5)
    expected = one(x)
    one.save(path)
    r = []
    for make in (_stack, lambda: _stack(active=True), lambda: _stack(static_alloc=True)):
        two = make()
        two.load(path)
        r.append((two(x) - expected).asnumpy().max())
    other = nn.HybridSequential()
    other.add(nn.Dense(4))
    r.append(_attempt(other.load, path))
    r.append(_attempt(_chain().load, path))
    r.append(_attempt(_stack().load, path + "not there"))
    return r


def files_of_parameters(folder):
    path = os.path.join(folder, "p")
    net = _stack()
    net(wave(3, 5))
    r = []
    net.save_parameters(path)
    r.append(_keys(path))
    net.collect_params().save(path)
    r.append(_keys(path))
    net.collect_params().save(path, strip_prefix="stack_")
    r.append(_keys(path))
    other = _stack()
    other.collect_params().load(path, restore_prefix="stack_")
    r.append((other(wave(3, 5)) - net(wave(3, 5))).asnumpy().max())
    r.append(_attempt(net.collect_params().save, path, strip_prefix="other_"))
    r.append(_attempt(other.collect_params().load, path, restore_prefix="wrong_"))
    r.append(_attempt(_stack().load_parameters, path))
    net.save_parameters(path)
    smaller = nn.HybridSequential()
    smaller.add(nn.Dense(4))
    r.append(_attempt(smaller.load_parameters, path))
    r.append(_attempt(smaller.load_parameters, path, ignore_extra=True))
    larger = _stack()
    larger.add(nn.Dense(3))
    r.append(_attempt(larger.load_parameters, path))
    r.append(_attempt(larger.load_parameters, path, allow_missing=True))
    r.append(larger[0].weight.shape)
    return r


def types_of_loaded_parameters(folder):
    path = os.path.join(folder, "p")
    net = nn.Dense(2, in_units=3)
    net.initialize(Waves())
    net.cast("float16")
    net.save_parameters(path)
    r = []
    for options in (
        {},
        {"cast_dtype": True},
        {"cast_dtype": True, "dtype_source": "saved"},
        {"cast_dtype": True, "dtype_source": "other"},
    ):
        for initialized in (False, True):
            other = nn.Dense(2, in_units=3)
            if initialized:
                other.initialize()
            done = _attempt(other.load_parameters, path, **options)
            has_value = other.weight._data is not None
            r.append((done, str(np.dtype(other.weight.dtype)), has_value))
            if done == "done":
                r.append(other.weight.data())
    return r


def parameters_loaded_to_contexts(folder):
    path = os.path.join(folder, "p")
    net = nn.Dense(2, in_units=3)
    net.initialize(Waves())
    net.save_parameters(path)
    r = []
    for before in (None, [mx.cpu(1)], [mx.cpu(0), mx.cpu(1)]):
        for ctx in (None, mx.cpu(0), mx.cpu(1), [mx.cpu(1), mx.cpu(0)]):
            other = nn.Dense(2, in_units=3)
            if before:
                other.initialize(ctx=before)
            r.append(_attempt(other.load_parameters, path, ctx=ctx))
            r.append(outcome(other.weight.list_ctx))
            deferred = nn.Dense(2)
            if before:
                deferred.initialize(ctx=before)
            r.append(_attempt(deferred.load_parameters, path, ctx=ctx))
            r.append(outcome(deferred.weight.list_ctx))
    return r


def shared_parameters():
    r = []
    one = nn.Dense(2, in_units=2, prefix="one_")
    two = nn.Dense(2, in_units=2, prefix="two_", params=one.params)
    one.initialize(Waves())
    r.append((one.weight is two.weight, list(two.params), list(two.collect_params())))
    r.append(_attempt(nn.Dense, 3, in_units=2, params=one.params))
    r.append(_attempt(nn.Dense, 2, in_units=0, params=one.params))
    r.append(_attempt(nn.Dense, 2, in_units=2, use_bias=False, params=one.params))
    third = nn.Dense(2, in_units=2, prefix="three_", params=two.params)
    r.append((third.bias is one.bias, third.name, third.params.prefix))
    net = nn.HybridSequential(prefix="net_")
    net.add(one, two)
    net.hybridize()
    with autograd.record():
        y = net(wave(3, 2)).sum()
    y.backward()
    r.append((list(net.collect_params()), one.weight.grad()))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    trainer.step(1)
    r.append(two.weight.data())
    d = gluon.ParameterDict("a_", shared=one.params)
    r.append((d.get("weight") is one.weight, list(d), outcome(d.get, "weight", shape=(9, 9))))
    return r


def flags_of_hybridized_networks():
    r = []
    x = wave(3, 5)
    for flags in (
        {},
        {"active": True},
        {"static_alloc": True},
        {"static_alloc": True, "static_shape": True},
        {"inline_limit": 0},
        {"inline_limit": 100},
        {"forward_bulk_size": 2},
        {"backward_bulk_size": 3},
        {"forward_bulk_size": 1, "backward_bulk_size": 1, "inline_limit": 1},
    ):
        net = _stack(**flags)
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
        for _ in range(3):
            with autograd.record():
                loss = (net(x) ** 2).mean()
            loss.backward()
            trainer.step(1)
        r.append((loss, net(x), net[1].running_mean.data()))
    return r


def flags_given_again():
    net = _stack()
    x = wave(3, 5)
    r = []
    for flags in (
        {},
        {"active": False},
        {"static_alloc": True},
        {"active": True, "clear": False},
        {"active": False, "clear": False},
        {"static_alloc": True, "static_shape": True, "clear": False},
    ):
        net.hybridize(**flags)
        r.append((net(x), net._active))
    return r


def recorded_nodes_by_inline_limit():
    r = []
    for number in (1, 3):
        for flags in ({}, {"inline_limit": 0}, {"inline_limit": 3}, {"static_alloc": True}):
            net = nn.HybridSequential()
            for _ in range(number):
                net.add(nn.Dense(2, in_units=2))
            net.initialize(Waves())
            net.hybridize(**flags)
            with autograd.record():
                y = net(wave(1, 2))
            graph = json.loads(autograd.get_symbol(y).tojson())
            r.append([node["op"] for node in graph["nodes"]])
            y.backward()
            r.append(net[0].weight.grad())
    return r


def operators_recorded_beside_a_graph():
    class Pair(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.relu(x) * 2, x + 1

    r = []
    for limit in (0, 2, 3):
        block = Pair()
        block.hybridize(inline_limit=limit)
        x = wave(2, 3)
        x.attach_grad()
        with autograd.record():
            a, b = block(x)
            y = a * b
        graph = json.loads(autograd.get_symbol(y).tojson())
        r.append([node["op"] for node in graph["nodes"]])
        y.backward()
        r.append(x.grad)
    return r


def cached_operators_with_flags():
    x = mx.sym.var("x")
    graph = mx.sym.relu(x) * 2 + 1
    r = []
    for flags in (
        (),
        [("inline_limit", 3)],
        [("inline_limit", "1")],
        [("static_alloc", True), ("inline_limit", 9)],
    ):
        op = mx.nd.CachedOp(graph, flags)
        data = wave(4)
        data.attach_grad()
        with autograd.record():
            y = op(data)
        r.append(len(json.loads(autograd.get_symbol(y).tojson())["nodes"]))
        y.backward()
        r.append(data.grad)
    return r


def graphs_with_sparse_variables():
    r = []
    for stype in ("default", "row_sparse", "csr"):
        data, weight = mx.sym.var("data"), mx.sym.var("weight", stype=stype)
        out = mx.sym.dot(data, weight)
        r.append(_attempt(gluon.SymbolBlock, out, data))
        r.append(_attempt(gluon.SymbolBlock, [out, data * 2], [data]))
        r.append(_attempt(gluon.SymbolBlock, out, [data, weight]))
    error = outcome(gluon.SymbolBlock, mx.sym.var("a", stype="row_sparse") * 2, mx.sym.var("b"))
    r.append(isinstance(error, AssertionError))
    return r


def trainers_on_several_contexts():
    r = []
    contexts = [mx.cpu(0), mx.cpu(1)]
    for store in (None, "local", "device"):
        for update in (None, False):
            net = nn.Dense(1, in_units=2)
            net.initialize(Waves(), ctx=contexts)
            options = {"kvstore": store, "update_on_kvstore": update}
            trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1}, **options)
            for _ in range(2):
                parts = gluon.utils.split_and_load(wave(4, 2), contexts)
                with autograd.record():
                    losses = [(net(part) ** 2).sum() for part in parts]
                for loss in losses:
                    loss.backward()
                trainer.step(4)
            r.append([net.weight.data(ctx) for ctx in contexts])
    return r


def steps_in_two_halves():
    r = []
    for store in (None, "device"):
        contexts = [mx.cpu(0), mx.cpu(1)]
        net = nn.Dense(1, in_units=2)
        net.initialize(Waves(), ctx=contexts)
        options = {"kvstore": store, "update_on_kvstore": False}
        trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}, **options)
        with autograd.record():
            losses = [net(part).sum() for part in gluon.utils.split_and_load(wave(4, 2), contexts)]
        autograd.backward(losses)
        trainer.allreduce_grads()
        r.append(net.weight.list_grad())
        trainer.update(4)
        r.append(net.weight.list_data())
        r.append(_attempt(trainer.update, 4))
        r.append(_attempt(trainer.update, 4, ignore_stale_grad=True))
        r.append(trainer.learning_rate)
        trainer.set_learning_rate(0.5)
        r.append(trainer.learning_rate)
    return r


def misused_trainers():
    net = nn.Dense(1, in_units=2)
    net.initialize(Waves())
    params = net.collect_params()
    r = [
        _attempt(gluon.Trainer, params, "sgd"),
        _attempt(gluon.Trainer, list(params.values()), "sgd"),
        _attempt(gluon.Trainer, tuple(params.values()), "sgd"),
        _attempt(gluon.Trainer, params, "no such optimizer"),
        _attempt(gluon.Trainer, [1], "sgd"),
        _attempt(gluon.Trainer, "weight", "sgd"),
        _attempt(gluon.Trainer, params, mx.optimizer.SGD(), {"learning_rate": 1}),
        _attempt(gluon.Trainer, params, "sgd", {"learning_rate": 1, "no_such": 2}),
        _attempt(gluon.Trainer, params, "sgd", kvstore="no such store"),
    ]
    trainer = gluon.Trainer(params, "sgd", kvstore=None)
    r.append(_attempt(trainer.step, 1))
    r.append(_attempt(trainer.step, 1, ignore_stale_grad=True))
    other = nn.Dense(1)
    other.initialize()
    r.append(_attempt(gluon.Trainer(other.collect_params(), "sgd").step, 1))
    return r


def constants():
    class Shift(gluon.HybridBlock):
        def __init__(self, value, **kwargs):
            super().__init__(**kwargs)
            self.shift = self.params.get_constant("shift", value)

        def hybrid_forward(self, F, x, shift):
            return F.broadcast_add(x, shift)

    r = []
    for value in ([1, 2], np.array([3, 4], "float64"), nd.array([5, 6], dtype="int32"), [[7, 8]]):
        for hybridized in (False, True):
            block = Shift(value)
            block.initialize()
            if hybridized:
                block.hybridize()
            constant = block.shift
            r.append((constant.shape, str(np.dtype(constant.dtype)), constant.grad_req))
            x = nd.zeros((1, 2), dtype=constant.dtype)
            r.append(block(x))
            trainer = gluon.Trainer(block.collect_params(), "sgd")
            r.append(_attempt(trainer.step, 1))
    params = gluon.ParameterDict("p_")
    first = params.get_constant("c", [1, 2])
    r.append(params.get_constant("c", nd.array([1, 2])) is first)
    r.append(_attempt(params.get_constant, "c", nd.array([1, 3])))
    r.append(_attempt(params.get_constant, "c", nd.array([1, 2, 3])))
    r.append(params.get_constant("c") is first)
    r.append(_attempt(params.get_constant, "other"))
    params.get("weight", shape=(2,))
    r.append(_attempt(params.get_constant, "weight", [1, 2]))
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        first.grad_req = "write"
    r.append((first.grad_req, len(found)))
    return r


def hooks_and_their_handles():
    r = []
    for hybridized in (False, True):
        seen = []
        net = _stack()
        if hybridized:
            net.hybridize()
        before = net.register_forward_pre_hook(lambda b, x: seen.append(("pre", b.name, len(x))))
        after = net[0].register_forward_hook(lambda b, x, y: seen.append((b.name, type(x))))
        net(wave(3, 5))
        net(wave(3, 5))
        before.detach()
        net(wave(3, 5))
        after.detach()
        net(wave(3, 5))
        r.append([str(item) for item in seen])
        with net.register_forward_hook(lambda b, x, y: seen.append("scope")):
            net(wave(3, 5))
        net(wave(3, 5))
        r.append(seen.count("scope"))
        r.append((len(net._forward_hooks), len(net._forward_pre_hooks)))
    return r


def functions_applied_to_blocks():
    net = _stack()
    seen = []
    result = net.apply(lambda block: seen.append(type(block).__name__))
    return seen, result is net


def deferred_parameters():
    r = []
    for hybridized in (False, True):
        net = _stack()
        if hybridized:
            net.hybridize()
        weight = net[0].weight
        r.append((weight.shape, weight.list_ctx(), weight._data, bool(weight._deferred_init)))
        r.append((_attempt(weight.data), _attempt(weight.list_data), _attempt(weight.grad)))
        r.append((_attempt(weight.list_grad), _attempt(weight.zero_grad)))
        weight.set_data(wave(4, 5) * 3)
        r.append((weight.shape, weight._data))
        net(wave(3, 5))
        r.append((weight.data(), weight.shape, bool(weight._deferred_init)))
        r.append(_attempt(net, wave(3, 6)))
        weight.shape = (4, 5)
        r.append(_attempt(setattr, weight, "shape", (4, 6)))
        net.cast("float64")
        r.append(net(wave(3, 5).astype("float64")))
    return r


def printed_summaries():
    r = []
    for hybridized in (False, True):
        net = _stack()
        net(wave(3, 5))
        if hybridized:
            net.hybridize()
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            done = _attempt(net.summary, wave(3, 5))
        r.append((done, [line.split() for line in text.getvalue().splitlines()]))
    return r


def prefixes_and_scopes():
    r = []
    with mx.name.Prefix("outer_"):
        net = nn.HybridSequential()
        with net.name_scope():
            net.add(nn.Dense(1), nn.Dense(1))
    r.append([child.name.replace(net.prefix, "P ") for child in net])
    named = nn.HybridSequential(prefix="named_")
    with named.name_scope():
        named.add(nn.Dense(1), nn.Dense(1, prefix="mine_"), nn.Dense(1, prefix=""))
    r.append([(child.prefix, child.name) for child in named])
    r.append(list(named.collect_params()))
    r.append(list(named.collect_params(".*bias")))
    r.append(list(named.collect_params("named_dense0_weight|named_mine_bias")))
    named.register_child(nn.Dense(1, prefix="late_"), "late")
    r.append((list(named._children), len(named), named[-1].name))
    r.append(_attempt(named.register_child, 3))
    r.append(_attempt(named.add, nn.Lambda("relu")))
    r.append([type(part).__name__ for part in named[1:3]])
    return r


def exported_and_imported(folder):
    r = []
    x = wave(3, 5)
    for flags in ({"active": True}, {"static_alloc": True, "static_shape": True}):
        net = _stack(**flags)
        expected = net(x)
        path = os.path.join(folder, "net")
        r.append(net.export(path, epoch=3) is None)
        r.append(sorted(os.listdir(folder)))
        r.append(_keys(path + "-0003.params"))
        with open(path + "-symbol.json") as file:
            r.append([node["op"] for node in json.load(file)["nodes"]])
        block = gluon.SymbolBlock.imports(path + "-symbol.json", ["data"], path + "-0003.params")
        r.append((block(x) - expected).asnumpy().max())
        r.append((list(block.collect_params()), list(block._collect_params_with_prefix())))
        block.hybridize()
        r.append((block(x) - expected).asnumpy().max())
        net.export(path, remove_amp_cast=False)
        r.append(sorted(os.listdir(folder)))
    r.append(_attempt(_stack().export, path))
    r.append(_attempt(_stack(active=True).export, path))
    names = path + "-symbol.json", ["data"], path + "-0003.params"
    r.append(_attempt(gluon.SymbolBlock.imports, names[0], ["no such"], names[2]))
    r.append(_attempt(gluon.SymbolBlock.imports, names[0], "data", names[2], ctx=mx.cpu(1)))
    r.append(_attempt(gluon.SymbolBlock.imports, names[0], names[1], names[2] + "x"))
    return r


def blocks_of_internals():
    net = _stack(active=True)
    x = wave(3, 5)
    expected = net(x)
    data = mx.sym.var("data")
    out = net(data)
    inner = out.get_internals()
    names = [name for name in inner.list_outputs() if name.endswith("output")]
    block = gluon.SymbolBlock([inner[names[0]], out], data, params=net.collect_params())
    first, last = block(x)
    r = [names, first.shape, (last - expected).asnumpy().max()]
    r.append(block.collect_params()["stack_dense0_weight"] is net[0].weight)
    r.append([item.name for item in block(mx.sym.var("z"))])
    r.append(_attempt(gluon.SymbolBlock, out, out))
    r.append(_attempt(block, x, x))
    block.initialize(force_reinit=True)
    r.append(_attempt(gluon.SymbolBlock(out, data), x))
    return r


def nested_arguments():
    class Nested(gluon.HybridBlock):
        def hybrid_forward(self, F, x, states, mask=None):
            a, (b, c) = states
            y = x + a * b - c
            return (y if mask is None else y * mask), [a, [b + c]]

    r = []
    x = wave(2, 2)
    for flags in ({}, {"active": True}, {"static_alloc": True}):
        block = Nested()
        if flags:
            block.hybridize(**flags)
        states = [x, [x + 1, x + 2]]
        r.append(block(x, states))
        r.append(_attempt(block, x, states, x))
        r.append(_attempt(block, x, [x, x]))
        r.append(_attempt(block, x, states, None))
        r.append(_attempt(block, x, states, 3))
        r.append(_attempt(block))
    return r


def blocks_shown():
    net = nn.HybridSequential(prefix="shown_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3, activation="relu"), nn.MaxPool2D(), nn.Flatten(), nn.Dense(3))
        net.add(nn.BatchNorm(), nn.LayerNorm(), nn.Embedding(4, 5), nn.LeakyReLU(0.1))
        inner = nn.HybridSequential()
        inner.add(nn.Dropout(0.5), nn.Dense(2, in_units=7, use_bias=False))
        net.add(inner)
    params = net.collect_params()
    return repr(net), repr(params), repr(net[3].weight), str(gluon.Parameter("p"))


def states_of_trainers(folder):
    r = []
    for name in ("sgd", "adam", "rmsprop"):
        for update in (None, False):
            path = os.path.join(folder, "states")
            weights = []
            for restart in (False, True):
                net = nn.Dense(1, in_units=3)
                net.initialize(Waves())
                options = {"learning_rate": 0.1, "wd": 0.01}
                if name == "sgd":
                    options["momentum"] = 0.9
                make = lambda: gluon.Trainer(  # noqa: E731
                    net.collect_params(), name, dict(options), update_on_kvstore=update
                )
                trainer = make()
                for step in range(4):
                    if restart and step == 2:
                        trainer.save_states(path)
                        trainer = make()
                        trainer.load_states(path)
                    with autograd.record():
                        loss = (net(wave(2, 3)) ** 2).sum()
                    loss.backward()
                    trainer.step(2)
                weights.append(net.weight.data())
            r.append(weights)
    return r


def gradients_by_request():
    r = []
    for request in ("write", "add", "null"):
        for hybridized in (False, True):
            net = nn.Dense(1, in_units=2)
            net.initialize(Waves())
            net.weight.grad_req = request
            if hybridized:
                net.hybridize()
            for _ in range(2):
                with autograd.record():
                    y = net(wave(2, 2)).sum()
                y.backward()
            r.append(outcome(net.weight.grad))
            net.collect_params().zero_grad()
            r.append(outcome(net.weight.grad))
            net.collect_params().setattr("grad_req", "write")
            with autograd.record():
                y = net(wave(2, 2)).sum()
            y.backward()
            r.append(net.weight.grad())
    return r


def parameters_reset_to_contexts():
    net = _stack()
    net(wave(3, 5))
    r = []
    for ctx in ([mx.cpu(0), mx.cpu(1)], mx.cpu(1), None, [mx.cpu(2)]):
        net.collect_params().reset_ctx(ctx)
        r.append((net[0].weight.list_ctx(), net.collect_params().list_ctx()))
        place = net[0].weight.list_ctx()[0]
        r.append(net(wave(3, 5).as_in_context(place)).context)
    r.append(_attempt(net, wave(3, 5)))
    r.append(_attempt(gluon.Parameter("p", shape=(2,)).reset_ctx, mx.cpu(1)))
    return r


def dictionaries_of_parameters():
    d = gluon.ParameterDict("d_")
    r = [d.get("a", shape=(2, 0), allow_deferred_init=True).name]
    r.append(d.get("a", shape=(2, 3)).shape)
    r.append(_attempt(d.get, "a", shape=(2, 4)))
    r.append(d.get("a", shape=(0, 3)).shape)
    r.append(_attempt(d.get, "a", dtype="float64"))
    r.append(_attempt(d.get, "a", init="zeros"))
    other = gluon.ParameterDict("e_")
    other.get("b", shape=(1,))
    d.update(other)
    r.append((list(d), "e_b" in d, "b" in d, len(list(d.items()))))
    r.append(_attempt(d.update, other))
    third = gluon.ParameterDict("e_")
    third.get("b", shape=(1,))
    r.append(_attempt(d.update, third))
    r.append(_attempt(d.__getitem__, "nothing"))
    d.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    r.append([(item.name, item.data(mx.cpu(1))) for item in d.values()])
    d.initialize(mx.init.Zero())
    r.append(d["d_a"].data(mx.cpu(0)))
    d.initialize(mx.init.Zero(), force_reinit=True)
    r.append(d["d_a"].data())
    d.setattr("lr_mult", 3)
    r.append([item.lr_mult for item in d.values()])
    return r


PROGRAMS = functions(globals())

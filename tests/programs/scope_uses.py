"""Scopes inside of loops, in threads, and stores that a program defines."""

from __future__ import annotations

import re
import threading

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.kvstore.base import KVStoreBase

from . import core


def _in_thread(function):
    """Returns what a function returns in a thread of its own."""
    results = []
    thread = threading.Thread(target=lambda: results.append(function()))
    thread.start()
    thread.join()
    return results[0]


def _text(symbol):
    """The file; names of subgraphs count from the start of a process, and go without numbers."""
    text = re.sub(r"\s+", " ", symbol.tojson())
    return re.sub(r'("__subgraph_name__": "[a-z_]+)\d+', r"\1", text)


def a_loop_inside_of_scopes():
    x, s = mx.sym.var("x"), mx.sym.var("s")
    with mx.AttrScope(ctx_group="dev", __mood__="good"), mx.name.Prefix("pre_"):
        out, state = mx.sym.contrib.foreach(lambda a, b: (mx.sym.relu(a) + b, b), x, s)
    return _text(mx.sym.Group([out, state]))


def scopes_inside_of_a_loop():
    def body(a, b):
        with mx.AttrScope(__mood__="good"), mx.name.Prefix("pre_"):
            return mx.sym.FullyConnected(a, num_hidden=2) + b, b

    out, state = mx.sym.contrib.foreach(body, mx.sym.var("x"), mx.sym.var("s"))
    graph = mx.sym.Group([out, state])
    return graph.list_arguments(), _text(graph)


def other_loops_inside_of_scopes():
    x, s = mx.sym.var("x"), mx.sym.var("s")
    with mx.AttrScope(__mood__="good"), mx.name.Prefix("pre_"):
        out, _ = mx.sym.contrib.while_loop(
            lambda a, b: a < 3,
            lambda a, b: (mx.sym.relu(a) + b, [b, a + 1]),
            [x, s],
            max_iterations=3,
        )
        branch = mx.sym.contrib.cond(x < s, lambda: x * 2, lambda: mx.sym.sin(s))
    return _text(mx.sym.Group([out, branch]))


def loops_of_one_name():
    x, s = mx.sym.var("x"), mx.sym.var("s")
    outs = [mx.sym.contrib.foreach(lambda a, b: (a + b, b), x, s)[0] for _ in range(2)]
    with mx.name.Prefix("p_"):
        outs.append(mx.sym.contrib.foreach(lambda a, b: (a + b, b), x, s, name="loop")[0])
    return [(out.name, out.list_outputs()) for out in outs]


def recording_inside_of_a_loop():
    seen = []

    def body(x, s):
        seen.append((autograd.is_recording(), autograd.is_training()))
        with autograd.pause():
            twice = s * 2
        return x * twice, s + x

    x, s = nd.array([[1, 2], [3, 4]]), nd.ones(2)
    x.attach_grad()
    s.attach_grad()
    with autograd.record():
        out, state = nd.contrib.foreach(body, x, s)
        total = out.sum() + state.sum()
    total.backward()
    return seen, x.grad, s.grad


def gradients_of_outputs_that_were_not_reached():
    x = nd.array([2.0])
    x.attach_grad()
    with autograd.record():
        out, state = nd.contrib.while_loop(
            lambda i, p: i < 3,
            lambda i, p: (p * x, [i + 1, p * x]),
            [nd.array([0.0]), nd.array([1.0])],
            max_iterations=6,
        )
    out.backward(nd.arange(6).reshape((6, 1)) + 1)
    return out.shape, out[:3], state, x.grad


def scopes_belong_to_threads():
    with mx.cpu(3), mx.name.Prefix("p_"), mx.AttrScope(__a__="1"), autograd.record():
        here = mx.sym.relu(mx.sym.var("x"), name=None)
        there = _in_thread(
            lambda: (
                str(mx.current_context()),
                str(nd.ones(1).context),
                mx.sym.relu(mx.sym.var("x")).name,
                mx.sym.var("x").attr_dict(),
                (autograd.is_recording(), autograd.is_training()),
            )
        )
        return here.name, mx.sym.var("x").attr_dict(), there


def names_of_blocks_belong_to_threads():
    outer = nn.HybridSequential(prefix="seq_")
    with outer.name_scope():
        elsewhere = _in_thread(lambda: nn.Dense(1).name)
        return re.sub(r"\d+", "#", elsewhere), nn.Dense(1).name.startswith("seq_")


class _Summing(KVStoreBase):
    """Adds gradients up, and notes what it is asked for; it may have an optimizer of its own."""

    type, rank, num_workers = "summing", 0, 1

    def __init__(self, log, updates):
        self._log, self._values = log, {}
        self._updates, self._updater = updates, None
        type(self).updates = updates
        type(self).log = log

    def broadcast(self, key, value, out, priority=0):
        self._log.append(("broadcast", key, priority))
        first = value[0] if isinstance(value, list) else value
        self._values[key] = first.copy()
        for item in out if isinstance(out, list) else [out]:
            self._values[key].copyto(item)

    def pushpull(self, key, value, out=None, priority=0):
        self._log.append(("pushpull", key, priority, out is None))
        values = value if isinstance(value, list) else [value]
        total = values[0].copy()
        for item in values[1:]:
            total += item.as_in_context(total.context)
        if self._updater is not None:
            self._updater(key, total, self._values[key])
            total = self._values[key]
        out = value if out is None else out
        for item in out if isinstance(out, list) else [out]:
            total.copyto(item)

    @staticmethod
    def is_capable(capability):
        return _Summing.updates and capability.lower() == "optimizer"

    def set_optimizer(self, optimizer):
        self._log.append("set_optimizer")
        self._updater = mx.optimizer.get_updater(optimizer)


def _trained_with(updates):
    log = []
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = nn.Dense(1, in_units=2, prefix="d_")
    net.initialize(mx.init.One(), ctx=contexts)
    trainer = gluon.Trainer(
        net.collect_params(), "sgd", {"learning_rate": 0.1}, kvstore=_Summing(log, updates)
    )
    for _ in range(2):
        with autograd.record():
            outputs = [net(nd.array([[1, 2]], ctx=ctx)) for ctx in contexts]
        autograd.backward(outputs)
        trainer.step(2)
    weights = [net.weight.data(ctx).asnumpy() for ctx in contexts]
    calls = [call for call in log if call[0] != "broadcast"]
    return calls, weights, trainer._update_on_kvstore


def a_store_that_sums():
    return _trained_with(updates=False)


def a_store_that_updates():
    return _trained_with(updates=True)


def the_store_of_the_tests():
    store, out, total = mx.kv.create("teststore"), nd.zeros(2), nd.zeros(2)
    store.broadcast("k", nd.ones(2), out)
    store.pushpull("k", [nd.array([1, 2]), nd.array([2, 4])], total)
    return store.type, store.rank, store.num_workers, store.is_capable("optimizer"), out, total


def a_store_that_is_reset_before_use():
    net = nn.Dense(1, in_units=2, prefix="d_")
    net.initialize(mx.init.One())
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    trainer._reset_kvstore()
    return trainer._kv_initialized, trainer._kvstore, len(trainer._params_to_init)


PROGRAMS = core.functions(globals())

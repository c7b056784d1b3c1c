"""Programs that reach the arrays of parameters through private attributes, as libraries do."""

from __future__ import annotations

import copy
import pickle

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .core import functions
from .gluon_helpers import Waves, outcome, wave


class _Scale(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.c = self.params.get("c", shape=(1,), init="ones")

    def hybrid_forward(self, F, x, c):
        return F.broadcast_mul(x, c)


def _scale(**flags):
    net = _Scale()
    net.initialize()
    if flags:
        net.hybridize(**flags)
    net(nd.ones(2))
    return net


FLAGS = ({}, {"active": True}, {"static_alloc": True}, {"static_alloc": True, "static_shape": True})


def tables_of_contexts():
    r = []
    for contexts in (
        mx.cpu(0),
        mx.cpu(2),
        [mx.cpu(0), mx.cpu(1)],
        [mx.cpu(3), mx.cpu(1)],
        [mx.cpu(1), mx.cpu(1)],
    ):
        p = gluon.Parameter("p", shape=(2,), allow_deferred_init=True)
        r.append((p._ctx_map, p._ctx_list))
        p.initialize(ctx=contexts)
        r.append((p._ctx_map, p._ctx_list, type(p._data).__name__, len(p._data), len(p._grad)))
        p.reset_ctx(mx.cpu(1))
        r.append((p._ctx_map, p._ctx_list))
    p = gluon.Parameter("p", shape=(0,), allow_deferred_init=True)
    p.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    r.append((p._ctx_map, p._ctx_list, p._data))
    return r


def arrays_found_by_the_table():
    p = gluon.Parameter("p", shape=(2,))
    p.initialize(Waves(), ctx=[mx.cpu(2), mx.cpu(0)])
    r = []
    for number in range(4):
        row = p._ctx_map[mx.cpu().device_typeid & 1]
        place = row[number] if number < len(row) else None
        r.append(None if place is None else p._data[place].context)
    return r


def one_array_replaced():
    r = []
    for flags in FLAGS:
        net = _scale(**flags)
        for value in (5, 7):
            net.c._data[0] = nd.array([value])
            r.append(net(nd.ones(2)))
        net.c.set_data(nd.array([3]))
        r.append((net(nd.ones(2)), net.c.data(), net.c.list_data()))
    return r


def the_list_replaced():
    r = []
    for flags in FLAGS:
        net = _scale(**flags)
        net.c._data = [nd.array([4])]
        r.append(net(nd.ones(2)))
        net.c.set_data(nd.array([6]))
        r.append((net(nd.ones(2)), net.c.data()))
        net.c.initialize(mx.init.Constant(8), force_reinit=True)
        r.append(net(nd.ones(2)))
    return r


def lists_changed_by_methods():
    net = _scale(active=True)
    arrays, r = net.c._data, []
    arrays.append(arrays.pop() + 1)
    r.append(net(nd.ones(2)))
    arrays[:] = [nd.array([9])]
    r.append(net(nd.ones(2)))
    arrays.clear()
    arrays.extend([nd.array([2])])
    r.append(net(nd.ones(2)))
    arrays.insert(0, nd.array([3]))
    del arrays[1]
    r.append(net(nd.ones(2)))
    arrays += []
    r.append((len(arrays), isinstance(arrays, list), arrays == net.c._data))
    return r


def a_recorded_value():
    r = []
    for flags in FLAGS:
        net = _scale(**flags)
        v = nd.array([3])
        v.attach_grad()
        with autograd.record():
            net.c._data[0] = v * 2
            y = net(nd.array([1, 2])).sum()
        y.backward()
        r.append((y, v.grad, net.c.grad()))
    return r


def a_value_with_a_gradient_of_its_own():
    r = []
    for flags in FLAGS:
        net = _scale(**flags)
        v = nd.array([3])
        v.attach_grad()
        net.c._data[0] = v
        with autograd.record():
            y = net(nd.array([1, 2])).sum()
        y.backward()
        r.append((y, v.grad, net.c.grad()))
    return r


def lists_shared_by_two_parameters():
    one, two = _scale(active=True), _scale(active=True)
    two.c._data = one.c._data
    one.c.set_data(nd.array([5]))
    r = [two(nd.ones(2))]
    one.c._data[0] = nd.array([6])
    r.append((one(nd.ones(2)), two(nd.ones(2))))
    return r


def values_inside_of_a_larger_network():
    r = []
    for flags in FLAGS:
        net = nn.HybridSequential()
        net.add(nn.Dense(2, in_units=3), nn.Dense(1, in_units=2))
        net.initialize(Waves())
        if flags:
            net.hybridize(**flags)
        x = wave(2, 3)
        r.append(net(x))
        net[0].weight._data[0] = wave(2, 3) * 2
        r.append(net(x))
        net[1].bias._data = [nd.array([10])]
        r.append(net(x))
    return r


def parameters_with_lists_of_others():
    source, target = _scale(), _scale(active=True)
    source.c.set_data(nd.array([4]))
    for name in ("_data", "_grad", "_ctx_list", "_ctx_map"):
        setattr(target.c, name, getattr(source.c, name))
    with autograd.record():
        y = target(nd.ones(2)).sum()
    y.backward()
    return y, target.c.grad(), source.c.grad(), target.c.list_ctx()


def a_gradient_list_replaced():
    net = _scale(active=True)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1})
    with autograd.record():
        y = net(nd.ones(2)).sum()
    y.backward()
    trainer.step(1)
    r = [net.c.data().copy()]
    with autograd.record():
        y = net(nd.ones(2)).sum()
    y.backward()
    net.c._grad[0][:] = 5
    trainer.step(1)
    r.append(net.c.data())
    return r


def copies_and_pickles():
    r = []
    net = _scale(active=True)
    for make in (copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))):
        net.c._data[0] = nd.array([4])
        p = make(net.c)
        r.append((p.data(), p.grad_req, p.shape, type(p._data).__name__))
    return r


def arrays_of_parameters_without_value():
    p = gluon.Parameter("p", shape=(2,))
    return [
        p._data,
        p._grad,
        outcome(lambda: p._data[0]),
        outcome(lambda: p._ctx_map[1]),
        outcome(p.data),
    ]


PROGRAMS = functions(globals())

"""Files of blocks whose children are shared or have other names."""

from __future__ import annotations

import os

import mxnet as mx
from mxnet import nd
from mxnet.gluon import nn

from . import core


class _Shared(nn.HybridBlock):
    def __init__(self, share=True, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.a = nn.Dense(3, in_units=3)
            self.b = nn.Dense(3, in_units=3, params=self.a.params if share else None)
            self.c = nn.Dense(2, in_units=3)

    def hybrid_forward(self, F, x):
        return self.c(self.b(self.a(x)))


class _Twice(nn.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.a = nn.Dense(3, in_units=3)
            self.b = self.a

    def hybrid_forward(self, F, x):
        return self.b(self.a(x))


class _Named(nn.HybridBlock):
    def __init__(self, child, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            setattr(self, child, nn.Dense(2, in_units=3))


def _ones(net):
    net.initialize(mx.init.One())
    return net


def _keys(path):
    return sorted((name, value.shape) for name, value in nd.load(path).items())


def _tried(function):
    """Says whether a call succeeds."""
    try:
        function()
    except (AssertionError, ValueError, RuntimeError):
        return "refused"
    return "done"


def shared_layers(folder):
    path, found = os.path.join(folder, "net"), []
    for deduplicate in (False, True):
        _ones(_Shared(prefix="n_")).save_parameters(path, deduplicate=deduplicate)
        net = _Shared(prefix="m_")
        net.load_parameters(path)
        found.append((_keys(path), net(nd.array([[1, 2, 3]]))))
    return found


def one_layer_twice(folder):
    path, found = os.path.join(folder, "net"), []
    for deduplicate in (False, True):
        _ones(_Twice(prefix="n_")).save_parameters(path, deduplicate=deduplicate)
        net = _Twice(prefix="m_")
        net.load_parameters(path)
        found.append((_keys(path), net(nd.array([[1, 2, 3]]))))
    return found


def shared_layers_loaded_as_others(folder):
    path = os.path.join(folder, "net")
    _ones(_Shared(prefix="n_")).save_parameters(path, deduplicate=True)
    net = _Shared(False, prefix="u_")
    return (
        _tried(lambda: net.load_parameters(path)),
        _tried(lambda: net.load_parameters(path, allow_missing=True)),
    )


def other_layers_loaded_as_shared(folder):
    path, net = os.path.join(folder, "net"), _ones(_Shared(False, prefix="u_"))
    net.b.weight.set_data(nd.arange(9).reshape((3, 3)))
    net.save_parameters(path)
    shared = _Shared(prefix="n_")
    shared.load_parameters(path)
    return shared.a.weight.data()


def prefixes(folder):
    path, net = os.path.join(folder, "net"), _ones(_Shared(prefix="n_"))
    parameters, other = net.collect_params(), _Shared(prefix="m_")
    parameters.save(path)
    found = [_keys(path), _tried(lambda: parameters.save(path, strip_prefix="x_"))]
    parameters.save(path, strip_prefix="n_")
    loaded = other.collect_params()
    found += [
        _keys(path),
        _tried(lambda: loaded.load(path)),
        _tried(lambda: loaded.load(path, restore_prefix="q_")),
        _tried(lambda: loaded.load(path, restore_prefix="m_")),
        other(nd.array([[1, 2, 3]])),
    ]
    return found


def children_of_another_name(folder):
    path = os.path.join(folder, "net")
    _ones(_Named("one", prefix="n_")).save_parameters(path)
    net = _Named("two", prefix="n_")
    return (
        _keys(path),
        _tried(lambda: net.load_parameters(path)),
        _tried(lambda: net.load_parameters(path, allow_missing=True)),
        _tried(lambda: net.load_parameters(path, ignore_extra=True)),
        _tried(lambda: net.load_parameters(path, allow_missing=True, ignore_extra=True)),
    )


def a_part_of_a_sequence(folder):
    path, net = os.path.join(folder, "net"), nn.HybridSequential(prefix="s_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=3), nn.Dense(3, in_units=2), nn.Dense(1, in_units=3))
    part = _ones(net)[1:]
    part.save_parameters(path)
    return part.prefix, _keys(path), sorted(part.collect_params().keys())


def other_dtypes(folder):
    path, net = os.path.join(folder, "net"), _ones(nn.Dense(2, in_units=3))
    net.cast("float16")
    net.save_parameters(path)
    other, found = nn.Dense(2, in_units=3), []
    for options in ({}, {"cast_dtype": True}, {"cast_dtype": True, "dtype_source": "saved"}):
        done = _tried(lambda options=options: other.load_parameters(path, **options))
        found.append((done, str(other.weight.data().dtype) if done == "done" else None))
    return found


def other_shapes(folder):
    path = os.path.join(folder, "net")
    _ones(nn.Dense(2, in_units=3)).save_parameters(path)
    nets = [nn.Dense(3, in_units=3), nn.Dense(2), nn.Dense(2, in_units=4)]
    return [_tried(lambda net=net: net.load_parameters(path)) for net in nets]


def several_contexts(folder):
    path, net = os.path.join(folder, "net"), nn.Dense(2, in_units=3)
    _ones(nn.Dense(2, in_units=3)).save_parameters(path)
    net.load_parameters(path, ctx=[mx.cpu(0), mx.cpu(1)])
    return [str(ctx) for ctx in net.weight.list_ctx()], _tried(
        lambda: nn.Dense(2, in_units=3).save_parameters(path)
    )


def shared_dictionaries():
    first = mx.gluon.ParameterDict("a_")
    weight = first.get("w", shape=(2,))
    second = mx.gluon.ParameterDict("a_", shared=first)
    return (
        second.get("w") is weight,
        list(second.keys()),
        _tried(lambda: second.get("w", shape=(3,))),
        _tried(lambda: first.update(second)),
    )


PROGRAMS = core.functions(globals())

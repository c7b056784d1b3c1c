"""What programs that export networks share: networks, files and reading them again."""

from __future__ import annotations

import os
import warnings

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

from .core import GIVEN

warnings.simplefilter("ignore")
x, y = nd.array([[1, -2, 3], [4, 5, -6]]), nd.array([[1, 1, 2], [0, 2, 1]])
folder = GIVEN["folder"]
path = os.path.join(folder, "net")


def dense(hybrid=True, called=True, **flags):
    net = nn.Dense(2, in_units=3, prefix="dense_")
    net.initialize(mx.init.One())
    if hybrid:
        net.hybridize(**flags)
    if called:
        net(x)
    return net


def stack():
    net = nn.HybridSequential(prefix="stack_")
    with net.name_scope():
        net.add(nn.Dense(3, activation="relu"), nn.BatchNorm(), nn.Dense(2))
    net.initialize(mx.init.One())
    net.hybridize()
    net(x)
    return net


def block(function, *args, **parameters):
    class Net(gluon.HybridBlock):
        def __init__(self, **kwargs):
            super().__init__(**kwargs)
            for name, shape in parameters.items():
                setattr(self, name, self.params.get(name, shape=shape, init="ones"))

        def hybrid_forward(self, F, *inputs, **kwargs):
            return function(F, *inputs, **kwargs)

    net = Net(prefix="net_")
    net.initialize()
    net.hybridize()
    net(*args)
    return net


def cast(net, kind):
    net.cast(kind)
    net(x.astype(kind))
    return net


def inside(function, *args, **options):
    block(function, *args).export(path, **options)
    return mx.sym.load(path + "-symbol.json").get_internals().list_outputs()


def files():
    return sorted(os.listdir(folder))


def saved(number=0):
    found = mx.nd.load(f"{path}-{number:04d}.params")
    return sorted((k, str(v.dtype), v.shape) for k, v in found.items()) if found else []


def exported(net, *args, **kwargs):
    net.export(path, *args, **kwargs)
    s = mx.sym.load(path + "-symbol.json")
    return [files(), s.list_inputs(), s.list_outputs(), saved()]


def again(net, names, *args, **options):
    net.export(path)
    loaded = gluon.SymbolBlock.imports(
        path + "-symbol.json", names, path + "-0000.params", **options
    )
    return loaded(*args)


def imported(
    names=["data"], params=path + "-0000.params", symbols=path + "-symbol.json", **options
):
    return gluon.SymbolBlock.imports(symbols, names, params, **options)


def listed(net):
    return [
        (k, p.name, str(np.dtype(p.dtype)), p.grad_req)
        for k, p in sorted(net.collect_params().items())
    ]


def warned(function):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return len([w for w in caught if w.category is UserWarning])


def kept(net, *names, **more):
    net.export(path)
    found = mx.nd.load(path + "-0000.params")
    mx.nd.save(path + "-0000.params", {**{k: v for k, v in found.items() if k in names}, **more})
    return imported

"""Variables, and how a bound network is run."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

a, b, data, label = (mx.sym.var(name) for name in ("a", "b", "data", "label"))


def wave(shape, start, scale=1.0):
    size = int(np.prod(shape))
    return nd.array((np.sin(np.arange(size) * 1.3 + start) * scale).reshape(shape))


def fill(exe):
    for place, (name, array) in enumerate(sorted(exe.arg_dict.items())):
        array[:] = wave(array.shape, place).astype(array.dtype)
    return exe


def run(net, heads=True, grad_req="write", types=None, times=1, values=None, **shapes):
    exe = net.simple_bind(mx.cpu(), grad_req=grad_req, type_dict=types, **shapes)
    fill(exe)
    for name, value in (values or {}).items():
        exe.arg_dict[name][:] = value
    for name, array in exe.aux_dict.items():
        array[:] = 1 if name.endswith("var") else 0
    for _ in range(times):
        exe.forward(is_train=True)
        if heads:
            exe.backward([wave(o.shape, 2).astype(o.dtype) for o in exe.outputs])
        else:
            exe.backward()
    nd.waitall()
    return exe.output_dict, exe.grad_dict, exe.aux_dict

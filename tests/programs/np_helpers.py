"""What programs of the NumPy dialect share: calls in several ways, and how results are kept."""

from __future__ import annotations

import numpy as onp
from mxnet import autograd, gluon, np


def kept(value):
    """Describes a result by kind, dtype, shape and elements, which differ in no release of NumPy."""
    if isinstance(value, (list, tuple)):
        return [kept(item) for item in value]
    if not hasattr(value, "asnumpy"):
        return value
    elements = value.asnumpy()
    numbers = elements.astype("float64").round(4).ravel().tolist()
    kind = "np" if isinstance(value, np.ndarray) else "nd"
    return [kind, str(elements.dtype), list(value.shape), numbers]


class Call(gluon.HybridBlock):
    """A function of `F` and arrays as a block."""

    def __init__(self, function):
        super().__init__()
        self._function = function

    def hybrid_forward(self, F, *arrays):
        return self._function(F, *arrays)


def both(function, *arrays):
    """Returns results of a function called directly and hybridized."""
    results = []
    for active in (False, True):
        block = Call(function)
        block.hybridize(active)
        results.append(kept(block(*arrays)))
    return results


def slopes(function, *arrays, req="write"):
    """Returns results and gradients, called directly and hybridized."""
    results = []
    for active in (False, True):
        block = Call(function)
        block.hybridize(active)
        for array in arrays:
            array.attach_grad(req)
        with autograd.record():
            result = block(*arrays)
        last = result[-1] if isinstance(result, list) else result
        last.backward()
        results.append([kept(result), [kept(array.grad) for array in arrays]])
    return results


def deferred(function, x, *shapes):
    """Returns the shapes of parameters that the first call tells, directly and hybridized."""

    class Net(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                for number, shape in enumerate(shapes):
                    weight = self.params.get(
                        f"w{number}", shape=shape, init="ones", allow_deferred_init=True
                    )
                    setattr(self, f"w{number}", weight)

        def hybrid_forward(self, F, x, **weights):
            return function(F, x, *[weights[f"w{n}"] for n in range(len(shapes))])

    results = []
    for active in (False, True):
        net = Net()
        net.initialize()
        net.hybridize(active)
        out = net(x)
        results.append([list(out.shape), [list(p.shape) for p in net.collect_params().values()]])
    return results


def count(*shape, dtype="float32"):
    """Returns an array of the numbers from 0 on."""
    return np.array(onp.arange(onp.prod(shape, dtype="int64")).reshape(shape), dtype=dtype)

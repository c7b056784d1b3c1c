"""Gradients from heads that are not ones, on arrays, bound and hybridized."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, gluon, nd, sym

nan = float("nan")
rng = np.random.RandomState(7)


def A(*shape, dtype="float32", low=-1, high=1):
    return nd.array(rng.uniform(low, high, shape), dtype=dtype)


def V(values, dtype="float32"):
    return nd.array(values, dtype=dtype)


def _head(y, number):
    values = (np.arange(int(np.prod(y.shape))) % 7 - 2.5 + number) * 1.75
    return nd.array(values.reshape(y.shape), dtype=y.dtype)


def _listed(results):
    return list(results) if isinstance(results, (list, tuple)) else [results]


def eager(compute, *arrays, req="write", train=True):
    """Results and gradients of a function of `F` and arrays."""
    arrays = [x.copy() for x in arrays]
    for x in arrays:
        x.attach_grad(req)
    with autograd.record(train_mode=train):
        results = _listed(compute(arrays))
    values = [y.copy() for y in results]
    autograd.backward(results, [_head(y, k) for k, y in enumerate(results)], train_mode=train)
    return values + [x.grad for x in arrays]


class _Net(gluon.HybridBlock):
    def __init__(self, compute):
        super().__init__(prefix="net_")
        self._function = compute

    def hybrid_forward(self, F, *arrays):
        return self._function(F, *arrays)


def bound(compute, *arrays, req="write", train=True):
    """The same of an executor."""
    names = "abcdefgh"[: len(arrays)]
    results = compute(sym, *[sym.var(n, dtype=x.dtype) for n, x in zip(names, arrays)])
    graph = sym.Group(results) if isinstance(results, (list, tuple)) else results
    gradients = {n: nd.zeros(x.shape, dtype=x.dtype) for n, x in zip(names, arrays)}
    executor = graph.bind(mx.cpu(), dict(zip(names, [x.copy() for x in arrays])), gradients, req)
    results = executor.forward(is_train=train)
    values = [y.copy() for y in results]
    executor.backward([_head(y, k) for k, y in enumerate(results)])
    return values + [gradients[n] for n in names]


def _hybridized(compute, *arrays, **options):
    net = _Net(compute)
    net.hybridize()
    return eager(lambda given: net(*given), *arrays, **options)


def every(compute, *arrays, **options):
    """Results and gradients on arrays; of other ways, whether they have the same."""
    ways = {
        "eager": lambda: eager(lambda given: compute(nd, *given), *arrays, **options),
        "bound": lambda: bound(compute, *arrays, **options),
        "hybridized": lambda: _hybridized(compute, *arrays, **options),
    }
    found = {}
    for way, run in ways.items():
        try:
            found[way] = run()
            [y.asnumpy() for y in found[way]]
        except Exception:  # noqa: BLE001 - that it fails is the result
            found[way] = "error"
    first = found["eager"]
    for way in ("bound", "hybridized"):
        if isinstance(first, list) and isinstance(found[way], list):
            pairs = zip(first, found[way])
            if all(
                a.dtype == b.dtype
                and np.allclose(a.asnumpy(), b.asnumpy(), 1e-4, 1e-5, equal_nan=True)
                for a, b in pairs
            ):
                found[way] = "same"
    return found


def headed(compute, shape, *arrays):
    """Gradients from a head of another shape, on arrays and bound."""
    head = nd.array(np.arange(1, 1 + int(np.prod(shape))).reshape(shape))

    def on_arrays():
        given = [x.copy() for x in arrays]
        given[0].attach_grad()
        with autograd.record():
            result = compute(nd, *given)
        result.backward(head)
        return given[0].grad

    def of_executor():
        names = "abcdefgh"[: len(arrays)]
        graph = compute(sym, *[sym.var(n) for n in names])
        gradient = nd.zeros(arrays[0].shape)
        requests = {n: "write" if n == "a" else "null" for n in names}
        given = {n: x for n, x in zip(names, arrays) if n in graph.list_arguments()}
        requests = {n: requests[n] for n in given}
        executor = graph.bind(mx.cpu(), given, {"a": gradient}, requests)
        executor.forward(is_train=True)
        executor.backward([head])
        return gradient

    found = {}
    for way, run in (("eager", on_arrays), ("bound", of_executor)):
        try:
            found[way] = run()
            found[way].asnumpy()
        except Exception:  # noqa: BLE001 - that it fails is the result
            found[way] = "error"
    return found


def masks(mode, p):
    """Whether `backward` uses the mask of the `forward` before it, in both modes of either."""
    executor = sym.Dropout(sym.var("a"), p=p, mode=mode).simple_bind(mx.cpu(), a=(20, 30))
    executor.arg_dict["a"][:] = 1
    found = []
    for forward, backward in ((True, True), (True, False), (False, True), (False, False)):
        result = executor.forward(is_train=forward)[0].asnumpy()
        executor.backward([nd.ones((20, 30))], is_train=backward)
        gradient = executor.grad_dict["a"].asnumpy()
        found.append((bool((gradient == result).all()), float(result.min()), float(result.max())))
    return found


def padded(value):
    """Scores with a value behind the end of some sequences."""
    x = scores.copy()
    x[4:, 0] = value
    x[3:, 1] = value
    return x


def impossible():
    """Scores of which one class is impossible at some time."""
    x = scores.copy()
    x[1, 1, 2] = -float("inf")
    x[2, 0, 3] = -float("inf")
    return x


def marks(*shape):
    """A condition that holds for every third element."""
    return nd.array((np.arange(int(np.prod(shape))) % 3 == 0).reshape(shape))


u = A(3, 5, low=-3, high=3)
signed = V([[3, -1, 2, 1], [5, -5, -4, 2], [1, -1, 3, -7]], "int32")
pixels = nd.arange(24).reshape((2, 3, 4)) - 11.5
whole = V([[3, 1, 2, 1], [5, 5, 0, 2], [1, 1, 1, 1]], "int32")
images = A(2, 3, 5, 6)
others = A(2, 3, 5, 6)
scores = A(5, 3, 4, low=-2, high=2)

REGIONS = {
    "feature_stride": 16,
    "scales": (2, 4),
    "ratios": (0.5, 1, 2),
    "rpn_pre_nms_top_n": 20,
    "rpn_post_nms_top_n": 4,
    "threshold": 0.7,
    "rpn_min_size": 4,
}


def anchors(count):
    """Scores and shifts of the boxes of a network that proposes regions, and sizes of images."""
    scores, shifts = A(count, 12, 2, 3, low=0), A(count, 24, 2, 3, low=-0.1, high=0.1)
    return scores, shifts, V([[32, 48, 1]] * count)


def written(y, statement):
    """An array after a statement that writes to it."""
    scope = {"y": y}
    exec(statement, scope)  # noqa: S102 - the lines are ours
    return scope["y"]


def in_three_steps():
    """Gradients of steps that each go through integers."""
    x, found = u.copy(), []
    x.attach_grad()
    for step in range(3):
        with autograd.record():
            whole = (x * (step + 1)).astype("int32")
            loss = (whole.astype("float32") * x).sum()
        loss.backward()
        found.append(x.grad.copy())
    return found


def used_after_recording():
    """Integers of one recording, used outside of it and in another one."""
    x = u.copy()
    x.attach_grad()
    with autograd.record():
        whole = x.astype("int32")
    plain = whole.astype("float32") + 1
    with autograd.record():
        y = whole.astype("float32") * x
    y.backward()
    return plain, y, x.grad


def asked_for_integers():
    """What `autograd.grad` returns for integers."""
    x = V([1, 2, 3], "int32")
    x.attach_grad()
    with autograd.record():
        y = x.astype("float32") * 2.5
    return autograd.grad(y, x, head_grads=V([1, 2, 3]))

"""Scalars and arrays without elements in the classic dialect, inside of `np_shape`."""

from __future__ import annotations

import os
import tempfile

import numpy as onp

_DISTRIBUTIONS = (
    "uniform normal exponential gamma poisson negative_binomial generalized_negative_binomial"
)


def _draws(mx) -> dict:
    random = mx.nd.random
    cases = {
        f"{name} {size}": lambda name=name, size=size: getattr(random, name)(shape=size)
        for name in _DISTRIBUTIONS.split()
        for size in ((), (0,), (2, 0), 1)
    }
    return {
        **cases,
        "randint ()": lambda: random.randint(0, 5, shape=()),
        "randint (0,)": lambda: random.randint(0, 5, shape=(0,)),
        "uniform of arrays ()": lambda: random.uniform(mx.nd.zeros(2), mx.nd.ones(2), shape=()),
        "multinomial ()": lambda: random.multinomial(mx.nd.array([0.5, 0.5]), shape=()),
    }


def _arrays(mx) -> dict:
    nd = mx.nd
    empty, scalar, ones = nd.zeros((0, 3)), nd.full((), 3), nd.ones((2, 3))
    return {
        "zeros ()": lambda: nd.zeros(()),
        "ones (0, 3)": lambda: nd.ones((0, 3)),
        "array of a number": lambda: nd.array(3.0),
        "array of nothing": lambda: nd.array([]),
        "empty + 1": lambda: empty + 1,
        "scalar + 1": lambda: scalar + 1,
        "exp of a scalar": lambda: nd.exp(scalar),
        "sum": lambda: nd.sum(ones),
        "sum of empty": lambda: nd.sum(empty),
        "sum along 0": lambda: nd.sum(empty, axis=0),
        "mean": lambda: nd.mean(ones),
        "norm": lambda: nd.norm(ones),
        "argmax": lambda: nd.argmax(nd.ones(3), axis=0),
        "dot": lambda: nd.dot(nd.ones(3), nd.ones(3)),
        "dense": lambda: nd.FullyConnected(empty, ones, num_hidden=2, no_bias=True),
        "concat": lambda: nd.concat(empty, ones, dim=0),
        "stack": lambda: nd.stack(scalar, scalar),
        "reshape ()": lambda: nd.ones(1).reshape(()),
        "reshape 0": lambda: ones.reshape((0, -1)),
        "element": lambda: nd.ones(3)[0],
        "no rows": lambda: nd.ones(3)[1:1],
        "slice": lambda: nd.slice(ones, begin=(1,), end=(1,)),
        "expand_dims": lambda: nd.expand_dims(scalar, axis=0),
        "squeeze": lambda: nd.squeeze(nd.ones((1, 1))),
        "astype": lambda: scalar.astype("int32"),
        "broadcast": lambda: nd.broadcast_add(nd.ones(2), scalar),
        "tile": lambda: nd.tile(scalar, reps=(2,)),
        "transpose": lambda: nd.transpose(empty),
        "one_hot": lambda: nd.one_hot(nd.array([]), 3),
        "take": lambda: nd.take(ones, nd.array([])),
        "embedding": lambda: nd.Embedding(nd.zeros((0,)), ones, input_dim=2, output_dim=3),
        "softmax": lambda: nd.softmax(empty),
        "mask": lambda: nd.contrib.boolean_mask(ones, nd.zeros(2)),
        "gradient of empty": lambda: _differentiate(mx, nd.ones((0, 2))),
        "file": lambda: _save_and_load(mx, [scalar, empty, ones]),
    }


def _differentiate(mx, array):
    array.attach_grad()
    with mx.autograd.record():
        result = array * array
    result.backward()
    return array.grad


def _save_and_load(mx, arrays):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "arrays")
        mx.nd.save(path, arrays)
        return mx.nd.load(path)


def _graphs(mx) -> dict:
    sym, nd = mx.sym, mx.nd
    data = sym.var("data")
    dense = sym.FullyConnected(data, num_hidden=2, name="dense")
    joined = sym.concat(data, sym.var("more"), dim=0)
    plus = data + 1
    return {
        "shape of a scalar": lambda: sym.relu(data).infer_shape(data=()),
        "shape of empty": lambda: sym.relu(data).infer_shape(data=(0, 3)),
        "dense shapes": lambda: dense.infer_shape(data=(0, 3)),
        "dense with an unknown batch": lambda: dense.infer_shape_partial(data=(-1, 3)),
        "dense of unknown data": lambda: dense.infer_shape_partial(),
        "sum shapes": lambda: sym.sum(data).infer_shape(data=(2, 3)),
        "joined shapes": lambda: joined.infer_shape(data=(0, 3), more=(2, 3)),
        "declared scalar": lambda: sym.relu(sym.var("x", shape=())).infer_shape(),
        "zeros shapes": lambda: sym.zeros((0, 2)).infer_shape(),
        "zeros scalar": lambda: sym.zeros(()).infer_shape(),
        "empty zeros": lambda: sym.zeros((0, 2)).eval(),
        "scalar ones": lambda: sym.ones(()).eval(),
        "scalar draw": lambda: sym.random.uniform(shape=()).eval(),
        "empty draw": lambda: sym.random.uniform(shape=(0,)).eval(),
        "bound empty": lambda: plus.bind(mx.cpu(), {"data": nd.ones((0, 2))}).forward(),
        "simply bound scalar": lambda: plus.simple_bind(mx.cpu(), data=()).forward()[0].shape,
        "says so": lambda: "is_np_shape" in plus.tojson(),
    }


def list_cases(mx) -> dict:
    """Returns all cases by name; made and run inside of `np_shape`."""
    return {**_draws(mx), **_arrays(mx), **_graphs(mx)}


def run(case, *, values: bool) -> object:
    """Returns shape, dtype and perhaps elements of the result, ready for JSON."""
    return _describe(case(), values)


def _describe(result, values: bool) -> object:
    if isinstance(result, (list, tuple)):
        return [_describe(item, values) for item in result]
    if not hasattr(result, "asnumpy"):
        return result
    described = [list(result.shape), onp.dtype(result.dtype).name]
    return [*described, result.asnumpy().tolist()] if values else described


def is_random(name: str) -> bool:
    """Returns whether the elements of a result are random."""
    return name in _RANDOM or name.split()[0] in _DISTRIBUTIONS.split()


_RANDOM = ("randint ()", "randint (0,)", "multinomial ()", "scalar draw", "empty draw")

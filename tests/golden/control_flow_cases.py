"""Graphs with loops and conditions, and how to run one: under the original and under this package.

A case is a function of the module `mxnet` that gives a symbol; its variables are filled with
numbers that depend on their shapes alone.
"""

from __future__ import annotations

import numpy as np


def _flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in _flat(value)]
    return [values]


def _lstm_step(mx, prefix):
    weights = [mx.sym.var(f"{prefix}_{name}") for name in ("wx", "bx", "wh", "bh")]

    def step(data, states):
        hidden, cell = states
        gates = mx.sym.FullyConnected(data, weights[0], weights[1], num_hidden=12)
        gates = gates + mx.sym.FullyConnected(hidden, weights[2], weights[3], num_hidden=12)
        i, f, c, o = mx.sym.SliceChannel(gates, num_outputs=4)
        cell = mx.sym.sigmoid(f) * cell + mx.sym.sigmoid(i) * mx.sym.tanh(c)
        hidden = mx.sym.sigmoid(o) * mx.sym.tanh(cell)
        return hidden, [hidden, cell]

    return step


def lstm(mx):
    names = ("h", "c")
    states = [mx.sym.var(name) for name in names]
    return mx.sym.contrib.foreach(_lstm_step(mx, "l0"), mx.sym.var("data"), states)


def cumulative(mx):
    total = mx.sym.var("w") * 2
    return mx.sym.contrib.foreach(
        lambda x, s: ([x * total + s[0], x], [s[0] * x + total]),
        mx.sym.var("data"),
        [mx.sym.var("s")],
    )


def two_sequences(mx):
    return mx.sym.contrib.foreach(
        lambda x, s: (x[0] * x[1] + s[0][0], [[s[0][0] + x[0]], s[1] * 0.5]),
        [mx.sym.var("data"), mx.sym.var("other") + 1],
        [[mx.sym.var("s")], mx.sym.var("u")],
    )


def vector(mx):
    return mx.sym.contrib.foreach(
        lambda x, s: (x * 2 + s, s + x), mx.sym.var("v"), mx.sym.var("one")
    )


def nested(mx):
    w = mx.sym.var("w")

    def inner(x, s):
        return x * w + s, s + mx.sym.tanh(x)

    def outer(x, s):
        out, last = mx.sym.contrib.foreach(inner, x, s)
        return out, last * 0.5

    return mx.sym.contrib.foreach(outer, mx.sym.var("cube"), mx.sym.var("s"))


def loop_in_branch(mx):
    x, s, w = (mx.sym.var(name) for name in ("data", "s", "w"))
    return mx.sym.contrib.cond(
        mx.sym.sum(w) < 100,
        lambda: mx.sym.contrib.foreach(lambda d, t: (d * w + t, t + d * w), x, s)[1],
        lambda: mx.sym.broadcast_add(s * w, mx.sym.sum(x)),
    )


def powers(mx):
    w = mx.sym.var("w")
    return mx.sym.contrib.while_loop(
        lambda i, _: i < 3,
        lambda i, x: ([x * w, i], [i + 1, mx.sym.tanh(x * w)]),
        [mx.sym.var("start"), mx.sym.var("s")],
        max_iterations=3,
    )


def limited(mx):
    return mx.sym.contrib.while_loop(
        lambda x: mx.sym.sum(x) < 1000,
        lambda x: (mx.sym.FullyConnected(x, num_hidden=4, name="fc"), x * 1.5),
        mx.sym.var("square"),
        max_iterations=4,
    )


def then_branch(mx):
    a, b = mx.sym.var("s"), mx.sym.var("w")
    return mx.sym.contrib.cond(mx.sym.sum(a * b) < 100, lambda: [a * b, a], lambda: [a - b, b])


def else_branch(mx):
    a, b = mx.sym.var("s"), mx.sym.var("w")
    # Both branches read both: the original leaves the gradient of what a branch skips undefined.
    return mx.sym.contrib.cond(
        mx.sym.sum(a * b) > 100, lambda: a * b + 1, lambda: mx.sym.exp(a - b * 2)
    )


CASES = {
    case.__name__: case
    for case in (
        lstm,
        cumulative,
        two_sequences,
        vector,
        nested,
        loop_in_branch,
        powers,
        limited,
        then_branch,
        else_branch,
    )
}

SHAPES = {
    "data": (5, 2),
    "other": (5, 2),
    "cube": (2, 3, 2),
    "square": (4, 4),
    "fc_weight": (4, 4),
    "fc_bias": (4,),
    "v": (4,),
    "one": (1,),
    "start": (1,),
    "s": (2,),
    "u": (2,),
    "w": (2,),
    "h": (2, 3),
    "c": (2, 3),
    "l0_wx": (12, 4),
    "l0_bx": (12,),
    "l0_wh": (12, 3),
    "l0_bh": (12,),
}


def build(mx, name):
    """Returns the symbol of a case; names in it do not depend on what was built before."""
    with mx.name.NameManager():
        return mx.sym.Group(_flat(CASES[name](mx)))


def values_of(case, name):
    """Returns the value of a variable."""
    shape = (6, 2, 4) if case == "lstm" and name == "data" else SHAPES[name]
    if name == "start":
        return np.zeros(shape, "float32")
    return np.random.RandomState(len(name) + 7 * len(shape)).uniform(-1, 1, shape).astype("float32")


def run(mx, case, symbol):
    """Returns the outputs of a symbol and the gradients of all of its variables."""
    names = symbol.list_arguments()
    arrays = {name: mx.nd.array(values_of(case, name)) for name in names}
    gradients = {name: mx.nd.zeros(array.shape) for name, array in arrays.items()}
    executor = symbol.bind(mx.cpu(), arrays, args_grad=gradients)
    outputs = executor.forward(is_train=True)
    heads = [mx.nd.arange(out.size).reshape(out.shape) / out.size + 0.5 for out in outputs]
    executor.backward(heads)
    return {
        "arguments": names,
        "outputs": [out.asnumpy().tolist() for out in outputs],
        "gradients": {name: array.asnumpy().tolist() for name, array in gradients.items()},
    }

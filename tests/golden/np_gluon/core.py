"""Gluon on arrays of `mx.np`: cases that run under the original and here.

A case is a function of the package that returns arrays, numbers, strings or lists of them.
`describe` writes them with the class and dtype of every array, so that an array of the wrong
dialect is a difference.
"""

from __future__ import annotations

import numpy as onp


def values(*shape, start=0, low=-1.0, high=1.0):
    """Returns fixed float32 values which look random."""
    count = int(onp.prod(shape))
    steps = (onp.arange(start, start + count) * 37 % 101) / 101
    return (steps * (high - low) + low).reshape(shape).astype("float32")


def describe(value):
    """Returns a result as JSON can write it."""
    if isinstance(value, (list, tuple)):
        return [describe(item) for item in value]
    if isinstance(value, dict):
        return {str(key): describe(item) for key, item in value.items()}
    if hasattr(value, "asnumpy"):
        array = value.asnumpy()
        numbers = [float(f"{number:.6g}") for number in array.ravel().astype("float64")]
        return [type(value).__name__, str(array.dtype), list(array.shape), numbers]
    if isinstance(value, (onp.generic, onp.ndarray)):
        return describe(value.tolist())
    if isinstance(value, float):
        return float(f"{value:.6g}")
    return value if isinstance(value, (str, int, bool, type(None))) else type(value).__name__


def run(case, mx):
    """Runs a case in the NumPy dialect; an error is its class."""
    mx.npx.set_np()
    try:
        return describe(case(mx))
    except Exception as error:  # noqa: BLE001 - whatever the original raises is the result
        return f"raises {type(error).__name__}"
    finally:
        mx.npx.reset_np()


def fill(net, mx):
    """Gives every parameter of a network fixed values."""
    for start, (name, parameter) in enumerate(net.collect_params().items()):
        low = 0.5 if name.endswith(("gamma", "var")) else -0.5
        parameter.set_data(mx.np.array(values(*parameter.shape, start=start, low=low, high=1)))


def forward_and_backward(net, inputs, mx):
    """Returns outputs and gradients of a network in training, and outputs in use."""
    for item in inputs:
        if not isinstance(net, mx.gluon.nn.Embedding):
            item.attach_grad()
    with mx.autograd.record():
        result = net(*inputs)
        outputs = flatten(result)
        loss = sum((item * item).sum() for item in outputs)
    loss.backward()
    grads = [item.grad for item in inputs if item.grad is not None]
    grads += [p.grad() for p in net.collect_params().values() if p.grad_req != "null"]
    states = [p.data() for p in net.collect_params().values() if p.grad_req == "null"]
    return [outputs, grads, states, flatten(net(*inputs))]


def flatten(result):
    """Returns the arrays of nested lists."""
    if isinstance(result, (list, tuple)):
        return [array for item in result for array in flatten(item)]
    return [result]


def layer(text, *shapes):
    """Makes a case of a layer: eager, and hybridized."""

    def case(mx):
        results = []
        for hybridized in (False, True):
            net = eval(text, {"mx": mx, "nn": mx.gluon.nn, "rnn": mx.gluon.rnn, "F": None})  # noqa: S307
            net.initialize()
            inputs = [mx.np.array(values(*shape, start=5)) for shape in shapes]
            if "Embedding" in text:
                inputs = [mx.np.array([[0, 2, 1], [3, 3, 0]])]
            net(*inputs)
            fill(net, mx)
            if hybridized and hasattr(net, "hybridize"):
                net.hybridize()
            results.append(forward_and_backward(net, inputs, mx))
        return results

    return case


def same(expected, result):
    """Returns whether two described results agree, numbers to 1e-5."""
    if isinstance(expected, list) and isinstance(result, list):
        return len(expected) == len(result) and all(map(same, expected, result))
    if isinstance(expected, dict) and isinstance(result, dict):
        return expected.keys() == result.keys() and all(
            same(expected[key], result[key]) for key in expected
        )
    if isinstance(expected, float) and isinstance(result, (float, int)):
        return bool(onp.isclose(expected, result, rtol=1e-5, atol=1e-5, equal_nan=True))
    return expected == result

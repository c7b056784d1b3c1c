"""Programs that write to arrays between the forward and the backward pass.

An operator reads in its backward pass what is in its inputs and outputs by then. Which of them it
reads is the operator's affair: a product its inputs, `tanh` its output, an output layer its output
and the label.
"""

from __future__ import annotations

from .core import lines, named

OPERATORS = {
    "F.FullyConnected(a, b, num_hidden=2, no_bias=True)": "[(3, 4), (2, 4)]",
    "F.FullyConnected(a, b, c, num_hidden=2)": "[(3, 4), (2, 4), (2,)]",
    "F.dot(a, b)": "[(3, 4), (4, 2)]",
    "F.batch_dot(a, b)": "[(2, 3, 4), (2, 4, 2)]",
    "F.Convolution(a, b, kernel=(2, 2), num_filter=2, no_bias=True)": "[(1, 2, 3, 3), (2, 2, 2, 2)]",
    "F.Deconvolution(a, b, kernel=(2, 2), num_filter=2)": "[(1, 2, 3, 3), (2, 2, 2, 2)]",
    "a * b": "[(2, 3), (2, 3)]",
    "F.broadcast_mul(a, b)": "[(2, 3), (1, 3)]",
    "a / b": "[(2, 3), (2, 3)]",
    "a + b": "[(2, 3), (2, 3)]",
    "F.tanh(a)": "[(2, 3)]",
    "F.sigmoid(a)": "[(2, 3)]",
    "F.relu(a)": "[(2, 3)]",
    "F.exp(a)": "[(2, 3)]",
    "F.log(a)": "[(2, 3)]",
    "F.sqrt(a)": "[(2, 3)]",
    "F.square(a)": "[(2, 3)]",
    "F.softmax(a)": "[(2, 3)]",
    "F.log_softmax(a)": "[(2, 3)]",
    "F.Activation(a, act_type='relu')": "[(2, 3)]",
    "F.LayerNorm(a, b, c)": "[(2, 3), (3,), (3,)]",
    "F.max(a, axis=1)": "[(2, 3)]",
    "F.norm(a, axis=1)": "[(2, 3)]",
    "F.prod(a, axis=1)": "[(2, 3)]",
    "F.where(a, b, c)": "[(2, 3), (2, 3), (2, 3)]",
    "F.SoftmaxOutput(a, b)": "[(2, 3), (2,)]",
    "F.LinearRegressionOutput(a, b)": "[(2, 3), (2, 3)]",
    "F.LogisticRegressionOutput(a, b)": "[(2, 3), (2, 3)]",
    "F.MAERegressionOutput(a, b)": "[(2, 3), (2, 3)]",
    "F.SVMOutput(a, b)": "[(2, 3), (2,)]",
    "F.MakeLoss(a)": "[(2, 3)]",
    "F.transpose(a)": "[(2, 3)]",
    "F.concat(a, b, dim=1)": "[(2, 3), (2, 2)]",
    "F.linalg.gemm2(a, b)": "[(2, 3), (3, 2)]",
    "F.tanh(F.FullyConnected(a, b, num_hidden=2, no_bias=True))": "[(3, 4), (2, 4)]",
    "F.sigmoid(a) * F.tanh(b)": "[(2, 3), (2, 3)]",
}
WAYS = ("recorded", "hybridized", "executed")
NOT_INSIDE = ("Output", "MakeLoss", "Deconvolution")
"""Output layers are for the end of a network; the original's deconvolution fails there."""


def _calls():
    for source, shapes in OPERATORS.items():
        count = shapes.count("(")
        compute = f"lambda F, {', '.join('abc'[:count])}: {source}"
        for way in WAYS:
            for place in (*range(count), None):
                yield f"{way} {source}, {place}", f"{way}({compute}, {shapes}, {place})"
        if not any(part in source for part in NOT_INSIDE):
            yield f"inside {source}", f"inside({compute}, {shapes})"


PROGRAMS = named("overwriting_helpers", dict(_calls())) | lines(
    "overwriting_helpers",
    """
    executed(lambda F, a, b: F.FullyConnected(a, b, num_hidden=2, no_bias=True), [(3, 4), (2, 4)], 0, grad_req={'x1': 'write'})
    executed(lambda F, a, b: F.FullyConnected(a, b, num_hidden=2, no_bias=True), [(3, 4), (2, 4)], 1, grad_req={'x0': 'add'})
    executed(lambda F, a, b: a * b, [(2, 3), (2, 3)], 1, grad_req={'x0': 'write'})
    executed(lambda F, a, b: F.SoftmaxOutput(a, b, multi_output=True), [(2, 3, 4), (2, 4)], 1, 2, grad_req={'x0': 'write'})
    executed(lambda F, a, b: F.SoftmaxOutput(a, b, normalization='valid', use_ignore=True, ignore_label=0), [(2, 3), (2,)], 1, grad_req={'x0': 'write'})
    executed(lambda F, a, b: F.SoftmaxOutput(a, b, grad_scale=0.5, normalization='batch'), [(2, 3), (2,)], None, grad_req={'x0': 'write'})
    hybridized(lambda F, a, b: a * F.tanh(b), [(2, 3), (2, 3)], 0, static_alloc=True, static_shape=True)
    hybridized(lambda F, a: F.relu(a), [(2, 3)], None, static_alloc=True)
    module('SoftmaxOutput', 'outputs')
    module('SoftmaxOutput', 'label')
    module('SoftmaxOutput', 'data')
    module('SoftmaxOutput', 'weight')
    module('SoftmaxOutput', 'nothing')
    module('LinearRegressionOutput', 'outputs')
    module('LogisticRegressionOutput', 'outputs')
    module('LogisticRegressionOutput', 'label')
    stochastic_depth(True)
    stochastic_depth(False)
    weight_in_loop(False)
    weight_in_loop(True)
    statistics(False)
    statistics(True)
    """,
)

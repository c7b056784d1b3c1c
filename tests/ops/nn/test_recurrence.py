"""Recurrent layers that are trained on a CPU have the results and gradients of torch's steps."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.nn import rnn as module
from mxnet.ops.nn.rnn import rnn

GATES = {"rnn_relu": 1, "rnn_tanh": 1, "gru": 3}
STEPS, BATCH, INPUT, SIZE = 4, 3, 5, 2


def draw(mode, layers, directions, dtype=torch.float64):
    """Returns data, parameters and a first state, which all learn."""
    generator = torch.Generator().manual_seed(layers)
    rows = GATES[mode] * SIZE
    count = sum(
        directions * rows * ((directions * SIZE if layer else INPUT) + SIZE + 2)
        for layer in range(layers)
    )
    shapes = [(STEPS, BATCH, INPUT), (count,), (layers * directions, BATCH, SIZE)]
    return [
        torch.randn(shape, generator=generator, dtype=dtype).requires_grad_() for shape in shapes
    ]


def options_of(mode, layers, directions):
    return {
        "mode": mode, "state_size": SIZE, "num_layers": layers, "bidirectional": directions == 2,
        "state_outputs": True, "training": True,
    }  # fmt: skip


@pytest.mark.parametrize("mode", GATES)
@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("directions", [1, 2])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64], ids=str)
def test_results_and_gradients_are_those_of_torch(mode, layers, directions, dtype, monkeypatch):
    inputs = draw(mode, layers, directions, dtype)
    results = []
    for is_stepped in (True, False):
        if not is_stepped:
            monkeypatch.setattr(module, "is_recorded_on_host", lambda *_: False)
        outputs = rnn(*inputs, **options_of(mode, layers, directions))
        heads = [torch.linspace(-1, 1, item.numel()).view(item.shape).to(dtype) for item in outputs]
        results.append([*outputs, *torch.autograd.grad(outputs, inputs, heads)])
    for one, other in zip(*results, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("mode", ["gru", "rnn_tanh"])
def test_gradients_can_be_differentiated(mode):
    def run(*inputs):
        return rnn(*inputs, **options_of(mode, 1, 1))[0]

    assert torch.autograd.gradgradcheck(run, draw(mode, 1, 1))


@pytest.mark.parametrize("mode", GATES)
def test_only_what_learns_gets_a_gradient(mode):
    data, parameters, state = draw(mode, 1, 1)
    outputs = rnn(data.detach(), parameters, state.detach(), **options_of(mode, 1, 1))
    (gradient,) = torch.autograd.grad(outputs[0].sum(), [parameters])
    expected = torch.autograd.grad(
        rnn(data, parameters, state, **options_of(mode, 1, 1))[0].sum(), [parameters]
    )
    torch.testing.assert_close(gradient, expected[0])


def test_dropout_between_layers_follows_the_seed():
    inputs = draw("gru", 2, 1)
    results = []
    for _ in range(2):
        torch.manual_seed(4)
        results.append(rnn(*inputs, p=0.5, **options_of("gru", 2, 1))[0])
    assert torch.equal(*results)
    assert not torch.equal(results[0], rnn(*inputs, **options_of("gru", 2, 1))[0])

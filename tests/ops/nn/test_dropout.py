"""What is random in Dropout, in the dropout of RNN and in the random slopes of LeakyReLU."""

from __future__ import annotations

import pytest
import torch

from mxnet.ops.nn.activation import dropout, leaky_relu
from mxnet.ops.nn.rnn import rnn

SHAPE = (100, 200)


def generator(seed: int = 7) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.fixture(params=[None, 7], ids=["default", "own"])
def source(request) -> torch.Generator | None:
    torch.manual_seed(7)
    return None if request.param is None else generator(request.param)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
def test_a_share_p_is_zero_and_the_rest_is_scaled(p, dtype, source):
    result = dropout(torch.ones(SHAPE, dtype=dtype), p=p, training=True, generator=source)
    kept = result[result != 0]
    assert abs(kept.numel() / result.numel() - (1 - p)) < 0.02
    torch.testing.assert_close(kept, torch.full_like(kept, 1 / (1 - p)), rtol=2e-3, atol=0)


def test_the_gradient_passes_where_the_data_did(source):
    data = torch.ones(SHAPE, requires_grad=True)
    result = dropout(data, p=0.3, training=True, generator=source)
    result.sum().backward()
    torch.testing.assert_close(data.grad, result.detach())


@pytest.mark.parametrize("axes", [(0,), (1,), (2,), (0, 2), (0, 1, 2)])
def test_elements_along_axes_share_their_fate(axes, source):
    result = dropout(torch.ones(20, 30, 40), p=0.5, axes=axes, training=True, generator=source)
    first = result
    for axis in axes:
        first = first.narrow(axis, 0, 1)
    assert torch.equal(result, first.expand_as(result))
    if len(axes) < 3:
        assert 0.25 < (first == 0).double().mean() < 0.75


def test_prediction_is_the_identity():
    data = torch.rand(SHAPE)
    assert torch.equal(dropout(data, p=0.9, training=False), data)
    assert torch.equal(dropout(data, p=0, mode="always", training=True), data)


def test_mode_always_drops_in_prediction(source):
    result = dropout(torch.ones(SHAPE), mode="always", training=False, generator=source)
    assert 0.45 < (result == 0).double().mean() < 0.55


def test_p_one_leaves_no_number(source):
    assert dropout(torch.ones(5), p=1, training=True, generator=source).isnan().all()
    assert dropout(torch.ones(5), p=1, training=True).isnan().all()


@pytest.mark.parametrize("axes", [(), (1,)])
def test_the_generator_decides(axes):
    data = torch.ones(SHAPE)
    first, second, other = (
        dropout(data, axes=axes, training=True, generator=generator(seed)) for seed in (1, 1, 2)
    )
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


def test_the_generator_moves_on():
    source = generator()
    data = torch.ones(SHAPE)
    first = dropout(data, training=True, generator=source)
    assert not torch.equal(first, dropout(data, training=True, generator=source))


def test_random_slopes_lie_within_the_bounds(source):
    data = -torch.ones(SHAPE)
    result, slopes = leaky_relu(
        data, act_type="rrelu", lower_bound=0.2, upper_bound=0.6, training=True, generator=source
    )
    torch.testing.assert_close(result, -slopes)
    assert 0.2 <= slopes.min() < 0.21
    assert 0.59 < slopes.max() <= 0.6
    assert abs(slopes.mean() - 0.4) < 0.01


def test_random_slopes_leave_the_positive_side_and_are_the_gradient():
    data = torch.tensor([-2.0, 3.0], requires_grad=True)
    result, slopes = leaky_relu(data, act_type="rrelu", training=True, generator=generator())
    result.sum().backward()
    assert result[1] == 3
    assert data.grad.tolist() == [slopes[0].item(), 1.0]


@pytest.mark.parametrize("mode", ["lstm", "gru"])
def test_dropout_between_layers(mode, source):
    gates = {"lstm": 4, "gru": 3}[mode]
    units, layers = 8, 2
    torch.manual_seed(3)
    data = torch.rand(5, 4, units)
    parameters = torch.rand(layers * gates * units * (2 * units + 2)) - 0.5
    states = [torch.zeros(layers, 4, units)] * (2 if mode == "lstm" else 1)

    def run(p: float, training: bool) -> torch.Tensor:
        return rnn(
            data, parameters, *states, state_size=units, num_layers=layers, mode=mode, p=p,
            training=training, generator=source,
        )[0]  # fmt: skip

    plain = run(0.0, True)
    torch.testing.assert_close(run(0.5, False), plain)
    assert not torch.allclose(run(0.5, True), plain)
    assert not torch.allclose(run(0.5, True), run(0.5, True))

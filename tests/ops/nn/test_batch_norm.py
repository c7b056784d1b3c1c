"""What the samples of BatchNorm cannot say."""

from __future__ import annotations

import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.ops.core.registry import get_op

batch_norm = get_op("BatchNorm").kernel


def states(channels: int, dtype: torch.dtype = torch.float32) -> list[torch.Tensor]:
    zeros = torch.zeros(channels, dtype=dtype)
    return [zeros + 2, zeros + 1, zeros.clone(), zeros + 1]


def test_fixed_gamma_counts_as_one_and_stays_as_it_was():
    data = torch.randn(4, 3, 5)
    gamma, beta, mean, var = states(3)
    fixed = batch_norm(data, gamma, beta, mean, var, training=True)
    free = batch_norm(data, gamma, beta, mean, var, training=True, fix_gamma=False)
    torch.testing.assert_close((fixed - 1) * 2 + 1, free)
    assert gamma.tolist() == [2, 2, 2]


def test_moving_variance_is_the_biased_one():
    data = torch.randn(4, 3, 5)
    gamma, beta, mean, var = states(3)
    batch_norm(data, gamma, beta, mean, var, training=True, momentum=0.0)
    torch.testing.assert_close(mean, data.mean((0, 2)))
    torch.testing.assert_close(var, data.var((0, 2), unbiased=False))


def test_prediction_leaves_the_moving_statistics_alone():
    gamma, beta, mean, var = states(3)
    batch_norm(torch.randn(4, 3, 5), gamma, beta, mean, var)
    assert mean.tolist() == [0, 0, 0]
    assert var.tolist() == [1, 1, 1]


def test_two_calls_share_their_states_before_one_backward():
    first, second = torch.randn(4, 3, 5), torch.randn(4, 3, 5)
    gamma, beta, mean, var = states(3)
    gamma.requires_grad_()
    options = {"training": True, "fix_gamma": False}
    one = batch_norm(first, gamma, beta, mean, var, **options)
    two = batch_norm(second, gamma, beta, mean, var, **options)
    (one.square().sum() + two.square().sum()).backward()
    assert gamma.grad is not None


def test_half_precision_data_keeps_single_precision_states():
    for dtype in (torch.float16, torch.bfloat16):
        gamma, beta, mean, var = states(3)
        out, batch_mean, _ = batch_norm(
            torch.randn(4, 3, 5).to(dtype),
            gamma,
            beta,
            mean,
            var,
            training=True,
            output_mean_var=True,
        )
        assert (out.dtype, batch_mean.dtype, var.dtype) == (dtype, torch.float32, torch.float32)

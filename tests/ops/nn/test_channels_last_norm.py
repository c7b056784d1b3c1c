"""Images with the channels last in memory are normalized as precisely as others."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from mxnet.ops.nn import _channels_last_norm as channels_last_norm
from mxnet.ops.nn.batch_norm import batch_norm

SHAPE = (8, 24, 32, 32)


def normalize(
    dtype: torch.dtype, memory_format: torch.memory_format, shape: tuple[int, ...] = SHAPE
) -> dict[str, Tensor]:
    """Returns results, statistics and gradients of one call, in double precision."""
    generator = torch.Generator().manual_seed(1)
    channels = shape[1]
    data = torch.randn(shape, generator=generator) * 2 + 1
    heads = torch.randn(shape, generator=generator).to(dtype)
    gamma, beta = (torch.rand(channels, generator=generator) for _ in range(2))
    leaves = [data.to(dtype).contiguous(memory_format=memory_format), gamma.to(dtype)]
    leaves = [leaf.requires_grad_() for leaf in (*leaves, beta.to(dtype))]
    states = [torch.full((channels,), 0.5, dtype=dtype), torch.ones(channels, dtype=dtype)]
    out = batch_norm(*leaves, *states, fix_gamma=False, training=True)
    assert isinstance(out, Tensor)
    slopes = torch.autograd.grad(out, leaves, heads, create_graph=True)
    second = torch.autograd.grad((slopes[0] ** 2).sum(), leaves[:2])
    names = ["out", "mean", "var", "data", "gamma", "beta", "second data", "second gamma"]
    values: list[Any] = [out, *states, *slopes, *second]
    return {name: item.detach().double() for name, item in zip(names, values, strict=True)}


def error_of(results: dict[str, Tensor], expected: dict[str, Tensor], name: str) -> float:
    return float((results[name] - expected[name]).abs().max() / expected[name].abs().max())


@pytest.fixture(scope="module")
def expected() -> dict[str, Tensor]:
    return normalize(torch.float64, torch.contiguous_format)


@pytest.fixture(scope="module")
def results() -> dict[str, Tensor]:
    return normalize(torch.float32, torch.channels_last)


@pytest.mark.parametrize("name", ["out", "mean", "var"])
def test_results_and_statistics(
    results: dict[str, Tensor], expected: dict[str, Tensor], name: str
) -> None:
    assert error_of(results, expected, name) < 4e-7


@pytest.mark.parametrize("name", ["data", "gamma", "beta", "second data", "second gamma"])
def test_derivatives(results: dict[str, Tensor], expected: dict[str, Tensor], name: str) -> None:
    assert error_of(results, expected, name) < 1e-5


def images(shape: tuple[int, ...], dtype: torch.dtype = torch.float32) -> Tensor:
    data = torch.zeros(shape, dtype=dtype).contiguous(memory_format=torch.channels_last)
    return data.requires_grad_()


class TestWhere:
    def test_large_batches(self) -> None:
        assert channels_last_norm.suits(images(SHAPE), torch.ones(24))

    @pytest.mark.parametrize("shape", [(2, 24, 8, 8), (3, 8, 33, 33), (8, 2048, 32, 32)])
    def test_few_odd_and_wide_rows_are_left_to_torch(self, shape: tuple[int, ...]) -> None:
        assert not channels_last_norm.suits(images(shape), torch.ones(shape[1]))

    def test_other_types_and_orders_are_left_to_torch(self) -> None:
        double = images(SHAPE, torch.float64)
        assert not channels_last_norm.suits(double, torch.ones(24, dtype=torch.float64))
        assert not channels_last_norm.suits(torch.zeros(SHAPE).requires_grad_(), torch.ones(24))
        assert not channels_last_norm.suits(images(SHAPE).detach(), torch.ones(24))

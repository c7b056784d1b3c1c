"""Distributions: moments, ranges, reproducibility and gradients of the random operators."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.errors import MXNetError
from mxnet.ops.core.registry import as_tuple, get_op

CPU = torch.device("cpu")
COUNT = 40_000

DISTRIBUTIONS = {
    # parameters, then mean, variance, least and greatest value
    "uniform": ({"low": -1.0, "high": 3.0}, 1.0, 16 / 12, -1.0, 3.0),
    "normal": ({"loc": 2.0, "scale": 3.0}, 2.0, 9.0, -np.inf, np.inf),
    "gamma": ({"alpha": 2.5, "beta": 0.5}, 1.25, 0.625, 0.0, np.inf),
    "exponential": ({"lam": 4.0}, 0.25, 1 / 16, 0.0, np.inf),
    "poisson": ({"lam": 4.0}, 4.0, 4.0, 0.0, np.inf),
    "negative_binomial": ({"k": 3, "p": 0.4}, 4.5, 11.25, 0.0, np.inf),
    "generalized_negative_binomial": ({"mu": 2.0, "alpha": 0.3}, 2.0, 3.2, 0.0, np.inf),
}
WHOLE = ("poisson", "negative_binomial", "generalized_negative_binomial")


def call(name: str, *inputs: torch.Tensor, seed: int | None = 0, **attrs):
    """Calls an operator with a generator of its own, or torch's default one."""
    op = get_op(name)
    generator = None if seed is None else torch.Generator().manual_seed(seed)
    available = {"training": False, "generator": generator, "device": CPU}
    supplied = {key: available[key] for key in op.supplied}
    outputs = as_tuple(op.kernel(*inputs, **op.parse_attrs(attrs), **supplied))
    return outputs if len(outputs) > 1 else outputs[0]


def check_moments(drawn: torch.Tensor, mean: float, variance: float) -> None:
    """Compares mean and variance, within about five standard errors."""
    drawn = drawn.double()
    error = (variance / drawn.numel()) ** 0.5
    assert abs(drawn.mean().item() - mean) < 5 * error
    assert drawn.var().item() == pytest.approx(variance, rel=0.12)


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16"])
@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_numbers_have_the_moments_of_the_distribution(name: str, dtype: str):
    parameters, mean, variance, least, greatest = DISTRIBUTIONS[name]
    drawn = call(f"_random_{name}", shape=(COUNT // 4, 4), dtype=dtype, **parameters)
    assert drawn.shape == (COUNT // 4, 4)
    assert drawn.dtype == getattr(torch, dtype)
    check_moments(drawn, mean, variance)
    assert least <= drawn.min()
    assert drawn.max() <= greatest
    if name in WHOLE:
        assert torch.equal(drawn, drawn.round())


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_like_an_array_has_the_same_moments(name: str):
    parameters, mean, variance, *_ = DISTRIBUTIONS[name]
    drawn = call(f"_random_{name}_like", torch.ones(COUNT, dtype=torch.float64), **parameters)
    assert drawn.dtype == torch.float64
    check_moments(drawn, mean, variance)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_each_element_of_parameters_has_its_own_distribution(name: str):
    parameters, mean, variance, *_ = DISTRIBUTIONS[name]
    arrays = [torch.tensor([[value], [value]]).float() for value in parameters.values()]
    if name != "negative_binomial":
        arrays[0][1] *= 2
    drawn = call(f"_sample_{name}", *arrays, shape=(COUNT,))
    assert drawn.shape == (2, 1, COUNT)
    check_moments(drawn[0], mean, variance)
    changed = {
        "uniform": (0.5, 25 / 12),
        "normal": (4.0, 9.0),
        "gamma": (2.5, 1.25),
        "exponential": (0.125, 1 / 64),
        "poisson": (8.0, 8.0),
        "negative_binomial": (mean, variance),
        "generalized_negative_binomial": (4.0, 8.8),
    }[name]
    check_moments(drawn[1], *changed)


@pytest.mark.parametrize(
    ("name", "parameters", "mean", "variance"),
    [
        ("_random_gamma", {"alpha": 0.3, "beta": 3.0}, 0.9, 2.7),
        ("_random_poisson", {"lam": 400.0}, 400.0, 400.0),
        ("_random_poisson", {"lam": 0.0}, 0.0, 0.0),
        ("_random_negative_binomial", {"k": 3, "p": 1.0}, 0.0, 0.0),
        ("_random_negative_binomial", {"k": 0, "p": 0.5}, 0.0, 0.0),
        ("_random_generalized_negative_binomial", {"mu": 2.0, "alpha": 0.0}, 2.0, 2.0),
        ("_random_uniform", {"low": 1.0, "high": 1.0}, 1.0, 0.0),
    ],
)
def test_moments_at_the_ends_of_the_ranges(name, parameters, mean, variance):
    drawn = call(name, shape=COUNT, **parameters)
    if variance == 0:
        assert (drawn == mean).all()
    else:
        check_moments(drawn, mean, variance)


def test_randint_gives_every_number_equally_often():
    drawn = call("_random_randint", low=-2, high=3, shape=COUNT)
    numbers, counts = drawn.unique(return_counts=True)
    assert drawn.dtype == torch.int32
    assert numbers.tolist() == [-2, -1, 0, 1, 2]
    assert (counts - COUNT / 5).abs().max() < 5 * (COUNT * 0.16) ** 0.5


@pytest.mark.parametrize(
    ("name", "inputs", "attrs"),
    [
        *[
            (f"_random_{name}", (), {"shape": 20})
            for name in DISTRIBUTIONS
            if name != "negative_binomial"
        ],
        ("_random_negative_binomial", (), {"shape": 20, "k": 3, "p": 0.1}),
        ("_random_randint", (), {"low": 0, "high": 1000, "shape": 20}),
        ("_sample_normal", (torch.zeros(2), torch.ones(2)), {"shape": 20}),
        ("_sample_multinomial", (torch.full((50,), 0.02),), {"shape": 20}),
        ("_shuffle", (torch.arange(20),), {}),
        ("_sample_unique_zipfian", (), {"range_max": 1000, "shape": (1, 20)}),
    ],
)
def test_the_seed_decides_the_numbers(name, inputs, attrs):
    first, again, other = (as_tuple(call(name, *inputs, seed=s, **attrs))[0] for s in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    torch.manual_seed(1)
    default = as_tuple(call(name, *inputs, seed=None, **attrs))[0]
    assert torch.equal(first, default)


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_multinomial_draws_by_probability(shape):
    chances = torch.tensor([[0.1, 0.0, 0.9], [0.5, 0.25, 0.25]])
    rows = chances.repeat(COUNT // 2, 1)
    drawn = call("_sample_multinomial", rows, shape=shape)
    assert drawn.shape == (COUNT, *shape)
    for row, expected in enumerate(chances):
        counts = drawn[row::2].flatten().long().bincount(minlength=3)
        assert torch.allclose(counts / counts.sum(), expected, atol=0.02)


def test_multinomial_gives_the_gradient_of_the_log_probability():
    chances = torch.tensor([[0.2, 0.8], [0.6, 0.4]], requires_grad=True)
    drawn, log_chance = call("_sample_multinomial", chances, shape=3, get_prob=True)
    picked = torch.gather(chances.detach(), 1, drawn.long())
    torch.testing.assert_close(log_chance.detach(), picked.log())
    head = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    log_chance.backward(head)
    expected = torch.zeros(2, 2).scatter_add(1, drawn.long(), head / picked)
    torch.testing.assert_close(chances.grad, expected)


def test_multinomial_refuses_what_is_no_number():
    for value in (float("nan"), float("inf")):
        with pytest.raises((MXNetError, RuntimeError)):
            call("_sample_multinomial", torch.tensor([value, 1.0]))


def test_multinomial_searches_rows_that_are_no_distribution_and_draws_from_the_others():
    rows = torch.tensor([[-1.0, -2.0], [0.0, 0.0], [-1.0, 2.0], [3.0, 1.0]])
    drawn, log_chance = call("_sample_multinomial", rows, shape=2000, get_prob=True)
    assert drawn[:3].unique(dim=1).tolist() == [[2], [2], [1]]
    assert 0.2 < drawn[3].float().mean() < 0.3
    assert log_chance[3].exp().unique().tolist() == [1.0, 3.0]


def test_shuffle_permutes_rows():
    data = torch.arange(300).reshape(100, 3)
    shuffled = call("_shuffle", data)
    assert not torch.equal(shuffled, data)
    assert torch.equal(shuffled[:, 0].sort().values, data[:, 0])
    assert torch.equal(shuffled - shuffled[:, :1], data - data[:, :1])


def test_shuffle_makes_all_orders_equally_likely():
    orders = [tuple(call("_shuffle", torch.arange(3), seed=s).tolist()) for s in range(3000)]
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 6
    assert abs(counts - 500).max() < 110


def test_zipfian_classes_differ_and_come_with_the_number_of_tries():
    samples, tries = call("_sample_unique_zipfian", range_max=20, shape=(2000, 8))
    assert samples.dtype == tries.dtype == torch.int64
    assert all(len(set(row)) == 8 for row in samples.tolist())
    assert samples.min() >= 0
    assert samples.max() < 20
    assert tries.min() >= 8
    classes = np.arange(20)
    chances = np.log((classes + 2) / (classes + 1)) / np.log(21)
    first = np.bincount(samples[:, 0].numpy(), minlength=20) / 2000
    np.testing.assert_allclose(first, chances, atol=0.05)
    random = np.random.RandomState(0)
    expected = [_tries(random, chances, 8) for _ in range(2000)]
    assert tries.double().mean().item() == pytest.approx(np.mean(expected), rel=0.05)


def _tries(random: np.random.RandomState, chances: np.ndarray, wanted: int) -> int:
    """Counts draws with replacement until so many different classes are seen."""
    drawn = random.choice(len(chances), size=1000, p=chances)
    first_seen = np.sort(np.unique(drawn, return_index=True)[1])
    return int(first_seen[wanted - 1]) + 1


def test_parameters_get_no_gradient_path():
    low = torch.zeros(2, requires_grad=True)
    assert not call("_sample_gamma", low + 1, low + 1, shape=3).requires_grad

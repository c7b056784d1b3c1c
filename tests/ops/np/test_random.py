"""Distributions of the NumPy dialect: moments, reproducibility and gradients of parameters."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import mxnet.ops.catalog  # noqa: F401 - declares the operators
from mxnet.errors import MXNetError

from ..random.test_samplers import COUNT, call, check_moments

EULER = 0.5772156649

DISTRIBUTIONS = {
    # parameters, mean, variance
    "normal": ({"loc": 2.0, "scale": 3.0}, 2.0, 9.0),
    "normal_n": ({"loc": 2.0, "scale": 3.0}, 2.0, 9.0),
    "uniform": ({"low": -1.0, "high": 3.0}, 1.0, 16 / 12),
    "uniform_n": ({"low": -1.0, "high": 3.0}, 1.0, 16 / 12),
    "gamma": ({"shape": 2.5, "scale": 0.5}, 1.25, 0.625),
    "gumbel": ({"loc": 1.0, "scale": 2.0}, 1 + 2 * EULER, 4 * np.pi**2 / 6),
    "logistic": ({"loc": 1.0, "scale": 0.5}, 1.0, 0.25 * np.pi**2 / 3),
    "exponential": ({"scale": 2.0}, 2.0, 4.0),
    "rayleigh": ({"scale": 2.0}, 2 * (np.pi / 2) ** 0.5, (4 - np.pi) / 2 * 4),
    "weibull": ({"a": 2.0}, np.pi**0.5 / 2, 1 - np.pi / 4),
    "pareto": ({"a": 6.0}, 0.2, 6 / (25 * 4)),
    "powerd": ({"a": 3.0}, 0.75, 3 / (16 * 5)),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_numbers_have_the_moments_of_the_distribution(name: str):
    parameters, mean, variance = DISTRIBUTIONS[name]
    drawn = call(f"_npi_{name}", size=(COUNT // 4, 4), **parameters)
    assert drawn.shape == (COUNT // 4, 4)
    check_moments(drawn, mean, variance)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_arrays_as_parameters_give_each_column_its_distribution(name: str):
    parameters, mean, variance = DISTRIBUTIONS[name]
    arrays = [torch.tensor([value, value]) for value in parameters.values()]
    size = COUNT if name.endswith("_n") else (COUNT, 2)
    drawn = call(f"_npi_{name}", *arrays, size=size, **dict.fromkeys(parameters))
    assert drawn.shape == (COUNT, 2)
    for column in drawn.T:
        check_moments(column, mean, variance)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_the_seed_decides_the_numbers(name: str):
    parameters = DISTRIBUTIONS[name][0]
    first, again, other = (call(f"_npi_{name}", seed=s, size=20, **parameters) for s in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("name", ["normal", "uniform", "gamma"])
def test_half_precision_has_the_moments_too(name: str):
    parameters, mean, variance = DISTRIBUTIONS[name]
    drawn = call(f"_npi_{name}", size=COUNT, dtype="float16", **parameters)
    assert drawn.dtype == torch.float16
    check_moments(drawn, mean, variance)


@pytest.mark.parametrize("name", ["normal", "normal_n", "gumbel", "logistic"])
@pytest.mark.parametrize("size", [None, (3, 2)])
def test_location_and_scale_get_the_gradient_of_what_was_drawn(name: str, size):
    loc = torch.tensor([1.0, 2.0], requires_grad=True)
    scale = torch.tensor([0.5, 3.0], requires_grad=True)
    size = size if size is None or not name.endswith("_n") else size[:1]
    drawn = call(f"_npi_{name}", loc, scale, loc=None, scale=None, size=size)
    drawn.sum().backward()
    standard = (drawn.detach() - loc.detach()) / scale.detach()
    torch.testing.assert_close(loc.grad, torch.ones_like(drawn).reshape(-1, 2).sum(0))
    torch.testing.assert_close(scale.grad, standard.reshape(-1, 2).sum(0))


@pytest.mark.parametrize("name", ["exponential", "rayleigh"])
def test_scale_gets_the_gradient_of_what_was_drawn(name: str):
    scale = torch.tensor([0.5, 3.0], requires_grad=True)
    drawn = call(f"_npi_{name}", scale, scale=None)
    drawn.sum().backward()
    torch.testing.assert_close(scale.grad, (drawn / scale).detach())


def test_shapes_of_weibull_and_pareto_get_the_gradient_of_what_was_drawn():
    a = torch.tensor([0.5, 3.0], requires_grad=True)
    drawn = call("_npi_weibull", a, a=None)
    drawn.sum().backward()
    torch.testing.assert_close(a.grad, (-drawn * drawn.log() / a).detach())
    a.grad = None
    drawn = call("_npi_pareto", a, a=None)
    drawn.sum().backward()
    torch.testing.assert_close(a.grad, (-(1 + drawn) * drawn.log1p() / a).detach())


@pytest.mark.parametrize("is_logit", [False, True])
def test_bernoulli_draws_by_probability(is_logit: bool):
    chances = torch.tensor([0.2, 0.75])
    given = chances.logit() if is_logit else chances
    attrs = {"prob": None, "logit": None, "is_logit": is_logit}
    drawn = call("_npi_bernoulli", given, size=(COUNT, 2), **attrs)
    assert drawn.unique().tolist() == [0, 1]
    torch.testing.assert_close(drawn.mean(0), chances, atol=0.02, rtol=0)


def test_multinomial_counts_have_the_moments_of_their_chances():
    chances = (0.1, 0.0, 0.6, 0.3)
    counts = call("_npi_multinomial", n=20, pvals=chances, size=COUNT)
    assert counts.dtype == torch.int64
    assert (counts.sum(1) == 20).all()
    assert (counts[:, 1] == 0).all()
    for column, chance in zip(counts.T, chances, strict=True):
        if chance:
            check_moments(column, 20 * chance, 20 * chance * (1 - chance))


def test_multinomial_gives_the_last_category_what_is_left():
    counts = call("_npi_multinomial", torch.tensor([0.25, 0.25]), n=100, size=(1000,))
    check_moments(counts[:, 1], 75, 100 * 0.25 * 0.75)


def test_choice_is_uniform_or_by_chances():
    drawn = call("_npi_choice", a=4, size=COUNT)
    assert drawn.dtype == torch.int64
    torch.testing.assert_close(drawn.bincount() / COUNT, torch.full((4,), 0.25), atol=0.02, rtol=0)
    chances = torch.tensor([0.2, 0.0, 0.8])
    drawn = call("_npi_choice", chances, a=3, size=COUNT, weighted=True)
    torch.testing.assert_close(drawn.bincount() / COUNT, chances, atol=0.02, rtol=0)


def test_choice_without_replacement_is_a_part_of_a_permutation():
    orders = np.array(
        [call("_npi_choice", a=4, size=2, replace=False, seed=s) for s in range(1200)]
    )
    assert (orders[:, 0] != orders[:, 1]).all()
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 12
    assert abs(counts - 100).max() < 50


def test_choice_refuses_more_draws_than_elements():
    with pytest.raises(MXNetError, match="at most 3 draws"):
        call("_npi_choice", a=3, size=4, replace=False)


def test_parameters_out_of_range_are_value_errors():
    for name, attrs in (
        ("_npi_normal", {"loc": 0.0, "scale": -1.0}),
        ("_npi_gamma", {"shape": 0.0, "scale": 1.0}),
        ("_npi_weibull", {"a": 0.0}),
        ("_npi_bernoulli", {"prob": 2.0, "logit": None, "is_logit": False}),
    ):
        with pytest.raises(ValueError, match=name):
            call(name, size=2, **attrs)

"""Checks of generators of random numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch

from mxnet.errors import CheckFailedError
from mxnet.test_utils._compare import NotEqualError, as_values

Generator = Callable[[int], Any]
"""Returns as many samples as it is asked for."""


def gen_buckets_probs_with_ppf(
    ppf: Callable[[float], float], nbuckets: int
) -> tuple[list[tuple[float, float]], list[float]]:
    """Returns ranges that a distribution hits equally often, and their probabilities.

    Args:
        ppf: Quantiles of the distribution.
        nbuckets: Number of ranges.
    """
    edges = [ppf(i / nbuckets) for i in range(nbuckets + 1)]
    return list(itertools.pairwise(edges)), [1 / nbuckets] * nbuckets


def mean_check(generator: Generator, mu: float, sigma: float, nsamples: int = 1000000) -> bool:
    """Returns whether the mean of samples lies within three standard errors.

    Args:
        generator: Gives samples.
        mu: Mean of the distribution.
        sigma: Its standard deviation.
        nsamples: Number of samples.
    """
    error = np.mean(as_values(generator(nsamples))) - mu
    return bool(abs(error) < 3 * sigma / np.sqrt(nsamples))


def var_check(generator: Generator, sigma: float, nsamples: int = 1000000) -> bool:
    """Returns whether the variance of samples lies within three standard errors.

    Args:
        generator: Gives samples.
        sigma: Standard deviation of the distribution.
        nsamples: Number of samples.
    """
    error = np.var(as_values(generator(nsamples)), ddof=1) - sigma**2
    return bool(abs(error) < 3 * np.sqrt(2 * sigma**4 / (nsamples - 1)))


def chi_square_check(
    generator: Generator, buckets: Sequence[Any], probs: Sequence[float], nsamples: int = 1000000
) -> tuple[float, Any, Any]:
    """Compares samples with the probabilities of ranges or values by the chi-square test.

    Args:
        generator: Gives samples.
        buckets: Ranges as pairs, or single values.
        probs: Their probabilities.
        nsamples: Number of samples.

    Returns:
        The p-value, how often each was hit, and how often it should be.
    """
    if len(probs) != len(buckets) or not buckets:
        raise CheckFailedError(
            f"chi_square_check: a probability for each bucket expected, got {len(probs)} "
            f"for {len(buckets)}"
        )
    samples = as_values(generator(nsamples)).ravel()
    expected = np.array([int(nsamples * p) for p in probs])
    if isinstance(buckets[0], (list, tuple)):
        observed = np.array([((low <= samples) & (samples < high)).sum() for low, high in buckets])
    else:
        observed = np.array([(samples == value).sum() for value in buckets])
    # Shares are compared; samples outside of all ranges would count as a difference in number.
    fitted = expected * (observed.sum() / expected.sum())
    statistic = float((np.square(observed - fitted) / fitted).sum())
    halves = torch.tensor([(len(probs) - 1) / 2, statistic / 2], dtype=torch.float64)
    return float(torch.special.gammaincc(*halves)), observed, expected


def verify_generator(
    generator: Generator,
    buckets: Sequence[Any],
    probs: Sequence[float],
    nsamples: int = 1000000,
    nrepeat: int = 5,
    success_rate: float = 0.2,
    alpha: float = 0.05,
) -> list[float]:
    """Fails if the chi-square test rejects samples too often.

    Args:
        generator: Gives samples.
        buckets: Ranges as pairs, or single values.
        probs: Their probabilities.
        nsamples: Number of samples.
        nrepeat: How often to test.
        success_rate: Share of the tests that must pass.
        alpha: p-value above which a test passes.

    Returns:
        The p-values.
    """
    runs = [chi_square_check(generator, buckets, probs, nsamples) for _ in range(nrepeat)]
    p_values = [p for p, _, _ in runs]
    passed = sum(p > alpha for p in p_values)
    if passed < nrepeat * success_rate:
        raise NotEqualError(
            f"verify_generator: {passed} of {nrepeat} tests passed, p-values {p_values}; the last "
            f"had hits {runs[-1][1]} where {runs[-1][2]} were expected"
        )
    return p_values

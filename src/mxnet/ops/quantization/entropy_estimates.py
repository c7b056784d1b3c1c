"""Which thresholds of a histogram can be the best one, from sums that all of them share.

The divergence of a threshold is a sum over all bins, in the order and precision of the original.
Here it is computed in double precision from running sums, so that only thresholds near the best one
have to be computed as the original does.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Doubles: TypeAlias = NDArray[np.float64]

_SMOOTHING = 1e-4
_LARGE_SHARE = 0.05
_TOLERANCE = 2e-4
_TOLERANCE_OF_FEW = 0.1
_RELATIVE_TOLERANCE = 2e-3
"""How far sums of the original in single precision are from the truth, more if few are full."""


class _Sums(NamedTuple):
    """Sums over the bins before each one."""

    counts: Doubles
    filled: Doubles
    """How many bins are not empty."""
    powers: list[Doubles]
    """Of `c log(c)`, `log(c) + 1` and powers of `1 / c`, over bins that are not empty."""


def _sum_up(counts: Doubles) -> _Sums:
    is_filled = counts > 0
    safe = np.where(is_filled, counts, 1.0)
    logarithms = np.log(safe)
    terms = [safe * logarithms, logarithms + 1, 1 / safe, 1 / safe**2, 1 / safe**3]
    powers = [_before_each(np.where(is_filled, term, 0.0)) for term in terms]
    return _Sums(_before_each(counts), _before_each(is_filled), powers)


def _before_each(values: NDArray[Any]) -> Doubles:
    return np.concatenate((np.zeros(1), np.cumsum(values, dtype=np.float64)))


def list_candidates(counts: NDArray[Any], num_bins: int) -> list[int]:
    """Returns how far thresholds reach from the middle of a histogram that can be the best one.

    Args:
        counts: Numbers in the bins; all are whole and none is negative.
        num_bins: Number of bins that is left.
    """
    numbers = counts.astype(np.float64)
    sums = _sum_up(numbers)
    reaches = np.arange(num_bins // 2, counts.size // 2 + 1)
    first = counts.size // 2 - reaches
    last = np.minimum(counts.size // 2 + reaches + 1, counts.size)
    widths = (last - first) // num_bins
    estimates = np.concatenate(
        [
            _estimate(numbers, sums, first[widths == width], last[widths == width], width, num_bins)
            for width in np.unique(widths)
        ]
    )
    least = estimates.min()
    tolerance = _TOLERANCE + _TOLERANCE_OF_FEW / sums.filled[-1] + _RELATIVE_TOLERANCE * abs(least)
    return [int(reach) for reach in reaches[~(estimates > least + tolerance)]]


def _estimate(
    counts: Doubles,
    sums: _Sums,
    first: NDArray[Any],
    last: NDArray[Any],
    width: int,
    num_bins: int,
) -> Doubles:
    """Returns divergences of thresholds whose new bins have one width."""
    edges = np.column_stack((first[:, None] + width * np.arange(num_bins), last))
    merged, filled = (np.diff(total[edges], axis=1) for total in (sums.counts, sums.filled))
    ends = counts[first], counts[last - 1]
    below, above = sums.counts[first], sums.counts[-1] - sums.counts[last]
    clipped, clipped_filled = merged.copy(), filled.copy()
    clipped[:, 0] += below
    clipped[:, -1] += above
    clipped_filled[:, 0] += (ends[0] == 0) & (below > 0)
    clipped_filled[:, -1] += (ends[1] == 0) & (above > 0)
    # The original leaves the first bin out where it merges.
    merged[:, 0] -= ends[0]
    filled[:, 0] -= ends[0] > 0
    size, num_filled = last - first, clipped_filled.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(filled > 0, merged / filled, 0.0)
        share = _SMOOTHING * (size - num_filled) / num_filled
        num_kept = np.where(mean > 0, clipped_filled, 0).sum(axis=1)
        kept_share = _SMOOTHING * (size - num_kept) / num_kept
        taken = clipped - share[:, None] * clipped_filled
        logarithms = np.log(np.where(mean > 0, mean - kept_share[:, None], _SMOOTHING))
        crossed = np.where(taken != 0, taken * logarithms, 0.0).sum(axis=1)
        total, kept_total = sums.counts[-1], (mean * clipped_filled).sum(axis=1)
        own = _sum_own(counts, sums, first, last, share, (below, above))
        divergence = (own - crossed) / total + np.log(kept_total / total)
    return np.where(num_kept > 0, divergence, np.inf)


def _sum_own(
    counts: Doubles,
    sums: _Sums,
    first: NDArray[Any],
    last: NDArray[Any],
    share: Doubles,
    outside: tuple[Doubles, Doubles],
) -> Doubles:
    """Returns sums of `p log(p)` over bins that are not empty, each less by a share."""
    inner = [total[last - 1] - total[first + 1] for total in sums.powers]
    factors = (1.0, -share, share**2 / 2, share**3 / 6, share**4 / 12)
    result: Doubles = sum(factor * term for factor, term in zip(factors, inner, strict=True))
    for row in np.flatnonzero(share > _LARGE_SHARE):  # few bins are not empty
        within = counts[first[row] + 1 : last[row] - 1]
        result[row] = _entropy(within[within > 0] - share[row]).sum()
    for end, added in zip((counts[first], counts[last - 1]), outside, strict=True):
        result += np.where(end + added > 0, _entropy(end + added - share), 0.0)
    return result


def _entropy(values: Doubles) -> Doubles:
    result: Doubles = values * np.log(np.where(values > 0, values, 1.0))
    return result

"""The threshold at which a histogram of numbers is best cut off before it is quantized.

The divergence of a threshold is a sum over all bins, in the order and precision of the original.
`list_candidates` computes it in double precision from running sums that all thresholds share, so
that only thresholds near the best one have to be computed as the original does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.traits import Labels
from mxnet.ops.quantization.conversion import FLOATS, RANGE, integer_op, require_dtype

Doubles: TypeAlias = NDArray[np.float64]

_SMOOTHING_IN_DOUBLES = 1e-4
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
    counts: Doubles, sums: _Sums, first: NDArray[Any], last: NDArray[Any], width: int, num_bins: int
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
        share = _SMOOTHING_IN_DOUBLES * (size - num_filled) / num_filled
        num_kept = np.where(mean > 0, clipped_filled, 0).sum(axis=1)
        kept_share = _SMOOTHING_IN_DOUBLES * (size - num_kept) / num_kept
        taken = clipped - share[:, None] * clipped_filled
        logarithms = np.log(np.where(mean > 0, mean - kept_share[:, None], _SMOOTHING_IN_DOUBLES))
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


Floats: TypeAlias = NDArray[np.float32]

_NAME = "_contrib_calibrate_entropy"
_LARGEST = np.finfo(np.float32).max
_SMOOTHING = np.float32(1e-4)


def _total(values: Floats) -> Any:
    """Adds numbers up one after another in float32, as the original does; NumPy adds in pairs."""
    if not values.size:
        return np.float32(0)
    return np.float32(np.add.accumulate(values)[-1])


def _smooth(counts: Floats) -> Floats | None:
    """Takes a little from bins that are not empty, for those that are; None if that is too much."""
    is_empty = counts == 0
    num_empty = np.float32(is_empty.sum())
    num_filled = np.float32(counts.size) - num_empty
    if not num_filled:
        return None
    share = _SMOOTHING * num_empty / num_filled
    if share >= 1:
        return None
    smoothed: Floats = np.where(is_empty, counts + _SMOOTHING, counts - share)
    return smoothed


def _merge(counts: Floats, num_bins: int) -> Floats:
    """Adds neighbours up to a number of bins; the last one gets what is left over."""
    width = counts.size // num_bins
    merged: Floats = np.add.accumulate(counts[: width * num_bins].reshape(num_bins, width), axis=1)[
        :, -1
    ].copy()
    merged[-1] = _total(counts[width * (num_bins - 1) :])
    return merged


def _count_filled(counts: Floats, num_bins: int) -> Floats:
    """Counts bins that are not empty among those that `_merge` adds up."""
    width = counts.size // num_bins
    starts = np.arange(num_bins) * width
    return np.add.reduceat(counts != 0, starts, dtype=np.float32)


def _divergence(kept: Floats, below: np.float32, above: np.float32, num_bins: int) -> float:
    """Returns what is lost when the bins that are kept become fewer ones.

    Args:
        kept: Numbers in the bins that are kept.
        below: How many numbers lie below them; they move into the first bin.
        above: How many lie above; they move into the last bin.
        num_bins: Number of bins that is left.

    Returns:
        The Kullback-Leibler divergence of both distributions.
    """
    clipped, inner = kept.copy(), kept.copy()
    clipped[0] += below
    clipped[-1] += above
    # The original leaves the first bin out where it merges, and spreads over it nevertheless.
    inner[0] = 0
    merged = _merge(inner, num_bins)
    num_filled = _count_filled(inner, num_bins)
    mean = np.divide(merged, num_filled, out=np.zeros_like(merged), where=num_filled != 0)
    place = np.minimum(np.arange(kept.size) // (kept.size // num_bins), num_bins - 1)
    before, after = _smooth(clipped), _smooth(np.where(clipped != 0, mean[place], np.float32(0)))
    if before is None or after is None:
        return float(_LARGEST)
    before = (before / _total(before)).astype(np.float32)
    after = (after / _total(after)).astype(np.float32)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = before * _log(before / after)
    return float(_total(np.where((before > 0) & (after > 0), terms, np.float32(0))))


def _log(numbers: Floats) -> Floats:
    """Returns logarithms as C's `logf`, whose last bit can decide between two thresholds.

    NumPy and torch have faster functions of their own; `xlogy` alone calls that of the system.
    """
    values = torch.from_numpy(numbers)
    logarithms: Floats = torch.xlogy(torch.ones_like(values), values).numpy()
    return logarithms


def _find_threshold(counts: Floats, edges: Floats, num_bins: int) -> tuple[Any, float]:
    """Returns the best threshold and its divergence."""
    middle, size = counts.size // 2, counts.size
    before = np.concatenate((np.zeros(1, np.float32), np.add.accumulate(counts)))
    threshold, least = edges[min(middle + num_bins // 2 + 1, size)], float(_LARGEST)
    for reach in _list_reaches(counts, num_bins):
        first, last = middle - reach, min(middle + reach + 1, size)
        loss = _divergence(counts[first:last], before[first], _total(counts[last:]), num_bins)
        if loss < least:
            threshold, least = edges[last], loss
    return threshold, least


def _list_reaches(counts: Floats, num_bins: int) -> Sequence[int]:
    """Lists how far thresholds reach from the middle that can be the best one."""
    if counts.sum() > 0 and (counts >= 0).all() and (counts == np.floor(counts)).all():
        return list_candidates(counts, num_bins)
    return range(num_bins // 2, counts.size // 2 + 1)


@integer_op(
    _NAME,
    {"hist": FLOATS, "hist_edges": FLOATS},
    [torch.float32, torch.float32],
    num_outputs=2,
    labels=Labels(outputs=("threshold", "divergence")),
)
def calibrate_entropy(
    hist: Tensor, hist_edges: Tensor, *, num_quantized_bins: int = 255
) -> tuple[Tensor, Tensor]:
    """Finds the threshold at which numbers are best cut off before they are quantized.

    Args:
        hist: Numbers in the bins of a histogram that has 0 in its middle, float32.
        hist_edges: Edges of the bins, one more than there are bins, float32.
        num_quantized_bins: Number of integers that are left.

    Returns:
        The threshold, and the Kullback-Leibler divergence of the numbers before and after, each of
        shape `(1,)`.

    Example:
        >>> import mxnet as mx, numpy
        >>> data = numpy.random.RandomState(0).laplace(size=10000)
        >>> hist, edges = numpy.histogram(data, bins=1001, range=(-12, 12))
        >>> hist, edges = mx.nd.array(hist), mx.nd.array(edges)
        >>> threshold, divergence = mx.nd.contrib.calibrate_entropy(hist, edges)
        >>> threshold.shape
        (1,)
    """
    if hist.is_meta:
        return hist.new_empty(RANGE), hist.new_empty(RANGE)
    for role, array in (("hist", hist), ("hist_edges", hist_edges)):
        require_dtype(_NAME, role, array, torch.float32)
    if hist_edges.numel() != hist.numel() + 1:
        raise MXNetError(
            f"{_NAME}: expected {hist.numel() + 1} edges of {hist.numel()} bins, "
            f"got {hist_edges.numel()}"
        )
    if not 0 < num_quantized_bins <= hist.numel():
        raise MXNetError(
            f"{_NAME}: expected at most {hist.numel()} quantized bins, as many as the histogram "
            f"has, got {num_quantized_bins}"
        )
    counts, edges = (array.detach().flatten().cpu().numpy() for array in (hist, hist_edges))
    found = _find_threshold(counts, edges, num_quantized_bins)
    threshold, divergence = (hist.new_full(RANGE, float(number)) for number in found)
    return threshold, divergence

"""Where each pixel of a resized image comes from, by OpenCV's rules.

A resized line is a sum of a few shifted copies of the original one. The positions and weights of
these copies ("taps") depend on sizes and method alone, so they are computed once on the host.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import numpy as np
import numpy.typing as npt

NEAREST, LINEAR, CUBIC, AREA, LANCZOS, LINEAR_EXACT = range(6)
CUBIC_SHARPNESS = -0.75
"""Parameter of the cubic kernel; OpenCV has no other."""


@dataclass(frozen=True, slots=True, eq=False)
class Taps:
    """Sources of each position of a line: `positions` and `weights` of shape `(taps, size)`."""

    positions: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float32]


@lru_cache(maxsize=256)  # a function of its arguments, so that nothing invalidates it
def taps_for(old: int, new: int, method: int, shrinks: bool) -> Taps:
    """Returns the taps that bring a line from one size to another.

    Args:
        old: Size of the line.
        new: Size of the result.
        method: Number of the interpolation in OpenCV.
        shrinks: Whether neither axis of the image grows; only then are areas averaged.
    """
    if method == NEAREST:
        position = np.minimum(np.floor(np.arange(new) * _ratio(old, new)).astype(np.int64), old - 1)
        return Taps(position[None], np.ones((1, new), np.float32))
    if method == AREA:
        return _average(old, new) if shrinks else _between_neighbours(old, *_area_offsets(old, new))
    centre = ((np.arange(new) + 0.5) * _ratio(old, new) - 0.5).astype(np.float32)
    whole = np.floor(centre).astype(np.int64)
    part = (centre - whole).astype(np.float32)
    if method in (LINEAR, LINEAR_EXACT):
        return _between_neighbours(old, whole, part)
    weigh, reach = (_cubic, 1) if method == CUBIC else (_lanczos, 3)
    offsets = np.arange(-reach, reach + 2)[:, None]
    weights = weigh(part[None] - offsets)
    return Taps(np.clip(whole[None] + offsets, 0, old - 1), weights.astype(np.float32))


def _ratio(old: int, new: int) -> float:
    """Returns the distance of sources, rounded twice as OpenCV does it: that decides at borders."""
    return 1 / (new / old)


def _between_neighbours(
    old: int, whole: npt.NDArray[np.int64], part: npt.NDArray[np.float32]
) -> Taps:
    positions = np.clip(np.stack([whole, whole + 1]), 0, old - 1)
    return Taps(positions, np.stack([1 - part, part]).astype(np.float32))


def _area_offsets(old: int, new: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float32]]:
    """Returns the neighbours for the method of areas where the image grows."""
    index = np.arange(new)
    whole = np.floor(index * _ratio(old, new)).astype(np.int64)
    part = ((index + 1) - (whole + 1) * (new / old)).astype(np.float32)
    part = np.where(part <= 0, 0.0, part - np.floor(part))
    return whole, part.astype(np.float32)


def _average(old: int, new: int) -> Taps:
    """Weighs each old position by how much of it the new one covers."""
    scale = _ratio(old, new)
    start = np.arange(new) * scale
    positions = np.floor(start).astype(np.int64)[None] + np.arange(ceil(scale) + 1)[:, None]
    covered = np.minimum(positions + 1, start + scale) - np.maximum(positions, start)
    covered = np.where((covered > 1e-3) & (positions < old), covered, 0.0)
    weights = covered / covered.sum(axis=0)
    return Taps(np.minimum(positions, old - 1), weights.astype(np.float32))


def _cubic(distance: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    sharpness, t = np.float32(CUBIC_SHARPNESS), np.abs(distance)
    near = ((sharpness + 2) * t - (sharpness + 3)) * t * t + 1
    far = ((sharpness * t - 5 * sharpness) * t + 8 * sharpness) * t - 4 * sharpness
    weights: npt.NDArray[np.float32] = np.where(t <= 1, near, far)
    return weights


def _lanczos(distance: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    weights = np.sinc(distance) * np.sinc(distance / 4)
    normal: npt.NDArray[np.float32] = weights / weights.sum(axis=0)
    return normal

"""Fourier transforms and sketches, which the original computes on GPUs alone."""

from __future__ import annotations

from typing import Any

from .core import Array, Sample, rand, sample, values

WHY = "the original has this on GPUs alone"


def only_ours(name: str, *arrays: Array, **attrs: Any) -> Sample:
    """A call that the original's CPU refuses."""
    return sample(f"_contrib_{name}", *arrays, oracle=False, why=WHY, **attrs)


PLACES = values([[0, 2, 2, 1]])
SIGNS = values([[1, -1, 1, 1]])
SAMPLES = [
    only_ours("fft", rand(2, 5)),
    only_ours("fft", rand(1, 2, 3, 4), compute_size=1, train=False),
    only_ours("fft", rand(2, 4, dtype="float64")),
    sample("_contrib_fft", rand(5), raises=True),
    only_ours("ifft", rand(2, 6)),
    only_ours("ifft", rand(1, 2, 3, 4), compute_size=1, train=False),
    only_ours("ifft", rand(2, 4, dtype="float64")),
    sample("_contrib_ifft", rand(2, 5), raises=True),
    only_ours("count_sketch", rand(3, 4), PLACES, SIGNS, out_dim=3, numeric=False),
    only_ours("count_sketch", rand(3, 4), PLACES, SIGNS, out_dim="5", numeric=False, train=False),
    sample("_contrib_count_sketch", rand(3, 5), PLACES, SIGNS, out_dim=3, raises=True),
]

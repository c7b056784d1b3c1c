"""Products of attention on interleaved projections."""

from __future__ import annotations

from .core import rand, sample

SELF, ENCODER = "_contrib_interleaved_matmul_selfatt_", "_contrib_interleaved_matmul_encdec_"

SAMPLES = [
    sample(f"{SELF}qk", rand(3, 2, 12), heads=2),
    sample(f"{SELF}qk", rand(3, 2, 12), heads="1", train=False),
    sample(f"{SELF}qk", rand(1, 1, 9), heads=3),
    sample(f"{SELF}qk", rand(2, 12), heads=2, raises=True),
    sample(f"{SELF}qk", rand(3, 2, 12), raises=True),
    sample(
        f"{SELF}qk",
        rand(3, 2, 12),
        heads=5,
        raises=True,
        oracle=False,
        why="the original gives zeros for a width that the heads do not divide",
    ),
    sample(f"{SELF}valatt", rand(3, 2, 12), rand(4, 3, 3), heads=2),
    sample(f"{SELF}valatt", rand(3, 2, 12), rand(2, 3, 3), heads=1, train=False),
    sample(f"{SELF}valatt", rand(2, 12), rand(4, 3, 3), heads=2, raises=True),
    sample(f"{ENCODER}qk", rand(2, 2, 4), rand(3, 2, 8), heads=2),
    sample(f"{ENCODER}qk", rand(2, 1, 4), rand(5, 1, 8), heads=1, train=False),
    sample(f"{ENCODER}qk", rand(2, 4), rand(3, 2, 8), heads=2, raises=True),
    sample(f"{ENCODER}valatt", rand(3, 2, 8), rand(4, 2, 3), heads=2),
    sample(f"{ENCODER}valatt", rand(3, 2, 8), rand(2, 5, 3), heads=1, train=False),
    sample(f"{ENCODER}valatt", rand(3, 8), rand(4, 2, 3), heads=2, raises=True),
]

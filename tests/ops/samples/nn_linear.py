"""Affine maps."""

from .core import rand, sample

SAMPLES = [
    sample("FullyConnected", rand(4, 3), rand(5, 3), rand(5), num_hidden=5),
    sample("FullyConnected", rand(4, 3), rand(5, 3), num_hidden=5, no_bias=True),
    sample("FullyConnected", rand(4, 2, 3), rand(5, 6), rand(5), num_hidden=5),
    sample("FullyConnected", rand(4, 2, 3), rand(5, 3), rand(5), num_hidden=5, flatten=False),
    sample("FullyConnected", rand(4, 2, 3), rand(5, 3), num_hidden=5, flatten=False, no_bias=True),
    sample(
        "FullyConnected",
        rand(4, 3, dtype="float64"),
        rand(5, 3, dtype="float64"),
        rand(5, dtype="float64"),
        num_hidden="5",
    ),
    sample("FullyConnected", rand(4), rand(5, 1), rand(5), num_hidden=5),
    sample("FullyConnected", rand(3), rand(5, 3), rand(5), num_hidden=5, flatten=False),
    sample("FullyConnected", rand(4, 3), rand(5, 4), rand(5), num_hidden=5, raises=True),
    sample("FullyConnected", rand(4, 3), rand(5, 3), rand(5), num_hidden=4, raises=True),
    sample("FullyConnected", rand(4, 3), rand(5, 3), rand(5), num_hidden="ten", raises=True),
    sample("FullyConnected", rand(4, 3), rand(5, 3), rand(5), raises=True),
    sample(
        "FullyConnected", rand(4, 3), rand(5, 3), rand(5), num_hidden=5, num_hiden=5, raises=True
    ),
]

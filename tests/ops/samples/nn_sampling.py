"""Sampling of images at the points of a grid."""

from __future__ import annotations

from .core import rand, sample, values

GRID, SAMPLER, SPATIAL, CORRELATION = (
    "GridGenerator",
    "BilinearSampler",
    "SpatialTransformer",
    "Correlation",
)
THETA = values([[1, 0, 0, 0, 1, 0], [0.5, 0.1, 0.2, 0, 0.7, -0.1]])
IMAGE = rand(2, 3, 4, 5)
AFFINE = {"transform_type": "affine", "target_shape": (2, 3)}
SPATIAL_ATTRS = {**AFFINE, "sampler_type": "bilinear"}

GRIDS = [
    sample(GRID, THETA, **AFFINE),
    sample(GRID, THETA, train=False, transform_type="affine", target_shape="(4, 2)"),
    sample(GRID, rand(3, 6), transform_type="affine", target_shape=(3, 3)),
    sample(GRID, rand(2, 2, 3, 4), transform_type="warp"),
    sample(GRID, rand(1, 2, 2, 3, low=-3, high=3), transform_type="warp", target_shape=(9, 9)),
    sample(GRID, THETA, transform_type="affine", raises=True),
    sample(GRID, THETA, transform_type="affine", target_shape=(0, 3), raises=True),
    sample(GRID, rand(2, 5), raises=True, **AFFINE),
    sample(GRID, rand(2, 2, 3), raises=True, **AFFINE),
    sample(GRID, THETA, transform_type="warp", raises=True),
    sample(GRID, rand(1, 3, 2, 2), transform_type="warp", raises=True),
    sample(GRID, THETA, target_shape=(2, 2), raises=True),
]

SAMPLERS = [
    sample(SAMPLER, IMAGE, rand(2, 2, 3, 2, low=-0.9, high=0.9)),
    sample(SAMPLER, IMAGE, rand(2, 2, 3, 2, low=-1.7, high=1.7)),
    sample(SAMPLER, IMAGE, rand(2, 2, 1, 4), train=False, cudnn_off=True),
    sample(SAMPLER, rand(1, 2, 3, 3, dtype="float64"), rand(1, 2, 2, 2, dtype="float64")),
    sample(
        SAMPLER,
        rand(1, 2, 3, 3, dtype="float16"),
        rand(1, 2, 2, 2, dtype="float16"),
        rtol=2e-2,
        atol=2e-2,
    ),
    sample(SAMPLER, IMAGE, rand(1, 2, 2, 2), raises=True),
    sample(SAMPLER, IMAGE, rand(2, 1, 2, 2), raises=True),
    sample(SAMPLER, rand(3, 4, 5), rand(2, 2, 2, 2), raises=True),
]

TRANSFORMERS = [
    sample(SPATIAL, IMAGE, rand(2, 6, low=-0.8, high=0.8), **SPATIAL_ATTRS),
    sample(SPATIAL, IMAGE, rand(2, 6), train=False, **SPATIAL_ATTRS),
    sample(SPATIAL, IMAGE, rand(2, 6), **{**SPATIAL_ATTRS, "target_shape": (6, 7)}),
    sample(SPATIAL, IMAGE, THETA, transform_type="affine", sampler_type="bilinear", raises=True),
    sample(SPATIAL, IMAGE, rand(2, 5), raises=True, **SPATIAL_ATTRS),
    sample(SPATIAL, IMAGE, THETA, raises=True, **AFFINE),
]

PAIR = (rand(2, 3, 5, 6), rand(2, 3, 5, 6))
CORRELATIONS = [
    *(
        sample(CORRELATION, *PAIR, **attrs)
        for attrs in (
            {"pad_size": 1},
            {},
            {"pad_size": 2, "max_displacement": 2, "train": False},
            {"pad_size": 2, "max_displacement": 2, "stride2": 2},
            {"pad_size": 4, "max_displacement": 4, "stride1": 2, "stride2": 2},
            {"pad_size": 3, "kernel_size": 3, "max_displacement": 1, "stride1": 1},
            {"pad_size": 3, "kernel_size": 3, "max_displacement": 2, "stride1": 2},
            {"pad_size": "1", "is_multiply": False},
            {"pad_size": 3, "kernel_size": 3, "is_multiply": "False", "stride2": 1},
            {"pad_size": 3, "max_displacement": 3, "stride2": 2},
            {"max_displacement": 0},
        )
    ),
    sample(CORRELATION, *PAIR, max_displacement=3, raises=True),
    sample(CORRELATION, *PAIR, kernel_size=2, raises=True),
    sample(CORRELATION, rand(3, 5, 6), rand(3, 5, 6), raises=True),
]

SAMPLES = [*GRIDS, *SAMPLERS, *TRANSFORMERS, *CORRELATIONS]

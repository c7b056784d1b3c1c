"""Pooling over regions of interest."""

from __future__ import annotations

from .core import rand, sample, values

POOL, ALIGN, PS = "ROIPooling", "_contrib_ROIAlign", "_contrib_PSROIPooling"
MAP = rand(2, 3, 5, 6)
ROIS = values([[0, 0, 0, 4, 4], [1, 1, 1, 3, 4], [0, 2, 2, 2, 2], [1, -3, -3, 2, 2]])
ONE = values([[0, 0, 0, 4, 3]])
SIZE = {"pooled_size": (2, 2), "spatial_scale": 1}


def pool(data, rois, **attrs):
    """A call of ROIPooling, whose maxima may change by a small step."""
    return sample(POOL, data, rois, **{"numeric": False, **SIZE, **attrs})


def align(data, rois, **attrs):
    """A call of ROIAlign; its regions get no gradient."""
    return sample(ALIGN, data, rois, **{"numeric": False, **SIZE, **attrs})


def ps(data, rois, **attrs):
    """A call of PSROIPooling; its regions get no gradient."""
    given = {"numeric": False, "spatial_scale": 1, "output_dim": 2, "pooled_size": 2}
    return sample(PS, data, rois, **{**given, **attrs})


POOLS = [
    pool(MAP, ROIS),
    pool(MAP, ROIS, train=False),
    pool(MAP, ROIS, pooled_size=(2, 3), spatial_scale=0.5),
    pool(MAP, ROIS, pooled_size="(3, 1)", spatial_scale="0.7"),
    pool(MAP, values([[0, 4, 4, 20, 20], [0, 10, 10, 20, 20], [0, 3, 3, 1, 1]])),
    pool(
        MAP,
        values([[0, 0.5, 1.5, 2.5, 3.5], [0, 0.49, 1.49, 2.51, 3.5], [1, -0.5, -1.5, 2, 2]]),
        label="halves",
    ),
    pool(MAP, values([[-1, 0, 0, 2, 2]])),
    pool(MAP, ONE, spatial_scale=0),
    pool(MAP, ONE, pooled_size=(7, 7)),
    pool(values([[[[0.0] * 4] * 4]]), values([[0, 0, 0, 3, 3]])),
    *(
        pool(rand(1, 2, 4, 4, dtype=kind), values([[0, 0, 0, 3, 2]], kind))
        for kind in ("float64", "float16")
    ),
    pool(MAP, ONE, spatial_scale=1.5, raises=True),
    pool(MAP, ONE, pooled_size=(0, 1), raises=True),
    pool(MAP, ONE, pooled_size=(1,), raises=True),
    pool(rand(3, 5, 6), ONE, raises=True),
    pool(MAP, values([[0, 0, 0, 2]]), raises=True),
    sample(POOL, MAP, ONE, pooled_size=(1, 1), raises=True),
]

ALIGNS = [
    align(MAP, values([[0, 0.3, 0.2, 4, 4], [1, -3, -3, 9, 9], [0, 8, 8, 9, 9]])),
    align(MAP, values([[0, 0.3, 0.2, 4, 4], [1, -3, -3, 9, 9], [0, 8, 8, 9, 9]]), sample_ratio=2),
    align(MAP, ROIS, sample_ratio=1, train=False),
    align(MAP, ROIS, sample_ratio=0),
    align(MAP, ROIS, pooled_size=(3, 2), spatial_scale=0.5, sample_ratio="3"),
    align(MAP, values([[0, 0.3, 0.2, 4, 4], [1, 1, 1, 2.5, 4.5]]), aligned=True),
    align(MAP, values([[1, 0.3, 0.2, 4, 4]]), aligned=True, sample_ratio=2, spatial_scale=0.6),
    align(
        MAP,
        values([[-1, 0, 0, 2, 2], [0, 0.3, 0.2, 4, 4]]),
        sample_ratio=2,
        oracle=False,
        why="the original leaves memory as it is for a region of no image",
    ),
    align(rand(2, 8, 5, 6), ROIS, position_sensitive=True, sample_ratio=2),
    align(rand(2, 12, 5, 6), ROIS, position_sensitive=True, pooled_size=(2, 3)),
    align(MAP, ONE, spatial_scale=0),
    align(rand(1, 2, 4, 4, dtype="float64"), values([[0, 0, 0, 3, 2]], "float64")),
    align(
        rand(1, 2, 4, 4, dtype="float16"),
        values([[0, 0, 0, 3, 2]], "float16"),
        rtol=1e-2,
        atol=1e-2,
    ),
    align(rand(2, 6, 5, 6), ONE, position_sensitive=True, raises=True),
    align(MAP, ONE, spatial_scale=2, raises=True),
    align(MAP, ONE, spatial_scale=-1, raises=True),
    align(MAP, ONE, pooled_size=(2,), raises=True),
    align(MAP, values([[0, 0, 0, 2]]), raises=True),
    align(rand(3, 5, 6), ONE, raises=True),
    align(values([[[[1]]]], "int32"), values([[0, 0, 0, 1, 1]], "int32"), raises=True),
]

POSITIONS = [
    ps(rand(2, 8, 5, 6), ROIS),
    ps(rand(2, 8, 5, 6), ROIS, train=False),
    ps(rand(2, 8, 5, 6), ROIS, spatial_scale=0.5),
    ps(rand(2, 9, 5, 6), ROIS, output_dim=1, pooled_size=3),
    ps(rand(2, 8, 5, 6), ROIS, pooled_size=4, group_size=2),
    ps(rand(2, 8, 5, 6), values([[0, 0.5, 1.5, 2.5, 3.5], [0, 9, 9, 12, 12], [1, 3, 3, 1, 1]])),
    ps(rand(1, 8, 4, 4, dtype="float64"), values([[0, 0, 0, 3, 2]], "float64")),
    ps(
        rand(2, 6, 5, 6),
        ROIS,
        raises=True,
        oracle=False,
        why="the original reads beyond the array where channels are missing",
    ),
    ps(rand(8, 5, 6), ROIS, raises=True),
    ps(rand(2, 8, 5, 6), values([[0, 0, 0, 2]]), raises=True),
]

DEFORMABLE = "_contrib_DeformablePSROIPooling"
BASE = {"spatial_scale": 1, "output_dim": 2, "pooled_size": 2, "group_size": 2}


def deform(*arrays, **attrs):
    """A call of DeformablePSROIPooling; its regions get no gradient."""
    return sample(DEFORMABLE, *arrays, **{"numeric": False, **BASE, **attrs})


EIGHT = rand(2, 8, 5, 6)
MOVES = rand(4, 2, 2, 2)
DEFORMABLES = [
    deform(EIGHT, ROIS, no_trans=True),
    deform(EIGHT, ROIS, no_trans=True, sample_per_part=3, spatial_scale=0.5, train=False),
    deform(EIGHT, ROIS, MOVES, trans_std=0.1, part_size=2, sample_per_part=2),
    deform(EIGHT, ROIS, MOVES, trans_std=0.5, sample_per_part=4),
    deform(EIGHT, ROIS, rand(4, 4, 2, 2), trans_std=0.3, sample_per_part=2),
    deform(EIGHT, ROIS, rand(4, 2, 3, 3), trans_std=0.2, part_size=3, pooled_size=3),
    deform(EIGHT, ROIS, MOVES, part_size=2, sample_per_part=2),
    deform(rand(8, 5, 6), ROIS, MOVES, raises=True),
    deform(EIGHT, values([[0, 0, 0, 2]]), rand(1, 2, 2, 2), raises=True),
]

ROTATED = "_contrib_RROIAlign"
TURNED = values(
    [[0, 2, 2, 3, 2, 30], [1, 3, 2.5, 4, 3, -75], [0, 5, 4, 3, 3, 0], [1, 9, 9, 1, 1, 10]]
)


def turn(data, rois, **attrs):
    """A call of RROIAlign, which the original does not differentiate."""
    return sample(ROTATED, data, rois, **{"gradient": False, "numeric": False, **SIZE, **attrs})


TURNS = [
    turn(MAP, TURNED),
    turn(MAP, TURNED, sampling_ratio=2, train=False),
    turn(MAP, TURNED, pooled_size=(3, 2), spatial_scale=0.5, sampling_ratio="3"),
    turn(MAP, values([[0, 2, 2, 0.1, 0.2, 45]])),
    turn(MAP, values([[0, 2, 2, 3, 2]]), raises=True),
    turn(rand(3, 5, 6), TURNED, raises=True),
    turn(MAP, TURNED, pooled_size=(2,), raises=True),
]

SAMPLES = [*POOLS, *ALIGNS, *POSITIONS, *DEFORMABLES, *TURNS]

"""Normalization."""

from .core import Array, Sample, rand, sample, values

GAMMA, BETA, MEAN, VAR = [0.5, 1.0, 1.5], [-0.5, 0.0, 0.5], [0.0, 0.15, 0.3], [1.0, 1.5, 2.0]
ONES = [1.0, 1.0, 1.0]
SINGLE = "the original takes single precision only"
UNCALLABLE = "the original has no way to pass the states to a call"
REWRITES = "the original overwrites gamma by ones"


def batch(
    shape: tuple[int, ...],
    *,
    op: str = "BatchNorm",
    dtype: str = "float32",
    scale: list[float] | None = None,
    **fields: object,
) -> Sample:
    """A call on three channels; without `fix_gamma=False` gamma is 1, as the original makes it."""
    if scale is None:
        scale = GAMMA if fields.get("fix_gamma") in (False, "False", 0) else ONES
    dtypes = "float32" if dtype == "float16" else dtype
    states = [values(item, dtype=dtypes) for item in (scale, BETA, MEAN, VAR)]
    return sample(op, rand(*shape, dtype=dtype), *states, **fields)


def affine(
    op: str, shape: tuple[int, ...], size: int, dtype: str = "float32", **fields: object
) -> Sample:
    """A call with a gamma and a beta of a given size."""
    scale: Array = rand(size, dtype=dtype, low=0.5, high=1.5)
    return sample(op, rand(*shape, dtype=dtype), scale, rand(size, dtype=dtype), **fields)


HALF = {"rtol": 5e-3, "atol": 5e-3}

BATCH_NORM = [
    *(
        batch(shape, fix_gamma=fix_gamma, train=train)
        for shape in ((4, 3, 2), (4, 3, 2, 2))
        for fix_gamma in (True, False)
        for train in (True, False)
    ),
    batch((4, 3)),
    batch((4, 3), fix_gamma=False),
    batch((2, 3, 2, 2, 2), fix_gamma=False),
    batch((2, 3, 2, 2, 2), fix_gamma=False, train=False),
    *(
        batch((4, 3, 2), fix_gamma=False, use_global_stats=True, train=train)
        for train in (True, False)
    ),
    batch((4, 3, 2), use_global_stats="True"),
    *(
        batch((4, 3, 2), fix_gamma=False, output_mean_var=True, use_global_stats=fixed, train=train)
        for fixed in (True, False)
        for train in (True, False)
    ),
    *(
        batch(shape, axis=axis, fix_gamma=False, train=train)
        for shape, axis, train in (
            ((4, 2, 3), -1, True),
            ((4, 2, 3), 2, False),
            ((3, 2, 4), 0, True),
            ((3, 2, 4), -3, False),
            ((2, 2, 2, 3), 3, True),
            ((2, 2, 2, 3), 3, False),
        )
    ),
    batch((2, 2, 2, 3), axis=-1, output_mean_var=True),
    batch((3,), axis=0, fix_gamma=False),
    batch((3,), axis=-1, fix_gamma=False, train=False),
    batch((1, 3), fix_gamma=False, output_mean_var=True, numeric=False),
    batch((4, 3, 2), eps=1e-5, fix_gamma=False),
    batch((4, 3, 2), eps=0.1, fix_gamma=False, output_mean_var=True),
    batch((4, 3, 2), eps="0.01", momentum="0.5", fix_gamma="False", axis="1"),
    batch((4, 3, 2), momentum=0.5),
    batch((4, 3, 2), momentum=0),
    batch((4, 3, 2), momentum=1),
    batch((4, 3, 2), momentum=0.99, cudnn_off=True, min_calib_range=0.0, max_calib_range=1.0),
    batch((4, 3, 2), min_calib_range="None"),
    *(
        batch((4, 3, 2), dtype="float64", fix_gamma=fix_gamma, train=train, output_mean_var=True)
        for fix_gamma in (True, False)
        for train in (True, False)
    ),
    *(
        batch(
            (4, 3, 2), dtype="float16", fix_gamma=False, train=train, output_mean_var=True, **HALF
        )
        for train in (True, False)
    ),
    batch((2, 3, 3, 2), dtype="float16", **HALF),
    batch((4, 3, 2), scale=GAMMA, oracle=False, why=REWRITES),
    batch((4, 3, 2), axis=3, raises=True),
    batch((4, 3, 2), axis=-4, raises=True),
    batch((3,), raises=True),
    batch((4, 3, 2), eps="small", raises=True),
    sample("BatchNorm", rand(4, 3, 2), *(rand(3, dtype="float64") for _ in range(4)), raises=True),
    sample(
        "BatchNorm",
        rand(4, 3, 2, dtype="float16"),
        *(rand(3, dtype="float16") for _ in range(4)),
        raises=True,
    ),
    sample("BatchNorm", rand(4, 3, 2, dtype="float64"), *(rand(3) for _ in range(4)), raises=True),
]

OTHER_BATCH_NORMS = [
    *(
        batch(
            (4, 3, 2, 2),
            op="BatchNorm_v1",
            fix_gamma=False,
            train=train,
            output_mean_var=True,
            oracle=False,
            why=UNCALLABLE,
        )
        for train in (True, False)
    ),
    batch((4, 3), op="BatchNorm_v1", use_global_stats=True, oracle=False, why=UNCALLABLE),
    *(
        batch(shape, op="_contrib_SyncBatchNorm", fix_gamma=fix_gamma, train=train, key="a")
        for shape, fix_gamma in (((4, 3), True), ((2, 3, 2, 2), False))
        for train in (True, False)
    ),
    batch((4, 3, 2), op="_contrib_SyncBatchNorm", key="a", ndev=1, momentum=0.5, eps=0.1),
    batch((4, 3, 2), op="_contrib_SyncBatchNorm", key="a", output_mean_var=True),
    batch((4, 3, 2), op="_contrib_SyncBatchNorm", key="a", use_global_stats=True),
    batch(
        (4, 3, 2),
        op="_contrib_SyncBatchNorm",
        key="a",
        output_mean_var=True,
        train=False,
        oracle=False,
        why="the original leaves the two statistics unset",
    ),
    batch(
        (4, 3, 2), op="_contrib_SyncBatchNorm", key="a", dtype="float64", oracle=False, why=SINGLE
    ),
    batch(
        (4, 3, 2), op="_contrib_SyncBatchNorm", key="a", dtype="float16", oracle=False, why=SINGLE
    ),
    batch((4, 3, 2), op="_contrib_SyncBatchNorm", raises=True),
    batch((4, 3, 2, 2), op="_contrib_BatchNormWithReLU"),
    batch((4, 3, 2, 2), op="_contrib_BatchNormWithReLU", fix_gamma=False, output_mean_var=True),
    batch(
        (4, 3, 2, 2), op="_contrib_BatchNormWithReLU", fix_gamma=False, train=False, gradient=False
    ),
    batch(
        (4, 2, 3),
        op="_contrib_BatchNormWithReLU",
        axis=-1,
        oracle=False,
        why="the original has it for one library only, which takes 4 axes",
    ),
]

LAYER_NORM = [
    affine("LayerNorm", (3, 4), 4),
    affine("LayerNorm", (3, 4), 4, train=False),
    affine("LayerNorm", (4,), 4),
    affine("LayerNorm", (2, 3, 4), 4),
    affine("LayerNorm", (2, 1, 2, 2, 4), 4),
    *(
        affine("LayerNorm", shape, shape[axis], axis=axis, output_mean_var=flag)
        for shape, axis in (((3, 4), -1), ((3, 4), 1), ((4, 3), 0), ((2, 4, 3), 1), ((2, 4, 3), -2))
        for flag in (True, False)
    ),
    affine("LayerNorm", (4,), 4, output_mean_var=True),
    affine("LayerNorm", (3, 4), 4, eps=0.1, output_mean_var="True"),
    affine("LayerNorm", (3, 4), 4, eps="1e-12", axis="-1"),
    affine("LayerNorm", (3, 1), 1, numeric=False, atol=1e-4),
    affine("LayerNorm", (3, 4), 4, "float64", output_mean_var=True),
    affine("LayerNorm", (3, 4), 4, "float16", output_mean_var=True, rtol=1e-2, atol=2e-2),
    affine("LayerNorm", (2, 4, 3), 4, "float16", axis=1, rtol=1e-2, atol=2e-2),
    affine("LayerNorm", (3, 4), 3, raises=True),
    affine("LayerNorm", (3, 4), 4, axis=2, raises=True),
    affine("LayerNorm", (3, 4), 4, axis=-3, raises=True),
]

GROUP_NORM = [
    affine("GroupNorm", (2, 4, 3), 1),
    *(
        affine("GroupNorm", shape, groups, num_groups=groups, output_mean_var=flag)
        for shape, groups in (((2, 4, 3), 2), ((2, 4, 3, 2), 4), ((2, 4, 3, 2), 1))
        for flag in (True, False)
    ),
    affine("GroupNorm", (1, 4, 2, 2, 2), 2, num_groups="2", eps=0.1),
    affine("GroupNorm", (2, 4, 3), 2, num_groups=2, train=False),
    affine("GroupNorm", (2, 4, 3), 2, "float64", num_groups=2, output_mean_var=True),
    affine(
        "GroupNorm",
        (2, 4, 3),
        2,
        "float16",
        num_groups=2,
        output_mean_var=True,
        rtol=1e-2,
        atol=1e-2,
    ),
    affine("GroupNorm", (2, 4, 3), 4, num_groups=2, raises=True),
    affine("GroupNorm", (2, 4, 3), 3, num_groups=3, raises=True),
    affine("GroupNorm", (2, 4), 2, num_groups=2, raises=True),
]

INSTANCE_NORM = [
    *(affine("InstanceNorm", shape, 4) for shape in ((2, 4, 3), (2, 4, 3, 2), (1, 4, 2, 2, 2))),
    affine("InstanceNorm", (2, 4, 3), 4, train=False),
    affine("InstanceNorm", (2, 4, 3), 4, eps=0.1),
    affine("InstanceNorm", (2, 4, 3), 4, eps="1e-5"),
    affine("InstanceNorm", (2, 4, 1), 4, numeric=False),
    affine("InstanceNorm", (2, 4, 3), 4, "float64", oracle=False, why=SINGLE),
    affine("InstanceNorm", (2, 4, 3), 4, "float16", oracle=False, why=SINGLE),
    affine("InstanceNorm", (1, 0, 3), 0, oracle=False, why="only MXNet 2 takes no channels"),
    affine("InstanceNorm", (2, 4, 3), 3, raises=True),
    affine("InstanceNorm", (2, 4), 4, raises=True),
    affine("InstanceNorm", (4,), 4, raises=True),
]

L2 = [
    *(
        sample("L2Normalization", rand(*shape), mode=mode)
        for mode in ("instance", "channel", "spatial")
        for shape in ((2, 3, 2), (2, 3, 2, 2), (1, 3, 2, 2, 2))
    ),
    sample("L2Normalization", rand(2, 3)),
    sample("L2Normalization", rand(4), numeric=False),
    sample("L2Normalization", rand(2, 3, 2), train=False),
    sample("L2Normalization", rand(2, 3, 2), eps=1.0),
    sample("L2Normalization", rand(2, 3, 2), eps="0.5", mode="channel"),
    sample("L2Normalization", values([[0, 0, 0], [0, 3, 4]]), numeric=False),
    *(
        sample("L2Normalization", rand(2, 3, 2, dtype=dtype), mode=mode, **HALF)
        for mode in ("instance", "channel", "spatial")
        for dtype in ("float64", "float16")
    ),
    sample("L2Normalization", rand(2, 3), mode="channel", raises=True),
    sample("L2Normalization", rand(2, 3), mode="spatial", raises=True),
    sample("L2Normalization", rand(2, 3, 2), mode="row", raises=True),
]

LRN = [
    sample("LRN", rand(2, 5, 2, 2), nsize=3),
    *(
        sample("LRN", rand(2, 5, 2, 2), nsize=nsize, alpha=1.0, beta=0.5, knorm=1.0)
        for nsize in (1, 2, 3, 5, 6, 7)
    ),
    sample("LRN", rand(2, 5), nsize=3, alpha=0.5),
    sample("LRN", rand(2, 5, 2, 2), nsize="5", alpha="0.1", beta="0.75", knorm="2"),
    sample("LRN", rand(2, 5, 2, 2), nsize=3, train=False),
    sample("LRN", rand(2, 5, 2, 2), nsize=4, alpha=1.0),
    sample("LRN", rand(2, 5, 2), nsize=3, oracle=False, why="the original takes 2 or 4 axes"),
    *(
        sample("LRN", rand(2, 5, 2, 2, dtype=dtype), nsize=3, alpha=1.0, oracle=False, why=SINGLE)
        for dtype in ("float64", "float16")
    ),
    sample("LRN", rand(2, 5, 2, 2), raises=True),
    sample(
        "LRN", rand(2, 5, 2, 2), nsize=0, raises=True, oracle=False, why="the original divides by 0"
    ),
]

SAMPLES = BATCH_NORM + OTHER_BATCH_NORMS + LAYER_NORM + GROUP_NORM + INSTANCE_NORM + L2 + LRN

"""Pooling over windows."""

from .core import Sample, rand, sample, values

SAME = "the original reads pads of axes that are not there unless three are given"
IMAGE, LINE, VOLUME = rand(2, 2, 5, 6), rand(2, 3, 7), rand(1, 2, 4, 5, 4)
TIES = values([[[[1, 1, 0], [1, 1, 2], [2, 2, 2]], [[0, 0, 0], [0, 0, 0], [0, 0, 0]]]])
NEGATIVE = rand(1, 2, 5, 6, low=-2, high=-1)
LP = {"pool_type": "lp", "p_value": 2}


def pool(*arrays: object, **fields: object) -> Sample:
    """A call of the operator in use."""
    return sample("Pooling", *arrays, **fields)


def v1(*arrays: object, **fields: object) -> Sample:
    """A call of the operator of the first versions."""
    return sample("Pooling_v1", *arrays, **fields)


POOLING = [
    *(
        pool(data, kernel=kernel, pool_type=kind, numeric=fields.get("stride") != (3, 3), **fields)
        for kind in ("max", "avg", "sum")
        for data, kernel, fields in (
            (IMAGE, (2, 2), {}),
            (IMAGE, (2, 2), {"stride": (2, 2)}),
            (IMAGE, (3, 2), {"stride": (2, 1), "pad": (1, 0)}),
            (IMAGE, (2, 2), {"stride": (2, 2), "pooling_convention": "full"}),
            (IMAGE, (3, 3), {"stride": (2, 2), "pad": (1, 1), "pooling_convention": "full"}),
            (IMAGE, (2, 2), {"stride": (3, 3), "pad": (1, 1), "pooling_convention": "full"}),
            (IMAGE, (3, 3), {"pad": (2, 2)}),
            (LINE, (2,), {"stride": (2,), "pad": (1,)}),
            (LINE, (3,), {"stride": 2, "pooling_convention": "full"}),
            (VOLUME, (2, 2, 2), {"stride": (2, 2, 2)}),
            (VOLUME, (2, 3, 2), {"pad": (1, 1, 0), "stride": (1, 2, 2)}),
            (VOLUME, (2, 2, 2), {"stride": (2, 2, 2), "pooling_convention": "full"}),
        )
    ),
    *(
        pool(data, global_pool=True, pool_type=kind)
        for kind in ("max", "avg", "sum")
        for data in (IMAGE, LINE, VOLUME)
    ),
    *(
        pool(IMAGE, kernel=(3, 3), pool_type="avg", count_include_pad=flag, **fields)
        for flag in (True, False)
        for fields in (
            {"pad": (1, 1)},
            {"pad": (1, 1), "stride": (2, 2), "pooling_convention": "full"},
            {"pad": (2, 2), "stride": (3, 3), "pooling_convention": "full"},
        )
    ),
    pool(
        LINE,
        kernel=(2,),
        stride=(3,),
        pad=(1,),
        pool_type="avg",
        count_include_pad=False,
        pooling_convention="full",
    ),
    pool(VOLUME, kernel=(2, 2, 2), pad=(1, 1, 1), pool_type="avg", count_include_pad=False),
    pool(rand(1, 1, 5), kernel=(1,), stride=(3,), pooling_convention="full", numeric=False),
    pool(rand(1, 1, 5), kernel=(1,), stride=(3,), pooling_convention="full", pool_type="avg"),
    pool(rand(1, 1, 5, dtype="float64"), kernel=(2,), pad=(2,), numeric=False),
    pool(rand(1, 1, 5, dtype="float64"), kernel=(2,), pad=(2,), pool_type="avg"),
    pool(
        rand(1, 1, 5, dtype="float64"),
        kernel=(2,),
        pad=(2,),
        pool_type="avg",
        count_include_pad=False,
    ),
    *(pool(IMAGE, kernel=(2, 2), pool_type="lp", p_value=p, numeric=p != 3) for p in (1, 2, 3)),
    pool(IMAGE, kernel=(2, 2), **LP, stride=(2, 2), pooling_convention="full"),
    pool(IMAGE, kernel=(3, 3), **LP, stride=(2, 2), pad=(1, 1)),
    pool(LINE, kernel=(2,), **LP),
    pool(VOLUME, kernel=(2, 2, 2), **LP),
    pool(IMAGE, global_pool=True, **LP),
    pool(IMAGE, global_pool=True, pool_type="lp", p_value=3, numeric=False),
    pool(values([[[0, 0, 0, 1, -1, 2, 0, 3]]]), kernel=(2,), stride=(2,), **LP, numeric=False),
    pool(
        values([[[0, 0, 0, 1, -1, 2, 1, -1]]]),
        kernel=(2,),
        stride=(2,),
        pool_type="lp",
        p_value=3,
        numeric=False,
    ),
    pool(IMAGE, global_pool=True, kernel=(2, 2), stride=(2, 2), pad=(1, 1)),
    pool(IMAGE, global_pool=True, kernel=(9, 9), pool_type="avg"),
    pool(IMAGE, global_pool=True, pool_type="avg", pooling_convention="full"),
    pool(TIES, kernel=(2, 2), numeric=False),
    pool(TIES, global_pool=True, numeric=False),
    pool(NEGATIVE, kernel=(3, 3), pad=(1, 1)),
    pool(rand(2, 5, 6, 3), kernel=(2, 2), layout="NHWC"),
    pool(rand(2, 5, 6, 3), kernel=(2, 3), stride=(2, 1), layout="NHWC", pool_type="avg"),
    pool(rand(2, 5, 6, 3), global_pool=True, layout="NHWC"),
    pool(rand(2, 5, 6, 3), global_pool=True, layout="NHWC", pool_type="sum"),
    pool(rand(2, 7, 3), kernel=(2,), layout="NWC", pool_type="avg"),
    pool(rand(1, 4, 4, 3, 2), kernel=(2, 2, 2), layout="NDHWC"),
    pool(LINE, kernel=(2,), layout="NCW"),
    pool(IMAGE, kernel=(2, 2), layout="NCHW"),
    pool(VOLUME, kernel=(2, 2, 2), layout="NCDHW", cudnn_off=True),
    pool(IMAGE, kernel="(2,2)", stride="[2, 2]", global_pool="False", pool_type="avg"),
    pool(IMAGE, kernel=(2, 2), train=False, gradient=False),
    pool(IMAGE, kernel=(2, 2), train=False, pool_type="avg"),
    pool(IMAGE, kernel=(2, 2), pad=(), stride=(), p_value="None", count_include_pad="None"),
    *(
        pool(rand(1, 2, 4, 5, dtype=dtype), kernel=(2, 2), pool_type=kind, rtol=rtol, atol=rtol)
        for dtype, rtol in (("float64", 1e-6), ("float16", 2e-3))
        for kind in ("max", "avg", "sum")
    ),
    *(
        pool(rand(1, 2, 4, 5, dtype=dtype), kernel=(2, 2), **LP, rtol=rtol, atol=rtol)
        for dtype, rtol in (("float64", 1e-6), ("float16", 1e-2))
    ),
    *(
        pool(
            rand(1, 2, 4, 3, 3, dtype="float16"),
            kernel=(2, 2, 2),
            pool_type=kind,
            rtol=2e-3,
            atol=2e-3,
        )
        for kind in ("max", "avg", "sum")
    ),
    pool(
        rand(1, 2, 4, 5, dtype="float16"), global_pool=True, pool_type="avg", rtol=2e-3, atol=2e-3
    ),
    *(
        pool(
            rand(1, 2, size, dtype="float64"),
            kernel=(3,),
            stride=(stride,),
            pad=(0, 0, 0),
            pooling_convention="same",
            pool_type=kind,
        )
        for kind in ("max", "avg", "sum")
        for size, stride in ((5, 1), (5, 2), (6, 3))
    ),
    pool(LINE, kernel=(3,), stride=(2,), pooling_convention="same", oracle=False, why=SAME),
    pool(
        IMAGE,
        kernel=(3, 3),
        stride=(2, 2),
        pooling_convention="same",
        oracle=False,
        why="the original has this convention for one spatial axis only",
    ),
    pool(
        rand(0, 2, 5, 6),
        kernel=(2, 2),
        oracle=False,
        numeric=False,
        why="the original cannot take an empty batch without its NumPy shapes",
    ),
    pool(LINE, kernel=(3,), stride=(2,), pad=(1,), pooling_convention="same", raises=True),
    pool(IMAGE, raises=True),
    pool(IMAGE, kernel=2, raises=True),
    pool(IMAGE, kernel=(7, 7), raises=True),
    pool(IMAGE, kernel=(7, 7), pooling_convention="full", raises=True),
    pool(IMAGE, kernel=(0, 2), raises=True),
    pool(IMAGE, kernel=(2, 2), stride=(2,), raises=True),
    pool(IMAGE, kernel=(2, 2), stride=(0, 2), raises=True),
    pool(IMAGE, kernel=(2, 2), pad=(-1, 0), raises=True),
    pool(IMAGE, kernel=(2, 2), pool_type="min", raises=True),
    pool(IMAGE, kernel=(2, 2), pool_type="lp", raises=True),
    pool(IMAGE, kernel=(2, 2), pool_type="lp", p_value=4, raises=True),
    pool(IMAGE, kernel=(2, 2), pool_type="lp", p_value=0, raises=True),
    pool(IMAGE, kernel=(2, 2), layout="NCW", raises=True),
    pool(IMAGE, kernel=(2, 2), pooling_convention="half", raises=True),
    pool(rand(4, 5), kernel=(2,), raises=True),
    pool(rand(1, 1, 4, 4, 4, 4), kernel=(2, 2, 2, 2), raises=True),
    pool(rand(1, 2, 4, 5, dtype="int32", low=0, high=5), kernel=(2, 2), raises=True),
]

POOLING_V1 = [
    *(
        v1(data, kernel=(2, 2), pool_type=kind, numeric=kind != "max", **fields)
        for kind in ("max", "avg", "sum")
        for data, fields in (
            (IMAGE, {}),
            (IMAGE, {"stride": (2, 2)}),
            (NEGATIVE, {"stride": (2, 2), "pad": (1, 1)}),
            (IMAGE, {"stride": (2, 2), "pooling_convention": "full"}),
            (IMAGE, {"global_pool": True}),
        )
    ),
    v1(IMAGE, global_pool=True, pool_type="avg"),
    v1(TIES, kernel=(2, 2), numeric=False),
    v1(NEGATIVE, kernel=(3, 3), stride=(2, 2), pad=(1, 1), pooling_convention="full"),
    v1(
        NEGATIVE,
        kernel=(3, 3),
        stride=(2, 2),
        pad=(1, 1),
        pooling_convention="full",
        pool_type="avg",
    ),
    v1(rand(1, 2, 4, 5, dtype="float64"), kernel=(2, 2)),
    v1(rand(1, 2, 4, 5, dtype="float16"), kernel=(2, 2), pool_type="avg", rtol=2e-3, atol=2e-3),
    v1(
        VOLUME,
        kernel=(2, 2, 2),
        oracle=False,
        why="the original has three spatial axes here on the GPU only",
    ),
    v1(IMAGE, raises=True),
    v1(IMAGE, kernel=(7, 7), raises=True),
    v1(LINE, kernel=(2,), raises=True),
    v1(IMAGE, kernel=(2, 2), pool_type="lp", raises=True),
]

ADAPTIVE = [
    sample("_contrib_AdaptiveAvgPooling2D", IMAGE),
    *(
        sample("_contrib_AdaptiveAvgPooling2D", IMAGE, output_size=size)
        for size in (1, 2, (3,), (2, 3), (5, 6), (7, 8), "(2, 4)")
    ),
    sample("_contrib_AdaptiveAvgPooling2D", IMAGE, output_size=2, train=False),
    sample("_contrib_AdaptiveAvgPooling2D", rand(1, 2, 4, 5, dtype="float64"), output_size=3),
    sample(
        "_contrib_AdaptiveAvgPooling2D",
        rand(1, 2, 4, 5, dtype="float16"),
        output_size=3,
        rtol=2e-3,
        atol=2e-3,
    ),
    sample("_contrib_AdaptiveAvgPooling2D", LINE, output_size=2, raises=True),
    sample("_contrib_AdaptiveAvgPooling2D", IMAGE, output_size=(-1, 2), raises=True),
]

SAMPLES = POOLING + POOLING_V1 + ADAPTIVE

"""Creation of arrays."""

from .core import ints, rand, sample

DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "int8")

HALF = "the original cuts fractions of start and step off for float16"
UNKNOWN = "the original takes () for an unknown shape, outside of the NumPy dialect"

FILLED = [
    *[
        row
        for op, extra in (("_zeros", {}), ("_ones", {}), ("_full", {"value": 2.7}))
        for row in (
            sample(op, shape=(2, 3), **extra),
            sample(op, shape=3, **extra),
            sample(op, shape="(2, 1, 2)", **extra),
            sample(op, shape=[2], ctx="cpu(0)", **extra),
            *[sample(op, shape=(2,), dtype=t, **extra) for t in (*DTYPES, "bool")],
            sample(op, **extra, raises=True),
            sample(op, shape=(-2,), **extra, raises=True),
            sample(op, shape="two", **extra, raises=True),
            sample(op, shape=(2,), dtype="complex64", **extra, raises=True),
            sample(op, shape=(2,), size=3, **extra, raises=True),
        )
    ],
    *[sample(op, shape=(), oracle=False, why=UNKNOWN) for op in ("_zeros", "_ones")],
    sample("_full", shape=(), value=2.7, oracle=False, why=UNKNOWN),
    sample("_full", shape=(2,), value=0.1, dtype="float64"),
    sample("_full", shape=(2,), value=0.1, dtype="float16"),
    sample("_full", shape=(2,), value="-3"),
    sample("_full", shape=(2,), value="inf"),
    sample("_full", shape=(2,), value=-2.7, dtype="int32"),
    sample("_full", shape=(2,), value=-1, dtype="uint8"),
    sample("_full", shape=(2,), value=300, dtype="uint8"),
    sample("_full", shape=(2,), value=0, dtype="bool"),
    sample("_full", shape=(1,), value=2.0**53, dtype="int64"),
    sample("_full", shape=(2,), value=-1e9, dtype="float16"),
    sample("_full", shape=(2,), raises=True),
    *[
        sample(
            "_zeros_without_dtype",
            shape=(2,),
            dtype=code,
            oracle=False,
            why="not callable in Python",
        )
        for code in (-1, 0, 1, 4)
    ],
    sample("_zeros_without_dtype", raises=True),
    sample("_zeros_without_dtype", shape=(2,), dtype=99, raises=True),
]

EYE = [
    sample("_eye", N=2),
    sample("_eye", N=2, M=3),
    sample("_eye", N="3", M="2", k="-1"),
    *[sample("_eye", N=3, M=4, k=k) for k in (0, 1, 3, 4, 9, -1, -2, -3, -9)],
    *[sample("_eye", N=2, M=3, k=1, dtype=t) for t in DTYPES],
    sample("_eye", N=0),
    sample("_eye", N=2, M=-1),
    sample("_eye", N=2, M=0, ctx="cpu(0)"),
    sample("_eye", N=-1, raises=True),
    sample("_eye", raises=True),
]

ARANGE = [
    sample("_arange", start=5),
    sample("_arange", start=0, stop=5),
    sample("_arange", start=2, stop=None),
    sample("_arange", start="3", stop="None"),
    sample("_arange", start=0, stop=1, step=0.3),
    sample("_arange", start=0.1, stop=0.75, step=0.1),
    sample("_arange", start=0, stop=0.3, step=0.1, dtype="float64"),
    sample("_arange", start=-1.5, stop=2),
    sample("_arange", start=5, stop=0, step=-2),
    sample("_arange", start=-3, step=-1),
    sample("_arange", start=0, stop=3, repeat=2),
    sample("_arange", start=0, stop=1, step=0.3, repeat=3),
    sample("_arange", start=2, stop=5, infer_range=True),
    sample("_arange", start=2, stop=5, ctx="cpu(0)"),
    *[
        sample("_arange", start=1, stop=9, step=2, dtype=t, repeat=r)
        for t in DTYPES
        for r in (1, 2)
    ],
    sample("_arange", start=0.5, stop=5, step=1.5, dtype="int32"),
    sample("_arange", start=0.5, stop=5, step=2.5, dtype="int8"),
    sample("_arange", start=250, stop=260, dtype="uint8"),
    sample("_arange", start=-3, stop=3, step=2, dtype="int64"),
    sample("_arange", start=2**40, stop=2**40 + 2, dtype="int64"),
    sample("_arange", start=0, stop=1, step=0.25, dtype="float16", oracle=False, why=HALF),
    sample("_arange", raises=True),
    sample("_arange", start=5, stop=0, raises=True),
    sample("_arange", start=0, raises=True),
    sample("_arange", start=-2, raises=True),
    sample("_arange", start=0, stop=0, raises=True),
    sample("_arange", start=0, stop=5, step=0, raises=True),
    sample("_arange", start=0, stop=5, step=-1, raises=True),
    sample("_arange", start=0, stop=5, repeat=0, raises=True),
    sample("_arange", start=5, infer_range=True, raises=True),
]

LIKE = [
    sample("_contrib_arange_like", rand(2, 3)),
    sample("_contrib_arange_like", rand(4)),
    *[sample("_contrib_arange_like", rand(2, 3), axis=a) for a in (0, 1, -1, -2, "1", None)],
    sample("_contrib_arange_like", rand(2, 3), axis=-1, start=2, step=0.5),
    sample("_contrib_arange_like", rand(2, 3), start=2, step=-0.5, ctx="cpu(0)"),
    sample("_contrib_arange_like", rand(2, 3), step=0),
    sample("_contrib_arange_like", rand(2, 3), repeat=2),
    sample("_contrib_arange_like", rand(2, 3), repeat=2, axis=1),
    sample("_contrib_arange_like", rand(2, 4), repeat=3, axis=1),
    sample("_contrib_arange_like", rand(2, 3, dtype="float64"), start=1.5, step=1.5),
    sample("_contrib_arange_like", rand(2, 3, dtype="float16"), start=1, step=2),
    sample(
        "_contrib_arange_like",
        rand(2, 3, dtype="float16"),
        start=1.5,
        step=0.5,
        oracle=False,
        why=HALF,
    ),
    sample("_contrib_arange_like", ints(2, 3, dtype="int32"), start=1.5, step=1.5),
    sample("_contrib_arange_like", rand(2, 3), axis=2, raises=True),
    sample("_contrib_arange_like", rand(2, 3), axis=-3, raises=True),
    sample(
        "_contrib_arange_like",
        rand(2, 3),
        repeat=0,
        raises=True,
        oracle=False,
        why="the original divides by zero and dies",
    ),
    *[
        row
        for op in ("zeros_like", "ones_like")
        for row in (
            sample(op, rand(2, 3)),
            sample(op, rand(4)),
            *[sample(op, rand(2, dtype=t)) for t in ("float64", "float16")],
            *[sample(op, ints(2, dtype=t)) for t in ("int32", "int64", "uint8", "int8")],
        )
    ],
]

LINSPACE = [
    sample("_linspace", start=0, stop=1, num=5),
    sample("_linspace", start=0, stop=1, num=5, endpoint=False),
    sample("_linspace", start="0.1", stop="0.77", num="7", endpoint="True"),
    sample("_linspace", start=1, stop=-1, num=4),
    sample("_linspace", start=3, stop=10, num=1),
    sample("_linspace", start=3, stop=10, num=1, endpoint=False),
    sample("_linspace", start=3, stop=10, num=0),
    sample("_linspace", start=3, stop=3, num=2, ctx="cpu(0)"),
    *[
        sample("_linspace", start=0, stop=10, num=4, dtype=t, endpoint=e)
        for t in DTYPES
        for e in (True, False)
    ],
    sample("_linspace", start=0, stop=-10, num=4, dtype="int32"),
    sample("_linspace", start=3, stop=10, num=-1, raises=True),
    sample("_linspace", start=3, num=2, raises=True),
    sample("_linspace", start=3, stop=10, raises=True),
    sample("_linspace", start=3, stop=10, num=3, repeat=2, raises=True),
]

SAMPLES = [*FILLED, *EYE, *ARANGE, *LIKE, *LINSPACE]

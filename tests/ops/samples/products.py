"""Products of arrays."""

from .core import ints, rand, sample, values

NO_HALF = "the original multiplies float16 on a GPU only"
SHAPES = ((3,), (3, 3), (3, 2, 3), (3, 2, 2, 3))
TRANSPOSED = (
    {},
    {"transpose_a": True},
    {"transpose_b": True},
    {"transpose_a": True, "transpose_b": True},
)

SAMPLES = [
    *(
        sample(
            "dot", rand(*left), rand(*right), attrs=way, raises=len(left + right) == 2 and bool(way)
        )
        for left in SHAPES[:3]
        for right in SHAPES[:3]
        for way in TRANSPOSED
    ),
    *(
        sample("dot", rand(*left), rand(*right), attrs=way)
        for left, right in ((SHAPES[3], SHAPES[1]), (SHAPES[0], SHAPES[3]))
        for way in TRANSPOSED
    ),
    sample("dot", rand(2, 3), rand(3, 4)),
    sample("dot", rand(3, 2), rand(3, 4), transpose_a="True"),
    sample("dot", rand(2, 3), rand(4, 3), transpose_b="1"),
    sample("dot", rand(3, 2), rand(4, 3), transpose_a=True, transpose_b=True),
    sample("dot", rand(2, 3, 4), rand(4, 2)),
    sample("dot", rand(2, 3), rand(3, 4, 2)),
    sample("dot", rand(2, 3, 4), rand(2, 5), transpose_a=True),
    sample("dot", rand(2, 3), rand(4, 5, 3), transpose_b=True),
    sample("dot", rand(1), rand(1, 3)),
    sample("dot", rand(4, 1), rand(1)),
    sample("dot", rand(2, 3), rand(3, 4), forward_stype="default"),
    sample("dot", rand(2, 3, dtype="float64"), rand(3, 4, dtype="float64")),
    sample("dot", rand(3, dtype="float64"), rand(3, dtype="float64")),
    sample(
        "dot", rand(2, 3, dtype="float16"), rand(3, 4, dtype="float16"), oracle=False, why=NO_HALF
    ),
    sample("dot", rand(2, 3), rand(2, 3), raises=True),
    sample("dot", rand(2), rand(3), raises=True),
    sample("dot", rand(1), rand(3), raises=True),
    sample("dot", rand(2, 1), rand(3, 4), raises=True),
    sample("dot", rand(2, 3, 4), rand(3, 4, 5), raises=True),
    sample("dot", rand(2, 3), rand(3, 4), forward_stype="dense", raises=True),
    sample("dot", rand(2, 3), rand(3, 4), transpose=True, raises=True),
    sample("dot", rand(2, 3), rand(3, 4, dtype="float64"), raises=True),
    *(
        sample(
            "dot",
            ints(2, 3, dtype=dtype),
            ints(3, 4, dtype=dtype),
            oracle=False,
            why="the original refuses integers",
        )
        for dtype in ("int32", "int64", "uint8", "int8")
    ),
    sample("batch_dot", rand(2, 3, 4), rand(2, 4, 5)),
    sample("batch_dot", rand(2, 4, 3), rand(2, 4, 5), transpose_a=True),
    sample("batch_dot", rand(2, 3, 4), rand(2, 5, 4), transpose_b=True),
    sample("batch_dot", rand(2, 4, 3), rand(2, 5, 4), transpose_a="True", transpose_b="True"),
    sample("batch_dot", rand(1, 3, 4), rand(1, 4, 1), forward_stype="default"),
    sample("batch_dot", rand(2, 2, 3, 4), rand(2, 2, 4, 2)),
    sample("batch_dot", rand(2, 1, 3, 2), rand(2, 1, 3, 4), transpose_a=True),
    sample("batch_dot", rand(2, 2, 1, 2, 3), rand(2, 2, 1, 3, 1)),
    sample("batch_dot", rand(2, 3, 4, dtype="float64"), rand(2, 4, 2, dtype="float64")),
    sample(
        "batch_dot",
        rand(2, 3, 4, dtype="float16"),
        rand(2, 4, 5, dtype="float16"),
        oracle=False,
        why=NO_HALF,
    ),
    sample("batch_dot", rand(3, 4), rand(4, 5), raises=True),
    sample("batch_dot", rand(1, 3, 4), rand(2, 4, 5), raises=True),
    sample("batch_dot", rand(2, 3, 4), rand(3, 4, 5), raises=True),
    sample("batch_dot", rand(2, 3, 4), rand(2, 3, 5), raises=True),
    sample("batch_dot", rand(2, 3, 4), rand(4, 5), raises=True),
    sample("batch_dot", rand(2, 2, 3, 4), rand(2, 1, 4, 5), raises=True),
    sample(
        "batch_dot", ints(2, 3, 4), ints(2, 4, 5), oracle=False, why="the original refuses integers"
    ),
    sample("batch_dot", rand(2, 3, 4), rand(2, 4, 5), axis=1, raises=True),
    sample(
        "khatri_rao", values([[1, -1], [2, -3]]), values([[1, 4], [2, 5], [3, 6]]), gradient=False
    ),
    sample("khatri_rao", rand(2, 3), gradient=False),
    sample("khatri_rao", rand(2, 3), rand(3, 3), rand(1, 3), gradient=False),
    sample("khatri_rao", rand(2, 3), rand(3, 3), num_args=2, gradient=False),
    sample("khatri_rao", rand(2, 2, dtype="float64"), rand(3, 2, dtype="float64"), gradient=False),
    sample("khatri_rao", rand(3, 2), rand(2, 2), oracle=False, why="the original has no gradient"),
    sample("khatri_rao", rand(2, 2), rand(1, 3), raises=True),
    sample("khatri_rao", rand(2), rand(2), raises=True),
    sample("khatri_rao", rand(2, 2, 2), rand(2, 2), raises=True),
    sample("khatri_rao", raises=True),
]

"""Linear algebra on batches of matrices."""

from .core import ints, rand, sample, values

POSITIVE = [[4, 2, 1], [2, 5, 3], [1, 3, 6]]
LOWER_COUNTS = [[4, 9, 9], [2, 5, 9], [1, 3, 6]]
REGULAR = [[0, 2, 1], [2, -5, 3], [7, 3, 6]]
FACTOR = [[2, 0, 0], [1, 3, 0], [-1, 2, 1]]
INDEFINITE = [[1, 2, 0], [2, -3, 1], [0, 1, 2]]
SINGULAR = values([[1, 1], [1, 1]])
FLOATS_ONLY = ("int32", "uint8")
TRIANGULAR = (
    {},
    {"transpose": True},
    {"lower": False},
    {"lower": False, "transpose": True},
    {"alpha": 2.5},
)
SQUARE_OPS = (
    "_linalg_potrf",
    "_linalg_potri",
    "_linalg_sumlogdiag",
    "_linalg_syevd",
    "_linalg_inverse",
    "_linalg_det",
    "_linalg_slogdet",
    "_linalg_extractdiag",
    "_linalg_extracttrian",
)

SAMPLES = [
    sample("_linalg_gemm", rand(2, 3), rand(3, 4), rand(2, 4)),
    sample("_linalg_gemm", rand(3, 2), rand(3, 4), rand(2, 4), transpose_a=True, alpha=2.0),
    sample("_linalg_gemm", rand(2, 3), rand(4, 3), rand(2, 4), transpose_b=True, beta=0.5),
    sample(
        "_linalg_gemm",
        rand(2, 3, 2),
        rand(2, 4, 3),
        rand(2, 2, 4),
        transpose_a="1",
        transpose_b="1",
        alpha="-1.5",
        beta="0",
    ),
    sample("_linalg_gemm", rand(2, 5, 3), rand(3, 5, 4), rand(2, 5, 4), axis=0),
    sample("_linalg_gemm", rand(2, 2, 1, 3), rand(2, 3, 1, 2), rand(2, 2, 1, 2), axis=1, beta=2),
    sample("_linalg_gemm", *(rand(2, 2, dtype="float64") for _ in range(3))),
    sample("_linalg_gemm", rand(2, 3), rand(3, 4), rand(4), raises=True),
    sample("_linalg_gemm", rand(1, 2, 3), rand(5, 3, 4), rand(5, 2, 4), raises=True),
    sample("_linalg_gemm", rand(2, 3), rand(3, 4), rand(1, 4), raises=True),
    sample("_linalg_gemm", rand(3), rand(3, 4), rand(4), raises=True),
    sample("_linalg_gemm2", rand(2, 3), rand(3, 4)),
    sample("_linalg_gemm2", rand(2, 2, 3), rand(2, 3, 4), alpha=3.0),
    sample("_linalg_gemm2", rand(3, 2), rand(4, 3), transpose_a=True, transpose_b=True),
    sample("_linalg_gemm2", rand(2, 3), rand(4, 3), transpose_b="True"),
    sample("_linalg_gemm2", rand(2, 5, 3), rand(3, 5, 4), axis=0),
    sample("_linalg_gemm2", rand(2, 5, 3), rand(3, 5, 4), axis=-3),
    sample("_linalg_gemm2", rand(3, 5, 2), rand(4, 5, 3), axis=0, transpose_a=1, transpose_b=1),
    sample("_linalg_gemm2", rand(2, 2, 3), rand(2, 3, 2), axis=1),
    sample("_linalg_gemm2", rand(2, 2, 3, 1), rand(2, 1, 3, 2), axis=1),
    sample("_linalg_gemm2", rand(2, 3, dtype="float64"), rand(3, 4, dtype="float64")),
    *(
        sample("_linalg_gemm2", rand(5, 2, 3), rand(5, 3, 4), axis=axis, raises=True)
        for axis in (2, -1, 5, -4)
    ),
    sample("_linalg_gemm2", rand(1, 2, 3), rand(5, 3, 4), raises=True),
    sample("_linalg_gemm2", rand(2, 3), rand(5, 3, 4), raises=True),
    sample("_linalg_gemm2", rand(2, 3), rand(2, 4), raises=True),
    *(
        sample("_linalg_gemm2", ints(2, 3, dtype=dtype), ints(3, 4, dtype=dtype), raises=True)
        for dtype in FLOATS_ONLY
    ),
    sample("_linalg_syrk", rand(2, 3)),
    sample("_linalg_syrk", rand(2, 3), transpose=True, alpha=2.0),
    sample("_linalg_syrk", rand(2, 3, 2), alpha="0.5"),
    sample("_linalg_syrk", rand(2, 3, dtype="float64")),
    sample("_linalg_syrk", rand(3), raises=True),
    sample("_linalg_syrk", ints(2, 3), raises=True),
    *(
        sample(op, values(POSITIVE), rand(3, 4), attrs=way)
        for op in ("_linalg_trmm", "_linalg_trsm")
        for way in TRIANGULAR
    ),
    *(
        sample(op, values(POSITIVE), rand(4, 3), rightside=True, attrs=way)
        for op in ("_linalg_trmm", "_linalg_trsm")
        for way in TRIANGULAR
    ),
    *(
        case
        for op in ("_linalg_trmm", "_linalg_trsm")
        for case in (
            sample(op, values([POSITIVE, FACTOR]), rand(2, 3, 1)),
            sample(op, values(POSITIVE, "float64"), rand(3, 2, dtype="float64")),
            sample(op, rand(3, 3), rand(4, 3), raises=True),
            sample(op, rand(1, 3, 3), rand(2, 3, 4), raises=True),
            sample(op, rand(3, 3), rand(2, 3, 4), raises=True),
            sample(op, rand(2, 3), rand(3, 4), raises=True),
            sample(op, ints(3, 3), ints(3, 4), raises=True),
        )
    ),
    *(sample(op, rand(2, 3), raises=True) for op in SQUARE_OPS),
    *(sample(op, rand(3), raises=True) for op in SQUARE_OPS),
    *(sample(op, ints(3, 3), raises=True) for op in SQUARE_OPS),
    sample("_linalg_potrf", values(POSITIVE), numeric=False),
    sample("_linalg_potrf", values(LOWER_COUNTS), numeric=False),
    sample("_linalg_potrf", values([[POSITIVE, POSITIVE]]), numeric=False),
    sample("_linalg_potrf", values(POSITIVE, "float64"), numeric=False),
    sample("_linalg_potrf", values([[2]])),
    sample("_linalg_potrf", values(INDEFINITE), raises=True),
    sample("_linalg_potrf", values(POSITIVE), numeric=False, lower=False),
    sample("_linalg_potrf", values([LOWER_COUNTS, POSITIVE]), numeric=False, lower=True),
    sample("_linalg_potri", values(FACTOR)),
    sample("_linalg_potri", values(FACTOR), lower=False),
    sample("_linalg_potri", values([FACTOR, POSITIVE]), lower="False"),
    sample("_linalg_potri", values(LOWER_COUNTS)),
    sample("_linalg_potri", values([FACTOR, POSITIVE])),
    sample("_linalg_potri", values(FACTOR, "float64")),
    sample("_linalg_sumlogdiag", values(POSITIVE)),
    sample("_linalg_sumlogdiag", rand(2, 3, 3, low=0.5, high=2.0)),
    sample("_linalg_sumlogdiag", rand(2, 1, 2, 2, low=0.5, high=2.0)),
    sample("_linalg_sumlogdiag", values(POSITIVE, "float64")),
    sample("_linalg_gelqf", rand(2, 3)),
    sample("_linalg_gelqf", rand(3, 3)),
    sample("_linalg_gelqf", rand(2, 2, 4)),
    sample("_linalg_gelqf", rand(1, 3)),
    sample("_linalg_gelqf", values(INDEFINITE)),
    sample("_linalg_gelqf", rand(2, 3, dtype="float64")),
    sample("_linalg_gelqf", rand(4, 3), raises=True),
    sample("_linalg_gelqf", ints(2, 3), raises=True),
    sample("_linalg_syevd", values(POSITIVE), numeric=False),
    sample("_linalg_syevd", values(LOWER_COUNTS), numeric=False),
    sample("_linalg_syevd", values([POSITIVE, INDEFINITE]), numeric=False),
    sample("_linalg_syevd", values(INDEFINITE, "float64"), numeric=False),
    sample("_linalg_syevd", values([[-3]]), numeric=False),
    sample("_linalg_inverse", values(REGULAR)),
    sample("_linalg_inverse", values([[REGULAR], [POSITIVE]])),
    sample("_linalg_inverse", values(REGULAR, "float64")),
    sample("_linalg_inverse", SINGULAR, raises=True),
    sample("_linalg_det", values(REGULAR)),
    sample("_linalg_det", values([REGULAR, POSITIVE])),
    sample("_linalg_det", values([[REGULAR, POSITIVE]])),
    sample("_linalg_det", values(REGULAR, "float64")),
    sample("_linalg_det", SINGULAR, numeric=False),
    sample("_linalg_slogdet", values(REGULAR)),
    sample("_linalg_slogdet", values([REGULAR, POSITIVE])),
    sample("_linalg_slogdet", values([[INDEFINITE, POSITIVE]])),
    sample("_linalg_slogdet", values(INDEFINITE, "float64")),
    sample("_linalg_slogdet", SINGULAR, gradient=False),
    *(sample("_linalg_extractdiag", rand(3, 3), offset=offset) for offset in (0, 1, "-1", 2, -2)),
    sample("_linalg_extractdiag", rand(2, 3, 3)),
    sample("_linalg_extractdiag", rand(2, 2, 3, 3), offset=1),
    sample("_linalg_extractdiag", rand(2, 2, dtype="float64")),
    *(sample("_linalg_makediag", rand(3), offset=offset) for offset in (0, 1, -1, "2")),
    sample("_linalg_makediag", rand(2, 3)),
    sample("_linalg_makediag", rand(1)),
    sample("_linalg_makediag", rand(2, 1, 2, dtype="float64"), offset=-1),
    sample("_linalg_makediag", ints(3), raises=True),
    *(
        sample("_linalg_extracttrian", rand(3, 3), offset=offset, lower=lower)
        for offset in (0, 1, -1, 2)
        for lower in (True, False)
    ),
    sample("_linalg_extracttrian", rand(4, 4)),
    sample("_linalg_extracttrian", rand(4, 4), offset=1),
    sample("_linalg_extracttrian", rand(2, 3, 3), lower="0"),
    sample("_linalg_extracttrian", rand(2, 2, 3, 3, dtype="float64"), offset=-1),
    *(
        sample(op, rand(3, 3), offset=offset, raises=True)
        for op in ("_linalg_extractdiag", "_linalg_extracttrian")
        for offset in (3, -3, 7)
    ),
    *(
        sample("_linalg_maketrian", rand(6), offset=offset, lower=lower)
        for offset in (0, 1, -1, 2)
        for lower in (True, False)
    ),
    sample("_linalg_maketrian", rand(10)),
    sample("_linalg_maketrian", rand(2, 3)),
    sample("_linalg_maketrian", rand(2, 1, 3, dtype="float64"), offset="-2"),
    sample("_linalg_maketrian", rand(1)),
    sample("_linalg_maketrian", rand(2), raises=True),
    sample("_linalg_maketrian", rand(2, 5), raises=True),
    sample("_linalg_maketrian", ints(3), raises=True),
]

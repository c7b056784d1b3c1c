"""Creation of arrays in the NumPy dialect."""

from .core import ints, rand, sample

DTYPES = ("float32", "float64", "float16", "int32", "int64", "uint8", "int8")
HALF = "the original cuts fractions of start and step off for float16"

FILLED = [
    row
    for op in ("_npi_zeros", "_npi_ones")
    for row in (
        sample(op, shape=(2, 3)),
        sample(op, shape=3),
        sample(op, shape=()),
        sample(op),
        sample(op, shape=(2, 0)),
        sample(op, shape="(0,)", ctx="cpu(0)"),
        *[sample(op, shape=(2,), dtype=dtype) for dtype in (*DTYPES, "bool")],
        sample(op, shape=(-1,), raises=True),
        sample(op, shape="two", raises=True),
    )
] + [
    sample("_npi_full", shape=(), value=3.7),
    sample("_npi_full", shape=(0, 2), value=3.7),
    *[sample("_npi_full", shape=(2,), value=3.7, dtype=dtype) for dtype in (*DTYPES, "bool")],
    sample("_npi_full", shape=(2,), raises=True),
    *[
        sample("_npi_full_like", array, fill_value=3.7)
        for array in (rand(2, 3), rand(), rand(0), rand(2, dtype="bool"))
    ],
    *[sample("_npi_full_like", rand(2), fill_value=3.7, dtype=d) for d in (*DTYPES, "bool")],
    *[sample("_npi_full_like", ints(2, dtype=d), fill_value=2) for d in DTYPES],
    sample("_npi_full_like", rand(2), fill_value=2, dtype=None),
    sample("_npi_full_like", rand(2), raises=True),
]

EYE = [
    *[sample("_npi_identity", shape=(n, n)) for n in (0, 1, 3)],
    *[sample("_npi_identity", shape=(2, 2), dtype=dtype) for dtype in (*DTYPES, "bool")],
    sample("_npi_identity", shape=(), raises=True),
    sample("_npi_eye", N=2),
    *[
        sample("_npi_eye", N=2, M=m, k=k)
        for m, k in [(3, 1), (0, 0), (None, -1), (2, 5), (2, -5), (4, 2), (3, -1)]
    ],
    sample("_npi_eye", N=0),
    sample("_npi_eye", N=0, M=3),
    *[sample("_npi_eye", N=2, M=3, dtype=dtype) for dtype in DTYPES],
    sample("_npi_eye", N=-2, raises=True),
    sample("_npi_eye", N=2, M=-1, raises=True),
    sample("_npi_eye", raises=True),
]

RANGES = [
    *[
        sample("_npi_arange", start=start, stop=stop, step=step)
        for start, stop, step in [
            (0, 5, 1),
            (5, None, 1),
            (5, 0, 1),
            (5, 0, -2),
            (0, 5, 0.7),
            (0, 0, 1),
            (-2.5, 2.5, 1),
            (1, 1.5, 2),
        ]
    ],
    sample("_npi_arange", start=4),
    *[sample("_npi_arange", start=1, stop=6, step=2, dtype=dtype) for dtype in DTYPES],
    *[
        sample("_npi_arange", start=0.5, stop=5, step=step, dtype=dtype)
        for step in (1, 0.5)
        for dtype in ("int32", "float64")
    ],
    sample("_npi_arange", start=0, stop=5, step=0, raises=True),
    sample("_npi_arange", start=0, stop=5, repeat=2, raises=True),
    sample("_npi_arange", raises=True),
    *[
        sample("_npi_linspace", start=0, stop=1, num=num, endpoint=endpoint)
        for num in (0, 1, 2, 5)
        for endpoint in (True, False)
    ],
    *[sample("_npi_linspace", start=0, stop=10, num=4, dtype=d) for d in ("int32", "float64")],
    sample("_npi_linspace", start=0, stop=1, num=-1, raises=True),
    *[
        sample("_npi_logspace", start=start, stop=stop, num=num, endpoint=endpoint, base=base)
        for start, stop, num, base in [
            (0, 2, 3, 10),
            (0, 2, 5, 2.5),
            (2, -1, 4, 3),
            (0, 2, 1, 10),
            (0, 2, 0, 10),
        ]
        for endpoint in (True, False)
    ],
    sample("_npi_logspace", start=0, stop=2, num=5, base=-2),
    *[
        sample("_npi_logspace", start=0, stop=2, num=5, dtype=dtype)
        for dtype in ("float64", "float16", "int32", "int64", "uint8")
    ],
    sample("_npi_logspace", start=0, stop=2, num=-1, raises=True),
]

WINDOWS = [
    row
    for op in ("_npi_blackman", "_npi_hamming", "_npi_hanning")
    for row in (
        *[sample(op, M=m) for m in (0, 1, 2, 5, 8, -1)],
        sample(op, M=5, dtype="float64"),
        sample(op, M=5, dtype="float16", atol=1e-3),
        sample(op, M=8, dtype="int32"),
        sample(op, M=1, dtype="int64"),
        sample(op, raises=True),
    )
]

GRIDS = [
    *[sample("_npi_indices", dimensions=dims) for dims in [(2, 3), 3, (), (0, 3), (2, 1, 2)]],
    *[sample("_npi_indices", dimensions=(2, 3), dtype=dtype) for dtype in DTYPES],
    sample("_npi_indices", dimensions=(-1, 3), raises=True),
    sample("_npi_indices", raises=True),
    *[sample("_npi_diag_indices_from", rand(*sizes)) for sizes in [(3, 3), (2, 2, 2), (0, 0)]],
    sample("_npi_diag_indices_from", rand(2, 2, dtype="bool")),
    *[sample("_npi_diag_indices_from", rand(*sizes), raises=True) for sizes in [(2, 3), (3,), ()]],
    sample("_npi_share_memory", rand(2), rand(3), gradient=False),
    sample("_npi_share_memory", rand(2), ints(3, dtype="int32"), gradient=False),
    sample("_npi_share_memory", rand(0), rand(), gradient=False),
]

SAMPLES = [*FILLED, *EYE, *RANGES, *WINDOWS, *GRIDS]

"""Random numbers."""

from .core import ints, rand, sample, values

FLOATS = ("float32", "float64", "float16")
UNKNOWN = "the original takes () for an unknown shape, outside of the NumPy dialect"

PARAMETERS = {
    "uniform": {"low": -1, "high": 2.5},
    "normal": {"loc": 2, "scale": 0.5},
    "gamma": {"alpha": 2.5, "beta": 0.5},
    "exponential": {"lam": 4},
    "poisson": {"lam": 4},
    "negative_binomial": {"k": 3, "p": 0.4},
    "generalized_negative_binomial": {"mu": 2, "alpha": 0.3},
}

WRONG = {
    "uniform": ({"low": 3, "high": 1},),
    "normal": ({"scale": -1}, {"scale": 0}, {"mean": 1}),
    "gamma": ({"alpha": -1}, {"alpha": 0}, {"beta": 0}),
    "exponential": ({"lam": -1}, {"lam": 0}, {"scale": 1}),
    "poisson": ({"lam": -1}, {"lam": "many"}),
    "negative_binomial": ({"k": -1}, {"k": 1.5}),
    "generalized_negative_binomial": ({"mu": -1}, {"alpha": -1}),
}


def draw(op, *inputs, **fields):
    """A row of which only shape and type are compared."""
    return sample(op, *inputs, **fields, random=True, gradient=False)


NUMBERS = [
    row
    for name, parameters in PARAMETERS.items()
    for op in (f"_random_{name}",)
    for row in (
        draw(op, shape=(3, 2)),
        draw(op, shape=3),
        draw(op, shape="(2, 1, 2)", attrs={key: str(value) for key, value in parameters.items()}),
        draw(op, shape=(2,), ctx="cpu(0)", **parameters),
        *[draw(op, shape=(2, 2), dtype=dtype, **parameters) for dtype in FLOATS],
        sample(op, raises=True),
        draw(op, shape=(), oracle=False, why=UNKNOWN),
        sample(op, shape=(2,), dtype="int32", raises=True),
        *[sample(op, shape=(2,), **wrong, raises=True) for wrong in WRONG[name]],
    )
]

LIKE = [
    row
    for name, parameters in PARAMETERS.items()
    for op in (f"_random_{name}_like",)
    for row in (
        draw(op, rand(3, 2)),
        *[draw(op, rand(2, 1, 3, dtype=dtype), **parameters) for dtype in FLOATS],
        sample(op, ints(2, 2), gradient=False, raises=True),
        *[sample(op, rand(2), **wrong, raises=True) for wrong in WRONG[name]],
    )
]

ARRAYS = [
    row
    for name, parameters in PARAMETERS.items()
    for op in (f"_sample_{name}",)
    for row in (
        draw(op, *[values([1, 0.5]) for _ in parameters]),
        draw(op, *[values([1, 0.5]) for _ in parameters], shape=3),
        draw(op, *[values([1, 0.5]) for _ in parameters], shape=()),
        draw(op, *[values([[1, 0.5], [0.25, 1]]) for _ in parameters], shape=(2, 3)),
        *[
            draw(op, *[values([1, 0.5], parameter) for _ in parameters], shape="(3,)", dtype=dtype)
            for parameter in FLOATS
            for dtype in FLOATS
        ],
        *[draw(op, *[values([1, 0.5], dtype) for _ in parameters], shape=(2,)) for dtype in FLOATS],
        draw(op, *[values([1, 1], "int32") for _ in parameters], shape=(2,)),
        sample(op, *[values([1, 0.5]) for _ in parameters], shape=(2,), dtype="int32", raises=True),
    )
] + [
    sample(f"_sample_{name}", rand(2), rand(3), raises=True)
    for name, parameters in PARAMETERS.items()
    if len(parameters) == 2
]

RANDINT = [
    draw("_random_randint", low=2, high=5, shape=(3, 2)),
    draw("_random_randint", low=-2, high="5", shape=3),
    draw("_random_randint", low=2, high=5, shape=(3,), dtype="int32", ctx="cpu(0)"),
    draw("_random_randint", low=-2, high=2**40, shape=(3,), dtype="int64"),
    sample("_random_randint", low=3, high=4, shape=(3,)),
    sample("_random_randint", low=5, high=2, shape=(3,), raises=True),
    sample(
        "_random_randint",
        low=2,
        high=2,
        shape=(3,),
        raises=True,
        oracle=False,
        why="the original divides by zero and dies",
    ),
    sample("_random_randint", low=2, high=5, raises=True),
    sample("_random_randint", low=2, shape=(3,), raises=True),
    sample("_random_randint", shape=(3,), raises=True),
    sample("_random_randint", low=2, high=5, shape=(3,), dtype="float32", raises=True),
    sample("_random_randint", low=2, high=5, shape=(3,), dtype="uint8", raises=True),
]

CHANCES = values([[0, 0.25, 0.75], [0.5, 0.5, 0]])
CERTAIN = values([[0, 1, 0], [1, 0, 0]])

MULTINOMIAL = [
    draw("_sample_multinomial", CHANCES),
    draw("_sample_multinomial", values([0.2, 0.8])),
    draw("_sample_multinomial", values([0.2, 0.8]), get_prob=True),
    draw("_sample_multinomial", values([[[0.2, 0.8]], [[0.5, 0.5]]]), shape=2, get_prob=True),
    *[
        draw("_sample_multinomial", CHANCES, shape=shape)
        for shape in (1, 4, (4,), (4, 2), "(2,)", ())
    ],
    *[draw("_sample_multinomial", values([0.2, 0.8]), shape=shape) for shape in (4, (4, 2))],
    *[draw("_sample_multinomial", CHANCES, dtype=t) for t in (*FLOATS, "int32", "uint8")],
    *[
        sample(
            "_sample_multinomial",
            values([[0, 1, 0], [1, 0, 0]], t),
            shape=shape,
            get_prob="True",
            numeric=False,
        )
        for t in FLOATS
        for shape in ((), (2,))
    ],
    sample("_sample_multinomial", CERTAIN, gradient=False),
    sample("_sample_multinomial", values([0, 1, 0]), shape=3, get_prob=True, numeric=False),
    sample("_sample_multinomial", ints(2, 2, low=1), gradient=False, raises=True),
]

OTHERS = [
    draw("_shuffle", rand(4)),
    draw("_shuffle", rand(4, 3)),
    *[draw("_shuffle", rand(3, 2, 2, dtype=t)) for t in FLOATS],
    *[draw("_shuffle", ints(3, 2, dtype=t)) for t in ("int32", "int64", "uint8", "int8")],
    sample("_shuffle", rand(1, 3), gradient=False),
    sample("_shuffle", rand(1, 2), oracle=False, why="the original has no gradient"),
    draw("_sample_unique_zipfian", range_max=100, shape=(2, 5)),
    draw("_sample_unique_zipfian", range_max="7", shape="(1, 7)"),
    sample("_sample_unique_zipfian", range_max=3, shape=(1, 5), raises=True),
    sample("_sample_unique_zipfian", range_max=30, shape=(5,), raises=True),
    sample("_sample_unique_zipfian", range_max=30, raises=True),
    sample("_sample_unique_zipfian", shape=(1, 2), raises=True),
]

SAMPLES = [*NUMBERS, *LIKE, *ARRAYS, *RANDINT, *MULTINOMIAL, *OTHERS]

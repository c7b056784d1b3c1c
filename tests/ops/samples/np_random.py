"""Random numbers in the NumPy dialect."""

from .core import ints, rand, sample, values

FLOATS = ("float16", "float32", "float64")

PARAMETERS = {
    "normal": {"loc": 1.0, "scale": 2.0},
    "normal_n": {"loc": 1.0, "scale": 2.0},
    "uniform": {"low": 1.0, "high": 2.0},
    "uniform_n": {"low": 1.0, "high": 2.0},
    "gamma": {"shape": 1.0, "scale": 2.0},
    "gumbel": {"loc": 1.0, "scale": 2.0},
    "logistic": {"loc": 1.0, "scale": 2.0},
}
WITH_DTYPE = ("normal", "normal_n", "uniform", "uniform_n", "gamma")
SCALES = {"exponential": "scale", "rayleigh": "scale", "weibull": "a", "pareto": "a", "powerd": "a"}
POSITIVE = values([[0.5, 1, 2], [3, 4, 0.25]])
NEGATIVE = values([1, -2])
EACH = "MXNet 2 draws that often for each parameter"


def draw(op, *inputs, **fields):
    """A row of which only shape and type are compared."""
    return sample(op, *inputs, **fields, random=True, gradient=False)


def _two(name: str) -> list:
    """Rows of a distribution of two parameters."""
    op, both = f"_npi_{name}", PARAMETERS[name]
    first, second = ({**both, key: None} for key in both)
    none = dict.fromkeys(both)
    batched = name.endswith("_n")
    rows = [
        *(draw(op, attrs=both, size=size) for size in ((), 3, (2, 3), (0, 3), "(2,)", None)),
        draw(op, attrs=both),
        draw(op, attrs=both, size=2, ctx="cpu(0)"),
        draw(op, POSITIVE, attrs=first),
        draw(op, POSITIVE, attrs=second),
        draw(op, POSITIVE, POSITIVE, attrs=none),
        draw(op, rand(2, 1, low=1, high=2), rand(3, low=1, high=2), attrs=none),
        draw(op, values(1.5), values(2.0), attrs=none),
        draw(op, rand(0), rand(1, low=1, high=2), attrs=none),
        draw(op, POSITIVE, attrs=first, size=(4,) if batched else (4, 2, 3)),
        draw(op, values(2.0), attrs=first, size=(4, 2)),
        sample(op, rand(2, 2, low=1, high=2), rand(3, low=1, high=2), attrs=none, raises=True),
        sample(op, size=3, raises=True),
        sample(op, POSITIVE, attrs=both, raises=True),
        sample(op, attrs=none, raises=True),
        *(draw(op, attrs=both, size=2, dtype=dtype) for dtype in FLOATS if name in WITH_DTYPE),
        sample(op, attrs=both, size=2, dtype="int32", raises=True),
    ]
    if not batched:
        rows += [
            sample(op, POSITIVE, attrs=first, size=(4,), raises=True),
            draw(op, POSITIVE, attrs=first, size=(-2, 4), oracle=False, why=EACH),
            draw(op, attrs=both, size=(-2, 4), oracle=False, why=EACH),
        ]
    if "high" not in both:
        rows += [
            sample(op, attrs={**both, "scale": -1.0}, size=2, raises=True),
            sample(op, NEGATIVE, attrs=second, raises=True),
        ]
    if name == "gamma":
        rows += [
            sample(op, shape=0.0, scale=1.0, size=2, raises=True),
            sample(op, NEGATIVE, attrs=first, raises=True),
        ]
    return rows


def _one(name: str) -> list:
    """Rows of a distribution of one parameter."""
    op, key = f"_npi_{name}", SCALES[name]
    array = {key: None}
    rows = [
        *(draw(op, attrs={key: 2.0}, size=size) for size in ((), 3, (2, 3), (0, 3), "(2,)")),
        draw(op, attrs={key: 2.0}),
        draw(op, POSITIVE, attrs=array),
        draw(op, POSITIVE, attrs=array, size=(4, 2, 3)),
        draw(op, values([1, 2], "float64"), attrs=array),
        draw(op, values([1, 2], "int32"), attrs=array),
        draw(op, values(2.0), attrs=array, size=(2, 2)),
        sample(op, POSITIVE, attrs=array, size=(4,), raises=True),
        sample(op, attrs={key: -1.0}, size=2, raises=True),
        sample(op, NEGATIVE, attrs=array, raises=True),
        sample(op, attrs={key: 1.0}, size=2, dtype="float64", raises=True),
    ]
    if key == "a":
        rows += [
            sample(op, attrs={key: 0.0}, size=2, raises=True),
            sample(op, values([1, 0]), attrs=array, raises=True),
            sample(op, size=2, raises=True),
        ]
    else:
        rows += [draw(op, size=2), draw(op, attrs={key: 0.0}, size=2)]
    return rows


PROB = {"prob": None, "logit": None, "is_logit": False}
LOGIT = {**PROB, "is_logit": True}

BERNOULLI = [
    *(
        draw("_npi_bernoulli", attrs={**PROB, "prob": 0.5}, size=size)
        for size in (None, (), 3, (2, 3), (0, 2))
    ),
    draw("_npi_bernoulli", attrs={**LOGIT, "logit": 0.5}, size=(2, 3)),
    draw("_npi_bernoulli", values([0.1, 0.9]), attrs=PROB),
    draw("_npi_bernoulli", values([0.1, 0.9]), attrs=PROB, size=(3, 2)),
    draw("_npi_bernoulli", values([0.1, 0.9], "float64"), attrs=LOGIT),
    sample("_npi_bernoulli", values([0, 1, 1], "int32"), attrs=PROB),
    sample("_npi_bernoulli", values([0, 1, 1]), attrs=PROB, numeric=False),
    *(
        draw("_npi_bernoulli", attrs={**PROB, "prob": 0.5}, size=3, dtype=dtype)
        for dtype in (*FLOATS, "bool", "int32", "uint8")
    ),
    sample("_npi_bernoulli", attrs={**PROB, "prob": 0.5}, size=3, dtype="int64", raises=True),
    sample("_npi_bernoulli", attrs={**PROB, "prob": 1.5}, size=3, raises=True),
    sample("_npi_bernoulli", attrs={**PROB, "prob": -0.5}, size=3, raises=True),
    sample("_npi_bernoulli", values([1.5]), attrs=PROB, raises=True),
    sample("_npi_bernoulli", values([0.1, 0.9]), attrs=PROB, size=(3, 3), raises=True),
    sample("_npi_bernoulli", raises=True),
]

MULTINOMIAL = [
    *(
        draw("_npi_multinomial", n=10, pvals=(0.2, 0.8), size=size)
        for size in (None, (), 3, (2, 3), (0,))
    ),
    sample("_npi_multinomial", n=10, pvals=(0, 1, 0)),
    sample("_npi_multinomial", n=10, pvals=(0.0, 0.0)),
    sample("_npi_multinomial", n=0, pvals="(0.1, 0.2)"),
    sample("_npi_multinomial", n=3, pvals=()),
    draw("_npi_multinomial", values([0.2, 0.8]), n=10),
    draw("_npi_multinomial", values([0.2, 0.8], "float64"), n=10, size=(2,)),
    sample("_npi_multinomial", values([0, 1], "int32"), n=10),
    sample("_npi_multinomial", rand(0), n=3, gradient=False),
    sample("_npi_multinomial", n=10, pvals=(0.9, 0.8, 0.1), raises=True),
    sample("_npi_multinomial", values([0.9, 0.8, 0.1]), n=10, raises=True),
    sample("_npi_multinomial", values([[0.2, 0.8]]), n=10, raises=True),
    sample("_npi_multinomial", values([0.2, 0.8]), n=3, pvals=(0.5, 0.5), raises=True),
    sample("_npi_multinomial", pvals=(0.2, 0.8), raises=True),
]

CRASHES = {"oracle": False, "why": "the original writes beyond its memory"}
CHOICE = [
    *(draw("_npi_choice", a=5, size=size) for size in (None, (), 3, (2, 3), 0)),
    sample("_npi_choice", a=1, size=(3,)),
    draw("_npi_choice", values([5, 6, 7]), a=None, size=(2, 2)),
    draw("_npi_choice", ints(3), a=None, size=2),
    sample("_npi_choice", values([0, 1, 0]), a=3, size=4, weighted=True, numeric=False),
    sample(
        "_npi_choice",
        *(values([5, 6, 7]), values([0, 0, 1])),
        a=None,
        size=4,
        weighted=True,
        numeric=False,
    ),
    draw("_npi_choice", a=5, size=5, replace=False, **CRASHES),
    draw("_npi_choice", values([0.1, 0.9]), a=2, size=2, replace=False, weighted=True, **CRASHES),
    sample("_npi_choice", a=5, size=6, replace=False, raises=True, **CRASHES),
    sample("_npi_choice", a=0, size=3, raises=True, **CRASHES),
    sample("_npi_choice", values([0.1, 0.9]), a=3, size=4, weighted=True, raises=True, **CRASHES),
    sample("_npi_choice", a=3, raises=True),
    sample("_npi_choice", size=3, raises=True),
]

ALIASES = [
    draw("_npi_random_randint", low=0, high=5, shape=(2, 3)),
    draw("_npi_random_randint", low=0, high=5, shape=()),
    draw("_npi_random_randint", low=-2, high=5, shape=(0, 2), dtype="int64"),
    sample("_npi_random_randint", low=3, high=4, shape=3),
    sample("_npi_random_randint", low=6, high=5, shape=3, raises=True),
    sample("_npi_random_randint", low=0, high=5, shape=3, dtype="float32", raises=True),
    *(draw("_npi_shuffle", rand(*shape)) for shape in ((4,), (4, 3))),
    sample("_npi_shuffle", rand(1, 2), gradient=False),
    sample("_npi_shuffle", rand(0), gradient=False),
]

SAMPLES = [
    *(row for name in PARAMETERS for row in _two(name)),
    *(row for name in SCALES for row in _one(name)),
    *BERNOULLI,
    *MULTINOMIAL,
    *CHOICE,
    *ALIASES,
]

"""Probability densities."""

from .core import ints, rand, sample

PARAMETERS = {
    "uniform": ((0, 1), (2, 3)),
    "normal": ((-1, 1), (0.5, 2)),
    "gamma": ((0.5, 3), (0.5, 3)),
    "exponential": ((0.5, 3),),
    "poisson": ((0.5, 3),),
    "negative_binomial": ((1, 5), (0.2, 0.8)),
    "generalized_negative_binomial": ((1, 5), (0.2, 0.8)),
}

DISCRETE = ("poisson", "negative_binomial", "generalized_negative_binomial")


def density(name, shape, batch, dtype="float32", **fields):
    """A row for a distribution: `shape` of the sample and `batch` of the parameters."""
    if name in DISCRETE:
        fields.setdefault("numeric", False)
        points = ints(*shape, low=0, high=5, dtype=dtype)
    else:
        points = rand(*shape, low=0.5, high=3, dtype=dtype)
    parameters = [rand(*batch, low=low, high=high, dtype=dtype) for low, high in PARAMETERS[name]]
    if dtype == "float16":
        fields.update(rtol=2e-2, atol=2e-2)
    return sample(f"_random_pdf_{name}", points, *parameters, **fields)


SAMPLES = (
    [
        row
        for name in PARAMETERS
        for row in (
            *[density(name, (2, 3), (2,), is_log=is_log) for is_log in (False, True, "1")],
            density(name, (4,), (4,)),
            density(name, (2, 2, 3), (2,), is_log=True),
            density(name, (2, 2, 3), (2, 2)),
            *[
                density(name, (2, 3), (2,), dtype=t, is_log=g)
                for t in ("float64", "float16")
                for g in (False, True)
            ],
            density(name, (2, 3), (3,), raises=True),
            density(name, (2,), (1,), raises=True),
            density(name, (2,), (2, 2), raises=True),
            sample(
                f"_random_pdf_{name}",
                ints(2, 3),
                *[ints(2, low=1) for _ in PARAMETERS[name]],
                gradient=False,
                raises=True,
            ),
        )
    ]
    + [
        row
        for point, weight in (
            (rand(2, 3, 4, low=0.1, high=1), rand(2, 4, low=0.5, high=3)),
            (rand(2, 3, low=0.1, high=1), rand(2, 3, low=0.5, high=3)),
            (
                rand(3, 3, low=0.1, high=1, dtype="float64"),
                rand(3, 3, low=0.5, high=3, dtype="float64"),
            ),
            (rand(2, 2, 3, 2, low=0.1, high=1), rand(2, 2, 2, low=0.5, high=3)),
        )
        for row in (
            sample("_random_pdf_dirichlet", point, weight),
            sample("_random_pdf_dirichlet", point, weight, is_log=True),
        )
    ]
    + [
        sample("_random_pdf_dirichlet", rand(2, 3, 4), rand(2, 3), raises=True),
        sample("_random_pdf_dirichlet", rand(2, 3, 4), rand(3, 4), raises=True),
    ]
)

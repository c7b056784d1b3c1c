"""Storage types."""

from __future__ import annotations

from .core import rand, sample, values

SAMPLES = [
    *(
        sample("cast_storage", data, stype="default")
        for data in (rand(2, 3), rand(3, 1, 2, dtype="float64"), values([[0, 1], [2, 0]]))
    ),
    *(
        sample("cast_storage", data, stype=stype, gradient=False)
        for stype in ("csr", "row_sparse")
        for data in (values([[0, 1, 0], [0, 0, 0], [2, 0, 3]]), values([[0, 4]], "float64"))
    ),
    sample("cast_storage", rand(2, 2), stype="columns", raises=True),
]

"""Storage types."""

from __future__ import annotations

from .core import ints, rand, sample, values

ROWS_ONLY = "the original takes row_sparse arrays only"
CSR_ONLY = "the original takes csr arrays only; programs/sparse_graphs.py compares those."
MATRIX = [[0, 1, 0], [0, 0, 0], [2, 0, 3]]
PLACES = (values([0, 2, 1, 3, 0, -1]), values([1, 1, 0, 1, 5, 1], "int64"))

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
    *(
        sample("_sparse_retain", data, indices, oracle=False, why=ROWS_ONLY)
        for data, indices in (
            (rand(3, 2), values([2, 0])),
            (rand(4), values([1], "int64")),
            (rand(2, 1, 2, dtype="float64"), ints(0)),
        )
    ),
    *(
        sample(
            "_contrib_getnnz", values(MATRIX), axis=axis, gradient=False, oracle=False, why=CSR_ONLY
        )
        for axis in (None, 1)
    ),
    *(sample("_contrib_getnnz", values(MATRIX), axis=axis, raises=True) for axis in (0, 2, -1)),
    *(
        sample("_contrib_edge_id", data, *PLACES, gradient=False, oracle=False, why=CSR_ONLY)
        for data in (values(MATRIX), values(MATRIX, "float64"), values(MATRIX, "int64"))
    ),
    sample("_contrib_edge_id", values(MATRIX), values([0, 1]), values([0]), raises=True),
    sample("_contrib_edge_id", values(MATRIX), values([[0]]), values([[0]]), raises=True),
]

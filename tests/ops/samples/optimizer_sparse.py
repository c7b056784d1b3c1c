"""Updates for gradients of a few rows."""

from __future__ import annotations

from .core import rand, sample

NO_DENSE = "takes only row_sparse gradients; tests/ndarray/test_sparse_updates.py has those"
ARRAYS = (rand(2, 3), rand(2, 3), rand(2, 3, low=0.5, high=2))

SAMPLES = [
    *(
        sample(
            "_sparse_adagrad_update",
            *ARRAYS,
            lr=0.1,
            gradient=False,
            oracle=False,
            why=NO_DENSE,
            **options,
        )
        for options in ({}, {"rescale_grad": 0.5, "clip_gradient": 0.3, "epsilon": 0.01})
    ),
    sample("_sparse_adagrad_update", *ARRAYS, lr=0.1, wd=0.1, raises=True),
    sample("_sparse_adagrad_update", *ARRAYS, raises=True),
]

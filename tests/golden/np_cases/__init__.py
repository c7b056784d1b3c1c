"""Calls of the functions of `mx.np`, which run under the original and here.

Each module has a list `CASES`, whose results under the original `make_np_functions.py` writes to
`np_functions/<module>.json`. To add a family, add a module and name it in `FAMILIES`.
"""

FAMILIES = (
    "np_arranging",
    "np_elements",
    "np_linalg",
    "np_making",
    "np_picking",
    "np_products",
    "np_reducing",
)
"""The modules."""

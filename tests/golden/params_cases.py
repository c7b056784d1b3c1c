"""What the golden parameter files hold: shared by the script that makes them and the tests.

Needs NumPy only, since the scripts run where the original is and the package is not.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

BFLOAT16 = np.dtype([("bfloat16", np.uint16)])
DTYPES = ("float32", "float64", "float16", "uint8", "int32", "int8", "int64", "bool")


class Spec(NamedTuple):
    """The parts of one array, in the order of `ArrayRecord`."""

    data: np.ndarray
    storage: str
    shape: tuple[int, ...]
    aux: tuple[np.ndarray, ...] = ()
    context: tuple[int, int] = (1, 0)


class Case(NamedTuple):
    """One file.

    Args:
        specs: The arrays.
        names: Their names, none for a list.
        np_shape: Whether it is written with NumPy shapes switched on.
        readable: Whether the original can read what it writes.
    """

    specs: tuple[Spec, ...]
    names: tuple[str, ...] = ()
    np_shape: bool = False
    readable: bool = True


def dense(data: np.ndarray, context: tuple[int, int] = (1, 0)) -> Spec:
    """Makes an ordinary array."""
    return Spec(data, "default", data.shape, (), context)


def values(dtype: str) -> np.ndarray:
    """Makes six elements among which are the extreme ones of the type."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.array([[True, False, True], [False, False, True]])
    if kind == "f":
        info = np.finfo(dtype)
        return np.array([[0.0, -0.0, np.inf], [np.nan, info.max, -info.tiny]], dtype)
    limits = np.iinfo(dtype)
    return np.array([[0, 1, 2], [100, limits.min, limits.max]], dtype)


def row_sparse(dtype: str, rows: list[int], shape: tuple[int, ...]) -> Spec:
    """Makes an array of which some rows are stored."""
    data = np.arange(len(rows) * int(np.prod(shape[1:])), dtype=dtype)
    indices = np.array(rows, "int64")
    return Spec(data.reshape(len(rows), *shape[1:]), "row_sparse", shape, (indices,))


def csr(dtype: str, indptr: list[int], indices: list[int], num_columns: int) -> Spec:
    """Makes a matrix of which some elements are stored."""
    data = np.arange(1, len(indices) + 1, dtype=dtype)
    aux = (np.array(indptr, "int64"), np.array(indices, "int64"))
    return Spec(data, "csr", (len(indptr) - 1, num_columns), aux)


def _counted(*shape: int, dtype: str = "float32") -> np.ndarray:
    return np.arange(int(np.prod(shape)), dtype=dtype).reshape(shape)


CASES: dict[str, Case] = {
    **{dtype: Case((dense(values(dtype)),)) for dtype in DTYPES},
    "bfloat16": Case((dense(np.array([0x3F80, 0x4020, 0xC040], "uint16").view(BFLOAT16)),)),
    "list": Case(
        (
            dense(_counted(3)),
            dense(_counted(2, 1, 3, dtype="uint8")),
            dense(_counted(1, 2, 1, 2, 1, 2, dtype="float16")),
            dense(_counted(1, dtype="int64")),
        )
    ),
    "dict": Case(
        tuple(dense(_counted(size)) for size in (1, 2, 3, 4)),
        ("arg:fc1_weight", "aux:bn0_moving_mean", "größe.層/重み 🎈", ""),
    ),
    "empty": Case(()),
    "zero_size": Case((dense(np.zeros((0,), "float32")),)),
    "scalar": Case((dense(np.array(3.5, "float32")), dense(_counted(2))), readable=False),
    "sparse": Case(
        (
            row_sparse("float32", [1, 4], (6, 3)),
            row_sparse("float64", [0, 2, 3], (4, 2, 2)),
            row_sparse("float32", [], (6, 3)),
            csr("float32", [0, 1, 1, 3], [1, 0, 2], 3),
            csr("float64", [0, 2], [0, 3], 5),
            csr("float16", [0, 0, 0], [], 2),
            dense(_counted(2)),
        ),
        ("rows", "rows64", "no_rows", "matrix", "matrix64", "no_elements", "dense"),
    ),
    "contexts": Case(tuple(dense(_counted(2), context) for context in ((1, 3), (3, 0), (5, 0)))),
    "np_shape": Case(
        (
            dense(np.array(3.5, "float32")),
            dense(np.zeros((2, 0, 3), "float32")),
            dense(np.array([True, False])),
        ),
        ("scalar", "nothing", "flags"),
        np_shape=True,
    ),
    "np_shape_list": Case((dense(np.array(7, "int64")), dense(_counted(2, 2))), np_shape=True),
}

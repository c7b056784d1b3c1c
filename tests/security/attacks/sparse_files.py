"""Hostile csr and row_sparse arrays in `.params` files: shapes, pointers and indices that lie."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

import mxnet as mx
from tests.security.attack import Attacks

TABLE = Attacks()

HEADER = struct.pack("<QQQ", 0x112, 0, 1)
ROW_SPARSE, CSR = 1, 2
FLOAT32, INT64, UINT8 = 0, 6, 3
HUGE = 10**15


def shape_bytes(shape: tuple[int, ...]) -> bytes:
    return struct.pack(f"<i{len(shape)}q", len(shape), *shape)


def sparse(
    storage: int,
    shape: tuple[int, ...],
    data: np.ndarray,
    *aux: np.ndarray,
    data_shape: tuple[int, ...] | None = None,
    code: int = FLOAT32,
    aux_code: int = INT64,
    aux_shapes: tuple[tuple[int, ...], ...] | None = None,
) -> bytes:
    """Returns a file with one sparse array, whatever its parts say."""
    content = HEADER + struct.pack("<Ii", 0xF993FAC9, storage)
    content += shape_bytes(data.shape if data_shape is None else data_shape) + shape_bytes(shape)
    content += struct.pack("<iii", 1, 0, code)
    for lengths in aux_shapes or [part.shape for part in aux]:
        content += struct.pack("<i", aux_code) + shape_bytes(lengths)
    content += data.tobytes() + b"".join(part.tobytes() for part in aux)
    return content + struct.pack("<Q", 0)


def ints(*values: int) -> np.ndarray:
    return np.array(values, np.int64)


ONE = np.ones(1, np.float32)
ROW = np.ones((1, 2), np.float32)
NONE = np.ones(0, np.float32)

LOADED = [
    ("csr_column_outside", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(4))),
    ("csr_negative_column", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(-1))),
    ("csr_column_of_min_int", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(-(2**63)))),
    ("csr_falling_pointers", sparse(CSR, (2, 4), ONE, ints(0, 5, 1), ints(0))),
    ("csr_pointers_beyond_elements", sparse(CSR, (1, 4), ONE, ints(0, 2**40), ints(0))),
    ("csr_negative_pointer", sparse(CSR, (2, 4), ONE, ints(0, -(2**62), 1), ints(0))),
    ("csr_too_few_pointers", sparse(CSR, (HUGE, 4), ONE, ints(0, 1), ints(0))),
    ("csr_never_filled_of_terabytes", sparse(CSR, (HUGE, 4), NONE, ints(), ints())),
    ("csr_never_filled_that_overflows", sparse(CSR, (2**63 - 1, 4), NONE, ints(), ints())),
    ("csr_of_three_axes", sparse(CSR, (1, 4, 4), ONE, ints(0, 1), ints(0))),
    ("csr_without_axes", sparse(CSR, (), ONE, ints(0, 1), ints(0))),
    ("csr_negative_shape", sparse(CSR, (-1, 4), ONE, ints(0, 1), ints(0))),
    ("csr_fewer_columns_than_elements", sparse(CSR, (1, 4), ONE, ints(0, 1), ints())),
    ("csr_data_of_terabytes", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0), data_shape=(2**40,))),
    (
        "csr_data_that_overflows",
        sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0), data_shape=(2**62, 8)),
    ),
    ("csr_float_indices", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0), aux_code=FLOAT32)),
    ("csr_unknown_index_type", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0), aux_code=77)),
    (
        "csr_index_shapes_of_terabytes",
        sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0), aux_shapes=((2**50,), (1,))),
    ),
    ("csr_cut_off", sparse(CSR, (1, 4), ONE, ints(0, 1), ints(0))[:-20]),
    ("rows_outside", sparse(ROW_SPARSE, (4, 2), ROW, ints(4))),
    ("rows_negative", sparse(ROW_SPARSE, (4, 2), ROW, ints(-1))),
    ("rows_of_another_width", sparse(ROW_SPARSE, (4, 3), ROW, ints(0))),
    ("rows_without_axes", sparse(ROW_SPARSE, (), ROW, ints(0))),
    ("rows_fewer_indices", sparse(ROW_SPARSE, (4, 2), ROW, ints())),
    ("rows_without_data", sparse(ROW_SPARSE, (4, 2), ROW, ints(0), data_shape=())),
    ("rows_unknown_type", sparse(ROW_SPARSE, (4, 2), ROW, ints(0), code=99)),
]


def load(folder: Path, content: object) -> None:
    path = folder / "net.params"
    path.write_bytes(content)
    mx.nd.load(str(path))


TABLE.add_each("load", LOADED, load)

LARGE_CSR = sparse(CSR, (1, HUGE), ONE, ints(0, 1), ints(7))
LARGE_ROWS = sparse(ROW_SPARSE, (HUGE, 2), ROW, ints(7))
SQUARE = sparse(CSR, (142857, 142857), NONE, ints(*[0] * 142858), ints())


def first(content: bytes) -> mx.nd.NDArray:
    """Returns the array of a file that is well formed, only large."""
    return mx.nd.load_frombuffer(content)[0]


USED = [
    ("square_to_default", "csr", lambda: first(SQUARE).tostype("default")),
    ("csr_to_default", "csr", lambda: first(LARGE_CSR).tostype("default")),
    ("csr_to_numpy", "csr", lambda: first(LARGE_CSR).asnumpy()),
    ("csr_in_operator", "csr", lambda: mx.nd.exp(first(LARGE_CSR))),
    ("csr_cast_storage", "csr", lambda: mx.nd.cast_storage(first(LARGE_CSR), "default")),
    ("csr_printed", "", lambda: str(first(LARGE_CSR))),
    ("csr_plus_one", "csr", lambda: first(LARGE_CSR) + 1),
    (
        "csr_dot_itself",
        "csr",
        lambda: mx.nd.dot(first(LARGE_CSR), first(LARGE_CSR), transpose_b=True),
    ),
    ("rows_to_default", "row_sparse", lambda: first(LARGE_ROWS).tostype("default")),
    ("rows_to_numpy", "row_sparse", lambda: first(LARGE_ROWS).asnumpy()),
    ("rows_sum", "row_sparse", lambda: mx.nd.sum(first(LARGE_ROWS))),
    ("rows_filled", "row_sparse", lambda: first(LARGE_ROWS).__setitem__(slice(None), 1)),
    ("rows_gradient", "row_sparse", lambda: first(LARGE_ROWS).attach_grad(stype="default")),
    ("rows_in_parameter", "", lambda: set_parameter(first(LARGE_ROWS))),
]


def set_parameter(array: mx.nd.NDArray) -> None:
    parameter = mx.gluon.Parameter("weight", shape=array.shape)
    parameter._load_init(array, mx.cpu())


for _label, _names, _call in USED:
    TABLE.add_each(
        "use", [(_label, _call)], lambda _folder, run: run(), names=_names, harmless=not _names
    )

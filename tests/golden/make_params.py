"""Writes the golden parameter files with the original MXNet 1.9.1.

Run by the interpreter of the environment that has the original:

    python tests/golden/make_params.py

Writes `tests/golden/params/<case>.params` for each case of `params_cases.py`, and
`tests/golden/params/pickled_<name>.bin`, the state that the original pickles of an array.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from params_cases import CASES, Case, Spec  # noqa: E402

import mxnet as mx  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "params"
DEVICES = {1: "cpu", 3: "cpu_pinned", 5: "cpu_shared"}


def make_array(spec: Spec, *, np_shape: bool):
    """Makes the original's array from its parts."""
    if spec.storage == "row_sparse":
        parts = (spec.data, spec.aux[0])
        return mx.nd.sparse.row_sparse_array(parts, shape=spec.shape, dtype=spec.data.dtype)
    if spec.storage == "csr":
        parts = (spec.data, spec.aux[1], spec.aux[0])
        return mx.nd.sparse.csr_matrix(parts, shape=spec.shape, dtype=spec.data.dtype)
    if np_shape:
        return mx.np.array(spec.data, dtype=spec.data.dtype)
    ctx = mx.Context(DEVICES[spec.context[0]], spec.context[1])
    if spec.data.dtype.names:
        # The original makes bfloat16 by casting only.
        bits = spec.data.view("uint16").astype("uint32") << 16
        return mx.nd.array(bits.view("float32")).astype(spec.data.dtype)
    return mx.nd.array(spec.data, dtype=spec.data.dtype, ctx=ctx)


def save(path: Path, case: Case) -> None:
    """Writes one file."""
    mx.npx.set_np(shape=case.np_shape, array=case.np_shape)
    arrays = [make_array(spec, np_shape=case.np_shape) for spec in case.specs]
    content = dict(zip(case.names, arrays)) if case.names else arrays  # noqa: B905
    (mx.npx.save if case.np_shape else mx.nd.save)(str(path), content)
    mx.npx.reset_np()


def main() -> None:
    """Writes all files."""
    FOLDER.mkdir(exist_ok=True)
    for name, case in CASES.items():
        save(FOLDER / f"{name}.params", case)
    for name in ("float32", "sparse"):
        array = make_array(CASES[name].specs[0], np_shape=False)
        (FOLDER / f"pickled_{name}.bin").write_bytes(bytes(array.__getstate__()["handle"]))


if __name__ == "__main__":
    main()

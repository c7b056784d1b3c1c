"""Checks that the original MXNet 1.9.1 reads parameter files that our writer made.

Run by the interpreter of the environment that has the original:

    python tests/golden/read_params_with_original.py FOLDER

The folder holds `<case>.params` for each case of `params_cases.py` that the original can read;
`tests/formats/test_params_file.py` fills one and runs this when `ORIGINAL_PYTHON` names the
interpreter.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from params_cases import CASES, Case, Spec  # noqa: E402

import mxnet as mx  # noqa: E402


def check_array(array, spec: Spec) -> None:
    """Compares one array bit for bit."""
    assert array.stype == spec.storage, array.stype
    assert array.shape == spec.shape, array.shape
    assert np.dtype(array.dtype) == spec.data.dtype, array.dtype
    parts = [(array, spec.data)]
    if spec.storage == "row_sparse":
        parts = [(array.data, spec.data), (array.indices, spec.aux[0])]
    elif spec.storage == "csr":
        parts = [(array.data, spec.data), (array.indptr, spec.aux[0])]
        parts.append((array.indices, spec.aux[1]))
    for found, expected in parts:
        assert found.asnumpy().tobytes() == expected.tobytes(), (found, expected)


def check_file(path: Path, case: Case) -> None:
    """Compares one file with what it must hold."""
    mx.npx.set_np(shape=case.np_shape, array=case.np_shape)
    loaded = (mx.npx.load if case.np_shape else mx.nd.load)(str(path))
    names = tuple(loaded) if isinstance(loaded, dict) else ()
    arrays = list(loaded.values()) if isinstance(loaded, dict) else loaded
    assert names == case.names, names
    assert len(arrays) == len(case.specs), len(arrays)
    for array, spec in zip(arrays, case.specs):  # noqa: B905
        check_array(array, spec)
    mx.npx.reset_np()


def main() -> None:
    """Checks all files of the folder that the command line names."""
    folder = Path(sys.argv[1])
    readable = {name: case for name, case in CASES.items() if case.readable}
    for name, case in readable.items():
        check_file(folder / f"{name}.params", case)
    print(f"OK, {len(readable)} files")


if __name__ == "__main__":
    main()

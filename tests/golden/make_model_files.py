"""Saves whole models with `Block.save`.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_model_files.py [FOLDER]

Writes `*-model.json`, `*-model.params` and `outputs.npz`, with what the networks compute, to
`tests/golden/models`. Run by ours with another folder, it writes what
`read_model_files_with_original.py` reads.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from model_file_cases import write  # noqa: E402


def main(folder: Path) -> None:
    """Writes all files."""
    folder.mkdir(exist_ok=True)
    np.savez(folder / "outputs.npz", **write(folder))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "models")

"""Describes and runs the networks of the model zoo under the original MXNet 1.9.1.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_zoo.py

Writes to `tests/golden/zoo/`: `structure.json.xz`, what `zoo_cases.describe` gives for every
network, and `outputs.json`, scores of every network whose parameters follow from their names.
"""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

from zoo_cases import NAMES, VARIANTS, describe, outputs_of  # noqa: E402

OUT = Path(__file__).resolve().parent / "zoo"


def main() -> None:
    """Writes both files."""
    OUT.mkdir(exist_ok=True)
    structure = {name: describe(name) for name in NAMES}
    for key, (name, options) in VARIANTS.items():
        structure[key] = describe(name, **options)
    text = json.dumps(structure, separators=(",", ":"), sort_keys=True)
    (OUT / "structure.json.xz").write_bytes(lzma.compress(text.encode(), preset=9))
    outputs = {name: outputs_of(name) for name in NAMES}
    rows = [f" {json.dumps(name)}: {json.dumps(row)}" for name, row in outputs.items()]
    (OUT / "outputs.json").write_text("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    main()

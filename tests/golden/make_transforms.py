"""Runs the table of image transforms under the original MXNet 1.9.1 and stores what it gives.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_transforms.py

Writes `tests/golden/transforms.npz` (results) and `transforms.json` (texts).
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from transform_cases import CASES, GRAPHS, PRINTED, apply, graph, images, make  # noqa: E402

import mxnet as mx  # noqa: E402


def main() -> None:
    """Writes both files."""
    warnings.simplefilter("ignore")
    transforms = mx.gluon.data.vision.transforms
    given = {name: mx.nd.array(image, dtype=image.dtype) for name, image in images().items()}
    results = {str(case): apply(case, transforms, given[case.image]) for case in CASES}
    texts = {
        "printed": {line: repr(make(line, transforms)) for line in PRINTED},
        "graphs": {line: graph(line, mx) for line in GRAPHS},
    }
    np.savez_compressed(HERE / "transforms.npz", **results)
    (HERE / "transforms.json").write_text(json.dumps(texts, indent=0, sort_keys=True) + "\n")
    print(f"{len(results)} results, {(HERE / 'transforms.npz').stat().st_size} bytes")


if __name__ == "__main__":
    main()

"""Writes what mixed precision does to graphs and scales, and the lists of its functions.

By the interpreter of the environment that has the original:

    python tests/golden/make_amp.py tests/golden/amp.json
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

import mxnet as mx
from mxnet.contrib import amp

sys.path.insert(0, str(Path(__file__).resolve().parent))

from amp_cases import CONVERSIONS, GRAPHS, convert, nodes_after_init, scales, trained
from writing import write_json

DTYPES = {"float16": "float16", "bfloat16": amp.amp.bfloat16}
LISTS = [name for name in amp.amp.__all__ if name.startswith("list_")]


def _before_init() -> dict:
    return {
        "lists": {
            name: {text: getattr(amp, name)(dtype) for text, dtype in DTYPES.items()}
            for name in LISTS
        },
        "converted": {
            f"{graph}/{conversion}/{dtype}": convert(mx, amp, graph, conversion, dtype)
            for graph in GRAPHS
            for conversion in CONVERSIONS
            for dtype in DTYPES
        },
        "scales": scales(mx, amp),
    }


def _after_init(dtype: str) -> dict:
    amp.init(dtype)
    # The block of the graphs fails later on, as the original has no float16 products on a CPU.
    return {"trained": trained(mx, amp), "nodes": nodes_after_init(mx)}


def main(path: str) -> None:
    """Writes everything to one file; each dtype needs a process of its own."""
    found = _before_init()
    for dtype in DTYPES:
        command = [sys.executable, __file__, "--init", dtype]
        text = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
        found[dtype] = json.loads(text)
    write_json(path, found)


if __name__ == "__main__":
    if sys.argv[1] == "--init":
        print(json.dumps(_after_init(sys.argv[2])))
    else:
        main(sys.argv[1])

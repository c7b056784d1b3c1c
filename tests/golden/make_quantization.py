"""Quantizes networks with the original MXNet 1.9.1 and stores graphs, files and results.

Run by the interpreter of the environment that has the original and SciPy:

    python tests/golden/make_quantization.py

Writes `quantization/results.npz` with what the networks of `quantization_cases.py` compute on
floats and on integers, `quantization/graphs.json.xz` with their graphs, and the files of one.
"""

from __future__ import annotations

import json
import lzma
import warnings
from pathlib import Path

import numpy as np
from quantization_cases import CASES, DATA, build, quantize

import mxnet as mx

FOLDER = Path(__file__).resolve().parent / "quantization"


def main() -> None:
    """Writes the golden files."""
    warnings.simplefilter("ignore")
    FOLDER.mkdir(exist_ok=True)
    results, graphs = {}, {}
    data = mx.nd.array(DATA)
    for name, (network, option) in CASES.items():
        results[network] = build(network)(data).asnumpy()
        net = quantize(network, option)
        net.hybridize()
        results[name] = net(data).asnumpy()
        net.export(str(FOLDER / "net"))
        graphs[name] = json.loads((FOLDER / "net-symbol.json").read_text())["nodes"]
    quantized = quantize("residual", "entropy")
    quantized.hybridize()
    quantized(data)
    quantized.export(str(FOLDER / "residual"))
    for path in FOLDER.glob("net-*"):
        path.unlink()
    np.savez_compressed(FOLDER / "results.npz", **results)
    text = json.dumps(graphs, sort_keys=True).encode()
    (FOLDER / "graphs.json.xz").write_bytes(lzma.compress(text, preset=9))


if __name__ == "__main__":
    main()

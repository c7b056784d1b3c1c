"""Runs `mxnet2_cases.py` and `mxnet2_pipelines.py` under MXNet 2 and writes what they give.

Run by the interpreter of an environment that has `mxnet==2.0.0b1` (with NumPy before 1.24). Writes
`mxnet2_programs.npz` and `mxnet2_pipelines.npz`, and to `mxnet2/` the parameters and the exported
graph of each program.

    oracle2/bin/python tests/golden/record_mxnet2.py
    oracle2/bin/python tests/golden/record_mxnet2.py --check FOLDER

The second form loads what this package has written to a folder, by `tests/gluon/mxnet2_files.py`,
and compares what it computes there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as onp
from mxnet2_cases import PROGRAMS, build, file_name, input_names, run
from mxnet2_pipelines import PIPELINES

import mxnet as mx
from mxnet import gluon

HERE = Path(__file__).resolve().parent


def write() -> None:
    """Writes results and files."""
    results = {}
    for name, program in PROGRAMS.items():
        results.update({f"{name}/{key}": value for key, value in run(program)})
        net, arguments = build(program)
        start = str(HERE / "mxnet2" / file_name(name))
        net.save_parameters(f"{start}.params")
        net.hybridize()
        net(*arguments)
        net.export(start)
    onp.savez_compressed(HERE / "mxnet2_programs.npz", **results)
    print(f"{len(PROGRAMS)} programs, {len(results)} arrays")
    found = {
        f"{name}/{key}": value
        for name, pipeline in PIPELINES.items()
        for key, value in pipeline(False)
    }
    onp.savez_compressed(HERE / "mxnet2_pipelines.npz", **found)
    print(f"{len(PIPELINES)} pipelines, {len(found)} arrays")


def check(folder: Path) -> None:
    """Compares networks from files that this package has written with what they gave here."""
    expected = onp.load(HERE / "mxnet2_programs.npz")
    for name, program in PROGRAMS.items():
        net, arguments = build(program)
        start = str(folder / file_name(name))
        net.initialize(mx.init.Zero(), force_reinit=True)
        net.load_parameters(f"{start}.params", device=mx.cpu())
        graph = gluon.SymbolBlock.imports(
            f"{start}-symbol.json", input_names(program), f"{start}-0000.params", device=mx.cpu()
        )
        for way, block in (("parameters", net), ("graph", graph)):
            found = block(*arguments).asnumpy()
            error = abs(found - expected[f"{name}/before"]).max()
            print(f"{name}, {way}: {'equal' if error < 1e-5 else 'DIFFERS'} ({error:.1e})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    write() if options.check is None else check(options.check)

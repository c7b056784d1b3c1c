"""Passes every network of the model zoo to and fro between this package and the original.

    ORIGINAL_PYTHON=path/to/python PYTHONPATH=src python tests/golden/exchange_zoo.py [NAME ...]

For each network, in a folder that is removed afterwards: the original saves random parameters,
exports the network and notes its scores for a random image; this package loads both forms, compares
scores, and exports the network itself; the original runs that export and compares once more.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np

if np.lib.NumpyVersion(np.__version__) < "1.24.0":
    np.bool = bool  # the original predates NumPy 1.24

sys.path.insert(0, str(Path(__file__).resolve().parent))

from zoo_cases import NAMES, image, make

import mxnet as mx
from mxnet import gluon

TOLERANCE = 1e-3


def largest_difference(scores, folder):
    """Compares scores with those of the original, relative to the largest of these."""
    expected = np.load(folder / "scores.npy")
    return float(np.abs(scores.asnumpy() - expected).max() / np.abs(expected).max())


def run_export(name, folder, prefix):
    """Runs an exported network."""
    files = (str(folder / f"{prefix}-symbol.json"), str(folder / f"{prefix}-0000.params"))
    return gluon.SymbolBlock.imports(files[0], ["data"], files[1])(image(name, seed=1))


def export(net, name, folder, prefix):
    """Runs a network and exports it."""
    net.hybridize()
    scores = net(image(name, seed=1))
    net.export(str(folder / prefix))
    return scores


def write(name, folder):
    """The original's first part."""
    mx.random.seed(len(name))
    net = make(name)
    net.initialize(mx.init.Xavier())
    net(image(name))
    for parameter in net.collect_params(".*gamma|.*beta|.*running").values():
        noise = mx.nd.random.uniform(0, 0.2, shape=parameter.shape)
        parameter.set_data(parameter.data() + noise)
    scores = export(net, name, folder, "theirs")
    net.save_parameters(str(folder / "theirs.params"))
    np.save(folder / "scores.npy", scores.asnumpy())


def answer(name, folder):
    """This package's part."""
    net = make(name)
    net.load_parameters(str(folder / "theirs.params"))
    by_parameters = largest_difference(export(net, name, folder, "ours"), folder)
    by_export = largest_difference(run_export(name, folder, "theirs"), folder)
    return by_parameters, by_export


def check(name, folder):
    """The original's second part."""
    return (largest_difference(run_export(name, folder, "ours"), folder),)


def run(python, step, name, folder):
    """Runs a step by an interpreter and gives the differences that it prints."""
    command = [python, __file__, "--step", step, name, str(folder)]
    theirs = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    variables = os.environ if python == sys.executable else theirs
    done = subprocess.run(command, capture_output=True, text=True, env=variables)
    if done.returncode:
        raise SystemExit(f"{name}, {step}: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def exchange(names):
    """Does it all and tells the differences."""
    original, failures = os.environ["ORIGINAL_PYTHON"], 0
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            run(original, "write", name, folder)
            differences = run(sys.executable, "answer", name, folder)
            differences += run(original, "check", name, folder)
        failures += max(differences) > TOLERANCE
        columns = zip(("parameters", "export", "export back"), differences, strict=True)
        print(name, *(f"{label} {value:.1e}" for label, value in columns), sep=", ", flush=True)
    return failures


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    if sys.argv[1:2] == ["--step"]:
        step, name, folder = sys.argv[2:]
        results = {"write": write, "answer": answer, "check": check}[step](name, Path(folder))
        print(*(results or ()))
    else:
        raise SystemExit(exchange(sys.argv[1:] or NAMES))

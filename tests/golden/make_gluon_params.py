"""Saves networks under the original MXNet 1.9.1, with names as every version wrote them.

Run by the interpreter of the environment that has the original (see CONTRIBUTING.md):

    python tests/golden/make_gluon_params.py

Writes `tests/golden/gluon/*.params`, `outputs.npz` with what the networks compute, and
`facts.json` with names and printed forms.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

import numpy as np

np.bool = bool  # the original predates NumPy 1.24

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from gluon.networks import DATA, Branches, make_tied, set_values  # noqa: E402

import mxnet as mx  # noqa: E402
from mxnet.gluon import nn  # noqa: E402


def summarize(net: nn.Block, *inputs: mx.nd.NDArray) -> str:
    """Returns the text of a summary."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        net.summary(*inputs)
    return text.getvalue()


def make_plain() -> nn.HybridSequential:
    """Makes a network without activations, which the original counts twice."""
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(2, 3), nn.BatchNorm(), nn.MaxPool2D(), nn.Flatten(), nn.Dense(3))
    net.initialize()
    return net


def main() -> None:
    """Writes all files."""
    folder = HERE / "gluon"
    folder.mkdir(exist_ok=True)
    net = Branches(prefix="net_")
    net.initialize()
    net(DATA)
    set_values(net)
    tied = make_tied(prefix="tied_")
    tied.initialize()
    set_values(tied)
    outputs = {"net": net(DATA).asnumpy(), "tied": tied(DATA).asnumpy()}
    np.savez_compressed(folder / "outputs.npz", **outputs)
    image = mx.nd.ones((2, 3, 6, 6))
    facts = {
        "names": list(net.collect_params()),
        "paths": list(net._collect_params_with_prefix()),
        "repr": repr(net),
        "params": repr(net.collect_params()),
        "summary": summarize(make_plain(), image),
        "tied summary": summarize(tied, DATA),
    }
    (folder / "facts.json").write_text(json.dumps(facts, indent=1) + "\n")
    net.save_parameters(str(folder / "paths.params"))
    net.save_params(str(folder / "stripped.params"))
    net.collect_params().save(str(folder / "full.params"))
    tied.save_parameters(str(folder / "tied.params"))
    tied.save_parameters(str(folder / "once.params"), deduplicate=True)
    net.hybridize()
    net(DATA)
    net.export(str(folder / "exported"))
    (folder / "exported-symbol.json").unlink()


if __name__ == "__main__":
    main()

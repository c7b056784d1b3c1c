"""Trains a symbolic network on the digits with `Module.fit`, saves it, and goes on from there.

    python examples/module_digits.py [--epochs 8] [--output FOLDER]

Half of the epochs are trained first. Then a new module takes symbol, parameters and states of the
optimizer from the files of the checkpoint and trains the rest.
"""

from __future__ import annotations

import argparse
import logging
import tempfile
from pathlib import Path

import digits
import numpy as np

import mxnet as mx

BATCH = 50
OPTIMIZER = {"learning_rate": 0.03, "momentum": 0.9, "wd": 1e-4}


def network() -> mx.sym.Symbol:
    """Two convolutions with batch normalization, and two dense layers."""
    net = mx.sym.var("data")
    for number, filters in enumerate((8, 16), start=1):
        net = mx.sym.Convolution(net, kernel=(5, 5), num_filter=filters, name=f"conv{number}")
        net = mx.sym.BatchNorm(net, fix_gamma=False, name=f"bn{number}")
        net = mx.sym.Activation(net, act_type="relu", name=f"relu{number}")
        net = mx.sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2))
    net = mx.sym.FullyConnected(mx.sym.flatten(net), num_hidden=64, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu3")
    net = mx.sym.FullyConnected(net, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def iterators() -> tuple[mx.io.NDArrayIter, mx.io.NDArrayIter]:
    """Iterators over the digits to train on and those to test on."""
    train = mx.io.NDArrayIter(*digits.load("train"), batch_size=BATCH, shuffle=True)
    return train, mx.io.NDArrayIter(*digits.load("t10k"), batch_size=BATCH)


def main(epochs: int, folder: Path) -> None:
    """Trains, saves, goes on, and prints the accuracy."""
    logging.basicConfig(level=logging.INFO, format="%(message)s")
    mx.random.seed(1)
    np.random.seed(1)
    train, test = iterators()
    prefix, half = str(folder / "digits"), epochs // 2
    first = mx.mod.Module(network())
    first.fit(
        train,
        eval_data=test,
        optimizer="sgd",
        optimizer_params=OPTIMIZER,
        initializer=mx.init.Xavier(),
        batch_end_callback=mx.callback.Speedometer(BATCH, frequent=50),
        epoch_end_callback=mx.callback.module_checkpoint(
            first, prefix, period=half, save_optimizer_states=True
        ),
        num_epoch=half,
    )
    again = mx.mod.Module.load(prefix, half, load_optimizer_states=True)
    again.fit(
        train,
        eval_data=test,
        optimizer="sgd",
        optimizer_params={**OPTIMIZER, "learning_rate": 0.003},
        batch_end_callback=mx.callback.Speedometer(BATCH, frequent=50),
        begin_epoch=half,
        num_epoch=epochs,
    )
    again.save_checkpoint(prefix, epochs)
    before, after = (dict(m.score(test, "acc"))["accuracy"] for m in (first, again))
    print(f"accuracy after {half} epochs: {before:.2%}")
    print(f"accuracy after {epochs} epochs: {after:.2%}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--output", type=Path, default=Path(tempfile.gettempdir()))
    arguments = parser.parse_args()
    main(arguments.epochs, arguments.output)

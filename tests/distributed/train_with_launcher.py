"""A training as programs for the original write it: who starts it decides how many take part.

    python train_with_launcher.py FOLDER [KVSTORE]

Each process writes the parameters of a `Module` and of a block that it has trained.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import mxnet as mx
from mxnet import gluon

BATCH_SIZE = 8


def main(folder: Path, kvstore: str) -> None:
    """Trains a `Module` by name of the store, and a block by the store itself."""
    store = mx.kv.create(kvstore)
    random = np.random.RandomState(3)
    features = random.uniform(-1, 1, (32, 5)).astype("float32")
    labels = (features.sum(axis=1) > 0).astype("float32")
    count = BATCH_SIZE // store.num_workers
    own = np.arange(32) // count % store.num_workers == store.rank  # its part of every batch
    data = mx.io.NDArrayIter(features[own], labels[own], batch_size=count)

    mx.random.seed(store.rank)
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(symbol, name="softmax"))
    weights = random.uniform(-1, 1, (2, 5))
    first = {"fc_weight": mx.nd.array(weights), "fc_bias": mx.nd.zeros(2)}
    options = {"learning_rate": 0.5, "momentum": 0.9}
    module.fit(data, num_epoch=2, kvstore=kvstore, arg_params=first, optimizer_params=options)
    found, _ = module.get_params()

    net = gluon.nn.Dense(2, in_units=5, weight_initializer=mx.init.Constant(0.1))
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1}, kvstore=store)
    loss_function = gluon.loss.SoftmaxCrossEntropyLoss()
    data.reset()
    for batch in data:
        with mx.autograd.record():
            loss = loss_function(net(batch.data[0]), batch.label[0])
        loss.backward()
        trainer.step(BATCH_SIZE)
    arrays = [found["fc_weight"], found["fc_bias"], net.weight.data(), net.bias.data()]
    np.savez(folder / f"{store.rank}.npz", *[array.asnumpy() for array in arrays])


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2] if len(sys.argv) > 2 else "dist_sync")

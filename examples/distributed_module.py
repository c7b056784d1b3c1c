"""Trains a symbolic network on the digits with `Module.fit` in several processes.

    torchrun --nproc-per-node 2 examples/distributed_module.py
    python -m mxnet.tools.launch -n 2 python examples/distributed_module.py

Every process reads its part of the digits. Runs as well under the original MXNet and its launcher,
and, here, without any launcher as one process.
"""

from __future__ import annotations

import argparse
import logging

import digits
import numpy as np

import mxnet as mx


def network() -> mx.sym.Symbol:
    """A convolution and two dense layers."""
    net = mx.sym.var("data")
    net = mx.sym.Convolution(net, kernel=(5, 5), stride=(2, 2), num_filter=8, name="conv1")
    net = mx.sym.Activation(net, act_type="relu", name="relu1")
    net = mx.sym.FullyConnected(mx.sym.flatten(net), num_hidden=64, name="fc1")
    net = mx.sym.Activation(net, act_type="relu", name="relu2")
    net = mx.sym.FullyConnected(net, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def main() -> None:
    """Trains, and measures in every process."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kv-store", default="dist_sync")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=50, help="of all processes together")
    options = parser.parse_args()

    store = mx.kv.create(options.kv_store)
    rank, count = store.rank, store.num_workers
    gpus = mx.context.num_gpus()
    ctx = mx.gpu(rank % gpus) if gpus else mx.cpu()
    logging.basicConfig(level=logging.INFO if rank == 0 else logging.WARNING, format="%(message)s")
    mx.random.seed(1)  # the first values of parameters, the same in all processes
    np.random.seed(rank)

    images, labels = (array.asnumpy() for array in digits.load("train"))
    length = len(images) // count
    mine = slice(rank * length, (rank + 1) * length)
    batch = options.batch_size // count
    train = mx.io.NDArrayIter(images[mine], labels[mine], batch, shuffle=True)
    test = mx.io.NDArrayIter(*digits.load("t10k"), batch_size=batch)
    print(f"rank {rank} of {count}: {length} digits", flush=True)

    module = mx.mod.Module(network(), context=ctx)
    module.fit(
        train,
        eval_data=test,
        kvstore=store,
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-4},
        initializer=mx.init.Xavier(),
        batch_end_callback=mx.callback.Speedometer(batch, frequent=50),
        num_epoch=options.epochs,
    )
    accuracy = dict(module.score(test, "acc"))["accuracy"]
    print(f"rank {rank}: accuracy on the test digits: {accuracy:.2%}", flush=True)


if __name__ == "__main__":
    main()

"""What two workers do with a store of the type `dist_sync`, for this package and for the original.

Each case is a function of the package, of a store and of the rank of the process. It returns arrays
that the process has pulled. The original's servers keep optimizer and compression for all stores of
a job, so that `make_distributed_store.py` starts a job for each case.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

RESULTS = Path(__file__).resolve().parent / "distributed_store.npz"
NUM_WORKERS = 2
_GRADIENT = [0.3, 0.6, -0.8, 1.7]


def _rounds(store, key, values, out):
    """Pushes values one after the other, and returns what is pulled after each.

    The original writes what it pulls also to the array that was pushed before, hence the copies.
    """
    pulled = []
    for value in values:
        copies = [array.copy() for array in value] if isinstance(value, list) else value.copy()
        store.push(key, copies)
        store.pull(key, out)
        pulled.append(out.asnumpy())
        store._barrier()  # the original's ranks may overtake each other
    return pulled


def first_values(mx, store, rank):
    """The first value is that of rank 0."""
    out = mx.nd.zeros((2, 3))
    store.init("a", mx.nd.ones((2, 3)) * (rank + 5))
    store.pull("a", out)
    other = mx.nd.zeros(4)
    store.broadcast("b", mx.nd.arange(4) * (rank + 1), other)
    return [out.asnumpy(), other.asnumpy()]


def sums(mx, store, rank):
    """Without an optimizer the sum over ranks and contexts replaces the value."""
    store.init(3, mx.nd.ones(4) * 9)
    gradient = mx.nd.array(_GRADIENT) * (rank + 1)
    values = [gradient, gradient * 2, [gradient, mx.nd.ones(4) * 10]]
    return _rounds(store, 3, values, mx.nd.zeros(4))


def several_keys(mx, store, rank):
    """Lists of keys, and of several dtypes."""
    keys, dtypes = ["x", "y", "z"], ["float32", "float64", "float16"]
    arrays = [mx.nd.ones((i + 1, 2), dtype=dtype) for i, dtype in enumerate(dtypes)]
    store.init(keys, arrays)
    store.push(keys, [array * (rank + 1) for array in arrays])
    outs = [mx.nd.zeros(array.shape, dtype=array.dtype) for array in arrays]
    store.pull(keys, outs)
    store._barrier()
    return [out.asnumpy() for out in outs]


def push_and_pull(mx, store, rank):
    """`pushpull` into the same and into other arrays."""
    store.init("a", mx.nd.zeros(4))
    same = mx.nd.array(_GRADIENT) * (rank + 1)
    store.pushpull("a", same)
    store._barrier()
    other = mx.nd.zeros(4)
    store.pushpull("a", mx.nd.ones(4) * (rank + 2), out=other)
    store._barrier()
    return [same.asnumpy(), other.asnumpy()]


def rows(mx, store, rank):
    """Rows that nobody pushes keep their value."""
    store.init("r", (mx.nd.ones((4, 2)) * (rank + 1)).tostype("row_sparse"))
    data, places = np.ones((2, 2), "float32") * (rank + 1), [rank, rank + 1]
    store._barrier()
    store.push("r", mx.nd.sparse.row_sparse_array((data, places), shape=(4, 2)))
    store._barrier()
    pulled = []
    for chosen in ([0, 1, 2, 3], [3, 1]):
        out = mx.nd.sparse.zeros("row_sparse", (4, 2))
        store.row_sparse_pull("r", out=out, row_ids=mx.nd.array(chosen))
        pulled += [out.data.asnumpy(), out.indices.asnumpy()]
    return pulled


def compressed(mx, store, rank):
    """Each rank rounds the sum over its contexts and keeps the rest for the next push."""
    store.set_gradient_compression({"type": "2bit", "threshold": 0.5})
    store.init("c", mx.nd.zeros(4) + 9)
    first = mx.nd.zeros(4)
    store.pull("c", first)
    gradient = mx.nd.array(_GRADIENT) * (rank + 1)
    both = [gradient * 0.3, mx.nd.ones(4) * 0.1]
    return [first.asnumpy(), *_rounds(store, "c", [gradient] * 4 + [both] * 5, mx.nd.zeros(4))]


def compressed_updates(mx, store, rank):
    """An optimizer gets the rounded sums."""
    store.set_gradient_compression({"type": "2bit", "threshold": 0.25})
    store.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.1))
    store.init("c", mx.nd.ones(4))
    gradient = mx.nd.array(_GRADIENT) * (rank + 1)
    return _rounds(store, "c", [gradient * 0.2] * 6, mx.nd.zeros(4))


def _updates(mx, store, rank, optimizer):
    store.set_optimizer(optimizer)
    store.init("w", mx.nd.ones(4) * 5)
    gradient = mx.nd.array(_GRADIENT) * (rank + 1)
    return _rounds(store, "w", [gradient, gradient * -3, gradient], mx.nd.zeros(4))


def sgd(mx, store, rank):
    """Momentum, decay and a schedule."""
    schedule = mx.lr_scheduler.FactorScheduler(1, 0.5, base_lr=0.1)
    options = {"momentum": 0.9, "wd": 0.01, "rescale_grad": 0.5, "lr_scheduler": schedule}
    return _updates(mx, store, rank, mx.optimizer.create("sgd", learning_rate=0.1, **options))


def adam(mx, store, rank):
    """An optimizer with two states."""
    return _updates(mx, store, rank, mx.optimizer.create("adam", learning_rate=0.1))


def rows_updated(mx, store, rank):
    """An optimizer that updates only the rows that somebody pushes."""
    store.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.1, momentum=0.9))
    store.init("r", mx.nd.ones((4, 2)).tostype("row_sparse"))
    pulled = []
    for i in range(3):
        data, places = np.ones((2, 2), "float32") * (rank + 1), [rank, rank + 1 + i % 2]
        store.push("r", mx.nd.sparse.row_sparse_array((data, places), shape=(4, 2)))
        store._barrier()
        out = mx.nd.sparse.zeros("row_sparse", (4, 2))
        store.row_sparse_pull("r", out=out, row_ids=mx.nd.array([0, 1, 2, 3]))
        pulled.append(out.asnumpy())
        store._barrier()
    return pulled


def module(mx, store, rank):
    """A module that each rank trains with its half of the data."""
    random = np.random.RandomState(7)
    features = random.uniform(-1, 1, (32, 6)).astype("float32")
    labels = (features.sum(axis=1) > 0).astype("float32")
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=8, name="fc1")
    net = mx.sym.Activation(net, act_type="tanh")
    net = mx.sym.FullyConnected(net, num_hidden=2, name="fc2")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    weights = {
        name: mx.nd.array(random.uniform(-0.5, 0.5, shape) + rank)  # those of rank 0 count
        for name, shape in (
            *(("fc1_weight", (8, 6)), ("fc1_bias", (8,))),
            *(("fc2_weight", (2, 8)), ("fc2_bias", (2,))),
        )
    }
    half = slice(rank * 16, rank * 16 + 16)
    data = mx.io.NDArrayIter(features[half], labels[half], batch_size=4)
    trained = mx.mod.Module(net, context=mx.cpu())
    trained.fit(
        data,
        num_epoch=3,
        kvstore=store,
        arg_params=weights,
        optimizer="sgd",
        optimizer_params={"learning_rate": 0.5, "momentum": 0.9},
    )
    found, _ = trained.get_params()
    return [found[name].asnumpy() for name in sorted(found)]


CASES = {
    case.__name__: case
    for case in (
        *(first_values, sums, several_keys, push_and_pull, rows, compressed, compressed_updates),
        *(sgd, adam, rows_updated, module),
    )
}

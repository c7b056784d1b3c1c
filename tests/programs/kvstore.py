"""Key-value stores of one process."""

from __future__ import annotations

from functools import partial

import mxnet as mx
from mxnet import nd

from .core import functions, lines, named
from .kvstore_helpers import a, b, f, kv, pulled
from .kvstore_row_helpers import out, sparse_store


def _compressed(count, options):
    store = mx.kv.create("device")
    store.set_gradient_compression({"type": "2bit", **options})
    store.init("w", nd.zeros(7))
    pulls = []
    for _ in range(4):
        values = [0.3, -0.3, 0.6, -0.7, 1.2, 0.05, 0.5]
        store.push("w", [nd.array(values, ctx=mx.cpu(i)) * (i + 1) for i in range(count)])
        out = nd.zeros(7)
        store.pull("w", out=out)
        pulls.append(out)
    return pulls


def function_as_updater():
    seen = []

    def update(key, total, value):
        seen.append((key, total.asnumpy(), value.asnumpy()))
        value += total * 2

    kv._set_updater(update)
    kv.push(3, [nd.ones(2), nd.ones(2)])
    kv.push([5, 6], [nd.ones(2), nd.ones(2) * 3])
    kv.pull([3, 5, 6], out=[a, b, nd.zeros(2)])
    return seen, a, b


def states_of_an_optimizer():
    def store():
        made = mx.kv.create()
        made.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))
        made.init("w", nd.ones(2))
        return made

    first, second = store(), store()
    first.push("w", [nd.ones(2), nd.ones(2)])
    first.save_optimizer_states(f)
    second.load_optimizer_states(f)
    second.push("w", nd.ones(2))
    return pulled("w", second)


def compressed_with_the_threshold_0():
    return mx.kv.create("device").set_gradient_compression({"type": "2bit", "threshold": 0})


def initial_value_is_a_copy():
    x = nd.ones(2)
    kv.init(8, x)
    x[:] = 7
    return pulled(8)


def pull_to_another_context():
    c = nd.zeros(2, ctx=mx.cpu(1))
    kv.pull(3, out=c)
    return c


def pull_to_another_dtype():
    c = nd.zeros(2, dtype="float64")
    kv.pull(3, out=c)
    return c


def some_rows():
    sparse_store.row_sparse_pull("e", out=out, row_ids=nd.array([0, 2]))
    return out.asnumpy()


def rows_to_two_arrays():
    other = nd.sparse.zeros("row_sparse", (3, 2))
    sparse_store.row_sparse_pull("e", out=[out, other], row_ids=[nd.array([0]), nd.array([1])])
    return out.asnumpy(), other.asnumpy()


def rows_again_and_in_disorder():
    other = nd.sparse.zeros("row_sparse", (3, 2))
    sparse_store.row_sparse_pull("e", out=out, row_ids=nd.array([2, 0, 2, 0]))
    sparse_store.row_sparse_pull("e", out=other, row_ids=nd.array([[2, 1], [1, 2]], dtype="int32"))
    return out.indices, out.data, other.indices, other.data


def sparse_to_a_dense_array():
    d = nd.zeros((3, 2))
    sparse_store.pull("e", out=d)
    return d


def dense_to_a_sparse_array():
    sparse_store.init("d", nd.ones((3, 2)))
    sparse_store.pull("d", out=out)
    before = out.asnumpy()
    sparse_store.pull("d", out=out, ignore_sparse=False)
    return before, out.asnumpy()


def sparse_to_both_kinds():
    d = nd.zeros((3, 2))
    sparse_store.pull("e", out=[out, d])
    return out.asnumpy(), d


def keys_of_both_kinds():
    return mx.kv.create().init([1, "a"], [nd.ones(1)] * 2)


def rows_are_not_given():
    return sparse_store.row_sparse_pull("e", out=out)


def rows_to_a_dense_array():
    return sparse_store.row_sparse_pull("e", out=nd.ones((3, 2)), row_ids=nd.array([0]))


def sparse_is_passed_over():
    sparse_store.pull("e", out=out)
    return out.asnumpy()


def sparse_is_not_passed_over():
    sparse_store.pull("e", out=out, ignore_sparse=False)
    return out.asnumpy()


def rows_are_pushed():
    sparse_store.push("e", nd.sparse.row_sparse_array(([[9, 9]], [1]), shape=(3, 2)))
    sparse_store.row_sparse_pull("e", out=out, row_ids=nd.array([0, 1]))
    return out.asnumpy()


def registered_store():
    @mx.kv.KVStoreBase.register
    class Alone(mx.kv.KVStoreBase):
        pass

    try:
        store = mx.kv.create("alone")
        r = (isinstance(store, Alone), "alone" in mx.kv.KVStoreBase.kv_registry)
    finally:
        del mx.kv.KVStoreBase.kv_registry["alone"]
    return r


PROGRAMS = {
    **lines(
        "kvstore_helpers",
        """
        (kv.type, kv.rank, kv.num_workers)
        mx.kv.create('device').type
        mx.kv.create('local_allreduce_device').type
        mx.kv.create(None)
        mx.kv.create(5)
        mx.kvstore.create is mx.kv.create
        mx.kvstore.KVStore is mx.kv.KVStore
        kv.init(3, nd.ones(2))
        kv.init('x', nd.ones(2))
        names.init(1, nd.ones(2))
        pulled(3)
        pulled(4)
        pulled('w', names)
        kv.pull(3, out=[a, b]) or (a, b)
        kv.pull([5, 6], out=[a, b]) or (a, b)
        kv.pull([5, 6], out=[[a], [b]]) or (a, b)
        kv.pull([5, 6], out=[a])
        kv.pull(5)
        (kv.push(3, nd.ones(2) * 4), pulled(3))[1]
        (kv.push(3, [nd.ones(2), nd.ones(2) * 2]), pulled(3))[1]
        (kv.push([5, 6], [nd.ones(2) * 7, nd.ones(2) * 8]), pulled(5), pulled(6))[2]
        (kv.push([5, 5], [nd.ones(2) * 7, nd.ones(2) * 8]), pulled(5))[1]
        (kv.push([5, 6], [[nd.ones(2), nd.ones(2)], [nd.ones(2) * 8, nd.ones(2)]]), pulled(6))[1]
        (kv.push(3, [nd.ones(2), nd.ones(2, ctx=mx.cpu(1))]), pulled(3))[1]
        kv.push(4, nd.ones(2))
        kv.push(5, 5)
        kv.push(5.5, a)
        kv.push([5, 6], [a])
        kv.pushpull(3, nd.ones(2) * 9, out=a) or a
        (kv.pushpull(3, nd.ones(2) * 9, out=a), pulled(3))[1]
        kv.pushpull(3, [nd.ones(2), nd.ones(2)], out=[a, b]) or (a, b)
        kv.pushpull(99, nd.ones(2), out=a)
        kv.broadcast(1, nd.ones(2) * 6, out=a) or a
        kv.broadcast(1, nd.ones(2) * 6, out=[a, b]) or (a, b)
        kv.broadcast(3, nd.ones(2) * 6, out=a)
        kv.is_capable('optimizer')
        kv.is_capable('no')
        mx.kv.KVStore.OPTIMIZER
        mx.kv.create('device').set_gradient_compression({'type': '2bit', 'threshold': 0.5})
        mx.kv.create('device').set_gradient_compression({'type': '3bit'})
        mx.kv.create('device').set_gradient_compression({})
        kv.set_gradient_compression({'type': '2bit'})
        kv.set_optimizer(5)
        kv.load_optimizer_states(f)
        (kv.set_optimizer(mx.optimizer.SGD()), kv.push(3, nd.ones(2)), pulled(3))[2]
        (kv.set_optimizer(mx.optimizer.SGD()), kv.load_optimizer_states(f))
        (kv.set_optimizer(mx.optimizer.SGD()), kv.save_optimizer_states(f), os.listdir(folder))[2]
        """,
    ),
    **{
        f"compressed gradients of {count}, {str(options)[1:-1]}": partial(
            _compressed, count, options
        )
        for count, options in ((1, {"threshold": 0.5}), (3, {"threshold": 0.4}), (2, {}))
    },
    **named(
        "kvstore_row_helpers",
        {
            f"rows {rows} to {out}": f"pulled_rows({out}, {rows})"
            for rows, out in (
                ("[nd.array([1])]", "[out, out.copy()]"),
                ("[nd.array([1]), nd.array([2])]", "[out, out.copy()]"),
                ("[nd.array([1]), nd.array([2])]", "[out]"),
                ("[1, 2]", "[out]"),
                ("np.array([1])", "[out]"),
                ("1", "[out]"),
            )
        },
    ),
    **functions(globals()),
}

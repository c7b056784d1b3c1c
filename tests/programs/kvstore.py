"""Key-value stores of one process."""

from .core import of

SETUP = """
import os
kv = mx.kv.create()
a, b = nd.zeros(2), nd.zeros(2)
kv.init(3, nd.ones(2))
kv.init([5, 6], [nd.ones(2), nd.ones(2) * 2])
names = mx.kv.create('device')
names.init('w', nd.ones(2))
f = os.path.join(folder, 'a.states')
def pulled(key, store=kv):
    store.pull(key, out=a)
    return a
"""
ROWS = """
kv = mx.kv.create()
full = nd.array([[1, 2], [3, 4], [5, 6]]).tostype('row_sparse')
kv.init('e', full)
out = nd.sparse.zeros('row_sparse', (3, 2))
"""

PROGRAMS = {
    **of(
        SETUP,
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
    "function as updater": SETUP
    + """
seen = []
def update(key, total, value):
    seen.append((key, total.asnumpy(), value.asnumpy()))
    value += total * 2
kv._set_updater(update)
kv.push(3, [nd.ones(2), nd.ones(2)])
kv.push([5, 6], [nd.ones(2), nd.ones(2) * 3])
kv.pull([3, 5, 6], out=[a, b, nd.zeros(2)])
r = (seen, a, b)
""",
    "states of an optimizer": SETUP
    + """
def store():
    made = mx.kv.create()
    made.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, momentum=0.9))
    made.init('w', nd.ones(2))
    return made
first, second = store(), store()
first.push('w', [nd.ones(2), nd.ones(2)])
first.save_optimizer_states(f)
second.load_optimizer_states(f)
second.push('w', nd.ones(2))
r = pulled('w', second)
""",
    **{
        f"compressed gradients of {count}, {options}": SETUP
        + f"""
store = mx.kv.create('device')
store.set_gradient_compression({{'type': '2bit', {options}}})
store.init('w', nd.zeros(7))
found = []
for _ in range(4):
    store.push('w', [
        nd.array([0.3, -0.3, 0.6, -0.7, 1.2, 0.05, 0.5], ctx=mx.cpu(i)) * (i + 1)
        for i in range({count})])
    out = nd.zeros(7)
    store.pull('w', out=out)
    found.append(out)
r = found
"""
        for count, options in ((1, "'threshold': 0.5"), (3, "'threshold': 0.4"), (2, ""))
    },
    "compressed with the threshold 0": (
        "r = mx.kv.create('device').set_gradient_compression({'type': '2bit', 'threshold': 0})"
    ),
    "initial value is a copy": SETUP
    + """
x = nd.ones(2)
kv.init(8, x)
x[:] = 7
r = pulled(8)
""",
    "pull to another context": f"{SETUP}c = nd.zeros(2, ctx=mx.cpu(1))\nkv.pull(3, out=c)\nr = c",
    "pull to another dtype": f"{SETUP}c = nd.zeros(2, dtype='float64')\nkv.pull(3, out=c)\nr = c",
    "rows": f"{ROWS}kv.row_sparse_pull('e', out=out, row_ids=nd.array([0, 2]))\nr = out.asnumpy()",
    "rows to two arrays": ROWS
    + """
other = nd.sparse.zeros('row_sparse', (3, 2))
kv.row_sparse_pull('e', out=[out, other], row_ids=[nd.array([0]), nd.array([1])])
r = (out.asnumpy(), other.asnumpy())
""",
    "rows again and in disorder": ROWS
    + """
other = nd.sparse.zeros('row_sparse', (3, 2))
kv.row_sparse_pull('e', out=out, row_ids=nd.array([2, 0, 2, 0]))
kv.row_sparse_pull('e', out=other, row_ids=nd.array([[2, 1], [1, 2]], dtype='int32'))
r = (out.indices, out.data, other.indices, other.data)
""",
    **{
        f"rows {rows} to {out}": f"{ROWS}o = {out}\nkv.row_sparse_pull('e', out=o, row_ids={rows})"
        "\nr = [x.asnumpy() for x in o]"
        for rows, out in (
            ("[nd.array([1])]", "[out, out.copy()]"),
            ("[nd.array([1]), nd.array([2])]", "[out, out.copy()]"),
            ("[nd.array([1]), nd.array([2])]", "[out]"),
            ("[1, 2]", "[out]"),
            ("np.array([1])", "[out]"),
            ("1", "[out]"),
        )
    },
    "sparse to a dense array": f"{ROWS}d = nd.zeros((3, 2))\nkv.pull('e', out=d)\nr = d",
    "dense to a sparse array": ROWS
    + """
kv.init('d', nd.ones((3, 2)))
kv.pull('d', out=out)
found = out.asnumpy()
kv.pull('d', out=out, ignore_sparse=False)
r = (found, out.asnumpy())
""",
    "sparse to both kinds": ROWS
    + """
d = nd.zeros((3, 2))
kv.pull('e', out=[out, d])
r = (out.asnumpy(), d)
""",
    "keys of both kinds": "r = mx.kv.create().init([1, 'a'], [nd.ones(1)] * 2)",
    "rows are not given": f"{ROWS}r = kv.row_sparse_pull('e', out=out)",
    "rows to a dense array": (
        f"{ROWS}r = kv.row_sparse_pull('e', out=nd.ones((3, 2)), row_ids=nd.array([0]))"
    ),
    "sparse is passed over": f"{ROWS}kv.pull('e', out=out)\nr = out.asnumpy()",
    "sparse is not passed over": (
        f"{ROWS}kv.pull('e', out=out, ignore_sparse=False)\nr = out.asnumpy()"
    ),
    "rows are pushed": ROWS
    + """
kv.push('e', nd.sparse.row_sparse_array(([[9, 9]], [1]), shape=(3, 2)))
kv.row_sparse_pull('e', out=out, row_ids=nd.array([0, 1]))
r = out.asnumpy()
""",
    "registered store": """
@mx.kv.KVStoreBase.register
class Alone(mx.kv.KVStoreBase):
    pass
try:
    store = mx.kv.create('alone')
    r = (isinstance(store, Alone), 'alone' in mx.kv.KVStoreBase.kv_registry)
finally:
    del mx.kv.KVStoreBase.kv_registry['alone']
""",
}

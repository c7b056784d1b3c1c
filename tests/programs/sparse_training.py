"""Sparse gradients, and updates that touch their rows alone."""

SETUP = """
from mxnet import gluon
from mxnet.gluon import nn
def parts(x):
    return x if x.stype == 'default' else (x.stype, x.shape, x.data, x.indices)
w = nd.arange(8).reshape((4, 2))
c = nd.sparse.csr_matrix(([1, 2, 3], [1, 0, 1], [0, 1, 2, 3]), shape=(3, 4))
def embed(indices, table):
    return nd.Embedding(indices, table, input_dim=4, output_dim=2, sparse_grad=True)
"""

OPTIMIZERS = {
    "sgd": "'sgd', {'learning_rate': 0.1, 'wd': 0.05}",
    "sgd with momentum": "'sgd', {'learning_rate': 0.1, 'wd': 0.05, 'momentum': 0.9}",
    "sgd with clipping": "'sgd', {'learning_rate': 0.1, 'momentum': 0.9, 'clip_gradient': 0.1}",
    "sgd, all rows": "'sgd', {'learning_rate': 0.1, 'wd': 0.05, 'lazy_update': False}",
    "sgd with momentum, all rows": (
        "'sgd', {'learning_rate': 0.1, 'wd': 0.05, 'momentum': 0.9, 'lazy_update': False}"
    ),
    "adam": "'adam', {'learning_rate': 0.1, 'wd': 0.05}",
    "adam, all rows": "'adam', {'learning_rate': 0.1, 'wd': 0.05, 'lazy_update': False}",
    "adagrad": "'adagrad', {'learning_rate': 0.1}",
    "groupadagrad": "'groupadagrad', {'learning_rate': 0.1}",
    "ftrl": "'ftrl', {'learning_rate': 0.1, 'wd': 0.05}",
    "rmsprop": "'rmsprop', {'learning_rate': 0.01, 'wd': 0.05}",
}

LOOP = (
    SETUP
    + """
net = nn.Embedding(7, 3, sparse_grad=True)
net.initialize()
net.weight.set_data(nd.arange(21).reshape((7, 3)) / 10)
trainer = gluon.Trainer(net.collect_params(), %s)
seen = []
for step in range(10):
    with autograd.record():
        loss = (net(nd.array([step %% 3, 5, 5, step %% 4])) ** 2).sum()
    loss.backward()
    trainer.step(4)
    seen.append(loss.asscalar())
r = (seen, net.weight.data(), parts(net.weight.grad()))
"""
)

UPDATE = (
    SETUP
    + """
updater = mx.optimizer.get_updater(mx.optimizer.create(%s))
g = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
x = w.tostype('%s')
for step in range(3):
    updater(0, g, x)
state = updater.states[0]
state = state if isinstance(state, tuple) else (state,)
r = (parts(x), [None if part is None else part.asnumpy() for part in state])
"""
)


def _after(lines: str) -> str:
    return f"{SETUP}{lines.strip()}\n"


OPTIMIZER_NAMES = {name: text.replace(", {", ", **{") for name, text in OPTIMIZERS.items()}

GRADIENTS = {
    "gradient of an embedding": (
        "w.attach_grad(stype='row_sparse')\n"
        "with autograd.record():\n"
        "    y = embed(nd.array([1, 3, 1]), w) * nd.array([[1], [2], [3]])\n"
        "y.backward()\nr = parts(w.grad)"
    ),
    "gradient of an embedding whose gradient is zero": (
        "w.attach_grad(stype='row_sparse')\n"
        "with autograd.record():\n    y = embed(nd.array([1, 3, 1]), w) * 0\n"
        "y.backward()\nr = parts(w.grad)"
    ),
    "gradients are written, not added": (
        "w.attach_grad(stype='row_sparse')\nfor i in range(2):\n"
        "    with autograd.record():\n        y = embed(nd.array([1, i]), w)\n"
        "    y.backward()\nr = parts(w.grad)"
    ),
    "a new gradient is empty": "w.attach_grad(stype='row_sparse')\nr = parts(w.grad)",
    "gradient of take": (
        "w.attach_grad(stype='row_sparse')\n"
        "with autograd.record():\n    y = nd.take(w, nd.array([1, 1, 3]))\n"
        "y.backward()\nr = parts(w.grad)"
    ),
    "gradient of dot": (
        "w.attach_grad(stype='row_sparse')\n"
        "with autograd.record():\n    y = nd.dot(c, w)\ny.backward()\nr = (y, parts(w.grad))"
    ),
    "dense gradient of dot": (
        "w.attach_grad()\n"
        "with autograd.record():\n    y = nd.dot(c, w)\ny.backward()\nr = (y, w.grad)"
    ),
    "gradient through dot": (
        "w.attach_grad()\n"
        "with autograd.record():\n    y = nd.dot(c, w * 2)\ny.backward()\nr = (y, w.grad)"
    ),
    "gradient of dot with the transpose": (
        "v = nd.ones((3, 2))\nv.attach_grad()\nwith autograd.record():\n"
        "    y = nd.dot(c, v, transpose_a=True)\ny.backward()\nr = (parts(y), v.grad)"
    ),
    "gradient of a dense use": (
        "w.attach_grad(stype='row_sparse')\n"
        "with autograd.record():\n    y = w * 2\ny.backward()\nr = parts(w.grad)"
    ),
    "gradient of both uses": (
        "w.attach_grad(stype='row_sparse')\nwith autograd.record():\n"
        "    y = embed(nd.array([1]), w).sum() + (w * 2).sum()\ny.backward()\nr = parts(w.grad)"
    ),
    "gradient of a sparse variable": (
        "a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))\n"
        "a.attach_grad()\nwith autograd.record():\n    y = nd.square(a)\n"
        "y.backward()\nr = (parts(y), parts(a.grad))"
    ),
    "gradient of retain": (
        "a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))\n"
        "a.attach_grad()\nwith autograd.record():\n"
        "    y = nd.sparse.retain(a, nd.array([1]))\ny.backward()\nr = (parts(y), parts(a.grad))"
    ),
    "gradient of sparse rows times a number": (
        "a = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))\n"
        "a.attach_grad()\nwith autograd.record():\n    y = a * 3\n    z = y.sum()\n"
        "z.backward()\nr = (parts(y), parts(a.grad))"
    ),
}

PARAMETER = (
    "p = gluon.Parameter('w', shape=(4, 2), stype='row_sparse', grad_stype='row_sparse')\n"
    "p.initialize(init=mx.init.One())\nrows = nd.array([1, 2])\n"
)
PARAMETERS = {
    "value of a sparse parameter": "r = p.data()",
    "values of a sparse parameter": "r = p.list_data()",
    "rows without a trainer": "r = p.row_sparse_data(rows)",
    "rows": "t = gluon.Trainer([p], 'sgd')\nr = parts(p.row_sparse_data(rows))",
    "rows asked for twice": (
        "t = gluon.Trainer([p], 'sgd')\nr = parts(p.row_sparse_data(nd.array([2, 0, 2])))"
    ),
    "rows on all contexts": (
        "t = gluon.Trainer([p], 'sgd')\nr = [parts(x) for x in p.list_row_sparse_data(rows)]"
    ),
    "gradient of a sparse parameter": "r = parts(p.grad())",
    "rows of a dense parameter": (
        "q = gluon.Parameter('q', shape=(4, 2))\nq.initialize()\nr = q.row_sparse_data(rows)"
    ),
    "unknown storage type": "r = gluon.Parameter('q', stype='other')",
    "training a sparse parameter": (
        "t = gluon.Trainer([p], 'sgd', {'learning_rate': 0.5, 'wd': 0.1})\nfor i in range(3):\n"
        "    x = nd.array([i, 3])\n    with autograd.record():\n"
        "        y = embed(x, p.row_sparse_data(x)) * 2\n    y.backward()\n    t.step(1)\n"
        "r = (parts(p.grad()), parts(p.row_sparse_data(nd.arange(4))))"
    ),
    "zero_grad": (
        "q = gluon.Parameter('q', shape=(4, 2), grad_stype='row_sparse')\nq.initialize()\n"
        "with autograd.record():\n    y = embed(rows, q.data())\ny.backward()\nq.zero_grad()\n"
        "r = parts(q.grad())"
    ),
    "clip_global_norm": (
        "q = gluon.Parameter('q', shape=(4, 2), grad_stype='row_sparse')\nq.initialize()\n"
        "with autograd.record():\n    y = embed(rows, q.data()) * 3\ny.backward()\n"
        "n = gluon.utils.clip_global_norm([q.grad()], 1.0)\nr = (float(n), parts(q.grad()))"
    ),
    "two contexts": (
        "q = gluon.Parameter('q', shape=(4, 2), grad_stype='row_sparse')\n"
        "q.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])\n"
        "t = gluon.Trainer([q], 'sgd', {'learning_rate': 0.5}, update_on_kvstore=False)\n"
        "with autograd.record():\n"
        "    ys = [embed(nd.array([i, 3], ctx=mx.cpu(i)), q.data(mx.cpu(i))) for i in (0, 1)]\n"
        "autograd.backward(ys)\nt.step(1)\nr = [parts(x) for x in q.list_data()]"
    ),
}

OPERATORS = {
    "sgd_update": "w, g, lr=0.1, wd=0.1",
    "sgd_mom_update": "w, g, m, lr=0.1, wd=0.1, momentum=0.9",
    "adam_update": "w, g, m, n, lr=0.1, wd=0.1",
    "ftrl_update": "w, g, m, n, lr=0.1, wd=0.1",
}
OPERATOR = (
    SETUP
    + """
g = nd.sparse.row_sparse_array(([[1, 2], [3, 4]], [1, 3]), shape=(4, 2))
m, n = nd.ones((4, 2)), nd.ones((4, 2))
for step in range(2):
    nd.%s(%s, out=w)
r = (w, m, n)
"""
)

BOUND = """
def storage(net, **shapes):
    e = net.simple_bind(mx.cpu(), **shapes)
    return {name: array.stype for name, array in sorted(e.grad_dict.items())}
data, w, b = (mx.sym.var(name) for name in ('data', 'w', 'b'))
csr = mx.sym.var('data', stype='csr')
def table(x, **options):
    return mx.sym.Embedding(x, w, input_dim=6, output_dim=3, name='table', **options)
"""
STORAGE = {
    "table": "storage(table(data, sparse_grad=True), data=(2, 2))",
    "dense table": "storage(table(data), data=(2, 2))",
    "table in a network": "storage(mx.sym.FullyConnected(table(data, sparse_grad=True), b, "
    "num_hidden=2, no_bias=True), data=(2, 2))",
    "table used twice": "storage(table(data, sparse_grad=True) + table(b, sparse_grad=True), "
    "data=(2,), b=(2,))",
    "table used otherwise": "storage(mx.sym.sum(table(data, sparse_grad=True)) + mx.sym.sum(w), "
    "data=(2, 2))['w']",
    "weight of sparse data": "storage(mx.sym.sparse.dot(csr, w), data=(2, 5), w=(5, 3))['w']",
    "weight of transposed data": (
        "storage(mx.sym.sparse.dot(csr, w, transpose_a=True), data=(2, 5), w=(2, 3))['w']"
    ),
}
ROWS = "w = mx.sym.var('w', stype='row_sparse')\n"
"""The same variables as row_sparse ones."""
TABLE = (
    BOUND
    + """
net = mx.sym.SoftmaxOutput(
    mx.sym.FullyConnected(table(data, sparse_grad=%s), num_hidden=2, name='fc'), name='softmax')
m = mx.mod.Module(net, context=%s)
m.bind([('data', (2, 2))], [('softmax_label', (2,))])
start = {'w': nd.arange(18).reshape((6, 3)) / 9, 'fc_weight': nd.arange(12).reshape((2, 6)) / 6}
m.init_params(arg_params={**start, 'fc_bias': nd.zeros(2)})
m.init_optimizer(optimizer='%s', optimizer_params={'learning_rate': 0.1, 'wd': 0.1})
for rows in ([[0, 1], [1, 2]], [[3, 3], [0, 4]], [[5, 1], [0, 0]]):
    m.forward_backward(mx.io.DataBatch([nd.array(rows)], [nd.array([0, 1])]))
    m.update()
r = m.get_params()[0]['w']
"""
)
CONTEXTS = ("mx.cpu()", "[mx.cpu(0), mx.cpu(1)]")

PROGRAMS = {
    **{f"gradient of a {name}": f"{BOUND}r = {text}" for name, text in STORAGE.items()},
    **{
        f"gradient of a {name} in rows": f"{BOUND}{ROWS}r = {text}"
        for name, text in STORAGE.items()
    },
    **{
        f"gradient of {text} in rows": f"{BOUND}{ROWS}r = storage({text}, w=(4, 3))['w']"
        for text in (
            "mx.sym.square(w)",
            "w * 2",
            "mx.sym.relu(w)",
            "mx.sym.sum(w)",
            "mx.sym._internal._square_sum(w, axis=1, keepdims=True)",
            "mx.sym.elemwise_mul(w, w)",
            "mx.sym.elemwise_add(w, w)",
        )
    },
    **{
        f"module with {name}, sparse_grad={sparse}, on {contexts}": TABLE % (sparse, contexts, name)
        for name in ("sgd", "adam", "adagrad", "ftrl")
        for sparse in (True, False)
        for contexts in CONTEXTS
        if (name, sparse) != ("adagrad", True)  # which the original refuses to decay
    },
    **{f"ten steps of {name}": LOOP % text for name, text in OPTIMIZERS.items()},
    **{
        f"{name} on a {stype} weight": UPDATE % (text, stype)
        for name, text in OPTIMIZER_NAMES.items()
        for stype in ("default", "row_sparse")
    },
    **{name: OPERATOR % (name, arguments) for name, arguments in OPERATORS.items()},
    **{
        f"{name} of all rows": OPERATOR % (name, f"{arguments}, lazy_update=False")
        for name, arguments in OPERATORS.items()
        if name != "ftrl_update"
    },
    **{name: _after(lines) for name, lines in GRADIENTS.items()},
    **{name: _after(PARAMETER + lines) for name, lines in PARAMETERS.items()},
}

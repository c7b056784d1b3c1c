"""Modules of other kinds: with buckets, in a chain, in Python; and the old `FeedForward`."""

from .core import of, titled

COMMON = """
import logging, os, warnings
warnings.simplefilter('ignore')
class Lines(logging.Handler):
    def emit(self, record):
        lines.append(record.getMessage())
lines = []
log = logging.Logger('test')
log.addHandler(Lines())
f = os.path.join(folder, 'a')
rng = np.random.RandomState(0)
"""
BUCKETS = (
    COMMON
    + """
def generate(size):
    data = mx.sym.var('data')
    net = mx.sym.Embedding(data, input_dim=7, output_dim=4, name='emb')
    net = mx.sym.FullyConnected(mx.sym.mean(net, axis=1), num_hidden=3, name='fc')
    return mx.sym.SoftmaxOutput(net, name='softmax'), ('data',), ('softmax_label',)
def batch(size):
    return mx.io.DataBatch(
        [nd.array(rng.randint(0, 7, (4, size)))], [nd.array([0, 1, 2, 1])], pad=0, bucket_key=size,
        provide_data=[('data', (4, size))], provide_label=[('softmax_label', (4,))])
class Batches(mx.io.DataIter):
    provide_data = [('data', (4, 6))]
    provide_label = [('softmax_label', (4,))]
    default_bucket_key = 6
    items = [batch(3), batch(6), batch(5), batch(3)]
    def reset(self):
        self.number = 0
    def next(self):
        self.number += 1
        if self.number > 4:
            raise StopIteration
        return self.items[self.number - 1]
train = Batches(4)
train.reset()
D, L = train.provide_data, train.provide_label
m = mx.mod.BucketingModule(generate, default_bucket_key=6, logger=log)
"""
)
START = BUCKETS + "m.bind(D, L)\nm.init_params(mx.init.One())\n"
READY = START + "m.init_optimizer(optimizer_params={'learning_rate': 0.5})\n"
RUN = READY + "for item in train:\n    m.forward_backward(item)\n    m.update()\n"

CHAIN = (
    COMMON
    + """
one = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=5, name='a')
two = mx.sym.FullyConnected(mx.sym.var('middle'), num_hidden=3, name='b')
two = mx.sym.SoftmaxOutput(two, name='softmax')
D, L = [('data', (4, 6))], [('softmax_label', (4,))]
batch = mx.io.DataBatch([nd.array(rng.randn(4, 6))], [nd.array([0, 1, 2, 1])])
m = mx.mod.SequentialModule(logger=log)
m.add(mx.mod.Module(one, label_names=None))
m.add(mx.mod.Module(two, ['middle']), take_labels=True, auto_wiring=True)
"""
)
LINKED = CHAIN + "m.bind(D, L)\nm.init_params(mx.init.One())\n"
LOSS = (
    COMMON
    + """
one = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=3, name='a')
D, L = [('data', (4, 6))], [('label', (4,))]
batch = mx.io.DataBatch([nd.array(rng.randn(4, 6))], [nd.array([0, 1, 2, 1])])
def hinge(scores, labels):
    return (scores.asnumpy() > -1) - labels.one_hot(3).asnumpy() * 2
loss = mx.mod.PythonLossModule(data_names=['x'], label_names=['label'], grad_func=hinge)
m = mx.mod.SequentialModule()
m.add(mx.mod.Module(one, label_names=None)).add(loss, take_labels=True, auto_wiring=True)
m.bind(D, L)
m.init_params(mx.init.One())
m.init_optimizer()
"""
)
FORWARD = (
    COMMON
    + """
net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=3, name='fc')
net = mx.sym.SoftmaxOutput(net, name='softmax')
X, Y = rng.randn(10, 5).astype('float32'), rng.randint(0, 3, 10).astype('float32')
data = mx.io.NDArrayIter(X, Y, 4)
start = {'fc_weight': nd.array(rng.randn(3, 5)), 'fc_bias': nd.ones(3)}
def make(**options):
    options = {'num_epoch': 2, 'numpy_batch_size': 4, 'arg_params': start, 'aux_params': {},
               'learning_rate': 0.1, **options}
    return mx.model.FeedForward(net, **options)
m = make()
def params(model):
    return [model.arg_params[name] for name in sorted(model.arg_params)]
"""
)
SPARSE = (
    COMMON
    + """
dense = rng.rand(8, 6) * (rng.rand(8, 6) < 0.4)
labels = rng.rand(8)
def rows(batch):
    return {'w': nd.array(np.unique(np.nonzero(batch.data[0].asnumpy())[1]))}
def network():
    w = mx.sym.var('w', stype='row_sparse', shape=(6, 1), init=mx.init.One())
    b = mx.sym.var('b', shape=(1,), init=mx.init.Zero())
    net = mx.sym.sparse.dot(mx.sym.var('data', stype='csr'), w)
    return mx.sym.LinearRegressionOutput(mx.sym.broadcast_add(net, b), name='softmax')
def train(store, contexts, optimizer, rows=None, **options):
    data = nd.array(dense).tostype('csr')
    data = mx.io.NDArrayIter(data, labels, 4, last_batch_handle='discard')
    m = mx.mod.Module(network(), context=[mx.cpu(i) for i in range(contexts)])
    m.fit(data, num_epoch=2, kvstore=store, optimizer=optimizer, eval_metric='mse',
          sparse_row_id_fn=rows, optimizer_params={'learning_rate': 0.1, **options})
    if rows:
        m.prepare(None, lambda batch: {'w': nd.arange(6)})
    kinds = [[array.stype for array in part] for part in m._exec_group.grad_arrays]
    return kinds, {name: array.asnumpy() for name, array in m.get_params()[0].items()}
"""
)
SHAPES = """
        (m.binded, m.params_initialized)
        list(m.data_names)
        m.output_names
        [str(item) for item in m.data_shapes]
        [str(item) for item in m.label_shapes]
        m.output_shapes
        m.symbol is None
        m.get_params()
        m.get_input_grads()
        m.update()
        m.backward()
        m.init_params(mx.init.One())
        m.init_optimizer()
        m.install_monitor(None)
"""


PROGRAMS = {
    **titled("buckets", BUCKETS, SHAPES + "m.switch_bucket(3, [('data', (4, 3))], L)\n"),
    **titled("buckets bound", START, SHAPES),
    **titled(
        "buckets trained",
        RUN,
        """
        m.get_params()
        m.get_outputs()
        m._curr_bucket_key
        sorted(m._buckets)
        (m.prepare(batch(4)), m._curr_bucket_key, sorted(m._buckets))
        (m.switch_bucket(6, D, L), [str(item) for item in m.data_shapes])
        (m.bind(D, L), lines)
        (m.init_optimizer(), lines)
        (m.init_params(mx.init.Zero()), m.get_params())[1]
        (m.init_params(mx.init.Zero(), force_init=True), m.get_params())[1]
        (m.set_params(*m.get_params()), m.get_params())[1]
        (m.set_params({'fc_bias': nd.ones(3)}, {}, allow_missing=True), m.get_params())[1]
        m.set_params({'fc_bias': nd.ones(3)}, {})
        [(name, float(value)) for name, value in m.score(train, 'ce')]
        m.predict(train)
        [len(item) for item in m.predict(train, merge_batches=False)]
        (m.save_params(f), sorted(nd.load(f)))[1]
        (m.save_checkpoint(f, 2), sorted(os.listdir(folder)))[1]
        (m.save_checkpoint(f, 2), nd.load(f + '.buckets'))[1]
        mx.mod.BucketingModule.load(f, 2)
        """,
    ),
    "buckets fit": START
    + """
m.fit(train, num_epoch=2, optimizer='adam', optimizer_params={'learning_rate': 0.1})
r = (m.get_params(), [line for line in lines if 'Train' in line])
""",
    "buckets on two contexts": BUCKETS
    + """
m = mx.mod.BucketingModule(generate, 6, context=[mx.cpu(0), mx.cpu(1)])
m.bind(D, L)
m.init_params(mx.init.One())
m.init_optimizer(optimizer_params={'learning_rate': 0.5, 'momentum': 0.9})
for item in train:
    m.forward_backward(item)
    m.update()
r = (m.get_params(), m.get_outputs())
""",
    "buckets loaded": RUN
    + """
m.save_checkpoint(f, 2)
other = mx.mod.BucketingModule.load(f, 2, generate, 6)
other.bind(D, L, for_training=False)
other.forward(batch(4))
r = (other.params_initialized, other.get_params(), other.get_outputs())
""",
    "buckets from a dictionary": RUN
    + """
params = m.get_params()
other = mx.mod.BucketingModule.load_dict({6: m.symbol}, generate, 6, *params)
other.bind(D, L, for_training=False)
other.forward(batch(6))
r = (other.get_params(), other.get_outputs())
""",
    **{
        f"sparse: {title}": f"{SPARSE}\nr = train({options})"
        for title, options in {
            "one context": "None, 1, 'sgd'",
            "momentum": "None, 1, 'sgd', momentum=0.9",
            "adam": "None, 1, 'adam'",
            "two contexts": "'local', 2, 'sgd'",
            "two contexts, rows": "'local', 2, 'sgd', rows",
            "a store, rows": "mx.kv.create(), 1, 'sgd', rows",
        }.items()
    },
    **titled("chain", CHAIN, SHAPES),
    **titled("chain bound", LINKED, SHAPES),
    "chain trained": LINKED
    + """
m.init_optimizer(optimizer_params={'learning_rate': 0.1})
for _ in range(3):
    m.forward_backward(batch)
    m.update()
metric = mx.metric.create('ce')
m.update_metric(metric, batch.label)
r = (m.get_params(), m.get_outputs(), float(metric.get()[1]))
""",
    "chain bound twice": f"{LINKED}m.bind(D, L)\nr = lines",
    "chain fit": CHAIN
    + """
data = mx.io.NDArrayIter(rng.rand(8, 6), rng.randint(0, 3, 8), 4)
m.fit(data, num_epoch=2, initializer=mx.init.One(), eval_data=data)
r = (m.get_params(), [line.split('=')[0] for line in lines])
""",
    "chain with a name twice": CHAIN
    + """
m = mx.mod.SequentialModule().add(mx.mod.Module(one, label_names=None))
again = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=5, name='a')
m.add(mx.mod.Module(again, ['x'], None), auto_wiring=True)
m.bind(D)
r = m.init_params()
""",
    "loss": f"{LOSS}m.forward_backward(batch)\nm.update()\nr = (m.get_params(), m.get_outputs())",
    "loss shapes": f"{LOSS}r = (m.output_names, m.output_shapes, m.label_shapes)",
    "loss without a gradient": LOSS
    + """
loss = mx.mod.PythonLossModule()
loss.bind([('data', (4, 3))], [('softmax_label', (4,))])
loss.forward(mx.io.DataBatch([nd.ones((4, 3))], [nd.ones(4)]))
r = loss.backward()
""",
    **titled(
        "feed forward",
        FORWARD,
        """
        sorted(m.kwargs)
        m.ctx
        m.fit(X)
        m.fit(X, Y[:5])
        m.fit('x', Y)
        m.fit(X, Y, eval_data=5)
        m.fit(X, Y, eval_data=(X, Y, Y))
        m.fit(X, Y.reshape((5, 2)))
        (make().fit(data, logger=log), [line.split('=')[0] for line in lines])[1]
        (m.fit(data), params(m))[1]
        (m.fit(data, kvstore=None), m.predict(X))[1]
        (m.fit(data), m.predict(data, return_data=True))[1]
        m.predict(X).shape
        m.predict(nd.array(X)).shape
        m.predict(list(X))
        m.predict(X, num_batch=1).shape
        m.predict(mx.io.NDArrayIter(X, batch_size=4)).shape
        float(m.score(data))
        float(m.score(data, 'ce', num_batch=1))
        [float(value) for value in m.score(data, ['acc', 'ce'])]
        (m.save(f), sorted(os.listdir(folder)))[1]
        (m.save(f, 7), sorted(os.listdir(folder)))[1]
        (list(data), m.fit(data), params(m))[2]
        (next(data), m.fit(data), params(m))[2]
        (list(data), make(epoch_size=4).fit(data))
        (m.save(f, 7), mx.model.FeedForward.load(f, 7).begin_epoch)[1]
        (m.save(f, 7), params(mx.model.FeedForward.load(f, 7)))[1]
        make(num_epoch=None).save(f)
        params(mx.model.FeedForward.create(net, data, num_epoch=1, arg_params=start, aux_params={}))
        """,
    ),
    "feed forward on two contexts": FORWARD
    + """
m = make(ctx=[mx.cpu(0), mx.cpu(1)], momentum=0.9, wd=0.1)
m.fit(data)
r = params(m)
""",
    "feed forward, optimizer": FORWARD
    + """
m = make(optimizer=mx.optimizer.Adam(learning_rate=0.1, rescale_grad=0.25))
m.fit(data)
r = params(m)
""",
    "feed forward calls back": FORWARD
    + """
calls = []
m.fit(
    data, eval_data=mx.io.NDArrayIter(X, Y, 4),
    batch_end_callback=lambda p: calls.append(('batch', p.epoch, p.nbatch)),
    epoch_end_callback=lambda e, s, a, x: calls.append(('epoch', e, sorted(a))),
    eval_batch_end_callback=lambda p: calls.append(('eval', p.epoch, p.nbatch)),
    eval_end_callback=lambda p: calls.append(('end', p.epoch, p.nbatch)),
)
r = calls
""",
    "feed forward, size of an epoch": FORWARD
    + """
calls = []
m = make(epoch_size=2, num_epoch=4, begin_epoch=1)
m.fit(data, logger=log, batch_end_callback=lambda p: calls.append((p.epoch, p.nbatch)))
r = (calls, [line.split('=')[0] for line in lines], params(m))
""",
    "helpers": COMMON
    + """
store, in_store = mx.model._create_kvstore('local', 2, {'w': nd.ones(2)})
weights, gradients = [[nd.ones(2), nd.ones(2)]], [[nd.ones(2), nd.ones(2) * 2]]
store.set_optimizer(mx.optimizer.SGD(learning_rate=0.5))
mx.model._initialize_kvstore(store, weights, {'w': nd.ones(2) * 3}, ['w'], in_store)
before = [weights[0][0].copy(), weights[0][1].copy()]
mx.model._update_params_on_kvstore(weights, gradients, store, ['w'])
r = (in_store, before, weights)
""",
    "helpers without a store": COMMON
    + """
store, in_store = mx.model._create_kvstore('local', 1, {'w': nd.ones(2)})
weights, gradients = [[nd.ones(2)], [nd.ones(1)]], [[nd.ones(2) * 2], [None]]
updater = mx.optimizer.get_updater(mx.optimizer.SGD(learning_rate=0.5))
mx.model._update_params(weights, gradients, updater, 1, kvstore=store)
r = (store, in_store, weights)
""",
    "kvstore of a wrong type": f"{COMMON}r = mx.model._create_kvstore(5, 2, {{}})",
    **of(
        "from mxnet.executor_manager import _split_input_slice as split",
        """
        [str(part) for part in split(10, [1, 1])]
        [str(part) for part in split(13, [1, 2, 3])]
        [str(part) for part in split(5, [1, 1, 1])]
        split(2, [1, 1, 1])
        split(6, [1, 1, 1, 1])
        """,
    ),
    "kvstore is None": f"{COMMON}r = mx.model._create_kvstore(None, 2, {{}})",
}

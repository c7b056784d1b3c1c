"""Programs where symbols meet Gluon, files, data iterators, monitors and names."""

# ruff: noqa: E501 - a statement is one line
from __future__ import annotations

from .core import of
from .symbolic_uses import SETUP

_SOURCES = {
    "a block with a symbol inside": """
class Both(mx.gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.w = self.params.get('w', shape=(3, 0), allow_deferred_init=True)
            self.scale = self.params.get_constant('scale', nd.array([2.0]))
    def hybrid_forward(self, F, x, w, scale):
        return F.broadcast_mul(F.FullyConnected(x, w, num_hidden=3, no_bias=True), scale)
net = Both(prefix='both_')
net.initialize(mx.init.One())
net.hybridize()
y = net(nd.array(wave((2, 4))))
out = net(S.var('data'))
r = y, out.list_arguments(), net.w.shape
""",
    "several inputs and nested outputs": """
class Net(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, a, bs):
        b, c = bs
        return [a + b, [b * c, (a - c, c)]]
net = Net()
ins = nd.ones(2), [nd.ones(2) * 2, nd.ones(2) * 3]
eager = net(*ins)
net.hybridize()
r = eager, net(*ins), net(*ins)
""",
    "casting a hybridized net": """
net = mx.gluon.nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(mx.gluon.nn.Dense(3, in_units=2), mx.gluon.nn.BatchNorm(in_channels=3))
net.initialize(mx.init.One())
net.hybridize()
a = net(nd.ones((1, 2)))
net.cast('float64')
b = net(nd.ones((1, 2), dtype='float64'))
net.export(folder + '/n')
s = mx.sym.load(folder + '/n-symbol.json')
r = a, b, {k: v.get('__dtype__') for k, v in sorted(s.attr_dict().items())}, {k: v.dtype for k, v in nd.load(folder + '/n-0000.params').items()}
""",
    "export before a call": """
net = mx.gluon.nn.Dense(3, in_units=2)
net.initialize()
net.hybridize()
r = net.export(folder + '/n')
""",
    "export without hybridize": """
net = mx.gluon.nn.Dense(3, in_units=2)
net.initialize()
net(nd.ones((1, 2)))
r = net.export(folder + '/n')
""",
    "symbol of a block that is not hybrid": """
class Plain(mx.gluon.Block):
    def forward(self, x):
        return x * 2
r = Plain()(S.var('x')).list_outputs()
""",
    "autograd.get_symbol": """
x = nd.ones((2, 2)); x.attach_grad()
with autograd.record():
    y = nd.relu(x * 2 + 1).sum()
s = autograd.get_symbol(y)
r = len(s.list_arguments()), [n['op'] for n in json.loads(s.tojson())['nodes']], len(s.list_outputs())
""",
    "sequences of hybrid children called alone": """
net = mx.gluon.nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(mx.gluon.nn.Dense(3, activation='relu'), mx.gluon.nn.Dense(2))
net.initialize(Waves()); net.hybridize()
x = nd.array(wave((2, 4)))
r = net(x), net[0](x), net[1](net[0](x)), len(net), net[0:1](x) if hasattr(net[0:1], '__call__') else None, [type(c).__name__ for c in net]
""",
    "summary and repr of a net": """
import contextlib, io as _io
net = mx.gluon.nn.HybridSequential(prefix='n_')
with net.name_scope():
    net.add(mx.gluon.nn.Conv2D(2, 3, in_channels=1), mx.gluon.nn.MaxPool2D(), mx.gluon.nn.Dense(2))
net.initialize()
out = _io.StringIO()
with contextlib.redirect_stdout(out):
    net.summary(nd.ones((1, 1, 8, 8)))
r = repr(net), out.getvalue()
""",
    "SymbolBlock with labels as parameters left out": """
block = mx.gluon.SymbolBlock(mlp().get_internals()['fc2_output'], S.var('data'), params=None)
block.initialize(Waves())
y = block(nd.array(wave((2, 8))))
block.save_parameters(folder + '/p')
r = y, sorted(nd.load(folder + '/p')), block.name[:11], sorted(block.params.keys())
""",
    "SymbolBlock imports with allow_missing": """
mlp().save(folder + '/s.json')
nd.save(folder + '/s.params', {'arg:fc1_weight': nd.ones((8, 8)), 'arg:extra': nd.ones(2)})
found = []
for options in ({}, {'allow_missing': True}, {'ignore_extra': True}, {'allow_missing': True, 'ignore_extra': True}):
    try:
        b = mx.gluon.SymbolBlock.imports(folder + '/s.json', ['data', 'softmax_label'], folder + '/s.params', **options)
        found.append(sorted(b.collect_params().keys()))
    except Exception as error:
        found.append(isinstance(error, AssertionError))
r = found
""",
    "SymbolBlock imports of a missing input": """
mlp().save(folder + '/s.json')
b = mx.gluon.SymbolBlock.imports(folder + '/s.json', ['nothing'])
r = sorted(b.collect_params().keys())
""",
    "SymbolBlock without parameters file": """
mlp().save(folder + '/s.json')
b = mx.gluon.SymbolBlock.imports(folder + '/s.json', ['data', 'softmax_label'])
b.initialize(Waves())
r = b(nd.array(wave((2, 8))), nd.zeros(2)), [(k, p.shape) for k, p in b.collect_params().items()]
""",
    "sharing parameters between a symbol and a net": """
net = mx.gluon.nn.Dense(3, in_units=4, prefix='d_')
net.initialize(Waves())
out = net(S.var('data'))
args = {k: v.data() for k, v in net.collect_params().items()}
exe = out.bind(mx.cpu(), dict(args, data=nd.array(wave((2, 4)))))
a = exe.forward()[0].copy()
net.weight.set_data(nd.ones((3, 4)))
r = a, net(nd.array(wave((2, 4))))
""",
    "load_checkpoint of other prefixes": """
nd.save(folder + '/m-0007.params', {'arg:a_weight': nd.ones(2), 'aux:mean': nd.zeros(1)})
mlp().save(folder + '/m-symbol.json')
sym, args, aux = mx.model.load_checkpoint(folder + '/m', 7)
a2, x2 = mx.model.load_params(folder + '/m', 7)
r = sorted(args), sorted(aux), sym.name, sorted(a2), sorted(x2)
""",
    "save_checkpoint with remove_amp_cast": """
net = S.FullyConnected(S.amp_cast(S.var('data'), dtype='float16'), num_hidden=2, name='f')
mx.model.save_checkpoint(folder + '/m', 1, net, {'w': nd.ones(1)}, {}, remove_amp_cast=True)
a = S.load(folder + '/m-symbol.json').get_internals().list_outputs()
mx.model.save_checkpoint(folder + '/m', 2, net, {'w': nd.ones(1)}, {}, remove_amp_cast=False)
b = S.load(folder + '/m-symbol.json').get_internals().list_outputs()
r = a, b, sorted(os.listdir(folder))
""",
    "save_checkpoint without a symbol": """
mx.model.save_checkpoint(folder + '/m', 12345, None, {'w': nd.ones(1)}, {'s': nd.ones(1)})
r = sorted(os.listdir(folder)), sorted(nd.load(folder + '/m-12345.params'))
""",
    "load of a missing checkpoint": """
r = mx.model.load_checkpoint(folder + '/nothing', 1)
""",
    "module loaded and bound for other shapes": """
m = mx.mod.Module(mlp()); m.bind([('data', (2, 8))], [('softmax_label', (2,))]); m.init_params(Waves())
m.save_checkpoint(folder + '/m', 1)
n = mx.mod.Module.load(folder + '/m', 1, context=mx.cpu(1), label_names=None)
n.bind([('data', (5, 8))], for_training=False)
n.forward(mx.io.DataBatch([nd.array(wave((5, 8)))], None))
r = n.get_outputs(), n.label_names, [str(d) for d in n.data_shapes]
""",
    "predict with several outputs": """
inner = mlp().get_internals()
m = mx.mod.Module(S.Group([S.BlockGrad(inner['fc1_output'] * 1), inner['softmax_output']]))
it = mx.io.NDArrayIter(wave((5, 8)), np.zeros(5), 2)
m.bind(it.provide_data, it.provide_label, for_training=False); m.init_params(Waves())
a = m.predict(it)
b = m.predict(it, merge_batches=False)
r = [x.shape for x in a], [[o.shape for o in p] for p in b]
""",
    "update metric with output and label names": """
inner = mlp().get_internals()
net = S.Group([inner['softmax_output'], S.BlockGrad(inner['fc1_output'], name='feat')])
m = mx.mod.Module(net)
x, y = digits(16)
it = mx.io.NDArrayIter(x, y, 8)
m.bind(it.provide_data, it.provide_label); m.init_params(Waves())
metric = mx.metric.Accuracy(output_names=['softmax_output'], label_names=['softmax_label'])
r = [(k, np.float16(v)) for k, v in m.score(it, metric)]
""",
    "a data iterator of your own": """
class Simple(mx.io.DataIter):
    def __init__(self):
        super().__init__(4)
        self.cur = 0
    @property
    def provide_data(self): return [mx.io.DataDesc('data', (4, 8))]
    @property
    def provide_label(self): return [mx.io.DataDesc('softmax_label', (4,))]
    def reset(self): self.cur = 0
    def next(self):
        if self.cur >= 3: raise StopIteration
        self.cur += 1
        return mx.io.DataBatch([nd.array(wave((4, 8), self.cur))], [nd.array([0, 1, 2, 3])], pad=0)
m = mx.mod.Module(mlp())
m.fit(Simple(), num_epoch=2, initializer=Waves(), eval_metric='ce')
r = near(m.get_params()[0]), [b.data[0].shape for b in Simple()], m.predict(Simple()).shape
""",
    "resized and prefetched iterators in fit": """
x, y = digits(32)
it = mx.io.ResizeIter(mx.io.NDArrayIter(x, y, 8), 6)
m = mx.mod.Module(mlp())
count = []
m.fit(mx.io.PrefetchingIter(it), num_epoch=2, initializer=Waves(), batch_end_callback=lambda p: count.append(p.nbatch))
r = count, near({'b': m.get_params()[0]['fc2_bias']})
""",
    "csv iterator in fit": """
x, y = digits(12)
np.savetxt(folder + '/x.csv', x, delimiter=','); np.savetxt(folder + '/y.csv', y, delimiter=',')
it = mx.io.CSVIter(data_csv=folder + '/x.csv', data_shape=(8,), label_csv=folder + '/y.csv', label_shape=(1,), batch_size=4)
m = mx.mod.Module(mlp(), label_names=['label'] if it.provide_label[0].name == 'label' else ['softmax_label'])
r = it.provide_data[0].name, it.provide_label[0].name, it.provide_label[0].shape, [b.data[0].shape for b in it]
""",
    "weights tied through an embedding": """
w = S.var('embed_weight', shape=(6, 4))
e = S.Embedding(S.var('data'), weight=w, input_dim=6, output_dim=4, name='embed')
out = S.FullyConnected(S.Reshape(e, shape=(-1, 4)), weight=w, num_hidden=6, no_bias=True, name='dec')
net = S.SoftmaxOutput(out, S.Reshape(S.var('softmax_label'), shape=(-1,)), name='softmax')
m = mx.mod.Module(net)
m.bind([('data', (2, 3))], [('softmax_label', (2, 3))]); m.init_params(Waves()); m.init_optimizer(optimizer_params={'learning_rate': 0.5})
for _ in range(3):
    m.forward_backward(mx.io.DataBatch([nd.array([[0, 1, 2], [3, 4, 5]])], [nd.array([[1, 2, 3], [4, 5, 0]])])); m.update()
r = net.list_arguments(), near(m.get_params()[0])
""",
    "unrolled GRU with attention": """
T, N, C, H = 3, 2, 4, 3
cell = mx.rnn.GRUCell(H, prefix='g_')
outs, _ = cell.unroll(T, S.var('data'), layout='NTC', merge_outputs=True)
query = S.FullyConnected(S.slice_axis(outs, axis=1, begin=T - 1, end=T).reshape((0, -1)), num_hidden=H, name='q')
scores = S.batch_dot(outs, S.expand_dims(query, axis=2))
att = S.softmax(scores, axis=1)
ctx = S.sum(S.broadcast_mul(outs, att), axis=1)
net = S.LinearRegressionOutput(S.FullyConnected(ctx, num_hidden=1, name='o'), S.var('label'))
exe = net.simple_bind(mx.cpu(), data=(N, T, C), label=(N, 1))
for i, (k, a) in enumerate(sorted(exe.arg_dict.items())): a[:] = wave(a.shape, i)
exe.forward(is_train=True); exe.backward()
r = exe.outputs, short(exe.grad_dict['g_i2h_weight'].asnumpy()), short(exe.grad_dict['q_weight'].asnumpy())
""",
    "residual network of symbols": """
def unit(data, n, name, match):
    b = S.BatchNorm(data, fix_gamma=False, eps=2e-5, momentum=0.9, name=name + '_bn1')
    a = S.Activation(b, act_type='relu', name=name + '_relu1')
    c = S.Convolution(a, num_filter=n, kernel=(3, 3), pad=(1, 1), no_bias=True, workspace=256, name=name + '_conv1')
    s = data if match else S.Convolution(a, num_filter=n, kernel=(1, 1), no_bias=True, name=name + '_sc')
    return c + s
net = S.var('data')
net = S.BatchNorm(net, fix_gamma=True, eps=2e-5, name='bn_data')
for i in range(3): net = unit(net, 4, 'u%d' % i, i > 0)
net = S.Pooling(net, global_pool=True, kernel=(7, 7), pool_type='avg', name='pool1')
net = S.SoftmaxOutput(S.FullyConnected(S.Flatten(net), num_hidden=3, name='fc1'), name='softmax')
m = mx.mod.Module(net)
m.bind([('data', (2, 3, 6, 6))], [('softmax_label', (2,))]); m.init_params(Waves()); m.init_optimizer(optimizer='nag', optimizer_params={'learning_rate': 0.05, 'momentum': 0.9, 'wd': 1e-4})
for _ in range(2):
    m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 3, 6, 6)))], [nd.array([0, 2])])); m.update()
a, x = m.get_params()
r = net.list_auxiliary_states(), near({k: a[k] for k in ('fc1_bias', 'u1_bn1_beta', 'bn_data_gamma')}), short(m.get_outputs()[0].asnumpy())
""",
    "fixed parameters of a net": """
net = mlp()
m = mx.mod.Module(net, fixed_param_names=[n for n in net.list_arguments() if n.startswith('fc1')])
x, y = digits()
m.fit(mx.io.NDArrayIter(x, y, 16), num_epoch=2, initializer=Waves(), optimizer_params={'learning_rate': 0.5})
start = wave((8, 8), len('fc1_weight') % 7, 0.5)
r = bool((m.get_params()[0]['fc1_weight'].asnumpy() == start).all()), near({k: v for k, v in m.get_params()[0].items() if 'fc2' in k}), [g[0] is None for g in m._exec_group.grad_arrays], m._exec_group.param_names
""",
    "frozen layers by lr_mult": """
data = S.var('data')
net = S.FullyConnected(data, num_hidden=8, name='fc1', attr={'lr_mult': '0'})
net = S.SoftmaxOutput(S.FullyConnected(net, num_hidden=4, name='fc2'), name='softmax')
m = mx.mod.Module(net)
x, y = digits()
m.fit(mx.io.NDArrayIter(x, y, 16), num_epoch=2, initializer=Waves(), optimizer_params={'learning_rate': 0.5})
start = wave((8, 8), len('fc1_weight') % 7, 0.5)
r = bool(np.allclose(m.get_params()[0]['fc1_weight'].asnumpy(), start)), near({'b': m.get_params()[0]['fc2_bias']}), sorted(m._optimizer.lr_mult.items()), sorted(m._optimizer.wd_mult.items())
""",
    "logged parameters of an optimizer through set_lr_mult": """
m = mx.mod.Module(mlp()); m.bind([('data', (2, 8))], [('softmax_label', (2,))]); m.init_params(Waves())
opt = mx.optimizer.SGD(learning_rate=0.1, param_idx2name={i: n for i, n in enumerate(m._param_names)})
opt.set_lr_mult({'fc1_weight': 0.0}); opt.set_wd_mult({'fc2_weight': 3.0})
m.init_optimizer(optimizer=opt)
m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 8)))], [nd.array([0, 1])])); m.update()
r = near(m.get_params()[0]), sorted(opt.wd_mult.items())
""",
    "installing a monitor on a module": """
m = mx.mod.Module(mlp()); m.bind([('data', (2, 8))], [('softmax_label', (2,))]); m.init_params(Waves())
mon = mx.mon.Monitor(1, stat_func=lambda a: nd.norm(a), pattern='fc[12]_(output|weight)|softmax_output', sort=True)
m.install_monitor(mon)
mon.tic()
m.forward_backward(mx.io.DataBatch([nd.array(wave((2, 8)))], [nd.array([0, 1])]))
r = [(n, k, np.float16(v.strip())) for n, k, v in mon.toc()]
""",
    "group of an inner output and a loss": """
inner = mlp().get_internals()
net = S.Group([mlp(), inner['fc1_output']])
r = net.list_outputs(), net.list_arguments()
""",
    "partial forward by hand": """
net = mlp()
exe = net.simple_bind(mx.cpu(), data=(2, 8))
for i, a in enumerate(exe.arg_arrays): a[:] = wave(a.shape, i)
found = {}
inner = net.get_internals()
for name in inner.list_outputs():
    if name.endswith('_output'):
        s = inner[name]
        found[name] = s.eval(**{k: exe.arg_dict[k] for k in s.list_arguments()})[0]
r = found
""",
    "deep copy keeps a net apart": """
import copy
a = S.FullyConnected(S.var('data'), num_hidden=2, name='f')
b = copy.deepcopy(a)
a._set_attr(__mood__='x')
r = a.attr('__mood__'), b.attr('__mood__'), b.list_arguments(), (a + b).list_arguments()
""",
    "name managers nest and restore": """
found = []
with mx.name.NameManager():
    found.append(S.relu(S.var('x')).name)
    with mx.name.Prefix('a_'):
        found.append(S.relu(S.var('x')).name)
        with mx.name.NameManager():
            found.append(S.relu(S.var('x')).name)
        found.append(S.relu(S.var('x')).name)
    found.append(S.relu(S.var('x')).name)
r = found
""",
    "a name manager of your own": """
class Upper(mx.name.NameManager):
    def get(self, name, hint):
        return super().get(name, hint).upper()
with Upper():
    s = S.FullyConnected(S.var('x'), num_hidden=1) + 1
r = s.list_arguments(), s.name
""",
    "gluon names inside a prefix": """
with mx.name.Prefix('p_'):
    net = mx.gluon.nn.HybridSequential()
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(2))
    out = net(S.var('data'))
r = [n.split('_', 1)[1] for n in out.list_arguments()[1:]], out.name.split('_', 1)[1]
""",
    "attributes reach gluon's nodes": """
class Net(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x):
        with mx.AttrScope(__tag__='t'):
            return F.relu(x) + 1
out = Net(prefix='n_')(S.var('data'))
r = {k: sorted(v.items()) for k, v in sorted(out.attr_dict().items())}, out.list_outputs()
""",
    "linear regression the old way": """
rng = np.random.RandomState(0)
X = rng.rand(40, 2).astype('float32'); Yv = X.dot([[2.0], [-3.4]]).astype('float32') + 4.2
it = mx.io.NDArrayIter(X, Yv, 10, shuffle=False, label_name='lin_reg_label')
net = S.LinearRegressionOutput(S.FullyConnected(S.Variable('data'), name='fc1', num_hidden=1), S.Variable('lin_reg_label'), name='lro')
m = mx.mod.Module(net, data_names=['data'], label_names=['lin_reg_label'])
m.fit(it, it, optimizer_params={'learning_rate': 0.3, 'momentum': 0.5}, num_epoch=10, eval_metric='mse', initializer=mx.init.Zero())
r = near(m.get_params()[0]), [(k, np.float16(v)) for k, v in m.score(it, ['mse', 'mae', 'rmse'])], short(m.predict(it)[:3].asnumpy())
""",
    "logistic regression on two classes": """
x, y = digits(40, 2)
net = S.LogisticRegressionOutput(S.FullyConnected(S.var('data'), num_hidden=1, name='fc'), name='softmax')
m = mx.mod.Module(net)
it = mx.io.NDArrayIter(x, y.reshape(-1, 1), 10)
m.fit(it, num_epoch=3, initializer=Waves(), optimizer='adam', optimizer_params={'learning_rate': 0.1}, eval_metric=mx.metric.create(lambda l, p: float(((p > 0.5) == l).mean())))
r = near(m.get_params()[0])
""",
    "python loss module at the end of a chain": """
import logging
net = S.FullyConnected(S.var('data'), num_hidden=4, name='fc')
seq = mx.mod.SequentialModule()
seq.add(mx.mod.Module(net, label_names=None))
seq.add(mx.mod.PythonLossModule(grad_func=lambda scores, labels: nd.softmax(scores) - nd.one_hot(labels, 4)), take_labels=True, auto_wiring=True)
x, y = digits()
it = mx.io.NDArrayIter(x, y, 16)
seq.fit(it, num_epoch=3, initializer=Waves(), optimizer_params={'learning_rate': 0.3})
r = near(seq.get_params()[0]), [(k, np.float16(v)) for k, v in seq.score(it, 'acc')]
""",
    "boolean mask in a graph": """
s = S.contrib.boolean_mask(S.var('x'), S.var('m')) * 2
exe = s.bind(mx.cpu(), {'x': nd.array([[1, 2], [3, 4], [5, 6]]), 'm': nd.array([0, 1, 1])}, {'x': nd.zeros((3, 2))})
exe.forward(is_train=True)
exe.backward(nd.ones((2, 2)))
r = exe.outputs, exe.grad_dict['x'], s.infer_shape_partial(x=(3, 2), m=(3,)), s.infer_shape(x=(3, 2), m=(3,))
""",
    "random symbols follow the seed": """
s = S.Group([S.random.uniform(0, 1, shape=(3,)), S.random.normal(0, 1, shape=(3,))])
exe = s.bind(mx.cpu(), {})
mx.random.seed(3); a = [o.copy() for o in exe.forward()]
mx.random.seed(3); b = [o.copy() for o in exe.forward()]
c = [o.copy() for o in exe.forward()]
r = [bool((p == q).asnumpy().all()) for p, q in zip(a, b)], [bool((p == q).asnumpy().all()) for p, q in zip(a, c)], [o.shape for o in a]
""",
    "gradients through random samples": """
mu, sigma = S.var('mu'), S.var('sigma')
s = mu + sigma * S.random.normal(0, 1, shape=(4,))
exe = s.bind(mx.cpu(), {'mu': nd.zeros(4), 'sigma': nd.ones(4)}, {'mu': nd.zeros(4), 'sigma': nd.zeros(4)})
out = exe.forward(is_train=True)[0].asnumpy()
exe.backward(nd.ones(4))
r = exe.grad_dict['mu'], bool(np.allclose(exe.grad_dict['sigma'].asnumpy(), out))
""",
    "mirrored memory attributes are accepted": """
with mx.AttrScope(force_mirroring='True', mirror_stage='True'):
    net = mlp()
exe = net.simple_bind(mx.cpu(), data=(2, 8))
for i, a in enumerate(exe.arg_arrays): a[:] = wave(a.shape, i)
exe.forward(is_train=True); exe.backward()
r = short(exe.grad_dict['fc1_bias'].asnumpy()), net.attr('force_mirroring'), net.attr('__mirror_stage__')
""",
    "profile-like loop over executors": """
net = mlp()
shared = net.simple_bind(mx.cpu(), data=(8, 8))
for i, a in enumerate(shared.arg_arrays): a[:] = wave(a.shape, i)
r = []
for n in (8, 4, 2):
    exe = shared.reshape(partial_shaping=True, data=(n, 8))
    exe.arg_dict['data'][:] = wave((n, 8))
    r.append(exe.forward()[0].copy())
""",
    "hooks on a hybridized net": """
seen = []
net = mx.gluon.nn.HybridSequential(prefix='n_')
with net.name_scope(): net.add(mx.gluon.nn.Dense(2, in_units=3))
net.initialize(mx.init.One())
h = net.register_forward_hook(lambda b, i, o: seen.append(('after', b.name, i[0].shape, o.shape)))
p = net.register_forward_pre_hook(lambda b, i: seen.append(('before', b.name, i[0].shape)))
net.hybridize(); net(nd.ones((1, 3))); net(nd.ones((2, 3)))
h.detach(); net(nd.ones((1, 3)))
r = seen
""",
    "infer_shape of a block": """
net = mx.gluon.nn.HybridSequential(prefix='n_')
with net.name_scope(): net.add(mx.gluon.nn.Conv2D(2, 3), mx.gluon.nn.Dense(3))
net.initialize(mx.init.One())
net.infer_shape(nd.ones((1, 4, 5, 5)))
r = [(k, p.shape) for k, p in net.collect_params().items()]
""",
    "infer_type of a block": """
net = mx.gluon.nn.Dense(3, in_units=2, prefix='d_')
net.infer_type(nd.ones((1, 2), dtype='float32'))
r = [(k, p.dtype) for k, p in net.collect_params().items()]
""",
    "infer_type of a block with other types": """
net = mx.gluon.nn.Dense(3, in_units=2, prefix='d_')
r = net.infer_type(nd.ones((1, 2), dtype='float16'))
""",
}

_CALLS = """
import json, os, warnings
warnings.simplefilter('ignore')
S, G, nn = mx.sym, mx.gluon, mx.gluon.nn
x, y = S.var('x'), S.var('y')
X = nd.array([[1, -2, 3], [4, 5, -6.]])
class Net(G.HybridBlock):
    def __init__(self, f):
        super().__init__(prefix='n_')
        self.f = f
    def hybrid_forward(self, F, *args):
        return self.f(F, *args)
def call(f, *args, hybrid=True):
    net = Net(f)
    net.hybridize(hybrid)
    return net(*args)
def both(f, *args):
    return [call(f, *args, hybrid=h) for h in (False, True)]
def grads(f, *args):
    found = []
    for h in (False, True):
        for a in args: a.attach_grad()
        net = Net(f); net.hybridize(h)
        with autograd.record(): out = net(*args)
        out.backward()
        found.append([out] + [a.grad for a in args])
    return found
def dense(hybrid=True, **kw):
    net = nn.Dense(2, prefix='d_', **kw)
    net.initialize(mx.init.One())
    net.hybridize(hybrid)
    return net
"""

PROGRAMS = {
    **{name: SETUP + source for name, source in _SOURCES.items()},
    **of(
        _CALLS,
        """
        both(lambda F, a: F.concat(a, a * 2, dim=1), X)
        both(lambda F, a: F.split(a, num_outputs=3, axis=1), X)
        both(lambda F, a: F.split(a, num_outputs=3, axis=1)[1], X)
        both(lambda F, a: F.split(a, 1), X)
        both(lambda F, a: [F.relu(a), (a, a * 2)], X)
        both(lambda F, a: F.zeros((2, 3)) + a, X)
        both(lambda F, a: F.ones(shape=(2, 3)) * a, X)
        both(lambda F, a: F.arange(6).reshape((2, 3)) - a, X)
        both(lambda F, a: F.full((2, 3), 2.0) * a, X)
        both(lambda F, a: F.dot(a, a, transpose_b=True), X)
        both(lambda F, a: F.linalg.gemm2(a, a, transpose_b=True), X)
        both(lambda F, a: a.slice_axis(axis=1, begin=1, end=None), X)
        both(lambda F, a: a.reshape((-1,)).topk(k=2, ret_typ='both'), X)
        both(lambda F, a: F.where(a > 0, a, F.zeros_like(a)), X)
        both(lambda F, a: F.broadcast_like(a.sum(axis=1, keepdims=True), a), X)
        both(lambda F, a: F.take(a, F.arange(2), axis=1), X)
        both(lambda F, a: F.one_hot(F.argmax(a, axis=1), 3), X)
        both(lambda F, a: F.maximum(a, 0) + F.minimum(a, 0), X)
        both(lambda F, a: F.power(a, 2) + F.hypot(a, 3), X)
        both(lambda F, a: 2 ** a + a ** 2 - 1 / a, X)
        both(lambda F, a: a % 2 + 5 % a, X)
        both(lambda F, a: -abs(a), X)
        both(lambda F, a: (a > 1) * (a <= 4) + (a == 3) + (a != 3), X)
        both(lambda F, a: a.astype('int32') + 1, X)
        both(lambda F, a: F.cast(a, 'float64'), X)
        both(lambda F, a: F.stack(a, a, axis=1), X)
        both(lambda F, a: F.add_n(a, a, a), X)
        both(lambda F, a: F.pick(a, F.zeros((2,))), X)
        both(lambda F, a: F.sequence_mask(a, F.ones((3,)), use_sequence_length=True) if hasattr(F, 'sequence_mask') else F.SequenceMask(a, F.ones((3,)), use_sequence_length=True), X)
        both(lambda F, a: F.contrib.boolean_mask(a, F.arange(2)), X)
        both(lambda F, a: F.BlockGrad(a), X)
        both(lambda F, a: F.contrib.foreach(lambda d, s: (d + s, d * s), a, F.ones((3,))), X)
        both(lambda F, a: F.contrib.cond(F.sum(a) > 0, lambda: a, lambda: -a), X)
        both(lambda F, a: F.moments(a, axes=(0,)), X)
        both(lambda F, a: F.norm(a, ord=1, axis=1), X)
        both(lambda F, a: F.L2Normalization(a), X)
        both(lambda F, a: F.softmax_cross_entropy(a, F.zeros((2,))), X)
        both(lambda F, a: F.smooth_l1(a, scalar=1.0), X)
        both(lambda F, a: F.gamma(F.abs(a)) + F.gammaln(F.abs(a)), X)
        both(lambda F, a: F.erf(a) + F.erfinv(a / 10), X)
        both(lambda F, a: F.diag(a), X)
        both(lambda F, a: F.depth_to_space(a.reshape((1, 6, 1, 1)).tile((1, 2, 1, 1)), 2), X)
        both(lambda F, a: F.Pad(a.reshape((1, 1, 2, 3)), mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 1, 1)), X)
        both(lambda F, a: F.UpSampling(a.reshape((1, 1, 2, 3)), scale=2, sample_type='nearest'), X)
        both(lambda F, a: F.Pooling(a.reshape((1, 1, 2, 3)), kernel=(2, 2), pool_type='avg'), X)
        both(lambda F, a: F.LRN(a.reshape((1, 6, 1, 1)), nsize=3), X)
        both(lambda F, a: a, X)
        both(lambda F, a, b: b, X, X * 2)
        both(lambda F, a: F.nothing(a), X)
        both(lambda F, a: F.FullyConnected(a, num_hidden=2), X)
        both(lambda F, a: F.relu(a, nothing=3), X)
        both(lambda F, a: a[0], X)
        both(lambda F, a: float(a), X)
        grads(lambda F, a: (a * a).sum(), X)
        grads(lambda F, a, b: F.dot(a, b, transpose_b=True).sum(), X, X + 1)
        grads(lambda F, a: F.BlockGrad(a) * a, X)
        grads(lambda F, a: F.MakeLoss(a * 2, grad_scale=3), X)
        grads(lambda F, a: F.where(a > 0, a * 2, a * 3), X)
        grads(lambda F, a: F.clip(a, -1, 1) * a, X)
        grads(lambda F, a: F.max(a, axis=1), X)
        grads(lambda F, a: F.topk(a, k=2, ret_typ='value'), X)
        grads(lambda F, a: F.concat(a, a * 2, dim=0), X)
        grads(lambda F, a: F.slice_axis(a, axis=1, begin=1, end=2), X)
        grads(lambda F, a: F.contrib.foreach(lambda d, s: (d * s, d + s), a, F.ones((3,)))[0], X)
        grads(lambda F, a: F.norm(a), X)
        grads(lambda F, a: F.softmax(a)[0] if False else F.softmax(a) * F.log_softmax(a), X)
        grads(lambda F, a: F.SoftmaxOutput(a, F.zeros((2,))), X)
        dense(in_units=3)(X).shape
        dense()(X).shape
        dense(in_units=4)(X)
        dense()(X.reshape((2, 3, 1))).shape
        dense(flatten=False)(X.reshape((2, 3, 1))).shape
        dense()(x).list_arguments()
        dense()('a')
        dense()(None)
        dense()()
        dense()([X])
        (lambda n: (n(X), n(nd.ones((4, 3))), n(nd.ones((1, 3)))))(dense())
        (lambda n: (n(X), n(nd.ones((4, 5)))))(dense())
        (lambda n: (n(X), n.hybridize(False), n(X)))(dense())
        (lambda n: (n(X), n.collect_params().zero_grad(), n.weight.grad()))(dense())
        (lambda n: (n(X), n.weight.set_data(nd.zeros((2, 3))), n(X)))(dense())
        (lambda n: (n(X), n.export(folder + '/a', epoch=12), sorted(os.listdir(folder))))(dense())
        (lambda n: (n(X), n.export(folder + '/no/a')))(dense())
        (lambda n: (n(X), n.export(folder + '/a'), json.load(open(folder + '/a-symbol.json'))['nodes'][1]['name'], sorted(nd.load(folder + '/a-0000.params'))))(dense())
        (lambda n: (n(X), n.save_parameters(folder + '/p'), sorted(nd.load(folder + '/p'))))(dense())
        (lambda n: (n(X), n.export(folder + '/a'), G.SymbolBlock.imports(folder + '/a-symbol.json', ['data'], folder + '/a-0000.params')(X)))(dense())
        (lambda n: (n(X), n.export(folder + '/a'), G.SymbolBlock.imports(folder + '/a-symbol.json', ['data'])(X)))(dense())
        (lambda n: (n(X), n.export(folder + '/a'), G.SymbolBlock.imports(folder + '/a-symbol.json', ['data'], folder + '/a-0000.params')(X, X)))(dense())
        (lambda n: (n(X), n.export(folder + '/a'), G.SymbolBlock.imports(folder + '/a-symbol.json', ['data'], folder + '/nothing')))(dense())
        G.SymbolBlock.imports(folder + '/nothing', ['data'])
        G.SymbolBlock(x + y, [x, y])(X, X)
        G.SymbolBlock(x + y, [x, y])(X)
        G.SymbolBlock(x + y, x)(X)
        G.SymbolBlock([x + y, x * y], [x, y])(X, X)
        G.SymbolBlock(S.Group([x + y, x * y]), [x, y])(X, X)
        G.SymbolBlock(x + y, [x + 1, y])
        G.SymbolBlock(x + y, ['x', 'y'])
        G.SymbolBlock(x + y, [x, y])(x, y).list_arguments()
        G.SymbolBlock(S.FullyConnected(x, num_hidden=2, name='f'), x).collect_params().keys()
        repr(G.SymbolBlock(x + y, [x, y])).splitlines()[0][:11]
        """,
    ),
}

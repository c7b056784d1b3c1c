"""Programs that compute with symbols and ask what came of it."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

from .core import of

SETUP = """
import copy, json, pickle, warnings
warnings.simplefilter('ignore')
S = mx.sym
x, y, z = S.var('x'), S.var('y'), S.var('z')
X, Y = nd.array([[1, -2, 3], [4, 5, -6.]]), nd.array([[2, 2, 2], [3, 1, 0.5]])
def val(s, **more):
    given = dict(x=X, y=Y, **more)
    return s.eval(**{k: v for k, v in given.items() if k in s.list_inputs()})
def mlp(prefix=''):
    net = S.FullyConnected(S.var('data'), num_hidden=4, name=prefix + 'fc1')
    net = S.Activation(net, act_type='relu', name=prefix + 'relu1')
    net = S.FullyConnected(net, num_hidden=3, name=prefix + 'fc2')
    return S.SoftmaxOutput(net, name=prefix + 'softmax')
def block():
    net = S.Convolution(S.var('data'), kernel=(3, 3), num_filter=4, name='conv', no_bias=True)
    net = S.BatchNorm(net, name='bn', fix_gamma=False)
    return S.Pooling(S.Activation(net, act_type='relu', name='act'), global_pool=True, kernel=(1, 1), pool_type='avg', name='pool')
def attrs(s):
    return sorted((k, sorted(v.items())) for k, v in s.attr_dict().items())
def outs(s):
    return s.list_outputs()
"""

PROGRAMS = of(
    SETUP,
    """
    val(x + np.float32(2))
    val(np.float32(2) * x)
    val(x * np.float64(0.5))
    val(np.float64(2) - x)
    val(x / np.int32(2))
    val(x ** np.int64(2))
    val(x + True)
    val(x == np.float32(3))
    val(x != 3)
    val(x > np.int64(1))
    val(3 >= x)
    val(3 < x)
    val(x + np.array(2))
    val(x + np.array([2.0]))
    val(x + nd.array([2]))
    val(x + None)
    val(x + [1])
    val(None * x)
    val(x // 2)
    val(x @ y)
    val(divmod(x, 2))
    val(x and y)
    val(~x)
    val(x & 1)
    val(round(x))
    val(x.__truediv__(2))
    val(x.__rtruediv__(2))
    val(x.__rsub__(y))
    val(x.__rsub__(2))
    val(x.__rmod__(5))
    val(x.__rpow__(2))
    val(x.__neg__())
    val(x.__abs__())
    x is x[0]
    x[0].name
    x[1]
    x['x'].name
    x['x_output']
    (x + y)['nothing']
    len(x)
    len(S.split(x, num_outputs=3))
    [s.name for s in S.split(x, num_outputs=3)]
    S.split(x, num_outputs=3)[0:2].list_outputs()
    S.split(x, num_outputs=3)[1.0]
    S.split(x, num_outputs=3)[np.int64(1)].list_outputs()
    S.split(x, num_outputs=3, name='s')['s_output1'].list_outputs()
    mlp()[0].list_outputs()
    list(mlp())[0].name
    [s.name for s in block().get_internals()]
    len(block().get_internals())
    block().get_internals()['bn_output'].list_auxiliary_states()
    block().get_internals()['bn_moving_mean'].list_arguments()
    block().get_internals()['bn_moving_mean'].list_auxiliary_states()
    block().get_internals()[1].name
    block().get_internals()['bn']
    block().get_internals()['bn_mean'].list_outputs()
    block().get_children().name
    outs(block().get_children())
    outs(block().get_children().get_children())
    mlp().get_children()[0].name
    mlp().get_children().get_children().get_children().list_outputs()
    outs(S.Group([x + y, y * z]).get_children())
    outs(S.Group([x + y, x + y]))
    outs(S.Group([x, x]))
    S.Group([mlp('a_'), mlp('b_')]).list_arguments()
    S.Group([S.Group([x, y]), z]).list_outputs()
    S.Group((x, y)).list_outputs()
    S.Group([x, 3])
    S.Group([x, None])
    S.Group(None)
    S.Group([mlp(), block()]).list_auxiliary_states()
    S.Group([x + y, x * 2]).get_internals().list_outputs()
    S.Group([x, y]).infer_shape(x=(1, 2), y=(3,))
    val(S.Group([x + y, x * 2]))
    S.Group([x + 1, y]).attr('k')
    S.Group([x, y]).list_attr()
    S.Group([x, y]) + 1
    S.Group([x, y]) + S.Group([y, x])
    S.relu(S.Group([x, y]))
    S.concat(S.Group([x, y]), dim=0)
    S.concat(*S.Group([x, y]), dim=0).list_arguments()
    copy.copy(mlp()).list_arguments()
    copy.deepcopy(mlp()).tojson() == mlp().tojson()
    pickle.loads(pickle.dumps(mlp())).list_outputs()
    pickle.loads(pickle.dumps(block())).attr_dict() == block().attr_dict()
    pickle.loads(pickle.dumps(S.Group([x, y + 1]))).list_outputs()
    pickle.loads(pickle.dumps({'net': mlp()}, protocol=2))['net'].name
    mlp().__class__.__name__
    str(mlp())
    str(S.Group([x, y]))
    repr(x)
    '%s' % S.var('hello')
    str(S.split(x, num_outputs=2)[1])
    x.name
    (x + y).name
    S.Group([x, y]).name is None
    mlp().debug_str().splitlines()[0]
    isinstance(x, mx.symbol.Symbol)
    mx.sym.Symbol is mx.symbol.symbol.Symbol
    type(mx.sym.var('q')).__module__
    mx.sym.Variable is mx.sym.var
    mx.sym.Variable('q').name
    mx.symbol is mx.sym
    mx.sym.Symbol
    sorted(k for k in json.loads(mlp().tojson()))
    json.loads(mlp().tojson())['attrs']
    [n['name'] for n in json.loads(mlp().tojson())['nodes']]
    json.loads((x + 1).tojson())['nodes']
    json.loads(S.var('w', attr={'a': 'b'}).tojson())['nodes']
    mx.sym.load_json(block().tojson()).list_auxiliary_states()
    mx.sym.fromjson(block().tojson()).list_auxiliary_states()
    attrs(mx.sym.load_json(block().tojson())) == attrs(block())
    mx.sym.load_json(S.Group([x + 1, y]).tojson()).list_outputs()
    mx.sym.load_json((x + y).tojson())(x=z).list_arguments()
    mx.sym.load_json(mlp().tojson().encode())
    mx.sym.load_json(json.dumps(json.loads(mlp().tojson()))).list_outputs()
    mx.sym.load(3)
    mlp().save(3)
    mlp().save(folder + '/no/such/place.json')
    (mlp().save(folder + '/s.json'), mx.sym.load(folder + '/s.json').list_outputs())[1]
    (mlp().save(folder + '/s.json', remove_amp_cast=False), mx.sym.load(folder + '/s.json').list_outputs())[1]
    mlp().tojson(remove_amp_cast=False) == mlp().tojson()
    mx.sym.amp_cast(x, dtype='float16').tojson() == x.tojson()
    'amp_cast' in mx.sym.amp_cast(x, dtype='float16').tojson(remove_amp_cast=False)
    S.amp_multicast(x, y, num_outputs=2).list_outputs()
    x.list_attr()
    mlp().list_attr()
    attrs(mlp())
    mlp().get_internals()['fc1_weight'].list_attr()
    mlp().get_internals()['fc1_output'].attr('num_hidden')
    S.var('w', init=mx.init.Xavier(magnitude=2)).attr('__init__')
    S.var('w', init='zeros').attr('__init__')
    S.var('w', init=mx.init.Uniform(0.3)).list_attr()
    S.var('w', init=3)
    S.var('w', shape=(1, 0, 3)).list_attr()
    S.var('w', shape=5)
    S.var('w', shape=[2, 3]).list_attr()
    S.var('w', shape=()).list_attr()
    S.var('w', dtype='float64').list_attr()
    S.var('w', dtype=np.int8).list_attr()
    S.var('w', dtype='nonsense')
    S.var('w', stype='csr').list_attr()
    S.var('w', stype='dense')
    S.var('w', lr_mult='2').list_attr()
    S.var('w', foo='2')
    S.var('w', __foo__=2)
    S.var('w', __foo__='2').list_attr()
    S.var('w', attr={'__shape__': '(2,)'}).infer_shape()
    S.var('')
    S.var(None)
    S.var(b'w')
    S.var()
    S.var(name='w').name
    S.var('w', {'a': 'b'}).attr('a')
    S.var('a b/c').name
    S.FullyConnected(x, num_hidden=2, lr_mult=3)
    S.FullyConnected(x, num_hidden=2, attr={'__lr_mult__': '3'}).list_attr()
    attrs(S.FullyConnected(x, num_hidden=2, attr={'__lr_mult__': '3'}, name='f'))
    attrs(S.FullyConnected(x, num_hidden=2, attr={'__weight_lr_mult__': '3'}, name='f'))
    attrs(S.Activation(x, act_type='relu', __layout__='NC', name='f'))
    attrs(S.Convolution(x, kernel=(1, 1), num_filter=1, attr={'__ctx_group__': 'd'}, name='f'))
    x._set_attr(a='b')
    (x._set_attr(a='b'), x.attr('a'))[1]
    (x._set_attr(__lr_mult__='2'), x.attr_dict())[1]
    x._set_attr(a=3)
    (mlp()._set_attr(mood='angry'))
    (lambda n: (n._set_attr(mood='angry'), n.attr('mood'), n.list_attr()))(mlp())
    mx.AttrScope(a='b').get(None)
    mx.AttrScope(a='b').get({'c': 'd'})
    mx.AttrScope(a='b').get({'a': 'd'})
    mx.AttrScope(a=3)
    mx.attribute.current().get({})
    mx.AttrScope is mx.attribute.AttrScope
    (mx.AttrScope(a='1').__enter__().__exit__(None, None, None))
    mx.name.NameManager().get('a', 'hint')
    (lambda m: (m.get(None, 'fc'), m.get(None, 'fc'), m.get(None, 'conv')))(mx.name.NameManager())
    (lambda m: (m.get(None, 'fc'), m.get('q', 'fc'), m.get(None, 'fc')))(mx.name.Prefix('p_'))
    mx.name.current().get(None, 'zzz')
    mx.name.Prefix(3).get(None, 'a')
    S.FullyConnected(x, num_hidden=2).name
    [S.FullyConnected(x, num_hidden=2).name for _ in range(3)]
    [S.Convolution(x, kernel=(1, 1), num_filter=1).name, S.BatchNorm(x).name, S.SoftmaxOutput(x).name, (x + 1).name, x.sum().name, S.Concat(x, y).name]
    [x.reshape((1, 2)).name, x.transpose().name, x.T.name, S.zeros((1,)).name, S.ones((1,)).name, S.arange(3).name, S.random.normal().name, S.full((1,), 2).name]
    [(-x).name, abs(x).name, (x ** 2).name, (2 ** x).name, (1 / x).name, (1 - x).name, (x > 1).name, (x == y).name, (x % y).name]
    S.broadcast_add(x, y, name='sum').list_outputs()
    x.sum(axis=1, name='total').list_outputs()
    S.concat(x, y, name='joined').list_outputs()
    S.FullyConnected(x, num_hidden=2, name='')
    S.FullyConnected(x, num_hidden=2, name=None).name
    S.Activation(x, act_type='nope')
    S.Activation(x)
    S.Activation(act_type='relu', name='a').list_arguments()
    S.Activation(data=x, act_type='relu', name='a').list_arguments()
    S.Activation(nothing=x, act_type='relu', name='a').list_arguments()
    S.Activation(x, y, act_type='relu')
    S.Activation(x, 'relu').attr('act_type')
    S.Convolution(x, kernel=3, num_filter=3)
    S.Convolution(x, kernel=(3, 3), num_filter=-1)
    S.Convolution(x, num_filter=3)
    S.Convolution(x, kernel=(3, 3), num_filter=np.int64(3)).attr('num_filter')
    S.Convolution(x, kernel=np.array([3, 3]), num_filter=3)
    S.FullyConnected(x, num_hidden=3, no_bias='true').list_arguments()
    S.FullyConnected(x, num_hidden=3, no_bias=1).list_arguments()
    S.FullyConnected(x, num_hidden=3, no_bias='maybe')
    S.Dropout(x, p='0.3').attr('p')
    S.Dropout(x, p=0.1 + 0.2).attr('p')
    S.Dropout(x, p=np.float32(0.1)).attr('p')
    (x * 1e-20).attr('scalar')
    (x * 1e20).attr('scalar')
    (x * 3).attr('scalar')
    (x * 3.5).attr('scalar')
    (x * np.float32(0.1)).attr('scalar')
    (x * (1 / 3)).attr('scalar')
    (x * float('inf')).attr('scalar')
    (x + True).attr('scalar')
    S.sum(x, axis=(0, 1)).attr('axis')
    S.sum(x, axis=[0, 1]).attr('axis')
    S.sum(x, axis=1).attr('axis')
    S.sum(x).attr('axis')
    S.sum(x, axis=()).attr('axis')
    S.transpose(x, axes=[1, 0]).attr('axes')
    S.reshape(x, shape=(-1, 0)).attr('shape')
    S.reshape(x, (-1, 0)).attr('shape')
    x.reshape(-1, 0).attr('shape')
    x.reshape(shape=[-1]).attr('shape')
    x.reshape(2, 3, reverse=True).list_attr()
    S.cast(x, 'float16').list_attr()
    S.cast(x, np.uint8).attr('dtype')
    S.cast(x, np.dtype('float64')).attr('dtype')
    x.astype(np.float16).attr('dtype')
    x.astype(float)
    S.zeros(3).infer_shape()
    S.zeros((2, 3), dtype='int32').infer_type()
    S.zeros((0, 3)).infer_shape_partial()
    S.full((2, 2), 1.5).eval()
    S.arange(2, 10, 3).eval()
    S.arange(5, dtype='int32').eval()
    S.arange(3, repeat=2).eval()
    S.arange(5, infer_range=True)
    S.linspace(0, 1, 3).eval()
    S.linspace(0, 1, 3, endpoint=False, dtype='float64').eval()
    S.eye(2, 3, 1).eval()
    S.zeros_like(x).eval(x=X)
    S.random.uniform(shape=(3, 2)).infer_shape()
    S.random.uniform(0, 1, (2, 2)).eval()[0].shape
    S.random.normal(0, 0, shape=(2,)).eval()
    S.random.normal(loc=x, scale=y, shape=(2,)).infer_shape(x=(3,), y=(3,))
    S.random.normal(loc=x, scale=2)
    S.random.randint(3, 4, shape=(2,)).eval()
    S.random.poisson(0, shape=(2,)).eval()
    S.random.exponential(shape=(2,)).infer_shape()
    S.random.gamma(1, 1, (2,)).infer_type()
    S.random.negative_binomial(1, 1, (2,)).infer_shape()
    S.random.generalized_negative_binomial(shape=(2,)).infer_shape()
    S.random.multinomial(x, shape=4).infer_shape(x=(3, 5))
    S.random.multinomial(x, get_prob=True).infer_shape(x=(3, 5))
    S.random.shuffle(x).infer_shape(x=(3, 5))
    S.random.uniform_like(x).infer_shape(x=(3, 5))
    S.random_uniform(low=0, high=1, shape=(2, 2)).infer_shape()
    S.uniform(0, 1, shape=(2, 2)).infer_shape()
    S.normal(shape=(2, 2)).infer_shape()
    S.linalg.gemm(x, y, z, alpha=2.0).infer_shape(x=(2, 3), y=(3, 4), z=(2, 4))
    val(S.linalg.gemm2(x, y, transpose_b=True))
    val(S.linalg.syrk(x))
    S.linalg.potrf(x).eval(x=nd.array([[4, 2], [2, 5.]]))
    S.linalg.trsm(x, y).infer_shape(x=(3, 3), y=(3, 2))
    S.linalg.sumlogdiag(x).infer_shape(x=(4, 3, 3))
    S.linalg.extractdiag(x).eval(x=nd.array([[4, 2], [2, 5.]]))
    S.linalg.det(x).eval(x=nd.array([[4, 2], [2, 5.]]))
    S.linalg.inverse(x).eval(x=nd.array([[4, 2], [2, 5.]]))
    S.linalg.slogdet(x).list_outputs()
    S.linalg.syevd(x).infer_shape(x=(3, 3))
    S.linalg_gemm2(x, y).list_arguments()
    val(S.broadcast_maximum(x, y))
    val(S.broadcast_logical_and(x, y))
    val(x.slice_axis(axis=1, begin=-2, end=None))
    val(x.slice(begin=(0, 1), end=(None, 3)))
    val(S.slice(x, begin=(None, 2), end=(None, 0), step=(1, -1)))
    x[0:1]
    x[0, 1]
    x[:, 1]
    x[None]
    val(x.take(S.arange(2), axis=1))
    val(x.pick(S.zeros((2,))))
    val(x.one_hot(depth=2))
    val(x.topk(k=1))
    val(x.argmax(axis=1))
    val(x.argsort())
    val(x.sort())
    val(x.norm())
    val(x.sum(0))
    val(x.mean(axis=1, keepdims=True))
    val(x.prod(axis=1))
    val(x.max(), )
    val(x.min(axis=0))
    val(x.nansum())
    val(x.clip(0, 1))
    val(x.abs().sqrt().square().rsqrt())
    val(x.sign())
    val(x.round()), val(x.rint()), val(x.fix()), val(x.floor()), val(x.ceil()), val(x.trunc())
    val(x.tile((1, 2)))
    val(x.repeat(2, axis=0))
    val(x.flip(axis=1))
    val(x.swapaxes(0, 1))
    val(x.split(3, axis=1))
    val(x.split(num_outputs=3, axis=1, squeeze_axis=True))
    val(x.squeeze())
    val(x.expand_dims(0))
    val(x.broadcast_to((2, 3)))
    val(x.broadcast_like(y))
    val(x.broadcast_axes(axis=0, size=2))
    val(x.pad(mode='constant', pad_width=(0, 0, 0, 0, 1, 1)))
    val(x.softmax(axis=1))
    val(x.log_softmax())
    val(x.softmin())
    val(x.diag())
    val(x.depth_to_space(1))
    val(x.reshape_like(y))
    val(x.zeros_like()), val(x.ones_like())
    val(x.slice_like(y, axes=(1,)))
    val(x.shape_array()), val(x.size_array())
    val(x.sigmoid()), val(x.relu()), val(x.tanh()), val(x.exp()), val(x.expm1())
    val(x.dot(y, transpose_b=True))
    x.asnumpy()
    x.asscalar()
    x.shape
    x.ndim
    x.size
    x.dtype
    x.context
    x.copy()
    x.backward()
    x.wait_to_read()
    x.asnumpy
    x.as_in_context(mx.cpu())
    x.nothing
    x.T.list_outputs()
    x.grad
    x.gradient(['x'])
    x.as_nd_ndarray().name
    (x + y).list_inputs()
    block().list_inputs()
    block().list_arguments() + block().list_auxiliary_states() == sorted(block().list_inputs(), key=(block().list_arguments() + block().list_auxiliary_states()).index)
    block().num_outputs
        """,
)

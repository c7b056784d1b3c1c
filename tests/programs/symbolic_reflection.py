"""Programs that ask symbols about themselves, as authors of libraries do, and bind them wrongly."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

from .core import of

SETUP = """
import copy, json, pickle, warnings, contextlib, io
warnings.simplefilter('ignore')
S = mx.sym
v = S.var
x, y, z = S.var('x'), S.var('y'), S.var('z')
X, Y = nd.array([[1, -2, 3], [4, 5, -6.]]), nd.array([[2, 2, 2], [3, 1, 0.5]])
def wave(shape, start=0.0, scale=1.0):
    return (np.sin(np.arange(int(np.prod(shape))) * 1.3 + start) * scale).reshape(shape).astype('float32')
def mlp():
    net = S.FullyConnected(S.var('data'), num_hidden=4, name='fc1')
    net = S.Activation(net, act_type='relu', name='relu1')
    net = S.FullyConnected(net, num_hidden=3, name='fc2')
    return S.SoftmaxOutput(net, name='softmax')
def bn():
    return S.BatchNorm(S.Convolution(S.var('data'), kernel=(1, 1), num_filter=2, name='c'), name='bn', fix_gamma=False)
def bound(net, req='write', **shapes):
    exe = net.simple_bind(mx.cpu(), grad_req=req, **shapes)
    for i, a in enumerate(exe.arg_arrays):
        a[:] = wave(a.shape, i)
    return exe
def attrs(s):
    return sorted((k, sorted(w.items())) for k, w in s.attr_dict().items())
def shapes(s, **given):
    a, o, u = s.infer_shape_partial(**given)
    return dict(zip(s.list_arguments(), a)) if a else None, o, u
def prefixed(p, f):
    with mx.name.Prefix(p):
        return f()
def scoped(f, **kw):
    with mx.AttrScope(**kw):
        return f()
def text(s):
    n = json.loads(s.tojson())
    return [(k['op'], k['name'], k['inputs'], sorted(k.get('attrs', {}).items())) for k in n['nodes']], n['heads']
"""

PROGRAMS = of(
    SETUP,
    """
    shapes(mlp())
    shapes(mlp(), fc1_weight=(4, 7))
    shapes(mlp(), softmax_label=(5,))
    shapes(mlp(), data=(2, 5), fc2_bias=(3,))
    shapes(mlp(), fc2_bias=(4,))
    shapes(bn(), data=(0, 3, 0, 0))
    shapes(bn(), bn_gamma=(2,))
    shapes(bn(), bn_moving_mean=(2,))
    bn().infer_shape(data=(1, 3, 2, 2), bn_moving_mean=(2,))
    mlp().infer_shape((4, 5), data=(4, 5))
    mlp().infer_shape(5)
    mlp().infer_shape(data=5)
    mlp().infer_shape(data='45')
    mlp().infer_shape(data=np.array([4, 5]))
    mlp().infer_shape(data=(np.int64(4), np.int32(5)))
    mlp().infer_shape(data=())
    mlp().infer_shape(data=(-1, 5))
    mlp().infer_shape(**{'data': nd.ones((4, 5)).shape})
    mlp().infer_shape_partial(nothing=(1,))
    mlp().infer_type(data='float16', fc1_weight='float32')
    mlp().infer_type(nothing='float16')
    mlp().infer_type(data='nonsense')
    mlp().infer_type('float16', data='float16')
    (x + y).infer_type(x='int32')
    (x + y).infer_type(x='int32', y='float32')
    (x > y).infer_type(x='int32')
    S.cast(x, dtype='int8').infer_type()
    S.argmax(x).infer_type(x='int32')
    S.argsort(x, dtype='int32').infer_type(x='float16')
    S.topk(x, ret_typ='both', dtype='int64').infer_type(x='float16')
    S.Embedding(x, input_dim=2, output_dim=2, dtype='float16').infer_type(x='int64')
    S.zeros_like(x).infer_type(x='uint8')
    S.shape_array(x).infer_type(x='float16')
    S.where(x, y, z).infer_type(x='int32', y='float16')
    S.take(x, y).infer_type(x='float16', y='int32')
    S.dot(x, y).infer_type(x='float64')
    S.concat(x, y).infer_type(x='float64')
    S.sum(x).infer_type(x='int32')
    S.mean(x).infer_type(x='float16')
    S.BatchNorm(x).infer_type(x='float16')
    S.LayerNorm(x).infer_type(x='float16')
    S.SoftmaxOutput(x, name='s').infer_type(x='float16')
    S.Group([x + 1, y.astype('int32')]).infer_type(x='float16', y='float32')
    S.random.normal(shape=(1,), dtype='float64').infer_type()
    S.arange(3, dtype='int32').infer_type()
    S.one_hot(x, depth=2, dtype='int32').infer_type(x='float32')
    S.RNN(x, mode='gru', state_size=2, num_layers=1, name='r').infer_type(x='float64')
    shapes(x.reshape((2, -1)), x=(3, 4))
    shapes(x.reshape((2, -1)))
    shapes(x.reshape((0, -1)), x=(3, 0))
    shapes(x.reshape((-4, 2, -1, 0)), x=(6, 5))
    shapes(x.flatten() + y, x=(2, 3, 4))
    shapes(x.sum(axis=0) + y, x=(2, 3))
    shapes(S.broadcast_to(x, shape=(2, 3)), x=(1, 3))
    shapes(S.tile(x, reps=(2, 2)), x=(1, 3))
    shapes(S.concat(x, y, dim=0), x=(2, 3), y=(1, 3))
    shapes(S.where(x > 0, x, y), x=(2, 3))
    shapes(S.add_n(x, y, z), y=(2, 3))
    shapes(S.dot(x, y), x=(2, 3))
    shapes(S.batch_dot(x, y), x=(2, 3, 4), y=(2, 4, 1))
    shapes(S.linalg.gemm2(x, y), x=(2, 3))
    shapes(S.elemwise_mul(x, y), y=(4,))
    shapes(S.maximum(x, y), y=(4,))
    shapes(x > y, y=(4,))
    shapes(x ** y, y=(4,))
    shapes(S.smooth_l1(x, scalar=1.0) * y, y=(4,))
    shapes(S.SwapAxis(x, dim1=0, dim2=1), x=(4, 5))
    shapes(S.expand_dims(x, axis=1) * y, x=(4, 5))
    shapes(S.slice_axis(x, axis=1, begin=0, end=2), x=(4, 5))
    shapes(S.slice_like(x, y), x=(4, 5), y=(2, 2))
    shapes(S.Pooling(x, kernel=(2, 2), pool_type='max', pooling_convention='full', stride=(2, 2)), x=(1, 1, 5, 5))
    shapes(S.Pooling(x, kernel=(2, 2), pool_type='max', global_pool=True), x=(1, 1, 5, 5))
    shapes(S.Deconvolution(x, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=3, name='d'), x=(1, 2, 5, 5))
    shapes(S.Deconvolution(x, kernel=(4, 4), stride=(2, 2), target_shape=(9, 9), num_filter=3, name='d'), x=(1, 2, 5, 5))
    shapes(S.Convolution(x, kernel=(3,), num_filter=2, layout='NWC', name='c'), x=(1, 5, 3))
    shapes(S.Convolution(x, kernel=(3, 3, 3), num_filter=2, name='c'), x=(1, 2, 5, 5, 5))
    shapes(S.Convolution(x, kernel=(3, 3), num_filter=2, name='c'), x=(1, 2, 2, 2))
    shapes(S.UpSampling(x, y, scale=2, sample_type='nearest', num_args=2), x=(1, 2, 3, 3), y=(1, 1, 6, 6))
    shapes(S.Crop(x, h_w=(2, 2), num_args=1), x=(1, 2, 3, 3))
    shapes(S.ROIPooling(x, y, pooled_size=(2, 2), spatial_scale=1.0), x=(1, 2, 8, 8), y=(3, 5))
    shapes(S.GridGenerator(x, transform_type='affine', target_shape=(4, 4)), x=(2, 6))
    shapes(S.BilinearSampler(x, y), x=(2, 1, 4, 4), y=(2, 2, 3, 3))
    shapes(S.SequenceLast(x, y, use_sequence_length=True), x=(5, 2, 3))
    shapes(S.SequenceReverse(x), x=(5, 2, 3))
    shapes(S.CTCLoss(x, y), x=(5, 2, 3), y=(2, 2))
    shapes(S.SVMOutput(x, name='s'), x=(5, 2))
    shapes(S.SoftmaxOutput(x, name='s', multi_output=True), x=(5, 2, 3))
    shapes(S.SoftmaxOutput(x, name='s', preserve_shape=True), x=(5, 2, 3))
    shapes(S.LogisticRegressionOutput(x, name='s'), x=(5, 1))
    shapes(S.MAERegressionOutput(x, name='s'), x=(5,))
    shapes(S.RNN(x, mode='lstm', state_size=2, num_layers=2, bidirectional=True, state_outputs=True, name='r'), x=(4, 3, 5))
    shapes(S.RNN(x, mode='rnn_relu', state_size=2, num_layers=1, name='r'), r_state=(1, 3, 2))
    shapes(S.GroupNorm(x, num_groups=2, name='g'), x=(2, 4, 3))
    shapes(S.InstanceNorm(x, name='g'), x=(2, 4, 3))
    shapes(S.L2Normalization(x), x=(2, 4, 3))
    shapes(S.moments(x, axes=(0, 1)), x=(2, 4, 3))
    shapes(S.SliceChannel(x, num_outputs=2, axis=1, squeeze_axis=True), x=(2, 2, 3))
    shapes(S.split(x, num_outputs=3), x=(2, 4))
    shapes(S.gather_nd(x, y), x=(2, 4), y=(2, 3))
    shapes(S.scatter_nd(x, y, shape=(2, 4)), x=(3,), y=(2, 3))
    shapes(S.contrib.MultiBoxPrior(x, sizes=(0.1, 0.2), ratios=(1, 2)), x=(1, 3, 4, 4))
    shapes(S.contrib.box_nms(x), x=(2, 4, 6))
    shapes(S.contrib.AdaptiveAvgPooling2D(x, output_size=2), x=(2, 4, 6, 6))
    shapes(S.contrib.BilinearResize2D(x, height=3, width=5), x=(2, 4, 6, 6))
    shapes(S.Embedding(x, v('w', shape=(0, 3)), input_dim=5, output_dim=3), x=(2,))
    shapes(S.FullyConnected(x, v('w', shape=(4, 5)), num_hidden=4, name='f'))
    attrs(v('w', shape=(2, 3), dtype='float16', init='xavier', stype='row_sparse'))
    attrs(scoped(mlp, __tag__='1'))
    attrs(scoped(lambda: x + 1, __tag__='1'))
    attrs(scoped(lambda: v('w', __tag__='2'), __tag__='1'))
    attrs(scoped(lambda: scoped(lambda: v('w'), b='2'), a='1'))
    attrs(scoped(lambda: S.BatchNorm(x, name='b'), lr_mult='0'))
    attrs(S.BatchNorm(x, name='b')(x=scoped(lambda: v('q'), k='1')))
    text(x + 2)
    text((x + y) * (x + y))
    text(S.Group([x, y + x]))
    text(S.split(x, num_outputs=2, name='s')[1] + 1)
    text(mlp().get_internals()['fc1_output'])
    text(S.BatchNorm(x, name='b')[0])
    text(prefixed('p_', lambda: S.FullyConnected(x, num_hidden=2)))
    text(prefixed('p_', lambda: S.FullyConnected(x, num_hidden=2, name='given')))
    text(prefixed('p_', lambda: prefixed('q_', lambda: x + 1)))
    text(scoped(lambda: S.Concat(x, y, dim=0), ctx_group='g'))
    text(copy.deepcopy(mlp()))
    text(S.load_json(S.Group([mlp(), bn()]).tojson()))
    S.load_json(bn().tojson()).infer_shape(data=(1, 2, 3, 3))
    mlp()(data=x)(x=y).list_arguments()
    mlp()(data=x, name='q').name
    mlp()(data=x, softmax_label=y).list_arguments()
    mlp()(data=mlp()).list_arguments()
    mlp()(data=S.split(x, num_outputs=2)[1]).list_arguments()
    mlp()(data=S.Group([x, y]))
    bn()(bn_moving_mean=x).list_auxiliary_states()
    S.Group([x + 1, x + 2])(x=y).list_arguments()
    (lambda n: (n(x=y).list_arguments(), n.list_arguments()))(x + z)
    x()
    bound(mlp(), data=(2, 3)).forward()
    bound(x * y, x=(2,)).forward(x=nd.ones(2), y=nd.ones(2) * 3)
    bound(x * y, x=(2,)).forward(True, x=nd.ones(2))
    bound(x * y, x=(2,)).forward(x=nd.ones(2, dtype='int32'))
    bound(x * y, x=(2,)).forward(x=np.ones(2))
    bound(x * y, x=(2,)).forward(nothing=nd.ones(2))
    bound(x * y, x=(2,)).forward(x=nd.ones((2, 1)))
    bound(x * y, x=(2,)).forward(x=3)
    bound(x * y, x=(2,)).backward()
    bound(x * y, x=(2,)).backward(nd.ones(2))
    bound(bn(), data=(1, 2, 2, 2)).aux_arrays
    bound(bn(), data=(1, 2, 2, 2)).aux_dict
    bound(bn(), data=(1, 2, 2, 2)).copy_params_from({}, {'bn_moving_mean': nd.ones(2)})
    bound(bn(), data=(1, 2, 2, 2)).copy_params_from({'c_weight': nd.ones((2, 2, 1, 1))}, {'nothing': nd.ones(2)}, allow_extra_params=True)
    sorted(bound(mlp(), data=(2, 3)).arg_dict)
    [g is None for g in bound(mlp(), {'fc1_weight': 'write'}, data=(2, 3)).grad_arrays]
    [g is None for g in bound(mlp(), ['write'] * 5 + ['null'], data=(2, 3)).grad_arrays]
    bound(mlp(), ['write'], data=(2, 3))
    bound(mlp(), {'nothing': 'write'}, data=(2, 3)).grad_dict
    bound(mlp(), 'null', data=(2, 3)).backward()
    bound(mlp(), data=(2, 3)).reshape(data=(4, 3)).outputs[0].shape
    bound(mlp(), data=(2, 3)).reshape(data=(4, 3), softmax_label=(4,)).outputs[0].shape
    bound(mlp(), data=(2, 3)).reshape(allow_up_sizing=True, data=(4, 3)).arg_dict['softmax_label'].shape
    bound(mlp(), data=(2, 3)).reshape(data=(2, 4))
    bound(mlp(), data=(2, 3)).reshape(partial_shaping=True, data=(2, 4)).arg_dict['fc1_weight'].shape
    type(bound(mlp(), data=(2, 3))).__name__
    isinstance(bound(mlp(), data=(2, 3)), mx.executor.Executor)
    bound(mlp(), data=(2, 3)).set_monitor_callback(lambda n, a: None)
    bound(mlp(), data=(2, 3)).nothing
    mlp().simple_bind(mx.cpu(), data=(2, 3), type_dict={'data': 'float16'}).outputs[0].dtype
    [a.dtype for a in mlp().simple_bind(mx.cpu(), data=(2, 3), type_dict={'data': np.float64}).arg_arrays]
    [a.dtype for a in mlp().simple_bind(mx.cpu(), data=(2, 3), type_dict={'softmax_label': 'int32'}).arg_arrays]
    mlp().simple_bind(mx.cpu(), data=(2, 3), fc1_weight=(4, 4))
    mlp().simple_bind(mx.cpu(), nothing=(2, 3))
    mlp().simple_bind(mx.cpu(), data='23')
    mlp().simple_bind(data=(2, 3))
    mlp().simple_bind(ctx=mx.cpu(), grad_req='write', data=(2, 3)).grad_dict['fc1_bias']
    mlp().bind(mx.cpu(), {})
    mlp().bind(mx.cpu(), {}, args_grad={})
    x.bind(mx.cpu(), {'x': X}).forward()
    x.bind(mx.cpu(), [X]).forward()[0] is X
    x.bind(mx.cpu(), {'x': X.asnumpy()})
    x.bind(mx.cpu(), {'x': None})
    (x + y).bind(mx.cpu(), args={'x': X, 'y': Y}, args_grad=[nd.zeros((2, 3))] * 2, grad_req=['write', 'null']).grad_arrays[1]
    (x + y).bind(mx.cpu(), args=[X, Y], aux_states=[]).forward()
    (x + y).bind(mx.cpu(), args=[X, Y], aux_states=[X])
    (x + y).bind(mx.cpu(), args=[X, Y], args_grad=nd.ones((2, 3)))
    (x + y).bind(mx.cpu(), args=[X, Y], grad_req='nothing')
    (x + y).eval(x=X, y=Y)[0]
    (x + y).eval()
    (x + y).eval(x=X, y=3)
    (x + y).eval(x=X, z=Y)
    (x + y).eval(mx.cpu(), X, Y)
    S.Group([x, y]).eval(x=X, y=Y)
    S.zeros((2,)).eval(ctx=mx.cpu(1))
    S.sparse.zeros if hasattr(S.sparse, 'zeros') else None
    S.sparse.dot(x, y).eval(x=nd.array([[0, 1], [2, 0]]).tostype('csr'), y=nd.ones((2, 2)))
    S.contrib.boolean_mask(x, y).eval(x=X, y=nd.array([0, 1]))
    S.contrib.index_copy(x, y, z).eval(x=nd.zeros((3, 2)), y=nd.array([1], dtype='int64'), z=nd.ones((1, 2)))
    S.contrib.quadratic(x, a=1, b=2, c=3).eval(x=X)
    S.contrib.div_sqrt_dim(x).eval(x=X)
    S.contrib.gradientmultiplier(x, scalar=-1).bind(mx.cpu(), [X]).forward()
    S.contrib.arange_like(x, axis=1).eval(x=X)
    S.contrib.isnan(x).eval(x=X)
    S.contrib.isinf(x).eval(x=X)
    S.contrib.rand_zipfian(x, 3, 10)[0].infer_shape(x=(2,))
    S.image.to_tensor(x).infer_shape(x=(4, 5, 3))
    S.image.normalize(x, mean=(0.5,), std=(2,)).eval(x=nd.ones((1, 2, 2)))
    S.op.relu(x).name
    S._internal._plus_scalar(x, scalar=2).name
    S._internal._PlusScalar(x, scalar=2).name
    S.elemwise_add(x, y).name
    S.broadcast_add(x, y).name
    S.Custom is S.op.Custom if hasattr(S.op, 'Custom') else None
    hasattr(S, 'nothing')
    S.nothing
        """,
)

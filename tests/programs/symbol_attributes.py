"""Programs on attributes of symbols: the order in which they are listed, and values out of range."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

from .core import of

SETUP = """
import pickle
S = mx.sym
x, y, z = S.var('x'), S.var('y'), S.var('z')
def scoped(make, **kwargs):
    with mx.AttrScope(**kwargs):
        return make()
def stored(s):
    return S.load_json(s.tojson())
def added(s, **kwargs):
    s._set_attr(**kwargs)
    return s
def after(failing, making):
    try:
        failing()
    except Exception:
        return making().name
many = {'__' + c + '__': c for c in 'abcdefghijklmnopqrstuvwxyz'}
"""

PROGRAMS = of(
    SETUP,
    """
    S.Convolution(x, kernel=(3, 3), num_filter=2, stride=(1, 1), pad=(1, 1), no_bias=True).list_attr()
    S.Convolution(x, no_bias=True, pad=(1, 1), stride=(1, 1), num_filter=2, kernel=(3, 3)).list_attr()
    stored(S.Convolution(x, no_bias=True, pad=(1, 1), stride=(1, 1), num_filter=2, kernel=(3, 3))).list_attr()
    S.Convolution(x, kernel=(3, 3), num_filter=2, pad=(1, 1), name='c').attr_dict()
    S.FullyConnected(x, flatten=False, num_hidden=3, no_bias=True, attr={'__q__': '1'}).list_attr()
    S.FullyConnected(x, flatten=False, num_hidden=3, no_bias=True, __z__='1', attr={'__q__': '1'}).list_attr()
    scoped(lambda: S.FullyConnected(x, flatten=False, num_hidden=3, lr_mult='1', attr={'__q__': '1'}).list_attr(), __a__='1', ctx_group='b')
    scoped(lambda: S.FullyConnected(S.var('d'), num_hidden=3, name='f').attr_dict(), ctx_group='a', lr_mult='3')
    scoped(lambda: S.var('v', attr={'__q__': '1', 'lr_mult': '2'}, wd_mult=3, shape=(2,)).list_attr(), __a__='1', ctx_group='b')
    S.var('v', attr={'a': '1', 'b': '2', 'c': '3'}).list_attr()
    S.var('v', shape=(2, 3), lr_mult=2.0, wd_mult=0, init='zeros', dtype='int32', __foo__='bar', attr={'a': '1'}).list_attr()
    S.var('v', attr=many).list_attr()
    stored(S.var('v', attr=many)).list_attr()
    pickle.loads(pickle.dumps(S.var('v', attr=many))).list_attr()
    added(S.var('v'), b='1', a='2').list_attr()
    added(added(S.var('v'), b='1', a='2'), c='3').list_attr()
    added(S.FullyConnected(x, num_hidden=3), b='1', a='2').list_attr()
    S.Pooling(x, kernel=(2, 2), pool_type='max', stride=(2, 2), pad=(1, 1), pooling_convention='full').list_attr()
    S.BatchNorm(x, eps=1e-3, momentum=0.9, fix_gamma=False, use_global_stats=True, axis=1).list_attr()
    S.RNN(x, state_size=3, num_layers=2, mode='lstm', bidirectional=True, p=0.5, state_outputs=True).list_attr()
    S.Deconvolution(x, pad=(1, 1), kernel=(3, 3), num_filter=2, stride=(2, 2), adj=(1, 1), num_group=1, no_bias=False, layout='NCHW', workspace=100, dilate=(1, 1), target_shape=(0, 0), cudnn_off=True, cudnn_tune='off').list_attr()
    S.Concat(x, y, dim=1, attr={'__q__': '1', '__r__': '2'}).list_attr()
    S.UpSampling(x, sample_type='nearest', scale=2, workspace=3).list_attr()
    S.SoftmaxOutput(x, y, multi_output=True, use_ignore=True, ignore_label=255, normalization='valid').list_attr()
    S.Embedding(x, input_dim=3, output_dim=4, dtype='float16', sparse_grad=True).list_attr()
    S.arange(5).list_attr()
    S.softmax(x, axis=0, temperature=2, dtype='float64', use_length=False).list_attr()
    S.topk(x, axis=0, dtype='int32', k=2, ret_typ='both', is_ascend=True).list_attr()
    S.one_hot(x, depth=3, on_value=2, off_value=1, dtype='int32').list_attr()
    S.eye(3, 4, 1, dtype='float64').list_attr()
    S.random.uniform(0, 1, (2,)).list_attr()
    x.sum(keepdims=True, axis=1).list_attr()
    x.slice(end=(2,), begin=(0,), step=(1,)).list_attr()
    x.topk(k=2, ret_typ='both', is_ascend=True, axis=0).list_attr()
    S.contrib.foreach(lambda d, s: (d * z + s, s + d), x, y)[0].list_attr()
    scoped(lambda: S.contrib.foreach(lambda d, s: (d * z + s, s + d), x, y)[0].list_attr(), __a__='1', lr_mult='2')
    S.contrib.while_loop(lambda i, s: i < 5, lambda i, s: ([i + s], [i + 1, s + i]), (x, y), max_iterations=10)[1][0].list_attr()
    S.contrib.cond(x < y, lambda: x + z, lambda: y * z).list_attr()
    S.var('v', profiler_scope='p')
    S.var('v', attr={'profiler_scope': 'p'}).list_attr()
    S.FullyConnected(x, num_hidden=2, profiler_scope='p')
    S.Dropout(x, p=2)
    S.Dropout(x, p=-0.1)
    S.Dropout(x, p=1).name
    S.Dropout(x, p='a')
    S.Dropout(x, mode='sometimes')
    S.FullyConnected(x, num_hidden=0)
    S.FullyConnected(x, num_hidden=-3)
    S.Embedding(x, input_dim=0, output_dim=2)
    S.Embedding(x, input_dim=2, output_dim=-1)
    S.Convolution(x, kernel=(3, 3), num_filter=0)
    S.Convolution(x, kernel=(), num_filter=2)
    S.Convolution(x, kernel=(3, 3), num_filter=2, stride=(1,))
    S.Convolution(x, kernel=(3, 3), num_filter=2, pad=(1, 1, 1))
    S.Convolution(x, kernel=(3, 3), num_filter=2, dilate=3)
    S.Convolution(x, kernel=(3, 3), num_filter=2, cudnn_tune='always')
    S.Convolution(x, kernel=(3, 3), num_filter=2, layout='CHWN')
    S.Convolution(x, kernel=(3, 3), num_filter=3, num_group=2).infer_shape(x=(1, 4, 5, 5))
    S.Deconvolution(x, kernel=(2, 2), num_filter=0)
    S.Deconvolution(x, kernel=(2, 2), num_filter=1, adj=(1,))
    S.Pooling(x)
    S.Pooling(x, kernel=(0, 0))
    S.Pooling(x, kernel=(2, 2), stride=(0, 1))
    S.Pooling(x, kernel=(2, 2), pool_type='median')
    S.Pooling(x, global_pool=True).name
    S.Pooling(x, kernel=3).name
    S.SliceChannel(x, num_outputs=0)
    S.SliceChannel(x, num_outputs=-2)
    S.SoftmaxOutput(x, smooth_alpha=1.5)
    S.SoftmaxOutput(x, normalization='none')
    S.RNN(x, state_size=2, num_layers=1, mode='lstm', p=3)
    S.RNN(x, state_size=2, num_layers=1, mode='elman')
    S.UpSampling(x, scale=0, sample_type='nearest')
    S.UpSampling(x, scale=2, sample_type='cubic')
    S.ROIPooling(x, y, pooled_size=(2, 2), spatial_scale=2)
    S.ROIPooling(x, y, pooled_size=(0, 2), spatial_scale=1)
    S.ROIPooling(x, y, pooled_size=(2,), spatial_scale=1)
    S.contrib.ROIAlign(x, y, pooled_size=(2, 2), spatial_scale=-1)
    S.contrib.BilinearResize2D(x, height=0, width=2)
    S.image.random_brightness(x, min_factor=-1, max_factor=1)
    nd.Dropout(nd.ones(2), p=2)
    nd.FullyConnected(nd.ones((2, 2)), nd.ones((0, 2)), no_bias=True, num_hidden=0)
    nd.SliceChannel(nd.ones((2, 2)), num_outputs=0)
    nd.Pooling(nd.ones((1, 1, 2, 2)))
    S.sparse.retain(x, y).tojson()
    S.sparse.retain(x, y).list_outputs()
    S.sparse.retain(x, y).infer_shape(x=(3, 2), y=(2,))
    S.sparse.retain(x, y).eval(x=nd.array([[1, 2], [3, 4], [5, 6]]).tostype('row_sparse'), y=nd.array([0, 2]))[0].asnumpy()
    S.Group([x, y])[2:1]
    x.copyto(y)
    x.flatten(inplace=True).list_attr()
    x.expand_dims(0, inplace=True).list_attr()
    x.expand_dims(axis=1).list_attr()
    x.squeeze(inplace=True).list_attr()
    x.squeeze().list_attr()
    x.squeeze(axis=(0, 1)).list_attr()
    x.diag().list_attr()
    x.diag(1, axis1=0, axis2=1).list_attr()
    x.astype('float16', name='half').name
    S.cast(x, dtype='f4').list_attr()
    S.cast(x, dtype='<f8').list_attr()
    S.cast(x, dtype='half').list_attr()
    S.cast(x, dtype='bogus')
    S.zeros((2,), dtype='i8').list_attr()
    after(lambda: S.FullyConnected(x), lambda: S.FullyConnected(x, num_hidden=1))
    after(lambda: S.FullyConnected(x, num_hidden=1, bogus=2), lambda: S.FullyConnected(x, num_hidden=1))
    after(lambda: S.Activation(x, act_type='bogus'), lambda: S.Activation(x, act_type='relu'))
    after(lambda: S.Dropout(x, p=3), lambda: S.Dropout(x))
    after(lambda: S.relu(5), lambda: S.relu(x))
    after(lambda: S.cast(x, dtype='bogus'), lambda: S.cast(x, dtype='int8'))
    after(lambda: x + 'a', lambda: x + y)
    """,
)

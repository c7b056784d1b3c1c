"""Functions of `np` and `npx` with the arguments of MXNet 2: by name, in its order, by default."""

import numpy as onp

from .core import attempt, values

_M = [[3.0, 1, 2], [0, 5, 4]]
_SQUARE = [[4.0, 2], [2, 3]]


def _value(text):
    """Makes a case of an expression of arrays."""

    def case(mx):
        np, npx, nd = mx.np, mx.npx, mx.nd
        names = {
            **{"mx": mx, "np": np, "npx": npx, "nd": nd, "sym": mx.sym, "onp": onp},
            **{"x": np.array(values(1, 2, 3, 2)), "m": np.array(_M), "s": np.array(_SQUARE)},
        }
        names |= {"two": np.ones(2), "w": nd.array([1, 2]), "g": nd.array([0.5, 1])}
        names |= {"n": nd.array([0.1, 0.2]), "h": nd.array([0.2, 0.4])}
        found = eval(text, names)  # noqa: S307
        return (
            [_shown(item) for item in found] if isinstance(found, (list, tuple)) else _shown(found)
        )

    return case


def _shown(value):
    """Returns an array with its type, which a dialect may change."""
    if not hasattr(value, "asnumpy"):
        return value
    array = value.asnumpy()
    return [str(array.dtype), array.astype("float64") if array.dtype.kind == "f" else array]


def _dtypes(text):
    """Makes a case of the types of a new array: by default, and with NumPy's."""

    def case(mx):
        def make():
            return str(onp.dtype(eval(text, {"mx": mx, "np": mx.np, "npx": mx.npx}).dtype))  # noqa: S307

        with mx.util.np_default_dtype(True):
            wide = make()
        return [make(), wide]

    return case


_BY_NAME = """
np.argmax(m, axis=1, keepdims=True)
np.argmin(m, keepdims=True)
m.argmax(axis=0, keepdims=True)
np.sort(m, descending=True)
np.argsort(m, axis=0, descending=True, stable=True)
m.argsort(descending=True)
np.std(m, correction=1)
np.std(m, ddof=1)
m.var(axis=1, correction=1, keepdims=True)
m.std(correction=1)
np.sum(m, axis=0, where=None)
np.positive(m, out=np.zeros((2, 3)))
np.empty_like(m, device=mx.cpu()).shape
np.eye(2, device=mx.cpu())
np.ones_like(m, device=mx.cpu())
np.zeros_like(m, dtype='int32', device=mx.cpu())
np.linalg.cholesky(s, upper=True)
np.linalg.cross(np.array([[1.0, 2, 3]]), np.array([[3.0, 2, 1]]), axis=-1)
np.linalg.eigvalsh(s, upper=True)
np.linalg.eigvalsh(s, UPLO='U')
np.linalg.matrix_rank(M=m) + np.zeros(1, dtype='int64')
np.linalg.pinv(s, rtol=0.5)
np.linalg.vector_norm(m)
np.random.power(2.0, size=(3,), device=mx.cpu()).shape
npx.activation(m - 2, act_type='relu')
npx.batch_dot(a=x[0], b=x[0], transpose_b=True)
npx.batch_norm(x=x, gamma=two, beta=two, running_mean=two, running_var=two)
npx.convolution(data=x, weight=np.ones((3, 2, 2, 2)), bias=np.ones(3), kernel=(2, 2), num_filter=3)
npx.dropout(m, p=0.5, axes=None)
npx.embedding(np.array([1, 0]), m, input_dim=2, output_dim=3)
npx.fully_connected(x=m, weight=np.ones((2, 3)), bias=np.ones(2), num_hidden=2, no_bias=False)
npx.group_norm(x, np.ones(2), np.zeros(2), num_groups=2, eps=1e-3)
npx.layer_norm(data=m, gamma=np.ones(3), beta=np.zeros(3), axis=-1, eps=1e-3)
npx.one_hot(data=np.array([0, 2]), depth=3)
npx.pick(m, np.array([0, 1]), axis=1, mode='clip', keepdims=True)
npx.foreach(lambda d, s: (d + s, d + s), m, np.zeros(3))[0]
npx.softmax(m, axis=-1, length=np.array([2, 1], dtype='int32'), use_length=True)
"""
_BY_POSITION = """
np.all(m > 0, 1, None, True)
np.any(m > 4, 0, None, True)
np.max(m, 1, None, True)
np.amin(m, 0, None, True)
np.argmax(m, 1, None, True)
np.sum(m, 0, None, None, True)
np.std(m, 0, None, None, 1, True)
np.argsort(m, 1, True)
np.sort(m, -1, True, True)
np.max(m, 0, np.zeros(3))
np.empty_like(m, None, mx.cpu(), 'C').shape
np.eye(2, 2, 0, None, mx.cpu())
str(np.iinfo(dtype='int8'))
str(np.finfo('float16'))
np.linalg.cholesky(s, True)
np.linalg.eigvalsh(np.array([[1.0, 2], [5, 3]]), True)
np.linalg.pinv(s, 0.5)
npx.activation(m - 2)
npx.batch_dot(x[0], x[0], False, True)
npx.batch_norm(x, np.ones(2), np.zeros(2), np.ones(2), np.ones(2), 1e-2, 0.8, False, True)
npx.convolution(x, np.ones((3, 2, 2, 2)), np.ones(3), (2, 2), (1, 1), (1, 1), (0, 0), 3)
npx.embedding(np.array([1, 0]), m, 2, 3)
npx.fully_connected(m, np.ones((2, 3)), np.ones(2), 2)
npx.fully_connected(m, np.ones((2, 3)), np.ones(2), 2, False)
npx.group_norm(x * 0.01, np.ones(2), np.zeros(2), 2)
npx.layer_norm(m, np.ones(3), np.zeros(3), -1, 1e-2)
npx.layer_norm(m, np.ones(3), np.zeros(3))
npx.leaky_relu(m - 3, None, 'leaky', 0.2)
npx.softmax(m, None, 0, 2.0)
npx.log_softmax(m, 0, None, 2.0)
npx.one_hot(np.array([0, 2]), 3, 2.0, 1.0, 'int32')
npx.pick(m, np.array([0, 1]), 1, 'wrap', True)
npx.pooling(x, (2, 2), (1, 1), (0, 0), 'avg')
npx.arange_like(m, 1.0, 2.0, 1, None, 1)
npx.deconvolution(x, np.ones((2, 3, 2, 2)), np.ones(3), (2, 2), num_filter=3).sum()
"""
_CLASSIC = """
nd.array([[1, -2.0], [0, 3]]).mish()
nd.array([[1, -2.0], [0, 3]]).log_sigmoid()
nd.sparse.digamma(nd.array([1, 2.0]))
nd.contrib.dynamic_reshape(nd.ones((2, 3, 4)), nd.array([-4, 1, 2, -2], dtype='int64')).shape
nd.random.categorical(nd.array([[0, 1.0], [1, 0]]), shape=(3,))
nd.random.multinomial(nd.array([5]), nd.array([[0.0, 1]]), shape=2)
nd.random.multinomial(n=nd.array([5, 3]), p=nd.array([[0.0, 1], [1, 0]]))
nd.random.binomial(10, 1.0, shape=(2,))
npx.random.multinomial(np.array([5, 3]), np.array([[0.0, 1], [1, 0]]), shape=(2,))
nd.contrib.adabelief_update(w, g, n, h, nd.array([2]), lr=0.1, eta=0.5, wd=0.1, clip_gradient=0.3)
nd.contrib.multi_lans_update([w], [g], [n], [h], step_count=[3], lrs=[0.1], wds=[0.1], out=[w])
nd.rmsprop_update(w, g, n, lr=0.1, rho=0.9, epsilon=1e-2, wd=0.1)
nd.rmspropalex_update(w, g, n, n * 0.1, g * 0.1, lr=0.1, rho=0.9, momentum=0.8, epsilon=1e-2)
(sym.var('a') * sym.var('b')).get_inputs().list_outputs()
sym.contrib.boolean_mask(sym.var('a'), sym.var('c')).has_dynamic_shape_op()
sym.fromjson(sym.var('x').tojson()).list_outputs()
str(mx.util.dtype_from_number(2**63)), str(mx.util.dtype_from_number(1e300))
"""
_NEW = (
    *("np.ones((2,))", "np.empty((2,))", "np.eye(2)", "np.blackman(3)", "np.indices((2, 2))"),
    *("np.hanning(3)", "np.arange(3)", "np.array([1, 2])", "np.array([1.5])", "np.zeros(2)"),
    *("np.linspace(0, 1, 3)", "np.random.uniform(size=2)", "np.identity(2)", "np.tri(2)"),
    *("npx.random.bernoulli(0.5, size=2)", "np.random.laplace(size=2)", "np.hamming(3)"),
)


def _layers(mx):
    x = mx.np.array(values(2, 4, 3))
    seen = []
    for given in ({}, {"in_channels": 4}):
        layer = mx.gluon.nn.GroupNorm(2, **given)
        layer.initialize()
        layer(x)
        layer.gamma.set_data(mx.np.array([1.0, 2, 3, 4]))
        seen.append(layer(x))
        layer.hybridize()
        seen.append(layer(x))
    for name, states in (("LSTMCell", 2), ("GRUCell", 1)):
        fill = mx.init.Constant(0.3), mx.init.Constant(0.2)
        cell = getattr(mx.gluon.rnn, name)(2, *fill, "zeros", "zeros", 3, "relu", "tanh")
        cell.initialize()
        start = [mx.np.array([[0.1, 0.2]])] * states
        seen.append(cell(mx.np.array([[1.0, -2, 0.5]]), start)[0])
    lengths = mx.np.array([2, 3])
    data, start = mx.np.array(values(3, 2, 3)), [mx.np.zeros((2, 2))]
    unroll = mx.gluon.rnn.rnn_cell.dynamic_unroll
    return [*seen, *unroll(cell, data, start, valid_length=lengths)]


def _recurrent_parameters(mx):
    split = mx.gluon.utils.split_rnn_params
    parts = split(mx.np.array(onp.arange(4000.0)), "lstm", 2, 3, 4, True, 2)
    fill = mx.init.RNNFused("gru", 2, 2, True, None, "ones", mx.init.Constant(3.0), "zeros", "ones")
    count = sum(int(part.size) for part in split(mx.np.zeros(4000), "gru", 2, 3, 2, True).values())
    array = mx.np.zeros(count)
    fill(mx.init.InitDesc("w_weight"), array)
    return [{name: list(part.shape) for name, part in parts.items()}, array]


def _boxes(mx):
    from mxnet.gluon.contrib.data.vision.transforms.bbox import bbox, utils

    boxes = onp.array([[1, 2, 5, 7, 0], [3, 1, 9, 9, 1]], dtype="float32")
    image = mx.np.array(onp.arange(360).reshape(10, 12, 3) % 256, dtype="uint8")
    given = mx.np.array(boxes)
    return [
        *(utils.bbox_crop(boxes, (2, 2, 4, 4), outside) for outside in (True, False)),
        utils.bbox_crop(boxes, (2, None, 3, None)),
        attempt(utils.bbox_crop, boxes, (1, 2)),
        utils.bbox_flip(boxes, (10, 12), flip_x=True, flip_y=True),
        utils.bbox_resize(boxes, (10, 12), (20, 6)),
        utils.bbox_translate(boxes, 3, -1),
        utils.bbox_iou(boxes, boxes),
        utils.bbox_xywh_to_xyxy(boxes[:, :4]),
        utils.bbox_xyxy_to_xywh(boxes[:, :4]),
        utils.bbox_clip_xyxy(boxes[:, :4], 4, 5),
        *bbox.ImageBboxRandomFlipLeftRight(1)(image, given.copy()),
        *bbox.ImageBboxCrop((1, 2, 6, 5))(image, given),
        *bbox.ImageBboxResize(6, 5)(image, given),
        attempt(bbox.ImageBboxCrop, (0, 0, 0, 1)),
    ]


def _lines(text):
    return [line for line in text.splitlines() if line]


CASES = {line: _value(line) for text in (_BY_NAME, _BY_POSITION, _CLASSIC) for line in _lines(text)}
CASES |= {f"dtypes: {text}": _dtypes(text) for text in _NEW}
CASES |= {
    "layers": _layers,
    "recurrent parameters": _recurrent_parameters,
    "boxes": _boxes,
    "samplers": lambda mx: list(mx.gluon.data.IntervalSampler(13, 3)),
}

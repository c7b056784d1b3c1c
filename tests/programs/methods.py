"""Every property and method of an array."""

from __future__ import annotations

import weakref

from mxnet import nd

from .core import functions, lines
from .method_helpers import empty_arrays, matrices, numbered_arrays, small_arrays, vectors

PROPERTIES = lines(
    small_arrays,
    """
    x.shape
    x.size
    x.ndim
    x.dtype
    x.stype
    x.context
    x.ctx
    x.writable
    x.grad
    x.T
    v.T
    s.T
    nd.ones((2, 3, 4)).T.shape
    v.size
    s.shape
    x.asnumpy()
    x.astype('int32')
    x.astype('int32', copy=False) is x
    x.astype('float32', copy=False) is x
    x.astype('float32') is x
    x.astype(np.float64)
    x.astype(int).dtype
    x.astype(float).dtype
    x.astype(bool)
    x.astype(np.dtype('int8'))
    x.astype(dtype='uint8')
    x.astype('foo')
    x.astype(None)
    x.astype()
    x.astype('int16')
    nd.array([1.9, -1.9, 0.5]).astype('int32')
    nd.array([256, 257]).astype('uint8')
    nd.array([0.3, 0, -1]).astype('bool')
    nd.array([1e10]).astype('float16')
    x.copy()
    x.copy() is x
    x.detach()
    x.as_nd_ndarray() is x
    x.tostype('default') is x
    x.tostype('foo')
    x.wait_to_read()
    x.wait_to_write()
    x.foo
    x.handle is None
    x.is_np_array() if hasattr(x, 'is_np_array') else 'no'
    x.item()
    x.tolist()
    x.numpy()
    x.fill(3)
    x.dot(x.T)
    x.view(3)
    x.any()
    x.std()
    x.cumsum()
    x.nonzero()
    x.copyto(nd.zeros((2, 3)))
    nd.waitall()
    """,
)

SHAPES = lines(
    numbered_arrays,
    """
    x.reshape((6, 4)).shape
    x.reshape(6, 4).shape
    x.reshape([6, 4]).shape
    x.reshape(24).shape
    x.reshape((24,)).shape
    x.reshape(-1).shape
    x.reshape((-1, 4)).shape
    x.reshape(-1, 4).shape
    x.reshape(shape=(6, 4)).shape
    x.reshape(shape=24).shape
    x.reshape(shape=[6, 4]).shape
    x.reshape((0, -1)).shape
    x.reshape((0, 0, 0)).shape
    x.reshape((0, 0, -1)).shape
    x.reshape((-2,)).shape
    x.reshape((2, -2)).shape
    x.reshape((-3, 4)).shape
    x.reshape((-3, 0)).shape
    x.reshape((0, -3)).shape
    x.reshape((-4, 1, 2, -2)).shape
    x.reshape((-4, -1, 2, -2)).shape
    x.reshape((-4, 1, -1, 0, 0)).shape
    x.reshape((2, -4, -1, 3, 4)).shape
    x.reshape((-2, 1)).shape
    x.reshape((1, -2)).shape
    x.reshape((-2, -1)).shape
    x.reshape((8, -1), reverse=True).shape
    x.reshape((-1, 0), reverse=True).shape
    x.reshape((0, -1), reverse=True).shape
    x.reshape(shape=(-1, 0), reverse=True).shape
    x.reshape((-3, 0), reverse=True).shape
    x.reshape((5, 5)).shape
    x.reshape((5, -1)).shape
    x.reshape((4, 4)).shape
    x.reshape((2, 2)).shape
    x.reshape((-1, -1)).shape
    x.reshape((0, 0, 0, 0)).shape
    x.reshape(()).shape
    x.reshape().shape
    x.reshape((-5, 4)).shape
    x.reshape('a').shape
    x.reshape(None).shape
    x.reshape((2.0, 12)).shape
    x.reshape(6, 4, shape=(24,)).shape
    x.reshape((6, 4), foo=1).shape
    x.reshape((np.int64(6), np.int32(4))).shape
    x.reshape(np.int64(24)).shape
    x.reshape((6, 4))
    x.reshape_like(nd.zeros((4, 6))).shape
    x.flatten().shape
    v.flatten().shape
    x.flatten(inplace=True).shape
    v.expand_dims(0).shape
    v.expand_dims(axis=1).shape
    v.expand_dims(-1).shape
    v.expand_dims(2).shape
    v.expand_dims(-3).shape
    v.expand_dims().shape
    x.expand_dims(1, inplace=True).shape
    v.expand_dims(5, inplace=True).shape
    v.expand_dims(-3, inplace=True).shape
    nd.ones((1, 2, 1)).squeeze().shape
    nd.ones((1, 2, 1)).squeeze(0).shape
    nd.ones((1, 2, 1)).squeeze(axis=-1).shape
    nd.ones((1, 2, 1)).squeeze((0, 2)).shape
    nd.ones((1, 2, 1)).squeeze(axis=1).shape
    nd.ones((1, 2, 1)).squeeze(inplace=True).shape
    nd.ones((1, 2, 1)).squeeze(0, inplace=True).shape
    nd.ones((1, 2, 1)).squeeze(1, inplace=True).shape
    nd.ones((1, 2, 1)).squeeze((0, 2), inplace=True).shape
    nd.ones((1, 1)).squeeze().shape
    nd.ones((1, 1)).squeeze(inplace=True).shape
    v.broadcast_to((3, 4))
    v.broadcast_to((2, 3, 4)).shape
    v.broadcast_to(4).shape
    v.broadcast_to((4, 3))
    v.broadcast_to((2,))
    nd.ones((1, 3)).broadcast_to((2, 3))
    nd.ones((1, 3)).broadcast_to((2, 0))
    nd.ones((2, 3)).broadcast_to((3,))
    nd.ones((1, 3)).broadcast_like(m)
    v.broadcast_like(nd.ones((2, 4)))
    nd.ones((1, 3)).broadcast_axes(axis=0, size=2)
    x.swapaxes(0, 2).shape
    x.swapaxes(dim1=0, dim2=1).shape
    x.transpose().shape
    x.transpose((1, 0, 2)).shape
    x.transpose(1, 0, 2).shape
    x.transpose(axes=(2, 0, 1)).shape
    x.flip(axis=0)
    m.tile((2, 1))
    m.tile(2)
    m.tile(reps=(2,)).shape
    v.repeat(2)
    m.repeat(2, axis=0)
    m.repeat(repeats=2, axis=1)
    m.pad(mode='constant', pad_width=(0, 0, 1, 1))
    nd.ones((1, 1, 2, 2)).pad(mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 0, 0), constant_value=5)
    m.diag()
    v.diag()
    v.diag(k=1).shape
    x.split(2, axis=0)
    m.split(num_outputs=3, axis=1)
    m.split(3, 1, True)
    m.split(2, axis=1)
    m.split_v2(2)
    m.split_v2((1,), axis=1)
    m.slice((0, 1), (2, 3))
    m.slice(begin=(0, 1), end=(2, 3))
    m.slice(begin=(None, 2), end=(None, 0), step=(1, -1))
    m.slice_axis(1, 0, 2)
    m.slice_axis(axis=1, begin=1, end=None)
    m.slice_axis(axis=-1, begin=-2, end=-1)
    m.slice_like(nd.zeros((1, 2)))
    m.slice_like(nd.zeros((1, 2)), axes=(0,))
    nd.ones((1, 4, 1, 1)).depth_to_space(2).shape
    nd.ones((1, 1, 2, 2)).space_to_depth(2).shape
    x.shape_array()
    x.size_array()
    """,
)

_REDUCTIONS = ("sum", "mean", "max", "min", "prod", "nansum", "nanprod", "norm", "argmax", "argmin")
REDUCTIONS = lines(
    matrices,
    "\n".join(
        f"m.{name}({arguments})"
        for name in _REDUCTIONS
        for arguments in ("", "axis=0", "axis=1", "axis=-1", "axis=1, keepdims=True", "axis=5", "1")
    )
    + """
    m.sum(axis=(0, 1))
    m.sum(axis=())
    m.sum(axis=None)
    m.sum(axis=0, exclude=True)
    m.sum(axis=[0, 1])
    m.sum(0, True)
    m.mean(axis=(0, 1), keepdims=True)
    m.norm(ord=1)
    m.norm(ord=1, axis=1)
    m.argmax_channel()
    i.sum()
    i.sum(axis=0)
    i.mean()
    i.max(axis=1)
    i.argmax(axis=1)
    i.prod()
    m.sort()
    m.sort(axis=0)
    m.sort(is_ascend=False)
    m.argsort()
    m.argsort(axis=0)
    m.argsort(is_ascend=False)
    m.argsort(dtype='int32')
    m.topk()
    m.topk(k=2)
    m.topk(k=2, axis=0)
    m.topk(k=2, ret_typ='value')
    m.topk(k=2, ret_typ='both')
    m.topk(k=1, ret_typ='mask')
    m.topk(k=2, is_ascend=True)
    m.pick(nd.array([0, 2]))
    m.pick(nd.array([0, 2]), axis=1, keepdims=True)
    m.take(nd.array([1, 0]))
    m.take(nd.array([1, 0]), axis=1)
    m.take(nd.array([7, -1]), mode='clip')
    m.take(nd.array([7, -1]), mode='wrap')
    m.one_hot(7).shape
    nd.array([0, 2]).one_hot(3)
    nd.array([0, 2]).one_hot(3, on_value=5, off_value=-1, dtype='int32')
    m.clip(2, 4)
    m.clip(a_min=2, a_max=4)
    m.softmax()
    m.softmax(axis=0)
    m.log_softmax()
    m.softmin()
    m.zeros_like()
    m.ones_like()
    """,
)

_UNARY = [
    "abs",
    "sign",
    "round",
    "rint",
    "fix",
    "floor",
    "ceil",
    "trunc",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "degrees",
    "radians",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "exp",
    "expm1",
    "log",
    "log10",
    "log2",
    "log1p",
    "sqrt",
    "rsqrt",
    "cbrt",
    "rcbrt",
    "square",
    "reciprocal",
    "relu",
    "sigmoid",
]
UNARY = lines(vectors, "\n".join(f"x.{name}()\ni.{name}()" for name in _UNARY))


def names_of_methods():
    known = set("as_np_ndarray tostype".split())
    return sorted(
        (
            n
            for n in dir(nd.NDArray)
            if not n.startswith("_")
            and n not in known
            and (n not in ("ctx", "device", "to_torch", "tobytes"))
        )
    )


def attributes_cannot_be_added():
    x = nd.array([1])
    x.foo = 1
    return x.foo


def shape_cannot_be_set():
    x = nd.array([1, 2])
    x.shape = (2, 1)
    return x.shape


def dtype_cannot_be_set():
    x = nd.array([1, 2])
    x.dtype = "int32"
    return x.dtype


def a_weak_reference():
    x = nd.array([1])
    w = weakref.ref(x)
    r = w() is x
    del x
    r = (r, w() is None)
    return r


EMPTY = lines(
    empty_arrays,
    """
    z.shape
    z.size
    z.ndim
    e.shape
    e.size
    """,
    title="empty: ",
)

PROGRAMS = {**PROPERTIES, **SHAPES, **REDUCTIONS, **UNARY, **functions(globals()), **EMPTY}

"""Functions of `mx.nd`: numbers on either side, arguments by name, and the hand-written ones."""

from __future__ import annotations

from .core import lines
from .function_helpers import arrays_of_several_shapes, matrix, pair

_PAIRS = [
    "add",
    "subtract",
    "multiply",
    "divide",
    "true_divide",
    "modulo",
    "power",
    "maximum",
    "minimum",
    "equal",
    "not_equal",
    "greater",
    "greater_equal",
    "lesser",
    "lesser_equal",
    "logical_and",
    "logical_or",
    "logical_xor",
]
_OPERANDS = (
    "x, y",
    "x, 2",
    "2, x",
    "3, 2",
    "x, 2.5",
    "x, True",
    "x, np.float32(2)",
    "np.float32(2), x",
    "i, 2",
    "2, i",
    "x, i",
    "x, row",
    "x, 'a'",
    "'a', x",
    "x, None",
    "x, [1, 2]",
    "x, np.ones((2, 2))",
    "x",
)
PAIRS = lines(
    pair,
    "\n".join(f"nd.{name}({operands})" for name in _PAIRS for operands in _OPERANDS)
    + """
    nd.add(lhs=x, rhs=y)
    nd.add(x, rhs=1)
    nd.power(base=x, exp=2)
    nd.maximum(lhs=x, rhs=2)
    nd.add(x, y, out=x)
    nd.hypot(x, y)
    nd._internal._plus_scalar(x, scalar=2)
    nd._internal._hypot_scalar(x, scalar=2)
    nd.elemwise_add(x, y)
    nd.elemwise_add(x, row)
    nd.elemwise_mul(lhs=x, rhs=y)
    nd.broadcast_add(x, row)
    nd.broadcast_add(lhs=x, rhs=row)
    nd.broadcast_equal(x, y)
    nd.broadcast_logical_and(x, y)
    nd.logical_not(x)
    nd.add_n(x, y, x)
    nd.ElementWiseSum(x, y)
    """,
)

CALLS = lines(
    matrix,
    """
    nd.relu(x)
    nd.relu(data=x)
    nd.relu(x, name='a')
    nd.relu(x, attr={'a': 'b'})
    nd.relu(x, out=o) is o
    (nd.relu(x, out=o), o)
    nd.relu(x, out=x)
    nd.relu(x, out=nd.zeros((3, 3)))
    nd.relu(x, out=nd.zeros((4,)))
    nd.relu(x, out=nd.zeros((2, 2), dtype='float64'))
    nd.relu(x, out=5)
    nd.relu(x, out=[o])
    nd.relu(x, x)
    nd.relu(x, 5)
    nd.relu(x, foo=5)
    nd.relu()
    nd.relu(None)
    nd.relu(5)
    nd.relu('a')
    nd.relu([1, 2])
    nd.relu(np.ones(2))
    nd.relu(data=5)
    nd.relu(x, data=x)
    nd.sum(x, 1)
    nd.sum(x, 1, True)
    nd.sum(x, axis=1)
    nd.sum(x, axis='1')
    nd.sum(x, axis='(0, 1)')
    nd.sum(x, axis='()')
    nd.sum(x, axis='None')
    nd.sum(x, axis=None)
    nd.sum(x, axis=(0,))
    nd.sum(x, axis=[0])
    nd.sum(x, axis=1.5)
    nd.sum(x, axis='a')
    nd.sum(x, axis=5)
    nd.sum(x, axis=-3)
    nd.sum(x, axs=1)
    nd.sum(x, axis=1, keepdims='True')
    nd.sum(x, axis=1, keepdims='true')
    nd.sum(x, axis=1, keepdims=1)
    nd.sum(x, axis=1, keepdims='maybe')
    nd.sum(x, 1, axis=1)
    nd.sum(data=x, axis=0)
    nd.sum(axis=0, data=x)
    nd.sum(axis=0)
    nd.sum(x, axis=0, out=nd.zeros((2,)))
    nd.clip(x, 2, 3)
    nd.clip(x, a_min=2, a_max=3)
    nd.clip(x, '2', '3')
    nd.clip(x, a_min=2)
    nd.clip(x)
    nd.dot(x, x)
    nd.dot(x, x, transpose_a=True)
    nd.dot(x, x, True)
    nd.dot(lhs=x, rhs=x)
    nd.dot(x)
    nd.dot(x, 2)
    nd.dot(x, nd.ones((3, 2)))
    nd.dot(x, x.astype('float64'))
    nd.dot(x, nd.array([1, 2]))
    nd.batch_dot(nd.ones((2, 1, 2)), nd.ones((2, 2, 1)))
    nd.FullyConnected(x, x, num_hidden=2, no_bias=True)
    nd.FullyConnected(x, x, nd.array([1, 2]), num_hidden=2)
    nd.FullyConnected(data=x, weight=x, bias=nd.array([1, 2]), num_hidden=2)
    nd.FullyConnected(x, x, None, no_bias=True, num_hidden=2)
    nd.FullyConnected(x, x, num_hidden=2)
    nd.FullyConnected(x, x, num_hidden='2', no_bias='True')
    nd.FullyConnected(x, x)
    nd.FullyConnected(x, x, num_hidden='ten')
    nd.FullyConnected(x, x, num_hidden=2.5, no_bias=True)
    nd.Activation(x, act_type='tanh')
    nd.Activation(x, 'relu')
    nd.Activation(x, act_type='foo')
    nd.Activation(x)
    nd.concat(x, x)
    nd.concat(x, x, dim=0)
    nd.concat(x)
    nd.concat(x, x, dim=5)
    nd.concat(x, nd.ones((3, 3)), dim=0)
    nd.concat(x, x.astype('int32'), dim=0)
    nd.concat()
    nd.concat([x, x])
    nd.concat(*[x, x], dim=0)
    nd.concat(x, 5)
    nd.concat(x, x, dim=0, foo=1)
    nd.concat(x, x, dim=0, num_args=2)
    nd.concat(x, x, dim=0, out=nd.zeros((4, 2)))
    nd.stack(x, x)
    nd.stack(x, x, axis=1)
    nd.stack(x, x, axis=-1).shape
    nd.Cast(x, dtype='int32')
    nd.cast(x, 'float64')
    nd.cast(x, dtype=np.int8)
    nd.cast(x, dtype='foo')
    nd.transpose(x)
    nd.transpose(x, axes=(1, 0))
    nd.transpose(x, (1, 0))
    nd.transpose(x, axes=(0, 0))
    nd.reshape(x, shape=(4,))
    nd.reshape(x, (4,))
    nd.Reshape(x, shape='(4,)')
    nd.expand_dims(x, 0).shape
    nd.expand_dims(x, axis=0).shape
    nd.slice(x, begin=(0, 1), end=(2, 2))
    nd.slice(x, (0, None), (1, None))
    nd.slice_axis(x, axis=1, begin=0, end=1)
    nd.slice_axis(x, 1, 1, None)
    nd.sum(x, None)
    nd.sum(x, None, True)
    nd.random_pdf_exponential(nd.array([[1, 2]]), nd.array([2]))
    nd.random_pdf_exponential(nd.array([[1, 2]]), nd.array([2]), is_log=True)
    nd.random_pdf_normal(nd.array([[1, 2]]), nd.array([2]), nd.array([1]))
    nd.where(x > 2, x, x * 0)
    nd.where(nd.array([1, 0]), x, -x)
    nd.where(condition=x > 2, x=x, y=-x)
    nd.split(x, 2)
    nd.split(x, num_outputs=2, axis=0)
    nd.split(x, 2, 1, True)
    nd.split(x, 3)
    nd.SliceChannel(x, num_outputs=2)
    nd.one_hot(nd.array([0, 1]), 3)
    nd.one_hot(nd.array([0, 5, -1]), 3)
    nd.take(x, nd.array([1, 0]))
    nd.pick(x, nd.array([1, 0]))
    nd.gather_nd(x, nd.array([[0, 1], [1, 0]]))
    nd.scatter_nd(nd.array([5, 6]), nd.array([[0, 1], [1, 0]]), shape=(2, 2))
    nd.Embedding(nd.array([1, 0]), x, input_dim=2, output_dim=2)
    nd.softmax(x)
    nd.topk(x, k=1, ret_typ='both')
    nd.topk(nd.array([1, 0, 2, 1, 2, 0, 2, 1, 0, 2, 2, 1, 0, 1, 2, 0]), k=2)
    nd.topk(nd.array([1, 0, 2, 1, 2, 0, 2, 1, 0, 2, 2, 1, 0, 1, 2]), k=2)
    nd.BlockGrad(x)
    nd.identity(x)
    nd.foo(x)
    nd.op.relu(x)
    nd.norm(x)
    nd.L2Normalization(x)
    nd.SwapAxis(x, dim1=0, dim2=1)
    nd.khatri_rao(x, x).shape
    nd.shape_array(x)
    nd.arange_like(x, axis=0)
    nd.contrib.arange_like(x, axis=0)
    nd.linalg.gemm2(x, x)
    nd.linalg_gemm2(x, x)
    nd.smooth_l1(x, scalar=1.0)
    nd.smooth_l1(x, 1.0)
    nd.random.uniform(0, 1, (2, 2)).shape
    nd.random.uniform(low=0, high=1, shape=3).shape
    nd.random.uniform(shape=(2,), dtype='float64').dtype
    nd.random.randint(0, 5, (2,)).dtype
    nd.random.normal(0, 1, out=o) is o
    nd.random_uniform(shape=(2, 2)).shape
    nd.random.shuffle(nd.array([1, 1]))
    nd.uniform(shape=(2,)).shape
    nd.random.uniform().shape
    nd.random.uniform(nd.array([0, 1]), nd.array([1, 2])).shape
    nd.random.uniform(nd.array([0, 1]), 2).shape
    nd.sample_uniform(nd.array([0, 1]), nd.array([1, 2]), shape=(3,)).shape
    """,
)

HAND_WRITTEN = lines(
    arrays_of_several_shapes,
    """
    nd.split_v2(v, 2)
    nd.split_v2(v, 3)
    nd.split_v2(v, (2, 4))
    nd.split_v2(v, [1])
    nd.split_v2(v, (1, 1))
    nd.split_v2(m, 3, axis=1)
    nd.split_v2(m, 3, axis=1, squeeze_axis=True)
    nd.split_v2(m, (1,), axis=-1)
    nd.split_v2(m, 2, squeeze_axis=True)
    nd.split_v2(m, 1)
    nd.split_v2(v, 4)
    nd.split_v2(v, ())
    nd.split_v2(v, (2,))
    nd.split_v2(v, 'a')
    nd.split_v2(v, (2, 10))
    nd.split_v2(m, 2, axis=5)
    nd.histogram(v, 3)
    nd.histogram(v, bins=5)
    nd.histogram(v)
    nd.histogram(v, 2, (0, 4))
    nd.histogram(v, bins=2, range=(1, 3))
    nd.histogram(v, nd.array([0, 2, 6]))
    nd.histogram(v, bins=nd.array([0, 1, 5]))
    nd.histogram(m, 2)
    nd.histogram(v.astype('int32'), 2, (0, 4))
    nd.histogram(v, 'a')
    nd.histogram(v, [0, 1])
    nd.moveaxis(x, 0, 2).shape
    nd.moveaxis(x, 0, -1).shape
    nd.moveaxis(x, -1, 0).shape
    nd.moveaxis(x, (0, 1), (2, 0)).shape
    nd.moveaxis(x, [0, 2], [2, 0]).shape
    nd.moveaxis(x, 0, 0).shape
    nd.moveaxis(x, 5, 0).shape
    nd.moveaxis(x, 0, 5).shape
    nd.moveaxis(x, (0, 1), 0).shape
    nd.moveaxis(x, (0, 0), (0, 1)).shape
    nd.moveaxis(m, 0, 1)
    nd.moveaxis(x, source=0, destination=1).shape
    nd.concatenate([m, m])
    nd.concatenate([m, m], axis=1)
    nd.concatenate([m])
    nd.concatenate([m], always_copy=False) is m
    nd.concatenate([m]) is m
    nd.concatenate((m, m), 0)
    nd.concatenate([])
    nd.concatenate([m, 5])
    nd.concatenate([m, nd.ones((2, 2))])
    nd.concatenate([m, nd.ones((2, 2))], axis=1)
    nd.concatenate([m, m.astype('int32')])
    nd.concatenate([m.astype('int32'), m.astype('int32')])
    nd.concatenate(m)
    nd.concatenate([m, m], axis=-1)
    nd.concatenate([x, x], axis=2).shape
    nd.onehot_encode(nd.array([0, 2]), nd.zeros((2, 3)))
    nd.onehot_encode(nd.array([0, 2]), nd.zeros((3, 3)))
    nd.onehot_encode(nd.array([0, 7]), nd.zeros((2, 3)))
    nd.waitall() is None
    nd.ones((2, 2)).sum().asscalar()
    nd.NDArray.__name__
    nd.NDArray.__module__
    mx.ndarray.ndarray.NDArray is nd.NDArray
    mx.ndarray.op is nd.op
    nd.stack(*[nd.array([1]), nd.array([2])])
    nd.stack()
    nd.stack([nd.array([1])])
    nd.add.__name__
    nd.relu.__name__
    nd.FullyConnected.__name__
    """,
)
_INTEGERS = ("int8", "int32", "int64")
POWERS = lines(
    pair,
    "\n".join(
        f"{power.format(dtype)}\n"
        for dtype in _INTEGERS
        for power in (
            "nd.array([0, 2, 0, 1], dtype='{0}') ** nd.array([3, 2, 0, 5], dtype='{0}')",
            "nd.array([0, 3, 0, 1], dtype='{0}') ** -1",
            "nd.array([0, 3, 0, 1], dtype='{0}') ** -1.5",
            "0 ** nd.array([0, 3], dtype='{0}')",
        )
    )
    + """
    nd.array([0, 2, 0, -1], dtype='int32') ** nd.array([-1, -1, 0, -3], dtype='int32')
    nd.array([0, 2, 0, -1], dtype='int64') ** nd.array([-1, -1, 0, -3], dtype='int64')
    nd.array([0, 2, 0, -1], dtype='int8') ** nd.array([-1, -1, 0, -3], dtype='int8')
    nd.array([[0], [2]], dtype='int32') ** nd.array([-2, 0, 2], dtype='int32')
    0 ** nd.array([-1, 0, 2], dtype='int32')
    0 ** nd.array([-1, 0, 2], dtype='int64')
    0.0 ** nd.array([-1, 0, 2], dtype='int32')
    2 ** nd.array([-1, 0, 2], dtype='int32')
    """,
)
PROGRAMS = {**PAIRS, **CALLS, **HAND_WRITTEN, **POWERS}

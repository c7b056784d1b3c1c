"""The NumPy dialect as programs use it: splitting, integers, options, attributes, parameters."""

from __future__ import annotations

from . import core

_SETUP = "np_use_helpers"

PROGRAMS = (
    core.lines(
        _SETUP,
        """
        slopes(lambda F, x: F.np.split(x, (1, 4), axis=1), count(2, 6))
        slopes(lambda F, x: F.np.split(x, (2, 3), axis=0), count(0, 3))
        slopes(lambda F, x: F.np.hsplit(x, (5, 7)), count(2, 0, 3))
        slopes(lambda F, x: F.np.vsplit(x, 2), count(4, 3))
        slopes(lambda F, x: F.np.dsplit(x, (1, 9)), count(2, 3, 0))
        slopes(lambda F, x: F.np.array_split(x, 3), count(7))
        slopes(lambda F, x: F.np.array_split(x, 3), count(7, dtype='int32'))
        slopes(lambda F, x: F.np.split(x, (1, 7)), count(4))
        np.split(count(4), onp.int64(2))
        both(lambda F, x: F.np.resize(x, (2, 4)), count(3))
        both(lambda F, x: F.np.resize(x, (2, 2)), count(0))
        both(lambda F, x: F.np.resize(x, ()), count(0, 2, dtype='int8'))
        slopes(lambda F, x: F.npx.slice(x, begin=(), end=(), step=None), count(2, 3))
        slopes(lambda F, x: F.npx.slice(x, begin=(1, -3), end=(3, 3), step=None), count(4, 5))
        slopes(lambda F, x: F.npx.slice(x, begin=(None,), end=(None,), step=(-1,)), count(4, 2, dtype='int32'))
        [list(F_shape(size, 'float16')) for size in (None, 1, (), (2, 3), (2, 0))]
        [list(F_shape(size, 'float64')) for size in (None, (2, 3), (0,))]
        tensorsolve((1, 1, 1), (1, 1, 1), None)
        tensorsolve((1,), (1,), None)
        tensorsolve((1, 4, 1, 4), (2, 1, 2, 1, 1, 1), None)
        tensorsolve((2, 2, 4), (2, 2), None)
        tensorsolve((2, 3), (2,), None)
        slopes(lambda F, x: F.np.cumsum(x), halves)
        slopes(lambda F, x: F.np.cumsum(x, axis=0), halves.reshape(15, 2))
        kept(np.ones((2, 3)).transpose((0, 0)))
        kept(np.ones((2, 3)).transpose((0, 2)))
        """,
        title="shapes: ",
    )
    | core.lines(
        _SETUP,
        """
        slopes(lambda F, x: x[0:3:2], count(3, 4, dtype='int32'))
        slopes(lambda F, x: x[:, ::-1], count(3, 4, dtype='int64'))
        slopes(lambda F, x: x[:, 1:3], count(3, 4, dtype='int8'))
        index_slopes([0, 2, 2])
        index_slopes(([0, 1], [1, 2]))
        index_slopes((Ellipsis, 1))
        index_slopes(None)
        index_slopes(onp.array([[0, 2], [1, 1]]))
        index_slopes((slice(0, 0), 1))
        slopes(lambda F, x: F.np.concatenate([x, x * 2], axis=1), count(2, 2, dtype='int32'))
        slopes(lambda F, x, y: F.np.concatenate([x, y]), count(2, dtype='bool'), count(3, dtype='bool'))
        slopes(lambda F, x: F.np.sum(x, axis=0, dtype='float32'), count(2, 3, dtype='int32'))
        slopes(lambda F, x: F.np.sum(x, axis=0, dtype='int32'), count(2, 3))
        slopes(lambda F, x: F.np.mean(x, axis=0, dtype='int8'), count(4, 3, dtype='float16'))
        slopes(lambda F, x: F.np.mean(x), count(4, dtype='int32'))
        slopes(lambda F, x: F.np.cumsum(x, dtype='int64'), count(4))
        slopes(lambda F, x: F.np.cumsum(x), count(4, dtype='int8'))
        slopes(lambda F, x: x % 3, count(5, dtype='int32'))
        slopes(lambda F, x, y: F.np.mod(x, y), count(5, dtype='int64') + 7, count(5, dtype='int64') + 2)
        slopes(lambda F, x: F.np.ones_like(x), count(3, dtype='int32'))
        slopes(lambda F, x: F.np.around(x), count(3, dtype='int32'))
        slopes(lambda F, x: F.np.sum(x * x, axis=1), count(2, 3, dtype='int32'), req='add')
        copy_slope()
        [kept(np.sum(np.array([100, 100, 100], dtype='int8'), dtype=d)) for d in ('int8', 'int32', 'int64', 'float32')]
        [kept(np.prod(np.array([100, 100, 7], dtype='uint8'), dtype=d)) for d in ('int32', 'int64', 'float64')]
        [kept(np.mean(np.array([100, 100, -3], dtype='int8'), dtype=d)) for d in ('int8', 'int32', 'float32')]
        [kept(np.sum(np.array([60000, 60000], dtype='float16'), dtype=d)) for d in ('int32', 'int64', 'float32')]
        """,
        title="integers: ",
    )
    | core.lines(
        _SETUP,
        """
        np.abs(x, dtype='colour')
        np.abs(x, dtype='float32')
        np.add(x, x, casting='mixed')
        np.add(x, x, casting='no')
        np.add(x, x, dtype='colour')
        np.sqrt(x, order='C')
        np.sqrt(x, order='wrong')
        np.sqrt(x, where=None)
        np.isnan(x, out=np.zeros(3, dtype='int32'))
        kept(np.isnan(x, out=np.zeros(3, dtype='bool')))
        np.logical_not(x, out=np.zeros(3))
        [kept(np.equal(y, y)), kept(np.not_equal(y, y)), kept(np.less(y, 2)), kept(np.greater_equal(y, y))]
        [kept(np.maximum(y, 1)), kept(np.minimum(y, y)), kept(np.isfinite(y)), kept(y == y)]
        format(np.array(2.5), '8.3f')
        format(np.array([2.5]), '8.3f')
        format(np.array([[2.5]]), '')
        format(np.array(3, dtype='int32'), 'd')
        format(np.array([1, 2], dtype='int8'), '>4')
        format(np.array(0.1), '')
        [kept(np.clip(x, x.min(), m)), kept(x.clip(m, None)), kept(np.full_like(x, m)), kept(np.nan_to_num(y, nan=m))]
        [kept(np.arange(n)), kept(np.arange(0, m, 0.5)), kept(np.around(x, n))]
        [kept(npx.leaky_relu(x, act_type='leaky', slope=m)), kept(npx.softmax(x, temperature=n))]
        np.clip(x, 0, np.array([0.5]))
        np.eye(np.array([2]))
        assigned((3, 4), (3, 4), 0, 5.0)
        assigned((), (), 0, [7.0])
        assigned((2, 3, 4), (3, 4), 1, [[1.0], [2.0]])
        assigned((2, 3, 4), (4,), 2, 3.0)
        assigned((3, 0), (3, 0), 0, 2.0)
        assigned((3, 4), (4,), 0, 2.0)
        """,
        title="options: ",
    )
    | core.lines(
        _SETUP,
        """
        deferred(lambda F, x, w: x.dot(w), count(4, 6), (0, 5))
        deferred(lambda F, x, w: F.np.dot(x, w), count(2, 3, 4), (-1, 5))
        deferred(lambda F, x, w: F.np.dot(x, w), count(2, 3, 4), (-1,))
        deferred(lambda F, x, w: F.np.dot(w, x), count(4, 6), (3, -1))
        deferred(lambda F, x, w, v: F.npx.relu(x.dot(w)).dot(v), count(4, 6), (0, 5), (0, 2))
        deferred(lambda F, x, w: F.np.matmul(x, w), count(2, 3, 4), (-1, 5))
        deferred(lambda F, x, w: F.np.matmul(w, x), count(4), (3, -1))
        deferred(lambda F, x, w: F.np.tensordot(x, w, 1), count(4, 6), (-1, 3))
        deferred(lambda F, x, w: F.np.tensordot(x, w, axes=([0, 1], [1, 0])), count(2, 3, 4), (-1, -1, 5))
        deferred(lambda F, x, w: F.np.concatenate([x, w], axis=-1), count(4, 6), (-1, 2))
        deferred(lambda F, x, w: F.np.vstack([x, w]), count(4, 6), (2, -1))
        deferred(lambda F, x, w: F.np.stack([x, w]), count(4, 6), (-1, -1))
        deferred(lambda F, x, w: F.np.dot(x, w), count(4, 6), None)
        kinds_of_parameters()
        kinds_of_results(classic)
        kinds_of_results(numpy_like)
        signature('_np_sum')
        signature('_np_trace')
        signature('_npx_reshape')
        signature('_np__random_shuffle')
        [name for name in sorted(vars(_numpy_op_doc)) if name.startswith(('_np_', '_npx_'))]
        mx.numpy_op_signature._get_builtin_op('FullyConnected')
        mx.numpy_op_signature._get_builtin_op('_np_nothing')
        [f.__name__ for f in map(mx.numpy_op_signature._get_builtin_op, ('_npx_relu', '_npx_nonzero', '_np_sum'))]
        len(onp.linalg.eigh(np.eye(2)))
        kept(onp.concatenate([np.ones(2), np.zeros(1)], axis=0))
        kept(onp.full_like(np.ones(2), fill_value=np.array(3.0)))
        """,
        title="blocks: ",
    )
)

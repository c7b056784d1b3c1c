"""Programs that random ones were reduced to, where they differed: types in graphs, scalars."""

from __future__ import annotations

from . import core

PROGRAMS = core.lines(
    "random_finding_helpers",
    """
    types(mx.sym.MakeLoss(x.topk(k=3, axis=1, dtype='int64', ret_typ='value')), x='float32')
    types(x.topk(k=3, dtype='int32', ret_typ='value') + 1, x='float64')
    types(x.topk(k=9, dtype='int32', ret_typ='mask'), x='float16')
    types(x.topk(k=3, dtype='int32', ret_typ='both'), x='float64')
    types(x.topk(k=3, dtype='int32'), x='float64')
    types(x.topk(k=3), x='float64')
    bound(mx.sym.MakeLoss(x.topk(k=3, axis=1, dtype='int64', ret_typ='value')))
    mx.nd.gamma(mx.nd.array([5, 8, 11, 12, 14, -3], dtype='int32'))
    mx.nd.gamma(mx.nd.array([11, 14, 17], dtype='int64'))
    in_numpy(lambda: types(mx.sym.np.argmax(a, axis=4), a='float32'))
    in_numpy(lambda: types(mx.sym.np.any(a, axis=5), a='int32'))
    in_numpy(lambda: types(mx.sym.np.mean(a, axis=4), a='int32'))
    in_numpy(lambda: [mx.np.average(mx.np.array(2.0), axis=0)])
    in_numpy(lambda: [mx.np.average(mx.np.array(2.0), axis=-1)])
    in_numpy(lambda: [mx.np.average(mx.np.array(2.0), axis=1)])
    in_numpy(lambda: mx.np.average(mx.np.array(2.0), axis=0, weights=mx.np.array(3.0), returned=True))
    in_numpy(lambda: [mx.np.diff(mx.np.array([[True, False]], dtype='bool'), n=2)])
    in_numpy(lambda: [mx.np.diff(mx.np.array([[True, False]], dtype='bool'))])
    in_numpy(lambda: [mx.np.quantile(mx.np.ones((2, 0)), 0.5, axis=0)])
    in_numpy(lambda: [mx.np.percentile(mx.np.ones((0, 2)), mx.np.array([10.0, 20.0]), axis=1)])
    in_numpy(lambda: [mx.np.swapaxes(mx.np.array(2.0), 0, 0)])
    in_numpy(lambda: [mx.np.moveaxis(mx.np.array(2.0), 0, -1)])
    in_numpy(lambda: [mx.np.moveaxis(mx.np.array(2.0), (), ())])
    """,
)

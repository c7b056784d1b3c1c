"""Methods of symbols of the NumPy dialect."""

from __future__ import annotations

from . import core

PROGRAMS = core.lines(
    "np_symbol_helpers",
    """
    [out.asnumpy() for out in x.astype('float16').eval(x=X)]
    [out.asnumpy() for out in x.astype('int32').eval(x=X)]
    [out.asnumpy() for out in x.astype(dtype='float64', copy=False).eval(x=X)]
    [out.asnumpy() for out in x.astype('int8', 'C').eval(x=X)]
    [out.asnumpy() for out in x.astype('bool').eval(x=X)]
    [out.asnumpy() for out in (x.astype('int32') + 1).astype('float32').eval(x=X)]
    x.astype('float32', order='F')
    x.astype('float32', order='A')
    x.astype('float32', casting='safe')
    x.astype('float32', subok=False)
    x.astype('float16').name
    attributes(x.astype('float16'))
    type(x.astype('float16')).__module__
    x.astype('float16').infer_type(x='float32')[1]
    in_np_shape(lambda: mx.sym.np.reshape(x, (2, 1, 1, 1)).infer_shape_partial(x=(-1,)))
    in_np_shape(lambda: mx.sym.np.reshape(x, (4, 3)).infer_shape_partial(x=(-1, 2)))
    in_np_shape(lambda: mx.sym.np.reshape(x, (2, -1)).infer_shape_partial(x=(-1, 2)))
    in_np_shape(lambda: mx.sym.np.reshape(x, (0, 2)).infer_shape_partial(x=(-1, 2)))
    in_np_shape(lambda: mx.sym.np.reshape(x, (4, 3)).infer_shape_partial(x=(-1, -1)))
    in_np_shape(lambda: mx.sym.np.hstack([x, mx.sym.var('y').as_np_ndarray()]).infer_shape_partial(x=(-1, 1, 1), y=(4, 1, 1))[1])
    [name for name in ('exp log relu softmax tile split flip pick norm one_hot square').split() if missing(name) == 'missing']
    """,
)

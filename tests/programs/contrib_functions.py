"""Contributed functions that are put together from operators."""

from __future__ import annotations

from .core import lines

_LINES = """
[F.isnan(x), F.isinf(x), F.isfinite(x)]
[F.isnan(x.astype("float16")), F.isinf(x.astype("float64")), F.isfinite(x.astype("float16"))]
[function(nd.array([1, 2], dtype="int32")) for function in (F.isnan, F.isinf, F.isfinite)]
F.isfinite(data=nd.ones((2, 2)))
F.rand_zipfian(nd.array([3, 0, 7]), 5, 10)[1]
F.rand_zipfian(nd.array([[3, 0], [1, 2]], dtype="int32"), 8, 20, ctx=mx.cpu(1))[1]
[(array.shape, array.dtype) for array in F.rand_zipfian(nd.array([3, 0, 7]), 5, 10)]
sorted(set(F.rand_zipfian(nd.array([0]), 2000, 4)[0].asnumpy().tolist()))
mx.sym.contrib.rand_zipfian(mx.sym.var("x"), 5, 10)[1].eval(x=nd.array([3, 0, 7], dtype="int64"))
[out.infer_shape(x=(3,))[1] for out in mx.sym.contrib.rand_zipfian(mx.sym.var("x"), 5, 10)[1:2]]
"""

PROGRAMS = lines("contrib_function_helpers", _LINES)

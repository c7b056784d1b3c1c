"""Arrays with the semantics of NumPy: `mx.np`.

Beside what is imported here the module holds the functions of `mxnet._np_functions`.
"""

import sys as _sys

import numpy as _numpy

from mxnet._arrays import operators as _array_operators
from mxnet._np_functions import mxnet2 as _mxnet2
from mxnet._np_functions.table import LINALG, NP, RANDOM
from mxnet._start import make_module, make_modules_late
from mxnet.ndarray import NDArray
from mxnet.numpy import _internal as _internal
from mxnet.numpy import _protocols
from mxnet.numpy import fallback as fallback
from mxnet.numpy._ndarray import _as_np_ndarray
from mxnet.numpy._ndarray import array as array
from mxnet.numpy._ndarray import asarray as asarray
from mxnet.numpy._ndarray import can_cast as can_cast
from mxnet.numpy._ndarray import from_dlpack as from_dlpack
from mxnet.numpy._ndarray import ndarray as ndarray
from mxnet.numpy._ndarray import set_printoptions as set_printoptions
from mxnet.numpy._operators import ARRAYS, install
from mxnet.numpy.fallback import genfromtxt as genfromtxt
from mxnet.numpy.fallback import wrap_mxnp_np_ufunc as wrap_mxnp_np_ufunc
from mxnet.ops.core.public import set_method
from mxnet.ops.core.spellings import NUMPY

ndarray._F = ARRAYS
set_method(NDArray, "as_np_ndarray", _as_np_ndarray)
_protocols.install()
_array_operators.install(ndarray, NUMPY.binary)

pi, e, inf, nan = _numpy.pi, _numpy.e, _numpy.inf, _numpy.nan
NaN = NAN = nan
PINF, NINF = inf, -inf
PZERO, NZERO = 0.0, -0.0
newaxis = None
float16, float32, float64 = _numpy.float16, _numpy.float32, _numpy.float64
uint8, int8, int32, int64 = _numpy.uint8, _numpy.int8, _numpy.int32, _numpy.int64
int16, uint16, uint32, uint64 = _numpy.int16, _numpy.uint16, _numpy.uint32, _numpy.uint64
bool_ = _numpy.bool_
bool = bool
finfo, iinfo, dtype = _numpy.finfo, _numpy.iinfo, _numpy.dtype
_mxnet2.LATER[NP] |= {name: _mxnet2.Instead(getattr(fallback, name)) for name in ("finfo", "iinfo")}
# Groups of element types, as the array API standard has them.
boolean_dtypes = [dtype("bool")]
floating_dtypes = [dtype(f"float{bits}") for bits in (16, 32, 64)]
integer_dtypes = [dtype(f"{kind}{bits}") for kind in ("int", "uint") for bits in (8, 16, 32, 64)]
numeric_dtypes = [*integer_dtypes, *floating_dtypes]

globals().update(fallback.FUNCTIONS)
random = ARRAYS.make_module(f"{__name__}.random", "Random numbers: `mx.np.random`.", RANDOM)
linalg = ARRAYS.make_module(f"{__name__}.linalg", "Linear algebra: `mx.np.linalg`.", LINALG)
vars(linalg).update({**fallback.LINALG_FUNCTIONS, **vars(linalg)})
vars(linalg)["__all__"] = [*fallback.LINALG_FUNCTIONS, *vars(linalg)["__all__"]]

__all__ = ["array", "linalg", "ndarray", "random", *fallback.FUNCTIONS, *install(globals(), NP)]

# Modules of the original, which has arrays and functions in them.
fallback_linalg = make_module(
    f"{__name__}.fallback_linalg",
    "Functions of `mx.np.linalg` that NumPy computes.",
    fallback.LINALG_FUNCTIONS,
)
multiarray = _sys.modules[f"{__name__}.multiarray"] = _sys.modules[__name__]
type_functions = make_module(
    f"{__name__}.type_functions",
    "Has `mx.np.can_cast` and `mx.np.result_type`.",
    {name: globals()[name] for name in ("can_cast", "result_type")},
)
vars(type_functions).update(
    {name: getattr(fallback, name) for name in ("finfo", "finfo_obj", "iinfo", "iinfo_obj")}
)
make_modules_late(
    globals(),
    {
        "function_base": "meshgrid",
        "io": "genfromtxt",
        "set_functions": "unique_all unique_inverse unique_values",
        "stride_tricks": "broadcast_arrays",
    },
)

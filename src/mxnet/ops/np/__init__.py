"""Operators of the NumPy dialect, whose names begin with `_np_`, `_npi_` or `_npx_`.

They are declared as all others. Where one means the same as an operator of the classic dialect,
both share a kernel; where it does not, as in promotion of dtypes, it has a kernel of its own.
"""

from mxnet.ops.np import creation as creation
from mxnet.ops.np import editing as editing
from mxnet.ops.np import einsum as einsum
from mxnet.ops.np import elementwise as elementwise
from mxnet.ops.np import linalg as linalg
from mxnet.ops.np import movement as movement
from mxnet.ops.np import pairs as pairs
from mxnet.ops.np import random as random
from mxnet.ops.np import reduction as reduction

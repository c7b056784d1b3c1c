"""Operators of the NumPy dialect, whose names begin with `_np_`, `_npi_` or `_npx_`.

They are declared as all others. Where one means the same as an operator of the classic dialect,
both share a kernel; where it does not, as in promotion of dtypes, it has a kernel of its own.
"""

from mxnet.ops.np import binary as binary
from mxnet.ops.np import comparison as comparison
from mxnet.ops.np import creation as creation
from mxnet.ops.np import diagonal as diagonal
from mxnet.ops.np import differences as differences
from mxnet.ops.np import editing as editing
from mxnet.ops.np import einsum as einsum
from mxnet.ops.np import elementwise as elementwise
from mxnet.ops.np import extension as extension
from mxnet.ops.np import joining as joining
from mxnet.ops.np import linalg as linalg
from mxnet.ops.np import logic as logic
from mxnet.ops.np import norm as norm
from mxnet.ops.np import ordering as ordering
from mxnet.ops.np import padding as padding
from mxnet.ops.np import products as products
from mxnet.ops.np import random as random
from mxnet.ops.np import reduction as reduction
from mxnet.ops.np import sampling as sampling
from mxnet.ops.np import selection as selection
from mxnet.ops.np import shape as shape
from mxnet.ops.np import statistics as statistics
from mxnet.ops.np import windows as windows

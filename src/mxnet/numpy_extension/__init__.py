"""What NumPy does not have, on arrays of `mx.np`: neural operators, devices and scopes, `mx.npx`.

Beside what is imported here the module holds the functions of `mxnet._np_functions`.
"""

from mxnet._np_functions.table import NPX
from mxnet._state import is_np_array as is_np_array
from mxnet._state import is_np_default_dtype as is_np_default_dtype
from mxnet._state import is_np_shape as is_np_shape
from mxnet._state import np_array as np_array
from mxnet._state import np_default_dtype as np_default_dtype
from mxnet._state import np_shape as np_shape
from mxnet._state import reset_np as reset_np
from mxnet._state import set_np as set_np
from mxnet._state import set_np_default_dtype as set_np_default_dtype
from mxnet._state import use_np as use_np
from mxnet._state import use_np_array as use_np_array
from mxnet._state import use_np_shape as use_np_shape
from mxnet.context import Context as Context
from mxnet.context import cpu as cpu
from mxnet.context import cpu_pinned as cpu_pinned
from mxnet.context import current_context as current_context
from mxnet.context import get_cuda_compute_capability as get_cuda_compute_capability
from mxnet.context import gpu as gpu
from mxnet.context import gpu_memory_info as gpu_memory_info
from mxnet.context import num_gpus as num_gpus
from mxnet.ndarray import to_dlpack_for_read as to_dlpack_for_read
from mxnet.ndarray import to_dlpack_for_write as to_dlpack_for_write
from mxnet.ndarray import waitall as waitall
from mxnet.ndarray.contrib import foreach as foreach
from mxnet.ndarray.contrib import while_loop as while_loop
from mxnet.numpy._operators import install
from mxnet.numpy_extension import image as image
from mxnet.numpy_extension import random as random
from mxnet.numpy_extension import utils as utils
from mxnet.numpy_extension.random import seed as seed
from mxnet.numpy_extension.utils import cond as cond
from mxnet.numpy_extension.utils import from_dlpack as from_dlpack
from mxnet.numpy_extension.utils import from_numpy as from_numpy
from mxnet.numpy_extension.utils import from_torch as from_torch
from mxnet.numpy_extension.utils import load as load
from mxnet.numpy_extension.utils import save as save
from mxnet.numpy_extension.utils import savez as savez

Device, current_device = Context, current_context
__all__ = ["cpu", "gpu", "num_gpus", "reset_np", "set_np", "waitall", *install(globals(), NPX)]

"""Apache MXNet's interface on today's Python, NumPy and GPUs, with PyTorch as the engine.

Example:
    >>> import mxnet as mx
    >>> x = mx.nd.array([1, 2, 3])
    >>> print((x * 2).asnumpy())
    [2. 4. 6.]
"""

# ruff: noqa: E402 - what makes the rest fail must be reported before it is imported
import os

from mxnet._start import installation as _installation

_installation.check_once()
_installation.end_helper_process()

from mxnet._start import engine as _engine

_engine.check()

from mxnet._legacy import clients as _clients
from mxnet._legacy import imported_names as _imported_names
from mxnet._start import collector_paused as _collector_paused
from mxnet._start import explain_imports as _explain_imports
from mxnet._start import make_getattr as _make_getattr

_clients.restore_numpy_aliases()
_clients.admit_gluoncv()
_explain_imports()
_clients.admit_tensorboard()

with _collector_paused(all_stays=True):
    from mxnet import attribute as attribute
    from mxnet import autograd as autograd
    from mxnet import base as base
    from mxnet import context as context
    from mxnet import gluon as gluon
    from mxnet import initializer as init
    from mxnet import initializer as initializer
    from mxnet import limits as limits
    from mxnet import name as name
    from mxnet import ndarray as nd
    from mxnet import ndarray as ndarray
    from mxnet import numpy as np
    from mxnet import numpy as numpy
    from mxnet import numpy_extension as npx
    from mxnet import numpy_extension as numpy_extension
    from mxnet import random as random
    from mxnet import registry as registry
    from mxnet import symbol as sym
    from mxnet import symbol as symbol
    from mxnet import util as util
    from mxnet._state import is_np_array as is_np_array
    from mxnet._state import is_np_default_dtype as is_np_default_dtype
    from mxnet._state import is_np_shape as is_np_shape
    from mxnet._state import np_array as np_array
    from mxnet._state import np_default_dtype as np_default_dtype
    from mxnet._state import np_shape as np_shape
    from mxnet._state import set_np_shape as set_np_shape
    from mxnet._state import set_version as set_version
    from mxnet._state import use_np as use_np
    from mxnet._state import use_np_array as use_np_array
    from mxnet._state import use_np_default_dtype as use_np_default_dtype
    from mxnet._state import use_np_shape as use_np_shape
    from mxnet._state import versions as _versions
    from mxnet._version import __version__ as __version__
    from mxnet.attribute import AttrScope as AttrScope
    from mxnet.context import Context as Context
    from mxnet.context import cpu as cpu
    from mxnet.context import cpu_pinned as cpu_pinned
    from mxnet.context import current_context as current_context
    from mxnet.context import gpu as gpu
    from mxnet.context import num_gpus as num_gpus
    from mxnet.errors import MXNetError as MXNetError
    from mxnet.ops.core import custom as _custom

Device, current_device = Context, current_context  # as MXNet 2 calls them, see `mx.device`
rnd = random
__all__ = ["img", "init", "kv", "mod", "mon", "nd", "np", "npx", "rnd", "sym", "th", "viz"]

_LATE_MODULES = (
    "amp callback contrib cuda device engine error executor executor_manager image io kvstore "
    "libinfo library log lr_scheduler metric model module monitor ndarray_doc notebook "
    "numpy_dispatch_protocol numpy_op_fallback numpy_op_signature onnx operator optimizer "
    "profiler recordio rnn rtc runtime symbol_doc test_utils torch visualization"
)
_LATE = {name: f"mxnet.{name}" for name in _LATE_MODULES.split()}
_LATE |= {
    "img": "mxnet.image",
    "kv": "mxnet.kvstore",
    "mod": "mxnet.module",
    "mon": "mxnet.monitor",
    "th": "mxnet.torch",
    "viz": "mxnet.visualization",
}
"""Modules by their name here that are imported when they are first asked for, because few programs
need them and they bring much with them."""


__getattr__ = _make_getattr(__name__, globals(), _LATE)
_custom.install_late(lambda: __getattr__("operator"))


_imported_names.install()
_versions.read_variable()


if os.environ.get("MXNET_PROFILER_AUTOSTART", "0") not in ("", "0"):
    __getattr__("profiler").set_state("run")

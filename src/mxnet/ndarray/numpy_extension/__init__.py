"""`mxnet.ndarray.numpy_extension` is `mxnet.numpy_extension`, which is built on this package."""

import importlib
import sys

sys.modules[__name__] = importlib.import_module("mxnet.numpy_extension")

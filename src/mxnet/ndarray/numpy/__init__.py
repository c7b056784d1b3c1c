"""`mxnet.ndarray.numpy` is `mxnet.numpy`, which is built on this package and hence not imported."""

import importlib
import sys

sys.modules[__name__] = importlib.import_module("mxnet.numpy")

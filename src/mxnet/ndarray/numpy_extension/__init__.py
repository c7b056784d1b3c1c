"""`mxnet.ndarray.numpy_extension` is `mxnet.numpy_extension`, which is built on this package."""

import importlib
import sys

_NAME = "mxnet.numpy_extension"

sys.modules[__name__] = importlib.import_module(_NAME)
for _name in [name for name in sys.modules if name.startswith(f"{_NAME}.")]:
    sys.modules[_name.replace(_NAME, __name__)] = sys.modules[_name]  # lest it is imported again

"""`mxnet.numpy.multiarray` is `mxnet.numpy`: the original has arrays and functions in there."""

import sys

sys.modules[__name__] = sys.modules["mxnet.numpy"]

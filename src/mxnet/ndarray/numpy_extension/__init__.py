"""`mxnet.ndarray.numpy_extension` is `mxnet.numpy_extension`, which is built on this package."""

from mxnet._start import stand_for

stand_for(__name__, "mxnet.numpy_extension")

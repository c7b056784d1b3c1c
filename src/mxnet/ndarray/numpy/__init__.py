"""`mxnet.ndarray.numpy` is `mxnet.numpy`, which is built on this package and hence not imported."""

from mxnet._start import stand_for

stand_for(__name__, "mxnet.numpy")

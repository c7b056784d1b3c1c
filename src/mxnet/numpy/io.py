"""Reading arrays of `mx.np` from text: `mx.np.io`."""

from mxnet.numpy.fallback import genfromtxt as genfromtxt

__all__ = ["genfromtxt"]

"""Broadcasting under the original's name of the module: `mx.np.stride_tricks`."""

from mxnet.numpy import broadcast_arrays as broadcast_arrays  # type: ignore[attr-defined]  # made from a table

__all__ = ["broadcast_arrays"]

"""Grids of coordinates under the original's name of the module: `mx.np.function_base`."""

from mxnet.numpy import meshgrid as meshgrid  # type: ignore[attr-defined]  # made from a table

__all__ = ["meshgrid"]

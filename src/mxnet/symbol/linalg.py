"""Linear algebra: `mx.sym.linalg`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "linalg")

"""Linear algebra: `mx.nd.linalg`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "linalg")

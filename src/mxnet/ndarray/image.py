"""Image operators: `mx.nd.image`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "image")

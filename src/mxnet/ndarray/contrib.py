"""Contributed operators: `mx.nd.contrib`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "contrib")

"""Operators that have no public name: `mx.nd._internal`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "_internal")

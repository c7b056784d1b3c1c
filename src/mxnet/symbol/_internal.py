"""Operators whose names begin with an underscore: `mx.sym._internal`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "_internal")

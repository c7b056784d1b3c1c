"""Contributed operators: `mx.sym.contrib`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "contrib")

"""Operators under their plain names: `mx.sym.op`, also found directly in `mx.sym`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "op")

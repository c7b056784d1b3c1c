"""Operators on images: `mx.sym.image`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "image")

"""Operators under their plain names: `mx.nd.op`, also found directly in `mx.nd`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "op")

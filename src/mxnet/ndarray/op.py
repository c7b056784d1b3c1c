"""Operators under their plain names: `mx.nd.op`, also found directly in `mx.nd`."""

from mxnet.ndarray._namespaces import populate
from mxnet.ndarray._sparse_creation import cast_storage

__all__ = populate(globals(), "op")
# in place of the operator for graphs, which are dense
globals().update(cast_storage=cast_storage)

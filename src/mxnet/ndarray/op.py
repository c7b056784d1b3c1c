"""Operators under their plain names: `mx.nd.op`, also found directly in `mx.nd`."""

from mxnet._start import tracebacks
from mxnet.ndarray import _sparse_creation
from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "op")
# in place of the operator for graphs, which are dense
globals().update(cast_storage=_sparse_creation.cast_storage)

tracebacks.public_functions(globals())

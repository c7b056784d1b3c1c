"""Operators that have no public name: `mx.nd._internal`."""

from mxnet.ndarray._namespaces import populate
from mxnet.ndarray._wrappers import _copyto, _cvimdecode, _cvimread, _set_value

__all__ = [*populate(globals(), "_internal"), "_copyto", "_cvimdecode", "_cvimread", "_set_value"]

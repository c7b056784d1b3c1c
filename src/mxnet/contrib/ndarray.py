"""Contributed operators on arrays where programs before 1.0 have them: `mx.contrib.nd`."""

from mxnet.ndarray._namespaces import populate

__all__ = populate(globals(), "contrib")

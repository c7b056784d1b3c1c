"""Contributed operators on symbols where programs before 1.0 have them: `mx.contrib.sym`."""

from mxnet.symbol._namespaces import populate

__all__ = populate(globals(), "contrib")

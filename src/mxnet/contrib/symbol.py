"""Contributed operators on symbols where programs before 1.0 have them: `mx.contrib.sym`."""

from mxnet.ops.backward_names import backward_hawkesll as backward_hawkesll
from mxnet.ops.backward_names import backward_index_copy as backward_index_copy
from mxnet.ops.backward_names import backward_quadratic as backward_quadratic
from mxnet.symbol._namespaces import populate

_WRITTEN_BY_HAND = ("backward_hawkesll", "backward_index_copy", "backward_quadratic")
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

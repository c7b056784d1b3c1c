"""Contributed operators on arrays where programs before 1.0 have them: `mx.contrib.nd`."""

from mxnet.ndarray import contrib
from mxnet.ndarray._namespaces import populate

_WRITTEN_BY_HAND = (
    "backward_hawkesll",
    "backward_index_copy",
    "backward_quadratic",
    "dgl_adjacency",
    "dgl_csr_neighbor_non_uniform_sample",
    "dgl_csr_neighbor_uniform_sample",
    "dgl_graph_compact",
    "dgl_subgraph",
)
globals().update({name: getattr(contrib, name) for name in _WRITTEN_BY_HAND})
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

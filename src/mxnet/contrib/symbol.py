"""Contributed operators on symbols where programs before 1.0 have them: `mx.contrib.sym`."""

from mxnet.symbol import contrib
from mxnet.symbol._functions import populate

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

"""Contributed operators on symbols where programs before 1.0 have them: `mx.contrib.sym`."""

from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet.symbol._functions import populate
from mxnet.symbol.contrib import dgl_adjacency as dgl_adjacency
from mxnet.symbol.contrib import (
    dgl_csr_neighbor_non_uniform_sample as dgl_csr_neighbor_non_uniform_sample,
)
from mxnet.symbol.contrib import (
    dgl_csr_neighbor_uniform_sample as dgl_csr_neighbor_uniform_sample,
)
from mxnet.symbol.contrib import dgl_graph_compact as dgl_graph_compact
from mxnet.symbol.contrib import dgl_subgraph as dgl_subgraph

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
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

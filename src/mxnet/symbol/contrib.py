"""Contributed operators: `mx.sym.contrib`."""

from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet._start import tracebacks
from mxnet.symbol._contrib_functions import adamw_update as adamw_update
from mxnet.symbol._contrib_functions import dgl_adjacency as dgl_adjacency
from mxnet.symbol._contrib_functions import (
    dgl_csr_neighbor_non_uniform_sample as dgl_csr_neighbor_non_uniform_sample,
)
from mxnet.symbol._contrib_functions import (
    dgl_csr_neighbor_uniform_sample as dgl_csr_neighbor_uniform_sample,
)
from mxnet.symbol._contrib_functions import dgl_graph_compact as dgl_graph_compact
from mxnet.symbol._contrib_functions import dgl_subgraph as dgl_subgraph
from mxnet.symbol._contrib_functions import mp_adamw_update as mp_adamw_update
from mxnet.symbol._contrib_functions import rand_zipfian as rand_zipfian
from mxnet.symbol._control_flow import cond as cond
from mxnet.symbol._control_flow import foreach as foreach
from mxnet.symbol._control_flow import while_loop as while_loop
from mxnet.symbol._functions import populate

_WRITTEN_BY_HAND = (
    "adamw_update",
    "backward_hawkesll",
    "backward_index_copy",
    "backward_quadratic",
    "cond",
    "dgl_adjacency",
    "dgl_csr_neighbor_non_uniform_sample",
    "dgl_csr_neighbor_uniform_sample",
    "dgl_graph_compact",
    "dgl_subgraph",
    "foreach",
    "mp_adamw_update",
    "rand_zipfian",
    "while_loop",
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

tracebacks.public_functions(globals())

"""Contributed operators: `mx.nd.contrib`."""

from mxnet._legacy.backward_names import backward_hawkesll as backward_hawkesll
from mxnet._legacy.backward_names import backward_index_copy as backward_index_copy
from mxnet._legacy.backward_names import backward_quadratic as backward_quadratic
from mxnet._start import tracebacks
from mxnet.context import current_context as current_context
from mxnet.ndarray._contrib_functions import isfinite as isfinite
from mxnet.ndarray._contrib_functions import isinf as isinf
from mxnet.ndarray._contrib_functions import isnan as isnan
from mxnet.ndarray._contrib_functions import rand_zipfian as rand_zipfian
from mxnet.ndarray._contrib_updates import adamw_update as adamw_update
from mxnet.ndarray._contrib_updates import mp_adamw_update as mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_adamw_update as multi_adamw_update
from mxnet.ndarray._contrib_updates import multi_lamb_update as multi_lamb_update
from mxnet.ndarray._contrib_updates import multi_mp_adamw_update as multi_mp_adamw_update
from mxnet.ndarray._contrib_updates import multi_mp_lamb_update as multi_mp_lamb_update
from mxnet.ndarray._control_flow import cond as cond
from mxnet.ndarray._control_flow import foreach as foreach
from mxnet.ndarray._control_flow import while_loop as while_loop
from mxnet.ndarray._graph_sampling import dgl_adjacency as dgl_adjacency
from mxnet.ndarray._graph_sampling import (
    dgl_csr_neighbor_non_uniform_sample as dgl_csr_neighbor_non_uniform_sample,
)
from mxnet.ndarray._graph_sampling import (
    dgl_csr_neighbor_uniform_sample as dgl_csr_neighbor_uniform_sample,
)
from mxnet.ndarray._graph_sampling import dgl_graph_compact as dgl_graph_compact
from mxnet.ndarray._graph_sampling import dgl_subgraph as dgl_subgraph
from mxnet.ndarray._namespaces import populate
from mxnet.ndarray.random import uniform as uniform

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
    "isfinite",
    "isinf",
    "isnan",
    "mp_adamw_update",
    "multi_adamw_update",
    "multi_lamb_update",
    "multi_mp_adamw_update",
    "multi_mp_lamb_update",
    "rand_zipfian",
    "uniform",
    "while_loop",
)
__all__ = [*populate(globals(), "contrib"), *_WRITTEN_BY_HAND]

tracebacks.public_functions(globals())

"""Storage types of results: operators on sparse arrays, outputs of graphs, csr arrays as graphs."""

from __future__ import annotations

import mxnet as mx
from mxnet import nd

from .core import functions, lines
from .sparse_graph_helpers import dense_array, stored_zeros

RESULTS = lines(
    "sparse_array_helpers",
    """
    q(nd.dot(c, w))
    q(nd.dot(c, w, transpose_a=True))
    q(nd.dot(c, d, transpose_a=True))
    q(nd.dot(c, d, transpose_a=True, transpose_b=True))
    (nd.dot(d, c).stype, nd.dot(d, c).asnumpy())
    q(nd.dot(d, c, transpose_a=True))
    q(nd.dot(w, c))
    q(nd.dot(w, w))
    q(I._scatter_plus_scalar(w, scalar=2))
    q(I._scatter_plus_scalar(c, scalar=2))
    q(I._scatter_minus_scalar(w, scalar=2))
    q(I._scatter_minus_scalar(c, scalar=2))
    q(I._scatter_elemwise_div(w, d + 1))
    q(I._scatter_elemwise_div(c, d + 1))
    q(I._scatter_elemwise_div(w, w))
    q(nd.take(c, nd.array([0, 2])))
    q(nd.take(c, nd.array([2, 1, 1, 0])))
    q(nd.take(c, nd.array([-1, 5]), mode='wrap'))
    q(nd.take(c, nd.array([-1, 5])))
    q(nd.take(c, nd.array([0, 2]), axis=1))
    q(nd.take(w, nd.array([0, 2])))
    q(I._square_sum(w, axis=1))
    q(I._square_sum(w, axis=1, keepdims=True))
    q(I._square_sum(w, axis=0))
    q(I._square_sum(w, axis=0, keepdims=True))
    q(nd.Cast(w, dtype='float64'))
    q(nd.Cast(c, dtype='float64'))
    q(w.astype('float64'))
    q(I._identity_with_attr_like_rhs(w, w))
    q(I._identity_with_attr_like_rhs(d, w))
    (c._num_aux, c._aux_types, c._aux_type(1), c._aux_data(0), c._aux_data(1))
    (w._num_aux, w._aux_types, w._aux_data(0))
    c.__setitem__(slice(0, 1), 3)
    w.__setitem__(slice(0, 1), 3)
    w.__setitem__(0, 3)
    """,
)

EDGES = lines(
    stored_zeros,
    """
    nd.contrib.getnnz(c)
    nd.contrib.getnnz(c, axis=1)
    nd.contrib.getnnz(c, axis=0)
    nd.contrib.getnnz(c, axis=-1)
    nd.contrib.getnnz(e)
    nd.contrib.getnnz(c[1:])
    nd.contrib.edge_id(c, nd.array([0, 0, 1, 1]), nd.array([1, 0, 0, 2]))
    nd.contrib.edge_id(c, nd.array([1, 1]), nd.array([2, 1]))
    nd.contrib.edge_id(c, nd.array([0]), nd.array([0, 1]))
    nd.contrib.edge_id(c, nd.array([[0]]), nd.array([[0]]))
    nd.contrib.edge_id(c.astype('int64'), nd.array([0, 1]), nd.array([1, 2]))
    nd.contrib.edge_id(e, nd.array([0, 1]), nd.array([0, 0]))
    """,
)

SUBGRAPHS = lines(
    "subgraph_helpers",
    """
    q(nd.contrib.dgl_adjacency(g))
    q(nd.contrib.dgl_subgraph(g, v, return_mapping=False))
    q(nd.contrib.dgl_subgraph(g, v, return_mapping=True))
    q(nd.contrib.dgl_subgraph(g, v, u, return_mapping=True))
    q(nd.contrib.dgl_subgraph(g, v, u, return_mapping=False))
    q(nd.contrib.dgl_csr_neighbor_uniform_sample(full, s, num_neighbor=4, max_num_vertices=5))
    q(nd.contrib.dgl_csr_neighbor_uniform_sample(full, s, t, num_neighbor=4, max_num_vertices=5))
    compact()
    """,
)

MISTAKES = lines(
    dense_array,
    """
    S.retain(a, invalid_arg='x')
    S.retain(a, a, invalid_arg='x')
    S.csr_matrix(a, shape=(3, 2))
    S.csr_matrix((2, 2), shape=(3, 2))
    S.row_sparse_array((2, 2), shape=(3, 2))
    S.row_sparse_array(a, shape=(3, 2))
    S.zeros('columns', (2, 2))
    S.csr_matrix('a')
    S.row_sparse_array('a')
    """,
)


OUTPUTS_OF_ONE = lines(
    "sparse_unary_helpers",
    """
    run(S.sqrt)
    run(S.sin)
    run(S.relu)
    run(S.sigmoid)
    run(S.exp)
    run(lambda v: v * 2)
    run(lambda v: v + 1)
    run(lambda v: v + 0)
    run(lambda v: v / 2)
    run(lambda v: v == 0)
    run(lambda v: v > 1)
    run(lambda v: v ** 2)
    run(lambda v: -v)
    run(lambda v: S.clip(v, -1, 1))
    run(lambda v: S.sqrt(S.abs(v) * 3))
    run(lambda v: S.sum(v))
    run(lambda v: S.norm(v))
    run(lambda v: S.cast_storage(v, stype='default'))
    run(lambda v: S.zeros_like(v))
    run(lambda v: S.BlockGrad(v))
    run(lambda v: S.reshape(v, shape=(-1,)))
    run(lambda v: S.slice(v, begin=(0,), end=(2,)))
    run(lambda v: S.take(v, S.arange(2)))
    run(lambda v: S.Group([v * 2, v + 1]))
    run(lambda v: S.elemwise_add(v, v * 2))
    """,
)


OUTPUTS_OF_TWO = lines(
    "sparse_binary_helpers",
    """
    run(S.elemwise_add)
    run(S.elemwise_sub)
    run(S.elemwise_mul)
    run(S.elemwise_div)
    run(S.broadcast_add)
    run(S.broadcast_mul)
    run(S.add_n)
    run(S.Concat)
    run(S.dot)
    """,
)


def the_gradient_through_a_sparse_output():
    graph = mx.sym.cast_storage(mx.sym.var("a"), stype="row_sparse") * 2
    bound = graph.simple_bind(mx.cpu(), a=(3, 2))
    bound.arg_dict["a"][1] = 3
    out = bound.forward(is_train=True)[0]
    bound.backward(nd.ones((3, 2)))
    return out.stype, out.indices, out.data, bound.grad_dict["a"].asnumpy()


def storage_types_of_gradients():
    r = []
    for stype in ("default", "csr", "row_sparse"):
        for wanted in (None, "default", "csr", "row_sparse"):
            x = nd.zeros((1, 1), stype=stype)
            x.attach_grad(stype=wanted)
            r.append((stype, wanted, x.grad.stype, x.detach().stype))
    return r


PROGRAMS = (
    RESULTS | EDGES | SUBGRAPHS | MISTAKES | OUTPUTS_OF_ONE | OUTPUTS_OF_TWO | functions(globals())
)

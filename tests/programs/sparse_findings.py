"""Sparse arrays: flawed parts, operators on what is stored, and results in graphs."""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd

from .core import functions, lines

DENSE = nd.array([[0, 2, 0], [0, 0, 0], [3, 0, -1], [0, 0, 0]])


def _kind(function):
    try:
        return function()
    except mx.MXNetError:
        return "raises"


def _checked(make):
    array = make()
    return (
        array.shape,
        array.indices,
        _kind(array.check_format),
        _kind(lambda: array.check_format(full_check=False)),
    )


def flawed_matrices():
    rows = [([0, 4, 1, 3], [0, 2, 1]), ([0, 1, 2, 5], [0, 2, 1]), ([1, 2, 2, 3], [0, 2, 1])]
    rows += [([0, 1, 2, 3], [0, 7, 1]), ([0, 1, 2, 3], [0, 1, -1]), ([0, 2, 2, 3], [3, 1, 1])]
    values = [1, 2, 3]
    return [
        _checked(lambda: nd.sparse.csr_matrix((values, columns, ends), shape=(3, 4)))
        for ends, columns in rows
    ]


def flawed_rows():
    places = [[0, 5], [2, 0], [1, -1], [1, 1]]
    values = [[1, 2], [3, 4]]
    return [
        _checked(lambda: nd.sparse.row_sparse_array((values, place), shape=(3, 2)))
        for place in places
    ]


def flawed_matrices_are_copied():
    made = nd.sparse.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 2))
    return made.copy().indptr, made.copyto(mx.cpu(1)).indices


def a_flawed_matrix_is_assigned_to():
    made = nd.sparse.csr_matrix(([1, 2], [0, 1], [0, 2, 1]), shape=(2, 2))
    made[:] = nd.array([[0, 5], [6, 0]]).tostype("csr")
    return made.asnumpy(), made.indptr


def _bound(symbol, **arrays):
    result = symbol.bind(mx.cpu(), arrays).forward()[0]
    return result.stype, result.asnumpy()


def _on_stored(stype, name):
    x = DENSE.tostype(stype)
    eager = getattr(nd._internal, name)(x, scalar=3)
    symbol = getattr(mx.sym._internal, name)(mx.sym.var("x", stype=stype), scalar=3)
    return eager.stype, eager.asnumpy(), _bound(symbol, x=x), _bound(symbol * 2, x=x)


def scattered_sums():
    return [_on_stored(stype, "_scatter_plus_scalar") for stype in ("row_sparse", "csr", "default")]


def scattered_differences():
    return [
        _on_stored(stype, "_scatter_minus_scalar") for stype in ("row_sparse", "csr", "default")
    ]


def scattered_quotients():
    symbol, results = mx.sym._internal._scatter_elemwise_div, []
    for first in ("row_sparse", "csr", "default"):
        for second in ("row_sparse", "csr", "default"):
            x, y = DENSE.tostype(first), (DENSE * 2 + 1).tostype(second)
            node = symbol(mx.sym.var("x", stype=first), mx.sym.var("y", stype=second))
            results.append(_bound(node, x=x, y=y))
    return results


def scattered_quotients_by_zero():
    x = DENSE.tostype("row_sparse")
    node = mx.sym._internal._scatter_elemwise_div(
        mx.sym.var("x", stype="row_sparse"), mx.sym.var("y", stype="row_sparse")
    )
    return _bound(node, x=x, y=x)


def quadratic_functions():
    results = []
    for stype in ("csr", "row_sparse", "default"):
        x = DENSE.tostype(stype)
        for constant in (0, 1.5):
            eager = nd.contrib.quadratic(x, a=2, b=-1, c=constant)
            node = mx.sym.contrib.quadratic(mx.sym.var("x", stype=stype), a=2, b=-1, c=constant)
            results.append((eager.stype, eager.asnumpy(), _bound(node, x=x)))
    return results


def the_gradient_of_a_sparse_embedding():
    node = mx.sym.contrib.SparseEmbedding(
        mx.sym.var("x"), mx.sym.var("w"), input_dim=5, output_dim=2, deterministic=True
    )
    executor = node.simple_bind(mx.cpu(), grad_req={"x": "null", "w": "write"}, x=(3,))
    executor.arg_dict["x"][:] = nd.array([4, 1, 4])
    executor.arg_dict["w"][:] = nd.arange(10).reshape((5, 2))
    out = executor.forward(is_train=True)[0]
    executor.backward(nd.ones((3, 2)))
    return out, executor.grad_dict["w"].stype, executor.grad_dict["w"].asnumpy()


def _with_sparse_bias(stype):
    data, weight = nd.arange(6).reshape((2, 3)), nd.arange(12).reshape((4, 3))
    bias = nd.array([[1], [2], [3], [4]]).tostype("row_sparse")
    return nd.sparse.FullyConnected(
        data.tostype(stype), weight.tostype("row_sparse"), bias=bias, num_hidden=4
    )


def dense_layers_with_a_column_for_a_bias():
    return [_with_sparse_bias(stype) for stype in ("default", "csr")]


def _normalized(stype, fixed):
    arrays = {"data": nd.arange(6).reshape((2, 3)).tostype(stype)}
    arrays |= {"gamma": nd.array([1, 3, 2]), "beta": nd.ones(3)}
    node = mx.sym.BatchNorm(
        mx.sym.var("data", stype=stype), mx.sym.var("gamma"), mx.sym.var("beta"), fix_gamma=fixed
    )
    executor = node.bind(mx.cpu(), arrays, aux_states=[nd.zeros(3), nd.ones(3)])
    return executor.forward()[0].asnumpy()


def normalization_of_sparse_data():
    return [
        _kind(lambda: _normalized(stype, fixed))
        for stype in ("row_sparse", "csr", "default")
        for fixed in (True, False)
    ]


def _slopes(name):
    x = nd.array([0.0, -0.0, -1.0, -2.0, 2.5, -0.5])
    x.attach_grad()
    with autograd.record():
        y = getattr(nd, name)(x)
    y.backward()
    return y, x.grad


def slopes_of_the_gamma_function_at_poles():
    return _slopes("gamma"), _slopes("gammaln")


STRAIGHT_THROUGH = lines(
    "sparse_helpers",
    """
    [nd.sparse._contrib_round_ste(nd.array([[0.6, 0], [-1.5, 0]]).tostype(s)).stype for s in ("csr", "row_sparse")]
    [nd.sparse._contrib_sign_ste(nd.array([[0.6, 0], [-1.5, 0]]).tostype(s)).asnumpy() for s in ("csr", "row_sparse")]
    nd.sparse._contrib_round_ste(nd.array([0.5, -2.5]))
    nd.contrib.sign_ste(nd.array([[0.6, 0], [-1.5, 0]]).tostype('csr')).indices
    """,
)

PROGRAMS = functions(globals()) | STRAIGHT_THROUGH

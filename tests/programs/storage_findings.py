"""Programs that random ones with sparse arrays were reduced to, where they differed."""

from __future__ import annotations

import warnings

import mxnet as mx
from mxnet import autograd, gluon, nd

from .core import functions

DENSE = nd.array([[0, 2, 0], [0, 0, 0], [3, 0, -1], [0, 0, 0]])
ROWS = nd.array([[1, 2], [3, 4], [5, 6]])
FEWER_ROWS = nd.array([[1, 2], [0, 0], [5, 6]])
SPARSE = ("row_sparse", "csr")


def _kept(array):
    return array.stype, array.asnumpy()


def _recorded(stype, compute):
    x = DENSE.tostype(stype)
    x.attach_grad()
    with autograd.record():
        y = compute(x)
    y.backward(nd.arange(y.shape[0] * y.shape[1]).reshape(y.shape))
    return _kept(y), _kept(x.grad)


def negation():
    return [_recorded(stype, lambda x: -x) for stype in SPARSE]


def absolute_values():
    return [_recorded(stype, abs) for stype in SPARSE]


def copies():
    return [_recorded(stype, lambda x: x.copy() * 3) for stype in SPARSE]


def products_with_copies():
    return _recorded("csr", lambda x: x.copy() * x)


def casts_of_one_type():
    return [_recorded(stype, lambda x: x.astype("float32") * 3) for stype in SPARSE]


def slices_of_a_matrix():
    return _recorded("csr", lambda x: x[1:3] * 2), _recorded("csr", lambda x: x[2])


def division_by_zero():
    results = [_kept(DENSE.tostype(stype) / 0) for stype in SPARSE]
    return results, [_kept(nd.sparse.divide(DENSE.tostype(stype), 0)) for stype in SPARSE]


def sums_of_stored_elements():
    function = nd._internal._scatter_plus_scalar
    return [_recorded(stype, lambda x: function(x, scalar=2) * 2) for stype in SPARSE]


def slopes_of_stored_elements_in_a_graph():
    results = []
    for stype in SPARSE:
        node = mx.sym._internal._scatter_minus_scalar(mx.sym.var("x", stype=stype), scalar=2)
        x, slope = DENSE.tostype(stype), nd.zeros(DENSE.shape)
        executor = node.bind(mx.cpu(), {"x": x}, {"x": slope})
        outputs = executor.forward(is_train=True)
        executor.backward(nd.arange(12).reshape((4, 3)))
        results.append((_kept(outputs[0]), slope))
    return results


def storage_of_gradients_of_comparisons():
    a, b = mx.sym.var("a", stype="csr"), mx.sym.var("b", stype="row_sparse")
    results = []
    for node in (a > 1, b == 0.5, mx.sym._internal._greater(a, b), mx.sym._internal._equal(b, b)):
        names = node.list_arguments()
        executor = (node + mx.sym.var("c")).simple_bind(
            mx.cpu(), c=(4, 3), **dict.fromkeys(names, (4, 3))
        )
        results.append([executor.grad_dict[name].stype for name in names])
    return results


def quadratic_functions_without_attributes():
    node = mx.sym.contrib.quadratic(mx.sym.var("a", stype="csr"))
    return _kept(node.bind(mx.cpu(), {"a": DENSE.tostype("csr")}).forward()[0])


def quotients_by_zero_in_a_graph():
    node = mx.sym.broadcast_div(mx.sym.var("a", stype="csr"), mx.sym.var("b"))
    arrays = {"a": DENSE.tostype("csr"), "b": nd.zeros((1, 1))}
    return _kept(node.bind(mx.cpu(), arrays).forward()[0])


def copies_in_another_storage_type():
    function = nd._internal._identity_with_attr_like_rhs
    return [
        _kept(function(DENSE.tostype(first), DENSE.tostype(second)))
        for first in SPARSE
        for second in SPARSE
    ]


def means_along_axes_that_are_not_there():
    x = DENSE.tostype("csr")
    raised = []
    for axis in (2, -3):
        try:
            raised.append(nd.mean(x, axis=axis).shape)
        except mx.MXNetError:
            raised.append("raises")
    return raised


def _updated(name, states, weight_type, state_type, weight=ROWS, **options):
    weight = weight.tostype(weight_type)
    grad = nd.array([[0.5, -0.5], [0, 0], [0.25, 1]]).tostype("row_sparse")
    states = [state.tostype(state_type) for state in states]
    getattr(nd, name)(weight, grad, *states, out=weight, lr=0.1, wd=0.1, **options)
    return _kept(weight), [state.asnumpy() for state in states]


FIRST, SECOND = nd.array([[1, 0.5], [2, 2], [1, 1]]), nd.array([[1, 2], [0.5, 1], [2, 2]])


def updates_with_other_storage_of_states():
    results = []
    for kinds in (("default", "row_sparse"), ("row_sparse", "default")):
        results.append(_updated("sgd_mom_update", [FIRST], *kinds, momentum=0.9))
        results.append(_updated("adam_update", [FIRST, SECOND], *kinds))
        results.append(_updated("ftrl_update", [FIRST, SECOND], *kinds))
    return results


def updates_of_states_without_some_rows():
    states = [FEWER_ROWS, FEWER_ROWS * 2]
    return _updated("adam_update", states, "default", "row_sparse"), _updated(
        "ftrl_update", states, "default", "row_sparse"
    )


class _Two(gluon.HybridBlock):
    """Returns multiples of the data and of a parameter, by two operators or by more."""

    def __init__(self, many):
        super().__init__()
        self._many = many
        with self.name_scope():
            self.w = self.params.get("w", shape=(2,), init=mx.init.One())

    def hybrid_forward(self, F, x, w):  # noqa: N803
        return (F.sin(x) if self._many else x) * 2, w * 3


def _replaced(many, static, attached):
    net = _Two(many)
    net.initialize()
    net.hybridize(static_alloc=static)
    net.w._data[0] = nd.array([5, 7])
    x = nd.array([1, 2])
    if attached:
        x.attach_grad()
    with autograd.record():
        outputs = net(x)
    try:
        autograd.backward(list(outputs))
    except mx.MXNetError:
        return "raises"
    return net.w.grad(), x.grad


def results_of_replaced_parameters():
    bools = (False, True)
    return [_replaced(many, static, on) for many in bools for static in bools for on in bools]


def _used_one_by_one(many, static):
    net = _Two(many)
    net.initialize()
    net.hybridize(static_alloc=static)
    x = nd.array([1, 2])
    x.attach_grad()
    with autograd.record():
        first, second = net(x)
    first.backward()
    try:
        second.backward()
    except mx.MXNetError:
        return "raises"
    return net.w.grad(), x.grad


def outputs_differentiated_one_by_one():
    return [_used_one_by_one(many, static) for many in (False, True) for static in (False, True)]


def _inferred(symbol, *questions):
    return [symbol.infer_shape_partial(**given) for given in questions]


def shapes_of_parameters_of_densities():
    x, a, b = map(mx.sym.var, "xab")
    one = [{"x": (2, 3), "a": (0,)}, {"x": (2, 4, 3), "a": (2, 0)}, {"x": (2, 3)}]
    two = [{"x": (2, 3), "a": (0,), "b": (2,)}, {"x": (2, 3), "a": (3,)}]
    vectors = [
        {"x": (2, 4, 3), "a": (0, 3)},
        {"x": (2, 4, 3), "a": (2, 0)},
        {"x": (4, 3), "a": (0,)},
    ]
    return (
        _inferred(mx.sym.random_pdf_poisson(x, a), *one),
        _inferred(mx.sym.random_pdf_exponential(x, a), *one),
        _inferred(mx.sym.random_pdf_normal(x, a, b), *two),
        _inferred(mx.sym.random_pdf_dirichlet(x, a), *vectors),
    )


def shapes_of_attended_values():
    node = mx.sym.contrib.interleaved_matmul_selfatt_valatt(
        mx.sym.var("x"), mx.sym.var("a"), heads=2
    )
    return _inferred(
        node, {"x": (5, 0, 12), "a": (6, 5, 5)}, {"x": (5, 3, 12), "a": (0, 5, 5)},
        {"x": (5, 3, 12), "a": (6, 5, 5)},
    )  # fmt: skip


def stored_zeros_count_while_recording():
    x = DENSE.tostype("csr")
    x.attach_grad()
    with autograd.record():
        stored = nd._internal._greater_scalar(x, scalar=1.5)
        y = nd.slice_axis(
            nd._internal._scatter_plus_scalar(stored, scalar=2), axis=0, begin=0, end=3
        )
    return y


def stored_elements_are_counted_while_recording():
    x = DENSE.tostype("csr")
    x.attach_grad()
    with autograd.record():
        return nd.contrib.getnnz(x == -1.5, axis=1), nd.contrib.getnnz(x * 0)


def all_of_a_matrix_is_the_matrix():
    x = DENSE.tostype("csr")
    return x[:] is x


def copies_by_function():
    return [_recorded(stype, lambda x: nd.sparse.array(x) * 3) for stype in SPARSE]


def means_of_integers():
    x = nd.array([[3, 0, 4], [0, 6, 0]], dtype="int32").tostype("csr")
    return nd.mean(x), nd.mean(x, axis=0), nd.mean(x, axis=1, keepdims=True)


class _Cast(gluon.HybridBlock):
    """Casts its argument to a sparse array."""

    def __init__(self, stype):
        super().__init__()
        self._stype = stype

    def hybrid_forward(self, F, x):  # noqa: N803
        return F.cast_storage(x, stype=self._stype)


def casts_in_a_hybridized_block():
    results = []
    for stype in (*SPARSE, "default"):
        net = _Cast(stype)
        net.hybridize()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that no graph is made of it
            results.append([_kept(net(DENSE)) for _ in range(2)])
    return results


def storage_of_gradients_of_products():
    results = []
    for options in ({}, *({"forward_stype": stype} for stype in (*SPARSE, "default"))):
        node = mx.sym.sparse.dot(mx.sym.var("a", stype="csr"), mx.sym.var("b"), **options)
        results.append(node.simple_bind(mx.cpu(), a=(2, 2), b=(2, 3)).grad_dict["b"].stype)
    return results


PROGRAMS = functions(globals())

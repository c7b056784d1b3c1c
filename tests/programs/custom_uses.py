"""Operators written in Python as tests of networks use them: without inputs, on sparse arrays."""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd

from .core import functions
from .custom_use_helpers import Add, differentiated, seen


def no_inputs():
    return nd.Custom(rows=3, op_type="program_made")


def no_inputs_recorded():
    with autograd.record():
        y = nd.Custom(rows=3, columns=1, op_type="program_made")
    return y


def no_inputs_in_a_graph():
    s = mx.sym.Custom(rows=3, op_type="program_made", name="made")
    e = s.bind(mx.cpu(), {})
    return (s.list_arguments(), s.list_outputs(), s.infer_shape(), e.forward())


def no_inputs_in_a_block():
    return Add()(nd.ones((3, 2)))


def no_inputs_in_a_hybridized_block():
    net = Add()
    net.hybridize()
    return net(nd.ones((3, 2)))


def no_input_where_one_is_expected():
    return nd.Custom(op_type="program_cube")


def sparse():
    x = nd.array([[1, 0, 2.0], [0, 0, 3]])
    return differentiated(x.tostype("csr"), "program_cube")


def dense():
    x = nd.array([[1, 0, 2.0], [0, 0, 3]])
    return differentiated(x, "program_cube")


def sparse_not_recorded():
    x = nd.array([[1, 0, 2.0], [0, 0, 3]])
    y = nd.Custom(x.tostype("csr"), op_type="program_cube")
    return (y.stype, y.asnumpy(), seen)


def storage_of_sparse_inputs_by_default():
    return mx.operator.CustomOpProp().infer_storage_type(["csr"])


def storage_of_dense_inputs_by_default():
    return mx.operator.CustomOpProp().infer_storage_type(["default"])


def arguments_by_name():
    return differentiated(nd.ones(2), "program_named")


def old_operators_by_name():
    class Twice(mx.operator.NumpyOp):
        def forward(self, **given):
            given["out_data"][0][:] = given["in_data"][0] * 2

        def backward(self, in_grad, out_grad, **rest):
            in_grad[0][:] = out_grad[0] * len(rest)

    import warnings

    warnings.simplefilter("ignore")
    e = Twice()(mx.sym.var("x"), name="t").simple_bind(mx.cpu(), x=(2,))
    e.arg_dict["x"][:] = 4
    out = e.forward(is_train=True)
    e.backward(nd.ones(2))
    return (out, e.grad_dict["x"])


PROGRAMS = functions(globals())

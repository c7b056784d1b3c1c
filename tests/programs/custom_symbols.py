"""Programs about operators written in Python in graphs: `mx.sym.Custom`."""

from __future__ import annotations

import mxnet as mx
from mxnet import autograd, nd

from .core import functions, lines
from .custom_symbol_helpers import c, data, loss


def forward_and_backward():
    exe = c.simple_bind(mx.cpu(), data=(2,))
    exe.arg_dict["data"][:] = 2
    exe.arg_dict["c_weight"][:] = 5
    for _ in range(3):
        exe.forward(is_train=True)
        exe.backward([nd.ones(2), nd.ones(2) * 10])
    nd.waitall()
    return exe.outputs, exe.grad_dict, exe.aux_dict


def some_gradients():
    exe = c.simple_bind(mx.cpu(), data=(2,), grad_req={"c_weight": "add"})
    for array in exe.arg_arrays:
        array[:] = 2
    for _ in range(2):
        exe.forward(is_train=True)
        exe.backward([nd.ones(2), nd.ones(2) * 10])
    return exe.grad_dict


def a_loss():
    exe = loss.simple_bind(mx.cpu(), data=(3, 2))
    for array in exe.arg_arrays:
        array[:] = nd.arange(array.size).reshape(array.shape) / 10
    exe.arg_dict["l_label"][:] = nd.array([0, 2, 1])
    exe.forward(is_train=True)
    exe.backward()
    return (
        exe.outputs,
        exe.grad_dict["fc_weight"],
        exe.grad_dict["fc_bias"],
        exe.grad_dict["l_label"],
    )


def a_product_without_its_head_gradient():
    exe = c.simple_bind(mx.cpu(), data=(2,))
    exe.forward(is_train=True)
    exe.backward()
    return 1


def a_block_of_a_graph():
    block = mx.gluon.SymbolBlock(loss, [data, mx.sym.var("l_label")])
    block.initialize(mx.init.One())
    x = nd.array([[1, 2], [3, 4.0]])
    with autograd.record():
        y = block(x, nd.array([0, 1]))
    y.backward()
    return y, block.collect_params()["fc_weight"].grad()


def through_a_file(folder):
    c.save(folder + "/c.json")
    exe = mx.sym.load(folder + "/c.json").simple_bind(mx.cpu(), data=(2,))
    for array in exe.arg_arrays:
        array[:] = 2
    return exe.forward(), exe.aux_dict


PROGRAMS = {
    **lines(
        "custom_symbol_helpers",
        """
        (c.list_arguments(), c.list_auxiliary_states(), c.list_outputs())
        c.infer_shape(data=(2, 3))
        c.infer_type(data='float64')
        loss.infer_shape(data=(4, 2))
        mx.sym.Custom(weight=data, op_type='scaled', name='k').list_arguments()
        mx.sym.Custom(data=data, weight=q, op_type='scaled', name='k').list_arguments()
        mx.sym.Custom(data, q, q, op_type='scaled', name='k').list_auxiliary_states()
        mx.sym.Custom(data, op_type='scaled').list_arguments()
        mx.sym.Custom(data, q, data, q, op_type='scaled')
        mx.sym.Custom(data, weight=q, op_type='scaled')
        mx.sym.Custom(other=q, op_type='scaled')
        mx.sym.Custom(data, name='k')
        mx.sym.Custom(data, op_type='no such operator')
        mx.sym.load_json(c.tojson()).list_auxiliary_states()
        mx.sym.load_json(c.tojson()).list_outputs()
        c.get_internals().list_outputs()
        """,
    ),
    **functions(globals()),
}

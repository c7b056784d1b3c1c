"""Programs about operators written in Python in graphs: `mx.sym.Custom`."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

from .core import of

OPERATORS = """
class Scaled(mx.operator.CustomOp):
    def __init__(self, factor):
        self.factor = factor
        self.calls = 0
    def forward(self, is_train, req, in_data, out_data, aux):
        self.calls += 1
        aux[0][:] = aux[0] + 1
        self.assign(out_data[0], req[0], in_data[0] * in_data[1] * self.factor)
        self.assign(out_data[1], req[1], in_data[0] + self.calls)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * in_data[1] * self.factor + out_grad[1])
        self.assign(in_grad[1], req[1], out_grad[0] * in_data[0] * self.factor)

@mx.operator.register('scaled')
class ScaledProp(mx.operator.CustomOpProp):
    def __init__(self, factor='2'):
        super().__init__(need_top_grad=True)
        self.factor = float(factor)
    def list_arguments(self):
        return ['data', 'weight']
    def list_outputs(self):
        return ['product', 'sum']
    def list_auxiliary_states(self):
        return ['count']
    def infer_shape(self, in_shape):
        return [in_shape[0], in_shape[0]], [in_shape[0], in_shape[0]], [[1]]
    def create_operator(self, ctx, shapes, dtypes):
        return Scaled(self.factor)

class Loss(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.softmax(in_data[0]))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        hot = nd.one_hot(in_data[1], out_data[0].shape[1])
        self.assign(in_grad[0], req[0], out_data[0] - hot)

@mx.operator.register('python_softmax')
class LossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super().__init__(need_top_grad=False)
    def list_arguments(self):
        return ['data', 'label']
    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []
    def create_operator(self, ctx, shapes, dtypes):
        return Loss()

data, q = mx.sym.var('data'), mx.sym.var('q')
c = mx.sym.Custom(data, op_type='scaled', name='c', factor=3)
loss = mx.sym.Custom(mx.sym.FullyConnected(data, num_hidden=3, name='fc'), op_type='python_softmax', name='l')
"""

PROGRAMS = {
    **of(
        OPERATORS,
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
    "forward and backward": OPERATORS
    + """
exe = c.simple_bind(mx.cpu(), data=(2,))
exe.arg_dict['data'][:] = 2
exe.arg_dict['c_weight'][:] = 5
for _ in range(3):
    exe.forward(is_train=True)
    exe.backward([nd.ones(2), nd.ones(2) * 10])
nd.waitall()
r = exe.outputs, exe.grad_dict, exe.aux_dict
""",
    "some gradients": OPERATORS
    + """
exe = c.simple_bind(mx.cpu(), data=(2,), grad_req={'c_weight': 'add'})
for array in exe.arg_arrays:
    array[:] = 2
for _ in range(2):
    exe.forward(is_train=True)
    exe.backward([nd.ones(2), nd.ones(2) * 10])
r = exe.grad_dict
""",
    "a loss": OPERATORS
    + """
exe = loss.simple_bind(mx.cpu(), data=(3, 2))
for array in exe.arg_arrays:
    array[:] = nd.arange(array.size).reshape(array.shape) / 10
exe.arg_dict['l_label'][:] = nd.array([0, 2, 1])
exe.forward(is_train=True)
exe.backward()
r = exe.outputs, exe.grad_dict['fc_weight'], exe.grad_dict['fc_bias'], exe.grad_dict['l_label']
""",
    "a product without its head gradient": OPERATORS
    + "exe = c.simple_bind(mx.cpu(), data=(2,))\nexe.forward(is_train=True)\nexe.backward()\nr = 1",
    "a block of a graph": OPERATORS
    + """
block = mx.gluon.SymbolBlock(loss, [data, mx.sym.var('l_label')])
block.initialize(mx.init.One())
x = nd.array([[1, 2], [3, 4.]])
with autograd.record():
    y = block(x, nd.array([0, 1]))
y.backward()
r = y, block.collect_params()['fc_weight'].grad()
""",
    "through a file": OPERATORS
    + """
c.save(folder + '/c.json')
exe = mx.sym.load(folder + '/c.json').simple_bind(mx.cpu(), data=(2,))
for array in exe.arg_arrays:
    array[:] = 2
r = exe.forward(), exe.aux_dict
""",
}

"""Programs about computations written in Python: `autograd.Function` and `mx.operator.CustomOp`."""

from __future__ import annotations

X = "x = nd.array([1, 2, 3.]); x.attach_grad()\n"

_SIGMOID = (
    X
    + """
class F(autograd.Function):
    def forward(self, x):
        y = 1 / (1 + nd.exp(-x))
        self.save_for_backward(y)
        return y
    def backward(self, dy):
        y, = self.saved_tensors
        return dy * y * (1 - y)
"""
)

_PAIR = (
    X
    + """
class F(autograd.Function):
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a * b, a + b
    def backward(self, dm, ds):
        a, b = self.saved_tensors
        return dm * b + ds, dm * a + ds
b = nd.array([4, 5, 6.]); b.attach_grad()
"""
)

_FUNCTION = {
    "function": _SIGMOID + "with autograd.record():\n  y = F()(x)\ny.backward()\nr = y, x.grad",
    "function_outside_of_record": _SIGMOID + "r = F()(x)",
    "function_with_head_gradient": _SIGMOID
    + """
with autograd.record():
    y = F()(x)
y.backward(nd.array([1, 10, 100.]))
r = x.grad
""",
    "function_inside_of_a_graph": _SIGMOID
    + """
with autograd.record():
    y = (F()(x * 2) * 3).sum()
y.backward()
r = x.grad
""",
    "function_of_a_constant": _SIGMOID
    + """
with autograd.record():
    y = F()(nd.ones(3)) * x
y.backward()
r = x.grad
""",
    "function_that_retains_the_graph": _SIGMOID
    + """
with autograd.record():
    y = F()(x)
y.backward(retain_graph=True)
y.backward()
r = x.grad
""",
    "function_used_up": _SIGMOID
    + """
with autograd.record():
    y = F()(x)
y.backward()
y.backward()
""",
    "several_inputs_and_outputs": _PAIR
    + """
with autograd.record():
    m, s = F()(x, b)
    y = m + 2 * s
y.backward()
r = x.grad, b.grad
""",
    "one_output_unused": _PAIR
    + """
with autograd.record():
    m, s = F()(x, b)
s.backward()
r = x.grad, b.grad
""",
    "several_outputs_as_heads": _PAIR
    + """
with autograd.record():
    m, s = F()(x, b)
autograd.backward([m, s], [nd.ones(3), nd.ones(3) * 3])
r = x.grad, b.grad
""",
    "the_type_of_several_outputs": _PAIR
    + """
with autograd.record():
    inside = F()(x, b)
outside = F()(x, b)
r = type(inside), type(outside), len(inside)
""",
    "one_array_for_both_inputs": _PAIR
    + """
with autograd.record():
    m, s = F()(x, x)
m.backward()
r = x.grad
""",
    "modes_inside_of_a_function": X
    + """
class F(autograd.Function):
    def forward(self, a):
        seen.append((autograd.is_recording(), autograd.is_training()))
        return a * 2
    def backward(self, d):
        seen.append((autograd.is_recording(), autograd.is_training()))
        return d
seen = []
with autograd.record():
    y = F()(x)
y.backward()
nd.waitall()
with autograd.record(train_mode=False):
    F()(x)
F()(x)
r = seen
""",
    "function_without_forward": X + "with autograd.record():\n  autograd.Function()(x)",
    "function_without_forward_outside": X + "autograd.Function()(x)",
    "function_that_clips_its_gradient": X
    + """
class F(autograd.Function):
    def forward(self, a):
        return a.copy()
    def backward(self, d):
        return d.clip(-1, 1)
with autograd.record():
    y = F()(x) * 7
y.backward()
r = y, x.grad
""",
    "function_that_fails_in_forward": X
    + """
class F(autograd.Function):
    def forward(self, a):
        raise ValueError('no')
with autograd.record():
    F()(x)
""",
    "function_keeps_attributes": X
    + """
class F(autograd.Function):
    def __init__(self, k):
        super(F, self).__init__()
        self.k = k
    def forward(self, a):
        self.n = 2
        return a * self.k
    def backward(self, d):
        return d * self.k * self.n
with autograd.record():
    y = F(3)(x) + F(4)(x)
y.backward()
r = y, x.grad
""",
    "function_of_other_shapes": X
    + """
class F(autograd.Function):
    def forward(self, a):
        return a.sum(), a.reshape((3, 1)) * 2
    def backward(self, ds, dm):
        return dm.reshape((3,)) * 2 + ds
with autograd.record():
    s, m = F()(x)
autograd.backward([s, m])
r = s, m, x.grad
""",
    "function_of_integers": X
    + """
class F(autograd.Function):
    def forward(self, a, i):
        self.save_for_backward(i)
        return a.take(i)
    def backward(self, d):
        i, = self.saved_tensors
        seen.append(d.shape)
        return nd.one_hot(i, 3).sum(axis=0) * d.sum(), nd.zeros_like(i)
seen = []
with autograd.record():
    y = F()(x, nd.array([0, 0, 2], dtype='int32'))
y.backward()
r = y, x.grad, seen
""",
}

_OPERATORS = """
class Square(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * in_data[0])
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * in_data[0] * out_grad[0])
@mx.operator.register('program_square')
class SquareProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        return Square()

class Pair(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        a, b = in_data
        self.assign(out_data[0], req[0], a * b)
        self.assign(out_data[1], req[1], (a + b).sum())
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        a, b = in_data
        self.assign(in_grad[0], req[0], out_grad[0] * b + out_grad[1])
        self.assign(in_grad[1], req[1], out_grad[0] * a + out_grad[1])
@mx.operator.register('program_pair')
class PairProp(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ['a', 'b']
    def list_outputs(self):
        return ['product', 'sum']
    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0], [1]], []
    def create_operator(self, ctx, shapes, dtypes):
        return Pair()

class Scale(mx.operator.CustomOp):
    def __init__(self, factor):
        self.factor = factor
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * self.factor)
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * self.factor)
@mx.operator.register('program_scale')
class ScaleProp(mx.operator.CustomOpProp):
    def __init__(self, factor='2', **rest):
        super(ScaleProp, self).__init__(need_top_grad=True)
        seen.append((factor, sorted(rest.items())))
        self.factor = float(factor)
    def create_operator(self, ctx, shapes, dtypes):
        return Scale(self.factor)
seen = []

class Count(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        aux[0][:] = aux[0] + (1 if is_train else 100)
        self.assign(out_data[0], req[0], in_data[0] + aux[0])
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * aux[0])
@mx.operator.register('program_count')
class CountProp(mx.operator.CustomOpProp):
    def list_auxiliary_states(self):
        return ['count']
    def infer_shape(self, in_shape):
        return in_shape, [in_shape[0]], [[1]]
    def create_operator(self, ctx, shapes, dtypes):
        return Count()

class Loss(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], nd.softmax(in_data[0]))
    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        label = nd.one_hot(in_data[1], out_data[0].shape[1])
        self.assign(in_grad[0], req[0], out_data[0] - label)
@mx.operator.register('program_loss')
class LossProp(mx.operator.CustomOpProp):
    def __init__(self):
        super(LossProp, self).__init__(need_top_grad=False)
    def list_arguments(self):
        return ['data', 'label']
    def infer_shape(self, in_shape):
        return [in_shape[0], [in_shape[0][0]]], [in_shape[0]], []
    def create_operator(self, ctx, shapes, dtypes):
        return Loss()

class Cast(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0].astype('float64'))
@mx.operator.register('program_cast')
class CastProp(mx.operator.CustomOpProp):
    def infer_type(self, in_type):
        return in_type, [np.float64], []
    def create_operator(self, ctx, shapes, dtypes):
        return Cast()
"""

_OPERATOR = {
    "custom": "r = nd.Custom(x, op_type='program_square')",
    "custom_gradient": """
with autograd.record():
    y = nd.Custom(x, op_type='program_square')
y.backward()
r = y, x.grad
""",
    "custom_inside_of_a_graph": """
with autograd.record():
    y = nd.Custom(nd.Custom(x * 2, op_type='program_square'), op_type='program_square') * 3
y.backward()
r = y, x.grad
""",
    "custom_added": """
x.attach_grad('add')
for _ in range(2):
    with autograd.record():
        y = nd.Custom(x, op_type='program_square')
    y.backward()
r = x.grad
""",
    "custom_retained": """
with autograd.record():
    y = nd.Custom(x, op_type='program_square')
y.backward(retain_graph=True)
y.backward()
r = x.grad
""",
    "custom_used_up": """
with autograd.record():
    y = nd.Custom(x, op_type='program_square')
y.backward()
y.backward()
""",
    "custom_pair": """
b = nd.array([4, 5, 6.]); b.attach_grad()
with autograd.record():
    p, s = nd.Custom(x, b, op_type='program_pair')
    y = p + 2 * s
y.backward()
r = p, s, x.grad, b.grad
""",
    "custom_pair_is_a_list": "r = type(nd.Custom(x, x, op_type='program_pair'))",
    "custom_pair_with_one_constant": """
with autograd.record():
    p, s = nd.Custom(x, nd.ones(3) * 3, op_type='program_pair')
p.backward()
r = x.grad
""",
    "custom_options_are_strings": """
y = nd.Custom(x, op_type='program_scale', factor=3, name='scale')
r = y, seen[-1]
""",
    "custom_options_of_other_types": """
nd.Custom(x, op_type='program_scale', flag=True, size=(1, 2), text='a b')
r = seen[-1]
""",
    "custom_option_default": "r = nd.Custom(x, op_type='program_scale')",
    "custom_option_gradient": """
with autograd.record():
    y = nd.Custom(x, op_type='program_scale', factor=0.5)
y.backward()
r = y, x.grad
""",
    "custom_state": """
count = nd.zeros(1)
with autograd.record():
    y = nd.Custom(x, count, op_type='program_count')
y.backward()
z = nd.Custom(x, count, op_type='program_count')
r = y, z, count, x.grad
""",
    "custom_predict_mode": """
count = nd.zeros(1)
with autograd.record(train_mode=False):
    nd.Custom(x, count, op_type='program_count')
with autograd.train_mode():
    nd.Custom(x, count, op_type='program_count')
nd.waitall()
r = count
""",
    "custom_loss": """
d = nd.array([[1, 2, 3], [3, 1, 2.]]); d.attach_grad()
label = nd.array([2, 1.]); label.attach_grad()
with autograd.record():
    y = nd.Custom(d, label, op_type='program_loss')
y.backward()
r = y, d.grad, label.grad
""",
    "custom_infer_type": "r = nd.Custom(x, op_type='program_cast')",
    "custom_infer_type_of_integers": """
i = nd.array([1, 2], dtype='int32')
r = nd.Custom(i, op_type='program_cast')
""",
    "custom_of_integers": """
i = nd.array([1, 2], dtype='int32')
r = nd.Custom(i, op_type='program_square')
""",
    "custom_of_doubles": """
i = nd.array([1, 2], dtype='float64')
r = nd.Custom(i, op_type='program_square')
""",
    "custom_on_another_context": """
i = nd.ones(2, ctx=mx.cpu(1))
r = nd.Custom(i, op_type='program_square')
""",
    "custom_out": """
y = nd.zeros(3)
z = nd.Custom(x, op_type='program_square', out=y)
r = y, z is y
""",
}

_ASSIGN = {
    f"assign {request}": "op, y = mx.operator.CustomOp(), nd.ones(3)\n"
    f"op.assign(y, {request!r}, nd.array([1, 2, 3.]))\nr = y"
    for request in ("write", "inplace", "add", "null")
}

_PROPERTIES = {
    "defaults_of_a_prop": """
p = mx.operator.CustomOpProp()
r = [p.list_arguments(), p.list_outputs(), p.list_auxiliary_states()]
r += [p.infer_shape([[2, 3]]), p.infer_type(['float32']), p.need_top_grad_]
""",
    "dependencies_of_a_prop": """
p = mx.operator.CustomOpProp()
r = p.declare_backward_dependency([1, 2], [3], [4])
""",
    "dependencies_of_a_loss": """
p = mx.operator.CustomOpProp(need_top_grad=False)
r = p.declare_backward_dependency([1, 2], [3], [4])
""",
    "register_gives_the_class": """
class Prop(mx.operator.CustomOpProp):
    pass
r = mx.operator.register('program_registered')(Prop) is Prop
""",
    "inferred_types_of_two_arguments": """
class Prop(mx.operator.CustomOpProp):
    def list_arguments(self):
        return ['a', 'b']
    def list_outputs(self):
        return ['c', 'd']
    def list_auxiliary_states(self):
        return ['e']
r = Prop().infer_type([np.float64, np.float64])
""",
}

PROGRAMS = {
    **_FUNCTION,
    **{name: f"{X}{_OPERATORS}{source}" for name, source in _OPERATOR.items()},
    **_ASSIGN,
    **_PROPERTIES,
}

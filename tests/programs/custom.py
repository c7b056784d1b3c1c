"""Programs about computations written in Python: `autograd.Function` and `mx.operator.CustomOp`."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import functions
from .custom_helpers import Sigmoid, Two, seen


def function():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        y = Sigmoid()(x)
    y.backward()
    return y, x.grad


def function_outside_of_record():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    return Sigmoid()(x)


def function_with_head_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = Sigmoid()(x)
    y.backward(nd.array([1, 10, 100.0]))
    return x.grad


def function_inside_of_a_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = (Sigmoid()(x * 2) * 3).sum()
    y.backward()
    return x.grad


def function_of_a_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = Sigmoid()(nd.ones(3)) * x
    y.backward()
    return x.grad


def function_that_retains_the_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = Sigmoid()(x)
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


def function_used_up():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = Sigmoid()(x)
    y.backward()
    y.backward()


def several_inputs_and_outputs():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    b = nd.array([4, 5, 6.0])
    b.attach_grad()

    with autograd.record():
        m, s = Two()(x, b)
        y = m + 2 * s
    y.backward()
    return x.grad, b.grad


def one_output_unused():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    b = nd.array([4, 5, 6.0])
    b.attach_grad()

    with autograd.record():
        m, s = Two()(x, b)
    s.backward()
    return x.grad, b.grad


def several_outputs_as_heads():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    b = nd.array([4, 5, 6.0])
    b.attach_grad()

    with autograd.record():
        m, s = Two()(x, b)
    autograd.backward([m, s], [nd.ones(3), nd.ones(3) * 3])
    return x.grad, b.grad


def the_type_of_several_outputs():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    b = nd.array([4, 5, 6.0])
    b.attach_grad()

    with autograd.record():
        inside = Two()(x, b)
    outside = Two()(x, b)
    return type(inside), type(outside), len(inside)


def one_array_for_both_inputs():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    b = nd.array([4, 5, 6.0])
    b.attach_grad()

    with autograd.record():
        m, s = Two()(x, x)
    m.backward()
    return x.grad


def modes_inside_of_a_function():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

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
    return seen


def function_without_forward():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    with autograd.record():
        autograd.Function()(x)


def function_without_forward_outside():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()
    autograd.Function()(x)


def function_that_clips_its_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    class F(autograd.Function):
        def forward(self, a):
            return a.copy()

        def backward(self, d):
            return d.clip(-1, 1)

    with autograd.record():
        y = F()(x) * 7
    y.backward()
    return y, x.grad


def function_that_fails_in_forward():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    class F(autograd.Function):
        def forward(self, a):
            raise ValueError("no")

    with autograd.record():
        F()(x)


def function_keeps_attributes():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

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
    return y, x.grad


def function_of_other_shapes():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    class F(autograd.Function):
        def forward(self, a):
            return a.sum(), a.reshape((3, 1)) * 2

        def backward(self, ds, dm):
            return dm.reshape((3,)) * 2 + ds

    with autograd.record():
        s, m = F()(x)
    autograd.backward([s, m])
    return s, m, x.grad


def function_of_integers():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    class F(autograd.Function):
        def forward(self, a, i):
            self.save_for_backward(i)
            return a.take(i)

        def backward(self, d):
            (i,) = self.saved_tensors
            seen.append(d.shape)
            return nd.one_hot(i, 3).sum(axis=0) * d.sum(), nd.zeros_like(i)

    seen = []
    with autograd.record():
        y = F()(x, nd.array([0, 0, 2], dtype="int32"))
    y.backward()
    return y, x.grad, seen


def custom():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    return nd.Custom(x, op_type="program_square")


def custom_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = nd.Custom(x, op_type="program_square")
    y.backward()
    return y, x.grad


def custom_inside_of_a_graph():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = nd.Custom(nd.Custom(x * 2, op_type="program_square"), op_type="program_square") * 3
    y.backward()
    return y, x.grad


def custom_added():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    x.attach_grad("add")
    for _ in range(2):
        with autograd.record():
            y = nd.Custom(x, op_type="program_square")
        y.backward()
    return x.grad


def custom_retained():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = nd.Custom(x, op_type="program_square")
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


def custom_used_up():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = nd.Custom(x, op_type="program_square")
    y.backward()
    y.backward()


def custom_pair():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    b = nd.array([4, 5, 6.0])
    b.attach_grad()
    with autograd.record():
        p, s = nd.Custom(x, b, op_type="program_pair")
        y = p + 2 * s
    y.backward()
    return p, s, x.grad, b.grad


def custom_pair_is_a_list():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    return type(nd.Custom(x, x, op_type="program_pair"))


def custom_pair_with_one_constant():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        p, s = nd.Custom(x, nd.ones(3) * 3, op_type="program_pair")
    p.backward()
    return x.grad


def custom_options_are_strings():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    y = nd.Custom(x, op_type="program_scale", factor=3, name="scale")
    return y, seen[-1]


def custom_options_of_other_types():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    nd.Custom(x, op_type="program_scale", flag=True, size=(1, 2), text="a b")
    return seen[-1]


def custom_option_default():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    return nd.Custom(x, op_type="program_scale")


def custom_option_gradient():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    with autograd.record():
        y = nd.Custom(x, op_type="program_scale", factor=0.5)
    y.backward()
    return y, x.grad


def custom_state():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    count = nd.zeros(1)
    with autograd.record():
        y = nd.Custom(x, count, op_type="program_count")
    y.backward()
    z = nd.Custom(x, count, op_type="program_count")
    return y, z, count, x.grad


def custom_predict_mode():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    count = nd.zeros(1)
    with autograd.record(train_mode=False):
        nd.Custom(x, count, op_type="program_count")
    with autograd.train_mode():
        nd.Custom(x, count, op_type="program_count")
    nd.waitall()
    return count


def custom_loss():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    d = nd.array([[1, 2, 3], [3, 1, 2.0]])
    d.attach_grad()
    label = nd.array([2, 1.0])
    label.attach_grad()
    with autograd.record():
        y = nd.Custom(d, label, op_type="program_loss")
    y.backward()
    return y, d.grad, label.grad


def custom_infer_type():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    return nd.Custom(x, op_type="program_cast")


def custom_infer_type_of_integers():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    i = nd.array([1, 2], dtype="int32")
    return nd.Custom(i, op_type="program_cast")


def custom_of_integers():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    i = nd.array([1, 2], dtype="int32")
    return nd.Custom(i, op_type="program_square")


def custom_of_doubles():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    i = nd.array([1, 2], dtype="float64")
    return nd.Custom(i, op_type="program_square")


def custom_on_another_context():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    i = nd.ones(2, ctx=mx.cpu(1))
    return nd.Custom(i, op_type="program_square")


def custom_out():
    x = nd.array([1, 2, 3.0])
    x.attach_grad()

    y = nd.zeros(3)
    z = nd.Custom(x, op_type="program_square", out=y)
    return y, z is y


def assign_write():
    op, y = mx.operator.CustomOp(), nd.ones(3)
    op.assign(y, "write", nd.array([1, 2, 3.0]))
    return y


def assign_inplace():
    op, y = mx.operator.CustomOp(), nd.ones(3)
    op.assign(y, "inplace", nd.array([1, 2, 3.0]))
    return y


def assign_add():
    op, y = mx.operator.CustomOp(), nd.ones(3)
    op.assign(y, "add", nd.array([1, 2, 3.0]))
    return y


def assign_null():
    op, y = mx.operator.CustomOp(), nd.ones(3)
    op.assign(y, "null", nd.array([1, 2, 3.0]))
    return y


def defaults_of_a_prop():
    p = mx.operator.CustomOpProp()
    r = [p.list_arguments(), p.list_outputs(), p.list_auxiliary_states()]
    r += [p.infer_shape([[2, 3]]), p.infer_type(["float32"]), p.need_top_grad_]
    return r


def dependencies_of_a_prop():
    p = mx.operator.CustomOpProp()
    return p.declare_backward_dependency([1, 2], [3], [4])


def dependencies_of_a_loss():
    p = mx.operator.CustomOpProp(need_top_grad=False)
    return p.declare_backward_dependency([1, 2], [3], [4])


def register_gives_the_class():
    class Prop(mx.operator.CustomOpProp):
        pass

    return mx.operator.register("program_registered")(Prop) is Prop


def inferred_types_of_two_arguments():
    class Prop(mx.operator.CustomOpProp):
        def list_arguments(self):
            return ["a", "b"]

        def list_outputs(self):
            return ["c", "d"]

        def list_auxiliary_states(self):
            return ["e"]

    return Prop().infer_type([np.float64, np.float64])


PROGRAMS = functions(globals())

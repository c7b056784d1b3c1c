"""Programs about binding symbols: arguments, memory, repeated calls, misuse."""

from __future__ import annotations

import re

import mxnet as mx
from mxnet import autograd, nd

from .core import functions, lines, statements
from .executor_helpers import a, b, bound, c, dense_layer, executor, ga, gb, x, y

BINDING = lines(
    "executor_helpers",
    """
    c.bind(mx.cpu(), [x, y]).forward()
    c.bind(mx.cpu(), {'a': x, 'b': y}).forward()
    c.bind(mx.cpu(), {'a': x, 'b': y, 'z': y}).forward()
    c.bind(mx.cpu(), {'a': x})
    c.bind(mx.cpu(), [x])
    c.bind(mx.cpu(), [x, 5])
    c.bind(mx.cpu(), 5)
    c.bind('cpu', [x, y])
    c.bind(None, [x, y])
    c.bind(mx.cpu(), [x, nd.ones(3)])
    c.bind(mx.cpu(), [x, y.astype('float64')])
    c.bind(mx.cpu(1), [x, y])
    c.bind(mx.cpu(), [x, y]).grad_arrays
    c.bind(mx.cpu(), [x, y]).grad_dict
    c.bind(mx.cpu(), [x, y], [ga])
    c.bind(mx.cpu(), [x, y], [ga, None]).grad_arrays
    c.bind(mx.cpu(), [x, y], {'a': ga}).grad_dict
    c.bind(mx.cpu(), [x, y], {'a': ga, 'q': gb}).grad_dict
    c.bind(mx.cpu(), [x, y], [ga, gb], grad_req='none')
    c.bind(mx.cpu(), [x, y], [ga, gb]).arg_arrays[0] is x
    c.bind(mx.cpu(), [x, y], [ga, gb]).grad_dict['b'] is gb
    c.bind(mx.cpu(), [x, y]).outputs[0].shape
    c.bind(mx.cpu(), [x, y]).output_dict.keys() == set(c.list_outputs())
    c.eval(a=x, b=y)
    c.eval(ctx=mx.cpu(), a=x, b=y)
    c.eval(a=x)
    c.eval(mx.cpu(1), a=x.as_in_context(mx.cpu(1)), b=y.as_in_context(mx.cpu(1)))
    (a + a).eval(a=x)
    mx.sym.zeros((2, 2)).eval()
    mx.sym.histogram(a, bins=3, range=(0, 3)).eval(a=nd.array([0, 1, 2, 2.5, 3]))
    mx.sym.histogram(a, bins=b).eval(a=nd.array([0, 1, 2, 2.5, 3]), b=nd.array([0, 1, 3]))
    mx.sym.histogram(a, bins=3)
    mx.sym.histogram(a, bins=2.5, range=(0, 1))
    c.debug_str()
    mx.sym.BatchNorm(a, name='bn').debug_str()
    a.debug_str()
    mx.sym.Concat(a, num_args=2, name='k').list_arguments()
    mx.sym.Concat(arg1=b, num_args=2, name='k').list_arguments()
    mx.sym.Concat(x=a, y=b)
    mx.sym.Concat(a, arg1=b)
    mx.sym.Concat(a, b, num_args=1)
    mx.sym.Concat(name='k')
    mx.sym.UpSampling(a, scale=2, sample_type='bilinear', num_filter=2, name='u').infer_shape(a=(1, 2, 3, 3))
    mx.sym.UpSampling(a, b, scale=2, sample_type='bilinear', num_filter=2, name='u').list_arguments()
    mx.sym.UpSampling(a, b, scale=2, sample_type='bilinear', num_filter=2).attr_dict()['b']
    mx.sym.topk(a, ret_typ='value', name='t').list_outputs()
    mx.sym.split(a, num_outputs=1, name='t').list_outputs()
    mx.sym.sparse.dot(a, b).eval(a=nd.ones((2, 2)), b=nd.ones((2, 2)))
    sorted(mx.sym.BatchNorm(a, moving_var=b, name='n').attr_dict()['b'])
    mx.sym.Group([a + b, a - b]).eval(a=x, b=y)
    (mx.sym.var('a') + mx.sym.var('a')).bind(mx.cpu(), [x, y])
    mx.sym.BatchNorm(a, name='bn').bind(mx.cpu(), {'a': nd.ones((2, 2)), 'bn_gamma': x, 'bn_beta': y}, aux_states=[ga, gb]).forward()
    mx.sym.BatchNorm(a, name='bn').bind(mx.cpu(), {'a': nd.ones((2, 2)), 'bn_gamma': x, 'bn_beta': y}, aux_states={'bn_moving_mean': ga, 'bn_moving_var': gb}).aux_dict
    mx.sym.BatchNorm(a, name='bn').bind(mx.cpu(), {'a': nd.ones((2, 2)), 'bn_gamma': x, 'bn_beta': y})
    mx.sym.BatchNorm(a, name='bn').eval(a=nd.ones((2, 2)), bn_gamma=x, bn_beta=y)
    c.simple_bind(mx.cpu(), a=(2,)).arg_dict
    c.simple_bind(mx.cpu())
    c.simple_bind(mx.cpu(), a=2)
    c.simple_bind(mx.cpu(), a=(2,), b=(3,))
    c.simple_bind('cpu', a=(2,))
    c.simple_bind(mx.cpu(), a=(2,), type_dict={'q': 'float32'})
    c.simple_bind(mx.cpu(), a=(2,), type_dict={'a': 'none'})
    c.simple_bind(mx.cpu(), a=(2,), grad_req='null').grad_dict
    c.simple_bind(mx.cpu(), a=(2,), grad_req={'a': 'add'}).grad_dict
    c.simple_bind(mx.cpu(), a=(2,), grad_req=['write'])
    c.simple_bind(mx.cpu(), a=(2,), grad_req='foo')
    c.simple_bind(mx.cpu(), a=(2,), grad_req=4)
    c.simple_bind(mx.cpu(1), a=(2,)).arg_dict
    [v.dtype for v in c.simple_bind(mx.cpu(), a=(2,), type_dict={'a': 'int32'}).grad_arrays]
    c.simple_bind(mx.cpu(), a=(2,), group2ctx={'g': mx.cpu(1)}).arg_arrays[0].context
    c.gradient(['a'])
    c.infer_type_partial(a='float16')
    c.infer_type_partial()
    mx.sym.Cast(a, dtype='int32').infer_type_partial()
    c.get_backend_symbol('no such')
    c.list_attr(recursive=True)
    c.optimize_for('MKLDNN').list_arguments()
    """,
)

RUNNING = statements(
    bound,
    """
    exe.backward(nd.ones(2))
    exe.backward([nd.ones(2)])
    exe.backward((nd.ones(2),))
    exe.backward({c.list_outputs()[0]: nd.ones(2)})
    exe.backward({'q': nd.ones(2)})
    exe.backward()
    exe.backward([5])
    exe.backward([None])
    exe.backward(nd.ones(3))
    exe.backward(nd.ones((1, 2)))
    exe.backward([nd.ones(2), nd.ones(2)])
    exe.backward(nd.ones(2, dtype='float64') * 2)
    exe.backward(nd.ones(2)); exe.backward(nd.ones(2) * 3)
    exe.forward(is_train=False); exe.backward(nd.ones(2))
    exe.forward(is_train=False); exe.forward(is_train=True, a=y); exe.backward(nd.ones(2))
    exe.forward(a=nd.array([5, 6]))
    exe.forward(a=np.array([5, 6]))
    exe.forward(a=[5, 6])
    exe.forward(a=nd.ones(3))
    exe.forward(q=nd.ones(2))
    exe.forward(a=nd.array([5, 6], dtype='int32'))
    exe.forward(True)
    x[:] = 7; exe.forward()
    exe.arg_dict['a'][:] = 9; exe.forward()
    exe.arg_arrays[1][:] = 9; exe.forward()
    exe.copy_params_from({'a': nd.array([8, 9])}); exe.forward()
    exe.copy_params_from({'a': nd.array([8, 9]), 'q': x})
    exe.copy_params_from({'a': nd.array([8, 9]), 'q': x}, allow_extra_params=True); exe.forward()
    exe.copy_params_from({'a': nd.array([8, 9])}, {'q': x})
    exe.copy_params_from({'a': nd.ones(3)})
    exe.copy_params_from({'a': nd.array([8, 9], dtype='float64')})
    exe.backward(nd.ones(2)); ga[:] = 5; exe.forward(is_train=True); exe.backward(nd.ones(2))
    """,
    "exe.outputs, x, y, ga, gb",
)


def outputs_are_overwritten():
    exe = executor()
    first = exe.outputs[0]
    exe.forward(a=nd.array([9, 9]))
    return first, exe.outputs[0]


def outputs_before_forward():
    return c.bind(mx.cpu(), [x, y]).outputs[0].shape


def a_scale_that_is_fixed_written_while_a_graph_of_arrays_waits():
    exe = mx.sym.BatchNorm(mx.sym.var("data"), name="bn", fix_gamma=True).simple_bind(
        mx.cpu(), data=(2, 3)
    )
    exe.forward(data=nd.ones((2, 3)))
    x = nd.ones(1)
    x.attach_grad()
    with autograd.record():
        y = x * 2
    exe.arg_dict["bn_gamma"][:] = 5
    exe.forward(data=nd.ones((2, 3)))
    return exe.arg_dict["bn_gamma"], y


def a_part_of_an_output():
    exe = executor()
    part = exe.outputs[0][1:]
    exe.forward(a=nd.array([9, 9]))
    return part


def gradients_to_a_part_of_an_array():
    whole = nd.zeros(4)
    exe = c.bind(mx.cpu(), [x, y], [whole[0:2], whole[2:4]])
    exe.forward(is_train=True)
    exe.backward(nd.ones(2))
    return whole


def arguments_that_are_parts():
    whole = nd.array([1, 2, 3, 4.0])
    exe = c.bind(mx.cpu(), [whole[0:2], whole[2:4]])
    first = exe.forward()[0].asnumpy()
    whole[:] = 1
    return first, exe.forward()[0]


def one_array_for_two_arguments():
    exe = c.bind(mx.cpu(), [x, x], [ga, ga], grad_req="add")
    exe.forward(is_train=True)
    exe.backward(nd.ones(2))
    return exe.outputs, ga


def nothing_reaches_a_gradient():
    gb[:] = 7
    exe = mx.sym.Group([a * 2, mx.sym.BlockGrad(b)]).bind(mx.cpu(), [x, y], [ga, gb])
    exe.forward(is_train=True)
    exe.backward([nd.ones(2), nd.ones(2)])
    return ga, gb


def nothing_reaches_a_gradient_that_is_added_to():
    gb[:] = 7
    exe = mx.sym.Group([a * 2, mx.sym.BlockGrad(b)]).bind(mx.cpu(), [x, y], [ga, gb], "add")
    exe.forward(is_train=True)
    exe.backward([nd.ones(2), nd.ones(2)])
    return ga, gb


def losses_and_no_losses():
    net = mx.sym.Group([mx.sym.MakeLoss(a * b), a + b, mx.sym.make_loss(a * 3)])
    exe = net.bind(mx.cpu(), [x, y], [ga, gb])
    exe.forward(is_train=True)
    exe.backward([nd.ones(2), nd.ones(2) * 10])
    return ga, gb


def too_few_head_gradients():
    net = mx.sym.Group([a * b, a + b])
    exe = net.bind(mx.cpu(), [x, y], [ga, gb])
    exe.forward(is_train=True)
    exe.backward([nd.ones(2)])
    return ga


def only_losses():
    net = mx.sym.Group([mx.sym.MakeLoss(a * b), mx.sym.reshape(mx.sym.MakeLoss(b), shape=(1, 2))])
    exe = net.bind(mx.cpu(), [x, y], [ga, gb])
    exe.forward(is_train=True)
    exe.backward()
    return ga, gb


def no_gradients_asked_for():
    exe = c.bind(mx.cpu(), [x, y])
    exe.forward(is_train=True)
    exe.backward(nd.ones(2))
    return exe.grad_arrays


def a_variable_as_output():
    exe = mx.sym.Group([a, a * 2]).bind(mx.cpu(), [x])
    exe.forward()
    x[:] = 9
    return exe.outputs


def a_scale_that_is_fixed():
    exe = mx.sym.BatchNorm(a, name="bn").simple_bind(mx.cpu(), a=(2, 2))
    exe.arg_dict["bn_gamma"][:] = 5
    exe.forward()
    nd.waitall()
    return exe.arg_dict["bn_gamma"]


def dropout_differs_from_call_to_call():
    exe = mx.sym.Dropout(a, p=0.5).bind(mx.cpu(), [nd.ones(200)], [nd.zeros(200)])
    one = exe.forward(is_train=True)[0].asnumpy()
    exe.backward(nd.ones(200))
    same = bool((exe.grad_arrays[0].asnumpy() == one).all())
    two = exe.forward(is_train=True)[0].asnumpy()
    return same, bool((one != two).any()), set(one.tolist()) == {0.0, 2.0}, exe.forward()[0].sum()


def inside_of_record():
    x.attach_grad()
    exe = c.bind(mx.cpu(), [x, y], [ga, gb])
    with autograd.record():
        out = exe.forward(is_train=True)[0]
    exe.backward(nd.ones(2))
    return out, ga, x.grad


def contexts_of_groups():
    with mx.AttrScope(ctx_group="one"):
        a = mx.sym.var("a") * 2
    with mx.AttrScope(ctx_group="two"):
        b = a + mx.sym.var("b")
    exe = b.simple_bind(mx.cpu(), group2ctx={"one": mx.cpu(1), "two": mx.cpu(2)}, a=(2,), b=(2,))
    exe.arg_dict["a"][:] = 3
    exe.forward(is_train=True)
    exe.backward(nd.ones(2, ctx=mx.cpu(2)))
    return exe.arg_dict, exe.grad_dict, exe.outputs


def reshaped():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    exe = net.simple_bind(mx.cpu(), data=(4, 3))
    for array in exe.arg_arrays:
        array[:] = 1
    small = exe.reshape(data=(2, 3))
    small.arg_dict["data"][:] = 5
    small.arg_dict["fc_bias"][:] = 9
    small.forward(is_train=True)
    small.backward(nd.ones((2, 2)))
    return small.outputs, exe.arg_dict, exe.grad_dict


def reshaped_outputs_share_memory():
    exe = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4).simple_bind(mx.cpu(), x=(5, 4))
    exe.arg_arrays[0][:] = 1
    exe.arg_arrays[1][:] = nd.ones((4, 4))
    exe.arg_arrays[2][:] = 0
    exe.forward()
    small = exe.reshape(x=(3, 4))
    exe.arg_arrays[0][:] = 2
    small.forward()
    first = exe.outputs[0].asnumpy()
    exe.arg_arrays[0][:] = 3
    exe.forward()
    return first, small.outputs, exe.outputs


def memory_of_an_executor():
    def size(symbol, **options):
        exe = symbol.simple_bind(mx.cpu(), data=(10, 3, 256, 256), **options)
        return int(re.search(r"Total (\d+) MB allocated", exe.debug_str()).group(1))

    data = mx.sym.var("data")
    for _ in range(10):
        data = data * data
    kept, passed = size(data), size(data, grad_req="null")
    return kept > passed, passed == size(mx.sym.stop_gradient(data))


def reshaped_to_more():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    exe = net.simple_bind(mx.cpu(), data=(2, 3))
    for array in exe.arg_arrays:
        array[:] = 1
    large = exe.reshape(data=(4, 3), allow_up_sizing=True)
    large.arg_dict["data"][:] = 2
    return large.forward(), exe.arg_dict["data"]


def shared_parameters_of_two_executors():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    one = net.simple_bind(mx.cpu(), data=(2, 3))
    names = ["fc_weight", "fc_bias"]
    two = net.simple_bind(
        mx.cpu(), data=(5, 3), shared_arg_names=names, shared_exec=one, shared_buffer={}
    )
    one.arg_dict["fc_weight"][:] = 3
    two.arg_dict["data"][:] = 1
    return two.forward(), two.arg_dict["fc_weight"]


def a_pool_of_memory():
    net = mx.sym.var("data") * 2
    pool = {}
    large = net.simple_bind(mx.cpu(), data=(4, 3), shared_buffer=pool)
    small = net.simple_bind(mx.cpu(), data=(2, 3), shared_buffer=pool)
    small.arg_dict["data"][:] = 5
    return sorted(pool), large.arg_dict["data"], small.forward()


RESHAPING = statements(
    dense_layer,
    """
    new = exe.reshape(data=(8, 3))
    new = exe.reshape(data=(4, 6))
    new = exe.reshape(data=(4, 6), partial_shaping=True)
    new = exe.reshape(data=(4, 6), partial_shaping=True, allow_up_sizing=True)
    new = exe.reshape(data=(4, 2), partial_shaping=True)
    new = exe.reshape(q=(4, 2))
    new = exe.reshape(data=(2, 3, 1))
    new = exe.reshape(data=(4, 3))
    """,
    "{k: v.shape for k, v in new.arg_dict.items()}, new.outputs[0].shape",
)

PROGRAMS = {**BINDING, **RUNNING, **functions(globals()), **RESHAPING}

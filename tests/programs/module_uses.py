"""Modules as programs use them: inputs of many kinds, shapes that change, groups of contexts."""

from __future__ import annotations

from collections import namedtuple

import mxnet as mx
import numpy as np
from mxnet import nd

from .core import functions
from .module_use_helpers import all_params, in_groups, network


def half_precision_with_time_first():
    two = [mx.cpu(0), mx.cpu(1)]
    net = mx.sym.Activation(mx.sym.var("data"), act_type="relu", __layout__="TNC")
    m = mx.mod.Module(net, ("data",), None, context=two)
    m.bind([mx.io.DataDesc("data", (3, 8, 2), np.float16, layout="TNC")])
    m.init_params()
    m.forward(mx.io.DataBatch([nd.ones((3, 8, 2), dtype="float16")], label=None))
    m.backward([nd.ones((3, 8, 2), dtype="float16")])
    parts = m.get_outputs(merge_multi_context=False)
    return (m.get_outputs(), [[part.shape for part in item] for item in parts], m.output_shapes)


def gradients_of_inputs_in_the_order_of_the_shapes():
    two = [mx.cpu(0), mx.cpu(1)]
    a, b, c = (mx.sym.var(name) for name in "abc")
    m = mx.mod.Module(a + 2 * b + 3 * c, ["b", "c", "a"], None, context=two)
    m.bind([["b", (5, 2)], ["c", (5, 2)], ["a", (5, 2)]], inputs_need_grad=True)
    m.init_params()
    m.forward(mx.io.DataBatch([nd.ones((5, 2)) * i for i in (1, 2, 3)]))
    m.backward([nd.ones((5, 2))])
    return (m.get_outputs(), m.get_input_grads())


def groups_on_one_context():
    return in_groups(mx.cpu(), {"one": mx.cpu(1), "other": mx.cpu(2)})


def groups_on_two_contexts():
    two = [mx.cpu(0), mx.cpu(1)]
    return in_groups(two, {"one": mx.cpu(1), "other": [mx.cpu(2)] * 2})


def groups_for_each_context():
    two = [mx.cpu(0), mx.cpu(1)]
    return in_groups(two, [{"one": mx.cpu(2), "other": mx.cpu(3)}] * 2)


def shapes_change_with_the_data():
    two = [mx.cpu(0), mx.cpu(1)]
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(2, 2), num_filter=2, name="conv")
    net = mx.sym.Pooling(net, global_pool=True, kernel=(1, 1), pool_type="avg")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    m = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"), context=two)
    m.bind([("data", (4, 1, 6, 6))], [("softmax_label", (4,))])
    m.init_params(mx.init.One())
    m.init_optimizer(optimizer_params={"learning_rate": 0.1})
    rng = np.random.RandomState(0)
    found = []
    for shape in ((4, 1, 6, 6), (2, 1, 5, 7), (8, 1, 6, 6), (4, 1, 6, 6)):
        data, label = nd.array(rng.rand(*shape)), nd.array(rng.randint(0, 3, shape[0]))
        m.forward_backward(mx.io.DataBatch([data], [label]))
        m.update()
        found.append((m.output_shapes, [str(item) for item in m.data_shapes]))
    return (found, all_params(m))


def batches_without_labels():
    Batch = namedtuple("Batch", ["data"])
    m = mx.mod.Module(mx.sym.var("data") * 2, label_names=None)
    m.bind([("data", (1, 10))])
    m.init_params()
    found = []
    for shape in ((1, 10), (3, 5)):
        m.forward(Batch([nd.ones(shape)]))
        found.append(m.get_outputs()[0].shape)
    return (found, m.predict(np.ones((1, 10))), m.predict(nd.ones((2, 2))))


def inference_from_a_checkpoint():
    Batch = namedtuple("Batch", ["data"])
    m = mx.mod.Module(network())
    m.bind([("data", (1, 4))], for_training=False, label_shapes=m._label_shapes)
    m.set_params({"fc_weight": nd.ones((3, 4)), "fc_bias": nd.arange(3)}, {}, allow_missing=True)
    m.forward(Batch([nd.ones((1, 4))]))
    return (m.get_outputs(), all_params(m))


def labels_that_count_as_parameters():
    Batch = namedtuple("Batch", ["data"])
    m = mx.mod.Module(network(), label_names=None)
    m.bind([("data", (1, 4))], for_training=False)
    m.set_params({"fc_weight": nd.ones((3, 4)), "fc_bias": nd.arange(3)}, {}, allow_missing=True)
    m.forward(Batch([nd.ones((1, 4))]))
    return (m.get_outputs(), sorted(all_params(m)))


def fixed_scale_of_a_normalization():
    net = mx.sym.BatchNorm(mx.sym.var("data"), fix_gamma=True, name="bn")
    net = mx.sym.FullyConnected(net, num_hidden=2, name="fc")
    m = mx.mod.Module(mx.sym.SoftmaxOutput(net, name="softmax"))
    m.bind([("data", (4, 3))], [("softmax_label", (4,))])
    m.init_params(mx.init.Constant(0.5))
    m.init_optimizer()
    m.forward_backward(mx.io.DataBatch([nd.arange(12).reshape((4, 3))], [nd.array([0, 1, 0, 1])]))
    m.update()
    return all_params(m)


def gradients_of_buckets():
    def generate(_):
        weight = mx.sym.var("a", shape=(1,), init=mx.init.One())
        return mx.sym.make_loss(mx.sym.broadcast_mul(mx.sym.var("data"), weight)), ("data",), None

    found = []
    for request in ("write", "add"):
        m = mx.mod.BucketingModule(generate, default_bucket_key=10)
        m.bind([["data", (2,)]], grad_req=request)
        m.init_params()
        for key in (10, 5, 5):
            shapes = [mx.io.DataDesc("data", (2,), layout="N")]
            m.forward_backward(
                mx.io.DataBatch([nd.ones(2)], None, bucket_key=key, provide_data=shapes)
            )
            executor = m._curr_module._exec_group.execs[0]
            found.append(float(executor.grad_dict["a"].asscalar()))
    return found


def states_of_recurrent_cells():
    two = [mx.cpu(0), mx.cpu(1)]
    cells = mx.rnn.SequentialRNNCell()
    for number in range(2):
        cells.add(mx.rnn.LSTMCell(num_hidden=3, prefix="l%d_" % number))
    begin = cells.begin_state(func=mx.sym.var)
    _, states = cells.unroll(4, begin_state=begin, inputs=mx.sym.var("data"))
    names = [item.name for item in begin]
    m = mx.mod.Module(mx.sym.Group(states), label_names=None, state_names=names, context=two)
    m.bind([("data", (4, 4))], for_training=False)
    m.init_params(mx.init.Constant(0.1))
    m.set_states(value=1)
    m.forward(mx.io.DataBatch([nd.ones((4, 4))], []))
    m.set_states(states=m.get_outputs(merge_multi_context=False))
    m.forward(mx.io.DataBatch([nd.ones((4, 4))], []))
    return (names, m.get_outputs(), sorted(all_params(m)))


def a_group_of_executors():
    two = [mx.cpu(0), mx.cpu(1)]
    from mxnet.module.executor_group import DataParallelExecutorGroup as Group

    names, labels = ["fc_weight", "fc_bias"], [("softmax_label", (4,))]
    first = Group(network(), two, [1, 1], [("data", (4, 5))], labels, names, True, False)
    labels = [("softmax_label", (2,))]
    second = Group(network(), two, [1, 1], [("data", (2, 5))], labels, names, True, False, first)
    first.param_arrays[0][0][:] = 5
    return (
        second.param_arrays[0][0],
        first.batch_size,
        first.param_names,
        first.get_output_shapes(),
    )


def clipped_gradients():
    m = mx.mod.Module(network())
    m.bind([("data", (4, 5))], [("softmax_label", (4,))])
    m.init_params(mx.init.One())
    m.init_optimizer(optimizer_params={"learning_rate": 1.0})
    m.forward_backward(mx.io.DataBatch([nd.arange(20).reshape((4, 5))], [nd.zeros(4)]))
    arrays = [item for part in m._exec_group.grad_arrays for item in part]
    norm = sum((item**2).sum().asscalar() for item in arrays) ** 0.5
    for item in arrays:
        item[:] = item / norm
    m.update()
    return (float(norm), all_params(m))


def two_inputs_and_two_outputs():
    rng = np.random.RandomState(0)
    outputs = []
    for name in "ab":
        net = mx.sym.FullyConnected(mx.sym.var(name), num_hidden=1, name="fc_" + name)
        outputs.append(mx.sym.LinearRegressionOutput(net, mx.sym.var("label_" + name), name=name))
    data = mx.io.NDArrayIter(
        {"b": rng.randn(8, 2), "a": rng.randn(8, 3)},
        {"label_b": rng.randn(8, 1), "label_a": rng.randn(8, 1)},
        4,
    )
    one = mx.metric.MSE(output_names=["b_output"], label_names=["label_b"])
    m = mx.mod.Module(mx.sym.Group(outputs), ["b", "a"], ["label_b", "label_a"])
    m.fit(data, num_epoch=2, eval_metric=one, initializer=mx.init.One())
    return (all_params(m), m.predict(data), float(m.score(data, one)[0][1]))


PROGRAMS = functions(globals())

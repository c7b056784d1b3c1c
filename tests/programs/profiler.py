"""Programs that are profiled: what is noted, in which sections, and what is refused."""

# ruff: noqa: E501 - a program is one line
from __future__ import annotations

import json

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet import profiler as p

from .core import functions, lines
from .profiler_helpers import ALONE, begin, end, operators


def a_table_of_counters(folder):
    begin(folder, **ALONE)
    domain = p.Domain("numbers")
    counter = domain.new_counter("a counter", 5)
    counter += 3
    counter -= 1
    other = domain.new_counter("of a name that is longer than its column")
    other.set_value(1.9)
    other.increment()
    other.increment(4)
    other.decrement()
    other.decrement(2)
    p.set_state("stop")
    return p.dumps(), p.dumps(sort_by="max", ascending=True), p.dumps(reset=True, sort_by="count")


def an_empty_table(folder):
    begin(folder)
    p.set_state("stop")
    p.dumps(reset=True)
    return p.dumps(), json.loads(p.dumps(format="json"))["Unit"]


def sections_of_the_users_objects(folder):
    begin(folder, **ALONE)
    domain = p.Domain("own")
    for item in (domain.new_task("task"), domain.new_frame("frame"), p.Event("event")):
        item.start()
        item.stop()
        item.start()
        item.stop()
    domain.new_counter("counter", 1)
    domain.new_marker("marker").mark()
    return end(), str(domain), str(item)


def objects_across_the_end_of_a_run(folder):
    begin(folder, **ALONE)
    task, other = (p.Domain("own").new_task(name) for name in ("begins", "ends"))
    p.set_state("stop")
    task.start()
    p.set_state("run")
    task.stop()
    other.start()
    p.set_state("stop")
    other.stop()
    return end()


def pausing(folder):
    x = nd.ones((2, 2))
    begin(folder, **ALONE)
    nd.relu(x)
    nd.waitall()
    p.pause()
    p.pause()
    nd.sigmoid(x)
    nd.waitall()
    p.resume()
    nd.exp(x)
    return operators()


def pausing_before_the_run_has_no_effect(folder):
    x = nd.ones((2, 2))
    begin(folder, **ALONE)
    p.set_state("stop")
    p.pause()
    p.set_state("run")
    nd.relu(x)
    return operators()


def a_run_adds_to_the_one_before(folder):
    x = nd.ones((2, 2))
    begin(folder, **ALONE)
    for _ in range(2):
        nd.relu(x)
        nd.waitall()
        p.set_state("stop")
        nd.sigmoid(x)
        nd.waitall()
        p.set_state("run")
    return operators()


def arrays_with_a_gradient(folder):
    x, weight = nd.ones((2, 2)), nd.ones((2, 2))
    x.attach_grad()
    nd.waitall()
    begin(folder, **ALONE)
    with autograd.record():
        y = nd.relu(nd.dot(x, weight)).sum()
    y.backward()
    return operators()


def _train(folder, **flags):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(3, activation="relu", in_units=4), gluon.nn.Dense(2, in_units=3))
    net.initialize()
    if flags:
        net.hybridize(**flags)
    x = nd.ones((2, 4))
    net(x)
    nd.waitall()
    begin(folder, **ALONE)
    with autograd.record():
        y = net(x)
    y.backward()
    return operators()


def a_network(folder):
    return _train(folder)


def a_hybridized_network(folder):
    return _train(folder, static_alloc=False)


def a_hybridized_network_of_static_memory(folder):
    return _train(folder, static_alloc=True)


def a_module(folder):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    module = mx.mod.Module(mx.sym.SoftmaxOutput(mx.sym.relu(net), name="softmax"))
    module.bind([("data", (2, 4))], [("softmax_label", (2,))])
    module.init_params()
    nd.waitall()
    batch = mx.io.DataBatch([nd.ones((2, 4))], [nd.zeros((2,))])
    nd.waitall()
    begin(folder, **ALONE)
    module.forward_backward(batch)
    return operators()


def _custom(folder, call):
    class Doubling(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            self.assign(out_data[0], req[0], nd.relu(in_data[0]) + 1)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * 2)

    @mx.operator.register("profiled_doubling")
    class DoublingProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Doubling()

    x = nd.ones((2, 2))
    x.attach_grad()
    call(x).wait_to_read()
    begin(folder, **ALONE)
    with autograd.record():
        y = call(x)
    y.backward()
    return [row for row in end()["Custom Operator"] if "Copy" not in row[0]]


def an_operator_of_the_user(folder):
    return _custom(folder, lambda x: nd.Custom(x, op_type="profiled_doubling"))


def an_operator_of_the_user_in_a_graph(folder):
    net = gluon.nn.HybridLambda(lambda F, x: F.Custom(x, op_type="profiled_doubling"))
    net.hybridize()
    return _custom(folder, net)


def nothing_but_marks(folder):
    x = nd.ones((2, 2))
    begin(folder, profile_symbolic=False, profile_imperative=False, **ALONE)
    nd.relu(x).wait_to_read()
    p.Domain("own").new_counter("counter", 2)
    return end()


def a_second_dump(folder):
    begin(folder)
    p.set_state("stop")
    p.dump()
    p.dump()


def a_run_after_a_dump_keeps_statistics(folder):
    x = nd.ones((2, 2))
    begin(folder, **ALONE)
    nd.relu(x)
    nd.waitall()
    p.dump()
    nd.relu(x)  # which is not noted: the profiler has stopped
    return operators()


PROGRAMS = functions(globals()) | lines(
    "profiler_helpers",
    """
    p.set_config(no_such_option=1)
    p.set_config(profile_all='maybe')
    p.set_config(profile_all=2)
    p.set_config(dump_period='a')
    p.set_config(dump_period=-1)
    p.set_config(profile_process='foo')
    p.set_state('foo')
    p.set_state('run', 'foo')
    p.dump(profile_process='foo')
    p.pause('foo')
    p.dumps(format='x')
    p.dumps(sort_by='x')
    p.dumps(ascending=2)
    p.dumps(reset='a')
    quietly(p.profiler_set_state, 'stop')
    quietly(p.profiler_set_config, 'foo')
    quietly(p.profiler_set_state, 'foo')
    p.Domain(3)
    p.Task('d', 'n')
    p.Domain('d').new_marker('m').mark('bad')
    p.Domain('d').new_marker('m').mark('global')
    p.Domain('d').new_counter('m', 'a')
    p.Domain('d').new_counter('m').increment('x')
    p.Event('e').stop()
    p.Event(3)
    str(p.Domain('d')), str(p.Domain('d').new_task('t')), str(p.Domain('d').new_counter('c')), p.Domain('d').new_marker('m').name
    """,
)

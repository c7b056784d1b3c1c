"""Programs about graphs as nodes, operators without inputs, graphs that executors run, and groups."""

from __future__ import annotations

import json
import os

import mxnet as mx
from mxnet import nd
from mxnet.module.executor_group import DataParallelExecutorGroup

from . import core

S = mx.sym
v = S.var
CPU = mx.cpu()
SWITCH = "MXNET_ELIMINATE_COMMON_EXPR"


def _called(symbol, *names, **options):
    return S._internal._CachedOp(*map(v, names), subgraph=symbol.tojson(), **options)


def _about(symbol):
    return symbol.list_arguments(), symbol.list_auxiliary_states(), symbol.list_outputs()


def _inner():
    b = v("b")
    return S.broadcast_sub(v("a") * b, b, name="less")


def a_graph_is_called():
    symbol = _called(_inner(), "u", "w", name="call")
    u, w = nd.array([[1, 2], [3, 4]]), nd.array([[5, 6], [7, 8]])
    return _about(symbol), symbol.infer_shape(u=(2, 2)), symbol.eval(u=u, w=w)


def a_called_graph_goes_through_a_file(folder):
    symbol = _called(_inner(), "u", "w", name="call") + 1
    symbol.save(folder + "/called.json")
    nodes = json.loads(symbol.tojson())["nodes"]
    back = S.load(folder + "/called.json")
    return (
        [(node["op"], node["name"], sorted(node.get("attrs", {}))) for node in nodes],
        _about(back),
        back.eval(u=nd.array([2, 3]), w=nd.array([4, 5])),
    )


def variables_are_made_for_missing_inputs():
    return _about(_called(_inner(), name="x")), _about(_called(_inner(), "u", name="x"))


def too_many_inputs_for_a_graph():
    return _called(_inner(), "p", "q", "r")


def a_call_without_a_graph():
    return S._internal._CachedOp(v("p"))


def a_called_graph_has_states():
    names = ("data", "gamma", "beta", "mean", "variance")
    symbol = _called(S.BatchNorm(v("x"), momentum=0.5, name="norm"), *names, name="call")
    executor = symbol.simple_bind(CPU, data=(4, 2))
    executor.arg_dict["data"][:] = nd.array([[1, 2], [3, 4], [5, 7], [7, 11]])
    executor.arg_dict["gamma"][:] = 1
    executor.forward(is_train=True)
    executor.backward([nd.array([[1, 0], [0, 1], [2, 0], [0, 3]])])
    return _about(symbol), executor.outputs, executor.aux_dict, executor.grad_dict


def a_called_graph_of_two_outputs():
    a = v("a")
    two = S.Group([S.relu(a, name="r"), S.square(a, name="s")])
    symbol = _called(two, "u", name="two")
    return _about(symbol), (symbol[0] + symbol[1]).eval(u=nd.array([-2, 3]))


def a_called_graph_calls_another():
    symbol = _called(_called(_inner(), "p", "q", name="call"), "u", "w", name="outer")
    return _about(symbol), symbol.eval(u=nd.array([2, 3]), w=nd.array([4, 5]))


def an_operator_without_inputs():
    dense = S.FullyConnected(v("data"), num_hidden=3, name="fc")
    atom = dense._gen_atomic_symbol()
    made = atom(data=v("other"), name="new")
    return _about(atom), atom.list_attr(), atom.name, _about(made), made.list_attr()


def an_operator_of_several_outputs_without_inputs():
    atom = S.split(v("x"), num_outputs=3, axis=1, name="parts")._gen_atomic_symbol()
    return _about(atom), _about(atom(v("y"), name="again")), len(atom)


def a_layer_of_states_without_inputs():
    layer = S.RNN(v("x"), state_size=2, num_layers=1, mode="lstm", state_outputs=True, name="r")
    atom = layer._gen_atomic_symbol()
    return _about(atom), _about(atom(data=v("y"), name="again"))


def _attempted(function, *arguments):
    try:
        return function(*arguments)
    except Exception as error:
        return error


def _optimized(symbol, switch=None, **shapes):
    before = os.environ.pop(SWITCH, None)
    if switch is not None:
        os.environ[SWITCH] = switch
    try:
        executor = symbol.simple_bind(CPU, **shapes)
    finally:
        os.environ.pop(SWITCH, None)
        if before is not None:
            os.environ[SWITCH] = before
    found = executor.get_optimized_symbol()
    return found.get_internals().list_outputs(), found.list_outputs(), len(executor.outputs)


def repeated_operators_are_merged():
    first, second = _repeated_of_one_variable()
    net = S.broadcast_mul(first, second, name="net")
    return [_optimized(net, switch, a=(2,)) for switch in (None, "0", "1")]


def _repeated_of_one_variable():
    a = v("a")
    return [S.tanh(S._internal._minus_scalar(a, scalar=3, name=f"{n}_less"), name=n) for n in "pq"]


def repeated_outputs_become_copies():
    a = v("a")
    rows = [S.square(a, name=f"s{number}") for number in range(3)]
    return _optimized(S.Group(rows), a=(2,)), _optimized(S.Group([rows[0], a, rows[0]]), a=(2,))


def random_operators_stay():
    a = v("a")
    drops = [S.Dropout(a, p=0.5, name=f"d{number}") for number in range(2)]
    return _optimized(S.broadcast_add(*drops, name="sum"), a=(2,))


def states_and_other_attributes_stay():
    a, g = v("a"), v("g")
    norms = [S.BatchNorm(a, g, g, name=f"n{number}") for number in range(2)]
    parts = [S._internal._mul_scalar(a, scalar=n, name=f"m{n}") for n in (2, 3)]
    return _optimized(S.Group(norms), a=(3, 2)), _optimized(S.Group(parts), a=(2,))


def _grown(layers):
    net = v("data")
    for number in range(layers):
        net = S.FullyConnected(net, num_hidden=3, name=f"fc{number}")
    return S.SoftmaxOutput(net, name="softmax")


def a_group_shares_what_is_no_parameter():
    data, label = [("data", (4, 3))], [("softmax_label", (4,))]
    small, large = _grown(1), _grown(2)
    params = [name for name in small.list_arguments() if name.startswith("fc")]

    def make(symbol, shared):
        return DataParallelExecutorGroup(
            symbol, [CPU], [1], data, label, params, True, False, shared_group=shared
        )

    first = make(small, None)
    names = sorted(first.shared_data_arrays[0])
    second = make(large, first)
    second.execs[0].arg_dict["fc0_weight"][:] = 7
    second.execs[0].arg_dict["data"][:] = 5
    executor = first.execs[0]
    return (
        names,
        sorted(first.shared_data_arrays[0]),
        sorted(second.shared_data_arrays[0]),
        executor.arg_dict["fc0_weight"],
        executor.arg_dict["data"],
    )


def memory_of_a_module():
    module = mx.mod.Module(_grown(1))
    before = module._total_exec_bytes
    module.bind([("data", (4, 3))], [("softmax_label", (4,))])
    return before, module._total_exec_bytes, mx.mod.BaseModule()._total_exec_bytes


def a_callback_stays_when_batches_change():
    module = mx.mod.Module(S.relu(v("data"), name="act"), label_names=None)
    module.bind([("data", (2, 3))], for_training=False)
    module.init_params()
    seen = []
    watch = module._exec_group.execs[0].set_monitor_callback
    watch(lambda name, array: seen.append(name), monitor_all=True)
    for rows in (2, 5, 2):
        module.forward(mx.io.DataBatch([nd.ones((rows, 3))]), is_train=False)
    return seen


def indices_outside_of_a_later_axis():
    symbol = S.take(v("a"), S.BlockGrad(v("i")), axis=1, mode="raise")
    executor = symbol.simple_bind(CPU, a=(2, 3), i=(2,))
    executor.arg_dict["i"][:] = 9
    executor.forward(is_train=True)
    return isinstance(_attempted(executor.outputs[0].asnumpy), mx.MXNetError)


PROGRAMS = core.functions(globals())

"""How often inference visits nodes, subgraphs and kernels: counted, not timed."""

from __future__ import annotations

from collections import Counter
from itertools import chain

import numpy as np
import pytest

import mxnet as mx
from mxnet.errors import LimitExceededError
from mxnet.graph.infer import kernels as kernels_module
from mxnet.graph.infer import shapes as shapes_module
from mxnet.graph.infer import types as types_module
from mxnet.graph.infer.work_list import Known, Session, WorkList
from mxnet.graph.ir import Entry, Node, sort_nodes
from mxnet.ops.core.registry import get_op


@pytest.fixture
def visits(monkeypatch):
    """Counts the visits of each node by name."""
    counts = Counter()
    spend, spend_round = Session.spend, Session.spend_round

    def count(self, node):
        counts[node.name] += 1
        spend(self, node)

    def count_round(self, nodes):
        counts.update(node.name for node in nodes if node.op is not None)
        spend_round(self, nodes)

    monkeypatch.setattr(Session, "spend", count)
    monkeypatch.setattr(Session, "spend_round", count_round)
    return counts


@pytest.fixture
def kernels(monkeypatch):
    """Counts the runs of kernels without data by operator; nothing is remembered from before."""
    counts = Counter()
    real = kernels_module.infer

    def count(op, *args, **kwargs):
        counts[op.name] += 1
        return real(op, *args, **kwargs)

    kernels_module._ask_once.cache_clear()
    monkeypatch.setattr(kernels_module, "infer", count)
    yield counts
    kernels_module._ask_once.cache_clear()


def make_chain(length, op="tanh"):
    symbol = mx.sym.var("x")
    for number in range(length):
        symbol = getattr(mx.sym, op)(symbol, name=f"n{number}")
    return symbol


def test_a_chain_is_visited_once(visits):
    make_chain(50).infer_shape(x=(2, 3))
    assert len(visits) == 50
    assert set(visits.values()) == {1}  # for shapes; all has the type of the variable


@pytest.mark.parametrize("length", [10, 100, 1000])
def test_a_shape_flows_backward_at_a_fixed_cost_for_each_node(visits, length):
    symbol = make_chain(length) + mx.sym.var("y")
    shapes, _, _ = symbol.infer_shape(y=(2, 3))
    assert shapes == [(2, 3), (2, 3)]
    assert visits.total() <= 5 * (length + 1)


def test_a_type_flows_backward_at_a_fixed_cost_for_each_node(visits):
    symbol = make_chain(300) + mx.sym.var("y")
    kinds, _, _ = symbol.infer_type(y="float64")
    assert [kind.__name__ for kind in kinds] == ["float64", "float64"]
    assert visits.total() <= 4 * 301


def test_a_hub_is_not_visited_for_every_reader(visits):
    parts = mx.sym.SliceChannel(mx.sym.var("x"), num_outputs=200, name="hub")
    mx.sym.add_n(*parts, name="sum").infer_shape(x=(2, 200))
    assert visits["hub"] <= 4
    assert visits["sum"] <= 4


def test_a_network_asks_a_kernel_once_for_each_kind_of_call(kernels):
    symbol = mx.sym.var("x")
    for _ in range(40):
        symbol = mx.sym.LeakyReLU(mx.sym.softmax(symbol), act_type="elu")
    symbol.infer_shape(x=(2, 3))
    assert kernels["softmax"] <= 3  # two for types, one for shapes
    assert kernels["LeakyReLU"] <= 3


def test_refusals_are_remembered_too(kernels):
    symbol = mx.sym.var("x")
    for _ in range(20):
        parts = mx.sym.SliceChannel(symbol, num_outputs=8, axis=1)
        symbol = mx.sym.Concat(*parts, dim=1)
    symbol.infer_type(x="int32")
    assert kernels["SliceChannel"] == 6  # once for each shape that inference tries


def test_kernels_are_not_asked_for_usual_networks(kernels):
    net = mx.gluon.model_zoo.vision.resnet18_v2()
    symbol = mx.sym.SoftmaxOutput(net(mx.sym.var("data")), name="softmax")
    symbol.infer_shape(data=(2, 3, 64, 64))
    assert set(kernels) <= {"Flatten", "SoftmaxOutput"}


def nest(depth, kind):
    """A body inside of `depth` loops or branches."""
    if depth == 0:
        return lambda x: mx.sym.tanh(x)
    inner = nest(depth - 1, kind)
    if kind == "foreach":
        return lambda x: mx.sym.contrib.foreach(lambda row, _: (inner(row), []), x, [])[0]
    if kind == "cond":
        return lambda x: mx.sym.contrib.cond(mx.sym.sum(x), lambda: inner(x), lambda: x * 2)
    once = lambda x: ([], [inner(x)])  # noqa: E731
    return lambda x: mx.sym.contrib.while_loop(lambda x: mx.sym.sum(x), once, [x], 3)[1][0]


@pytest.mark.parametrize("kind", ["foreach", "cond", "while"])
@pytest.mark.parametrize("given", [{"x": (1,) * 20}, {"x": (0,) * 20}, {}])
def test_nested_loops_cost_a_fixed_amount_for_each_level(visits, kind, given):
    costs = []
    for depth in (4, 8, 16):
        visits.clear()
        nest(depth, kind)(mx.sym.var("x")).infer_shape_partial(**given)
        costs.append(visits.total())
    assert costs[1] <= 2.5 * costs[0]
    assert costs[2] <= 2.5 * costs[1]


def test_a_subgraph_is_inferred_once_for_equal_inputs(monkeypatch):
    runs = []
    for module in (shapes_module, types_module):
        run = module._Inference.run
        monkeypatch.setattr(
            module._Inference,
            "run",
            lambda self, given, run=run: runs.append(1) or run(self, given),
        )
    step = lambda row, state: (row + state, state)  # noqa: E731
    sums, last = mx.sym.contrib.foreach(step, mx.sym.var("x"), mx.sym.var("s"))
    mx.sym.Group([sums, last]).infer_shape(x=(5, 2))  # the state is told by the body
    assert len(runs) <= 6


def test_too_many_rounds_are_refused_and_the_node_named():
    symbol = make_chain(20) + mx.sym.var("y")
    with (
        mx.limits.scope(inference_rounds=1),
        pytest.raises(LimitExceededError, match=r"node 'n\d+': tanh: asks for 2 rounds"),
    ):
        symbol.infer_shape(y=(2, 3))


def test_visits_come_in_rounds():
    x = Node(None, "x")
    first = Node(get_op("tanh"), "first", inputs=[Entry(x)])
    second = Node(get_op("tanh"), "second", inputs=[Entry(first)])
    work, known = WorkList(sort_nodes([Entry(second)])), Known()
    known.by_node[x] = (None,)
    seen = []
    for node in chain(work.first_round(known, {}), work.later_rounds()):
        seen.append(node.name)
        if len(seen) == 2:
            work.wake(Entry(first))  # read by the node of this visit, given by the one before
        if len(seen) == 4:
            work.wake(Entry(second))
            work.settle()
    assert seen == ["first", "second", "first", "second"]


def test_a_limit_inside_of_a_kernel_is_not_remembered():
    symbol = mx.sym.Correlation(mx.sym.var("a"), mx.sym.var("b"), max_displacement=2, pad_size=2)
    shapes = {"a": (1, 1, 8, 8), "b": (1, 1, 8, 8)}
    with mx.limits.scope(operator_steps=9), pytest.raises(LimitExceededError, match="Correlation"):
        symbol.infer_shape(**shapes)
    assert symbol.infer_shape(**shapes)[1] == [(1, 25, 8, 8)]


def test_shapes_that_were_found_for_all_variables_are_not_inferred_again(visits):
    symbol = make_chain(50) + mx.sym.var("y")
    executor = symbol.simple_bind(mx.cpu(), y=(2, 3))
    visits.clear()
    symbol.bind(mx.cpu(), executor.arg_dict)
    assert not visits.total()
    symbol.bind(mx.cpu(), {"x": mx.nd.ones((2, 4)), "y": mx.nd.ones((2, 4))})
    assert symbol.infer_shape(x=(5,))[1] == [(5,)]


def test_an_attribute_that_changes_is_seen():
    symbol = mx.sym.Reshape(mx.sym.var("x"), shape=(3, 2), name="r")
    assert symbol.infer_shape(x=(2, 3))[1] == [(3, 2)]
    symbol._set_attr(shape="(6,)")
    assert symbol.infer_shape(x=(2, 3))[1] == [(6,)]


def test_shapes_that_do_not_fit_are_refused_whatever_was_found_before():
    symbol = mx.sym.elemwise_add(mx.sym.var("x"), mx.sym.var("y"))
    assert symbol.infer_shape(x=(2,), y=(2,))[1] == [(2,)]
    with pytest.raises(mx.MXNetError, match="does not agree"):
        symbol.infer_shape(x=(2,), y=(3,))


def test_types_that_were_found_are_not_inferred_again(visits):
    symbol = make_chain(50, "abs")
    symbol.infer_type(x="int32")
    visits.clear()
    assert symbol.infer_type(x="int32")[1] == [np.int32]
    assert not visits.total()
    assert symbol.infer_type(x="int64")[1] == [np.int64]
    symbol._set_attr(__any__="1")  # attributes of any node may have changed
    visits.clear()
    symbol.infer_type(x="int64")
    assert visits.total() == 50


@pytest.fixture
def visited(monkeypatch):
    """Counts how often the inferences of shapes and of types look at an operator themselves."""
    counts = Counter()
    for module in (shapes_module, types_module):
        visit = module._Inference._visit_operator

        def count(self, node, op, visit=visit, name=module.__name__):
            counts[name] += 1
            visit(self, node, op)

        monkeypatch.setattr(module._Inference, "_visit_operator", count)
    return counts


def test_nodes_of_which_as_much_is_known_are_not_asked_twice(visited):
    cell = mx.rnn.LSTMCell(4, prefix="lstm_")
    outputs, _ = cell.unroll(100, mx.sym.var("data"), merge_outputs=True)
    arg_shapes, out_shapes, _ = outputs.infer_shape(data=(2, 100, 3))
    assert out_shapes == [(2, 100, 4)]
    assert dict(zip(outputs.list_arguments(), arg_shapes, strict=True)) == {
        "data": (2, 100, 3),
        "lstm_i2h_weight": (16, 3),
        "lstm_i2h_bias": (16,),
        "lstm_h2h_weight": (16, 4),
        "lstm_h2h_bias": (16,),
    }
    assert visited.total() < 200  # of 1,400 nodes


def test_nodes_of_other_attributes_or_types_are():
    x, y = mx.sym.var("x"), mx.sym.var("y")
    outputs = [mx.sym.sum(x, axis=axis) for axis in (0, 1, 0)]
    outputs += [mx.sym.cast(x, dtype) for dtype in ("float16", "float64")]
    outputs += [mx.sym.dot(x, y), mx.sym.dot(x, y, transpose_a=True, transpose_b=True)]
    group = mx.sym.Group(outputs)
    assert group.infer_shape(x=(3, 3), y=(3, 3))[1] == [(3,)] * 3 + [(3, 3)] * 4
    types = group.infer_type(x="float32", y="float32")[1]
    assert types[3:5] == [np.float16, np.float64]
    with pytest.raises(mx.MXNetError, match="dot"):
        mx.sym.Group(outputs[-2:]).infer_shape(x=(3, 2), y=(2, 4))


def test_a_question_that_is_asked_again_is_answered_anew_after_an_attribute_has_changed():
    weight = mx.sym.var("weight", shape=(4, 3))
    network = mx.sym.FullyConnected(mx.sym.var("data"), weight, no_bias=True, num_hidden=4)
    first = network.infer_shape(data=(2, 3))
    assert network.infer_shape(data=(2, 3)) == first == ([(2, 3), (4, 3)], [(2, 4)], [])
    assert network.infer_shape(data=(5, 3))[1] == [(5, 4)]
    weight._set_attr(__shape__="(4, 7)")
    with pytest.raises(mx.MXNetError):
        network.infer_shape(data=(2, 3))
    assert network.infer_shape(data=(2, 7))[1] == [(2, 4)]

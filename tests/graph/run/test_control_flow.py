"""Loops and conditions as nodes: files of the original, inference, gradients, damaged files."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.errors import LimitExceededError, MXNetError
from mxnet.gluon import nn, rnn
from mxnet.graph.ir import depends_on_values, sort_nodes
from tests.golden import control_flow_cases as cases

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "control_flow.json").read_text())
x, s, w, i = (mx.sym.var(name) for name in "xswi")


def flat(values):
    if isinstance(values, (list, tuple)):
        return [leaf for value in values for leaf in flat(value)]
    return [values]


def group(values):
    return mx.sym.Group(flat(values))


def sums():
    return group(mx.sym.contrib.foreach(lambda d, t: (d * w + t, t + d), x, s))


def compare(found, expected):
    for one, other in zip(found["outputs"], expected["outputs"], strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)
    assert found["gradients"].keys() == expected["gradients"].keys()
    for name, gradient in found["gradients"].items():
        np.testing.assert_allclose(gradient, expected["gradients"][name], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", GOLDEN)
def test_a_file_of_the_original_computes_the_same(name):
    symbol = mx.sym.load_json(GOLDEN[name]["symbol"])
    assert symbol.list_arguments() == GOLDEN[name]["arguments"]
    compare(cases.run(mx, name, symbol), GOLDEN[name])


@pytest.mark.parametrize("name", GOLDEN)
def test_a_graph_built_here_computes_the_same(name):
    compare(cases.run(mx, name, cases.build(mx, name)), GOLDEN[name])


@pytest.mark.parametrize("name", GOLDEN)
def test_files_and_copies_keep_subgraphs(name):
    symbol = cases.build(mx, name)
    text = symbol.tojson()
    assert mx.sym.load_json(text).tojson() == text
    assert pickle.loads(pickle.dumps(symbol)).tojson() == text
    compare(cases.run(mx, name, copy.deepcopy(symbol)), GOLDEN[name])


def test_variables_can_be_replaced_by_composition():
    composed = sums()(x=mx.sym.var("y") * 2)
    found = composed.eval(y=nd.ones((2, 2)), s=nd.zeros(2), w=nd.ones(2))
    assert found[0].asnumpy().tolist() == [[2, 2], [4, 4]]


def test_a_condition_in_a_loop_is_that_of_arrays():
    def run(f, data, state, weight):
        def body(d, t):
            chosen = f.contrib.cond(f.sum(d) > 0, lambda: d * weight + t, lambda: d - t)
            return chosen, t * 0.9 + chosen * 0.1

        return f.contrib.foreach(body, data, state)

    arrays = {
        "x": nd.array([[1, 2], [-3, 1], [2, 2]]),
        "s": nd.array([0.5, 1]),
        "w": nd.array([2, 3]),
    }
    for array in arrays.values():
        array.attach_grad()
    with autograd.record():
        expected = flat(run(nd, *arrays.values()))
        total = sum((item * item).sum() for item in expected)
    total.backward()
    gradients = {name: nd.zeros(array.shape) for name, array in arrays.items()}
    executor = group(run(mx.sym, x, s, w)).bind(mx.cpu(), arrays, args_grad=gradients)
    found = executor.forward(is_train=True)
    executor.backward([2 * item for item in found])
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)
    for name, array in arrays.items():
        np.testing.assert_allclose(gradients[name].asnumpy(), array.grad.asnumpy(), rtol=1e-6)


def test_shapes_of_weights_come_from_the_body():
    def body(d, t):
        return mx.sym.FullyConnected(d, num_hidden=4, name="fc"), t + d

    loop = group(mx.sym.contrib.foreach(body, x, mx.sym.zeros((0, 5))))
    assert loop.infer_shape(x=(3, 2, 5)) == ([(3, 2, 5), (4, 5), (4,)], [(3, 2, 4), (2, 5)], [])
    shapes = {"x": (3, 2, 5), "fc_weight": (4, 5), "fc_bias": (4,)}
    found = loop.eval(**{name: nd.ones(shape) for name, shape in shapes.items()})
    assert found[0].asnumpy().tolist() == np.full((3, 2, 4), 6).tolist()
    assert found[1].asnumpy().tolist() == np.full((2, 5), 3).tolist()


def test_shapes_of_while_loop_and_cond_are_known_where_the_data_does_not_decide():
    loop = mx.sym.contrib.while_loop(
        lambda i, _: i < 3, lambda i, x: (x * w, [i + 1, x * w]), [i, x], max_iterations=5
    )
    assert group(loop).infer_shape(i=(1,), x=(2, 3))[1] == [(5, 2, 3), (1,), (2, 3)]
    growing = mx.sym.contrib.while_loop(
        lambda x: mx.sym.sum(x) < 9, lambda x: ([], mx.sym.concat(x, x, dim=0)), x, max_iterations=5
    )[1]
    with pytest.warns(UserWarning, match="unknown arguments: none"):
        assert growing.infer_shape(x=(2,)) == (None, None, None)
    same = mx.sym.contrib.cond(i, lambda: x * 2, lambda: x + w)
    assert same.infer_shape(i=(1,), x=(2, 3))[1] == [(2, 3)]
    other = mx.sym.contrib.cond(i, lambda: x * 2, lambda: mx.sym.concat(x, x, dim=0))
    with pytest.warns(UserWarning, match="unknown arguments: none"):
        assert other.infer_shape(i=(1,), x=(2, 3)) == (None, None, None)


def test_a_loop_without_steps_gives_zeros_and_the_first_variables():
    loop = mx.sym.contrib.while_loop(
        lambda i, _: i < 0, lambda i, x: (x * 2, [i + 1, x * 3]), [i, x], max_iterations=2
    )
    outputs, last_i, last_x = group(loop).eval(i=nd.zeros(1), x=nd.array([1, 2]))
    assert outputs.asnumpy().tolist() == [[0, 0], [0, 0]]
    assert last_i.asscalar() == 0
    assert last_x.asnumpy().tolist() == [1, 2]


def test_rows_after_the_last_step_are_zero():
    loop = mx.sym.contrib.while_loop(lambda i: i < 2, lambda i: (i + 1, i + 1), i, max_iterations=4)
    assert loop[0].eval(i=nd.zeros(1))[0].asnumpy().ravel().tolist() == [1, 2, 0, 0]


@pytest.mark.parametrize(
    "symbol",
    [
        mx.sym.contrib.cond(x, lambda: x, lambda: x * 2),
        mx.sym.contrib.while_loop(lambda x: x, lambda x: (x, x), x, max_iterations=2)[0],
    ],
    ids=["cond", "while_loop"],
)
def test_a_condition_of_several_numbers_is_refused(symbol):
    with pytest.raises(MXNetError, match="one number"):
        symbol.eval(x=nd.ones(2))


def test_data_of_different_lengths_is_refused():
    loop = mx.sym.contrib.foreach(lambda d, t: (d[0] + d[1], t), [x, w], s)[0]
    with pytest.raises(MXNetError, match="one length"):
        loop.eval(x=nd.ones((3, 2)), w=nd.ones((2, 2)), s=nd.ones(2))


def test_one_symbol_can_be_two_states():
    loop = mx.sym.contrib.foreach(lambda d, t: (d, [t[0] + d, t[1] * d]), x, [s, s])[1]
    found = group(loop).eval(x=nd.array([[2], [3]]), s=nd.array([1]))
    assert [item.asscalar() for item in found] == [6, 6]


def test_statistics_inside_of_a_loop_are_updated():
    def body(d, t):
        return mx.sym.BatchNorm(d, name="bn", fix_gamma=False), t

    loop = mx.sym.contrib.foreach(body, x, s)[0]
    shapes = dict(zip(loop.list_arguments(), loop.infer_shape(x=(2, 4, 3), s=(1,))[0], strict=True))
    arrays = {name: nd.ones(shape) for name, shape in shapes.items()}
    gradients = {name: nd.zeros(shape) for name, shape in shapes.items()}
    executor = loop.bind(mx.cpu(), arrays, args_grad=gradients)
    executor.forward(is_train=True)
    executor.backward(nd.ones((2, 4, 3)))
    np.testing.assert_allclose(arrays["bn_moving_var"].asnumpy(), 0.81, rtol=1e-5)
    np.testing.assert_allclose(gradients["bn_beta"].asnumpy(), 8, rtol=1e-5)


class Recurrent(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.cell = rnn.LSTMCell(3)
            self.out = nn.Dense(2)

    def hybrid_forward(self, F, data, hidden, cell):
        def body(step, states):
            output, states = self.cell(step, states)
            return self.out(output), states

        outputs, states = F.contrib.foreach(body, data, [hidden, cell])
        return outputs, states[0]


class Iterated(gluon.HybridBlock):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.dense = nn.Dense(3, in_units=3)

    def hybrid_forward(self, F, data, count):
        def body(number, value):
            return value * 2, [number + 1, self.dense(value)]

        outputs, (_, last) = F.contrib.while_loop(
            lambda number, _: number < count, body, [F.zeros((1,)), data], max_iterations=4
        )
        return outputs, F.contrib.cond(count > 2, lambda: last * 2, lambda: self.dense(last) + 1)


@pytest.mark.parametrize(
    ("kind", "shapes"),
    [(Recurrent, [(4, 2, 5), (2, 3), (2, 3)]), (Iterated, [(2, 3), (1,)])],
    ids=["Recurrent", "Iterated"],
)
def test_hybridized_and_exported_blocks_give_what_eager_ones_give(kind, shapes, tmp_path):
    mx.random.seed(3)
    net = kind()
    net.initialize(mx.init.Uniform(0.5))
    arrays = [nd.random.uniform(0, 2, shape=shape) for shape in shapes]
    for array in arrays:
        array.attach_grad()

    def run(block):
        with autograd.record():
            outputs = block(*arrays)
            total = sum((item * item).sum() for item in outputs)
        total.backward()
        weights = [p.grad() for p in net.collect_params().values()]
        return [item.asnumpy() for item in (*outputs, *(a.grad for a in arrays), *weights)]

    expected = run(net)
    net.hybridize()
    for one, other in zip(run(net), expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    net.export(str(tmp_path / "net"))
    names = [f"data{number}" for number in range(len(arrays))]
    loaded = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), names, str(tmp_path / "net-0000.params")
    )
    for one, other in zip(loaded(*arrays), expected, strict=False):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-5, atol=1e-6)


def _damage(change):
    graph = json.loads(sums().tojson())
    change(graph["nodes"][-1])
    return json.dumps(graph)


def _nest(node, depth):
    for _ in range(depth):
        inner = copy.deepcopy(node)
        node["subgraphs"][0]["nodes"][-1] = inner
        node = inner


@pytest.mark.parametrize(
    "change",
    [
        lambda node: node.update(subgraphs=[]),
        lambda node: node.update(subgraphs=node["subgraphs"] * 2),
        lambda node: node.update(subgraphs=3),
        lambda node: node.update(subgraphs=[3]),
        lambda node: node.update(op="relu"),
        lambda node: node["attrs"].update(in_data_locs="[7]"),
        lambda node: node["attrs"].update(in_state_locs="[0]"),
        lambda node: node["attrs"].update(remain_locs="what"),
        lambda node: node["attrs"].update(num_outputs="5"),
        lambda node: node["attrs"].update(num_out_data="2"),
        lambda node: node["attrs"].pop("remain_locs"),
        lambda node: node["subgraphs"][0]["heads"].pop(),
        lambda node: node["subgraphs"][0]["nodes"][0].update(name="w"),
        lambda node: node["inputs"].pop(),
        lambda node: _nest(node, 90),
    ],
)
def test_a_damaged_file_is_refused(change):
    with pytest.raises(MXNetError):
        mx.sym.load_json(_damage(change))


def test_too_deep_nesting_is_named():
    with pytest.raises(LimitExceededError, match="asks for 65 loops inside of each other"):
        mx.sym.load_json(_damage(lambda node: _nest(node, 90)))


def test_only_loops_of_a_known_length_can_be_recorded():
    def nodes(values):
        return sort_nodes(group(values)._heads)

    choice = mx.sym.contrib.cond(i, lambda: x, lambda: w)
    assert depends_on_values(nodes(choice))
    assert not depends_on_values(nodes(mx.sym.contrib.foreach(lambda d, t: (d + t, t), x, s)))
    inner = mx.sym.contrib.foreach(
        lambda d, t: (mx.sym.contrib.cond(i, lambda: d, lambda: t), t), x, s
    )
    assert depends_on_values(nodes(inner))


def test_a_compiler_leaves_loops_alone():
    net = Iterated()
    net.initialize(mx.init.Uniform(0.5))
    arrays = nd.ones((2, 3)), nd.array([2])
    expected = [item.asnumpy() for item in net(*arrays)]
    net.hybridize(backend="eager")
    for one, other in zip(net(*arrays), expected, strict=True):
        np.testing.assert_allclose(one.asnumpy(), other, rtol=1e-6)

"""Conditions and loops in a `forward` on arrays become nodes of the graph."""

from __future__ import annotations

import json

import numpy as onp
import pytest

import mxnet as mx
from mxnet import gluon, npx


@pytest.fixture(autouse=True)
def numpy_dialect():
    npx.set_np()
    yield
    npx.reset_np()


class Choice(gluon.HybridBlock):
    """A condition whose branches read an argument, a parameter and what was computed before."""

    def __init__(self):
        super().__init__()
        self.dense = gluon.nn.Dense(3, in_units=3)

    def forward(self, x):
        hidden = self.dense(x)
        return npx.cond(
            lambda x: x.sum() > 0.5,
            lambda x: [x * 2 + hidden, self.dense(x)],
            lambda x: [x * 3, hidden],
            x,
        )


class Loop(gluon.HybridBlock):
    """A loop with a layer in it, and a condition in each step."""

    def __init__(self):
        super().__init__()
        self.dense = gluon.nn.Dense(3, in_units=3)

    def forward(self, x):
        def step(count, state):
            state = npx.cond(lambda s: s.sum() > 0, lambda s: self.dense(s), lambda s: s + 1, state)
            return [state, count], [count + 1, state]

        outputs, last = npx.while_loop(
            lambda count, _: count < 3, step, [x[0, :1] * 0, x], max_iterations=5
        )
        return outputs, last


def leaves(values):
    if not isinstance(values, (list, tuple)):
        return [values]
    return [leaf for value in values for leaf in leaves(value)]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("cls", "name"), [(Choice, "_cond"), (Loop, "_while_loop")])
def test_a_hybridized_call_computes_the_same(cls, name, tmp_path):
    net = cls()
    net.initialize(mx.init.Normal(0.5))
    inputs = [mx.np.ones((2, 3)), mx.np.full((2, 3), -1.0), mx.np.full((4, 3), 0.3)]
    expected, slopes = [], []
    for hybridized in (False, True):
        net.hybridize(hybridized)
        for number, x in enumerate(inputs):
            x.attach_grad()
            with mx.autograd.record():
                results = leaves(net(x))
                loss = sum((item * item).sum() for item in results)
            loss.backward()
            found = [item.asnumpy() for item in results]
            if not hybridized:
                expected.append(found)
                slopes.append(x.grad.asnumpy())
            for one, other in zip(found, expected[number], strict=True):
                onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
            onp.testing.assert_allclose(x.grad.asnumpy(), slopes[number], rtol=1e-5, atol=1e-6)
    net(inputs[0])
    net.export(str(tmp_path / "net"))
    nodes = json.loads((tmp_path / "net-symbol.json").read_text())["nodes"]
    assert [node["op"] for node in nodes].count(name) == 1
    graph = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"), ["data"], str(tmp_path / "net-0000.params")
    )
    for x, results in zip(inputs[:2], expected, strict=False):
        for one, other in zip(leaves(graph(x)), results, strict=True):
            onp.testing.assert_allclose(one.asnumpy(), other, rtol=1e-5, atol=1e-6)


def test_the_classic_dialect_has_them_too():
    npx.reset_np()

    class Net(gluon.HybridBlock):
        def forward(self, x):
            outputs, (_, total) = mx.nd.contrib.while_loop(
                lambda count, _: count < 4,
                lambda count, total: (total, [count + 1, total + count]),
                [x * 0, x],
                max_iterations=6,
            )
            return mx.nd.contrib.cond(total > 10, lambda: outputs, lambda: outputs * 0)

    net = Net()
    net.hybridize(strict=True)
    assert net(mx.nd.array([1])).asnumpy().ravel().tolist() == [0] * 6
    assert net(mx.nd.array([9])).asnumpy().ravel().tolist() == [9, 9, 10, 12, 0, 0]


def test_branches_of_different_sizes_are_refused():
    class Net(gluon.HybridBlock):
        def forward(self, x):
            return npx.cond(lambda x: x.sum() > 0, lambda x: [x, x], lambda x: x, x)

    net = Net()
    net.hybridize(strict=True)
    with pytest.raises(mx.MXNetError, match="2 outputs in one branch, 1 in the other"):
        net(mx.np.ones(2))

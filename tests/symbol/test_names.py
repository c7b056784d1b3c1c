"""Names of variables and nodes may be any text, also what is a word of Python or of ours."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon

NAMES = [
    *("self", "class", "torch", "forward", "input", "None", "name", "ctx", "grad_req", "is_train"),
    *("input_0", "prepared_0", "generator", "__init__", "args", "where", "a b", "q\"u'", "a\nb"),
    *(
        "a\0b",
        "é",
        "\uff53elf",
        "\u202ex",
        "{0}",
        "%s",
        "../up",
        "**kw",
        "1abc",
        "back\\",
        "<b>",
        "",
    ),
    "x" * 5000,
]
X, W = mx.nd.ones((2, 3)), mx.nd.array([[1, 2, 3], [4, 5, 6]])
EXPECTED = [[6.0, 15.0]] * 2

each_name = pytest.mark.parametrize("name", NAMES, ids=[repr(name[:9]) for name in NAMES])


def make(name: str) -> mx.sym.Symbol:
    weight = mx.sym.var(name)
    return mx.sym.FullyConnected(
        mx.sym.var("x"), weight=weight, num_hidden=2, no_bias=True, name=f"{name}_op"
    )


def check(result: mx.nd.NDArray) -> None:
    np.testing.assert_equal(result.asnumpy(), EXPECTED)


@each_name
def test_bound(name):
    symbol = pickle.loads(pickle.dumps(make(name)))
    assert symbol.list_arguments() == ["x", name]
    assert symbol.infer_shape(**{name: (2, 3), "x": (2, 3)})[1] == [(2, 2)]
    executor = symbol.bind(mx.cpu(), {"x": X, name: W}, {name: mx.nd.zeros((2, 3))})
    check(executor.forward(is_train=True)[0])
    executor.backward(mx.nd.ones((2, 2)))
    assert executor.grad_dict[name].asnumpy().tolist() == [[2] * 3] * 2


@each_name
def test_of_a_parameter_of_a_block(name, tmp_path):
    net = gluon.SymbolBlock(make(name), mx.sym.var("x"))
    net.initialize()
    net(X)
    net.collect_params()[name].set_data(W)
    net.hybridize()
    check(net(X))
    net.export(tmp_path / "net")
    again = gluon.SymbolBlock.imports(
        tmp_path / "net-symbol.json", ["x"], tmp_path / "net-0000.params"
    )
    check(again(X))
    assert again(mx.sym.var("other")).list_arguments() == ["other", name]
    check(mx.nd.from_torch(net.to_fx(X)(X.to_torch())[0]))


@each_name
def test_of_an_input_of_a_module(name):
    net = mx.mod.Module(make(name), ["x", name], None)
    net.bind([("x", (2, 3)), (name, (2, 3))], for_training=False)
    net.init_params()
    net.forward(mx.io.DataBatch([X, W]))
    check(net.get_outputs()[0])


@each_name
def test_of_a_variable_in_a_loop(name):
    def step(data, states):
        weight = mx.sym.var(name)
        return mx.sym.FullyConnected(data, weight=weight, num_hidden=2, no_bias=True), states

    loop, _ = mx.sym.contrib.foreach(step, mx.sym.var("rows"), [])
    again = mx.sym.load_json(loop.tojson())
    executor = again.bind(mx.cpu(), {"rows": X.reshape((1, 2, 3)), name: W})
    check(executor.forward()[0].reshape((2, 2)))


class TestOneNameTwice:
    """As in the original: a file may have it, blocks take it for one variable, bind refuses."""

    SYMBOL = mx.sym.var("a") + mx.sym.var("a") * 2

    def test_listed(self):
        again = mx.sym.load_json(self.SYMBOL.tojson())
        assert again.list_arguments() == ["a", "a"]
        assert again.infer_shape(a=(2, 3))[1] == [(2, 3)]

    @pytest.mark.parametrize("arrays", [[X, X], {"a": X}])
    def test_refused_by_bind(self, arrays):
        with pytest.raises(mx.MXNetError, match="two variables are called 'a'"):
            self.SYMBOL.bind(mx.cpu(), arrays)

    def test_refused_by_simple_bind(self):
        with pytest.raises(mx.MXNetError, match="two variables are called 'a'"):
            self.SYMBOL.simple_bind(mx.cpu(), a=(2, 3))

    def test_input_of_a_block(self):
        net = gluon.SymbolBlock(self.SYMBOL, mx.sym.var("a"))
        assert net(X).asnumpy().tolist() == [[3] * 3] * 2

    def test_parameter_of_a_block(self):
        net = gluon.SymbolBlock(mx.sym.var("x") * self.SYMBOL, mx.sym.var("x"))
        net.initialize(mx.init.One())
        assert list(net.collect_params()) == ["a"]
        assert net(X).asnumpy().tolist() == [[3] * 3] * 2
        with mx.autograd.record():
            net(X).backward()
        assert net.collect_params()["a"].grad().asnumpy().tolist() == [[3] * 3] * 2


class TestHalvesOfCharacters:
    def test_in_a_file(self):
        content = json.loads(mx.sym.relu(mx.sym.var("a")).tojson())
        content["nodes"][0]["name"] = "\ud800"
        with pytest.raises(ValueError, match="node 0: not UTF-8"):
            mx.sym.load_json(json.dumps(content))

    def test_cannot_be_saved(self, tmp_path):
        with pytest.raises(ValueError, match=r"net\.json.*not UTF-8"):
            mx.sym.var("\ud800").save(tmp_path / "net.json")

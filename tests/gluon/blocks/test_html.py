"""The HTML that notebooks show of networks, `Block._repr_html_`."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn


class Checker(HTMLParser):
    """Collects texts, one for each line of the tree, and checks that every element is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.lines: list[str] = []
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag, _):
        self.open.append(tag)
        if tag in ("div", "summary"):
            self.lines.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.lines[-1] += data


def lines_of(block: gluon.Block) -> list[str]:
    return [line for line in Checker(block._repr_html_()).lines if line]


def make_net() -> nn.Sequential:
    net = nn.Sequential()
    net.add(nn.Dense(4, activation="relu"), nn.Dropout(0.5), nn.Dense(2, in_units=4))
    return net


def test_a_network_is_a_tree_of_layers_with_parameters():
    net = make_net()
    net.initialize()
    net(nd.ones((1, 3)))
    assert lines_of(net) == [
        "Sequential 26 parameters",
        "(0): Dense 16 parameters",
        "weight 4x3 float32",
        "bias 4 float32",
        "(act): Activation(relu)",
        "(1): Dropout(p = 0.5, axes=())",
        "(2): Dense(4 -> 2, linear) 10 parameters",
        "weight 2x4 float32",
        "bias 2 float32",
    ]


def test_unknown_shapes_are_told():
    lines = lines_of(make_net())
    assert lines[0] == "Sequential at least 14 parameters, 1 shape unknown"
    assert "weight 4x? float32" in lines
    assert lines_of(nn.BatchNorm())[0].endswith(") 4 shapes unknown")


def test_only_the_network_itself_is_unfolded():
    html = make_net()._repr_html_()
    assert re.findall(r"<details[^>]*>", html) == ["<details open>", "<details>", "<details>"]


def test_shared_parameters_count_once():
    first = nn.Dense(4, in_units=4)
    net = nn.Sequential()
    net.add(first, nn.Dense(4, in_units=4, params=first.params))
    assert lines_of(net)[0] == "Sequential 20 parameters"


def test_parameters_without_gradient():
    assert "running_mean 2 float32, no gradient" in lines_of(nn.BatchNorm(in_channels=2))


def test_names_and_descriptions_are_escaped():
    class Strange(gluon.Block):
        def __repr__(self):
            return "<script>alert(1)</script>\n" + "x" * 500

    net = gluon.Block()
    net.register_child(Strange(), "<b>")
    html = net._repr_html_()
    assert "<script>" not in html
    assert "(&lt;b&gt;):" in html
    assert "x" * 200 not in html


def test_a_block_whose_constructor_is_unfinished():
    class Unfinished(gluon.Block):
        def __init__(self):
            pass

    assert lines_of(Unfinished()) == ["Unfinished"]


def test_a_block_without_anything():
    assert lines_of(gluon.Block()) == ["Block"]


def test_a_symbol_block():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(2, in_units=3))
    data = net(mx.sym.var("data"))
    block = gluon.SymbolBlock(data, [mx.sym.var("data")], net.collect_params())
    assert lines_of(block)[0].endswith("8 parameters")

"""Tables and pictures; `tests/programs/visualization.py` compares them with the original."""

from __future__ import annotations

from pathlib import Path

import pytest

import mxnet as mx
from mxnet import visualization
from mxnet.errors import MXNetError
from mxnet.gluon import nn

IMAGES = Path(__file__).parent.parent / "docs" / "images"


def test_the_short_name_is_the_same_module():
    assert mx.viz is visualization


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr(visualization, "graphviz", None)
    with pytest.raises(ImportError, match="graphviz"):
        mx.viz.plot_network(mx.sym.var("data"))


def test_nodes_of_one_name_are_reported():
    net = mx.sym.Activation(mx.sym.var("data"), act_type="relu", name="fc")
    net = mx.sym.FullyConnected(net, num_hidden=3, name="fc")
    with pytest.warns(RuntimeWarning, match="one node of each of fc"):
        mx.viz.plot_network(net)


def test_a_pooling_without_kernel_is_drawn():
    net = mx.sym.Pooling(mx.sym.var("data"), global_pool=True, name="pool")
    assert "max, global" in mx.viz.plot_network(net).source


def test_a_gluon_network_is_drawn_from_its_graph():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, activation="relu"), nn.Dense(2))
    source = mx.viz.plot_network(net(mx.sym.var("data")), shape={"data": (1, 3, 8, 8)}).source
    assert source.count("->") == 3
    assert "4x6x6" in source


def test_shapes_that_cannot_be_found_name_what_is_unknown():
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")
    with pytest.raises(ValueError, match="data"):
        mx.viz.print_summary(net, shape={"fc_bias": (3,)})
    with pytest.raises(MXNetError, match="no argument 'image'"):
        mx.viz.plot_network(net, shape={"image": (1, 2)})


@pytest.mark.parametrize("name", ["lenet", "recurrent", "residual"])
def test_the_documentation_shows_pictures_that_exist(name):
    assert (IMAGES / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    text = (IMAGES.parent / "visualization.md").read_text()
    assert f"images/{name}.png" in text

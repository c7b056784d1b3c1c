"""Draws the networks of `docs/visualization.md`.

    PYTHONPATH=src python tools/draw_networks.py [FOLDER]

Writes one picture for each network to the folder, `docs/images` by default. Needs the Python
package graphviz and its program `dot`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import mxnet as mx

LOOK = {"fixedsize": "false", "width": "1.1", "height": "0.5", "fontname": "Helvetica"}
IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"


def lenet():
    """Returns LeNet and the shape of its data."""
    net = mx.sym.var("data")
    for number, filters in enumerate((20, 50), start=1):
        net = mx.sym.Convolution(net, kernel=(5, 5), num_filter=filters, name=f"conv{number}")
        net = mx.sym.Activation(net, act_type="tanh", name=f"tanh{number}")
        net = mx.sym.Pooling(
            net, pool_type="max", kernel=(2, 2), stride=(2, 2), name=f"pool{number}"
        )
    net = mx.sym.FullyConnected(mx.sym.Flatten(net, name="flatten"), num_hidden=500, name="fc1")
    net = mx.sym.Activation(net, act_type="tanh", name="tanh3")
    net = mx.sym.FullyConnected(net, num_hidden=10, name="fc2")
    return mx.sym.SoftmaxOutput(net, name="softmax"), {"data": (1, 1, 28, 28)}


def residual():
    """Returns a network with one residual block and the shape of its data."""
    options = {"kernel": (3, 3), "pad": (1, 1), "num_filter": 16, "no_bias": True}
    net = mx.sym.Convolution(mx.sym.var("data"), name="stem", **options)
    shortcut = net
    for number in (1, 2):
        net = mx.sym.BatchNorm(net, name=f"bn{number}")
        net = mx.sym.Activation(net, act_type="relu", name=f"relu{number}")
        net = mx.sym.Convolution(net, name=f"conv{number}", **options)
    net = mx.sym.elemwise_add(net, shortcut, name="add")
    net = mx.sym.Pooling(net, global_pool=True, kernel=(1, 1), pool_type="avg", name="pool")
    net = mx.sym.FullyConnected(mx.sym.Flatten(net, name="flatten"), num_hidden=10, name="fc")
    return net, {"data": (1, 3, 32, 32)}


def recurrent():
    """Returns one step of an LSTM that predicts a word, and the shapes of its data."""
    names = ("word", "hidden", "memory")
    word, hidden, memory = (mx.sym.var(name) for name in names)
    embedded = mx.sym.Embedding(word, input_dim=1000, output_dim=32, name="embedding")
    output, _ = mx.rnn.LSTMCell(64)(embedded, [hidden, memory])
    scores = mx.sym.FullyConnected(output, num_hidden=1000, name="scores")
    shapes = {"word": (1,), "hidden": (1, 64), "memory": (1, 64)}
    return mx.sym.softmax(scores, name="softmax"), shapes


def main(folder: Path) -> None:
    """Draws every network."""
    for build in (lenet, residual, recurrent):
        net, shapes = build()
        graph = mx.viz.plot_network(net, save_format="png", shape=shapes, node_attrs=LOOK)
        graph.graph_attr.update(dpi="72", ranksep="0.3", nodesep="0.3", pad="0.1")
        graph.edge_attr.update(fontname="Helvetica", fontsize="11", fontcolor="#404040")
        graph.render(str(folder / build.__name__), cleanup=True)
        print(folder / f"{build.__name__}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES)

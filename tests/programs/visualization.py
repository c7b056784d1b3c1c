"""Networks as tables and as pictures: the printed text, nodes and edges with their attributes."""

from .core import lines

_SUMMARIES = """
summary(mlp, {"data": (1, 784)})
summary(mlp)
summary(lenet, {"data": (1, 1, 28, 28)})
summary(lenet)
summary(residual, {"data": (2, 3, 16, 16)})
summary(residual)
summary(residual, {"data": (2, 3, 16, 16)}, line_length=80, positions=[0.3, 0.6, 0.8, 1.0])
summary(words, {"data": (3, 5)})
summary(cell, {"data": (2, 2, 5)})
summary(mlp, {"data": (1, 784)}, line_length=50)
summary(mlp, {"data": (1, 784)}, line_length=50, positions=[20, 30, 40, 50])
summary(lambda: S.Group([mlp(), lenet()]))
summary(lambda: two()[0] * 2, {"data": (2, 4)})
summary(two, {"data": (2, 4)})
summary(loop, {"data": (3, 4), "s": (4,)})
summary(lambda: S.var("data"), {"data": (2, 4)})
summary(lambda: S.FullyConnected(S.var("data"), num_hidden=3, name="a" * 70), {"data": (2, 4)})
summary(lambda: S.FullyConnected(S.var("a") + S.var("b"), num_hidden=3, name="f"), {"a": (2, 4)})
summary(lambda: S.BatchNorm(S.var("data"), axis=-1, name="bn"), {"data": (2, 4, 3)})
mx.viz.print_summary(3)
summary(mlp, {"nothing": (1, 2)})
summary(lenet, {"softmax_label": (1,)})
"""

_PLOTS = """
plot(mlp)
plot(mlp, shape={"data": (1, 784)}, title="net", save_format="png")
plot(lenet, shape={"data": (1, 1, 28, 28)})
plot(residual, shape={"data": (2, 3, 16, 16)})
plot(residual, hide_weights=False)
plot(residual, hide_weights=False, shape={"data": (2, 3, 16, 16)}, node_attrs={"shape": "oval", "fixedsize": "false"})
plot(mlp, node_attrs={"fillcolor": "red", "color": "blue"})
plot(cell, shape={"data": (2, 2, 5)})
plot(loop)
plot(lambda: two()[1] * 2, shape={"data": (2, 4)})
plot(mlp, shape={"data": (1, 784)}, dtype={"data": "float16"})
plot(mlp, dtype={"data": "float16"})
plot(mlp, dtype="float16")
plot(lambda: S.Convolution(S.var("data"), kernel=(3,), stride=(2,), num_filter=4, name="c"))
plot(lambda: S.Convolution(S.var("data"), kernel=(3, 3), stride=(2, 1), num_filter=4, name="c"))
plot(lambda: S.L2Normalization(S.softmax(S.var("data"), name="p"), name="n"))
plot(lambda: S.var("data"))
plot(lambda: 3)
plot(lenet, shape={"softmax_label": (1,)})
"""  # noqa: E501

PROGRAMS = lines("visualization_helpers", _SUMMARIES + _PLOTS)

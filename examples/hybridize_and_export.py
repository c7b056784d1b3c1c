"""One call compiles a network, one saves it for programs that do not have its code."""

import os
import tempfile

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn


class Residual(nn.HybridBlock):
    """Two convolutions and a way around them."""

    def __init__(self, channels, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(
                nn.Conv2D(channels, 3, padding=1, in_channels=channels),
                nn.BatchNorm(in_channels=channels),
                nn.Activation("relu"),
                nn.Conv2D(channels, 3, padding=1, in_channels=channels),
                nn.BatchNorm(in_channels=channels),
            )

    def hybrid_forward(self, F, x):
        return F.relu(self.body(x) + x)


def main():
    """Compares the network before and after, in prediction and training, and from its files."""
    mx.random.seed(0)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(Residual(4), Residual(4), nn.GlobalAvgPool2D(), nn.Dense(3))
    net.initialize(mx.init.Xavier())
    data = nd.random.uniform(shape=(2, 4, 8, 8))
    imperative = net(data)

    net.hybridize()  # the next call makes a graph of all blocks, later calls run it
    compiled = net(data)
    print("the same prediction:", abs(imperative - compiled).max().asscalar() < 1e-5)

    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    labels, losses = nd.array([0, 2]), []
    for _ in range(20):
        with autograd.record():
            loss = loss_of(net(data), labels)
        loss.backward()
        trainer.step(2)
        losses.append(loss.mean().asscalar())
    print("it learns:", losses[-1] < losses[0])

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "residual")
        net.export(path, epoch=20)
        print("files:", sorted(os.listdir(folder)))
        again = gluon.SymbolBlock.imports(
            path + "-symbol.json", ["data"], path + "-0020.params", ctx=mx.cpu()
        )
        print("the same from files:", abs(net(data) - again(data)).max().asscalar() < 1e-5)

    graph = net(mx.sym.var("data"))  # the same network as a symbol
    print("arguments:", len(graph.list_arguments()), "states:", len(graph.list_auxiliary_states()))
    print("shape of the output:", graph.infer_shape(data=(2, 4, 8, 8))[1])


if __name__ == "__main__":
    main()

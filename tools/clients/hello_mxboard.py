"""MXBoard: writes scalars, a histogram, a picture and a graph that TensorBoard reads."""

import tempfile
from pathlib import Path

from mxboard import SummaryWriter

import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Conv2D(4, kernel_size=3, activation="relu"), nn.Dense(10))
net.initialize()
net.hybridize()
picture = mx.nd.random.uniform(shape=(1, 3, 16, 16))
net(picture)
with tempfile.TemporaryDirectory() as folder:
    with SummaryWriter(logdir=folder) as writer:
        for step in range(3):
            writer.add_scalar("loss", 1 / (step + 1), global_step=step)
        writer.add_histogram("weight", net[0].weight.data(), global_step=0, bins=10)
        writer.add_image("picture", picture, global_step=0)
        writer.add_graph(net)
    (file,) = Path(folder).glob("events.out.tfevents.*")
    assert file.stat().st_size > 1000
    print(f"an event file of {file.stat().st_size} bytes")

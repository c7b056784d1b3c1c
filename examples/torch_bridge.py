"""Gluon and PyTorch in one program: a module of torch in a network, and the network in torch.

Points on two rings are told apart. A Gluon network with a module of torch inside is trained by a
`Trainer`, then goes on as a module of torch with an optimizer of torch, and both predict the same.
"""

import numpy as np
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon.contrib.torch import TorchBlock


def make_points(count):
    random = np.random.RandomState(7)
    labels = random.randint(0, 2, count)
    angles, radii = random.uniform(0, 2 * np.pi, count), 1 + labels + random.normal(0, 0.1, count)
    points = np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=1)
    return points.astype("float32"), labels.astype("float32")


def make_network():
    layers = torch.nn.Linear(2, 16), torch.nn.BatchNorm1d(16), torch.nn.GELU()
    net = gluon.nn.HybridSequential()
    net.add(TorchBlock(torch.nn.Sequential(*layers)))
    net.add(gluon.nn.Dense(16, activation="relu"), gluon.nn.Dense(2))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    return net


def train_with_gluon(net, loader):
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    for _ in range(3):
        for points, labels in loader:
            with autograd.record():
                loss = loss_of(net(points), labels)
            loss.backward()
            trainer.step(len(points))


def train_with_torch(module, dataset):
    optimizer = torch.optim.AdamW(module.parameters(), lr=0.01)
    for _ in range(3):
        for points, labels in torch.utils.data.DataLoader(dataset, batch_size=64, shuffle=True):
            loss = torch.nn.functional.cross_entropy(module(points), labels.long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def accuracy(net, points, labels):
    return float((net(nd.array(points)).argmax(axis=1).asnumpy() == labels).mean())


def main():
    mx.random.seed(1)
    torch.manual_seed(1)
    points, labels = make_points(1024)
    dataset = gluon.data.ArrayDataset(points, labels)
    net = make_network()
    train_with_gluon(net, gluon.data.DataLoader(dataset, batch_size=64, shuffle=True))
    print("trained by Gluon:", accuracy(net, points, labels) > 0.9)

    module = net.to_torch()
    train_with_torch(module, dataset)
    print("trained by torch:", accuracy(net, points, labels) > 0.95)

    result = module.eval()(torch.tensor(points)).detach().numpy()
    print("the same prediction:", np.allclose(result, net(nd.array(points)).asnumpy(), atol=1e-4))
    names = [name for name, _ in module.named_parameters()]
    print("parameters:", ", ".join(names[:-1]), "and", names[-1])


if __name__ == "__main__":
    main()

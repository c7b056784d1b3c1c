"""Networks of the table on tables, graphs and games: what gathers, scatters or learns by trial."""

from __future__ import annotations

from typing import Any

import gluon_networks
import torch
import torch.nn.functional as TF
import torch_networks
from network_pairs import CLASSES, Problem, gluon_chain, integers, normal, pair, uniform
from torch import Tensor

from mxnet import gluon
from mxnet.gluon import nn

tnn = torch.nn


def mlp(batch: int) -> Problem:
    """784-256-256-10."""
    nets = (gluon_networks.mlp, torch_networks.mlp)
    return pair([normal(batch, 784)], [integers(10, batch)], nets, CLASSES)


def _logistic(F: Any, scores: Any, labels: Any) -> Any:
    """Returns the cross entropy of two classes."""
    smooth = F.Activation(-F.abs(scores), act_type="softrelu")
    return F.relu(scores) - scores * labels + smooth


LOGISTIC = (_logistic, TF.binary_cross_entropy_with_logits)


class _GluonTables(gluon.HybridBlock):
    """A table of users and one of things under dense layers; rows of both have sparse gradients."""

    def __init__(self, rows: int, size: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.users = nn.Embedding(rows, size, sparse_grad=True)
        self.things = nn.Embedding(rows, size, sparse_grad=True)
        self.layers = gluon_chain(nn.Dense(64, activation="relu"), nn.Dense(1))

    def hybrid_forward(self, F: Any, users: Any, things: Any) -> Any:
        """Returns the score of each pair."""
        joined = F.concat(self.users(users), self.things(things), dim=1)
        return F.reshape(self.layers(joined), shape=(-1,))


class _TorchTables(tnn.Module):
    """As `_GluonTables`."""

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.users = tnn.Embedding(rows, size, sparse=True)
        self.things = tnn.Embedding(rows, size, sparse=True)
        self.layers = tnn.Sequential(tnn.Linear(2 * size, 64), tnn.ReLU(), tnn.Linear(64, 1))

    def forward(self, users: Tensor, things: Tensor) -> Tensor:
        return self.layers(torch.cat((self.users(users), self.things(things)), 1)).flatten()


def recommender(batch: int, rows: int, size: int) -> Problem:
    """Two large tables with sparse gradients."""
    nets = (lambda: _GluonTables(rows, size), lambda: _TorchTables(rows, size))
    data = [integers(rows, batch), integers(rows, batch)]
    return pair(data, [uniform(batch).round()], nets, LOGISTIC, sparse=True)


class _GluonMachine(gluon.HybridBlock):
    """A factorization machine over some columns of classes."""

    def __init__(self, rows: int, size: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.factors, self.weights = nn.Embedding(rows, size), nn.Embedding(rows, 1)

    def hybrid_forward(self, F: Any, columns: Any) -> Any:
        """Returns the score of each row."""
        factors = self.factors(columns)
        together = F.square(F.sum(factors, axis=1)) - F.sum(F.square(factors), axis=1)
        return F.sum(self.weights(columns), axis=(1, 2)) + 0.5 * F.sum(together, axis=1)


class _TorchMachine(tnn.Module):
    """As `_GluonMachine`."""

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.factors, self.weights = tnn.Embedding(rows, size), tnn.Embedding(rows, 1)

    def forward(self, columns: Tensor) -> Tensor:
        factors = self.factors(columns)
        together = factors.sum(1).square() - factors.square().sum(1)
        return self.weights(columns).sum((1, 2)) + 0.5 * together.sum(1)


def machine(batch: int, rows: int, size: int, columns: int = 16) -> Problem:
    """A factorization machine."""
    nets = (lambda: _GluonMachine(rows, size), lambda: _TorchMachine(rows, size))
    return pair([integers(rows, batch, columns)], [uniform(batch).round()], nets, LOGISTIC)


class _GluonFactors(gluon.HybridBlock):
    """Products of rows of two tables."""

    def __init__(self, rows: int, size: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.users, self.things = nn.Embedding(rows, size), nn.Embedding(rows, size)

    def hybrid_forward(self, F: Any, users: Any, things: Any) -> Any:
        """Returns the score of each pair."""
        return F.sum(self.users(users) * self.things(things), axis=1)


class _TorchFactors(tnn.Module):
    """As `_GluonFactors`."""

    def __init__(self, rows: int, size: int) -> None:
        super().__init__()
        self.users, self.things = tnn.Embedding(rows, size), tnn.Embedding(rows, size)

    def forward(self, users: Tensor, things: Tensor) -> Tensor:
        return (self.users(users) * self.things(things)).sum(1)


def factors(batch: int, rows: int, size: int) -> Problem:
    """Matrix factorization of scores."""
    nets = (lambda: _GluonFactors(rows, size), lambda: _TorchFactors(rows, size))
    data = [integers(rows, batch), integers(rows, batch)]
    losses = (lambda F, one, other: F.square(one - other), TF.mse_loss)
    return pair(data, [normal(batch)], nets, losses)


class _GluonActor(gluon.HybridBlock):
    """A policy and a value on common layers."""

    def __init__(self, hidden: int, actions: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.body = gluon_chain(*[nn.Dense(hidden, activation="tanh") for _ in range(2)])
        self.policy, self.value = nn.Dense(actions), nn.Dense(1)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns scores of actions, and a value."""
        x = self.body(x)
        return self.policy(x), F.reshape(self.value(x), shape=(-1,))


class _TorchActor(tnn.Module):
    """As `_GluonActor`."""

    def __init__(self, inputs: int, hidden: int, actions: int) -> None:
        super().__init__()
        first, second = tnn.Linear(inputs, hidden), tnn.Linear(hidden, hidden)
        self.body = tnn.Sequential(first, tnn.Tanh(), second, tnn.Tanh())
        self.policy, self.value = tnn.Linear(hidden, actions), tnn.Linear(hidden, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        x = self.body(x)
        return self.policy(x), self.value(x).flatten()


def actor(batch: int, hidden: int, inputs: int = 24, actions: int = 6) -> Problem:
    """An actor and its critic: advantage, value and entropy in one loss."""

    def ours(F: Any, scores: Any, value: Any, chosen: Any, returned: Any) -> Any:
        logarithms = F.log_softmax(scores, axis=1)
        entropy = -F.sum(F.exp(logarithms) * logarithms, axis=1)
        advantage = F.stop_gradient(returned - value)
        loss = F.square(returned - value) - 0.01 * entropy
        return loss - F.pick(logarithms, chosen, axis=1) * advantage

    def theirs(scores: Tensor, value: Tensor, chosen: Tensor, returned: Tensor) -> Tensor:
        logarithms = scores.log_softmax(1)
        entropy = -(logarithms.exp() * logarithms).sum(1)
        advantage = (returned - value).detach()
        loss = (returned - value).square() - 0.01 * entropy
        return loss - logarithms.gather(1, chosen[:, None])[:, 0] * advantage

    nets = (lambda: _GluonActor(hidden, actions), lambda: _TorchActor(inputs, hidden, actions))
    labels = [integers(actions, batch), normal(batch)]
    return pair([normal(batch, inputs)], labels, nets, (ours, theirs))


class _GluonGraph(gluon.HybridBlock):
    """Rounds in which each node gathers its neighbours; gradients are scattered to them."""

    def __init__(self, hidden: int, classes: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.own, self.others = nn.HybridSequential(), nn.HybridSequential()
        for width in (hidden, hidden):
            self.own.add(nn.Dense(width))
            self.others.add(nn.Dense(width, use_bias=False))
        self.output = nn.Dense(classes)

    def hybrid_forward(self, F: Any, x: Any, neighbours: Any) -> Any:
        """Returns the scores of each node."""
        for own, others in zip(self.own, self.others, strict=True):
            gathered = F.mean(F.take(x, neighbours), axis=1)
            x = F.relu(own(x) + others(gathered))
        return self.output(x)


class _TorchGraph(tnn.Module):
    """As `_GluonGraph`."""

    def __init__(self, inputs: int, hidden: int, classes: int) -> None:
        super().__init__()
        widths = (inputs, hidden)
        self.own = tnn.ModuleList(tnn.Linear(width, hidden) for width in widths)
        self.others = tnn.ModuleList(tnn.Linear(width, hidden, bias=False) for width in widths)
        self.output = tnn.Linear(hidden, classes)

    def forward(self, x: Tensor, neighbours: Tensor) -> Tensor:
        for own, others in zip(self.own, self.others, strict=True):
            x = TF.relu(own(x) + others(x[neighbours].mean(1)))
        return self.output(x)


def graph(nodes: int, hidden: int, degree: int = 8, inputs: int = 32) -> Problem:
    """A network on a graph of nodes with some neighbours each."""
    nets = (lambda: _GluonGraph(hidden, 7), lambda: _TorchGraph(inputs, hidden, 7))
    data = [normal(nodes, inputs), integers(nodes, nodes, degree)]
    return pair(data, [integers(7, nodes)], nets, CLASSES)

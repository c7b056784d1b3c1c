"""Measures training steps on a GPU with captured graphs, against torch eager.

    python benchmarks/gpu_static.py [--rounds N]

The loop is the ordinary one: record, backward, step. The network and the loss are hybridized with
`static_alloc=True, static_shape=True`. The candidates take turns; the best time of each counts.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn

STATIC = {"static_alloc": True, "static_shape": True, "strict": True}
STEPS, BATCH, WORDS, SIZE = 35, 20, 10_000, 650
RATE = 1e-3


class LanguageModel(gluon.HybridBlock):
    """Two layers of LSTM between an embedding and a dense layer."""

    def __init__(self, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(WORDS, SIZE)
            self.layers = rnn.LSTM(SIZE, num_layers=2, dropout=0.5, input_size=SIZE)
            self.output = nn.Dense(WORDS, flatten=False, in_units=SIZE)

    def hybrid_forward(self, F: object, words: object, states: object) -> tuple:  # noqa: ARG002
        found, states = self.layers(self.embedding(words), states)
        return self.output(found), states


def mlp_step(hybridize: bool) -> Callable[[], None]:
    """Returns a training step of an MLP of three layers, batch 64."""
    net = nn.HybridSequential()
    net.add(nn.Dense(256, activation="relu"), nn.Dense(256, activation="relu"), nn.Dense(10))
    net.initialize(ctx=mx.gpu())
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    if hybridize:
        net.hybridize(**STATIC)
        loss_of.hybridize(**STATIC)
    data = nd.random.uniform(shape=(64, 784), ctx=mx.gpu())
    labels = nd.zeros(64, ctx=mx.gpu())
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": RATE, "momentum": 0.9})

    def step() -> None:
        with autograd.record():
            loss = loss_of(net(data), labels)
        loss.backward()
        trainer.step(64)

    return step


def torch_mlp_step() -> Callable[[], None]:
    """Returns the same step in torch."""
    net = torch.nn.Sequential(
        torch.nn.Linear(784, 256),
        torch.nn.ReLU(),
        torch.nn.Linear(256, 256),
        torch.nn.ReLU(),
        torch.nn.Linear(256, 10),
    ).cuda()
    data, labels = torch.rand(64, 784).cuda(), torch.zeros(64, dtype=torch.long).cuda()
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=RATE, momentum=0.9)

    def step() -> None:
        optimizer.zero_grad()
        loss_of(net(data), labels).backward()
        optimizer.step()

    return step


def lstm_step(hybridize: bool, dtype: str = "float32") -> Callable[[], None]:
    """Returns a training step of a language model, whose states go on to the next one."""
    net = LanguageModel()
    net.cast(dtype)
    net.initialize(mx.init.Uniform(0.1), ctx=mx.gpu())
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    if hybridize:
        net.hybridize(**STATIC)
        loss_of.hybridize(**STATIC)
    words = nd.random.randint(0, WORDS, shape=(STEPS, BATCH), ctx=mx.gpu()).astype("float32")
    states = net.layers.begin_state(BATCH, ctx=mx.gpu(), dtype=dtype)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": RATE})

    def step() -> None:
        nonlocal states
        states = [state.detach() for state in states]
        with autograd.record():
            found, states = net(words, states)
            loss = loss_of(found.reshape((-1, WORDS)), words.reshape((-1,)))
        loss.backward()
        trainer.step(STEPS * BATCH)

    return step


def torch_lstm_step(dtype: torch.dtype = torch.float32) -> Callable[[], None]:
    """Returns the same step in torch."""
    place: dict[str, Any] = {"device": "cuda", "dtype": dtype}
    embedding = torch.nn.Embedding(WORDS, SIZE, **place)
    layers = torch.nn.LSTM(SIZE, SIZE, 2, dropout=0.5, **place)
    output = torch.nn.Linear(SIZE, WORDS, **place)
    parameters = [*embedding.parameters(), *layers.parameters(), *output.parameters()]
    optimizer = torch.optim.SGD(parameters, lr=RATE)
    words = torch.randint(0, WORDS, (STEPS, BATCH)).cuda()
    states = [torch.zeros(2, BATCH, SIZE, **place) for _ in range(2)]
    loss_of = torch.nn.CrossEntropyLoss()

    def step() -> None:
        nonlocal states
        states = [state.detach() for state in states]
        optimizer.zero_grad()
        found, states = layers(embedding(words), states)
        loss_of(output(found).reshape(-1, WORDS), words.reshape(-1)).backward()
        optimizer.step()

    return step


def measure(step: Callable[[], None], count: int = 50) -> float:
    """Returns the milliseconds of a step."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(count):
        step()
    torch.cuda.synchronize()
    return (time.perf_counter() - start) / count * 1e3


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    rounds = parser.parse_args().rounds
    print(f"torch {torch.__version__}, mxnet {mx.__version__}, {torch.cuda.get_device_name()}")
    print("| step, ms | torch eager | imperative | static graphs | torch / static | target |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, make, make_torch, target in (
        ("MLP, batch 64", mlp_step, torch_mlp_step, 2.0),
        ("LSTM language model 2x650, batch 20, 35 steps", lstm_step, torch_lstm_step, 1.5),
        (
            "the same in half precision",
            partial(lstm_step, dtype="float16"),
            partial(torch_lstm_step, torch.float16),
            1.5,
        ),
    ):
        steps = [make_torch(), make(False), make(True)]
        for step in steps:
            measure(step, 10)
        times = [[measure(step) for step in steps] for _ in range(rounds)]
        eager, ours, static = (min(column) for column in zip(*times, strict=True))
        ratio = eager / static
        print(f"| {name} | {eager:.3f} | {ours:.3f} | {static:.3f} | {ratio:.2f} | {target} |")


if __name__ == "__main__":
    main()

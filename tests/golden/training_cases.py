"""Networks, data and loops of the training tests; the same lines run under the original."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn

STEPS = 10


class LanguageModel(gluon.Block):
    """Predicts the next word; `states` go on from batch to batch."""

    def __init__(self, words: int = 11, units: int = 8, **kwargs: object) -> None:
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(words, 6)
            self.lstm = rnn.LSTM(units, num_layers=2)
            self.decoder = nn.Dense(words, flatten=False)

    def forward(self, words, states):
        """Returns scores of the next words and the new states."""
        output, states = self.lstm(self.embedding(words), states)
        return self.decoder(output), states


def make_mlp() -> gluon.Block:
    """Makes a network of three dense layers."""
    net = nn.HybridSequential(prefix="mlp_")
    with net.name_scope():
        net.add(nn.Dense(16, activation="relu"), nn.Dense(8, activation="tanh"), nn.Dense(4))
    return net


def make_lenet() -> gluon.Block:
    """Makes a small LeNet with batch normalization."""
    net = nn.HybridSequential(prefix="lenet_")
    with net.name_scope():
        net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D())
        net.add(nn.Conv2D(6, 3, padding=1, use_bias=False), nn.BatchNorm(momentum=0.8))
        net.add(nn.Activation("sigmoid"), nn.AvgPool2D(), nn.Dense(16, activation="relu"))
        net.add(nn.BatchNorm(scale=False), nn.Dense(4))
    return net


@dataclass(frozen=True)
class Case:
    """One training run."""

    make: Callable[[], gluon.Block]
    optimizer: str
    options: dict = field(default_factory=dict)
    shape: tuple = (8, 12)
    """Shape of a batch."""
    classes: int = 4
    clip: float | None = None
    """Largest joint norm of the gradients."""
    schedule: Callable[[], object] | None = None

    @property
    def batch_axis(self) -> int:
        """Axis along which a batch is split; sequences have it second."""
        return 1 if self.make is LanguageModel else 0

    @property
    def batch_size(self) -> int:
        """Number of samples in a batch."""
        return self.shape[self.batch_axis]

    def batches(self):
        """Yields the inputs and labels of all steps."""
        random = np.random.RandomState(3)
        for _ in range(STEPS):
            if self.make is LanguageModel:
                words = random.randint(0, self.classes, (self.shape[0] + 1, self.shape[1]))
                yield words[:-1].astype("float32"), words[1:].astype("float32")
            else:
                labels = random.randint(0, self.classes, self.shape[0])
                inputs = random.normal(size=self.shape)
                inputs.reshape(len(labels), -1)[:, :: self.classes] += labels[:, None] / 2
                yield inputs.astype("float32"), labels.astype("float32")


CASES = {
    "mlp-sgd": Case(make_mlp, "sgd", {"learning_rate": 0.2, "momentum": 0.9, "wd": 1e-3}),
    "mlp-adam": Case(make_mlp, "adam", {"learning_rate": 0.02, "wd": 1e-3, "epsilon": 1e-5}),
    "mlp-schedule": Case(
        make_mlp,
        "nag",
        {"learning_rate": 0.3, "momentum": 0.8, "clip_gradient": 0.2},
        schedule=lambda: mx.lr_scheduler.FactorScheduler(
            step=3, factor=0.5, base_lr=0.3, warmup_steps=2
        ),
    ),
    "lenet": Case(
        make_lenet, "sgd", {"learning_rate": 0.05, "momentum": 0.9, "wd": 1e-4}, (16, 2, 12, 12)
    ),
    "lstm": Case(LanguageModel, "sgd", {"learning_rate": 2.0}, (5, 4), 11, clip=1.0),
}
"""Training runs by name."""

RESUMABLE = {name: case for name, case in CASES.items() if case.make is not LanguageModel}
"""Runs that parameters and states of the trainer are all there is to go on from."""


def set_values(net: gluon.Block) -> None:
    """Sets all parameters to values that depend on the end of their names."""
    for name, parameter in net.collect_params().items():
        if name.endswith("gamma") and parameter.grad_req == "null":
            continue  # fixed at 1
        random = np.random.RandomState(zlib.crc32(name.split("_", 1)[1].encode()))
        low, high = (0.5, 1.5) if name.endswith(("gamma", "running_var")) else (-0.4, 0.4)
        parameter.set_data(mx.nd.array(random.uniform(low, high, parameter.shape)))


def make_trainer(case: Case, net: gluon.Block, **kwargs: object) -> gluon.Trainer:
    """Makes the trainer of a case; gradients to be clipped are added up beforehand."""
    options = dict(case.options)
    if case.schedule is not None:
        options["lr_scheduler"] = case.schedule()
    if case.clip is not None:
        kwargs["update_on_kvstore"] = False
    return gluon.Trainer(net.collect_params(), case.optimizer, options, **kwargs)


def start(case: Case, contexts: Sequence[mx.Context]) -> gluon.Block:
    """Makes the network of a case with its first values."""
    net = case.make(prefix="lm_") if case.make is LanguageModel else case.make()
    net.initialize(ctx=list(contexts))
    inputs, _ = next(case.batches())
    for part in gluon.utils.split_and_load(inputs, contexts, case.batch_axis):
        forward(net, part, first_states(case, net, part))
    set_values(net)
    return net


def first_states(case: Case, net: gluon.Block, part: mx.nd.NDArray) -> list:
    """Returns the states that a network begins with, none if it has none."""
    if case.make is not LanguageModel:
        return []
    return net.lstm.begin_state(batch_size=part.shape[1], ctx=part.context)


def forward(net: gluon.Block, part: mx.nd.NDArray, states: list) -> tuple:
    """Returns scores and states."""
    if not states:
        return net(part), []
    scores, states = net(part, states)
    return scores, [state.detach() for state in states]


def train_step(case: Case, net: gluon.Block, trainer: gluon.Trainer, parts: list) -> float:
    """Makes one step with `(inputs, labels, states)` of each context and gives the loss."""
    loss = gluon.loss.SoftmaxCrossEntropyLoss(batch_axis=case.batch_axis)
    losses = []
    with autograd.record():
        for part in parts:
            scores, part[2] = forward(net, part[0], part[2])
            losses.append(loss(scores, part[1]))
    autograd.backward(losses)
    if case.clip is None:
        trainer.step(case.batch_size)
    else:
        trainer.allreduce_grads()
        for position in range(len(parts)):
            gradients = [p.list_grad()[position] for p in net.collect_params().values()]
            gluon.utils.clip_global_norm(gradients, case.clip * case.batch_size)
        trainer.update(case.batch_size)
    return sum(float(item.sum().asscalar()) for item in losses) / case.batch_size


def train(
    case: Case,
    contexts: Sequence[mx.Context],
    *,
    hybridize: bool = False,
    begin: int = 0,
    end: int = STEPS,
    resume: Callable[[gluon.Block, gluon.Trainer], None] | None = None,
    **kwargs: object,
) -> tuple[list, gluon.Block, gluon.Trainer]:
    """Trains and gives losses, network and trainer.

    `resume` brings network and trainer to where step `begin` starts.
    """
    net = start(case, contexts)
    if hybridize:
        net.hybridize()
    trainer = make_trainer(case, net, **kwargs)
    if resume is not None:
        resume(net, trainer)
    losses, states = [], None
    for inputs, labels in list(case.batches())[begin:end]:
        xs = gluon.utils.split_and_load(inputs, contexts, case.batch_axis)
        ys = gluon.utils.split_and_load(labels, contexts, case.batch_axis)
        states = states or [first_states(case, net, x) for x in xs]
        parts = [list(part) for part in zip(xs, ys, states)]  # noqa: B905 - also Python 3.9
        losses.append(train_step(case, net, trainer, parts))
        states = [part[2] for part in parts]
    return losses, net, trainer


def values_of(net: gluon.Block) -> list[np.ndarray]:
    """Returns all parameters, the mean over contexts as files hold it."""
    return [parameter._reduce().asnumpy() for parameter in net.collect_params().values()]


def set_flat(net: gluon.Block, flat: np.ndarray) -> None:
    """Sets all parameters to what `values_of` gave, joined."""
    parameters = list(net.collect_params().values())
    ends = np.cumsum([int(np.prod(parameter.shape)) for parameter in parameters])
    for parameter, part in zip(parameters, np.split(flat, ends[:-1])):  # noqa: B905
        parameter.set_data(mx.nd.array(part.reshape(parameter.shape)))


def resume_from(flat: np.ndarray, states: object) -> Callable:
    """Returns the function that sets parameters and loads states of the trainer."""

    def resume(net: gluon.Block, trainer: gluon.Trainer) -> None:
        set_flat(net, flat)
        trainer.load_states(str(states))

    return resume

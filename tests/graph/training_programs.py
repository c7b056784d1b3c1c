"""Ordinary training programs that a captured network must survive, each as one function.

A program takes the options of `hybridize`, None for an imperative run, and returns what it has
seen: losses and, in the end, parameters. `test_captured_programs.py` runs them on a stand-in for
CUDA graphs, `tests/gpu/test_static_programs.py` on a GPU.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn

Options: TypeAlias = dict[str, Any] | None
Program: TypeAlias = Callable[[Options, int], list[np.ndarray]]
PROGRAMS: dict[str, Program] = {}


def program(function: Program) -> Program:
    PROGRAMS[function.__name__] = function
    return function


def make(*layers: gluon.Block, options: Options, ready: bool = False) -> nn.HybridSequential:
    """Returns a network; one that is not ready gets its shapes in the first call of the loop."""
    net = nn.HybridSequential()
    net.add(*layers)
    net.initialize(mx.init.Xavier())
    if ready:
        net(draw())
    if options is not None:
        net.hybridize(**options)
    return net


def draw(count: int = 8) -> nd.NDArray:
    return nd.array(np.random.normal(size=(count, 6)))


def trainer_of(*nets: gluon.Block, optimizer: str = "sgd") -> gluon.Trainer:
    parameters = [p for net in nets for p in net.collect_params().values()]
    return gluon.Trainer(parameters, optimizer, {"learning_rate": 0.01})


def values_of(*nets: gluon.Block) -> list[np.ndarray]:
    return [p.data().asnumpy() for net in nets for p in net.collect_params().values()]


def critic_layers() -> tuple[gluon.Block, ...]:
    return nn.Dense(6, activation="relu"), nn.BatchNorm(), nn.Dense(1)


@program
def called_twice(options: Options, steps: int) -> list[np.ndarray]:
    net = make(*critic_layers(), options=options)
    trainer, seen = trainer_of(net), []
    for _ in range(steps):
        with autograd.record():
            loss = net(draw()).square().mean() + net(draw()).square().mean()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def adversaries(options: Options, steps: int) -> list[np.ndarray]:
    generator = make(nn.Dense(6), nn.BatchNorm(), nn.Dense(6), options=options)
    critic = make(*critic_layers(), options=options)
    learn_to_make, learn_to_tell = (
        trainer_of(net, optimizer="adam") for net in (generator, critic)
    )
    entropy, seen = gluon.loss.SigmoidBinaryCrossEntropyLoss(), []
    for _ in range(steps):
        noise, ones, zeros = draw(), nd.ones(8), nd.zeros(8)
        with autograd.record():
            samples = generator(noise)
            told = entropy(critic(draw()), ones) + entropy(critic(samples.detach()), zeros)
        told.backward()
        learn_to_tell.step(8)
        with autograd.record():
            made = entropy(critic(generator(noise)), ones)
        made.backward()
        learn_to_make.step(8)
        seen += [told.asnumpy(), made.asnumpy()]
    return seen + values_of(generator, critic)


@program
def siamese(options: Options, steps: int) -> list[np.ndarray]:
    net = make(nn.Dense(5, activation="tanh"), nn.Dense(3), options=options)
    trainer, seen = trainer_of(net), []
    for step in range(steps):
        with autograd.record():
            distance = (net(draw()) - net(draw())).square().sum(axis=1)
            loss = distance if step % 2 else nd.relu(1 - distance)
        loss.backward()
        trainer.step(8)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def triplets(options: Options, steps: int) -> list[np.ndarray]:
    net = make(nn.Dense(5), nn.BatchNorm(), nn.Dense(3), options=options, ready=True)
    trainer, loss_of, seen = trainer_of(net), gluon.loss.TripletLoss(), []
    if options is not None:
        loss_of.hybridize(**options)
    for _ in range(steps):
        with autograd.record():
            loss = loss_of(net(draw()), net(draw()), net(draw()))
        loss.backward()
        trainer.step(8)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def actor_and_critic(options: Options, steps: int) -> list[np.ndarray]:
    body = make(nn.Dense(6, activation="relu"), options=options)
    actor, critic = make(nn.Dense(3), options=options), make(nn.Dense(1), options=options)
    trainer, seen = trainer_of(body, actor, critic), []
    for step in range(steps):
        state, action = draw(), nd.array((np.arange(8) + step) % 3)
        with autograd.record():
            features = body(state)
            chances, value = nd.log_softmax(actor(features)), critic(features)
            advantage = state.sum(axis=1) - value.reshape(-1)
            loss = (advantage.square() - nd.pick(chances, action) * advantage.detach()).mean()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(body, actor, critic)


@program
def distillation(options: Options, steps: int) -> list[np.ndarray]:
    teacher = make(nn.Dense(6, activation="relu"), nn.BatchNorm(), nn.Dense(4), options=options)
    student = make(nn.Dense(4), options=options)
    teacher.collect_params().setattr("grad_req", "null")
    trainer, loss_of, seen = trainer_of(student), gluon.loss.KLDivLoss(from_logits=False), []
    for _ in range(steps):
        data = draw()
        wanted = nd.softmax(teacher(data))
        with autograd.record():
            loss = loss_of(student(data), wanted)
        loss.backward()
        trainer.step(8)
        seen.append(loss.asnumpy())
    return seen + values_of(teacher, student)


@program
def frozen_part(options: Options, steps: int) -> list[np.ndarray]:
    net = make(nn.Dense(6), nn.BatchNorm(), nn.Dense(2), options=options, ready=True)
    trainer, seen = trainer_of(net), []
    for step in range(steps):
        if step == steps // 2:
            net[0].collect_params().setattr("grad_req", "null")
        with autograd.record():
            loss = net(draw()).square().mean()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def shared_parameters(options: Options, steps: int) -> list[np.ndarray]:
    first = make(nn.Dense(6), nn.Dense(2), options=options, ready=True)
    second = nn.HybridSequential()
    second.add(nn.Dense(6, in_units=6, params=first[0].params), nn.Dense(1, in_units=6))
    second[1].initialize(mx.init.Xavier())
    if options is not None:
        second.hybridize(**options)
    trainers, seen = [trainer_of(first), trainer_of(second[1])], []
    for _ in range(steps):
        with autograd.record():
            loss = first(draw()).square().mean() + second(draw()).abs().mean()
        loss.backward()
        for trainer in trainers:
            trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(first, second)


@program
def accumulated_gradients(options: Options, steps: int) -> list[np.ndarray]:
    net = make(*critic_layers(), options=options, ready=True)
    net.collect_params().setattr("grad_req", "add")
    for name, parameter in net.collect_params().items():
        if "running" in name:
            parameter.grad_req = "null"
    trainer, seen = trainer_of(net), []
    for step in range(steps):
        with autograd.record():
            loss = net(draw()).square().mean()
        loss.backward()
        if step % 3 == 2:
            trainer.step(3)
            net.collect_params().zero_grad()
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def alternating_shapes(options: Options, steps: int) -> list[np.ndarray]:
    net = make(*critic_layers(), options=options)
    trainer, seen = trainer_of(net), []
    for step in range(steps):
        with autograd.record():
            loss = net(draw(8 if step % 3 else 5)).square().mean()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def training_and_prediction(options: Options, steps: int) -> list[np.ndarray]:
    net = make(*critic_layers(), options=options)
    trainer, seen, predictions = trainer_of(net), [], []
    for _ in range(steps):
        data = draw()
        with autograd.record():
            loss = net(data).square().mean()
            with autograd.predict_mode():
                loss = loss + net(data).abs().mean()
        loss.backward()
        trainer.step(1)
        predictions.append(net(data))
        seen.append(loss.asnumpy())
    return seen + [item.asnumpy() for item in predictions] + values_of(net)


@program
def several_passes(options: Options, steps: int) -> list[np.ndarray]:
    net = make(*critic_layers(), options=options)
    trainer, seen = trainer_of(net), []
    for _ in range(steps):
        data = draw()
        data.attach_grad()
        with autograd.record():
            result = net(data)
            first, second = result.square().mean(), result.abs().mean()
        slope = autograd.grad(first, data, retain_graph=True)[0]
        first.backward(retain_graph=True)
        second.backward()
        trainer.step(1)
        seen += [first.asnumpy(), slope.asnumpy(), data.grad.asnumpy()]
    return seen + values_of(net)


@program
def branches_outside(options: Options, steps: int) -> list[np.ndarray]:
    nets = [make(*critic_layers(), options=options) for _ in range(2)]
    trainer = None
    seen: list[np.ndarray] = []
    for _ in range(steps):
        data = draw()
        chosen = nets[int(data.sum().asscalar() > 0)]
        with autograd.record():
            loss = chosen(data).square().mean()
            if loss.asscalar() > 0.5:
                loss = loss + chosen(data * 2).abs().mean()
        loss.backward()
        trainer = trainer_of(chosen)
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen


def gradient_penalty(options: Options, steps: int) -> list[np.ndarray]:
    """Differentiates twice, which a capture cannot: its calls run uncaptured from then on."""
    net = make(nn.Dense(6, activation="tanh"), nn.BatchNorm(), nn.Dense(1), options=options)
    trainer, seen = trainer_of(net), []
    for _ in range(steps):
        data = draw()
        data.attach_grad()
        with autograd.record():
            result = net(data)
            slope = autograd.grad(result, data, create_graph=True, retain_graph=True)[0]
            length = (slope.square().sum(axis=1) + 1e-6).sqrt()
            loss = result.mean() + (length - 1).square().mean()
        loss.backward()
        trainer.step(1)
        seen += [loss.asnumpy(), slope.asnumpy()]
    return seen + values_of(net)


def run(function: Program, options: Options, steps: int) -> list[np.ndarray]:
    """Returns what a program sees, with the same data and first parameters in every way."""
    mx.random.seed(7)
    np.random.seed(7)
    return function(options, steps)

"""More training programs that a captured network must survive, unlike those beside it.

They keep what they have seen in lists, write to parameters, copy networks and weights, loop over
parts of a batch, and use both dialects and several optimizers.
"""

from __future__ import annotations

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn, rnn
from tests.graph.training_programs import (
    Options,
    Program,
    critic_layers,
    draw,
    make,
    trainer_of,
    values_of,
)

MORE_PROGRAMS: dict[str, Program] = {}
PENALTIES: dict[str, Program] = {}
"""Programs that differentiate twice, which a capture cannot."""


def program(function: Program) -> Program:
    MORE_PROGRAMS[function.__name__] = function
    return function


def penalty(function: Program) -> Program:
    PENALTIES[function.__name__] = function
    return function


@program
def target_network(options: Options, steps: int) -> list[np.ndarray]:
    """Learns values of actions by a slow copy of itself, from a memory of what it saw."""
    net = make(nn.Dense(8, activation="relu"), nn.Dense(3), options=options, ready=True)
    slow = make(nn.Dense(8, activation="relu"), nn.Dense(3), options=options, ready=True)
    trainer, memory, seen = trainer_of(net, optimizer="rmsprop"), [], []
    pairs = [*zip(net.collect_params().values(), slow.collect_params().values(), strict=True)]
    for _, copy in pairs:
        copy.grad_req = "null"
    state = draw(1)
    for step in range(steps):
        action = int(net(state).argmax(axis=1).asscalar()) if step % 4 else step % 3
        following = nd.tanh(state + 0.1 * action)
        memory.append((state, action, following.sum().asscalar(), following))
        state = following
        chosen = [memory[place] for place in np.random.randint(0, len(memory), 4)]
        states = nd.concat(*[item[0] for item in chosen], dim=0)
        after = nd.concat(*[item[3] for item in chosen], dim=0)
        wanted = nd.array([item[2] for item in chosen]) + 0.9 * slow(after).max(axis=1)
        with autograd.record():
            values = nd.pick(net(states), nd.array([item[1] for item in chosen]))
            loss = gluon.loss.HuberLoss()(values, wanted)
        loss.backward()
        trainer.step(4)
        for learned, copy in pairs:
            copy.set_data(0.9 * copy.data() + 0.1 * learned.data())
        seen.append(loss.asnumpy())
    return seen + values_of(net, slow)


@program
def policy_of_an_episode(options: Options, steps: int) -> list[np.ndarray]:
    """Calls the network for each state of an episode, whose length differs, before one pass."""
    net = make(nn.Dense(6, activation="tanh"), nn.Dense(2), options=options)
    trainer, seen = trainer_of(net, optimizer="adam"), []
    for step in range(steps):
        state, chances, rewards = draw(1), [], []
        with autograd.record():
            for turn in range(2 + step % 3):
                found = nd.log_softmax(net(state))
                action = (step + turn) % 2
                chances.append(found[:, action])
                rewards.append(float(state.mean().asscalar()) * (action - 0.5))
                state = nd.tanh(state.detach() + action)
            returns = np.cumsum(rewards[::-1])[::-1].copy()
            loss = -nd.add_n(*[c * float(r) for c, r in zip(chances, returns, strict=True)])
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def truncated_recurrence(options: Options, steps: int) -> list[np.ndarray]:
    """Hands the state of a recurrent layer on to the next part of the text."""
    net = rnn.GRU(5, input_size=6)
    head = make(nn.Dense(4, flatten=False), options=options)
    net.initialize(mx.init.Xavier())
    if options is not None:
        net.hybridize(**options)
    trainer, state, seen = trainer_of(net, head), net.begin_state(batch_size=2), []
    for _ in range(steps):
        data = nd.array(np.random.normal(size=(3, 2, 6)))
        state = [item.detach() for item in state]
        with autograd.record():
            output, state = net(data, state)
            loss = head(output).square().mean()
        loss.backward()
        gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], 0.1)
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(net, head)


@program
def parts_of_a_batch(options: Options, steps: int) -> list[np.ndarray]:
    """Adds the gradients of parts of a batch up, in lists of losses."""
    net = make(*critic_layers(), options=options, ready=True)
    for parameter in net.collect_params().values():
        parameter.grad_req = "null" if "running" in parameter.name else "add"
    trainer, seen = trainer_of(net), []
    for _ in range(steps):
        losses = []
        with autograd.record():
            for part in gluon.utils.split_data(draw(9), 3):
                losses.append(net(part).square().mean())
        autograd.backward(losses)
        trainer.step(3)
        for parameter in net.collect_params().values():
            parameter.zero_grad()
        seen += [item.asnumpy() for item in losses]
    return seen + values_of(net)


@program
def adversarial_examples(options: Options, steps: int) -> list[np.ndarray]:
    """Learns from data that are moved against it, by the gradient of the data."""
    net = make(*critic_layers(), options=options)
    trainer, seen = trainer_of(net), []
    for _ in range(steps):
        data = draw()
        data.attach_grad()
        with autograd.record():
            loss = net(data).square().mean()
        loss.backward()
        moved = data + 0.1 * data.grad.sign()
        with autograd.record():
            total = (net(data.detach()).square() + net(moved).square()).mean()
        total.backward()
        trainer.step(1)
        seen += [total.asnumpy(), data.grad.asnumpy()]
    return seen + values_of(net)


@program
def averaged_weights(options: Options, steps: int) -> list[np.ndarray]:
    """Keeps an average of the weights, and puts it into the network to validate."""
    net = make(*critic_layers(), options=options, ready=True)
    trainer, seen = trainer_of(net, optimizer="nag"), []
    average = {name: p.data().copy() for name, p in net.collect_params().items()}
    for step in range(steps):
        with autograd.record():
            loss = net(draw()).square().mean()
        loss.backward()
        trainer.step(1)
        for name, p in net.collect_params().items():
            average[name] = 0.9 * average[name] + 0.1 * p.data()
        if step % 5 == 4:
            learned = {name: p.data().copy() for name, p in net.collect_params().items()}
            for name, p in net.collect_params().items():
                p.set_data(average[name])
            seen.append(net(draw()).asnumpy())
            for name, p in net.collect_params().items():
                p.set_data(learned[name])
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def new_head_in_the_middle(options: Options, steps: int) -> list[np.ndarray]:
    """Freezes what it has learned, then learns another head on it, then all of it."""
    body = make(nn.Dense(6, activation="relu"), nn.BatchNorm(), options=options, ready=True)
    seen: list[np.ndarray] = []
    for phase in range(3):
        head = make(nn.Dense(1 + phase), options=options)
        for name, parameter in body.collect_params().items():
            if "running" not in name:
                parameter.grad_req = "null" if phase == 1 else "write"
        trainer = trainer_of(head) if phase == 1 else trainer_of(body, head)
        for _ in range(steps // 3):
            with autograd.record():
                loss = head(body(draw())).square().mean()
            loss.backward()
            trainer.step(1)
            seen.append(loss.asnumpy())
        seen += values_of(body, head)
    return seen


@program
def multiple_tasks(options: Options, steps: int) -> list[np.ndarray]:
    """Two heads on a body, with weights of their losses that learn, too."""
    body = make(nn.Dense(6, activation="softrelu"), options=options)
    heads = [make(nn.Dense(2), options=options), make(nn.Dense(3), options=options)]
    scales = gluon.Parameter("scales", shape=(2,))
    scales.initialize(mx.init.Zero())
    trainer = gluon.Trainer(
        [scales, *(p for net in (body, *heads) for p in net.collect_params().values())], "adam"
    )
    entropy, seen = gluon.loss.SoftmaxCrossEntropyLoss(), []
    for step in range(steps):
        label = nd.array((np.arange(8) + step) % 3)
        with autograd.record():
            features = body(draw())
            scale = scales.data()
            one = heads[0](features).square().mean() * nd.exp(-scale[0])
            two = entropy(heads[1](features), label).mean() * nd.exp(-scale[1])
            loss = one + two + scale.sum()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(body, *heads) + [scales.data().asnumpy()]


@program
def variational(options: Options, steps: int) -> list[np.ndarray]:
    """An encoder of mean and variance, noise from outside, a decoder, and two trainers."""
    encoder = make(nn.Dense(6, activation="tanh"), nn.Dense(4), options=options)
    decoder = make(nn.Dense(6, activation="tanh"), nn.Dense(6), options=options)
    trainers, seen = [trainer_of(encoder, optimizer="adam"), trainer_of(decoder)], []
    for _ in range(steps):
        data, noise = draw(), nd.array(np.random.normal(size=(8, 2)))
        with autograd.record():
            mean, logarithm = nd.split(encoder(data), 2, axis=1)
            latent = mean + nd.exp(0.5 * logarithm) * noise
            found = (decoder(latent) - data).square().sum(axis=1)
            loss = found - 0.5 * (1 + logarithm - mean.square() - logarithm.exp()).sum(axis=1)
        loss.backward()
        for trainer in trainers:
            trainer.step(8)
        seen.append(loss.asnumpy())
    return seen + values_of(encoder, decoder)


@program
def contrast_with_a_queue(options: Options, steps: int) -> list[np.ndarray]:
    """Compares two views of a batch with the last results, which it keeps."""
    net = make(nn.Dense(6, activation="relu"), nn.Dense(3), options=options)
    trainer, queue, seen = trainer_of(net), [], []
    for _ in range(steps):
        data = draw(4)
        with autograd.record():
            one = nd.L2Normalization(net(data + 0.1))
            two = nd.L2Normalization(net(data * 1.1))
            close = (one * two).sum(axis=1, keepdims=True)
            others = nd.dot(one, nd.concat(*queue, dim=0), transpose_b=True) if queue else close
            scores = nd.concat(close, others, dim=1) / 0.5
            loss = -nd.log_softmax(scores)[:, 0].mean()
        loss.backward()
        trainer.step(1)
        queue = [*queue, two.detach()][-3:]
        seen.append(loss.asnumpy())
    return seen + values_of(net) + [item.asnumpy() for item in queue]


@program
def learns_from_its_own_predictions(options: Options, steps: int) -> list[np.ndarray]:
    """Labels data by a prediction, and learns only what it is sure of."""
    net = make(nn.Dense(8, activation="relu"), nn.Dropout(0.0), nn.Dense(3), options=options)
    trainer, entropy = trainer_of(net), gluon.loss.SoftmaxCrossEntropyLoss()
    if options is not None:
        entropy.hybridize(**options)
    seen: list[np.ndarray] = []
    for _ in range(steps):
        data = draw()
        chances = nd.softmax(net(data))
        label, sure = chances.argmax(axis=1), chances.max(axis=1) > 0.34
        with autograd.record():
            loss = entropy(net(data + 0.01), label, sure.expand_dims(1))
        loss.backward()
        trainer.step(max(int(sure.sum().asscalar()), 1))
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def inner_steps(options: Options, steps: int) -> list[np.ndarray]:
    """Adapts a network by hand for a task, then moves its start towards what came out."""
    net = make(nn.Dense(6, activation="tanh"), nn.Dense(1), options=options, ready=True)
    parameters, seen = [*net.collect_params().values()], []
    for _ in range(steps // 2):
        start = [p.data().copy() for p in parameters]
        factor = float(np.random.uniform(0.5, 2))
        for _ in range(2):
            data = draw()
            with autograd.record():
                loss = (net(data) - factor * data.sum(axis=1, keepdims=True)).square().mean()
            loss.backward()
            for p in parameters:
                p.data()[:] = p.data() - 0.01 * p.grad()
        for p, before in zip(parameters, start, strict=True):
            p.set_data(before + 0.5 * (p.data() - before))
        seen.append(loss.asnumpy())
    return seen + values_of(net)


@program
def early_exit(options: Options, steps: int) -> list[np.ndarray]:
    """Runs as many blocks as the data need, which are called several times each."""
    block = make(nn.Dense(6, activation="tanh"), options=options)
    halt, head = make(nn.Dense(1), options=options), make(nn.Dense(2), options=options)
    trainer, seen = trainer_of(block, halt, head), []
    head(draw()), halt(draw())
    for _ in range(steps):
        with autograd.record():
            x, cost, turns = draw(4), 0, 0
            while turns < 4:
                x = block(x)
                chance = nd.sigmoid(halt(x)).mean()
                cost, turns = cost + chance, turns + 1
                if chance.asscalar() > 0.5:
                    break
            loss = head(x).square().mean() + 0.1 * cost
        loss.backward()
        trainer.step(1)
        seen += [loss.asnumpy(), np.array(turns)]
    return seen + values_of(block, halt, head)


@program
def cycle_of_generators(options: Options, steps: int) -> list[np.ndarray]:
    """Two generators and two critics; generators are called on each other's results."""
    there, back = (make(nn.Dense(6), nn.BatchNorm(), options=options) for _ in range(2))
    critics = [make(*critic_layers(), options=options) for _ in range(2)]
    for net in (there, back, *critics):
        net(draw())
    makes, tells = trainer_of(there, back, optimizer="adam"), trainer_of(*critics)
    seen: list[np.ndarray] = []
    for _ in range(steps):
        one, two = draw(4), draw(4)
        with autograd.record():
            false_two, false_one = there(one), back(two)
            cycle = (back(false_two) - one).abs().mean() + (there(false_one) - two).abs().mean()
            fooled = (critics[0](false_one) - 1).square() + (critics[1](false_two) - 1).square()
            loss = cycle + fooled.mean()
        loss.backward()
        makes.step(1)
        kept = [false_one.detach(), false_two.detach()]
        with autograd.record():
            told = [
                (critic(real) - 1).square().mean() + critic(false).square().mean()
                for critic, real, false in zip(critics, (one, two), kept, strict=True)
            ]
        autograd.backward(told)
        tells.step(1)
        seen += [loss.asnumpy(), *(item.asnumpy() for item in told)]
    return seen + values_of(there, back, *critics)


@program
def saved_and_loaded(options: Options, steps: int) -> list[np.ndarray]:
    """Goes back to the best parameters and states, with another rate, when it gets worse."""
    net = make(*critic_layers(), options=options, ready=True)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.05})
    best, kept, seen = float("inf"), None, []
    for step in range(steps):
        with autograd.record():
            loss = (net(draw()) - 1).square().mean()
        loss.backward()
        trainer.step(1)
        checked = float((net(draw()) - 1).square().mean().asscalar())
        if checked < best:
            best, kept = checked, {k: p.data().copy() for k, p in net.collect_params().items()}
        elif step % 7 == 6 and kept is not None:
            trainer.set_learning_rate(trainer.learning_rate * 0.9)
            for name, parameter in net.collect_params().items():
                parameter.data()[:] = kept[name]
        seen += [loss.asnumpy(), np.array(checked)]
    return seen + values_of(net)


@program
def several_outputs_some_unused(options: Options, steps: int) -> list[np.ndarray]:
    """A block of three outputs, of which each step uses others, and keeps one."""

    class Three(gluon.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            with self.name_scope():
                self.body = nn.Dense(6, activation="relu", in_units=6)
                self.heads = [nn.Dense(2, in_units=6) for _ in range(2)]
                for head in self.heads:
                    self.register_child(head)

        def hybrid_forward(self, F, x):
            features = F.identity(self.body(x))
            return features, self.heads[0](features), [self.heads[1](features)]

    net = Three()
    net.initialize(mx.init.Xavier())
    if options is not None:
        net.hybridize(**options)
    trainer, kept, seen = trainer_of(net), [], []
    for step in range(steps):
        with autograd.record():
            features, one, (two,) = net(draw())
            loss = (one if step % 2 else two).square().mean()
            if step % 3 == 0:
                loss = loss + 0.1 * features.mean()
        loss.backward()
        trainer.step(1, ignore_stale_grad=True)
        kept = [*kept, features][-2:]
        seen.append(loss.asnumpy())
    return seen + values_of(net) + [item.asnumpy() for item in kept]


@program
def with_numpy_arrays(options: Options, steps: int) -> list[np.ndarray]:
    """The other dialect, with a loss written by hand and a rate that falls."""
    with mx.util.np_shape(True), mx.util.np_array(True):
        net = nn.HybridSequential()
        net.add(nn.Dense(6, activation="relu"), nn.LayerNorm(), nn.Dense(3))
        net.initialize(mx.init.Xavier())
        net(mx.np.zeros((2, 6)))
        if options is not None:
            net.hybridize(**options)
        schedule = mx.lr_scheduler.FactorScheduler(10, 0.5, base_lr=0.1)
        trainer = gluon.Trainer(
            net.collect_params(), "sgd", {"lr_scheduler": schedule, "momentum": 0.5}
        )
        seen = []
        for step in range(steps):
            data = mx.np.array(np.random.normal(size=(4, 6)), dtype="float32")
            label = mx.np.array((np.arange(4) + step) % 3)
            with autograd.record():
                chances = mx.npx.log_softmax(net(data))
                loss = -mx.npx.pick(chances, label).mean()
            loss.backward()
            trainer.step(1)
            seen.append(loss.asnumpy())
        return seen + values_of(net)


@penalty
def critics_with_slopes(options: Options, steps: int) -> list[np.ndarray]:
    """A critic whose slope between real data and samples is held near one, and a generator."""
    generator = make(nn.Dense(6, activation="tanh"), nn.Dense(6), options=options)
    critic = make(nn.Dense(8, activation="tanh"), nn.Dense(1), options=options)
    makes, tells = trainer_of(generator, optimizer="adam"), trainer_of(critic, optimizer="adam")
    seen: list[np.ndarray] = []
    for step in range(steps):
        real, noise = draw(4), draw(4)
        false = generator(noise)
        share = nd.array(np.random.uniform(size=(4, 1)))
        between = share * real + (1 - share) * false
        between.attach_grad()
        with autograd.record():
            told = critic(false).mean() - critic(real).mean()
            slope = autograd.grad(critic(between).sum(), between, create_graph=True)[0]
            loss = told + 10 * ((slope.square().sum(axis=1) + 1e-9).sqrt() - 1).square().mean()
        loss.backward()
        tells.step(1)
        if step % 2:
            with autograd.record():
                fooled = -critic(generator(noise)).mean()
            fooled.backward()
            makes.step(1)
            seen.append(fooled.asnumpy())
        seen += [loss.asnumpy(), slope.asnumpy()]
    return seen + values_of(generator, critic)


@penalty
def slopes_of_inputs_of_two_networks(options: Options, steps: int) -> list[np.ndarray]:
    """Holds the slope of one network, every other step, through another one."""
    body = make(nn.Dense(6, activation="tanh"), options=options)
    head = make(nn.Dense(1), options=options)
    trainer, seen = trainer_of(body, head), []
    for step in range(steps):
        data = draw(4)
        data.attach_grad()
        with autograd.record():
            value = head(body(data))
            loss = (value - data.sum(axis=1, keepdims=True)).square().mean()
            if step % 2:
                slope = autograd.grad(value, data, create_graph=True, retain_graph=True)[0]
                loss = loss + 0.1 * slope.square().sum(axis=1).mean()
        loss.backward()
        trainer.step(1)
        seen.append(loss.asnumpy())
    return seen + values_of(body, head)

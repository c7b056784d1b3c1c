"""Networks of the table that make or compare: adversaries, autoencoders, flows, triplets."""

from __future__ import annotations

import math
from typing import Any

import torch
import torch.nn.functional as TF
from network_pairs import Problem, Side, Stage, gluon_chain, normal, pair, uniform
from torch import Tensor

from mxnet import gluon
from mxnet.gluon import nn

tnn = torch.nn


class _GluonAdversaries(gluon.HybridBlock):
    """Generator and critic of images of 32x32; it predicts an image."""

    def __init__(self, width: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.generator, self.critic = nn.HybridSequential(), nn.HybridSequential()
        self.generator.add(nn.Conv2DTranspose(4 * width, 4, 1, 0, use_bias=False))
        for channels in (2 * width, width):
            self.generator.add(nn.BatchNorm(), nn.Activation("relu"))
            self.generator.add(nn.Conv2DTranspose(channels, 4, 2, 1, use_bias=False))
        self.generator.add(nn.BatchNorm(), nn.Activation("relu"))
        self.generator.add(nn.Conv2DTranspose(3, 4, 2, 1, use_bias=False), nn.Activation("tanh"))
        self.critic.add(nn.Conv2D(width, 4, 2, 1, use_bias=False), nn.LeakyReLU(0.2))
        for channels in (2 * width, 4 * width):
            self.critic.add(nn.Conv2D(channels, 4, 2, 1, use_bias=False), nn.BatchNorm())
            self.critic.add(nn.LeakyReLU(0.2))
        self.critic.add(nn.Conv2D(1, 4, 1, 0, use_bias=False), nn.Flatten())

    def hybrid_forward(self, F: Any, noise: Any) -> Any:  # noqa: ARG002 - the interface
        """Returns images."""
        return self.generator(noise)


class _TorchAdversaries(tnn.Module):
    """As `_GluonAdversaries`."""

    def __init__(self, width: int, noise: int) -> None:
        super().__init__()
        up: list[tnn.Module] = [tnn.ConvTranspose2d(noise, 4 * width, 4, 1, 0, bias=False)]
        for inputs, outputs in ((4 * width, 2 * width), (2 * width, width), (width, 3)):
            up += [tnn.BatchNorm2d(inputs), tnn.ReLU()]
            up.append(tnn.ConvTranspose2d(inputs, outputs, 4, 2, 1, bias=False))
        down: list[tnn.Module] = [tnn.Conv2d(3, width, 4, 2, 1, bias=False), tnn.LeakyReLU(0.2)]
        for inputs, outputs in ((width, 2 * width), (2 * width, 4 * width)):
            down += [tnn.Conv2d(inputs, outputs, 4, 2, 1, bias=False), tnn.BatchNorm2d(outputs)]
            down.append(tnn.LeakyReLU(0.2))
        down += [tnn.Conv2d(4 * width, 1, 4, 1, 0, bias=False), tnn.Flatten()]
        self.generator, self.critic = tnn.Sequential(*up, tnn.Tanh()), tnn.Sequential(*down)

    def forward(self, noise: Tensor) -> Tensor:
        return self.generator(noise)


class _GluonCriticLoss(gluon.HybridBlock):
    """Of a critic that is called twice."""

    def __init__(self, nets: _GluonAdversaries, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.nets, self.loss = nets, gluon.loss.SigmoidBinaryCrossEntropyLoss()

    def hybrid_forward(self, F: Any, noise: Any, real: Any) -> Any:
        """Returns how badly real and made images are told apart."""
        true = self.nets.critic(real)
        made = self.nets.critic(F.stop_gradient(self.nets.generator(noise)))
        return (self.loss(true, F.ones_like(true)) + self.loss(made, F.zeros_like(made))).mean()


class _GluonGeneratorLoss(gluon.HybridBlock):
    """Of a generator, by its critic."""

    def __init__(self, nets: _GluonAdversaries, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.nets, self.loss = nets, gluon.loss.SigmoidBinaryCrossEntropyLoss()

    def hybrid_forward(self, F: Any, noise: Any, real: Any) -> Any:  # noqa: ARG002 - as the critic
        """Returns how well the critic tells what is made."""
        made = self.nets.critic(self.nets.generator(noise))
        return self.loss(made, F.ones_like(made)).mean()


def dcgan(batch: int, width: int, noise: int = 32) -> Problem:
    """Two networks and two updates; the critic is called twice before its backward pass."""

    def ours() -> Side:
        nets = _GluonAdversaries(width)
        stages = [
            (_GluonCriticLoss(nets), nets.critic),
            (_GluonGeneratorLoss(nets), nets.generator),
        ]
        return Side(nets, [Stage(*stage) for stage in stages])

    def theirs() -> Side:
        nets, cross = _TorchAdversaries(width, noise), TF.binary_cross_entropy_with_logits

        def critic_loss(noise: Tensor, real: Tensor) -> Tensor:
            true, made = nets.critic(real), nets.critic(nets.generator(noise).detach())
            return cross(true, torch.ones_like(true)) + cross(made, torch.zeros_like(made))

        def generator_loss(noise: Tensor, real: Tensor) -> Tensor:  # noqa: ARG001 - as the critic
            made = nets.critic(nets.generator(noise))
            return cross(made, torch.ones_like(made))

        stages = [Stage(critic_loss, nets.critic), Stage(generator_loss, nets.generator)]
        return Side(nets, stages)

    return Problem([normal(batch, noise, 1, 1)], [normal(batch, 3, 32, 32)], ours, theirs)


class _Three(gluon.HybridBlock):
    """Calls a network on three batches."""

    def __init__(self, net: Any, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.net = net

    def hybrid_forward(self, F: Any, *args: Any) -> Any:  # noqa: ARG002 - the interface
        """Returns three results."""
        return tuple([self.net(item) for item in args])


class _TorchThree(tnn.Module):
    """As `_Three`."""

    def __init__(self, net: tnn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, *args: Tensor) -> tuple[Tensor, ...]:
        return tuple(map(self.net, args))


def triplet(batch: int, width: int) -> Problem:
    """One network on three batches before one backward pass."""

    def ours() -> Any:
        net = nn.HybridSequential()
        for channels in (width, 2 * width, 4 * width):
            net.add(nn.Conv2D(channels, 3, 2, 1, use_bias=False), nn.BatchNorm())
            net.add(nn.Activation("relu"))
        net.add(nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(32))
        return _Three(net)

    def theirs() -> Any:
        layers: list[tnn.Module] = []
        for inputs, outputs in ((3, width), (width, 2 * width), (2 * width, 4 * width)):
            layers += [tnn.Conv2d(inputs, outputs, 3, 2, 1, bias=False), tnn.BatchNorm2d(outputs)]
            layers.append(tnn.ReLU())
        layers += [tnn.AdaptiveAvgPool2d(1), tnn.Flatten(), tnn.Linear(4 * width, 32)]
        return _TorchThree(tnn.Sequential(*layers))

    def loss(one: Tensor, same: Tensor, other: Tensor) -> Tensor:
        return TF.relu(((same - one) ** 2 - (other - one) ** 2).sum(1) + 1)

    data = [normal(batch, 3, 32, 32) for _ in range(3)]
    return pair(data, [], (ours, theirs), (gluon.loss.TripletLoss, loss))


class _TorchGroups(tnn.Module):
    """Group normalization with a scale for each group, as Gluon has it."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self._groups = groups
        self.weight, self.bias = [tnn.Parameter(torch.ones(groups)) for _ in range(2)]

    def forward(self, x: Tensor) -> Tensor:
        count = x.shape[1] // self._groups
        weight, bias = [item.repeat_interleave(count) for item in (self.weight, self.bias)]
        return TF.group_norm(x, self._groups, weight, bias)


def style(batch: int, side: int, width: int) -> Problem:
    """Instance normalization, PReLU and upsampling, as networks for pictures have them."""

    def ours() -> Any:
        net = gluon_chain(nn.Conv2D(width, 3, padding=1), nn.InstanceNorm(), nn.PReLU())
        net.add(nn.Conv2D(2 * width, 3, 2, 1), nn.InstanceNorm(), nn.PReLU())
        net.add(nn.Conv2D(2 * width, 3, padding=1), nn.GroupNorm(4), nn.PReLU())
        net.add(nn.HybridLambda(lambda F, x: F.UpSampling(x, scale=2, sample_type="nearest")))
        net.add(nn.Conv2D(width, 3, padding=1), nn.InstanceNorm(), nn.PReLU())
        net.add(nn.Conv2D(3, 3, padding=1))
        return net

    def theirs() -> Any:
        def norm(channels: int) -> tuple[tnn.Module, tnn.Module]:
            return tnn.InstanceNorm2d(channels, affine=True), tnn.PReLU(init=0.25)

        layers = [tnn.Conv2d(3, width, 3, padding=1), *norm(width)]
        layers += [tnn.Conv2d(width, 2 * width, 3, 2, 1), *norm(2 * width)]
        layers += [tnn.Conv2d(2 * width, 2 * width, 3, padding=1)]
        layers += [_TorchGroups(4), tnn.PReLU(init=0.25)]
        layers += [tnn.Upsample(scale_factor=2), tnn.Conv2d(2 * width, width, 3, padding=1)]
        return tnn.Sequential(*layers, *norm(width), tnn.Conv2d(width, 3, 3, padding=1))

    data = normal(batch, 3, side, side)
    losses = (gluon.loss.L1Loss, TF.l1_loss)
    return pair([data], [normal(batch, 3, side, side)], (ours, theirs), losses)


class _GluonVariational(gluon.HybridBlock):
    """An autoencoder whose code is drawn; noise is an input, so that results can be compared."""

    def __init__(self, inputs: int, hidden: int, code: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.encoder = gluon_chain(nn.Dense(hidden, activation="relu"), nn.Dense(2 * code))
        self.decoder = gluon_chain(nn.Dense(hidden, activation="relu"), nn.Dense(inputs))

    def hybrid_forward(self, F: Any, x: Any, noise: Any) -> Any:
        """Returns logits of the pixels, and mean and logarithm of the variance of the code."""
        mean, variance = F.split(self.encoder(x), num_outputs=2, axis=1)
        return self.decoder(mean + F.exp(0.5 * variance) * noise), mean, variance


class _TorchVariational(tnn.Module):
    """As `_GluonVariational`."""

    def __init__(self, inputs: int, hidden: int, code: int) -> None:
        super().__init__()
        first, last = tnn.Linear(inputs, hidden), tnn.Linear(hidden, 2 * code)
        self.encoder = tnn.Sequential(first, tnn.ReLU(), last)
        first, last = tnn.Linear(code, hidden), tnn.Linear(hidden, inputs)
        self.decoder = tnn.Sequential(first, tnn.ReLU(), last)

    def forward(self, x: Tensor, noise: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        mean, variance = self.encoder(x).chunk(2, 1)
        return self.decoder(mean + torch.exp(0.5 * variance) * noise), mean, variance


def autoencoder(batch: int, hidden: int, inputs: int = 784, code: int = 16) -> Problem:
    """A variational autoencoder of digits."""

    def ours(F: Any, logits: Any, mean: Any, variance: Any, x: Any) -> Any:
        cross = F.relu(logits) - logits * x + F.Activation(-F.abs(logits), act_type="softrelu")
        distance = 0.5 * F.sum(F.square(mean) + F.exp(variance) - 1 - variance, axis=1)
        return F.sum(cross, axis=1) + distance

    def theirs(logits: Tensor, mean: Tensor, variance: Tensor, x: Tensor) -> Tensor:
        cross = TF.binary_cross_entropy_with_logits(logits, x, reduction="none")
        distance = 0.5 * (mean.square() + variance.exp() - 1 - variance).sum(1)
        return cross.sum(1) + distance

    sizes = (inputs, hidden, code)
    data, noise = uniform(batch, inputs), normal(batch, code)
    nets = (lambda: _GluonVariational(*sizes), lambda: _TorchVariational(*sizes))
    return pair([data, noise], [data], nets, (ours, theirs))


class _GluonFlow(gluon.HybridBlock):
    """Couplings that scale and shift one half of the numbers by functions of the other."""

    def __init__(self, size: int, hidden: int, count: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.couplings = nn.HybridSequential()
        for _ in range(count):
            self.couplings.add(gluon_chain(nn.Dense(hidden, activation="tanh"), nn.Dense(size)))

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Returns the logarithm of the density of each row."""
        first, second = F.split(x, num_outputs=2, axis=1)
        total = 0
        for coupling in self.couplings:
            scale, shift = F.split(coupling(first), num_outputs=2, axis=1)
            scale = F.tanh(scale)
            first, second = second * F.exp(scale) + shift, first
            total = total + F.sum(scale, axis=1)
        normal = F.square(F.concat(first, second, dim=1)) + math.log(2 * math.pi)
        return total - 0.5 * F.sum(normal, axis=1)


class _TorchFlow(tnn.Module):
    """As `_GluonFlow`."""

    def __init__(self, size: int, hidden: int, count: int) -> None:
        super().__init__()
        self.couplings = tnn.ModuleList()
        for _ in range(count):
            first, last = tnn.Linear(size // 2, hidden), tnn.Linear(hidden, size)
            self.couplings.append(tnn.Sequential(first, tnn.Tanh(), last))

    def forward(self, x: Tensor) -> Tensor:
        first, second = x.chunk(2, 1)
        total = torch.zeros(())
        for coupling in self.couplings:
            scale, shift = coupling(first).chunk(2, 1)
            scale = scale.tanh()
            first, second = second * scale.exp() + shift, first
            total = total + scale.sum(1)
        normal = torch.cat((first, second), 1).square() + math.log(2 * math.pi)
        return total - 0.5 * normal.sum(1)


def flow(batch: int, size: int, hidden: int, count: int = 6) -> Problem:
    """A normalizing flow of affine couplings, fitted by its likelihood."""
    sizes = (size, hidden, count)
    nets = (lambda: _GluonFlow(*sizes), lambda: _TorchFlow(*sizes))
    losses = (lambda F, density: -density, lambda density: -density)  # noqa: ARG005 - a loss
    return pair([normal(batch, size)], [], nets, losses)

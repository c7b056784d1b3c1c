"""Programs with `gluon.probability`, in the style of MXNet 2, which run there and here.

Noise is an input, from which quantiles of the distributions are drawn, so that both get the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as onp

from mxnet import autograd, gluon, np
from mxnet.gluon import nn
from mxnet.gluon import probability as mgp

from .mxnet2_probability_cases import numbers

STEPS = 8
BATCH = 16


class Autoencoder(mgp.StochasticBlock):
    """A variational autoencoder of vectors of zeros and ones; returns their log-likelihood."""

    def __init__(self, outputs: int, hidden: int = 8, latent: int = 2) -> None:
        super().__init__()
        self.encoder = nn.HybridSequential()
        self.encoder.add(nn.Dense(hidden, activation="tanh", in_units=outputs))
        self.encoder.add(nn.Dense(2 * latent, in_units=hidden))
        self.decoder = nn.HybridSequential()
        self.decoder.add(nn.Dense(hidden, activation="tanh", in_units=latent))
        self.decoder.add(nn.Dense(outputs, in_units=hidden))

    @mgp.StochasticBlock.collectLoss
    def forward(self, x: Any, noise: Any) -> Any:
        loc, log_scale = np.split(self.encoder(x), 2, axis=1)
        posterior = mgp.Normal(loc, np.exp(log_scale))
        prior = mgp.Normal(np.zeros_like(loc), np.ones_like(loc))
        self.add_loss(mgp.kl_divergence(posterior, prior).sum(-1))
        latent = posterior.icdf(noise)
        likelihood = mgp.Independent(mgp.Bernoulli(logit=self.decoder(latent)), 1)
        return likelihood.log_prob(x)


class Coupling(mgp.TransformBlock):
    """A layer of a flow: a network of one half of a vector stretches and moves the other half."""

    bijective = True
    event_dim = 1

    def __init__(self, half: int, hidden: int = 6) -> None:
        super().__init__()
        self.net = nn.HybridSequential()
        self.net.add(nn.Dense(hidden, activation="tanh", in_units=half))
        self.net.add(nn.Dense(2 * half, in_units=hidden))

    def _forward_compute(self, x: Any) -> Any:
        kept, moved = np.split(x, 2, axis=-1)
        stretch, offset = np.split(self.net(kept), 2, axis=-1)
        return np.concatenate([moved * np.exp(stretch) + offset, kept], axis=-1)

    def _inverse_compute(self, y: Any) -> Any:
        moved, kept = np.split(y, 2, axis=-1)
        stretch, offset = np.split(self.net(kept), 2, axis=-1)
        return np.concatenate([kept, (moved - offset) * np.exp(-stretch)], axis=-1)

    def log_det_jacobian(self, x: Any, y: Any) -> Any:
        del y
        kept, _ = np.split(x, 2, axis=-1)
        stretch, _ = np.split(self.net(kept), 2, axis=-1)
        return stretch.sum(-1)


class Flow(nn.HybridBlock):
    """A normalizing flow of vectors; returns their log-likelihood."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.first, self.second = Coupling(size // 2), Coupling(size // 2)
        self.size = size

    def forward(self, x: Any) -> Any:
        base = mgp.MultivariateNormal(np.zeros(self.size), scale_tril=np.eye(self.size))
        affine = mgp.AffineTransform(0.1, 1.5, event_dim=1)
        return mgp.TransformedDistribution(base, [self.first, affine, self.second]).log_prob(x)


class Mixture(nn.HybridBlock):
    """A mixture of experts: categories from a network, and a gamma distribution of each."""

    def __init__(self, experts: int, inputs: int) -> None:
        super().__init__()
        self.gate = nn.Dense(experts, in_units=inputs)
        self.shape = nn.Dense(experts, in_units=inputs)
        self.scale = nn.Dense(experts, in_units=inputs)
        self.experts = experts

    def forward(self, x: Any, y: Any) -> Any:
        gate = mgp.Categorical(self.experts, prob=mgp.logit2prob(self.gate(x), False))
        to_positive = mgp.biject_to(mgp.constraint.Positive())
        gamma = mgp.Gamma(to_positive(self.shape(x)), to_positive(self.scale(x)))
        return np.log((gate.prob * gamma.pdf(np.expand_dims(y, -1))).sum(-1))


def _autoencoder() -> tuple[Any, list[onp.ndarray]]:
    data = onp.round(numbers("pixels", (BATCH, 6), 0, 1))
    return Autoencoder(6), [data, numbers("noise", (BATCH, 2), 0.05, 0.95)]


def _flow() -> tuple[Any, list[onp.ndarray]]:
    return Flow(4), [numbers("points", (BATCH, 4), -1, 1)]


def _mixture() -> tuple[Any, list[onp.ndarray]]:
    return Mixture(3, 4), [numbers("x", (BATCH, 4), -1, 1), numbers("y", (BATCH,), 0.2, 3)]


PROGRAMS: dict[str, Callable[[], tuple[Any, list[onp.ndarray]]]] = {
    "autoencoder": _autoencoder,
    "flow": _flow,
    "mixture": _mixture,
}


def run(name: str, hybridize: bool) -> Iterator[tuple[str, onp.ndarray]]:
    """Yields the losses of the steps of a training, and the parameters at its end."""
    net, arrays = PROGRAMS[name]()
    net.initialize()
    parameters = list(net.collect_params().values())
    for place, parameter in enumerate(parameters):
        parameter.set_data(np.array(numbers(f"{name} {place}", parameter.shape, -0.5, 0.5)))
    if hybridize:
        net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    inputs = [np.array(item.astype("float32")) for item in arrays]
    losses = []
    for _ in range(STEPS):
        with autograd.record():
            loss = -net(*inputs)
            for collected in getattr(net, "losses", []):
                loss = loss + collected
            mean = loss.mean()
        mean.backward()
        trainer.step(1)
        losses.append(float(mean))
    yield "/losses", onp.array(losses)
    for place, parameter in enumerate(parameters):
        yield f"/{place}", parameter.data().asnumpy()

"""Probability densities, a row of a table for each, and the likelihood of a point process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import pi, sqrt
from typing import TypeAlias

import torch
from torch import Tensor

from mxnet.errors import MXNetError
from mxnet.ops.core.attrs import Attr, Shape, codec_for
from mxnet.ops.core.registry import Input, Kernel, Op, example, op, register
from mxnet.ops.core.traits import Labels, Shapes, Traits
from mxnet.ops.nn.layouts import require_shape
from mxnet.ops.rules import shape_rules

LogDensity: TypeAlias = Callable[..., Tensor]
"""Logarithm of a density, a function of the sample and of parameters that broadcast to it."""


def _uniform(sample: Tensor, low: Tensor, high: Tensor) -> Tensor:
    # Like the original, it does not look whether the sample lies in the range.
    return torch.zeros_like(sample) - (high - low).log()


def _normal(sample: Tensor, mu: Tensor, sigma: Tensor) -> Tensor:
    return -((sample - mu) / sigma).square() / 2 - (sigma * sqrt(2 * pi)).log()


def _gamma(sample: Tensor, alpha: Tensor, beta: Tensor) -> Tensor:
    return alpha * beta.log() + (alpha - 1) * sample.log() - beta * sample - alpha.lgamma()


def _exponential(sample: Tensor, lam: Tensor) -> Tensor:
    return lam.log() - lam * sample


def _poisson(sample: Tensor, lam: Tensor) -> Tensor:
    sample = sample.detach()
    return sample * lam.log() - lam - (sample + 1).lgamma()


def _negative_binomial(sample: Tensor, k: Tensor, p: Tensor) -> Tensor:
    sample = sample.detach()
    ways = (sample + k).lgamma() - (sample + 1).lgamma() - k.lgamma()
    return ways + k * p.log() + sample * (1 - p).log()


def _generalized_negative_binomial(sample: Tensor, mu: Tensor, alpha: Tensor) -> Tensor:
    return _negative_binomial(sample, 1 / alpha, 1 / (mu * alpha + 1))


def _dirichlet(sample: Tensor, alpha: Tensor) -> Tensor:
    scale = alpha.sum(-1).lgamma() - alpha.lgamma().sum(-1)
    return ((alpha - 1) * sample.log()).sum(-1) + scale


def _align(op_name: str, sample: Tensor, parameter: Tensor, event: int) -> Tensor:
    """Inserts axes of length one for the axes of draws, before those of an event."""
    rank = parameter.ndim - event
    batch, last = parameter.shape[:rank], parameter.shape[rank:]
    draws = sample.ndim - event - rank
    if draws < 0 or sample.shape[:rank] != batch or sample.shape[sample.ndim - event :] != last:
        raise MXNetError(
            f"{op_name}: expected parameters whose shape begins that of the sample "
            f"{tuple(sample.shape)}, got {tuple(parameter.shape)}"
        )
    return parameter.reshape(*batch, *(1,) * draws, *last)


def _density(op_name: str, log_density: LogDensity, event: int) -> Kernel:
    def kernel(sample: Tensor, *parameters: Tensor, is_log: bool = False) -> Tensor:
        if not sample.is_floating_point():
            raise MXNetError(f"{op_name}: expected a floating point sample, got {sample.dtype}")
        if any(parameter.shape != parameters[0].shape for parameter in parameters):
            shapes = [tuple(parameter.shape) for parameter in parameters]
            raise MXNetError(f"{op_name}: expected parameters of one shape, got {shapes}")
        wide = torch.promote_types(sample.dtype, torch.float32)
        aligned = [_align(op_name, sample, p, event).to(wide) for p in parameters]
        result = log_density(sample.to(wide), *aligned)
        return (result if is_log else result.exp()).to(sample.dtype)

    return kernel


_OF_NUMBERS = Shapes(inputs=shape_rules.density)
_OF_VECTORS = Shapes(inputs=shape_rules.density_of_vectors)


def _declare(
    distribution: str,
    log_density: LogDensity,
    parameters: Mapping[str, str],
    sample: str,
    results: str,
    event: int = 0,
) -> None:
    """Declares the density of a distribution.

    Args:
        distribution: Its name, as part of the operator's.
        log_density: The logarithm of the density.
        parameters: Names of its parameters, with a list of values for the example.
        sample: The samples in the example, a list of a list for each distribution.
        results: What the example prints.
        event: Number of axes of one sample.
    """
    name = f"_random_pdf_{distribution}"
    title = {"poisson": "Poisson", "dirichlet": "Dirichlet"}.get(
        distribution, distribution.replace("_", " ")
    )
    register(
        Op(
            name=name,
            kernel=_density(name, log_density, event),
            inputs=tuple(Input(item) for item in ("sample", *parameters)),
            attrs={"is_log": Attr("is_log", codec_for(bool), False)},
            doc=(
                f"Returns the density of the {title} distribution at samples.\n\n"
                "Args:\n"
                "    sample: Samples, whose first axes are those of the parameters.\n"
                + "".join(f"    {item}: Parameter of each distribution.\n" for item in parameters)
                + "    is_log: Whether to give the logarithm of the density."
                + example(
                    f">>> sample = mx.nd.array({sample})",
                    *[f">>> {item} = mx.nd.array({value})" for item, value in parameters.items()],
                    f">>> density = mx.nd.{name[1:]}(sample, {', '.join(parameters)})",
                    ">>> print(density.asnumpy().round(3))",
                    results,
                )
            ),
            aliases=(name[1:],),
            traits=Traits(shapes=_OF_VECTORS if event else _OF_NUMBERS),
        )
    )


_declare("uniform", _uniform, {"low": "[0]", "high": "[4]"}, "[[1, 3]]", "[[0.25 0.25]]")
_declare("normal", _normal, {"mu": "[0]", "sigma": "[1]"}, "[[-1, 0, 1]]", "[[0.242 0.399 0.242]]")
_declare("gamma", _gamma, {"alpha": "[2]", "beta": "[1]"}, "[[1, 2]]", "[[0.368 0.271]]")
_declare("exponential", _exponential, {"lam": "[2]"}, "[[0, 1]]", "[[2.    0.271]]")
_declare("poisson", _poisson, {"lam": "[1]"}, "[[0, 1, 2]]", "[[0.368 0.368 0.184]]")
_declare(
    "negative_binomial",
    _negative_binomial,
    {"k": "[1]", "p": "[0.5]"},
    "[[0, 1, 2]]",
    "[[0.5   0.25  0.125]]",
)
_declare(
    "generalized_negative_binomial",
    _generalized_negative_binomial,
    {"mu": "[1]", "alpha": "[1]"},
    "[[0, 1, 2]]",
    "[[0.5   0.25  0.125]]",
)
_declare(
    "dirichlet", _dirichlet, {"alpha": "[[1, 1, 1]]"}, "[[[0.2, 0.3, 0.5]]]", "[[2.]]", event=1
)


_NAME = "_contrib_hawkesll"


def _fill(lda: Shape, **_: object) -> dict[str, Shape]:
    samples, num_marks = lda[0], lda[1]
    return {
        "alpha": (num_marks,),
        "beta": (num_marks,),
        "state": (samples, num_marks),
        "valid_length": (samples,),
        "max_time": (samples,),
    }


def _check(lda: Tensor, lags: Tensor, marks: Tensor, others: tuple[Tensor, ...]) -> None:
    if lda.ndim != 2 or lags.ndim != 2 or lda.shape[0] != lags.shape[0]:
        raise MXNetError(
            f"{_NAME}: `lda` (samples, marks) and `lags` (samples, events) expected, "
            f"got {tuple(lda.shape)} and {tuple(lags.shape)}"
        )
    shapes = {"marks": tuple(lags.shape), **_fill(tuple(lda.shape))}
    for (name, expected), array in zip(shapes.items(), (marks, *others), strict=True):
        require_shape(_NAME, name, array, expected)


@op(
    _NAME,
    num_outputs=2,
    any_dtype=("marks",),
    fill_shapes=_fill,
    traits=Traits(labels=Labels(outputs=("output", "out_state"))),
)
def hawkes_log_likelihood(
    lda: Tensor,
    alpha: Tensor,
    beta: Tensor,
    state: Tensor,
    lags: Tensor,
    marks: Tensor,
    valid_length: Tensor,
    max_time: Tensor,
) -> tuple[Tensor, Tensor]:
    """Computes the log-likelihood of marked Hawkes processes with exponential decay.

    An event makes others of its own mark more likely: the intensity of mark k is
    ``lda[k] + alpha[k] * beta[k] * sum(exp(-beta[k] * age))`` over the ages of its events.

    Args:
        lda: Background intensities of shape `(samples, marks)`.
        alpha: How many further events an event sets off on average, of shape `(marks,)`.
        beta: Rates of decay of shape `(marks,)`.
        state: Excitation at time 0, of shape `(samples, marks)`.
        lags: Times between events, of shape `(samples, events)`.
        marks: Marks of the events, integers of the shape of the lags.
        valid_length: Number of events of each sample.
        max_time: End of the time that was observed, for each sample.

    Returns:
        Log-likelihoods of shape `(samples,)`, and the excitation at the end, to go on with. Only
        the first is differentiable, and with respect to `lda`, `alpha` and `beta`.

    Example:
        >>> import mxnet as mx
        >>> rate, alpha, beta = mx.nd.ones((1, 1)), mx.nd.array([0.2]), mx.nd.array([1])
        >>> lags, marks = mx.nd.array([[1, 2]]), mx.nd.zeros((1, 2), dtype="int32")
        >>> state, length, end = mx.nd.zeros((1, 1)), mx.nd.array([2]), mx.nd.array([4])
        >>> parts = mx.nd.contrib.hawkesll(rate, alpha, beta, state, lags, marks, length, end)
        >>> print([part.shape for part in parts])
        [(1,), (1, 1)]
    """
    _check(lda, lags, marks, (alpha, beta, state, valid_length, max_time))
    if lda.is_meta:  # all events would be gone through for two shapes
        return lda.new_empty(len(lda)), torch.empty_like(state)
    numbers = torch.arange(lda.shape[1], device=lda.device)
    times, state = lags.detach().cumsum(1), state.detach()
    total = lda.new_zeros(len(lda))
    before = torch.zeros_like(state)
    for event in range(lags.shape[1]):
        now = times[:, event, None]
        here = marks[:, event, None].long() == numbers
        here = here & (valid_length[:, None] > event)
        decay = torch.exp(-beta * (now - before))
        intensity = lda + alpha * beta * state * decay
        expected = lda * (now - before) + alpha * state * (1 - decay)
        gain = torch.where(here, intensity, 1).log() - torch.where(here, expected, 0)
        total = total + gain.sum(1)
        state = torch.where(here, 1 + state * decay, state)
        before = torch.where(here, now, before)
    rest = max_time.detach()[:, None] - before
    decay = torch.exp(-beta * rest)
    total = total - (lda * rest + alpha * state * (1 - decay)).sum(1)
    return total, (state * decay).detach()

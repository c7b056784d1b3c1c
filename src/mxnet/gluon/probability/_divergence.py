"""KL divergences between distributions, by formulas for pairs of classes or from samples."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as onp

from mxnet.errors import UnsupportedTypeError
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._categories import Categorical, OneHotCategorical
from mxnet.gluon.probability._counts import Bernoulli, Binomial, Geometric, Poisson
from mxnet.gluon.probability._distribution import Distribution, ExponentialFamily
from mxnet.gluon.probability._location_scale import Cauchy, Gumbel, Laplace, Normal, Uniform
from mxnet.gluon.probability._multivariate import Dirichlet, Independent, MultivariateNormal
from mxnet.gluon.probability._positive import Beta, Exponential, Gamma
from mxnet.gluon.probability._transformed import HalfNormal, Pareto
from mxnet.gluon.probability._utils import Values, np, sum_right_most

Formula: TypeAlias = Callable[[Any, Any], Values]
"""Computes the divergence of the first distribution from the second."""

_ARGUMENTS = 2
_EULER = float(onp.euler_gamma)
_FORMULAS: dict[tuple[type, type], Formula] = {}


def register_kl(typeP: type, typeQ: type) -> Callable[[Formula], Formula]:
    """Registers a formula for the KL divergence of two classes; the last one that is given counts.

    Args:
        typeP: Class of the distribution that samples would come from.
        typeQ: Class of the one that it is compared with.

    Returns:
        A decorator of the formula, a function of both distributions.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> class Point(mgp.Distribution):
        ...     def __init__(self, place):
        ...         self.place = place
        ...         super().__init__(event_dim=0)
        >>> @mgp.register_kl(Point, mgp.Normal)
        ... def point_normal(p, q):
        ...     return -q.log_prob(p.place)
        >>> round(mgp.kl_divergence(Point(0.0), mgp.Normal(0.0, 1.0)), 4)
        0.9189
    """

    def decorate(function: Formula) -> Formula:
        count = len(inspect.signature(function).parameters)
        if count != _ARGUMENTS:
            raise UnsupportedTypeError(
                f"register_kl: expected a function of two distributions, got {count} parameters"
            )
        _FORMULAS[typeP, typeQ] = function
        return function

    return decorate


def kl_divergence(p: Distribution, q: Distribution) -> Values:
    """Returns the KL divergence of a distribution from another one.

    It is computed by the formula for the classes, or the nearest ones that they inherit from.

    Args:
        p: The distribution that samples would come from.
        q: The one that it is compared with.

    Raises:
        NotImplementedError: if there is no formula.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> print(mgp.kl_divergence(mgp.Normal(mx.np.zeros(2), 1.0), mgp.Normal(1.0, 1.0)))
        [0.5 0.5]
    """
    for kind_p in type(p).__mro__:
        for kind_q in type(q).__mro__:
            if (kind_p, kind_q) in _FORMULAS:
                return _FORMULAS[kind_p, kind_q](p, q)
    raise NotImplementedError(
        f"there is no formula for the KL divergence of {type(p).__name__} from {type(q).__name__}; "
        "empirical_kl(p, q, n_samples) estimates it, and register_kl adds a formula"
    )


def empirical_kl(p: Distribution, q: Distribution, n_samples: int = 1) -> Values:
    """Estimates the KL divergence of a distribution from another one by samples.

    Args:
        p: The distribution that samples come from.
        q: The one that it is compared with.
        n_samples: Number of samples.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> p, q = mgp.Exponential(1.0), mgp.Exponential(2.0)
        >>> abs(float(mgp.empirical_kl(p, q, 5000)) - float(mgp.kl_divergence(p, q))) < 0.1
        True
    """
    samples = p.sample_n(n_samples)
    return (p.log_prob(samples) - q.log_prob(samples)).mean(0)


@register_kl(ExponentialFamily, ExponentialFamily)
def _family(p: ExponentialFamily, q: ExponentialFamily) -> Values:
    """Returns the Bregman divergence of the logarithms that normalize, for one class."""
    if type(p) is not type(q):
        raise NotImplementedError(
            f"there is no formula for the KL divergence of {type(p).__name__} "
            f"from {type(q).__name__}"
        )
    normalizer, means = p._mean_statistics()
    other = q._natural_params
    pairs = zip(means, other, p._natural_params, strict=True)
    steps = sum(mean * (theirs - ours) for mean, theirs, ours in pairs)
    return q._log_normalizer(*other) - normalizer - steps


@register_kl(Normal, Normal)
def _normals(p: Normal, q: Normal) -> Values:
    ratio = p.scale / q.scale
    offset = (p.loc - q.loc) / q.scale
    return 0.5 * (ratio**2 + offset**2 - 1) - utils.log(ratio)


@register_kl(HalfNormal, HalfNormal)
def _half_normals(p: HalfNormal, q: HalfNormal) -> Values:
    ratio = p.scale / q.scale
    return 0.5 * (ratio**2 - 1) - utils.log(ratio)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normals(p: MultivariateNormal, q: MultivariateNormal) -> Values:
    to_noise = np.linalg.inv(q.scale_tril)
    offset = np.matmul(to_noise, np.expand_dims(p.loc - q.loc, -1))[..., 0]
    spread = np.matmul(to_noise, p.scale_tril)
    of_each = (spread**2).sum(-1) + offset**2 - 1
    return 0.5 * of_each.sum(-1) + q.log_diagonal() - p.log_diagonal()


@register_kl(Laplace, Laplace)
def _laplaces(p: Laplace, q: Laplace) -> Values:
    distance = utils.absolute(p.loc - q.loc)
    ratio = p.scale / q.scale
    near = ratio * utils.exp(-distance / p.scale)
    return near + distance / q.scale - utils.log(ratio) - 1


@register_kl(Cauchy, Cauchy)
def _cauchys(p: Cauchy, q: Cauchy) -> Values:
    square = (p.scale + q.scale) ** 2 + (p.loc - q.loc) ** 2
    return utils.log(square / (4 * p.scale * q.scale))


@register_kl(Gumbel, Gumbel)
def _gumbels(p: Gumbel, q: Gumbel) -> Values:
    ratio = p.scale / q.scale
    offset = (p.loc - q.loc) / q.scale
    tail = utils.exp(utils.log_gamma(1 + ratio) - offset)
    return offset - utils.log(ratio) + _EULER * (ratio - 1) + tail - 1


@register_kl(Uniform, Uniform)
def _uniforms(p: Uniform, q: Uniform) -> Values:
    is_outside = (p.low < q.low) | (p.high > q.high)
    ratio = (q.high - q.low) / (p.high - p.low)
    return np.where(is_outside, math.inf, utils.log(ratio))


@register_kl(Exponential, Exponential)
def _exponentials(p: Exponential, q: Exponential) -> Values:
    ratio = p.scale / q.scale
    return ratio - 1 - utils.log(ratio)


@register_kl(Gamma, Gamma)
def _gammas(p: Gamma, q: Gamma) -> Values:
    shapes = utils.log_gamma(q.shape) - utils.log_gamma(p.shape)
    ratio = p.scale / q.scale
    stretch = p.shape * (ratio - 1) - q.shape * utils.log(ratio)
    return shapes + (p.shape - q.shape) * utils.psi(p.shape) + stretch


@register_kl(Beta, Beta)
def _betas(p: Beta, q: Beta) -> Values:
    ours, theirs = (p.alpha, p.beta), (q.alpha, q.beta)
    normalizers = q._log_normalizer(*q._natural_params) - p._log_normalizer(*p._natural_params)
    total = sum(ours)
    parts = [(a - b) * utils.psi(a) for a, b in zip(ours, theirs, strict=True)]
    return normalizers + sum(parts) - (total - sum(theirs)) * utils.psi(total)


@register_kl(Dirichlet, Dirichlet)
def _dirichlets(p: Dirichlet, q: Dirichlet) -> Values:
    normalizers = q._log_normalizer(*q._natural_params) - p._log_normalizer(*p._natural_params)
    total = np.expand_dims(utils.psi(p.alpha.sum(-1)), -1)
    return normalizers + ((p.alpha - q.alpha) * (utils.psi(p.alpha) - total)).sum(-1)


@register_kl(Pareto, Pareto)
def _paretos(p: Pareto, q: Pareto) -> Values:
    ratio = q.alpha / p.alpha
    divergence = q.alpha * utils.log(p.scale / q.scale) - utils.log(ratio) + ratio - 1
    return np.where(p.scale < q.scale, math.nan, divergence)


@register_kl(Bernoulli, Bernoulli)
def _bernoullis(p: Bernoulli, q: Bernoulli) -> Values:
    both = utils.log(p.prob / q.prob), utils.log((1 - p.prob) / (1 - q.prob))
    return p.prob * both[0] + (1 - p.prob) * both[1]


@register_kl(Binomial, Binomial)
def _binomials(p: Binomial, q: Binomial) -> Values:
    of_one = p.prob * (p.logit - q.logit) + utils.log1p(-p.prob) - utils.log1p(-q.prob)
    return np.where(p.n > q.n, math.inf, p.n * of_one)


@register_kl(Geometric, Geometric)
def _geometrics(p: Geometric, q: Geometric) -> Values:
    return -p.entropy() - utils.log1p(-q.prob) / p.prob - q.logit


@register_kl(Poisson, Poisson)
def _poissons(p: Poisson, q: Poisson) -> Values:
    return p.rate * utils.log(p.rate / q.rate) - (p.rate - q.rate)


@register_kl(Categorical, Categorical)
@register_kl(OneHotCategorical, OneHotCategorical)
def _categoricals(p: Categorical | OneHotCategorical, q: Categorical | OneHotCategorical) -> Values:
    return (p.prob * (p.log_chances() - q.log_chances())).sum(-1)


@register_kl(Independent, Independent)
def _independents(p: Independent, q: Independent) -> Values:
    axes = p.reinterpreted_batch_ndims
    if axes != q.reinterpreted_batch_ndims:
        raise NotImplementedError("the variables have different numbers of axes")
    return sum_right_most(kl_divergence(p.base_dist, q.base_dist), axes)


@register_kl(Uniform, Normal)
def _uniform_normal(p: Uniform, q: Normal) -> Values:
    return -p.entropy() + _normal_cross_entropy(p, q)


@register_kl(Exponential, Normal)
def _exponential_normal(p: Exponential, q: Normal) -> Values:
    return -p.entropy() + _normal_cross_entropy(p, q)


def _normal_cross_entropy(p: Distribution, q: Normal) -> Values:
    """Returns the mean of `-q.log_prob(x)` for `x` from `p`, which follows from two moments."""
    square = p.variance + (p.mean - q.loc) ** 2
    return 0.5 * square / q.variance + utils.log(q.scale) + 0.5 * math.log(2 * math.pi)


@register_kl(Uniform, Gumbel)
def _uniform_gumbel(p: Uniform, q: Gumbel) -> Values:
    low, high = q._standardize(p.low), q._standardize(p.high)
    tail = (utils.exp(-low) - utils.exp(-high)) / (high - low)
    return tail + (low + high) / 2 - utils.log(high - low)


@register_kl(Exponential, Gumbel)
def _exponential_gumbel(p: Exponential, q: Gumbel) -> Values:
    ratio = p.scale / q.scale
    offset = q.loc / q.scale
    return utils.exp(offset) / (1 + ratio) + ratio - offset - 1 - utils.log(ratio)


@register_kl(Exponential, Gamma)
def _exponential_gamma(p: Exponential, q: Gamma) -> Values:
    ratio = p.scale / q.scale
    powers = q.shape * (_EULER - utils.log(ratio)) + utils.log_gamma(q.shape)
    return powers + ratio - (1 + _EULER)

"""Distributions that transformations of others lead to, among them the relaxed ones."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

import numpy as onp

from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._categories import CategoryDistribution
from mxnet.gluon.probability._constraints import (
    GreaterThanEq,
    OpenInterval,
    Positive,
    Real,
    Simplex,
    dependent_property,
)
from mxnet.gluon.probability._counts import ODDS, EventDistribution
from mxnet.gluon.probability._distribution import Distribution, derived
from mxnet.gluon.probability._location_scale import Cauchy, Normal
from mxnet.gluon.probability._positive import Exponential
from mxnet.gluon.probability._transformation import (
    AbsTransform,
    AffineTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    Transformation,
)
from mxnet.gluon.probability._utils import Size, Values, np, npx, sum_right_most

_SCALE = MappingProxyType({"scale": Positive()})
_EULER = float(onp.euler_gamma)


class TransformedDistribution(Distribution):
    """The distribution of what becomes of variables by transformations.

    Args:
        base_dist: Distribution of the variables.
        transforms: A transformation, or several that are applied one after the other.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> log_normal = mgp.TransformedDistribution(
        ...     mgp.Normal(mx.np.zeros(2), 1.0), mgp.ExpTransform()
        ... )
        >>> print(log_normal.cdf(mx.np.ones(2)))
        [0.5 0.5]
    """

    def __init__(
        self,
        base_dist: Distribution,
        transforms: Transformation | Sequence[Transformation],
        validate_args: bool | None = None,
    ) -> None:
        if isinstance(transforms, Transformation):
            transforms = [transforms]
        self._base_dist: Any = base_dist
        self._transforms: Any = transforms
        self.has_grad = base_dist.has_grad
        event_dim = max([base_dist.event_dim, *(item.event_dim for item in transforms)])
        super().__init__(event_dim=event_dim, validate_args=validate_args)

    def broadcast_to(self, batch_shape: Size) -> Any:
        """Returns the distribution of a broadcast base; see `Distribution.broadcast_to`."""
        made = super().broadcast_to(batch_shape)
        if "_base_dist" in vars(self):
            made._base_dist = self._base_dist.broadcast_to(batch_shape)
        return made

    def sample(self, size: Size = None) -> Values:
        """Transforms samples of the base; see `Distribution.sample`."""
        return self._transform(self._base_dist.sample(size))

    def sample_n(self, size: Size = None) -> Values:
        """Transforms samples of the base; see `Distribution.sample_n`."""
        return self._transform(self._base_dist.sample_n(size))

    def _transform(self, x: Values) -> Values:
        for transform in self._transforms:
            x = transform(x)
        return x

    def _checked(self, value: Values) -> Values:
        has_support = type(self).support is not Distribution.support
        return super()._checked(value) if has_support else value

    def _log_prob(self, value: Values) -> Values:
        total: Values = 0.0
        for transform in reversed(self._transforms):
            x = transform.inv(value)
            logs = transform.log_det_jacobian(x, value)
            total = total - sum_right_most(logs, self.event_dim - transform.event_dim)
            value = x
        logs = self._base_dist.log_prob(value)
        return total + sum_right_most(logs, self.event_dim - self._base_dist.event_dim)

    def _sign(self) -> Values:
        sign: Values = 1
        for transform in self._transforms:
            sign = sign * transform.sign
        return sign

    def _cdf(self, value: Values) -> Values:
        for transform in reversed(self._transforms):
            value = transform.inv(value)
        return self._sign() * (self._base_dist.cdf(value) - 0.5) + 0.5

    def _icdf(self, value: Values) -> Values:
        share = self._sign() * (value - 0.5) + 0.5
        return self._transform(self._base_dist.icdf(share))


class _Built(TransformedDistribution):
    """A transformed distribution, whose base and transformations follow from its parameters.

    They are made whenever they are needed, of parameters that have been checked or broadcast.
    """

    has_grad = True
    support: Any = Positive()
    arg_constraints: Any = _SCALE

    sample = Distribution.sample
    sample_n = Distribution.sample_n

    def __init__(self, validate_args: bool | None) -> None:
        Distribution.__init__(self, event_dim=0, validate_args=validate_args)

    def _draw(self, size: Any) -> Values:
        return self._transform(self._base_dist._draw(size))


class _Half(_Built):
    """The distribution of the distance from the centre of a symmetric one."""

    _transforms = (AbsTransform(),)

    def __init__(self, scale: Values = 1.0, validate_args: bool | None = None) -> None:
        self.scale = scale
        super().__init__(validate_args)

    def _log_prob(self, value: Values) -> Values:
        logs = self._base_dist.log_prob(value) + math.log(2)
        return np.where(value < 0, -math.inf, logs)

    def _cdf(self, value: Values) -> Values:
        return 2 * self._base_dist.cdf(value) - 1

    def _icdf(self, value: Values) -> Values:
        return self._base_dist.icdf((value + 1) / 2)

    def entropy(self) -> Values:
        """Returns that of the whole distribution less `log(2)`."""
        return self._base_dist.entropy() - math.log(2)


class HalfNormal(_Half):
    """Distribution of `|x|` for normal `x` around zero.

    Args:
        scale: Standard deviation of `x`.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.HalfNormal(mx.np.array([1.0, 2.0])).mean.round(4))
        [0.7979 1.5958]
    """

    loc = 0.0

    @derived
    def _base_dist(self) -> Normal:
        return Normal(0.0, self.scale)

    @property
    def mean(self) -> Values:
        """`scale * sqrt(2 / pi)`."""
        return self.scale * math.sqrt(2 / math.pi)

    @property
    def variance(self) -> Values:
        """`scale ** 2 * (1 - 2 / pi)`."""
        return self.scale**2 * (1 - 2 / math.pi)


class HalfCauchy(_Half):
    """Distribution of `|x|` for `x` of a Cauchy distribution around zero.

    Args:
        scale: Scale of `x`.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> half = mx.gluon.probability.HalfCauchy(mx.np.array([1.0, 2.0]))
        >>> print(half.icdf(mx.np.array([0.5, 0.5])).round(4))
        [1. 2.]
    """

    @derived
    def _base_dist(self) -> Cauchy:
        return Cauchy(0.0, self.scale)

    @property
    def mean(self) -> Values:
        """Infinity."""
        return self.scale * math.inf

    @property
    def variance(self) -> Values:
        """Infinity."""
        return self.scale * math.inf


class Pareto(_Built):
    """Pareto distribution of the first kind.

    Args:
        alpha: Shape.
        scale: Least value.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> pareto = mx.gluon.probability.Pareto(mx.np.array([1.0, 2.0]), 3.0)
        >>> print(pareto.mean, pareto.cdf(mx.np.array([6.0, 6.0])).round(4))
        [inf  6.] [0.5  0.75]
    """

    arg_constraints = MappingProxyType({"alpha": Positive(), **_SCALE})

    def __init__(
        self, alpha: Values, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        self.alpha = alpha
        self.scale = scale
        super().__init__(validate_args)

    @derived
    def _base_dist(self) -> Exponential:
        return Exponential(1 / self.alpha)

    @derived
    def _transforms(self) -> list[Transformation]:
        return [ExpTransform(), AffineTransform(0, self.scale)]

    @dependent_property
    def support(self) -> GreaterThanEq:
        """What is at least the scale."""
        return GreaterThanEq(self.scale)

    @property
    def mean(self) -> Values:
        """`alpha * scale / (alpha - 1)`, infinite for `alpha` of at most one."""
        alpha = np.clip(self.alpha, 1, None)
        return alpha * self.scale * utils.reciprocal(alpha - 1)

    @property
    def variance(self) -> Values:
        """The variance, infinite for `alpha` of at most two."""
        alpha = np.clip(self.alpha, 2, None)
        return self.scale**2 * alpha / (alpha - 1) ** 2 * utils.reciprocal(alpha - 2)

    def entropy(self) -> Values:
        """Returns `log(scale / alpha) + 1 / alpha + 1`."""
        return utils.log(self.scale / self.alpha) + 1 / self.alpha + 1

    def _draw(self, size: Any) -> Values:
        alpha = self.alpha + self._batch_zeros()
        return self.scale * (np.random.pareto(alpha, size) + 1)


class Weibull(_Built):
    """Weibull distribution.

    Args:
        concentration: Shape.
        scale: Scale.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> weibull = mx.gluon.probability.Weibull(mx.np.array([1.0, 2.0]), 3.0)
        >>> print(weibull.cdf(mx.np.array([3.0, 3.0])).round(4))
        [0.6321 0.6321]
    """

    arg_constraints = MappingProxyType({"concentration": Positive(), **_SCALE})
    _base_dist = Exponential()

    def __init__(
        self, concentration: Values, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        self.concentration = concentration
        self.scale = scale
        super().__init__(validate_args)

    @derived
    def _transforms(self) -> list[Transformation]:
        return [PowerTransform(1 / self.concentration), AffineTransform(0, self.scale)]

    @property
    def mean(self) -> Values:
        """The mean."""
        return self.scale * self._moment(1)

    @property
    def variance(self) -> Values:
        """The variance."""
        return self.scale**2 * (self._moment(2) - self._moment(1) ** 2)

    def _moment(self, order: int) -> Values:
        """Returns the mean of a power of a variable of scale one."""
        return utils.exp(utils.log_gamma(1 + order / self.concentration))

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        shape = self.concentration
        return _EULER * (1 - 1 / shape) + utils.log(self.scale / shape) + 1

    def _draw(self, size: Any) -> Values:
        shape = self.concentration + self._batch_zeros()
        return self.scale * np.random.weibull(shape, size)


class _LogitRelaxedBernoulli(EventDistribution):
    """The distribution of the logarithm of the odds of a relaxed event."""

    has_grad = True
    support = Real()

    def __init__(self, T: Values, prob: Values, logit: Values) -> None:
        self.T = T
        super().__init__(prob, logit, None)

    def _log_prob(self, value: Values) -> Values:
        offset = self.logit - self.T * value
        return utils.log(self.T) + offset - 2 * utils.softplus(offset)

    def _cdf(self, value: Values) -> Values:
        return utils.logit2prob(self.T * value - self.logit)

    def _icdf(self, value: Values) -> Values:
        return (utils.prob2logit(value) + self.logit) / self.T

    def _draw(self, size: Any) -> Values:
        return np.random.logistic(self.logit, 1.0, size) / self.T


class RelaxedBernoulli(EventDistribution, _Built):
    """Bernoulli distribution that is relaxed to shares, so that samples have gradients.

    Args:
        T: Temperature; the lower it is, the nearer are samples to zero and one.
        prob: Probability of the event.
        logit: Logarithm of its odds, in place of the probability.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> relaxed = mx.gluon.probability.RelaxedBernoulli(0.5, prob=mx.np.array([0.25, 0.5]))
        >>> relaxed.sample((3, 2)).shape
        (3, 2)
    """

    has_grad = True
    support = OpenInterval(0, 1)
    arg_constraints = ODDS
    _transforms = (SigmoidTransform(),)

    def __init__(
        self,
        T: Values,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        self._temperature = T
        super().__init__(prob, logit, validate_args)

    @property
    def T(self) -> Values:  # noqa: N802 - as above
        """The temperature."""
        return self._temperature

    @derived
    def _base_dist(self) -> Distribution:
        given = vars(self)
        return _LogitRelaxedBernoulli(self.T, given.get("prob"), given.get("logit"))


class _LogRelaxedOneHotCategorical(CategoryDistribution):
    """The distribution of the logarithms of relaxed categories."""

    has_grad = True
    support = Real()

    def __init__(self, T: Values, num_events: int, prob: Values, logit: Values) -> None:
        self.T = T
        super().__init__(num_events, prob, logit, None)

    def _log_prob(self, value: Values) -> Values:
        count = self.num_events
        logs = npx.log_softmax(self.logit - self.T * value).sum(-1)
        return logs + math.lgamma(count) + (count - 1) * utils.log(self.T)

    def _draw(self, size: Any) -> Values:
        return npx.log_softmax(np.random.gumbel(self.logit, 1.0, size) / self.T)


class RelaxedOneHotCategorical(CategoryDistribution, _Built):
    """Categorical distribution that is relaxed to shares, so that samples have gradients.

    Args:
        T: Temperature; the lower it is, the nearer are samples to vectors of zeros and a one.
        num_events: Number of categories.
        prob: Their probabilities, on the last axis.
        logit: Logarithms of the probabilities, in place of these; a constant may be added to them.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> relaxed = mx.gluon.probability.RelaxedOneHotCategorical(
        ...     0.5, 3, prob=mx.np.array([0.5, 0.25, 0.25])
        ... )
        >>> print(relaxed.sample_n(4).sum(-1).round(4))
        [1. 1. 1. 1.]
    """

    has_grad = True
    support = Simplex()
    _transforms = (ExpTransform(),)

    def __init__(
        self,
        T: Values,
        num_events: int,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        self._temperature = T
        super().__init__(num_events, prob, logit, validate_args)

    @property
    def T(self) -> Values:  # noqa: N802 - as above
        """The temperature."""
        return self._temperature

    @derived
    def _base_dist(self) -> Distribution:
        given = (vars(self).get("prob"), vars(self).get("logit"))
        return _LogRelaxedOneHotCategorical(self.T, self.num_events, *given)

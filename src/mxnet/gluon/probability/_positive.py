"""Distributions of positive numbers, and of the share of a whole."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import Positive, UnitInterval
from mxnet.gluon.probability._distribution import Distribution, ExponentialFamily, derived
from mxnet.gluon.probability._utils import Values, np


class Exponential(ExponentialFamily):
    """Exponential distribution.

    Args:
        scale: Mean, which is `1 / rate`.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> exponential = mx.gluon.probability.Exponential(mx.np.array([1.0, 2.0]))
        >>> print(exponential.cdf(mx.np.array([1.0, 2.0])).round(4))
        [0.6321 0.6321]
    """

    has_grad = True
    support = Positive()
    arg_constraints = MappingProxyType({"scale": Positive()})

    def __init__(self, scale: Values = 1.0, validate_args: bool | None = None) -> None:
        self.scale = scale
        super().__init__(event_dim=0, validate_args=validate_args)

    @derived
    def rate(self) -> Values:
        """`1 / scale`."""
        return 1 / self.scale

    @property
    def mean(self) -> Values:
        """`scale`."""
        return self.scale

    @property
    def stddev(self) -> Values:
        """`scale`."""
        return self.scale

    @property
    def variance(self) -> Values:
        """`scale ** 2`."""
        return self.scale**2

    def _log_prob(self, value: Values) -> Values:
        return -value / self.scale - utils.log(self.scale)

    def _cdf(self, value: Values) -> Values:
        return -utils.expm1(-value / self.scale)

    def _icdf(self, value: Values) -> Values:
        return -self.scale * utils.log1p(-value)

    def _draw(self, size: Any) -> Values:
        return np.random.exponential(self.scale, size)

    def entropy(self) -> Values:
        """Returns `1 + log(scale)`."""
        return 1 + utils.log(self.scale)

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return (-1 / self.scale,)

    def _log_normalizer(self, *natural_params: Values) -> Values:
        return -utils.log(-natural_params[0])

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0


class Gamma(ExponentialFamily):
    """Gamma distribution.

    Args:
        shape: Shape.
        scale: Scale; the mean is `shape * scale`.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> gamma = mx.gluon.probability.Gamma(mx.np.array([1.0, 2.0]), 3.0)
        >>> print(gamma.mean, gamma.variance)
        [3. 6.] [ 9. 18.]
    """

    support = Positive()
    arg_constraints = MappingProxyType({"shape": Positive(), "scale": Positive()})

    def __init__(
        self, shape: Values, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        self.shape = shape
        self.scale = scale
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`shape * scale`."""
        return self.shape * self.scale

    @property
    def variance(self) -> Values:
        """`shape * scale ** 2`."""
        return self.shape * self.scale**2

    def _log_prob(self, value: Values) -> Values:
        shape = self.shape
        scaled = (shape - 1) * utils.log(value) - value / self.scale
        return scaled - shape * utils.log(self.scale) - utils.log_gamma(shape)

    def _draw(self, size: Any) -> Values:
        shape = self.shape + utils.zeros_of(self.shape, self.scale)
        return np.random.gamma(shape, 1.0, size) * self.scale

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        shape = self.shape
        digammas = (1 - shape) * utils.psi(shape)
        return shape + utils.log(self.scale) + utils.log_gamma(shape) + digammas

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return self.shape - 1, -1 / self.scale

    def _log_normalizer(self, *natural_params: Values) -> Values:
        shape = natural_params[0] + 1
        return utils.log_gamma(shape) - shape * utils.log(-natural_params[1])

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0


class Chi2(Gamma):
    """Chi-squared distribution: `Gamma(df / 2, 2)`.

    Args:
        df: Degrees of freedom.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.probability.Chi2(3.0).mean
        3.0
    """

    arg_constraints = MappingProxyType({"df": Positive()})
    scale = 2.0

    def __init__(self, df: Values, validate_args: bool | None = None) -> None:
        self.df = df
        ExponentialFamily.__init__(self, event_dim=0, validate_args=validate_args)

    @derived
    def df(self) -> Values:
        """Degrees of freedom."""
        return self.shape * 2

    @derived
    def shape(self) -> Values:
        """`df / 2`."""
        return self.df / 2


class FisherSnedecor(Distribution):
    """F distribution: the ratio of two chi-squared variables per degree of freedom.

    Args:
        df1: Degrees of freedom of the numerator.
        df2: Degrees of freedom of the denominator.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.FisherSnedecor(5.0, mx.np.array([2.0, 6.0])).mean)
        [nan 1.5]
    """

    support = Positive()
    arg_constraints = MappingProxyType({"df1": Positive(), "df2": Positive()})

    def __init__(self, df1: Values, df2: Values, validate_args: bool | None = None) -> None:
        self.df1 = df1
        self.df2 = df2
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`df2 / (df2 - 2)`, NaN for `df2` of at most two."""
        df2 = np.where(self.df2 <= 2, math.nan, self.df2)
        return df2 / (df2 - 2)

    @property
    def variance(self) -> Values:
        """The variance, NaN for `df2` of at most four."""
        df1, df2 = self.df1, np.where(self.df2 <= 4, math.nan, self.df2)
        return 2 * df2**2 * (df1 + df2 - 2) / (df1 * (df2 - 2) ** 2 * (df2 - 4))

    def _log_prob(self, value: Values) -> Values:
        half1, half2 = self.df1 / 2, self.df2 / 2
        ratio = self.df1 / self.df2
        peak = utils.log_gamma(half1 + half2) - utils.log_gamma(half1) - utils.log_gamma(half2)
        powers = half1 * utils.log(ratio) + (half1 - 1) * utils.log(value)
        return peak + powers - (half1 + half2) * utils.log1p(ratio * value)

    def _draw(self, size: Any) -> Values:
        zeros = self._batch_zeros()
        numerator, denominator = (
            Gamma(df / 2 + zeros, 2 / df)._draw(size) for df in (self.df1, self.df2)
        )
        return numerator / denominator


class Beta(ExponentialFamily):
    """Beta distribution, of shares of a whole.

    Args:
        alpha: First shape.
        beta: Second shape.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> print(mx.gluon.probability.Beta(mx.np.array([1.0, 3.0]), 1.0).mean)
        [0.5  0.75]
    """

    support = UnitInterval()
    arg_constraints = MappingProxyType({"alpha": Positive(), "beta": Positive()})

    def __init__(self, alpha: Values, beta: Values, validate_args: bool | None = None) -> None:
        self.alpha = alpha
        self.beta = beta
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`alpha / (alpha + beta)`."""
        return self.alpha / (self.alpha + self.beta)

    @property
    def variance(self) -> Values:
        """The variance."""
        total = self.alpha + self.beta
        return self.alpha * self.beta / (total**2 * (total + 1))

    def _log_prob(self, value: Values) -> Values:
        first, second = self._natural_params
        powers = first * utils.log(value) + second * utils.log1p(-value)
        return powers - self._log_normalizer(first, second)

    def _draw(self, size: Any) -> Values:
        zeros = self._batch_zeros()
        first = np.random.gamma(self.alpha + zeros, 1.0, size)
        second = np.random.gamma(self.beta + zeros, 1.0, size)
        return utils.clip_probability(first / (first + second))

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        first, second = self._natural_params
        all_of_it = (first + second) * utils.psi(self.alpha + self.beta)
        parts = first * utils.psi(self.alpha) + second * utils.psi(self.beta)
        return self._log_normalizer(first, second) + all_of_it - parts

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return self.alpha - 1, self.beta - 1

    def _log_normalizer(self, *natural_params: Values) -> Values:
        alpha, beta = natural_params[0] + 1, natural_params[1] + 1
        return utils.log_gamma(alpha) + utils.log_gamma(beta) - utils.log_gamma(alpha + beta)

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0

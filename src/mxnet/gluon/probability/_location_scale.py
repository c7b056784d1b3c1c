"""Distributions that are moved by a location and stretched by a scale, and the uniform one."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

import numpy as onp

from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import Interval, Positive, Real
from mxnet.gluon.probability._distribution import Distribution, ExponentialFamily
from mxnet.gluon.probability._positive import Chi2
from mxnet.gluon.probability._utils import Values, np, npx

_BOTH = MappingProxyType({"loc": Real(), "scale": Positive()})
_EULER = float(onp.euler_gamma)


class _LocationScale(Distribution):
    """A distribution with a location and a scale."""

    has_grad = True
    support = Real()
    arg_constraints = _BOTH

    def __init__(self, loc: Values, scale: Values, validate_args: bool | None) -> None:
        self.loc = loc
        self.scale = scale
        super().__init__(event_dim=0, validate_args=validate_args)

    def _standardize(self, value: Values) -> Values:
        return (value - self.loc) / self.scale


class Normal(_LocationScale, ExponentialFamily):
    """Normal distribution.

    Args:
        loc: Mean.
        scale: Standard deviation.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> normal = mx.gluon.probability.Normal(mx.np.array([0.0, 1.0]), 2.0)
        >>> print(normal.cdf(mx.np.array([0.0, 1.0])))
        [0.5 0.5]
    """

    def __init__(
        self, loc: Values = 0.0, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        super().__init__(loc, scale, validate_args)

    @property
    def mean(self) -> Values:
        """`loc`."""
        return self.loc

    @property
    def stddev(self) -> Values:
        """`scale`."""
        return self.scale

    @property
    def variance(self) -> Values:
        """`scale ** 2`."""
        return self.scale**2

    def _log_prob(self, value: Values) -> Values:
        half_square = self._standardize(value) ** 2 * 0.5
        return -half_square - utils.log(self.scale) - 0.5 * math.log(2 * math.pi)

    def _cdf(self, value: Values) -> Values:
        return 0.5 + 0.5 * utils.erf()(self._standardize(value) * math.sqrt(0.5))

    def _icdf(self, value: Values) -> Values:
        return self.loc + self.scale * (math.sqrt(2) * utils.erfinv()(2 * value - 1))

    def _draw(self, size: Any) -> Values:
        return np.random.normal(self.loc, self.scale, size)

    def entropy(self) -> Values:
        """Returns `log(scale) + (1 + log(2 * pi)) / 2`."""
        return utils.log(self.scale) + 0.5 * (1 + math.log(2 * math.pi))

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        precision = self.scale**-2
        return self.loc * precision, -0.5 * precision

    def _log_normalizer(self, *natural_params: Values) -> Values:
        first, second = natural_params
        return first**2 / (-4 * second) + 0.5 * utils.log(math.pi / -second)

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0


class Laplace(_LocationScale):
    """Laplace distribution.

    Args:
        loc: Mean.
        scale: Mean distance from it.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> laplace = mx.gluon.probability.Laplace(mx.np.zeros(2), 1.0)
        >>> print(laplace.icdf(mx.np.array([0.25, 0.5])).round(4))
        [-0.6931  0.    ]
    """

    has_grad = False

    def __init__(
        self, loc: Values = 0.0, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        super().__init__(loc, scale, validate_args)

    @property
    def mean(self) -> Values:
        """`loc`."""
        return self.loc

    @property
    def stddev(self) -> Values:
        """`sqrt(2) * scale`."""
        return math.sqrt(2) * self.scale

    @property
    def variance(self) -> Values:
        """`2 * scale ** 2`."""
        return 2 * self.scale**2

    def _log_prob(self, value: Values) -> Values:
        return -utils.absolute(self._standardize(value)) - utils.log(2 * self.scale)

    def _cdf(self, value: Values) -> Values:
        scaled = self._standardize(value)
        tail = utils.expm1(-utils.absolute(scaled))
        return 0.5 - 0.5 * utils.sign(scaled) * tail

    def _icdf(self, value: Values) -> Values:
        centred = value - 0.5
        tail = utils.log1p(-2 * utils.absolute(centred))
        return self.loc - self.scale * utils.sign(centred) * tail

    def _draw(self, size: Any) -> Values:
        return npx.stop_gradient(np.random.laplace(self.loc, self.scale, size))

    def entropy(self) -> Values:
        """Returns `1 + log(2 * scale)`."""
        return 1 + utils.log(2 * self.scale)


class Cauchy(_LocationScale):
    """Cauchy distribution, which has no mean and no variance.

    Args:
        loc: Median.
        scale: Half of the width at half of the height.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> cauchy = mx.gluon.probability.Cauchy(mx.np.zeros(2), 2.0)
        >>> print(cauchy.icdf(mx.np.array([0.25, 0.75])).round(4))
        [-2.  2.]
    """

    def __init__(
        self, loc: Values = 0.0, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        super().__init__(loc, scale, validate_args)

    @property
    def mean(self) -> Values:
        """NaN."""
        return self._batch_zeros() + math.nan

    @property
    def variance(self) -> Values:
        """NaN."""
        return self._batch_zeros() + math.nan

    @property
    def stddev(self) -> Values:
        """NaN."""
        return self._batch_zeros() + math.nan

    def _log_prob(self, value: Values) -> Values:
        square = self._standardize(value) ** 2
        return -utils.log1p(square) - utils.log(math.pi * self.scale)

    def _cdf(self, value: Values) -> Values:
        return 0.5 + utils.arctan(self._standardize(value)) / math.pi

    def _icdf(self, value: Values) -> Values:
        return self.loc + self.scale * utils.tan(math.pi * (value - 0.5))

    def _draw(self, size: Any) -> Values:
        return self._icdf(utils.draw_uniform(size, self.loc, self.scale))

    def entropy(self) -> Values:
        """Returns `log(4 * pi * scale)`."""
        return utils.log(4 * math.pi * self.scale)


class Gumbel(_LocationScale):
    """Gumbel distribution.

    Args:
        loc: Mode.
        scale: Scale.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> gumbel = mx.gluon.probability.Gumbel(mx.np.zeros(2), 1.0)
        >>> print(gumbel.cdf(mx.np.zeros(2)).round(4))
        [0.3679 0.3679]
    """

    def __init__(self, loc: Values, scale: Values = 1, validate_args: bool | None = None) -> None:
        super().__init__(loc, scale, validate_args)

    @property
    def mean(self) -> Values:
        """`loc + scale * 0.5772`, with Euler's constant."""
        return self.loc + self.scale * _EULER

    @property
    def stddev(self) -> Values:
        """`scale * pi / sqrt(6)`."""
        return math.pi / math.sqrt(6) * self.scale

    @property
    def variance(self) -> Values:
        """`(scale * pi) ** 2 / 6`."""
        return self.stddev**2

    def _log_prob(self, value: Values) -> Values:
        scaled = self._standardize(value)
        return -scaled - utils.exp(-scaled) - utils.log(self.scale)

    def _cdf(self, value: Values) -> Values:
        return utils.exp(-utils.exp(-self._standardize(value)))

    def _icdf(self, value: Values) -> Values:
        return self.loc - self.scale * utils.log(-utils.log(value))

    def _draw(self, size: Any) -> Values:
        return np.random.gumbel(self.loc, self.scale, size)

    def entropy(self) -> Values:
        """Returns `1 + log(scale) + 0.5772`, with Euler's constant."""
        return utils.log(self.scale) + (1 + _EULER)


class Uniform(Distribution):
    """Uniform distribution.

    Args:
        low: Least value.
        high: End of the range.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> uniform = mx.gluon.probability.Uniform(mx.np.zeros(2), 4.0)
        >>> print(uniform.cdf(mx.np.array([1.0, 5.0])))
        [0.25 1.  ]
    """

    arg_constraints = MappingProxyType({"low": Real(), "high": Real()})

    def __init__(
        self, low: Values = 0.0, high: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        self.low = low
        self.high = high
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def support(self) -> Interval:
        """From the least value to the end of the range."""
        return Interval(self.low, self.high)

    @property
    def mean(self) -> Values:
        """`(low + high) / 2`."""
        return (self.low + self.high) / 2

    @property
    def variance(self) -> Values:
        """`(high - low) ** 2 / 12`."""
        return (self.high - self.low) ** 2 / 12

    def _log_prob(self, value: Values) -> Values:
        is_inside = (value > self.low) & (value < self.high)
        return np.where(is_inside, 0 * value, -math.inf) - utils.log(self.high - self.low)

    def _cdf(self, value: Values) -> Values:
        return np.clip((value - self.low) / (self.high - self.low), 0, 1)

    def _icdf(self, value: Values) -> Values:
        return self.low + (self.high - self.low) * value

    def _draw(self, size: Any) -> Values:
        return np.random.uniform(self.low, self.high, size)

    def entropy(self) -> Values:
        """Returns `log(high - low)`."""
        return utils.log(self.high - self.low)


class StudentT(Distribution):
    """Student's t distribution.

    Args:
        df: Degrees of freedom.
        loc: Median.
        scale: Scale.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> student = mx.gluon.probability.StudentT(mx.np.array([1.0, 2.0, 4.0]))
        >>> print(student.mean, student.variance)
        [nan  0.  0.] [nan inf  2.]
    """

    support = Real()
    arg_constraints = MappingProxyType({"df": Positive(), **_BOTH})

    def __init__(
        self, df: Values, loc: Values = 0.0, scale: Values = 1.0, validate_args: bool | None = None
    ) -> None:
        self.df = df
        self.loc = loc
        self.scale = scale
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`loc`, NaN for one degree of freedom and less."""
        return np.where(self.df <= 1, math.nan, self.loc)

    @property
    def variance(self) -> Values:
        """`scale ** 2 * df / (df - 2)`; infinite for two degrees of freedom, NaN for one."""
        variance = self.scale**2 * self.df * utils.reciprocal(self.df - 2)
        variance = np.where(self.df <= 2, math.inf, variance)
        return np.where(self.df <= 1, math.nan, variance)

    def _log_prob(self, value: Values) -> Values:
        half = (self.df + 1) / 2
        square = ((value - self.loc) / self.scale) ** 2
        peak = utils.log_gamma(half) - utils.log_gamma(self.df / 2)
        width = utils.log(self.scale) + 0.5 * utils.log(math.pi * self.df)
        return peak - width - half * utils.log1p(square / self.df)

    def _draw(self, size: Any) -> Values:
        zeros = self._batch_zeros()
        noise = np.random.normal(zeros, 1.0, size)
        stretch = self.df / Chi2(self.df + zeros)._draw(size)
        return self.loc + self.scale * noise * utils.sqrt(stretch)

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        half, next_half = self.df / 2, (self.df + 1) / 2
        log_beta = utils.log_gamma(half) + math.lgamma(0.5) - utils.log_gamma(next_half)
        spread = next_half * (utils.psi(next_half) - utils.psi(half))
        return spread + log_beta + 0.5 * utils.log(self.df) + utils.log(self.scale)

"""Distributions of events and of how often they happen."""

from __future__ import annotations

from numbers import Number
from types import MappingProxyType
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import (
    Boolean,
    GreaterThanEq,
    Interval,
    NonNegativeInteger,
    Positive,
    Real,
)
from mxnet.gluon.probability._distribution import Distribution, ExponentialFamily, derived
from mxnet.gluon.probability._positive import Gamma
from mxnet.gluon.probability._utils import Values, np, npx

ODDS = MappingProxyType({"prob": Interval(0, 1), "logit": Real()})
"""Constraints of a probability."""
_TINY = 1e-12
"""What keeps logarithms of probabilities finite."""


def check_one_of(name: str, prob: Values, logit: Values) -> None:
    """Checks that a distribution is made with probabilities or with logarithms of odds.

    Args:
        name: Name of the distribution.
        prob: The probabilities, or None.
        logit: The logarithms, or None.

    Raises:
        ValueError: if both are given, or none.
    """
    if (prob is None) == (logit is None):
        raise ArgumentValueError(
            f"{name}: expected either prob or logit, got prob={prob}, logit={logit}"
        )


class EventDistribution(Distribution):
    """A distribution that follows from the probability of an event."""

    arg_constraints = ODDS

    def __init__(self, prob: Values, logit: Values, validate_args: bool | None) -> None:
        check_one_of(type(self).__name__, prob, logit)
        if prob is not None:
            self.prob = prob
        else:
            self.logit = logit
        Distribution.__init__(self, event_dim=0, validate_args=validate_args)

    @derived
    def prob(self) -> Values:
        """The probability of the event."""
        return utils.logit2prob(self.logit)

    @derived
    def logit(self) -> Values:
        """The logarithm of the odds of the event."""
        return utils.prob2logit(self.prob)

    def _log_odds(self) -> tuple[Values, Values]:
        """Returns the logarithms of the probabilities of the event and of its opposite."""
        if "logit" in vars(self):
            return -utils.softplus(-self.logit), -utils.softplus(self.logit)
        return utils.log(self.prob), utils.log1p(-self.prob)

    def _binary_entropy(self) -> Values:
        logit, prob = self.logit, self.prob
        return utils.softplus(logit) - prob * logit

    def _draw_events(self, size: Any) -> Values:
        if "prob" in vars(self):
            return npx.random.bernoulli(prob=self.prob, size=size)
        return npx.random.bernoulli(logit=self.logit, size=size)


class Bernoulli(EventDistribution, ExponentialFamily):
    """Bernoulli distribution: one if an event happens, zero otherwise.

    Args:
        prob: Probability of the event.
        logit: Logarithm of its odds, in place of the probability.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> bernoulli = mx.gluon.probability.Bernoulli(prob=mx.np.array([0.25, 0.5]))
        >>> print(bernoulli.log_prob(mx.np.ones(2)).asnumpy().round(4))
        [-1.3863 -0.6931]
    """

    support = Boolean()

    def __init__(
        self, prob: Values = None, logit: Values = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(prob, logit, validate_args)

    @property
    def mean(self) -> Values:
        """`prob`."""
        return self.prob

    @property
    def variance(self) -> Values:
        """`prob * (1 - prob)`."""
        return self.prob * (1 - self.prob)

    def _log_prob(self, value: Values) -> Values:
        if "logit" in vars(self):
            log_one, log_zero = self._log_odds()
        else:
            log_one = utils.log(self.prob + _TINY)
            log_zero = utils.log(1 - self.prob + _TINY)
        return value * log_one + (1 - value) * log_zero

    def _draw(self, size: Any) -> Values:
        return self._draw_events(size)

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        return self._binary_entropy()

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return (self.logit,)

    def _log_normalizer(self, *natural_params: Values) -> Values:
        return utils.softplus(natural_params[0])

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0


class Binomial(EventDistribution):
    """Binomial distribution: how often an event happens in a number of trials.

    Args:
        n: Number of trials.
        prob: Probability of the event.
        logit: Logarithm of its odds, in place of the probability.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> binomial = mx.gluon.probability.Binomial(4, prob=mx.np.array([0.25, 0.5]))
        >>> print(binomial.mean, binomial.pdf(mx.np.zeros(2)).round(4))
        [1. 2.] [0.3164 0.0625]
    """

    support = NonNegativeInteger()

    def __init__(
        self,
        n: int = 1,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(n, Number) or n < 0 or n % 1 != 0:
            raise ArgumentValueError(f"Binomial: expected n to be a whole number, got {n}")
        self.n = n
        super().__init__(prob, logit, validate_args)

    @property
    def mean(self) -> Values:
        """`n * prob`."""
        return self.n * self.prob

    @property
    def variance(self) -> Values:
        """`n * prob * (1 - prob)`."""
        return self.n * self.prob * (1 - self.prob)

    def _log_prob(self, value: Values) -> Values:
        log_one, log_zero = self._log_odds()
        rest = self.n - value
        ways = utils.log_gamma(self.n + 1) - utils.log_gamma(value + 1)
        return ways - utils.log_gamma(rest + 1) + value * log_one + rest * log_zero

    def _draw(self, size: Any) -> Values:
        batched = size is None or utils.as_lengths(size)[:1] == (-2,)
        lengths = utils.as_lengths(size)[batched and size is not None :]
        trials = (-2, int(self.n), *lengths) if batched else (int(self.n), *lengths)
        return self._draw_events(trials).sum(0)


class Geometric(EventDistribution):
    """Geometric distribution: how often an event does not happen before it does.

    Args:
        prob: Probability of the event.
        logit: Logarithm of its odds, in place of the probability.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> geometric = mx.gluon.probability.Geometric(prob=mx.np.array([0.25, 0.5]))
        >>> print(geometric.mean)
        [3. 1.]
    """

    support = NonNegativeInteger()

    def __init__(
        self, prob: Values = None, logit: Values = None, validate_args: bool | None = None
    ) -> None:
        super().__init__(prob, logit, validate_args)

    @property
    def mean(self) -> Values:
        """`1 / prob - 1`."""
        return 1 / self.prob - 1

    @property
    def variance(self) -> Values:
        """`(1 - prob) / prob ** 2`."""
        return (1 / self.prob - 1) / self.prob

    def _log_prob(self, value: Values) -> Values:
        log_one, log_zero = self._log_odds()
        return value * log_zero + log_one

    def _draw(self, size: Any) -> Values:
        uniform = utils.draw_uniform(size, self.prob)
        return np.floor(np.log1p(-uniform) / utils.log1p(-self.prob))

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        return self._binary_entropy() / self.prob


class NegativeBinomial(EventDistribution):
    """Negative binomial distribution: how often an event happens before others do.

    As in MXNet 2, `prob` has two meanings: samples, mean and variance are those of how often an
    event of this probability happens before `n` others do; `log_prob` takes it, as SciPy does, for
    the probability of these others.

    Args:
        n: How many others end the count.
        prob: The probability.
        logit: Logarithm of the odds, in place of the probability.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> counts = mx.gluon.probability.NegativeBinomial(3.0, prob=mx.np.array([0.25, 0.5]))
        >>> print(counts.mean.round(4))
        [1. 3.]
    """

    support = NonNegativeInteger()
    arg_constraints = MappingProxyType({"n": GreaterThanEq(0), **ODDS})

    def __init__(
        self,
        n: Values,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        self.n = n
        super().__init__(prob, logit, validate_args)

    @property
    def mean(self) -> Values:
        """`n * prob / (1 - prob)`."""
        return self.n * utils.exp(self.logit)

    @property
    def variance(self) -> Values:
        """`n * prob / (1 - prob) ** 2`."""
        return self.n * self.prob / (1 - self.prob) ** 2

    def _log_prob(self, value: Values) -> Values:
        log_one, log_zero = self._log_odds()
        ways = utils.log_gamma(value + self.n) - utils.log_gamma(value + 1)
        return ways - utils.log_gamma(self.n) + self.n * log_one + value * log_zero

    def _draw(self, size: Any) -> Values:
        return Poisson(Gamma(self.n, utils.exp(self.logit))._draw(size)).sample()


class Poisson(ExponentialFamily):
    """Poisson distribution.

    Args:
        rate: Mean.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> poisson = mx.gluon.probability.Poisson(mx.np.array([1.0, 2.0]))
        >>> print(poisson.pdf(mx.np.zeros(2)).asnumpy().round(4))
        [0.3679 0.1353]
    """

    support = NonNegativeInteger()
    arg_constraints = MappingProxyType({"rate": Positive()})

    def __init__(self, rate: Values = 1.0, validate_args: bool | None = None) -> None:
        self.rate = rate
        super().__init__(event_dim=0, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`rate`."""
        return self.rate

    @property
    def variance(self) -> Values:
        """`rate`."""
        return self.rate

    def sample(self, size: utils.Size = None) -> Values:
        """Draws samples; see `Distribution.sample`."""
        if isinstance(self.rate, Number):
            return npx.scalar_poisson(self.rate, utils.as_lengths(size))
        rate = self.rate if size is None else np.broadcast_to(self.rate, size)
        return npx.tensor_poisson(rate)

    def sample_n(self, size: utils.Size = None) -> Values:
        """Draws samples for each variable; see `Distribution.sample_n`."""
        lengths = utils.as_lengths(size)
        if isinstance(self.rate, Number) or not lengths:
            return self.sample(size)
        drawn = npx.tensor_poisson(self.rate, lengths)  # behind the axes of the batch
        count = len(lengths)
        return np.moveaxis(drawn, tuple(range(-count, 0)), tuple(range(count)))

    def _log_prob(self, value: Values) -> Values:
        return value * utils.log(self.rate) - self.rate - utils.log_gamma(value + 1)

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return (utils.log(self.rate),)

    def _log_normalizer(self, *natural_params: Values) -> Values:
        return utils.exp(natural_params[0])

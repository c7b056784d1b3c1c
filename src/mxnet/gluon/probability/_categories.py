"""Distributions of categories, several of which exclude each other."""

from __future__ import annotations

from numbers import Number
from types import MappingProxyType
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import IntegerInterval, Real, Simplex
from mxnet.gluon.probability._counts import check_one_of
from mxnet.gluon.probability._distribution import Distribution, derived
from mxnet.gluon.probability._utils import Size, Values, np, npx

CHANCES = MappingProxyType({"prob": Simplex(), "logit": Real()})
"""Constraints of probabilities that add up to one."""


class CategoryDistribution(Distribution):
    """A distribution that follows from the probabilities of categories.

    These are on the last axis of a parameter.
    """

    arg_constraints = CHANCES
    _event_axes = MappingProxyType({"prob": 1, "logit": 1})

    def __init__(
        self,
        num_events: int,
        prob: Values,
        logit: Values,
        validate_args: bool | None,
        event_dim: int = 1,
    ) -> None:
        name = type(self).__name__
        if not num_events > 0:
            raise ArgumentValueError(f"{name}: expected num_events above 0, got {num_events}")
        check_one_of(name, prob, logit)
        self.num_events = int(num_events)
        if prob is not None:
            self.prob = prob
        else:
            self.logit = logit
        Distribution.__init__(self, event_dim=event_dim, validate_args=validate_args)

    @derived
    def prob(self) -> Values:
        """The probabilities of the categories."""
        return utils.logit2prob(self.logit, False)

    @derived
    def logit(self) -> Values:
        """The logarithms of the probabilities, to which a constant may be added."""
        return utils.prob2logit(self.prob, False)

    def log_chances(self) -> Values:
        """Returns the logarithms of the probabilities."""
        return npx.log_softmax(self.logit) if "logit" in vars(self) else self.logit

    def sample(self, size: Size = None) -> Values:
        """Draws samples; see `Distribution.sample`."""
        return (self if size is None else self.broadcast_to(size))._draw(None)

    def _draw_indices(self, size: Any) -> Values:
        return np.argmax(np.random.gumbel(self.logit, 1.0, size), axis=-1)

    def _entropy(self) -> Values:
        return -(self.prob * self.log_chances()).sum(-1)


class Categorical(CategoryDistribution):
    """Categorical distribution: the number of a category.

    Args:
        num_events: Number of categories.
        prob: Their probabilities, on the last axis.
        logit: Logarithms of the probabilities, in place of these; a constant may be added to them.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> categorical = mx.gluon.probability.Categorical(3, prob=mx.np.array([0.5, 0.25, 0.25]))
        >>> print(categorical.log_prob(mx.np.array([0, 1, 2])).asnumpy().round(4))
        [-0.6931 -1.3863 -1.3863]
    """

    has_enumerate_support = True

    def __init__(
        self,
        num_events: int,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        super().__init__(num_events, prob, logit, validate_args, event_dim=0)

    @property
    def support(self) -> IntegerInterval:
        """The numbers of the categories."""
        return IntegerInterval(0, self.num_events - 1)

    def _log_prob(self, value: Values) -> Values:
        logs = self.log_chances()
        index = np.expand_dims(value + np.zeros_like(logs[..., 0]), -1)
        return npx.pick(logs + np.zeros_like(index), index, keepdims=True)[..., 0]

    def _draw(self, size: Any) -> Values:
        return self._draw_indices(size)

    def enumerate_support(self) -> Values:
        """Returns the numbers of the categories along the first axis."""
        return np.moveaxis(npx.arange_like(self.logit) % self.num_events, -1, 0)

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        return self._entropy()


class OneHotCategorical(CategoryDistribution):
    """Categorical distribution of vectors with a one in the place of the category.

    Args:
        num_events: Number of categories.
        prob: Their probabilities, on the last axis.
        logit: Logarithms of the probabilities, in place of these; a constant may be added to them.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> vectors = mx.gluon.probability.OneHotCategorical(2, prob=mx.np.array([0.0, 1.0]))
        >>> print(vectors.sample())
        [0. 1.]
    """

    has_enumerate_support = True
    support = Simplex()

    def __init__(
        self,
        num_events: int,
        prob: Values = None,
        logit: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        super().__init__(num_events, prob, logit, validate_args)

    @property
    def mean(self) -> Values:
        """`prob`."""
        return self.prob

    @property
    def variance(self) -> Values:
        """`prob * (1 - prob)`."""
        return self.prob * (1 - self.prob)

    def _log_prob(self, value: Values) -> Values:
        return (value * self.log_chances()).sum(-1)

    def _draw(self, size: Any) -> Values:
        return npx.one_hot(self._draw_indices(size), self.num_events)

    def enumerate_support(self) -> Values:
        """Returns the vectors of the categories along the first axis."""
        numbers = np.moveaxis(npx.arange_like(self.logit) % self.num_events, -1, 0)
        return npx.one_hot(numbers, self.num_events)

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        return self._entropy()


class Multinomial(CategoryDistribution):
    """Multinomial distribution: how often each category is drawn in a number of trials.

    Args:
        num_events: Number of categories.
        prob: Their probabilities, on the last axis.
        logit: Logarithms of the probabilities, in place of these; a constant may be added to them.
        total_count: Number of trials.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> counts = mx.gluon.probability.Multinomial(
        ...     3, prob=mx.np.array([0.5, 0.25, 0.25]), total_count=8
        ... )
        >>> print(counts.mean, counts.sample().sum())
        [4. 2. 2.] 8.0
    """

    def __init__(
        self,
        num_events: int,
        prob: Values = None,
        logit: Values = None,
        total_count: int = 1,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(total_count, Number):
            raise ArgumentValueError(
                f"Multinomial: expected total_count to be a number, got {total_count}"
            )
        self.total_count = total_count
        super().__init__(num_events, prob, logit, validate_args)

    @property
    def support(self) -> IntegerInterval:
        """Counts of up to the number of trials."""
        return IntegerInterval(0, self.total_count)

    @property
    def mean(self) -> Values:
        """`total_count * prob`."""
        return self.total_count * self.prob

    @property
    def variance(self) -> Values:
        """`total_count * prob * (1 - prob)`."""
        return self.total_count * self.prob * (1 - self.prob)

    def _log_prob(self, value: Values) -> Values:
        ways = utils.log_gamma(value.sum(-1) + 1) - utils.log_gamma(value + 1).sum(-1)
        return ways + (self.log_chances() * value).sum(-1)

    def _draw(self, size: Any) -> Values:
        trials = (-2, int(self.total_count), *utils.as_lengths(size)[1:])
        return npx.one_hot(self._draw_indices(trials), self.num_events).sum(0)

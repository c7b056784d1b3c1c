"""`Distribution`, what all distributions have, and `ExponentialFamily`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from numbers import Number
from types import MappingProxyType
from typing import Any, ClassVar

import torch

from mxnet import autograd
from mxnet._start import PublicInit
from mxnet.errors import ArgumentValueError
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import check_parameter
from mxnet.gluon.probability._utils import Size, Values, np
from mxnet.numpy_extension import from_torch


class _Derived:
    """A parameter that is computed from others, unless the distribution is made with it.

    It is computed whenever it is read: a distribution may be made outside of a block that is
    traced, and must not keep arrays of the trace.
    """

    def __init__(self, compute: Callable[[Any], Values]) -> None:
        self._compute = compute
        self.__doc__ = compute.__doc__

    def __get__(self, distribution: Any, owner: type | None = None) -> Values:
        return self if distribution is None else self._compute(distribution)


def derived(compute: Callable[[Any], Values]) -> Any:
    """Makes a method a parameter that an attribute of the distribution goes before."""
    return _Derived(compute)


class Distribution(PublicInit):
    """A distribution of random variables, of which parameters that are arrays make a batch.

    A subclass sets its parameters, calls this constructor, and defines what there is of `log_prob`,
    `cdf`, `icdf`, `sample`, `sample_n`, `mean`, `variance` and `entropy`.

    Args:
        event_dim: The number of last axes of a sample that make one variable.
        validate_args: Whether parameters and values are checked: what is not in `arg_constraints`
            or `support` raises a `ValueError`, that of arrays when results are read.

    Attributes:
        has_grad: Whether parameters get gradients through samples.
        has_enumerate_support: Whether `enumerate_support` lists all values.
        arg_constraints: Constraints of the parameters, by name.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> normal = mgp.Normal(mx.np.zeros(3), 2.0)
        >>> normal
        Normal(loc: size (3,), scale: size (), event_dim: 0)
        >>> normal.sample_n(5).shape
        (5, 3)
        >>> print(normal.log_prob(mx.np.ones(3)).asnumpy().round(3))
        [-1.737 -1.737 -1.737]
    """

    has_grad: Any = False
    has_enumerate_support: Any = False
    arg_constraints: Any = MappingProxyType({})
    _validate_args = False
    _event_axes: ClassVar[Mapping[str, int]] = MappingProxyType({})
    """How many axes of an event parameters have behind those of the batch, where they have any."""

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Sets whether distributions check arguments that are not told.

        Args:
            value: True or False.

        Raises:
            ValueError: if it is neither.
        """
        if not isinstance(value, bool):
            raise ArgumentValueError(
                f"set_default_validate_args: expected True or False, got {value!r}"
            )
        Distribution._validate_args = value

    def __init__(self, event_dim: int | None = None, validate_args: bool | None = None) -> None:
        self.event_dim: Any = event_dim
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            for name in self._given():
                checked = check_parameter(
                    self.arg_constraints[name],
                    getattr(self, name),
                    f"{type(self).__name__}: {name}",
                )
                setattr(self, name, checked)
        super().__init__()

    def _given(self) -> list[str]:
        """Lists the parameters that it was made with."""
        return [name for name in self.arg_constraints if name in vars(self)]

    def _batch_zeros(self) -> Values:
        """Returns zeros of the shape of the batch, 0.0 if all parameters are numbers."""
        return utils.zeros_of(*(getattr(self, name) for name in self._given()))

    @property
    def support(self) -> Any:
        """The constraint of its values."""
        raise NotImplementedError(f"{type(self).__name__} does not define its support")

    @property
    def mean(self) -> Values:
        """The mean."""
        raise NotImplementedError(f"{type(self).__name__} does not define its mean")

    @property
    def variance(self) -> Values:
        """The variance."""
        raise NotImplementedError(f"{type(self).__name__} does not define its variance")

    @property
    def stddev(self) -> Values:
        """The standard deviation."""
        return utils.sqrt(self.variance)

    def log_prob(self, value: Values) -> Values:
        """Returns the logarithm of the density or probability of values.

        Args:
            value: The values.
        """
        return self._log_prob(self._checked(value))

    def pdf(self, value: Values) -> Values:
        """Returns the density or probability of values.

        Args:
            value: The values.
        """
        return utils.exp(self.log_prob(value))

    def cdf(self, value: Values) -> Values:
        """Returns the probability of what is at most a value.

        Args:
            value: The values.
        """
        return self._cdf(self._checked(value))

    def icdf(self, value: Values) -> Values:
        """Returns the quantiles that belong to probabilities, the inverse of `cdf`.

        Args:
            value: The probabilities.
        """
        return self._icdf(value)

    def sample(self, size: Size = None) -> Values:
        """Draws samples.

        Args:
            size: The shape of the samples, without the axes of an event; by default that of the
                batch, which has to broadcast to it.
        """
        return self._draw(size)

    def sample_n(self, size: Size = None) -> Values:
        """Draws samples for each variable of the batch.

        Args:
            size: What comes before the shape of the batch.
        """
        return self._draw(utils.sample_n_shape_converter(size))

    def broadcast_to(self, batch_shape: Size) -> Any:
        """Returns the distribution with parameters that are broadcast to a shape.

        Args:
            batch_shape: The shape of the batch, without the axes of an event.
        """
        made = copy(self)
        for name in self._given():
            value = getattr(self, name)
            shape = (*utils.as_lengths(batch_shape), *[-2] * self._event_axes.get(name, 0))
            if not isinstance(value, Number) or -2 not in shape:  # a number has no axes to keep
                setattr(made, name, np.broadcast_to(value, shape))
        return made

    def enumerate_support(self) -> Values:
        """Returns all values along the first axis, which few distributions can."""
        raise NotImplementedError(f"{type(self).__name__} does not list its values")

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        raise NotImplementedError(f"{type(self).__name__} does not define its entropy")

    def perplexity(self) -> Values:
        """Returns `exp(entropy)`."""
        return utils.exp(self.entropy())

    def __repr__(self) -> str:
        sizes = {
            name: () if isinstance(value := getattr(self, name), Number) else value.shape
            for name in self._given()
        }
        parts = [f"{name}: size {size}" for name, size in sizes.items()]
        return f"{type(self).__name__}({', '.join([*parts, f'event_dim: {self.event_dim}'])})"

    def _validate_samples(self, value: Values) -> Values:
        """Returns values that raise when they are read, if some are not in the support."""
        return check_parameter(self.support, value, f"{type(self).__name__}: value")

    def _checked(self, value: Values) -> Values:
        return self._validate_samples(value) if self._validate_args else value

    def _log_prob(self, value: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define its log_prob")

    def _cdf(self, value: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define its cdf")

    def _icdf(self, value: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define its icdf")

    def _draw(self, size: Any) -> Values:
        """Draws samples of a size as functions of `np.random` take it, -2 at its head included."""
        raise NotImplementedError(f"{type(self).__name__} does not define how to sample")


class ExponentialFamily(Distribution):
    """A distribution with the density `exp(<t(x), p> - F(p) + k(x))`.

    Here `t` are sufficient statistics, `p` the natural parameters, `F` the logarithm of what makes
    the density add up to one, and `k` the carrier measure. A subclass that defines
    `_natural_params`, `_log_normalizer(*p)` and `_mean_carrier_measure` has an entropy, and a KL
    divergence from others of its class.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> class Waiting(mgp.ExponentialFamily):
        ...     _mean_carrier_measure = 0
        ...     def __init__(self, rate):
        ...         self.rate = rate
        ...         super().__init__(event_dim=0)
        ...     @property
        ...     def _natural_params(self):
        ...         return (-self.rate,)
        ...     def _log_normalizer(self, natural):
        ...         return -mx.np.log(-natural)
        >>> slow, fast = Waiting(mx.np.array([0.5])), Waiting(mx.np.array([1.0]))
        >>> print(fast.entropy(), mgp.kl_divergence(fast, slow).asnumpy().round(4))
        [1.] [0.1931]
    """

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        raise NotImplementedError(f"{type(self).__name__} does not define `_natural_params`")

    def _log_normalizer(self, *natural_params: Values) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define `_log_normalizer`")

    @property
    def _mean_carrier_measure(self) -> Values:
        raise NotImplementedError(f"{type(self).__name__} does not define `_mean_carrier_measure`")

    def _mean_statistics(self) -> tuple[Values, list[Values]]:
        """Returns the logarithm that normalizes, and the means of the sufficient statistics.

        The means are its slopes. They have slopes themselves while the program records.
        """
        if autograd.is_recording():
            return self._normalize_and_derive()
        with autograd.record():
            return self._normalize_and_derive()

    def _normalize_and_derive(self) -> tuple[Values, list[Values]]:
        given = [
            value if isinstance(value, np.ndarray) else np.array(value)
            for value in self._natural_params
        ]
        tensors = [value.to_torch() for value in given]
        leaves = [
            item if item.requires_grad else item.detach().requires_grad_() for item in tensors
        ]
        normalizer = self._log_normalizer(*(from_torch(leaf) for leaf in leaves))
        slopes = torch.autograd.grad(normalizer.to_torch().sum(), leaves, create_graph=True)
        return normalizer, [from_torch(slope) for slope in slopes]

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        normalizer, means = self._mean_statistics()
        pairs = zip(self._natural_params, means, strict=True)
        return normalizer - sum(ours * mean for ours, mean in pairs) - self._mean_carrier_measure

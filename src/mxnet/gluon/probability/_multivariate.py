"""Distributions of vectors: shares of a whole, normal vectors, and independent variables."""

from __future__ import annotations

import math
from types import MappingProxyType
from typing import Any

from mxnet.errors import ArgumentValueError
from mxnet.gluon.probability import _utils as utils
from mxnet.gluon.probability._constraints import (
    LowerCholesky,
    Positive,
    PositiveDefinite,
    Real,
    Simplex,
    dependent_property,
)
from mxnet.gluon.probability._distribution import Distribution, ExponentialFamily, derived
from mxnet.gluon.probability._utils import Size, Values, np, sum_right_most


class Dirichlet(ExponentialFamily):
    """Dirichlet distribution, of shares that add up to a whole along the last axis.

    Args:
        alpha: Concentrations, one for each share.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> dirichlet = mx.gluon.probability.Dirichlet(mx.np.array([1.0, 1.0, 2.0]))
        >>> print(dirichlet.mean, dirichlet.sample((5,)).shape)
        [0.25 0.25 0.5 ] (5, 3)
    """

    support = Simplex()
    arg_constraints = MappingProxyType({"alpha": Positive()})
    _event_axes = MappingProxyType({"alpha": 1})

    def __init__(self, alpha: Values, validate_args: bool | None = None) -> None:
        self.alpha = alpha
        super().__init__(event_dim=1, validate_args=validate_args)

    @property
    def mean(self) -> Values:
        """`alpha` by its sum."""
        return self.alpha / self.alpha.sum(-1, keepdims=True)

    @property
    def variance(self) -> Values:
        """The variance of each share."""
        mean = self.mean
        return mean * (1 - mean) / (1 + self.alpha.sum(-1, keepdims=True))

    def sample(self, size: Size = None) -> Values:
        """Draws samples; see `Distribution.sample`."""
        return (self if size is None else self.broadcast_to(size))._draw(None)

    def _log_prob(self, value: Values) -> Values:
        (powers,) = self._natural_params
        return (powers * utils.log(value)).sum(-1) - self._log_normalizer(powers)

    def _draw(self, size: Any) -> Values:
        parts = np.random.gamma(self.alpha, 1.0, size)
        return utils.keep_positive(parts / parts.sum(-1, keepdims=True))

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        (powers,) = self._natural_params
        means = utils.psi(self.alpha) - np.expand_dims(utils.psi(self.alpha.sum(-1)), -1)
        return self._log_normalizer(powers) - (powers * means).sum(-1)

    @property
    def _natural_params(self) -> tuple[Values, ...]:
        return (self.alpha - 1,)

    def _log_normalizer(self, *natural_params: Values) -> Values:
        alpha = natural_params[0] + 1
        return utils.log_gamma(alpha).sum(-1) - utils.log_gamma(alpha.sum(-1))

    @property
    def _mean_carrier_measure(self) -> Values:
        return 0.0


class MultivariateNormal(Distribution):
    """Normal distribution of vectors.

    Args:
        loc: Mean.
        cov: Covariance matrix.
        precision: Inverse of the covariance matrix, in its place.
        scale_tril: Lower triangular factor of the covariance matrix, in its place.
        validate_args: Whether parameters and values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> normal = mx.gluon.probability.MultivariateNormal(
        ...     mx.np.zeros(2), cov=mx.np.array([[4.0, 0.0], [0.0, 1.0]])
        ... )
        >>> print(normal.variance, normal.log_prob(mx.np.zeros(2)).asnumpy().round(4))
        [4. 1.] -2.531
    """

    has_grad = True
    support = Real()
    arg_constraints = MappingProxyType(
        {
            "loc": Real(),
            "cov": PositiveDefinite(),
            "precision": PositiveDefinite(),
            "scale_tril": LowerCholesky(),
        }
    )
    _event_axes = MappingProxyType({"loc": 1, "cov": 2, "precision": 2, "scale_tril": 2})

    def __init__(
        self,
        loc: Values,
        cov: Values = None,
        precision: Values = None,
        scale_tril: Values = None,
        validate_args: bool | None = None,
    ) -> None:
        matrices = {"cov": cov, "precision": precision, "scale_tril": scale_tril}
        given = {name: value for name, value in matrices.items() if value is not None}
        if len(given) != 1:
            raise ArgumentValueError(
                "MultivariateNormal: expected one of cov, precision and scale_tril, "
                f"got {' and '.join(given) or 'none'}"
            )
        self.loc = loc
        vars(self).update(given)
        super().__init__(event_dim=1, validate_args=validate_args)

    @derived
    def scale_tril(self) -> Values:
        """The lower triangular factor of the covariance matrix."""
        if "cov" in vars(self):
            return np.linalg.cholesky(self.cov)
        # The factor of a matrix whose rows and columns are reversed is an upper triangular one of
        # the matrix itself, when it is reversed as well.
        reversed_factor = np.linalg.cholesky(np.flip(self.precision, (-2, -1)))
        return np.linalg.inv(np.flip(reversed_factor, (-2, -1)).mT)

    @derived
    def cov(self) -> Values:
        """The covariance matrix."""
        if "precision" in vars(self):
            return np.linalg.inv(self.precision)
        return np.matmul(self.scale_tril, self.scale_tril.mT)

    @derived
    def precision(self) -> Values:
        """The inverse of the covariance matrix."""
        if "cov" in vars(self):
            return np.linalg.inv(self.cov)
        inverse = np.linalg.inv(self.scale_tril)
        return np.matmul(inverse.mT, inverse)

    @property
    def mean(self) -> Values:
        """`loc`."""
        return self.loc

    @property
    def variance(self) -> Values:
        """The diagonal of the covariance matrix."""
        return (self.scale_tril**2).sum(-1)

    def log_diagonal(self) -> Values:
        """Returns the logarithm of the determinant of the triangular factor."""
        return np.log(np.diagonal(self.scale_tril, axis1=-2, axis2=-1)).sum(-1)

    def _log_prob(self, value: Values) -> Values:
        factor = self.scale_tril
        offset = np.expand_dims(value - self.loc, -1)
        noise = np.matmul(np.linalg.inv(factor), offset)[..., 0]
        densities = 0.5 * noise**2 + 0.5 * math.log(2 * math.pi)
        return -densities.sum(-1) - self.log_diagonal()

    def sample(self, size: Size = None) -> Values:
        """Draws samples; see `Distribution.sample`."""
        return (self if size is None else self.broadcast_to(size))._draw(None)

    def _draw(self, size: Any) -> Values:
        factor = self.scale_tril
        noise = np.random.normal(utils.zeros_of(self.loc, factor[..., 0]), 1.0, size)
        return self.loc + np.matmul(factor, np.expand_dims(noise, -1))[..., 0]

    def entropy(self) -> Values:
        """Returns the entropy, in nats."""
        of_each = 0.5 * (1 + math.log(2 * math.pi)) + np.zeros_like(self.scale_tril[..., 0])
        return of_each.sum(-1) + self.log_diagonal()


class Independent(Distribution):
    """Variables of a batch as one: axes of the batch become axes of an event.

    Args:
        base_distribution: Distribution of the variables.
        reinterpreted_batch_ndims: The number of last axes of the batch that become those of an
            event.
        validate_args: Whether values are checked; see `Distribution`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon import probability as mgp
        >>> base = mgp.Normal(mx.np.zeros((2, 3)), 1.0)
        >>> mgp.Independent(base, 1).log_prob(mx.np.zeros((2, 3))).shape
        (2,)
    """

    def __init__(
        self,
        base_distribution: Distribution,
        reinterpreted_batch_ndims: int,
        validate_args: bool | None = None,
    ) -> None:
        self.base_dist: Any = base_distribution
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        self.has_grad = base_distribution.has_grad
        self.has_enumerate_support = (
            base_distribution.has_enumerate_support and not reinterpreted_batch_ndims
        )
        event_dim: int = reinterpreted_batch_ndims + self.base_dist.event_dim
        super().__init__(event_dim=event_dim, validate_args=validate_args)

    @dependent_property
    def support(self) -> Any:
        """That of the base."""
        return self.base_dist.support

    @property
    def mean(self) -> Values:
        """That of the base."""
        return self.base_dist.mean

    @property
    def variance(self) -> Values:
        """That of the base."""
        return self.base_dist.variance

    def broadcast_to(self, batch_shape: Size) -> Any:
        """Returns the distribution of a broadcast base; see `Distribution.broadcast_to`."""
        made = super().broadcast_to(batch_shape)
        kept = (-2,) * self.reinterpreted_batch_ndims
        made.base_dist = self.base_dist.broadcast_to((*utils.as_lengths(batch_shape), *kept))
        return made

    def sample(self, size: Size = None) -> Values:
        """Draws samples of the base, of a shape that includes the axes of an event."""
        return self.base_dist.sample(size)

    def sample_n(self, size: Size = None) -> Values:
        """Draws samples of the base; see `Distribution.sample_n`."""
        return self.base_dist.sample_n(size)

    def _log_prob(self, value: Values) -> Values:
        return sum_right_most(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Values:
        """Returns the sum of the entropies of the variables."""
        return sum_right_most(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self) -> Values:
        """Returns the values of the base, if no axis of the batch has become one of an event."""
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Independent does not list combinations of values")
        return self.base_dist.enumerate_support()

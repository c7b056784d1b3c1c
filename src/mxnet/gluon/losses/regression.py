"""Losses of numbers: distances and likelihoods of predictions."""

from __future__ import annotations

import math
from typing import Any

from mxnet._start import inherit_docstrings
from mxnet.gluon.losses.base import Loss, apply_weighting, reshape_like
from mxnet.gluon.parameters import ParameterDict


class L2Loss(Loss):
    """Half the squared difference, ``weight / 2 * (label - pred) ** 2``.

    Args:
        weight: Factor on the loss.

    Example:
        >>> import mxnet as mx
        >>> loss = mx.gluon.loss.L2Loss()
        >>> print(loss(mx.nd.array([[1, 3], [2, 2]]), mx.nd.array([[1, 1], [0, 0]])).asnumpy())
        [1. 2.]
    """

    def __init__(
        self,
        weight: float = 1.0,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        difference = reshape_like(F, label, pred) - pred
        return self._mx_average(F, F.square(difference), sample_weight, scale=0.5)


class L1Loss(Loss):
    """The absolute difference, ``|label - pred|``.

    Shapes:
        Predictions `(N, ...)`, labels as many elements, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.L1Loss()
        >>> print(loss(mx.nd.array([[1, 3], [2, 2]]), mx.nd.array([[1, 1], [0, 0]])).asnumpy())
        [1. 2.]
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        difference = reshape_like(F, label, pred) - pred
        return self._mx_average(F, F.abs(difference), sample_weight)


class HuberLoss(Loss):
    """Huber loss: squared for small differences, linear for large ones.

    Args:
        rho: Difference above which the loss is linear.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.HuberLoss(rho=1)
        >>> print(loss(mx.nd.array([1, 5]), mx.nd.array([0, 0])).asnumpy())
        [0.5 4.5]
    """

    def __init__(
        self,
        rho: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        distance = F.abs(reshape_like(F, label, pred) - pred)
        squared = F.square(distance) * (0.5 / self._rho)
        loss = F.where(distance > self._rho, distance - 0.5 * self._rho, squared)
        return self._mx_average(F, loss, sample_weight)


class PoissonNLLLoss(Loss):
    """Negative log likelihood of counts under a Poisson distribution, as one mean.

    Args:
        from_logits: Whether predictions are the logarithm of the rate.
        compute_full: Whether to add Stirling's approximation of the term that depends on the
            target alone, for targets above 1.

    Shapes:
        Predictions `(N, ...)`, labels as many elements, output `(1,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.PoissonNLLLoss(from_logits=False)
        >>> print(loss(mx.nd.array([1, 1]), mx.nd.array([3, 0])).asnumpy())
        [1.]
    """

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._from_logits = from_logits
        self._compute_full = compute_full

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        target: Any,
        sample_weight: Any = None,
        epsilon: float = 1e-08,
    ) -> Any:
        """Computes the mean loss; `epsilon` keeps the logarithm of a rate finite."""
        target = reshape_like(F, target, pred)
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            # Not of the target itself: the logarithm of 0 would make the unused branch NaN.
            count = F.maximum(target, 1)
            stirling = count * F.log(count) - count + 0.5 * F.log(2 * math.pi * count)
            loss = loss + stirling * (target > 1)
        return F.mean(apply_weighting(F, loss, self._weight, sample_weight))


inherit_docstrings(globals())

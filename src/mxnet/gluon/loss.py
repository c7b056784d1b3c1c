"""Losses, which training minimizes: distances of numbers, classes and embeddings."""

from __future__ import annotations

import math
from typing import Any

from mxnet._start import docstrings, publish_classes
from mxnet._state import rules
from mxnet.errors import InvalidArgumentError
from mxnet.gluon._losses import CTCLoss as CTCLoss
from mxnet.gluon._losses import HingeLoss as HingeLoss
from mxnet.gluon._losses import KLDivLoss as KLDivLoss
from mxnet.gluon._losses import LogisticLoss as LogisticLoss
from mxnet.gluon._losses import Loss as Loss
from mxnet.gluon._losses import SigmoidBCELoss as SigmoidBCELoss
from mxnet.gluon._losses import SigmoidBinaryCrossEntropyLoss as SigmoidBinaryCrossEntropyLoss
from mxnet.gluon._losses import SoftmaxCELoss as SoftmaxCELoss
from mxnet.gluon._losses import SoftmaxCrossEntropyLoss as SoftmaxCrossEntropyLoss
from mxnet.gluon._losses import SquaredHingeLoss as SquaredHingeLoss
from mxnet.gluon._losses import apply_weighting as _apply_weighting
from mxnet.gluon._losses import reshape_like as _reshape_like
from mxnet.gluon.parameters import ParameterDict
from mxnet.symbol import Symbol

_LEAST_NORM = 1e-12
"""Lower bound of the product of norms, to avoid division by zero."""


class TripletLoss(Loss):
    """Triplet loss: a positive example should be nearer than a negative one by a margin.

    Args:
        margin: Difference of squared distances that is wanted.

    Shapes:
        Three inputs `(N, ...)`: the vector, the near and the far example; output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.TripletLoss(margin=1)
        >>> anchor, positive = mx.nd.array([[0, 0]]), mx.nd.array([[1, 0]])
        >>> print(loss(anchor, positive, mx.nd.array([[3, 0]])).asnumpy())
        [0.]
        >>> print(loss(anchor, positive, mx.nd.array([[1, 0]])).asnumpy())
        [1.]
    """

    def __init__(
        self,
        margin: float = 1,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._margin = margin

    def hybrid_forward(
        self, F: Any, pred: Any, positive: Any, negative: Any, sample_weight: Any = None
    ) -> Any:
        """Computes the loss of each sample."""
        near = F.square(_reshape_like(F, positive, pred) - pred)
        far = F.square(_reshape_like(F, negative, pred) - pred)
        excess = F.sum(near - far, axis=self._batch_axis, exclude=True)
        return _apply_weighting(F, F.relu(excess + self._margin), self._weight, sample_weight)


class CosineEmbeddingLoss(Loss):
    """Cosine distance of two vectors that should be alike (label 1) or different (label -1).

    A label of 1 gives ``1 - cosine``, -1 gives ``max(0, cosine - margin)``.

    Args:
        margin: Cosine up to which vectors count as different.

    Shapes:
        Two inputs `(N, features)`, labels `(N,)`, output `(N, 1)`; `(N,)` under
        `mx.set_version(2)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.CosineEmbeddingLoss()
        >>> first, second = mx.nd.array([[1, 0], [1, 0]]), mx.nd.array([[2, 0], [0, 1]])
        >>> print(loss(first, second, mx.nd.array([1, 1])).asnumpy())
        [[0.]
         [1.]]
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        margin: float = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._margin = margin

    def hybrid_forward(
        self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None
    ) -> Any:
        """Computes the loss of each pair of vectors, of shape `(pairs, 1)`."""
        input1 = _reshape_like(F, input1, input2)
        product = F.sum(input1 * input2, axis=-1)
        norms = F.norm(input1, axis=-1) * F.norm(input2, axis=-1)
        cosine = F.reshape(product / F.maximum(norms, _LEAST_NORM), shape=(-1, 1))
        label = _reshape_like(F, label, cosine)
        alike = (1 - cosine) * (label == 1)
        different = F.relu(cosine - self._margin) * (label == -1)
        loss = alike + different
        if rules.version > 1:
            return self._mx_average(F, loss, sample_weight)
        return _apply_weighting(F, loss, self._weight, sample_weight)


class SDMLLoss(Loss):
    """Smoothed deep metric learning: each vector should be nearest to its own partner.

    The other pairs of the batch serve as negative examples.

    Args:
        smoothing_parameter: Probability that is spread over the other pairs.
        weight: Kept for compatibility; the loss is not scaled.

    Shapes:
        Two inputs `(N, features)`, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.SDMLLoss(smoothing_parameter=0.3)
        >>> vectors = mx.nd.array([[0, 0], [0, 1], [1, 0]])
        >>> loss(vectors, vectors).shape
        (3,)
        >>> bool(loss(vectors, vectors).sum() < loss(vectors, vectors[::-1]).sum())
        True
    """

    def __init__(
        self,
        smoothing_parameter: float = 0.3,
        weight: float = 1.0,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self.kl_loss = KLDivLoss(from_logits=True)
        self.smoothing_parameter = smoothing_parameter

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        """Computes the loss of each pair, from vectors of shape `(batch, features)`."""
        if not isinstance(x1, Symbol) and x1.shape != x2.shape:
            raise InvalidArgumentError(
                f"SDMLLoss: expected two batches of one shape, got {x1.shape} and {x2.shape}"
            )
        difference = F.broadcast_sub(F.expand_dims(x1, axis=1), F.expand_dims(x2, axis=0))
        log_probabilities = F.log_softmax(-F.sum(F.square(difference), axis=2), axis=1)
        numbers = F.contrib.arange_like(x1, axis=0)
        partners = F.broadcast_equal(F.expand_dims(numbers, axis=1), F.expand_dims(numbers, axis=0))
        others = 1 - partners
        spread = F.broadcast_div(others, F.maximum(F.sum(others, axis=1, keepdims=True), 1))
        labels = partners * (1 - self.smoothing_parameter) + spread * self.smoothing_parameter
        return self.kl_loss(log_probabilities, labels)


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
        difference = _reshape_like(F, label, pred) - pred
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
        difference = _reshape_like(F, label, pred) - pred
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
        distance = F.abs(_reshape_like(F, label, pred) - pred)
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
        Predictions `(N, ...)`, labels as many elements, output `(1,)`; `(N,)` under
        `mx.set_version(2)`.

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
        self, F: Any, pred: Any, target: Any, sample_weight: Any = None, epsilon: float = 1e-08
    ) -> Any:
        """Computes the mean loss; `epsilon` keeps the logarithm of a rate finite."""
        target = _reshape_like(F, target, pred)
        if self._from_logits:
            loss = F.exp(pred) - target * pred
        else:
            loss = pred - target * F.log(pred + epsilon)
        if self._compute_full:
            # Not of the target itself: the logarithm of 0 would make the unused branch NaN.
            count = F.maximum(target, 1)
            stirling = count * F.log(count) - count + 0.5 * F.log(2 * math.pi * count)
            loss = loss + stirling * (target > 1)
        if rules.version > 1:
            return self._mx_average(F, loss, sample_weight)
        return F.mean(_apply_weighting(F, loss, self._weight, sample_weight))


docstrings.inherit(globals())
publish_classes(globals())

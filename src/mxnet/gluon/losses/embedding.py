"""Losses of embeddings: how near vectors are to each other."""

from __future__ import annotations

from typing import Any

from mxnet._start import inherit_docstrings
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.losses.base import Loss, apply_weighting, reshape_like
from mxnet.gluon.losses.classification import KLDivLoss
from mxnet.gluon.parameters import ParameterDict
from mxnet.symbol import Symbol

_TINY = 1e-12
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

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        """Computes the loss of each sample."""
        near = F.square(reshape_like(F, positive, pred) - pred)
        far = F.square(reshape_like(F, negative, pred) - pred)
        excess = F.sum(near - far, axis=self._batch_axis, exclude=True)
        return apply_weighting(F, F.relu(excess + self._margin), self._weight)


class CosineEmbeddingLoss(Loss):
    """Cosine distance of two vectors that should be alike (label 1) or different (label -1).

    A label of 1 gives ``1 - cosine``, -1 gives ``max(0, cosine - margin)``.

    Args:
        margin: Cosine up to which vectors count as different.

    Shapes:
        Two inputs `(N, features)`, labels `(N,)`, output `(N, 1)`.

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
        input1 = reshape_like(F, input1, input2)
        product = F.sum(input1 * input2, axis=-1)
        norms = F.norm(input1, axis=-1) * F.norm(input2, axis=-1)
        cosine = F.reshape(product / F.maximum(norms, _TINY), shape=(-1, 1))
        label = reshape_like(F, label, cosine)
        alike = (1 - cosine) * (label == 1)
        different = F.relu(cosine - self._margin) * (label == -1)
        return apply_weighting(F, alike + different, self._weight, sample_weight)


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


inherit_docstrings(globals())

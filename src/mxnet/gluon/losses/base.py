"""What all losses share: the base class, weighting and the mean over a sample."""

from __future__ import annotations

from numbers import Real
from typing import Any

from mxnet._start import inherit_docstrings
from mxnet.errors import InvalidArgumentError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.parameters import ParameterDict


def is_number(value: object) -> bool:
    """Returns whether a value is a number of Python or NumPy."""
    return isinstance(value, Real)


def apply_weighting(
    F: Any, loss: Any, weight: float | None = None, sample_weight: Any = None
) -> Any:
    """Scales a loss by the weight of each sample and by one number.

    Args:
        F: The operators.
        loss: Loss of each element.
        weight: The number, None for 1.
        sample_weight: Array that broadcasts to the loss, None for 1.
    """
    if sample_weight is not None:
        loss = F.broadcast_mul(loss, sample_weight)
    if weight is None:
        return loss
    if not is_number(weight):
        raise InvalidArgumentError(f"loss: weight must be a number, got {type(weight).__name__}")
    return loss * weight


def reshape_like(F: Any, x: Any, y: Any) -> Any:
    """Returns `x` in the shape of `y`."""
    return F.reshape_like(x, y)


class Loss(HybridBlock):
    """Base of losses, which return one value for each sample of a batch.

    Args:
        weight: Factor on the loss, None for 1.
        batch_axis: Axis of the samples.

    Shapes:
        Predictions `(N, ...)`, labels as many elements, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> class Distance(gluon.loss.Loss):
        ...     def hybrid_forward(self, F, pred, label):
        ...         return F.norm(pred - label, axis=1)
        >>> loss = Distance(weight=None, batch_axis=0)
        >>> print(loss(mx.nd.array([[3, 4], [1, 1]]), mx.nd.array([[0, 0], [1, 1]])).asnumpy())
        [5. 0.]
    """

    def __init__(
        self,
        weight: float | None,
        batch_axis: int,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(prefix=prefix, params=params)
        self._weight = weight
        self._batch_axis = batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def _mx_average(self, F: Any, loss: Any, sample_weight: Any, scale: float = 1.0) -> Any:
        """Weights the loss of each element and returns the mean of every sample."""
        weight = self._weight
        if scale != 1.0:
            weight = self._mx_scaled_weight(scale)
        loss = apply_weighting(F, loss, weight, sample_weight)
        return F.mean(loss, axis=self._batch_axis, exclude=True)

    def _mx_scaled_weight(self, scale: float) -> float:
        if self._weight is None or not is_number(self._weight):
            raise InvalidArgumentError(
                f"{type(self).__name__}: weight must be a number, got {type(self._weight).__name__}"
            )
        return self._weight * scale


inherit_docstrings(globals())

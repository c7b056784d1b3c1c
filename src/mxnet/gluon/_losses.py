"""What losses share, and losses of classes: cross entropies, margins and alignments."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any

from mxnet._arrays.array import NO_ATTRS, Origin, half_source, origin_of
from mxnet._arrays.invoke import invoke_chain, runs_plainly
from mxnet._frontend.dialect import ARRAY_DIALECTS
from mxnet._start import docstrings, level_of_program
from mxnet._state import modes
from mxnet.errors import InvalidArgumentError, MXNetError
from mxnet.gluon.block import HybridBlock
from mxnet.gluon.parameters import ParameterDict
from mxnet.ndarray import NDArray
from mxnet.ops.core.registry import get_op
from mxnet.ops.nn.softmax import cross_entropy_at_once, cross_entropy_in_single, has_kernel


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
    try:
        return F.reshape_like(x, y)
    except MXNetError:
        if not isinstance(x, NDArray) or x.ndim:
            raise
        return x.reshape(y.shape)  # the operator takes no array without axes


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


_LOG_SOFTMAX, _PICK = get_op("log_softmax"), get_op("pick")
_NEGATIVE, _MEAN = get_op("negative"), get_op("mean")
_TINY = 1e-12
"""Added to probabilities before their logarithm is taken."""


def _logistic(F: Any, pred: Any, label: Any) -> Any:
    """Returns the cross entropy of sigmoid(pred), without overflow for large scores."""
    return F.relu(pred) - pred * label + F.Activation(-F.abs(pred), act_type="softrelu")


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Cross entropy of independent yes-or-no labels.

    Args:
        from_sigmoid: Whether predictions are probabilities, not scores; scores are more accurate.

    Example:
        >>> import mxnet as mx
        >>> loss = mx.gluon.loss.SigmoidBCELoss()
        >>> print(loss(mx.nd.array([[0], [1000]]), mx.nd.array([[1], [1]])).asnumpy())
        [0.6931472 0.       ]
    """

    def __init__(
        self,
        from_sigmoid: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        """Computes the loss of each sample; `pos_weight` scales the terms of positive labels."""
        label = reshape_like(F, label, pred)
        of_entropy = self._of_probabilities if self._from_sigmoid else self._of_scores
        return self._mx_average(F, of_entropy(F, pred, label, pos_weight), sample_weight)

    @staticmethod
    def _of_scores(F: Any, pred: Any, label: Any, pos_weight: Any) -> Any:
        if pos_weight is None:
            return _logistic(F, pred, label)
        scale = 1 + F.broadcast_mul(pos_weight - 1, label)
        small = F.Activation(-F.abs(pred), act_type="softrelu")
        return pred - pred * label + scale * (small + F.relu(-pred))

    @staticmethod
    def _of_probabilities(F: Any, pred: Any, label: Any, pos_weight: Any) -> Any:
        positive = F.log(pred + _TINY) * label
        if pos_weight is not None:
            positive = F.broadcast_mul(positive, pos_weight)
        return -(positive + F.log(1.0 - pred + _TINY) * (1.0 - label))


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


def _can_be_merged(pred: Any, label: Any) -> bool:
    """Returns whether a cross entropy of arrays can be computed by one kernel."""
    if type(pred) is not type(label) or type(pred) not in ARRAY_DIALECTS or not runs_plainly():
        return False
    if label._node is not None or pred._ctx is not label._ctx:
        return False
    scores = pred._data if pred._node is None else pred._node  # no alias without history for this
    return has_kernel(scores, label._data)


def _find_entropy(pred: Any, label: Any) -> Any:
    """Returns the cross entropy of arrays by one kernel."""
    source = half_source(pred) if modes.recording else None
    if source is None or not source._node.is_cuda:  # type: ignore[union-attr]  # it has a node
        return invoke_chain(_LOG_SOFTMAX, cross_entropy_at_once, (pred, label), _origin_of_entropy)
    return invoke_chain(
        _LOG_SOFTMAX,
        cross_entropy_in_single,
        (source, label),
        lambda _, labels: _origin_of_entropy(origin_of(pred), labels),
    )


def _origin_of_entropy(pred: Origin | None, label: Origin | None) -> Origin:
    """Returns the chain of operators that the cross entropy consists of."""
    logarithms = (_LOG_SOFTMAX, (pred,), {"axis": -1}, 0)
    picked = (_PICK, (logarithms, label), {"axis": -1, "keepdims": True}, 0)
    losses = (_NEGATIVE, (picked,), NO_ATTRS, 0)
    return (_MEAN, (losses,), {"axis": (0,), "exclude": True}, 0)


class SoftmaxCrossEntropyLoss(Loss):
    """Cross entropy of one class out of many.

    Args:
        axis: Axis of the classes.
        sparse_label: Whether labels are class numbers, not a probability for each class.
        from_logits: Whether predictions are logarithms of probabilities (the output of
            `log_softmax`) and not scores.

    Shapes:
        Predictions `(N, ..., classes)`, or with the classes at `axis`; labels `(N, ...)`, with an
        axis of the classes too unless `sparse_label`; output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        >>> print(loss(mx.nd.array([[0, 0], [0, 50]]), mx.nd.array([1, 1])).asnumpy())
        [0.6931472 0.       ]
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._axis = axis
        self._sparse_label = sparse_label
        self._from_logits = from_logits

    _labels_checked = False

    def _check_labels(self, pred: Any, label: Any) -> None:
        """Warns once if class numbers are too large, which count as the last class.

        Labels on a GPU are not looked at: the program would wait for them.
        """
        if type(label) not in ARRAY_DIALECTS or not runs_plainly() or not label.size:
            return
        if label._plain.device.type != "cpu" or type(pred) not in ARRAY_DIALECTS:
            return
        self._labels_checked = True
        if not -pred.ndim <= self._axis < pred.ndim:  # as the operators say
            return
        classes, largest = pred.shape[self._axis], label._plain.max().item()
        if largest >= classes:
            warnings.warn(
                f"{type(self).__name__}: a label is {largest:g}, but there are {classes} classes, "
                f"0 to {classes - 1}; it counts as class {classes - 1}. Do labels begin with 1?",
                stacklevel=level_of_program(),
            )

    @property
    def _is_usual(self) -> bool:
        """Whether all options are those by default, for which there is one kernel."""
        options = (self._axis, self._batch_axis, self._weight)
        return options == (-1, 0, None) and self._sparse_label and not self._from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        if not self._labels_checked and self._sparse_label:
            self._check_labels(pred, label)
        if self._is_usual and sample_weight is None and _can_be_merged(pred, label):
            return _find_entropy(pred, label)
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        if self._sparse_label:
            loss = -F.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            weighted = pred * reshape_like(F, label, pred)
            loss = -F.sum(weighted, axis=self._axis, keepdims=True)
        return self._mx_average(F, loss, sample_weight)


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """Kullback-Leibler divergence of predicted from true probabilities, a sum and not a mean.

    Args:
        from_logits: Whether predictions are logarithms of probabilities, as `log_softmax` gives.
        axis: Axis of the classes, used if they are scores.

    Shapes:
        Predictions and labels `(N, ...)`, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.KLDivLoss(from_logits=False)
        >>> label = mx.nd.array([[0.5, 0.5], [1, 0]])
        >>> print(loss(mx.nd.zeros((2, 2)), label).asnumpy().round(2))
        [0.   0.69]
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        self._from_logits = from_logits
        self._axis = axis

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        if not self._from_logits:
            pred = F.log_softmax(pred, axis=self._axis)
        loss = label * (F.log(label + _TINY) - pred)
        loss = apply_weighting(F, loss, self._weight, sample_weight)
        return F.sum(loss, axis=self._batch_axis, exclude=True)


class CTCLoss(Loss):
    """Connectionist temporal classification of label sequences; the blank is the last class.

    Args:
        layout: Axes of the predictions, `"NTC"` or `"TNC"`.
        label_layout: Axes of the labels, `"NT"` or `"TN"`; they are padded by -1.

    Shapes:
        Predictions `(N, T, C)` and labels `(N, L)`, or as the layouts say; lengths, if given,
        `(N,)`; output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.CTCLoss()
        >>> scores, label = mx.nd.zeros((2, 6, 4)), mx.nd.array([[0, 1, 2], [1, 1, -1]])
        >>> loss(scores, label).shape
        (2,)
        >>> loss(scores, label, mx.nd.array([6, 4]), mx.nd.array([3, 2])).shape
        (2,)
    """

    def __init__(
        self,
        layout: str = "NTC",
        label_layout: str = "NT",
        weight: float | None = None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        if layout not in ("NTC", "TNC"):
            raise InvalidArgumentError(f"CTCLoss: layout takes 'NTC' or 'TNC', got {layout!r}")
        if label_layout not in ("NT", "TN"):
            raise InvalidArgumentError(
                f"CTCLoss: label_layout takes 'NT' or 'TN', got {label_layout!r}"
            )
        super().__init__(weight, label_layout.find("N"), prefix=prefix, params=params)
        self._layout = layout
        self._label_layout = label_layout

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """Computes the loss of each sequence."""
        if self._layout == "NTC":
            pred = F.swapaxes(pred, dim1=0, dim2=1)
        if self._label_layout == "TN":
            label = F.swapaxes(label, dim1=0, dim2=1)
        loss = F.CTCLoss(
            pred,
            label,
            pred_lengths,
            label_lengths,
            use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None,
            blank_label="last",
        )
        return apply_weighting(F, loss, self._weight, sample_weight)


class _MarginLoss(Loss):
    """Base of the losses that measure the distance to the right side of a margin.

    Args:
        margin: The margin.
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

    def _distance(self, F: Any, pred: Any, label: Any) -> Any:
        return F.relu(self._margin - pred * reshape_like(F, label, pred))


class HingeLoss(_MarginLoss):
    """Distance to the right side of a margin, ``max(0, margin - pred * label)``, labels -1 and 1.

    Shapes:
        Predictions `(N, ...)`, labels as many elements, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.HingeLoss()
        >>> print(loss(mx.nd.array([2, 0.5, -1]), mx.nd.array([1, 1, 1])).asnumpy())
        [0.  0.5 2. ]
    """

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        return self._mx_average(F, self._distance(F, pred, label), sample_weight)


class SquaredHingeLoss(_MarginLoss):
    """The square of the hinge loss, ``max(0, margin - pred * label) ** 2``.

    Shapes:
        Predictions `(N, ...)`, labels as many elements, output `(N,)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.SquaredHingeLoss()
        >>> print(loss(mx.nd.array([2, 0.5, -1]), mx.nd.array([1, 1, 1])).asnumpy())
        [0.   0.25 4.  ]
    """

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        return self._mx_average(F, F.square(self._distance(F, pred, label)), sample_weight)


class LogisticLoss(Loss):
    """Logistic loss of two classes, ``log(1 + exp(-pred * label))`` for labels -1 and 1.

    Args:
        label_format: `"signed"` for labels -1 and 1, `"binary"` for 0 and 1.

    Example:
        >>> import mxnet as mx
        >>> from mxnet import gluon
        >>> loss = gluon.loss.LogisticLoss()
        >>> print(loss(mx.nd.array([0, 100, -100]), mx.nd.array([1, 1, 1])).asnumpy().round(2))
        [  0.69   0.   100.  ]
        >>> loss = gluon.loss.LogisticLoss(label_format="binary")
        >>> print(loss(mx.nd.array([0, -100]), mx.nd.array([1, 1])).asnumpy().round(2))
        [  0.69 100.  ]
    """

    def __init__(
        self,
        weight: float | None = None,
        batch_axis: int = 0,
        label_format: str = "signed",
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        super().__init__(weight, batch_axis, prefix=prefix, params=params)
        if label_format not in ("signed", "binary"):
            raise InvalidArgumentError(
                f"LogisticLoss: label_format takes 'signed' or 'binary', got {label_format!r}"
            )
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Computes the loss of each sample."""
        label = reshape_like(F, label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        return self._mx_average(F, _logistic(F, pred, label), sample_weight)


docstrings.inherit(globals())

"""The base class of Gluon's metrics, their registry, and metrics made of functions or of others.

They are metrics of `mx.metric`, too, so that whatever takes one takes the other. Classes that
compute the same there inherit from both; what is here first says what MXNet 2 does otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from mxnet import metric as classic
from mxnet import numpy as mx_np
from mxnet import registry
from mxnet._start import docstrings
from mxnet.metric import check_label_shapes
from mxnet.metric._base import Arrays, Names, as_list
from mxnet.ndarray import NDArray


class EvalMetric(classic.EvalMetric):
    """Base of Gluon's metrics: a sum over samples or batches, and their number.

    A subclass defines `update`, which adds to `sum_metric` and `num_inst`.

    Example:
        >>> import mxnet as mx
        >>> class Share(mx.gluon.metric.EvalMetric):
        ...     def update(self, labels, preds):
        ...         self.sum_metric += (preds[0] > 0.5).sum()
        ...         self.num_inst += preds[0].size
        >>> share = Share("share")
        >>> share.update(None, [mx.np.array([0.2, 0.7])])
        >>> share.get()
        ('share', 0.5)
    """

    def _mx_value(self, total: Any, count: Any) -> Any:
        """Returns a number of Python, and an array where there is a value for each class."""
        if not count:
            return math.nan
        value = total / count
        if getattr(value, "ndim", None) == 0:
            return value.item()
        return mx_np.array(value, dtype=value.dtype) if isinstance(value, numpy.ndarray) else value


register = registry.get_register_func(EvalMetric, "metric")
alias = registry.get_alias_func(EvalMetric, "metric")
_create_registered = registry.get_create_func(EvalMetric, "metric")


@register
class CustomMetric(EvalMetric, classic.CustomMetric):
    """A metric computed by a function on arrays of `mx.np`.

    Args:
        feval: Gives the value of a batch from a label and an output, or a pair of a sum and the
            number of its terms.

    Example:
        >>> import mxnet as mx
        >>> def largest_error(label, pred):
        ...     return mx.np.abs(label - pred).max()
        >>> metric = mx.gluon.metric.CustomMetric(largest_error)
        >>> metric.update(mx.np.array([1, 2]), mx.np.array([1, 4]))
        >>> metric.get()
        ('largest_error', 2.0)
    """

    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch; see `EvalMetric.update`."""
        labels, preds = as_list(labels), as_list(preds)
        if not self._allow_extra_outputs:
            check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds, strict=False):
            expected = _as_np(label)
            value = self._feval(expected, _as_np(pred).to_device(expected.device))
            total, count = value if isinstance(value, tuple) else (value, 1)
            self._mx_count(total, count)


def _as_np(array: Any) -> Any:
    is_array = isinstance(array, NDArray)
    return array.as_np_ndarray() if is_array else mx_np.array(array)


def np(
    numpy_feval: Callable[[Any, Any], Any],
    name: str | None = None,
    allow_extra_outputs: bool = False,
) -> CustomMetric:
    """Makes a metric of a function of a label and an output as arrays of `mx.np`.

    Args:
        numpy_feval: Gives the value of a batch, or a pair of a sum and the number of its terms.
        name: Name of the metric, that of the function if not given.
        allow_extra_outputs: Whether there may be more outputs than labels.

    Example:
        >>> import mxnet as mx
        >>> def largest_error(label, output):
        ...     return mx.np.abs(label - output).max()
        >>> metric = mx.gluon.metric.np(largest_error)
        >>> metric.update([mx.np.array([1, 2])], [mx.np.array([1, 5])])
        >>> metric.get()
        ('largest_error', 3.0)
    """
    return CustomMetric(numpy_feval, name, allow_extra_outputs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric, classic.CompositeEvalMetric):
    """Several metrics that are updated together.

    Args:
        metrics: The metrics, or what `create` makes them of.

    Example:
        >>> import mxnet as mx
        >>> both = mx.gluon.metric.CompositeEvalMetric(["acc", "ce"])
        >>> both.update(mx.np.array([1]), mx.np.array([[0, 1]]))
        >>> both.get()[0]
        ['accuracy', 'cross-entropy']
    """

    def __init__(
        self,
        metrics: Sequence[Any] | None = None,
        name: str = "composite",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(None, name, output_names, label_names)
        self.metrics = [create(item) for item in metrics or ()]

    def add(self, metric: Any) -> None:
        """Adds a metric, or what `create` makes of it."""
        self.metrics.append(create(metric))


def create(metric: Any, *args: Any, **kwargs: Any) -> classic.EvalMetric:
    """Makes a metric.

    Args:
        metric: Name of a registered metric, its configuration, a metric, a function for
            `CustomMetric`, or a list of these.
        *args: Arguments of the metric, of each one in a list.
        **kwargs: Arguments of the metric, of each one in a list.

    Example:
        >>> import mxnet as mx
        >>> mx.gluon.metric.create("fbeta", beta=2).get()
        ('fbeta', nan)
    """
    if isinstance(metric, classic.EvalMetric) and not (args or kwargs):
        return metric
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        return CompositeEvalMetric([create(item, *args, **kwargs) for item in metric])
    return _create_registered(metric, *args, **kwargs)


docstrings.inherit(globals())

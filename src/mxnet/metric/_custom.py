"""Metrics made of functions, of losses and of other metrics, and `create`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy

from mxnet._start import docstrings, public_call
from mxnet.errors import ShapeMismatchError, UndefinedMethodError
from mxnet.metric._base import (
    Arrays,
    EvalMetric,
    NameOrNames,
    Names,
    alias,
    as_float,
    as_list,
    check_label_shapes,
    create_registered,
    register,
    tensor_of,
)


@register
class Loss(EvalMetric):
    """Mean of all elements of the outputs, for outputs that are losses.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.Loss()
        >>> metric.update(None, [mx.nd.array([1, 2, 6])])
        >>> metric.get()
        ('loss', 3.0)
    """

    def __init__(
        self, name: str = "loss", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, _: Any, preds: Arrays) -> None:
        """Adds the losses of a batch; labels are not looked at."""
        for pred in as_list(preds):
            losses = as_float(tensor_of(pred))
            self._mx_add(losses.sum(), losses.numel())


@register
class Torch(Loss):
    """`Loss` under the name of a framework whose criteria once could be used as layers.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.Torch()
        >>> metric.update(None, [mx.nd.array([1, 2, 6])])
        >>> metric.get()
        ('torch', 3.0)
    """

    def __init__(
        self, name: str = "torch", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """`Loss` under the name of a framework whose criteria once could be used as layers.

    Example:
        >>> import mxnet as mx
        >>> metric = mx.metric.Caffe()
        >>> metric.update(None, [mx.nd.array([1, 2, 6])])
        >>> metric.get()
        ('caffe', 3.0)
    """

    def __init__(
        self, name: str = "caffe", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names)


Evaluation = Callable[[Any, Any], Any]


@register
class CustomMetric(EvalMetric):
    """A metric computed by a function on NumPy arrays.

    Args:
        feval: Gives the value of a batch from a label and an output, or a pair of a sum and the
            number of its terms.
        name: Name of the metric, that of the function if not given.
        allow_extra_outputs: Whether there may be more outputs than labels, which are passed over.

    Example:
        >>> import mxnet as mx
        >>> def largest_error(label, pred):
        ...     return abs(label - pred).max()
        >>> metric = mx.metric.CustomMetric(largest_error)
        >>> metric.update(mx.nd.array([1, 2]), mx.nd.array([1, 4]))
        >>> print(*metric.get())
        largest_error 2.0
    """

    def __init__(
        self,
        feval: Evaluation,
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        if name is None:
            name = feval.__name__
            if "<" in name:
                name = f"custom({name})"
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs
        super().__init__(
            name,
            output_names,
            label_names,
            feval=feval,
            allow_extra_outputs=allow_extra_outputs,
            has_global_stats=True,
        )

    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch; see `EvalMetric.update`."""
        labels, preds = as_list(labels), as_list(preds)
        if not self._allow_extra_outputs:
            check_label_shapes(labels, preds)
        for label, pred in zip(labels, preds, strict=False):
            value = self._feval(*(_to_numpy(item) for item in (label, pred)))
            total, count = value if isinstance(value, tuple) else (value, 1)
            # A NumPy scalar would show in what programs print.
            self._mx_count(total.item() if isinstance(total, numpy.generic) else total, count)

    def get_config(self) -> dict[str, Any]:
        """Refuses: a function cannot be described."""
        raise UndefinedMethodError("CustomMetric: a metric made of a function has no configuration")


def _to_numpy(array: Any) -> Any:
    return array.asnumpy() if hasattr(array, "asnumpy") else numpy.asarray(array)


def np(
    numpy_feval: Evaluation, name: str | None = None, allow_extra_outputs: bool = False
) -> CustomMetric:
    """Makes a metric of a function of a label and an output as NumPy's arrays.

    Args:
        numpy_feval: Gives the value of a batch, or a pair of a sum and a number of samples, from a
            label and an output.
        name: Name of the metric, that of the function if not given.
        allow_extra_outputs: Whether there may be more outputs than labels.

    Returns:
        A `CustomMetric`, which averages the values of batches.

    Example:
        >>> import mxnet as mx
        >>> def largest_error(label, output):
        ...     return abs(label - output).max()
        >>> metric = mx.metric.np(largest_error)
        >>> metric.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
        >>> name, value = metric.get()
        >>> name, float(value)
        ('largest_error', 3.0)
    """
    return CustomMetric(numpy_feval, name, allow_extra_outputs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """Several metrics that are updated together.

    Args:
        metrics: The metrics, or what `create` makes them of.

    Example:
        >>> import mxnet as mx
        >>> both = mx.metric.CompositeEvalMetric(["acc", "ce"])
        >>> both.update(mx.nd.array([1]), mx.nd.array([[0, 1]]))
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
        self.metrics: list[EvalMetric] = [create(item) for item in metrics or ()]
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def add(self, metric: Any) -> None:
        """Adds a metric, or what `create` makes of it."""
        self.metrics.append(create(metric))

    @public_call
    def get_metric(self, index: int) -> EvalMetric:
        """Returns one of the metrics.

        Raises:
            ValueError: if there are not so many.
        """
        try:
            return self.metrics[index]
        except IndexError as error:
            raise ShapeMismatchError(
                f"{self.name}: there are {len(self.metrics)} metrics, none at {index}"
            ) from error

    def update_dict(self, labels: Mapping[str, Any], preds: Mapping[str, Any]) -> None:
        """Updates all metrics with labels and outputs by name; see `EvalMetric.update_dict`."""
        if self.label_names is not None:
            labels = {name: item for name, item in labels.items() if name in self.label_names}
        if self.output_names is not None:
            preds = {name: item for name, item in preds.items() if name in self.output_names}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch to all metrics; see `EvalMetric.update`."""
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        """Forgets all batches."""
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        """Starts the local totals anew; the global ones go on."""
        for metric in self.metrics:
            metric.reset_local()

    def get(self) -> tuple[NameOrNames, Any]:
        """Returns the names and the values of all metrics since `reset_local`."""
        return _unzip([pair for metric in self.metrics for pair in metric.get_name_value()])

    def get_global(self) -> tuple[NameOrNames, Any]:
        """Returns the names and the values of all metrics since `reset`."""
        return _unzip([pair for metric in self.metrics for pair in metric.get_global_name_value()])

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments from which `create` makes an equal metric."""
        return {**super().get_config(), "metrics": [item.get_config() for item in self.metrics]}


def _unzip(pairs: list[tuple[str, Any]]) -> tuple[list[str], list[Any]]:
    return [name for name, _ in pairs], [value for _, value in pairs]


def create(metric: Any, *args: Any, **kwargs: Any) -> EvalMetric:
    """Makes a metric.

    Args:
        metric: Name of a registered metric, its configuration, a metric, a function for
            `CustomMetric`, or a list of these.
        *args: Arguments of the metric, of each one in a list.
        **kwargs: Arguments of the metric, of each one in a list.

    Example:
        >>> import mxnet as mx
        >>> mx.metric.create("top_k_accuracy", top_k=5).get()
        ('top_k_accuracy_5', nan)
    """
    if isinstance(metric, EvalMetric):
        return create_registered(metric, *args, **kwargs)
    if callable(metric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        return CompositeEvalMetric([create(item, *args, **kwargs) for item in metric])
    return create_registered(metric, *args, **kwargs)


docstrings.inherit(globals())

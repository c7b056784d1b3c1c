"""The base class of metrics, and how results reach it.

A metric computes on the tensors of the arrays it is given, where they are. What it finds on an
accelerator stays there until a value is asked for, so that a training loop which updates its
metrics after every batch does not wait for the device.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy
import torch
from torch import Tensor

from mxnet import registry
from mxnet._arrays.array import Array
from mxnet._arrays.errors.delayed import raise_if_failed
from mxnet._start import PublicInit, overridable
from mxnet.errors import ShapeMismatchError, UndefinedMethodError, UnsupportedTypeError

Arrays: TypeAlias = Any
"""An array or a list of arrays."""
Names: TypeAlias = Sequence[str] | None
"""Which arrays of a dictionary a metric takes, in order; None for all."""
NameOrNames: TypeAlias = Any
"""A name with its value, or lists of both for a metric that has several."""

_MAX_WAITING = 1024
"""Results that may wait on a device; more are fetched to free what they hold."""


class Score(numpy.float64):
    """The value of a metric: a double of NumPy that is shown as a number by every NumPy.

    A quotient by zero is infinite or nan with a warning, where a float of Python would raise.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return float.__repr__(self)


class _Total:
    """A total of a metric; reading it first adds what waits on the device."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._slot = f"_mx_{name}"

    def __get__(self, metric: Any, owner: type | None = None) -> Any:
        if metric is None:
            return self
        metric._mx_fetch()
        return getattr(metric, self._slot)

    def __set__(self, metric: Any, value: Any) -> None:
        metric._mx_fetch()
        setattr(metric, self._slot, value)


class EvalMetric(PublicInit):
    """Base of all metrics: a sum over samples or batches, and their number.

    A subclass defines `update`, which adds to `sum_metric` and `num_inst`. Both exist twice: the
    local totals start anew with `reset_local`, the global ones only with `reset`.

    Args:
        name: Name of the metric.
        output_names: Names of the outputs that `update_dict` uses, all if not given.
        label_names: Names of the labels that `update_dict` uses, all if not given.
        **kwargs: What `get_config` shall tell beside. `has_global_stats` is kept out of it: it
            says that the subclass adds to `global_sum_metric` and `global_num_inst` as well.

    Example:
        >>> import mxnet as mx
        >>> class Share(mx.metric.EvalMetric):
        ...     def update(self, labels, preds):
        ...         self.sum_metric += float((preds[0] > 0.5).sum().asscalar())
        ...         self.num_inst += preds[0].size
        >>> share = Share("share")
        >>> share.update(None, [mx.nd.array([0.2, 0.7])])
        >>> share.get()
        ('share', 0.5)
    """

    num_inst: Any = _Total()
    sum_metric: Any = _Total()
    global_num_inst: Any = _Total()
    global_sum_metric: Any = _Total()

    _mx_num_inst: float
    _mx_sum_metric: float
    _mx_global_num_inst: float
    _mx_global_sum_metric: float

    def __init__(
        self, name: str, output_names: Names = None, label_names: Names = None, **kwargs: Any
    ) -> None:
        self.name: Any = str(name)
        self.output_names = output_names
        self.label_names = label_names
        self._has_global_stats = bool(kwargs.pop("has_global_stats", False))
        self._kwargs = kwargs
        self._mx_waiting: list[tuple[Tensor, float | Tensor]] = []
        self.reset()

    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def _repr_html_(self) -> str:
        """Returns what notebooks show: names and values."""
        from mxnet._formats import html_tables  # noqa: PLC0415 - notebooks only

        return html_tables.table_to_html(
            type(self).__name__, ("metric", "value"), self.get_name_value()
        )

    def get_config(self) -> dict[str, Any]:
        """Returns the arguments from which `create` makes an equal metric.

        Example:
            >>> import mxnet as mx
            >>> config = mx.metric.TopKAccuracy(top_k=5).get_config()
            >>> config["metric"], config["name"]
            ('TopKAccuracy', 'top_k_accuracy_5')
        """
        return {
            **self._kwargs,
            "metric": type(self).__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def update_dict(self, label: Mapping[str, Any], pred: Mapping[str, Any]) -> None:
        """Updates with labels and outputs by name.

        Args:
            label: Labels by name.
            pred: Outputs by name.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE(output_names=["score"], label_names=["label"])
            >>> outputs = {"score": mx.nd.array([1, 5]), "other": mx.nd.zeros(2)}
            >>> error.update_dict({"label": mx.nd.array([1, 2])}, outputs)
            >>> error.get()
            ('mae', 1.5)
        """
        self.update(choose(label, self.label_names), choose(pred, self.output_names))

    @overridable
    def update(self, labels: Arrays, preds: Arrays) -> None:
        """Adds a batch.

        Args:
            labels: The labels, a list of arrays.
            preds: The outputs, a list of arrays.

        Example:
            >>> import mxnet as mx
            >>> class Worst(mx.metric.EvalMetric):
            ...     def __init__(self):
            ...         super().__init__("worst")
            ...     def update(self, labels, preds):
            ...         for label, output in zip(labels, preds):
            ...             self.sum_metric += float((label - output).abs().max().asscalar())
            ...             self.num_inst += 1
            >>> worst = Worst()
            >>> worst.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> worst.get()
            ('worst', 3.0)
        """
        del labels, preds
        raise UndefinedMethodError(f"{type(self).__name__}: a subclass has to define update")

    def reset(self) -> None:
        """Forgets all batches.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.reset()
            >>> error.get()
            ('mae', nan)
        """
        self._mx_waiting.clear()
        self.num_inst, self.sum_metric = 0, 0.0
        self.global_num_inst, self.global_sum_metric = 0, 0.0

    def reset_local(self) -> None:
        """Starts the local totals anew; the global ones go on.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.reset_local()
            >>> error.get(), error.get_global()
            (('mae', nan), ('mae', 1.5))
        """
        self.num_inst, self.sum_metric = 0, 0.0

    def get(self) -> tuple[NameOrNames, Any]:
        """Returns the name and the value since `reset_local`, nan before any batch.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.get()
            ('mae', 1.5)
        """
        return self.name, self._mx_value(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[NameOrNames, Any]:
        """Returns the name and the value since `reset`, nan before any batch.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.reset_local()  # as `Speedometer` does after a message
            >>> error.get(), error.get_global()
            (('mae', nan), ('mae', 1.5))
        """
        if not self._has_global_stats:
            return self.get()
        return self.name, self._mx_value(self.global_sum_metric, self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, Any]]:
        """Returns what `get` does as a list of pairs.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.get_name_value()
            [('mae', 1.5)]
        """
        return _pairs(*self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """Returns what `get_global` does as a list of pairs.

        Example:
            >>> import mxnet as mx
            >>> error = mx.metric.MAE()
            >>> error.update([mx.nd.array([1, 2])], [mx.nd.array([1, 5])])
            >>> error.reset_local()
            >>> error.get_global_name_value()
            [('mae', 1.5)]
        """
        return _pairs(*self.get_global())

    def _mx_value(self, total: Any, count: Any) -> Any:
        """Turns totals into the value of the metric."""
        if not count:
            return math.nan
        value = total / count
        return Score(value) if isinstance(value, numpy.floating) else value

    def _mx_add(self, total: Tensor, count: float | Tensor) -> None:
        """Adds a sum and a number of samples to the local and the global totals."""
        if total.device.type == "cpu":
            self._mx_count(
                numpy.float64(total), float(count) if isinstance(count, Tensor) else count
            )
            return
        self._mx_waiting.append((total, count))
        if len(self._mx_waiting) > _MAX_WAITING:
            self._mx_fetch()

    def _mx_count(self, total: float, count: float) -> None:
        self._mx_sum_metric += total
        self._mx_num_inst += count
        self._mx_global_sum_metric += total
        self._mx_global_num_inst += count

    def _mx_fetch(self) -> None:
        """Adds what waits on devices, with one transfer for each kind of device and number."""
        waiting = self.__dict__.get("_mx_waiting")
        if not waiting:
            return
        self._mx_waiting = []
        totals = fetch([total for total, _ in waiting])
        counts = iter(fetch([count for _, count in waiting if isinstance(count, Tensor)]))
        for total, (_, count) in zip(totals, waiting, strict=True):
            self._mx_count(
                numpy.float64(total), next(counts) if isinstance(count, Tensor) else count
            )


def fetch(scalars: Sequence[Tensor]) -> list[float]:
    """Returns the values of scalar tensors, with one transfer if they are alike."""
    if not scalars:
        return []
    first = scalars[0]
    alike = all(item.device == first.device and item.dtype == first.dtype for item in scalars)
    values: list[float] = (
        torch.stack(tuple(scalars)).tolist() if alike else [item.item() for item in scalars]
    )
    return values


def choose(arrays: Mapping[str, Any], names: Names) -> list[Any]:
    """Returns the arrays with these names, or all."""
    return list(arrays.values()) if names is None else [arrays[name] for name in names]


def _pairs(names: NameOrNames, values: Any) -> list[tuple[str, Any]]:
    if not isinstance(names, list):
        names = [names]
    if not isinstance(values, list):
        values = [values]
    return list(zip(names, values, strict=False))


def check_label_shapes(
    labels: Arrays, preds: Arrays, wrap: bool = False, shape: bool = False
) -> tuple[Any, Any]:
    """Checks that there are as many outputs as labels.

    Args:
        labels: A list of arrays, or an array.
        preds: A list of arrays, or an array.
        wrap: Whether to turn a single array into a list.
        shape: Whether to compare the shapes of two arrays instead of lengths.

    Returns:
        Labels and outputs, as lists if `wrap` is set.

    Raises:
        ValueError: if they do not fit.

    Example:
        >>> import mxnet as mx
        >>> labels, outputs = mx.metric.check_label_shapes(mx.nd.ones(2), mx.nd.ones(2), wrap=True)
        >>> len(labels), len(outputs)
        (1, 1)
        >>> mx.metric.check_label_shapes([mx.nd.ones(2)], [])
        Traceback (most recent call last):
            ...
        mxnet.errors.ShapeMismatchError: metric: labels and predictions differ in length: 1 and 0
    """
    sizes = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if sizes[0] != sizes[1]:
        what = "shape" if shape else "length"
        raise ShapeMismatchError(
            f"metric: labels and predictions differ in {what}: {sizes[0]} and {sizes[1]}"
        )
    if wrap:
        return as_list(labels), as_list(preds)
    return labels, preds


def as_list(arrays: Arrays) -> Any:
    """Returns a list of arrays as it is, an array as a list of one."""
    return [arrays] if isinstance(arrays, Array) else arrays


def tensor_of(array: Any) -> Tensor:
    """Returns the tensor to compute with, outside of any graph."""
    if isinstance(array, Array):
        raise_if_failed(array)
        return array._plain
    if isinstance(array, Tensor):
        return array.detach()
    try:
        tensor = torch.as_tensor(numpy.asarray(array))
    except (TypeError, ValueError) as error:
        array_type = type(array).__name__
        raise UnsupportedTypeError(f"metric: expected arrays, got {array_type}: {error}") from error
    if tensor.is_complex():
        raise UnsupportedTypeError("metric: expected real numbers, got complex ones")
    return tensor


def as_float(tensor: Tensor) -> Tensor:
    """Returns numbers precise enough to be summed: float32 for integers and narrower floats."""
    return tensor.to(torch.promote_types(tensor.dtype, torch.float32))


def pair(labels: Arrays, preds: Arrays) -> Iterator[tuple[Tensor, Tensor]]:
    """Returns the tensors of each label and its output, both where the output is.

    Raises:
        ValueError: if there are not as many outputs as labels.
    """
    for label, pred in zip(*check_label_shapes(labels, preds, True), strict=True):
        output = tensor_of(pred)
        yield tensor_of(label).to(output.device), output


register = registry.get_register_func(EvalMetric, "metric")
alias = registry.get_alias_func(EvalMetric, "metric")
create_registered = registry.get_create_func(EvalMetric, "metric")

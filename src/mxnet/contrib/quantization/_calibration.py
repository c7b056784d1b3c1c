"""Collects what ranges are found from, while a network on floats runs on data of calibration."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from mxnet.base import py_str
from mxnet.errors import (
    ArgumentValueError,
    CheckFailedError,
    UndefinedMethodError,
    UnsupportedTypeError,
)
from mxnet.io import DataIter
from mxnet.module import Module
from mxnet.ndarray import NDArray, array
from mxnet.ndarray.contrib import calibrate_entropy  # type: ignore[attr-defined]  # a generated function
from mxnet.symbol import Symbol

Log: TypeAlias = Any
"""A logger, or the module `logging`."""
Histogram: TypeAlias = tuple[npt.NDArray[Any], npt.NDArray[Any], Any, Any, Any]
"""Counts, edges of the bins, smallest and largest element, and the largest edge."""

NUM_BINS = 8001


class CalibrationCollector:
    """Base of collectors of programs that find the ranges of layers by rules of their own.

    One is given as `LayerOutputCollector` with `calib_mode="custom"`.

    Attributes:
        include_layers: Names of the outputs whose ranges are asked for, when it is used.
        min_max_dict: Smallest and largest value by name.

    Example:
        >>> import mxnet as mx
        >>> class Whole(mx.contrib.quantization.CalibrationCollector):
        ...     def collect(self, name, op_name, arr):
        ...         if name in self.include_layers:
        ...             self.min_max_dict[name] = -1.0, 1.0
        >>> Whole().post_collect()
        {}
    """

    def __init__(self) -> None:
        self.include_layers: Collection[str] | None = None
        self.min_max_dict: dict[str, tuple[Any, Any]] = {}

    def collect(self, name: str, op_name: str, arr: NDArray) -> None:
        """Looks at an output of a layer; a derived class defines it.

        Args:
            name: Name of the output.
            op_name: Name of the operator.
            arr: The output.
        """
        del name, op_name, arr
        raise UndefinedMethodError(f"{type(self).__name__} does not define collect")

    def post_collect(self) -> dict[str, tuple[Any, Any]]:
        """Returns the ranges when all data have been seen."""
        return self.min_max_dict


class NamedOperators:
    """Shows a collector of MXNet 2 what one of 1.9.1 is shown, with the names of operators.

    Args:
        collector: The collector.
        graph: The graph whose outputs it is shown.
        include_layers: Names of outputs that it is to look at.
    """

    def __init__(
        self, collector: CalibrationCollector, graph: Symbol, include_layers: Collection[str]
    ) -> None:
        collector.include_layers = include_layers
        self._collector = collector
        self._operators = {
            f"{node.name}_output": node.op.name for node in graph._graph.nodes if node.op
        }

    def collect(self, name: str | bytes, arr: NDArray) -> None:
        """Hands an output on."""
        name = _as_name(name)
        self._collector.collect(name, self._operators.get(name, ""), arr)

    @property
    def min_max_dict(self) -> dict[str, tuple[Any, Any]]:
        """The ranges."""
        return self._collector.post_collect()


class LayerHistogramCollector:
    """Counts how often outputs of layers have which values, for `calib_mode="entropy"`.

    `collect` is given to `Executor.set_monitor_callback`.

    Args:
        num_bins: Number of bins that a histogram begins with; it grows with the values.
        include_layer: Names of outputs to look at; all if not given.
        logger: Is told at level DEBUG what is collected.

    Attributes:
        hist_dict: A histogram by name of the output.
    """

    def __init__(
        self,
        num_bins: int = NUM_BINS,
        include_layer: Collection[str] | None = None,
        logger: Log = None,
    ) -> None:
        self.hist_dict: dict[str, Histogram] = {}
        self.num_bins = num_bins
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str | bytes, arr: NDArray) -> None:
        """Adds the elements of an output to its histogram."""
        name = _as_name(name)
        if self.include_layer is not None and name not in self.include_layer:
            return
        elements = arr.asnumpy()
        if self.logger:
            self.logger.debug(f"Collecting layer {name} histogram of shape {elements.shape}")
        low, high = np.min(elements), np.max(elements)
        edge = max(abs(low), abs(high))
        if name in self.hist_dict:
            self.hist_dict[name] = combine_histogram(
                self.hist_dict[name], elements, low, high, edge
            )
        else:
            counts, edges = _count(elements, self.num_bins, edge)
            self.hist_dict[name] = (counts, edges, low, high, edge)


class LayerOutputMinMaxCollector:
    """Notes the smallest and largest element of outputs of layers, for `calib_mode="naive"`.

    `collect` is given to `Executor.set_monitor_callback`.

    Args:
        quantized_dtype: What integers the network gets.
        include_layer: Names of outputs to look at; all if not given.
        logger: Is told at level DEBUG what is collected.

    Attributes:
        min_max_dict: Smallest and largest element by name of the output.
    """

    def __init__(
        self, quantized_dtype: str, include_layer: Collection[str] | None = None, logger: Log = None
    ) -> None:
        self.min_max_dict: dict[str, tuple[Any, Any]] = {}
        self.quantized_dtype = quantized_dtype
        self.include_layer = include_layer
        self.logger = logger

    def collect(self, name: str | bytes, arr: NDArray) -> None:
        """Widens the range of an output by its elements."""
        name = _as_name(name)
        if self.include_layer is not None and name not in self.include_layer:
            return
        elements = arr.asnumpy()
        low, high = np.min(elements), np.max(elements)
        if name in self.min_max_dict:
            known = self.min_max_dict[name]
            self.min_max_dict[name] = (min(known[0], low), max(known[1], high))
        else:
            self.min_max_dict[name] = (low, high)
        if self.logger:
            self.logger.debug(f"Collecting layer {name} min_range={low:f}, max_range={high:f}")


def _count(
    elements: npt.NDArray[Any], num_bins: int, edge: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Returns how many elements are in each of some bins around zero, and the edges of the bins.

    Edges are computed in double precision and rounded then, whatever the element type: so did NumPy
    before version 2, with which the original runs. An edge decides about elements next to it.
    """
    return np.histogram(elements, bins=num_bins, range=(-float(edge), float(edge)))


def _as_name(name: str | bytes) -> str:
    return py_str(name) if isinstance(name, bytes) else name


def combine_histogram(
    old_hist: Histogram, arr: npt.NDArray[Any], new_min: Any, new_max: Any, new_th: Any
) -> Histogram:
    """Adds elements to a histogram around zero, which grows by as many bins as they need.

    Args:
        old_hist: Counts, edges of the bins, smallest and largest element, and the largest edge.
        arr: The elements.
        new_min: Smallest of them.
        new_max: Largest of them.
        new_th: Largest absolute value among them.

    Returns:
        The new histogram, of bins of the same width.

    Example:
        >>> import numpy as np
        >>> import mxnet as mx
        >>> counts, edges = np.histogram([-1, 2], bins=4, range=(-2, 2))
        >>> old = (counts, edges, -1, 2, 2)
        >>> combined = mx.contrib.quantization.combine_histogram(old, np.array([3.0]), 3, 3, 3)
        >>> combined[0].tolist()
        [0, 0, 0, 1, 0, 1, 0, 1]
    """
    counts, edges, old_min, old_max, old_th = old_hist
    low, high = min(old_min, new_min), max(old_max, new_max)
    if new_th <= old_th:
        added, _ = _count(arr, len(counts), old_th)
        return counts + added, edges, low, high, old_th
    width = 2 * float(old_th) / len(counts)
    grown = int((float(new_th) - float(old_th)) // width) + 1 if width else 0
    if not grown:  # all elements up to now were zero, and their bins have no width
        return _start_again(counts, arr, low, high, new_th)
    edge = grown * width + float(old_th)
    combined, edges = _count(arr, len(counts) + 2 * grown, edge)
    combined[grown : len(combined) - grown] += counts
    return combined, edges, low, high, edge


def _start_again(
    zeros: npt.NDArray[Any], arr: npt.NDArray[Any], low: Any, high: Any, edge: Any
) -> Histogram:
    """Returns a histogram of elements and of the zeros of one before."""
    counts, edges = _count(arr, len(zeros), edge)
    counts[len(counts) // 2] += zeros.sum()
    return counts, edges, low, high, edge


_NUM_QUANTIZED_BINS = 255


def smooth_distribution(p: npt.NDArray[Any], eps: float = 0.0001) -> npt.NDArray[Any]:
    """Returns a distribution without zeros, which takes a little from all other entries.

    Args:
        p: The distribution.
        eps: What zeros become.

    Raises:
        ArgumentValueError: if all entries are zero.
        CheckFailedError: if the entries are too small to take from them.
    """
    zeros = (p == 0).astype(np.float32)
    num_zeros = zeros.sum()
    num_others = p.size - num_zeros
    if not num_others:
        raise ArgumentValueError("smooth_distribution: expected an entry above 0, got none")
    taken = eps * float(num_zeros) / float(num_others)
    smooth: npt.NDArray[Any] = p.astype(np.float32) + eps * zeros - taken * (1 - zeros)
    if taken >= 1.0 or (smooth <= 0).any():
        raise CheckFailedError(f"smooth_distribution: expected larger entries for {eps=}, got {p}")
    return smooth


def get_optimal_threshold(
    hist_data: Histogram, quantized_dtype: str, num_quantized_bins: int = _NUM_QUANTIZED_BINS
) -> tuple[Any, Any, npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    """Finds the largest number that integers should stand for, by relative entropy.

    Args:
        hist_data: Histogram of the elements.
        quantized_dtype: What integers are; those without a sign use all of their values for
            elements that are not negative.
        num_quantized_bins: Number of values that integers have.

    Returns:
        The smallest and the largest element, the threshold, and the divergence there.
    """
    counts, edges, low, high, _ = hist_data
    if low >= 0 and quantized_dtype in ("auto", "uint8"):
        num_quantized_bins = 2 * num_quantized_bins + 1
    threshold, divergence = calibrate_entropy(
        array(counts), array(edges), num_quantized_bins=num_quantized_bins
    )
    return low, high, threshold.asnumpy(), divergence.asnumpy()


def get_optimal_thresholds(
    hist_dict: dict[str, Histogram],
    quantized_dtype: str,
    num_quantized_bins: int = _NUM_QUANTIZED_BINS,
    logger: Log = None,
) -> dict[str, tuple[Any, Any]]:
    """Finds the ranges of all outputs whose histograms are known.

    Args:
        hist_dict: Histograms by name, which are removed, as they take much memory.
        quantized_dtype: What integers are.
        num_quantized_bins: Number of values that integers have.
        logger: Is told what is found.

    Returns:
        Smallest and largest number by name.
    """
    if logger is not None:
        logger.info(
            "Calculating optimal thresholds for quantization using KL divergence "
            f"with num_quantized_bins={num_quantized_bins}"
        )
    ranges: dict[str, tuple[Any, Any]] = {}
    for name in list(hist_dict):
        low, high, threshold, divergence = get_optimal_threshold(
            hist_dict.pop(name), quantized_dtype, num_quantized_bins
        )
        has_no_sign = low >= 0 and quantized_dtype in ("auto", "uint8")
        ranges[name] = (0 if has_no_sign else -threshold, threshold)
        if logger:
            logger.debug(
                f"layer={name}, min_val={low:f}, max_val={high:f}, th={threshold.item():f}, "
                f"divergence={divergence.item():f}"
            )
    return ranges


class Collector(Protocol):
    """What is shown outputs of layers."""

    def collect(self, name: Any, arr: NDArray) -> None:
        """Looks at an output."""


def collect_layer_statistics(
    mod: Module,
    data: DataIter,
    collector: Collector,
    max_num_examples: int | None = None,
    logger: Log = None,
) -> int:
    """Shows a collector what the layers of a module compute.

    Args:
        mod: The module, which is bound for prediction.
        data: Batches.
        collector: Its `collect` is called with names and arrays.
        max_num_examples: Number of examples after which to stop; all if not given.
        logger: Is told how many batches were used.

    Returns:
        The number of examples.

    Raises:
        TypeError: if the data are not a `DataIter`.
    """
    if not isinstance(data, DataIter):
        raise UnsupportedTypeError(
            f"collect_layer_statistics: expected a DataIter, got {type(data)}"
        )
    mod._exec_group.execs[0].set_monitor_callback(collector.collect, monitor_all=True)
    num_batches = num_examples = 0
    for batch in data:
        mod.forward(data_batch=batch, is_train=False)
        num_batches += 1
        num_examples += data.batch_size
        if max_num_examples is not None and num_examples >= max_num_examples:
            break
    if logger is not None:
        logger.info(f"Collected statistics from {num_batches} batches of {data.batch_size}")
    return num_examples


def collect_layer_output_min_max(
    mod: Module,
    data: DataIter,
    quantized_dtype: str,
    include_layer: Collection[str] | None = None,
    max_num_examples: int | None = None,
    logger: Log = None,
) -> tuple[dict[str, tuple[Any, Any]], int]:
    """Returns smallest and largest elements of outputs by name, and the number of examples."""
    collector = LayerOutputMinMaxCollector(quantized_dtype, include_layer, logger)
    num_examples = collect_layer_statistics(mod, data, collector, max_num_examples, logger)
    return collector.min_max_dict, num_examples


def collect_layer_histogram(
    mod: Module,
    data: DataIter,
    include_layer: Collection[str] | None = None,
    max_num_examples: int | None = None,
    logger: Log = None,
) -> tuple[dict[str, Histogram], int]:
    """Returns histograms of outputs by name, and the number of examples."""
    collector = LayerHistogramCollector(include_layer=include_layer, logger=logger)
    num_examples = collect_layer_statistics(mod, data, collector, max_num_examples, logger)
    return collector.hist_dict, num_examples

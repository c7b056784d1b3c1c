"""Runs a module on data of calibration and collects what its layers compute."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Protocol

from mxnet.contrib.quantization._collectors import (
    Histogram,
    LayerHistogramCollector,
    LayerOutputMinMaxCollector,
    Log,
)
from mxnet.errors import UnsupportedTypeError
from mxnet.io import DataIter
from mxnet.module import Module
from mxnet.ndarray import NDArray


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

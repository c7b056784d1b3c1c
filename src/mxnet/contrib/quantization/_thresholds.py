"""Ranges from histograms: where to cut off so that integers keep most of what floats tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mxnet.contrib.quantization._collectors import Histogram, Log
from mxnet.errors import ArgumentValueError, CheckFailedError
from mxnet.ndarray import array
from mxnet.ndarray.contrib import (  # type: ignore[attr-defined]  # a generated function
    calibrate_entropy,
)

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

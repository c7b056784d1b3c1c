"""Imports the modules whose converters fill the table."""

from mxnet.onnx._import import (
    activations,
    combining,
    control,
    convolution,
    detection,
    elementwise,
    indexing,
    linear,
    normalization,
    pooling,
    randoms,
    recurrent,
    reduction,
    refused,
    resizing,
    shaping,
)

__all__ = [
    "activations",
    "combining",
    "control",
    "convolution",
    "detection",
    "elementwise",
    "indexing",
    "linear",
    "normalization",
    "pooling",
    "randoms",
    "recurrent",
    "reduction",
    "refused",
    "resizing",
    "shaping",
]

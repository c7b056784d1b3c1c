"""The example digits: 5,000 handwritten digits to train on and 1,000 to test on, from MNIST."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from mxnet import nd

FOLDER = Path(__file__).resolve().parent / "data" / "digits"


def load(part: str) -> tuple[nd.NDArray, nd.NDArray]:
    """Reads `"train"` or `"t10k"`: images of shape (n, 1, 28, 28) in [0, 1], and labels."""
    images = gzip.decompress((FOLDER / f"{part}-images-idx3-ubyte.gz").read_bytes())
    labels = gzip.decompress((FOLDER / f"{part}-labels-idx1-ubyte.gz").read_bytes())
    pixels = np.frombuffer(images, np.uint8, offset=16).reshape(-1, 1, 28, 28)
    return nd.array(pixels / 255), nd.array(np.frombuffer(labels, np.uint8, offset=8))


def batches(
    images: nd.NDArray, labels: nd.NDArray, batch_size: int
) -> Iterator[tuple[nd.NDArray, nd.NDArray]]:
    """Yields the examples in random order, a batch at a time."""
    order = nd.array(np.random.permutation(len(images)))
    for start in range(0, len(images), batch_size):
        chosen = order[start : start + batch_size]
        yield images.take(chosen), labels.take(chosen)

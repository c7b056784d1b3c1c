"""Writes images into batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._opencv import cv2
from mxnet.io._augment import Draws, Image
from mxnet.io._image_options import ImageOptions

Values = np.ndarray[Any, np.dtype[Any]]


class Scaling:
    """Writes pixels into a batch: flipped or not, red first, minus the mean, scaled.

    A pixel has only 256 values, so results are looked up in a table for each channel, unless a
    mean image is subtracted.

    Args:
        options: What to subtract and multiply by, and how to flip.
        dtype: Element type of the batch.
        mean_image: Image to subtract, instead of one number for each channel.
    """

    def __init__(self, options: ImageOptions, dtype: str, mean_image: Values | None = None) -> None:
        self._options = options
        self._dtype = np.dtype(dtype)
        channels = options.data_shape[0]
        self._order = (2, 1, 0, 3)[:channels] if channels > 1 else (0,)
        means = (options.mean_r, options.mean_g, options.mean_b, options.mean_a)
        deviations = (options.std_r, options.std_g, options.std_b, options.std_a)
        self._mean = np.array(means[:channels], np.float32)[:, None]
        self._factor = np.float32(options.scale) / np.array(deviations[:channels], np.float32)
        self._mean_image = mean_image
        self._is_random = bool(options.max_random_contrast or options.max_random_illumination)
        changes = self._is_random or self._mean.any() or bool(np.any(self._factor != 1))
        is_looked_up = dtype == "int8" or (dtype == "float32" and changes)
        self._tables = self._make_tables(np.float32(1), np.float32(0)) if is_looked_up else None

    def _make_tables(self, contrast: Any, illumination: Any) -> Values:
        values = np.arange(256, dtype=np.float32)
        shifted = (values - self._mean) * contrast + illumination
        tables = shifted * self._factor[:, None]
        if self._dtype == np.int8:
            tables = np.clip(tables, -128, 127)
        return np.asarray(tables, self._dtype)

    def write(self, image: Image, draws: Draws, target: Values) -> None:
        """Writes an image into its place."""
        options = self._options
        flips = options.mirror or (options.rand_mirror and draws.integer(0, 1))
        contrast = illumination = None
        if self._is_random:
            limits = options.max_random_contrast, options.max_random_illumination
            contrast = np.float32(1 + draws.uniform(-limits[0], limits[0]))
            illumination = np.float32(draws.uniform(-limits[1], limits[1]))
        if self._mean_image is not None and self._dtype != np.uint8:
            self._write_difference(image, contrast, illumination, target)
            if flips:
                target[:] = target[..., ::-1].copy()
            return
        tables = self._tables
        if tables is not None and self._is_random:
            tables = self._make_tables(contrast, illumination)
        planes = cv2.split(cv2.flip(image, 1) if flips else image)
        for place, source in enumerate(self._order):
            if tables is None:
                np.copyto(target[place], planes[source])
            else:
                cv2.LUT(planes[source], tables[place], target[place])

    def _write_difference(
        self, image: Image, contrast: Any, illumination: Any, target: Values
    ) -> None:
        planes = np.stack([cv2.split(image)[source] for source in self._order])
        difference = planes - np.asarray(self._mean_image)
        if contrast is not None:
            difference = difference * contrast + illumination
        difference *= self._factor[:, None, None]
        if self._dtype == np.int8:
            difference = np.clip(difference, -128, 127)
        np.copyto(target, difference, casting="unsafe")

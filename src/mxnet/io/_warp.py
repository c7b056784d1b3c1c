"""Affine maps of images with the arithmetic of OpenCV 3 and 4.

OpenCV 5 interpolates at exact coordinates. Earlier versions rounded them to 1/32 of a pixel, which
changes results by a few grey levels; record files are read as the original reads them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mxnet._opencv import cv2

Image = np.ndarray[Any, np.dtype[Any]]

_PLACE_BITS = 10
_FRACTION_BITS = 5
_STEPS = 1 << _FRACTION_BITS


def warp_affine(
    image: Image, matrix: Image, size: tuple[int, int], method: int, colour: tuple[int, ...]
) -> Image:
    """Moves the pixels of an image.

    Args:
        image: Image of any number of channels.
        matrix: Affine matrix of shape `(2, 3)`, from the image to the result.
        size: Width and height of the result.
        method: OpenCV's code of the interpolation.
        colour: Colour of pixels that come from outside of the image.
    """
    back = cv2.invertAffineTransform(matrix.astype(np.float64))
    if method == cv2.INTER_NEAREST:
        places, fractions = _places(back, size, 0), np.empty(0, np.uint16)
    else:
        fine = _places(back, size, _FRACTION_BITS)
        places = fine >> _FRACTION_BITS
        rest = fine & (_STEPS - 1)
        fractions = (rest[..., 1] * _STEPS + rest[..., 0]).astype(np.uint16)
    if method == cv2.INTER_AREA:
        method = cv2.INTER_LINEAR
    return cv2.remap(
        image,
        places.astype(np.int16),
        fractions,
        method,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=colour,
    )


def _places(back: Image, size: tuple[int, int], bits: int) -> Image:
    """Returns where every pixel of the result comes from, in steps of 1/2**bits."""
    dropped = _PLACE_BITS - bits
    x, y = np.arange(size[0])[None, :, None], np.arange(size[1])[:, None, None]
    across = np.rint(back[:, 0] * x * (1 << _PLACE_BITS)).astype(np.int32)
    down = np.rint((back[:, 1] * y + back[:, 2]) * (1 << _PLACE_BITS)).astype(np.int32)
    return np.asarray((across + down + (1 << dropped - 1)) >> dropped)

"""Augmenters: callables that change an image, at random or always in the same way.

Random numbers come from Python's `random`, so a program that seeds it gets what it got from the
original.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from math import cos, pi, sin
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet._frontend.dialect import functions_for, in_dialect_of
from mxnet._start import PublicInit
from mxnet.errors import InvalidArgumentError
from mxnet.image._geometry import (
    Range,
    Size,
    center_crop,
    color_normalize,
    imresize,
    random_crop,
    random_size_crop,
    renamed_area,
    resize_short,
)
from mxnet.image._geometry import _get_interp_method as interp_method
from mxnet.ndarray import NDArray
from mxnet.ops.image.color import LUMINANCE, PRINCIPAL_AXES, PRINCIPAL_DEVIATIONS
from mxnet.ops.image.resize import CUBIC


def jsonable(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns options with arrays as lists, as they are written to JSON."""
    return {
        name: value.asnumpy().tolist()
        if isinstance(value, NDArray)
        else value.tolist()
        if isinstance(value, np.ndarray)
        else value
        for name, value in options.items()
    }


class Described(PublicInit):
    """What augmenters of images and those for detection share: they tell their options.

    Args:
        **kwargs: The options, for `dumps`.
    """

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = jsonable(kwargs)

    def dumps(self) -> Any:
        """Returns name and options as JSON; of an augmenter made of others, as a list."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])


class Augmenter(Described):
    """Base of augmenters of images.

    Args:
        **kwargs: The options, for `dumps`.

    Example:
        >>> import mxnet as mx
        >>> class Negative(mx.image.Augmenter):
        ...     def __call__(self, src):
        ...         return 255 - src
        >>> print(Negative()(mx.nd.array([[[0, 55, 255]]])).asnumpy())
        [[[255. 200.   0.]]]
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image; every augmenter has its own way."""
        raise NotImplementedError(f"{type(self).__name__} does not say how to change an image")


class SequentialAug(Augmenter):
    """Applies augmenters one after the other.

    Args:
        ts: The augmenters.

    Example:
        >>> import mxnet as mx
        >>> both = mx.image.SequentialAug([mx.image.ResizeAug(8), mx.image.CenterCropAug((5, 5))])
        >>> both(mx.nd.zeros((4, 6, 3))).shape
        (5, 5, 3)
    """

    def __init__(self, ts: list[Augmenter]) -> None:
        super().__init__()
        self.ts = ts

    def dumps(self) -> Any:
        """Returns the name and what the augmenters give."""
        return [type(self).__name__.lower(), [augmenter.dumps() for augmenter in self.ts]]

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        for augmenter in self.ts:
            src = augmenter(src)
        return src


class RandomOrderAug(SequentialAug):
    """Applies augmenters in random order.

    Args:
        ts: The augmenters; the list is shuffled.

    Example:
        >>> import mxnet as mx
        >>> both = mx.image.RandomOrderAug([mx.image.CastAug(), mx.image.HorizontalFlipAug(p=0.5)])
        >>> both(mx.nd.zeros((4, 6, 3), dtype="uint8")).dtype
        <class 'numpy.float32'>
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        random.shuffle(self.ts)
        return super().__call__(src)


class ResizeAug(Augmenter):
    """Scales the shorter edge to a size.

    Args:
        size: New size of the shorter edge.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> mx.image.ResizeAug(8)(mx.nd.zeros((4, 6, 3))).shape
        (8, 12, 3)
    """

    def __init__(self, size: int, interp: int = CUBIC) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return resize_short(src, self.size, self.interp)


class _SizedAug(Augmenter):
    """An augmenter that gives images of one size.

    Args:
        size: Width and height.
        interp: Interpolation, see `imresize`.
    """

    def __init__(self, size: Size, interp: int = CUBIC) -> None:
        super().__init__(size=size, interp=interp)
        self.size, self.interp = size, interp


class ForceResizeAug(_SizedAug):
    """Scales to a width and a height, whatever the ratio.

    Args:
        size: New width and height.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> mx.image.ForceResizeAug((5, 8))(mx.nd.zeros((4, 6, 3))).shape
        (8, 5, 3)
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        width, height = self.size
        method = interp_method(self.interp, (*src.shape[:2], height, width))
        return imresize(src, width, height, interp=method)


class RandomCropAug(_SizedAug):
    """Cuts a rectangle out at a random place.

    Args:
        size: Width and height.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> mx.image.RandomCropAug((3, 2))(mx.nd.zeros((4, 6, 3))).shape
        (2, 3, 3)
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """Cuts a rectangle of random size, shape and place out, and scales it.

    Args:
        size: Width and height of the result.
        area: Least part of the image to take, or least and largest.
        ratio: Least and largest ratio of width to height.
        interp: Interpolation, see `imresize`.
        **kwargs: `min_area`, the old name of `area`.

    Example:
        >>> import mxnet as mx
        >>> cut = mx.image.RandomSizedCropAug((32, 24), area=(0.5, 1), ratio=(0.75, 1.33))
        >>> cut(mx.nd.zeros((60, 80, 3))).shape
        (24, 32, 3)
    """

    def __init__(
        self, size: Size, area: float | Range, ratio: Range, interp: int = CUBIC, **kwargs: Any
    ) -> None:
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size = size
        self.area = renamed_area("RandomSizedCropAug", area, kwargs)
        self.ratio, self.interp = ratio, interp

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp)[0]


class CenterCropAug(_SizedAug):
    """Cuts out the middle.

    Args:
        size: Width and height.
        interp: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> mx.image.CenterCropAug((3, 2))(mx.nd.zeros((4, 6, 3))).shape
        (2, 3, 3)
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return center_crop(src, self.size, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Mirrors an image sideways with some probability.

    Args:
        p: The probability.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.array([1, 2, 3]).reshape((1, 3, 1))
        >>> print(mx.image.HorizontalFlipAug(p=1)(image).reshape(-1).asnumpy())
        [3. 2. 1.]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return functions_for(src).flip(src, axis=1) if random.random() < self.p else src


class CastAug(Augmenter):
    """Converts an image to another element type.

    Args:
        typ: The element type.

    Example:
        >>> import mxnet as mx
        >>> image = mx.nd.zeros((4, 6, 3), dtype="uint8")
        >>> mx.image.CastAug()(image).dtype
        <class 'numpy.float32'>
    """

    def __init__(self, typ: Any = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return src.astype(self.typ)


GREY = (0.21, 0.72, 0.07)
TO_YIQ = (LUMINANCE, (0.596, -0.274, -0.321), (0.211, -0.523, 0.311))
FROM_YIQ = ((1.0, 0.956, 0.621), (1.0, -0.272, -0.647), (1.0, -1.107, 1.705))
"""To brightness and two coordinates of colour, and back."""

IMAGENET_MEAN = (123.68, 116.28, 103.53)
IMAGENET_STD = (58.395, 57.12, 57.375)


class BrightnessJitterAug(Augmenter):
    """Multiplies an image by a random factor, in place.

    Args:
        brightness: Largest difference of the factor from 1.

    Example:
        >>> import mxnet as mx
        >>> image = mx.image.BrightnessJitterAug(0.2)(mx.nd.full((2, 2, 3), 100))
        >>> bool(image.min() >= 80), bool(image.max() <= 120)
        (True, True)
    """

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness=brightness)
        self.brightness = brightness

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        src *= 1.0 + random.uniform(-self.brightness, self.brightness)
        return src


class ContrastJitterAug(Augmenter):
    """Multiplies the distance of an image of floats to its mean grey by a random factor, in place.

    Args:
        contrast: Largest difference of the factor from 1.

    Example:
        >>> import mxnet as mx
        >>> image = mx.image.ContrastJitterAug(0.2)(mx.nd.full((2, 2, 3), 100))
        >>> print(image[0, 0].asnumpy().round())
        [100. 100. 100.]
    """

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast=contrast)
        self.contrast = contrast
        self.coef = nd.array([[LUMINANCE]])

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        factor = 1.0 + random.uniform(-self.contrast, self.contrast)
        pixels = src.shape[0] * src.shape[1]
        grey = functions_for(src).sum(src * in_dialect_of(self.coef, src))
        shift = grey * ((1.0 - factor) / pixels)
        src *= factor
        src += shift
        return src


class SaturationJitterAug(Augmenter):
    """Multiplies the distance of an image of floats to its grey by a random factor, in place.

    Args:
        saturation: Largest difference of the factor from 1.

    Example:
        >>> import mxnet as mx
        >>> image = mx.image.SaturationJitterAug(0.2)(mx.nd.full((2, 2, 3), 100))
        >>> print(image[0, 0].asnumpy().round())
        [100. 100. 100.]
    """

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation=saturation)
        self.saturation = saturation
        self.coef = nd.array([[LUMINANCE]])

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        factor = 1.0 + random.uniform(-self.saturation, self.saturation)
        colours = src * in_dialect_of(self.coef, src)
        shift = functions_for(src).sum(colours, axis=2, keepdims=True) * (1.0 - factor)
        src *= factor
        src += shift
        return src


class HueJitterAug(Augmenter):
    """Turns the colours of an image of floats by a random angle.

    Args:
        hue: Largest angle, in half turns.

    Example:
        >>> import mxnet as mx
        >>> mx.image.HueJitterAug(0.1)(mx.nd.full((2, 2, 3), 100)).shape
        (2, 2, 3)
    """

    def __init__(self, hue: float) -> None:
        super().__init__(hue=hue)
        self.hue = hue
        self.tyiq = np.array(TO_YIQ)
        self.ityiq = np.array(FROM_YIQ)

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        angle = random.uniform(-self.hue, self.hue) * pi
        turn = np.eye(3)
        turn[1:, 1:] = [[cos(angle), -sin(angle)], [sin(angle), cos(angle)]]
        matrix = nd.array((self.ityiq @ turn @ self.tyiq).T)
        turned: NDArray = functions_for(src).dot(src, in_dialect_of(matrix, src))
        return turned


class ColorJitterAug(RandomOrderAug):
    """Changes brightness, contrast and saturation at random, in random order.

    Args:
        brightness: Largest difference of the factor from 1; 0 for no change.
        contrast: Largest difference of the factor from 1; 0 for no change.
        saturation: Largest difference of the factor from 1; 0 for no change.

    Example:
        >>> import mxnet as mx
        >>> jitter = mx.image.ColorJitterAug(brightness=0.2, contrast=0.2, saturation=0.2)
        >>> jitter(mx.nd.full((2, 2, 3), 100)).shape
        (2, 2, 3)
    """

    def __init__(self, brightness: float, contrast: float, saturation: float) -> None:
        steps: list[Augmenter] = []
        if brightness > 0:
            steps.append(BrightnessJitterAug(brightness))
        if contrast > 0:
            steps.append(ContrastJitterAug(contrast))
        if saturation > 0:
            steps.append(SaturationJitterAug(saturation))
        super().__init__(steps)


class LightingAug(Augmenter):
    """Moves the colours of an image of floats at random along principal axes, in place.

    Args:
        alphastd: Deviation of the random distances.
        eigval: Deviation of the colours along each axis.
        eigvec: The axes, as columns.

    Example:
        >>> import mxnet as mx
        >>> axes = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
        >>> lighting = mx.image.LightingAug(alphastd=0.1, eigval=[55, 5, 1], eigvec=axes)
        >>> lighting(mx.nd.full((2, 2, 3), 100)).shape
        (2, 2, 3)
    """

    def __init__(self, alphastd: float, eigval: Any, eigvec: Any) -> None:
        super().__init__(alphastd=alphastd, eigval=eigval, eigvec=eigvec)
        self.alphastd, self.eigval, self.eigvec = alphastd, eigval, eigvec

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        distances = np.random.normal(0, self.alphastd, size=(3,))
        axes, deviations = (
            item.asnumpy() if isinstance(item, NDArray) else np.asarray(item)
            for item in (self.eigvec, self.eigval)
        )
        src += in_dialect_of(nd.array(axes @ (distances * deviations)), src)
        return src


class ColorNormalizeAug(Augmenter):
    """Subtracts a mean from an image of floats and divides by a deviation, in place.

    Args:
        mean: Mean by channel; None for none.
        std: Deviation by channel; None for none.

    Example:
        >>> import mxnet as mx
        >>> normalize = mx.image.ColorNormalizeAug(mean=[100, 100, 100], std=[10, 10, 5])
        >>> print(normalize(mx.nd.array([[[110, 100, 90]]])).asnumpy())
        [[[ 1.  0. -2.]]]
    """

    def __init__(self, mean: Any, std: Any) -> None:
        super().__init__(mean=mean, std=std)
        self.mean = mean if mean is None or isinstance(mean, NDArray) else nd.array(mean)
        self.std = std if std is None or isinstance(std, NDArray) else nd.array(std)

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        return color_normalize(src, self.mean, self.std)


class RandomGrayAug(Augmenter):
    """Takes the colours out of an image of floats with some probability.

    Args:
        p: The probability.

    Example:
        >>> import mxnet as mx
        >>> image = mx.image.RandomGrayAug(p=1)(mx.nd.array([[[255, 0, 0]]]))
        >>> print(image.asnumpy().round())
        [[[54. 54. 54.]]]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p
        self.mat = nd.array([[share] * 3 for share in GREY])

    def __call__(self, src: NDArray) -> NDArray:
        """Changes an image."""
        if random.random() >= self.p:
            return src
        grey: NDArray = functions_for(src).dot(src, in_dialect_of(self.mat, src))
        return grey


def color_augmenters(
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    pca_noise: float,
    rand_gray: float,
) -> list[Augmenter]:
    """Makes those augmenters of colour whose strength is not 0."""
    augmenters: list[Augmenter] = []
    if brightness or contrast or saturation:
        augmenters.append(ColorJitterAug(brightness, contrast, saturation))
    if hue:
        augmenters.append(HueJitterAug(hue))
    if pca_noise > 0:
        axes = np.array(PRINCIPAL_AXES)
        augmenters.append(LightingAug(pca_noise, np.array(PRINCIPAL_DEVIATIONS), axes))
    if rand_gray > 0:
        augmenters.append(RandomGrayAug(rand_gray))
    return augmenters


def statistics(where: str, name: str, given: Any, default: Any) -> Any:
    """Returns a mean or a deviation; True stands for the default, None for none."""
    if given is True:
        return default
    if given is None:
        return None
    if not isinstance(given, (np.ndarray, NDArray)) or given.shape[0] not in (1, 3):
        raise InvalidArgumentError(
            f"{where}: `{name}` takes True or an array of 1 or 3 numbers, got {given}"
        )
    return given

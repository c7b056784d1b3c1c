"""Augmenters: callables that change an image, at random or always in the same way.

Random numbers come from Python's `random`, so a program that seeds it gets what it got from the
original.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from typing import Any

import numpy as np

from mxnet._frontend.dialect import functions_for
from mxnet._start import PublicInit
from mxnet.image._geometry import (
    Range,
    Size,
    center_crop,
    imresize,
    random_crop,
    random_size_crop,
    renamed_area,
    resize_short,
)
from mxnet.image._geometry import _get_interp_method as interp_method
from mxnet.ndarray import NDArray
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

"""Transforms of the size and the position of images."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from mxnet import image
from mxnet._frontend.dialect import current_dialect, dialect_of
from mxnet._state import modes
from mxnet.errors import AttributeValueError, UnsupportedTypeError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.ndarray import NDArray

Size = int | Sequence[int]


def _width_and_height(size: Size) -> tuple[int, int]:
    if not isinstance(size, Sequence):
        return size, size
    width, height = size
    return width, height


class Resize(HybridBlock):
    """Scales images.

    Args:
        size: Width and height of the result, or one number for both.
        keep_ratio: Whether one number is the size of the shorter edge; the aspect ratio is kept.
        interpolation: OpenCV's number of the method: 0 nearest, 1 bilinear, 2 bicubic, 3 area,
            4 Lanczos.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.zeros((40, 60, 3), dtype="uint8")
        >>> transforms.Resize((30, 10))(image).shape, transforms.Resize(20, True)(image).shape
        ((10, 30, 3), (20, 30, 3))
    """

    _works_on_batches = True
    _sample_ndim = 3

    def __init__(self, size: Size, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._size = size
        self._keep = keep_ratio
        self._interpolation = interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Scales an image or a batch of images."""
        return F.image.resize(x, size=self._size, keep_ratio=self._keep, interp=self._interpolation)


class CropResize(HybridBlock):
    """Cuts a rectangle out of images, and scales it.

    Args:
        x: Left edge of the rectangle.
        y: Its upper edge.
        width: Its width.
        height: Its height.
        size: Width and height of the result, or one number for both; None keeps the size.
        interpolation: OpenCV's number of the method, bilinear if it is None.

    Shapes:
        Image `(height, width, channels)`, or a batch of them; result of the new height and width.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.arange(24).reshape((4, 6, 1))
        >>> print(transforms.CropResize(x=1, y=0, width=2, height=2)(image)[:, :, 0].asnumpy())
        [[1. 2.]
         [7. 8.]]
        >>> transforms.CropResize(1, 0, 2, 2, size=(10, 5))(image).shape
        (5, 10, 1)
    """

    _works_on_batches = True
    _sample_ndim = 3

    def __init__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        size: Size | None = None,
        interpolation: int | None = None,
    ) -> None:
        super().__init__()
        self._part = {"x": x, "y": y, "width": width, "height": height}
        self._size, self._interpolation = size, interpolation

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Cuts and scales an image or a batch of images."""
        part = F.image.crop(x, **self._part)
        if not self._size:
            return part
        interpolation = 1 if self._interpolation is None else self._interpolation
        return F.image.resize(part, size=self._size, keep_ratio=False, interp=interpolation)


class Crop(HybridBlock):
    """Cuts a part out of an image, or out of each image of a batch."""

    _mx_may_have_graph: ClassVar[bool] = False
    _cut: ClassVar[Callable[..., tuple[NDArray, Any]]]
    """Function of `mx.image` that returns the part and its position."""
    _args: tuple[Any, ...]

    def hybridize(self, *args: Any, **options: Any) -> None:
        """Does nothing: each call decides by itself where it cuts, which no graph does."""

    def forward(self, x: Any) -> Any:
        """Cuts the image."""
        if modes.tracer is not None:
            modes.tracer.refuse("cuts out a part of an image, at a place that the call decides")
        if isinstance(x, np.ndarray):
            return self.forward(current_dialect().array_functions.array(x, dtype=x.dtype)).asnumpy()
        if x.ndim == 4:
            return dialect_of(x).array_functions.stack(*map(self.forward, x))
        return self._cut(x, *self._args)[0]


class CenterCrop(Crop):
    """Cuts out the middle of an image; a crop of a smaller image is scaled to the size.

    Args:
        size: Width and height of the result, or one number for both.
        interpolation: OpenCV's number of the method for smaller images.

    Shapes:
        Image `(height, width, channels)`; result `(size[1], size[0], channels)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.arange(24).reshape((4, 6, 1))
        >>> print(transforms.CenterCrop(2)(image)[:, :, 0].asnumpy())
        [[ 8.  9.]
         [14. 15.]]
    """

    _cut = staticmethod(image.center_crop)

    def __init__(self, size: Size, interpolation: int = 1) -> None:
        super().__init__()
        self._args = (_width_and_height(size), interpolation)


class RandomCrop(Crop):
    """Cuts a part of one size out of an image, which may be padded before.

    A crop of a smaller image is scaled to the size. Random numbers come from Python's `random`.

    Args:
        size: Width and height of the result, or one number for both.
        pad: Pixels to add on all four sides, or widths for the axes as `numpy.pad` takes them.
        pad_value: Value of those pixels.
        interpolation: OpenCV's number of the method for smaller images.

    Shapes:
        Image `(height, width, channels)`; result `(size[1], size[0], channels)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.zeros((32, 32, 3))
        >>> transforms.RandomCrop(24)(image).shape
        (24, 24, 3)
        >>> transforms.RandomCrop(32, pad=4)(image).shape
        (32, 32, 3)
    """

    _cut = staticmethod(image.random_crop)

    def __init__(
        self,
        size: Size,
        pad: int | Sequence[Any] | None = None,
        pad_value: float = 0,
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._args = (_width_and_height(size), interpolation)
        self._pad = ((pad, pad), (pad, pad), (0, 0)) if isinstance(pad, int) else pad
        self._pad_value = pad_value

    def forward(self, x: Any) -> Any:
        """Pads and cuts the image."""
        if self._pad is None or isinstance(x, np.ndarray) or x.ndim == 4:
            return super().forward(x)
        return super().forward(_pad(x, self._pad, self._pad_value))


def _pad(x: NDArray, widths: Sequence[Any], value: float) -> NDArray:
    """Puts an image into a larger one, as `numpy.pad` does."""
    edges = np.broadcast_to(np.asarray(widths), (x.ndim, 2)).tolist()
    sides = list(zip(x.shape, edges, strict=True))
    shape = tuple(length + before + after for length, (before, after) in sides)
    padded: NDArray = dialect_of(x).array_functions.full(shape, value, ctx=x.context, dtype=x.dtype)
    padded[tuple(slice(before, before + length) for length, (before, _) in sides)] = x
    return padded


class RandomResizedCrop(Crop):
    """Cuts a part of random size and shape out of an image and scales it.

    Random numbers come from Python's `random`.

    Args:
        size: Width and height of the result, or one number for both.
        scale: Least and greatest area of the part, as a share of the image.
        ratio: Least and greatest ratio of its width to its height.
        interpolation: OpenCV's number of the method.

    Shapes:
        Image `(height, width, channels)`; result `(size[1], size[0], channels)`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.zeros((60, 80, 3))
        >>> transforms.RandomResizedCrop(32)(image).shape
        (32, 32, 3)
        >>> transforms.RandomResizedCrop((40, 20), scale=(0.5, 1))(image).shape
        (20, 40, 3)
    """

    _cut = staticmethod(image.random_size_crop)

    def __init__(
        self,
        size: Size,
        scale: float | tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._args = (_width_and_height(size), scale, ratio, interpolation)


class RandomFlipLeftRight(HybridBlock):
    """Mirrors an image left to right at random.

    Args:
        p: Probability.

    Shapes:
        Image `(height, width, channels)`, or a batch of them; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.array([1, 2, 3]).reshape((1, 3, 1))
        >>> flip = transforms.RandomFlipLeftRight()
        >>> results = {tuple(flip(image).reshape(-1).asnumpy().tolist()) for _ in range(50)}
        >>> sorted(results)
        [(1.0, 2.0, 3.0), (3.0, 2.0, 1.0)]
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self._options = {} if p == 0.5 else {"p": p}

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Mirrors the image, or leaves it as it is."""
        return F.image.random_flip_left_right(x, **self._options)


class RandomFlipTopBottom(HybridBlock):
    """Mirrors an image top to bottom at random.

    Args:
        p: Probability.

    Shapes:
        Image `(height, width, channels)`, or a batch of them; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.array([1, 2, 3]).reshape((3, 1, 1))
        >>> flip = transforms.RandomFlipTopBottom()
        >>> results = {tuple(flip(image).reshape(-1).asnumpy().tolist()) for _ in range(50)}
        >>> sorted(results)
        [(1.0, 2.0, 3.0), (3.0, 2.0, 1.0)]
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self._options = {} if p == 0.5 else {"p": p}

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Mirrors the image, or leaves it as it is."""
        return F.image.random_flip_top_bottom(x, **self._options)


def _require_float32(where: str, x: Any) -> None:
    if np.dtype(x.dtype) != np.float32:
        raise UnsupportedTypeError(
            f"{where}: takes tensors of float32, got {np.dtype(x.dtype)}; apply ToTensor before"
        )


class Rotate(Block):
    """Turns tensors of channels, height and width about their center.

    Args:
        rotation_degrees: The angle, counter-clockwise; for batches also an array of angles.
        zoom_in: Whether to enlarge the image so that no corner is empty.
        zoom_out: Whether to shrink the image so that all of it is seen.

    Shapes:
        Image `(channels, height, width)`, or a batch of them; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.array([[[1, 2], [3, 4]]])
        >>> print(transforms.Rotate(90)(image).asnumpy().round())
        [[[2. 4.]
          [1. 3.]]]
    """

    def __init__(
        self, rotation_degrees: Any, zoom_in: bool = False, zoom_out: bool = False
    ) -> None:
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    def forward(self, x: NDArray) -> NDArray:
        """Turns an image or a batch of images."""
        _require_float32("Rotate", x)
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Turns tensors of channels, height and width by random angles.

    Random numbers come from `numpy.random`.

    Args:
        angle_limits: Least and greatest angle in degrees.
        zoom_in: Whether to enlarge the image so that no corner is empty.
        zoom_out: Whether to shrink the image so that all of it is seen.
        rotate_with_proba: How often to turn at all, from 0 to 1.

    Shapes:
        Image `(channels, height, width)`, or a batch of them; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.ones((3, 8, 8))
        >>> transforms.RandomRotation((-10, 10))(image).shape
        (3, 8, 8)
        >>> never = transforms.RandomRotation((-10, 10), rotate_with_proba=0)
        >>> bool((never(image) == image).min())
        True
    """

    def __init__(
        self,
        angle_limits: tuple[float, float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        lower, upper = angle_limits
        if lower >= upper:
            raise AttributeValueError(
                f"RandomRotation: angle_limits takes the lesser angle first, got {angle_limits}"
            )
        if not 0 <= rotate_with_proba <= 1:
            raise AttributeValueError(
                f"RandomRotation: rotate_with_proba lies between 0 and 1, got {rotate_with_proba}"
            )
        self._args = (angle_limits, zoom_in, zoom_out)
        self._rotate_with_proba = rotate_with_proba

    def forward(self, x: NDArray) -> NDArray:
        """Turns an image, or each image of a batch by an angle of its own."""
        if np.random.random() > self._rotate_with_proba:
            return x
        _require_float32("RandomRotation", x)
        return image.random_rotate(x, *self._args)

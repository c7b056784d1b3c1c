"""Transforms of the values of images: their type and their scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mxnet.gluon.block import HybridBlock


class Cast(HybridBlock):
    """Converts an array to another element type.

    Args:
        dtype: The type.

    Shapes:
        Input and output have the same shape, which is any.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.array([[0, 255]], dtype="uint8")
        >>> transforms.Cast("float32")(image).dtype
        <class 'numpy.float32'>
    """

    _works_on_batches = True

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Converts the array."""
        return F.cast(x, self._dtype)


class ToTensor(HybridBlock):
    """Turns images of bytes into tensors of floats from 0 to 1, with the channels first.

    An image `(height, width, channels)` becomes `(channels, height, width)`; batches of images
    have one more axis in front.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((4, 2, 3), 255, dtype="uint8")
        >>> tensor = transforms.ToTensor()(image)
        >>> tensor.shape, float(tensor.max().asscalar())
        ((3, 4, 2), 1.0)
    """

    _works_on_batches = True
    _sample_ndim = 3

    def __init__(self) -> None:
        super().__init__()

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Converts the image."""
        return F.image.to_tensor(x)


class Normalize(HybridBlock):
    """Subtracts a mean from a tensor and divides it by a standard deviation.

    Args:
        mean: Mean of all channels, or of each.
        std: Standard deviation of all channels, or of each.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> normalize = transforms.Normalize(mean=(0, 1, 2), std=(1, 1, 0.5))
        >>> normalize(mx.nd.ones((3, 1, 2)))[:, 0, 0].asnumpy().tolist()
        [1.0, 0.0, -2.0]
    """

    _works_on_batches = True
    _sample_ndim = 3

    def __init__(
        self, mean: float | Sequence[float] = 0.0, std: float | Sequence[float] = 1.0
    ) -> None:
        super().__init__()
        self._mean = mean
        self._std = std

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Normalizes the tensor."""
        return F.image.normalize(x, mean=self._mean, std=self._std)

"""Random choice between an array and its transform, for arrays and symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from mxnet.gluon.block import HybridBlock
from mxnet.symbol import Symbol


def choose(F: Any, probability: float, x: Any, changed: Callable[[Any], Any]) -> Any:
    """Returns `changed(x)` with a probability, else `x`.

    On symbols both are computed, because the graph has no branches; then both must have the same
    shape.

    Args:
        F: The operators.
        probability: Probability of the change.
        x: Array or symbol.
        changed: Function that returns the changed array.
    """
    draw = F.random.uniform(shape=(1,))
    if not isinstance(x, Symbol):
        return changed(x) if draw.asnumpy().item() < probability else x
    kept = F.reshape(x, shape=(-1,))
    condition = F.broadcast_like(draw < probability, kept)
    choice = F.where(condition, F.reshape(changed(x), shape=(-1,)), kept)
    return F.reshape_like(choice, x)


class _RandomFactor(HybridBlock):
    """Changes one property of colours by a factor around 1.

    Args:
        amount: The factor lies between `max(0, 1 - amount)` and `1 + amount`.
    """

    _operator: ClassVar[str]

    def __init__(self, amount: float) -> None:
        super().__init__()
        self._args = (max(0, 1 - amount), 1 + amount)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Changes the image."""
        least, most = self._args
        return getattr(F.image, self._operator)(x, min_factor=least, max_factor=most)


class RandomBrightness(_RandomFactor):
    """Makes an image brighter or darker.

    Args:
        brightness: How much: the factor lies between `max(0, 1 - brightness)` and
            `1 + brightness`.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomBrightness(0.2)(image)
        >>> bool(y.min() >= 80), bool(y.max() <= 120)
        (True, True)
    """

    _operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__(brightness)


class RandomContrast(_RandomFactor):
    """Raises or lowers the contrast of an image.

    Args:
        contrast: How much: the factor lies between `max(0, 1 - contrast)` and `1 + contrast`.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomContrast(0.2)(image)
        >>> print(y.asnumpy().round()[0, 0])
        [100. 100. 100.]
    """

    _operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__(contrast)


class RandomSaturation(_RandomFactor):
    """Makes the colours of an image stronger or weaker.

    Args:
        saturation: How much: the factor lies between `max(0, 1 - saturation)` and
            `1 + saturation`.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomSaturation(0.2)(image)
        >>> y.shape
        (2, 2, 3)
    """

    _operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__(saturation)


class RandomHue(_RandomFactor):
    """Turns the colours of an image on the circle of hues.

    Args:
        hue: How much: the factor lies between `max(0, 1 - hue)` and `1 + hue`.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomHue(0.1)(image)
        >>> y.shape
        (2, 2, 3)
    """

    _operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__(hue)


class RandomColorJitter(HybridBlock):
    """Changes brightness, contrast, saturation and hue, in random order.

    Args:
        brightness: How much to change the brightness: the factor is at most this far from 1.
        contrast: How much to change the contrast.
        saturation: How much to change the saturation.
        hue: How much to change the hue.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomColorJitter(brightness=0.2, contrast=0.2)(image)
        >>> y.shape
        (2, 2, 3)
    """

    def __init__(
        self, brightness: float = 0, contrast: float = 0, saturation: float = 0, hue: float = 0
    ) -> None:
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Changes the image."""
        brightness, contrast, saturation, hue = self._args
        return F.image.random_color_jitter(
            x, brightness=brightness, contrast=contrast, saturation=saturation, hue=hue
        )


class RandomLighting(HybridBlock):
    """Adds noise along the principal components of the colours of ImageNet.

    Args:
        alpha: Standard deviation of the noise.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.full((2, 2, 3), 100)
        >>> y = transforms.RandomLighting(0)(image)
        >>> print(y[0, 0].asnumpy())
        [100. 100. 100.]
    """

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Changes the image."""
        return F.image.random_lighting(x, alpha_std=self._alpha)


class RandomGray(HybridBlock):
    """Takes the colours out of some images; they keep three channels.

    Args:
        p: How often to do it, from 0 to 1.

    Shapes:
        Image `(height, width, 3)`; result the same.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> image = mx.nd.array([[[255, 0, 0], [0, 0, 255]]])
        >>> y = transforms.RandomGray(p=1)(image)
        >>> bool((y[:, :, 0] == y[:, :, 2]).min())
        True
    """

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Makes the image grey, or leaves it as it is."""
        return choose(F, self.p, x, lambda image: _without_colours(F, image))


def _without_colours(F: Any, x: Any) -> Any:
    """Returns an image without colours, of the same type and shape.

    An image without contrast has its mean luminance everywhere; here each pixel is an image.
    """
    pixels = F.reshape(x, shape=(-1, 1, 1, 0), reverse=True)
    grey = F.image.random_contrast(pixels, min_factor=0.0, max_factor=0.0)
    return F.reshape_like(grey, x)

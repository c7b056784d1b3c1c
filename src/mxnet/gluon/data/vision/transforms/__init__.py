"""Blocks that prepare images for training and prediction.

A hybrid one works on arrays of any context and on symbols; the others choose sizes and angles in
Python and work on arrays. Images are of height, width and channels until `ToTensor` puts the
channels first.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Sequence
from typing import Any

from mxnet._start import make_module, publish_classes
from mxnet._state import rules
from mxnet._state import use_np as use_np
from mxnet.errors import ArgumentTypeError
from mxnet.gluon.block import Block, HybridBlock
from mxnet.gluon.data.vision.transforms._colors import RandomBrightness as RandomBrightness
from mxnet.gluon.data.vision.transforms._colors import RandomColorJitter as RandomColorJitter
from mxnet.gluon.data.vision.transforms._colors import RandomContrast as RandomContrast
from mxnet.gluon.data.vision.transforms._colors import RandomGray as RandomGray
from mxnet.gluon.data.vision.transforms._colors import RandomHue as RandomHue
from mxnet.gluon.data.vision.transforms._colors import RandomLighting as RandomLighting
from mxnet.gluon.data.vision.transforms._colors import RandomSaturation as RandomSaturation
from mxnet.gluon.data.vision.transforms._colors import choose
from mxnet.gluon.data.vision.transforms._geometry import CenterCrop as CenterCrop
from mxnet.gluon.data.vision.transforms._geometry import Crop
from mxnet.gluon.data.vision.transforms._geometry import CropResize as CropResize
from mxnet.gluon.data.vision.transforms._geometry import RandomCrop as RandomCrop
from mxnet.gluon.data.vision.transforms._geometry import RandomFlipLeftRight as RandomFlipLeftRight
from mxnet.gluon.data.vision.transforms._geometry import RandomFlipTopBottom as RandomFlipTopBottom
from mxnet.gluon.data.vision.transforms._geometry import RandomResizedCrop as RandomResizedCrop
from mxnet.gluon.data.vision.transforms._geometry import RandomRotation as RandomRotation
from mxnet.gluon.data.vision.transforms._geometry import Resize as Resize
from mxnet.gluon.data.vision.transforms._geometry import Rotate as Rotate
from mxnet.gluon.nn import HybridSequential, Sequential

Transform = Callable[[Any], Any]


class Compose(Sequential):
    """Applies transforms one after the other.

    Hybrid ones that follow one another become one hybridized block.

    Args:
        transforms: Blocks or other callables.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> prepare = transforms.Compose([transforms.Resize(8), transforms.ToTensor()])
        >>> prepare(mx.nd.zeros((20, 30, 3), dtype="uint8")).shape
        (3, 8, 8)
    """

    def __init__(self, transforms: Sequence[Transform]) -> None:
        super().__init__()
        for hybrid, run in itertools.groupby(transforms, _becomes_graph):
            blocks: list[Any] = list(run)
            self.add(*([_fuse(blocks)] if hybrid and len(blocks) > 1 else blocks))

    def register_child(self, block: Transform, name: str | None = None) -> None:
        """Makes a block, or a function in the form of one, a child of this one."""
        super().register_child(block if isinstance(block, Block) else _Function(block), name)


def _becomes_graph(transform: Transform) -> bool:
    return isinstance(transform, HybridBlock) and transform._mx_may_have_graph


def _is_hybrid(transform: Transform) -> bool:
    """Returns whether hybrid blocks take a transform; crops are such in MXNet 2 alone."""
    return _becomes_graph(transform) or (rules.version > 1 and isinstance(transform, Crop))


class _Function(Block):
    """A function among blocks."""

    def __init__(self, function: Transform) -> None:
        super().__init__()
        self._function = function

    def __repr__(self) -> str:
        return repr(self._function)

    def forward(self, x: Any) -> Any:
        """Calls the function."""
        return self._function(x)


def _fuse(blocks: Sequence[HybridBlock]) -> HybridSequential:
    fused = HybridSequential()
    fused.add(*blocks)
    fused.hybridize()
    return fused


class HybridCompose(HybridSequential):
    """Applies hybrid transforms one after the other, as one hybridized block.

    Args:
        transforms: Hybrid blocks.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> steps = [transforms.ToTensor(), transforms.Normalize(mean=0.5, std=0.5)]
        >>> images = mx.nd.zeros((4, 6, 3), dtype="uint8")
        >>> y = transforms.HybridCompose(steps)(images)
        >>> y.shape, float(y.max().asscalar())
        ((3, 4, 6), -1.0)
    """

    def __init__(self, transforms: Sequence[HybridBlock]) -> None:
        super().__init__()
        for block in transforms:
            if not _is_hybrid(block):
                raise ArgumentTypeError(
                    "HybridCompose: takes hybrid blocks only, got "
                    f"{type(block).__name__}; Compose takes others too"
                )
        self.add(*transforms)
        self.hybridize()


class RandomApply(Sequential):
    """Applies a transform to some images.

    Args:
        transforms: The transform, or several to apply together.
        p: How often to apply it, from 0 to 1. The choice is made by Python's `random`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> cut = transforms.RandomApply(transforms.CenterCrop(2), p=1)
        >>> cut(mx.nd.zeros((4, 6, 3))).shape
        (2, 2, 3)
        >>> never = transforms.RandomApply(transforms.CenterCrop(2), p=0)
        >>> never(mx.nd.zeros((4, 6, 3))).shape
        (4, 6, 3)
    """

    def __init__(self, transforms: Transform | Sequence[Transform], p: float = 0.5) -> None:
        super().__init__()
        self.transforms = Compose(transforms) if isinstance(transforms, Sequence) else transforms
        self.p = p

    def forward(self, x: Any) -> Any:
        """Transforms the image, or leaves it as it is."""
        return x if self.p < random.random() else self.transforms(x)


class HybridRandomApply(HybridSequential):
    """Applies a hybrid transform, which must keep the shape on symbols, to some images.

    Args:
        transforms: The transform.
        p: How often to apply it, from 0 to 1. The choice is made by `mx.random`.

    Example:
        >>> import mxnet as mx
        >>> from mxnet.gluon.data.vision import transforms
        >>> cast = transforms.HybridRandomApply(transforms.Cast("float64"), p=1)
        >>> cast(mx.nd.ones((2, 2, 3))).dtype
        <class 'numpy.float64'>
    """

    def __init__(self, transforms: HybridBlock, p: float = 0.5) -> None:
        super().__init__()
        if not _is_hybrid(transforms):
            raise ArgumentTypeError(
                f"HybridRandomApply: takes a hybrid block, got {type(transforms).__name__}; "
                "RandomApply takes others too"
            )
        self.transforms = transforms
        self.p = p

    def hybrid_forward(self, F: Any, x: Any) -> Any:
        """Transforms the image, or leaves it as it is."""
        return choose(F, self.p, x, self.transforms)


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


publish_classes(globals())

_OF_IMAGES = (
    *(CenterCrop, CropResize, Normalize, RandomBrightness, RandomColorJitter, RandomContrast),
    *(RandomCrop, RandomFlipLeftRight, RandomFlipTopBottom, RandomGray, RandomHue),
    *(RandomLighting, RandomResizedCrop, RandomRotation, RandomSaturation, Resize, Rotate),
    ToTensor,
)
image = make_module(
    f"{__name__}.image",
    "The transforms of images, where MXNet 2 has them.",
    {transform.__name__: transform for transform in _OF_IMAGES},
)

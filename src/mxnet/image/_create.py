"""The usual list of augmenters for classification."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mxnet import ndarray as nd
from mxnet.errors import InvalidArgumentError
from mxnet.image._augmenters import (
    Augmenter,
    CastAug,
    CenterCropAug,
    HorizontalFlipAug,
    RandomCropAug,
    RandomSizedCropAug,
    ResizeAug,
)
from mxnet.image._color_augmenters import (
    ColorJitterAug,
    ColorNormalizeAug,
    HueJitterAug,
    LightingAug,
    RandomGrayAug,
)
from mxnet.image._geometry import CUBIC
from mxnet.ndarray import NDArray
from mxnet.ops.image_color import PRINCIPAL_AXES, PRINCIPAL_DEVIATIONS

IMAGENET_MEAN = (123.68, 116.28, 103.53)
IMAGENET_STD = (58.395, 57.12, 57.375)
LEAST_AREA = 0.08
RATIOS = (3.0 / 4.0, 4.0 / 3.0)


def CreateAugmenter(  # noqa: N802 - the name is the original's
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: bool = False,
    rand_resize: bool = False,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    hue: float = 0,
    pca_noise: float = 0,
    rand_gray: float = 0,
    inter_method: int = CUBIC,
) -> list[Augmenter]:
    """Makes the usual list of augmenters for classification.

    Args:
        data_shape: Channels, height and width of the result.
        resize: Size of the shorter edge to scale to first; 0 for none.
        rand_crop: Whether to cut at a random place, and not in the middle.
        rand_resize: Whether to cut a rectangle of random size and shape; goes with `rand_crop`.
        rand_mirror: Whether to mirror sideways half of the time.
        mean: Mean by channel to subtract; True for that of ImageNet.
        std: Deviation by channel to divide by; True for that of ImageNet.
        brightness: Largest random change of brightness.
        contrast: Largest random change of contrast.
        saturation: Largest random change of saturation.
        hue: Largest random turn of the hue.
        pca_noise: Deviation of random changes along the principal axes of colour.
        rand_gray: Probability to take the colours out.
        inter_method: Interpolation, see `imresize`.

    Example:
        >>> import mxnet as mx
        >>> for augmenter in mx.image.CreateAugmenter((3, 24, 32), resize=40):
        ...     print(augmenter.dumps())
        ["resizeaug", {"size": 40, "interp": 2}]
        ["centercropaug", {"size": [32, 24], "interp": 2}]
        ["castaug", {"type": "float32"}]
    """
    augmenters: list[Augmenter] = []
    if resize > 0:
        augmenters.append(ResizeAug(resize, inter_method))
    size = (data_shape[2], data_shape[1])
    if rand_resize and not rand_crop:
        raise InvalidArgumentError("CreateAugmenter: `rand_resize` goes with `rand_crop`")
    if rand_resize:
        augmenters.append(RandomSizedCropAug(size, LEAST_AREA, RATIOS, inter_method))
    else:
        crop = RandomCropAug if rand_crop else CenterCropAug
        augmenters.append(crop(size, inter_method))
    if rand_mirror:
        augmenters.append(HorizontalFlipAug(0.5))
    augmenters.append(CastAug())
    augmenters += color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray)
    mean = statistics("CreateAugmenter", "mean", mean, nd.array(IMAGENET_MEAN))
    std = statistics("CreateAugmenter", "std", std, nd.array(IMAGENET_STD))
    if mean is not None or std is not None:
        augmenters.append(ColorNormalizeAug(mean, std))
    return augmenters


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

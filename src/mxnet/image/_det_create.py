"""The usual lists of augmenters for detection."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mxnet.errors import InvalidArgumentError
from mxnet.image._augmenters import Augmenter, CastAug, ForceResizeAug, ResizeAug
from mxnet.image._color_augmenters import ColorNormalizeAug
from mxnet.image._create import IMAGENET_MEAN, IMAGENET_STD, color_augmenters, statistics
from mxnet.image._det_augmenters import (
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomCropAug,
    DetRandomPadAug,
    DetRandomSelectAug,
)
from mxnet.image._geometry import CUBIC, Range


def CreateMultiRandCropAugmenter(  # noqa: N802 - the name is the original's
    min_object_covered: float | Sequence[float] = 0.1,
    aspect_ratio_range: Range | Sequence[Range] = (0.75, 1.33),
    area_range: Range | Sequence[Range] = (0.05, 1.0),
    min_eject_coverage: float | Sequence[float] = 0.3,
    max_attempts: int | Sequence[int] = 50,
    skip_prob: float = 0,
) -> DetRandomSelectAug:
    """Makes an augmenter that applies one of several random crops.

    Every option may be a list with one value for each crop.

    Args:
        min_object_covered: See `DetRandomCropAug`.
        aspect_ratio_range: See `DetRandomCropAug`.
        area_range: See `DetRandomCropAug`.
        min_eject_coverage: See `DetRandomCropAug`.
        max_attempts: See `DetRandomCropAug`.
        skip_prob: Probability to apply none.

    Example:
        >>> import mxnet as mx
        >>> crop = mx.image.CreateMultiRandCropAugmenter(min_object_covered=[0.1, 0.5, 0.9])
        >>> len(crop.aug_list)
        3
    """
    options = (
        min_object_covered,
        aspect_ratio_range,
        area_range,
        min_eject_coverage,
        max_attempts,
    )
    lists = [list(option) if isinstance(option, list) else [option] for option in options]
    count = max(map(len, lists))
    if any(len(values) not in (1, count) for values in lists):
        raise InvalidArgumentError(
            "CreateMultiRandCropAugmenter: lists of options must be equally long, got "
            f"{[len(values) for values in lists]}"
        )
    rows: Iterable[tuple[Any, ...]] = zip(
        *[values * count if len(values) == 1 else values for values in lists], strict=True
    )
    return DetRandomSelectAug([DetRandomCropAug(*row) for row in rows], skip_prob)


def CreateDetAugmenter(  # noqa: N802 - the name is the original's
    data_shape: Sequence[int],
    resize: int = 0,
    rand_crop: float = 0,
    rand_pad: float = 0,
    rand_gray: float = 0,
    rand_mirror: bool = False,
    mean: Any = None,
    std: Any = None,
    brightness: float = 0,
    contrast: float = 0,
    saturation: float = 0,
    pca_noise: float = 0,
    hue: float = 0,
    inter_method: int = CUBIC,
    min_object_covered: float | Sequence[float] = 0.1,
    aspect_ratio_range: Range = (0.75, 1.33),
    area_range: Range = (0.05, 3.0),
    min_eject_coverage: float | Sequence[float] = 0.3,
    max_attempts: int = 50,
    pad_val: float | Sequence[float] = (127, 127, 127),
) -> list[DetAugmenter]:
    """Makes the usual list of augmenters for detection.

    Args:
        data_shape: Channels, height and width of the result.
        resize: Size of the shorter edge to scale to first; 0 for none.
        rand_crop: Probability of a random crop.
        rand_pad: Probability of random padding.
        rand_gray: Probability to take the colours out.
        rand_mirror: Whether to mirror sideways half of the time.
        mean: Mean by channel to subtract; True for that of ImageNet.
        std: Deviation by channel to divide by; True for that of ImageNet.
        brightness: Largest random change of brightness.
        contrast: Largest random change of contrast.
        saturation: Largest random change of saturation.
        pca_noise: Deviation of random changes along the principal axes of colour.
        hue: Largest random turn of the hue.
        inter_method: Interpolation, see `imresize`.
        min_object_covered: Least visible part of each object that a crop touches.
        aspect_ratio_range: Least and largest ratio of width to height of crops and padding.
        area_range: Least area of a crop and largest area of padding, in areas of the image.
        min_eject_coverage: Objects of which less than this is left are dropped.
        max_attempts: How often to try a crop or padding.
        pad_val: Colour of padding, by channel.

    Example:
        >>> import mxnet as mx
        >>> augmenters = mx.image.CreateDetAugmenter((3, 32, 32), rand_mirror=True, mean=True)
        >>> image, label = mx.nd.zeros((40, 60, 3)), mx.nd.array([[0, 0.1, 0.2, 0.4, 0.6]])
        >>> label = label.asnumpy()
        >>> for augment in augmenters:
        ...     image, label = augment(image, label)
        >>> image.shape, label.shape
        ((32, 32, 3), (1, 5))
    """
    augmenters: list[DetAugmenter] = []
    if resize > 0:
        augmenters.append(DetBorrowAug(ResizeAug(resize, inter_method)))
    if rand_crop > 0:
        augmenters.append(
            CreateMultiRandCropAugmenter(
                min_object_covered,
                aspect_ratio_range,
                area_range,
                min_eject_coverage,
                max_attempts,
                skip_prob=1 - rand_crop,
            )
        )
    if rand_mirror:
        augmenters.append(DetHorizontalFlipAug(0.5))
    if rand_pad > 0:
        pad = DetRandomPadAug(aspect_ratio_range, (1.0, area_range[1]), max_attempts, pad_val)
        augmenters.append(DetRandomSelectAug([pad], 1 - rand_pad))
    borrowed: list[Augmenter] = [
        ForceResizeAug((data_shape[2], data_shape[1]), inter_method),
        CastAug(),
        *color_augmenters(brightness, contrast, saturation, hue, pca_noise, rand_gray),
    ]
    mean = statistics("CreateDetAugmenter", "mean", mean, np.array(IMAGENET_MEAN))
    std = statistics("CreateDetAugmenter", "std", std, np.array(IMAGENET_STD))
    if mean is not None or std is not None:
        borrowed.append(ColorNormalizeAug(mean, std))
    return augmenters + [DetBorrowAug(augmenter) for augmenter in borrowed]

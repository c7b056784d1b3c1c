"""Augmenters and the iterator for detection."""

from mxnet import _tracebacks
from mxnet.image._det_augmenters import DetAugmenter as DetAugmenter
from mxnet.image._det_augmenters import DetBorrowAug as DetBorrowAug
from mxnet.image._det_augmenters import DetHorizontalFlipAug as DetHorizontalFlipAug
from mxnet.image._det_augmenters import DetRandomCropAug as DetRandomCropAug
from mxnet.image._det_augmenters import DetRandomPadAug as DetRandomPadAug
from mxnet.image._det_augmenters import DetRandomSelectAug as DetRandomSelectAug
from mxnet.image._det_create import CreateDetAugmenter as CreateDetAugmenter
from mxnet.image._det_create import (
    CreateMultiRandCropAugmenter as CreateMultiRandCropAugmenter,
)
from mxnet.image._det_iter import ImageDetIter as ImageDetIter

for _class in (
    DetAugmenter,
    DetBorrowAug,
    DetHorizontalFlipAug,
    DetRandomCropAug,
    DetRandomPadAug,
    DetRandomSelectAug,
    ImageDetIter,
):
    _class.__module__ = __name__

_tracebacks.public_functions(globals())

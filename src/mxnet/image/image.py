"""Reading, scaling, cropping and augmenting of images, and the iterator for classification."""

from mxnet import _tracebacks
from mxnet.image._augmenters import Augmenter as Augmenter
from mxnet.image._augmenters import CastAug as CastAug
from mxnet.image._augmenters import CenterCropAug as CenterCropAug
from mxnet.image._augmenters import ForceResizeAug as ForceResizeAug
from mxnet.image._augmenters import HorizontalFlipAug as HorizontalFlipAug
from mxnet.image._augmenters import RandomCropAug as RandomCropAug
from mxnet.image._augmenters import RandomOrderAug as RandomOrderAug
from mxnet.image._augmenters import RandomSizedCropAug as RandomSizedCropAug
from mxnet.image._augmenters import ResizeAug as ResizeAug
from mxnet.image._augmenters import SequentialAug as SequentialAug
from mxnet.image._codec import imdecode as imdecode
from mxnet.image._codec import imread as imread
from mxnet.image._color_augmenters import BrightnessJitterAug as BrightnessJitterAug
from mxnet.image._color_augmenters import ColorJitterAug as ColorJitterAug
from mxnet.image._color_augmenters import ColorNormalizeAug as ColorNormalizeAug
from mxnet.image._color_augmenters import ContrastJitterAug as ContrastJitterAug
from mxnet.image._color_augmenters import HueJitterAug as HueJitterAug
from mxnet.image._color_augmenters import LightingAug as LightingAug
from mxnet.image._color_augmenters import RandomGrayAug as RandomGrayAug
from mxnet.image._color_augmenters import SaturationJitterAug as SaturationJitterAug
from mxnet.image._create import CreateAugmenter as CreateAugmenter
from mxnet.image._geometry import _get_interp_method as _get_interp_method
from mxnet.image._geometry import center_crop as center_crop
from mxnet.image._geometry import color_normalize as color_normalize
from mxnet.image._geometry import copyMakeBorder as copyMakeBorder
from mxnet.image._geometry import fixed_crop as fixed_crop
from mxnet.image._geometry import imresize as imresize
from mxnet.image._geometry import imrotate as imrotate
from mxnet.image._geometry import random_crop as random_crop
from mxnet.image._geometry import random_rotate as random_rotate
from mxnet.image._geometry import random_size_crop as random_size_crop
from mxnet.image._geometry import resize_short as resize_short
from mxnet.image._geometry import scale_down as scale_down
from mxnet.image._iter import ImageIter as ImageIter

for _class in (
    Augmenter,
    BrightnessJitterAug,
    CastAug,
    CenterCropAug,
    ColorJitterAug,
    ColorNormalizeAug,
    ContrastJitterAug,
    ForceResizeAug,
    HorizontalFlipAug,
    HueJitterAug,
    ImageIter,
    LightingAug,
    RandomCropAug,
    RandomGrayAug,
    RandomOrderAug,
    RandomSizedCropAug,
    ResizeAug,
    SaturationJitterAug,
    SequentialAug,
):
    _class.__module__ = __name__

_tracebacks.public_functions(globals())

"""Images: reading, changing and iterating over them; `mx.image`, also `mx.img`."""

from mxnet._start import tracebacks
from mxnet.image import detection as detection
from mxnet.image import image as image
from mxnet.image.detection import CreateDetAugmenter as CreateDetAugmenter
from mxnet.image.detection import CreateMultiRandCropAugmenter as CreateMultiRandCropAugmenter
from mxnet.image.detection import DetAugmenter as DetAugmenter
from mxnet.image.detection import DetBorrowAug as DetBorrowAug
from mxnet.image.detection import DetHorizontalFlipAug as DetHorizontalFlipAug
from mxnet.image.detection import DetRandomCropAug as DetRandomCropAug
from mxnet.image.detection import DetRandomPadAug as DetRandomPadAug
from mxnet.image.detection import DetRandomSelectAug as DetRandomSelectAug
from mxnet.image.detection import ImageDetIter as ImageDetIter
from mxnet.image.image import Augmenter as Augmenter
from mxnet.image.image import BrightnessJitterAug as BrightnessJitterAug
from mxnet.image.image import CastAug as CastAug
from mxnet.image.image import CenterCropAug as CenterCropAug
from mxnet.image.image import ColorJitterAug as ColorJitterAug
from mxnet.image.image import ColorNormalizeAug as ColorNormalizeAug
from mxnet.image.image import ContrastJitterAug as ContrastJitterAug
from mxnet.image.image import CreateAugmenter as CreateAugmenter
from mxnet.image.image import ForceResizeAug as ForceResizeAug
from mxnet.image.image import HorizontalFlipAug as HorizontalFlipAug
from mxnet.image.image import HueJitterAug as HueJitterAug
from mxnet.image.image import ImageIter as ImageIter
from mxnet.image.image import LightingAug as LightingAug
from mxnet.image.image import RandomCropAug as RandomCropAug
from mxnet.image.image import RandomGrayAug as RandomGrayAug
from mxnet.image.image import RandomOrderAug as RandomOrderAug
from mxnet.image.image import RandomSizedCropAug as RandomSizedCropAug
from mxnet.image.image import ResizeAug as ResizeAug
from mxnet.image.image import SaturationJitterAug as SaturationJitterAug
from mxnet.image.image import SequentialAug as SequentialAug
from mxnet.image.image import center_crop as center_crop
from mxnet.image.image import color_normalize as color_normalize
from mxnet.image.image import copyMakeBorder as copyMakeBorder
from mxnet.image.image import fixed_crop as fixed_crop
from mxnet.image.image import imdecode as imdecode
from mxnet.image.image import imread as imread
from mxnet.image.image import imresize as imresize
from mxnet.image.image import imrotate as imrotate
from mxnet.image.image import random_crop as random_crop
from mxnet.image.image import random_rotate as random_rotate
from mxnet.image.image import random_size_crop as random_size_crop
from mxnet.image.image import resize_short as resize_short
from mxnet.image.image import scale_down as scale_down

det = detection

tracebacks.public_functions(globals())

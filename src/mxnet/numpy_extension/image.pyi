"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from mxnet._state.np_scopes import is_np_array as is_np_array
from mxnet.image._codec import imdecode as imdecode
from mxnet.image._codec import imread as imread
from mxnet.image._geometry import center_crop as center_crop
from mxnet.image._geometry import color_normalize as color_normalize
from mxnet.image._geometry import fixed_crop as fixed_crop
from mxnet.image._geometry import imresize as imresize
from mxnet.image._geometry import imrotate as imrotate
from mxnet.image._geometry import random_rotate as random_rotate
from mxnet.image._geometry import random_size_crop as random_size_crop
from mxnet.image._geometry import resize_short as resize_short
from mxnet.image._geometry import scale_down as scale_down
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
from mxnet.numpy._ndarray import ndarray as ndarray

def adjust_lighting(
    data: ndarray,
    alpha: float | Sequence[float],
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Moves the colours of an image along the principal axes of the colours of ImageNet."""

def copyMakeBorder(
    src: ndarray,
    top: int,
    bot: int,
    left: int,
    right: int,
    type: int = 0,
    value: float = 0.0,
    values: float | Sequence[float] = (),
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Puts a border around an image."""

def crop(
    data: ndarray,
    x: int,
    y: int,
    width: int,
    height: int,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Cuts a rectangle out of an image."""

def flip_left_right(
    data: ndarray,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Mirrors an image so that left and right change places."""

def flip_top_bottom(
    data: ndarray,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Mirrors an image so that top and bottom change places."""

def normalize(
    data: ndarray,
    mean: float | Sequence[float] = (0.0, 0.0, 0.0, 0.0),
    std: float | Sequence[float] = (1.0, 1.0, 1.0, 1.0),
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Subtracts a mean and divides by a deviation, by channel."""

def random_brightness(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Multiplies an image by a random factor."""

def random_color_jitter(
    data: ndarray,
    brightness: float,
    contrast: float,
    saturation: float,
    hue: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Changes brightness, contrast, saturation and hue at random, in random order."""

def random_contrast(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Multiplies the distance of an image to its mean grey by a random factor."""

def random_crop(
    data: ndarray,
    xrange: float | Sequence[float] = (0.0, 1.0),
    yrange: float | Sequence[float] = (0.0, 1.0),
    width: int = ...,
    height: int = ...,
    interp: int = 1,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Cuts a rectangle of a given size out of images, at a random place."""

def random_flip_left_right(
    data: ndarray,
    p: float = 0.5,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Mirrors an image sideways at random; each of a batch on its own."""

def random_flip_top_bottom(
    data: ndarray,
    p: float = 0.5,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Mirrors an image upside down at random; each of a batch on its own."""

def random_hue(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Turns the colours of an image by a random part of the circle of hues."""

def random_lighting(
    data: ndarray,
    alpha_std: float = 0.05,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Moves the colours of an image at random along the principal axes of colours of ImageNet."""

def random_saturation(
    data: ndarray,
    min_factor: float,
    max_factor: float,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Makes the colours of an image stronger or weaker by a random factor."""

def resize(
    data: ndarray,
    size: int | Sequence[int] = (),
    keep_ratio: bool = False,
    interp: int = 1,
    *,
    out: ndarray | None = None,
    name: str | None = None,
) -> ndarray:
    """Scales an image, as OpenCV does."""

def to_tensor(data: ndarray, *, out: ndarray | None = None, name: str | None = None) -> ndarray:
    """Turns an image into a float tensor, channels first, with values divided by 255."""

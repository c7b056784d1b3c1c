"""Blocks that prepare images for training and prediction.

A hybrid one works on arrays of any context and on symbols; the others choose sizes and angles in
Python and work on arrays. Images are of height, width and channels until `ToTensor` puts the
channels first.
"""

from mxnet.gluon.block import Block as Block
from mxnet.gluon.block import HybridBlock as HybridBlock
from mxnet.gluon.data.vision.transforms._colors import RandomBrightness as RandomBrightness
from mxnet.gluon.data.vision.transforms._colors import RandomColorJitter as RandomColorJitter
from mxnet.gluon.data.vision.transforms._colors import RandomContrast as RandomContrast
from mxnet.gluon.data.vision.transforms._colors import RandomGray as RandomGray
from mxnet.gluon.data.vision.transforms._colors import RandomHue as RandomHue
from mxnet.gluon.data.vision.transforms._colors import RandomLighting as RandomLighting
from mxnet.gluon.data.vision.transforms._colors import RandomSaturation as RandomSaturation
from mxnet.gluon.data.vision.transforms._combined import Compose as Compose
from mxnet.gluon.data.vision.transforms._combined import HybridCompose as HybridCompose
from mxnet.gluon.data.vision.transforms._combined import HybridRandomApply as HybridRandomApply
from mxnet.gluon.data.vision.transforms._combined import RandomApply as RandomApply
from mxnet.gluon.data.vision.transforms._conversion import Cast as Cast
from mxnet.gluon.data.vision.transforms._conversion import Normalize as Normalize
from mxnet.gluon.data.vision.transforms._conversion import ToTensor as ToTensor
from mxnet.gluon.data.vision.transforms._geometry import CenterCrop as CenterCrop
from mxnet.gluon.data.vision.transforms._geometry import CropResize as CropResize
from mxnet.gluon.data.vision.transforms._geometry import RandomCrop as RandomCrop
from mxnet.gluon.data.vision.transforms._geometry import (
    RandomFlipLeftRight as RandomFlipLeftRight,
)
from mxnet.gluon.data.vision.transforms._geometry import (
    RandomFlipTopBottom as RandomFlipTopBottom,
)
from mxnet.gluon.data.vision.transforms._geometry import RandomResizedCrop as RandomResizedCrop
from mxnet.gluon.data.vision.transforms._geometry import RandomRotation as RandomRotation
from mxnet.gluon.data.vision.transforms._geometry import Resize as Resize
from mxnet.gluon.data.vision.transforms._geometry import Rotate as Rotate
from mxnet.gluon.nn import HybridSequential as HybridSequential
from mxnet.gluon.nn import Sequential as Sequential

for _class in (  # where programs and pickles find them, as in the original
    RandomBrightness,
    RandomColorJitter,
    RandomContrast,
    RandomGray,
    RandomHue,
    RandomLighting,
    RandomSaturation,
    Compose,
    HybridCompose,
    HybridRandomApply,
    RandomApply,
    Cast,
    Normalize,
    ToTensor,
    CenterCrop,
    CropResize,
    RandomCrop,
    RandomFlipLeftRight,
    RandomFlipTopBottom,
    RandomResizedCrop,
    RandomRotation,
    Resize,
    Rotate,
):
    _class.__module__ = __name__

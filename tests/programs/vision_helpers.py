"""An image."""

from __future__ import annotations

import os
import random
import warnings

import cv2
import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.gluon.data import vision
from mxnet.gluon.data.vision import transforms as T

warnings.simplefilter("ignore")
rows, columns = np.mgrid[:6, :5]


def picture(k):
    channels = [rows * 40 + k, columns * 50 + 2 * k, (rows + columns) * 20 + 3 * k]
    return np.stack(channels, axis=-1).astype(np.uint8)


image = nd.array(picture(3), dtype="uint8")
tensor = T.ToTensor()(image)
batch = nd.stack(image, image)

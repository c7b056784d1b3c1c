"""A packed file of images."""

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

from .core import GIVEN
from .vision_helpers import batch, columns, image, picture, rows, tensor

folder = GIVEN["folder"]

name = os.path.join(folder, "images")
writer = mx.recordio.MXIndexedRecordIO(name + ".idx", name + ".rec", "w")
for k, label in enumerate([0.0, 3.0, [1.0, 2.5]]):
    header = mx.recordio.IRHeader(0, label, k, 0)
    writer.write_idx(k, mx.recordio.pack_img(header, picture(k), img_fmt=".png"))
writer.close()
dataset = vision.ImageRecordDataset(name + ".rec")

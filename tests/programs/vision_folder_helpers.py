"""A folder of images."""

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

root = os.path.join(folder, "images")
for k, name in enumerate(["b/2.png", "b/10.png", "a/x.PNG", ".c/y.png", "a/deep/z.png", "a/w.bmp"]):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(cv2.imencode(".png", picture(k))[1].tobytes())
os.makedirs(os.path.join(root, "empty"))
for name in ("notes.txt", "a/notes.txt"):
    with open(os.path.join(root, name), "w") as file:
        file.write("no image")
dataset = vision.ImageFolderDataset(root)

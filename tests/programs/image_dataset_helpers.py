"""Datasets of files."""

from __future__ import annotations

import gzip
import json
import os
import random
import struct
import warnings

import cv2
import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.gluon.data import vision

from .core import GIVEN
from .image_record_helpers import (
    DI,
    II,
    RI,
    I,
    R,
    T,
    boxes,
    columns,
    detlist,
    didx,
    drec,
    files,
    fl,
    im,
    imglist,
    k,
    lst,
    lst2,
    multi,
    near,
    nears,
    picture,
    pix,
    png,
    rec,
    rows,
    run,
    same,
    usual,
    w,
    walk,
)

folder = GIVEN["folder"]


def idx(name, array, magic):
    with gzip.open(os.path.join(folder, name), "wb") as f:
        f.write(struct.pack(">" + "I" * (1 + array.ndim), magic, *array.shape) + array.tobytes())


def mnist(gz=True):
    for part, n in (("train", 6), ("t10k", 4)):
        x = (np.arange(n * 784) % 251).astype("uint8").reshape(n, 28, 28)
        idx(part + "-images-idx3-ubyte.gz", x, 2051)
        idx(part + "-labels-idx1-ubyte.gz", np.arange(n).astype("uint8"), 2049)


root = os.path.join(folder, "classes")
for name in ("cat/1.png", "cat/2.png", "dog/1.png", "dog/note.txt"):
    os.makedirs(os.path.dirname(os.path.join(root, name)), exist_ok=True)
    with open(os.path.join(root, name), "wb") as f:
        f.write(png(len(name)) if name.endswith("png") else b"x")
IF = vision.ImageFolderDataset(root)
IR = vision.ImageRecordDataset(same)
L = mx.gluon.data.DataLoader


def batches(loader):
    return [nears(list(b)) for b in loader]


C = T.Compose
NORM = T.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225])


def both(t, x):
    a = t(x)
    t.hybridize()
    return nears(a), nears(t(x)), nears(t(x))

"""Packed files of images."""

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
from .image_file_helpers import (
    DI,
    II,
    I,
    R,
    boxes,
    columns,
    detlist,
    didx,
    drec,
    f,
    files,
    fl,
    idx,
    im,
    imglist,
    lst,
    lst2,
    near,
    nears,
    picture,
    png,
    rec,
    rows,
    walk,
)

folder = GIVEN["folder"]

T = vision.transforms


def run(it, rounds=2):
    out = [[(d[0], list(d[1])) for d in it.provide_data + it.provide_label]]
    for _ in range(rounds):
        for b in it:
            labels = [d.asnumpy().ravel().tolist() for d in b.label]
            out.append([[list(d.shape) for d in b.data], labels, b.pad])
        it.reset()
    return out


def pix(it):
    b = next(iter(it))
    return [str(b.data[0].dtype), nears(b.data[0]), nears(b.label[0])]


same = os.path.join(folder, "s.rec")
w = R.MXIndexedRecordIO(same[:-3] + "idx", same, "w")
for k in range(7):
    w.write_idx(k, R.pack(R.IRHeader(0, float(k), k, 0), png(k, 12, 12)))
w.close()
multi = os.path.join(folder, "m.rec")
w = R.MXRecordIO(multi, "w")
for k in range(4):
    w.write(R.pack(R.IRHeader(0, [k, k + 0.5], k, 0), png(k, 12, 12)))
w.close()
usual = dict(path_imgrec=same, data_shape=(3, 12, 12), batch_size=3, preprocess_threads=1)
RI = lambda **k: mx.io.ImageRecordIter(**{**usual, **k})

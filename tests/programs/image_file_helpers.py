"""Files of images in a folder."""

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

from .core import GIVEN
from .image_helpers import I, R, columns, fl, im, near, nears, picture, png, rows

folder = GIVEN["folder"]


def files(n=7, sub="im"):
    os.makedirs(os.path.join(folder, sub), exist_ok=True)
    for k in range(n):
        with open(os.path.join(folder, sub, f"{k}.png"), "wb") as f:
            f.write(png(k, 12 + k, 16))


files()
lst = os.path.join(folder, "a.lst")
with open(lst, "w") as f:
    for k in range(7):
        f.write(f"{k}\t{k * 1.5}\tim/{k}.png\n")
lst2 = os.path.join(folder, "b.lst")
with open(lst2, "w") as f:
    for k in range(7):
        f.write(f"{k}\t{k * 1.5}\t{k}\tim/{k}.png\n")
rec, idx = os.path.join(folder, "a.rec"), os.path.join(folder, "a.idx")
w = R.MXIndexedRecordIO(idx, rec, "w")
for k in range(7):
    w.write_idx(k, R.pack(R.IRHeader(0, float(k), k, 0), png(k, 12 + k, 16)))
w.close()
drec, didx = os.path.join(folder, "d.rec"), os.path.join(folder, "d.idx")
w = R.MXIndexedRecordIO(didx, drec, "w")
boxes = [[2, 5, 0, 0.1, 0.2, 0.5, 0.6], [2, 5, 1, 0.2, 0.2, 0.8, 0.9, 0, 0.1, 0.1, 0.3, 0.4]]
boxes.append([2, 5, 3, 0, 0, 1, 1])
for k in range(3):
    w.write_idx(k, R.pack(R.IRHeader(0, boxes[k], k, 0), png(k)))
w.close()
imglist = [[k * 1.0, f"im/{k}.png"] for k in range(5)]
detlist = [[boxes[k], f"im/{k}.png"] for k in range(3)]


def walk(it, rounds=2):
    out = [[(d[0], list(d[1])) for d in it.provide_data + it.provide_label]]
    for _ in range(rounds):
        for b in it:
            mean = round(float(b.data[0].mean().asscalar()) / 2, 0)
            out.append([near(b.data[0])[:3], mean, b.label[0].asnumpy().tolist(), b.pad])
        it.reset()
    return out


II = lambda *a, **k: I.ImageIter(4, (3, 8, 8), *a, **k)
DI = lambda *a, **k: I.ImageDetIter(2, (3, 8, 8), *a, **k)

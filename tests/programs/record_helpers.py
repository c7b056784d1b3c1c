"""Record files, and how they are written and read."""

from __future__ import annotations

import gzip
import json
import os
import pickle
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

P = lambda n="a.rec": os.path.join(folder, n)


def write(items, name="a.rec"):
    w = R.MXRecordIO(P(name), "w")
    for item in items:
        w.write(item)
    w.close()


def iwrite(items, kind=int):
    w = R.MXIndexedRecordIO(P("a.idx"), P(), "w", kind)
    for k, item in items:
        w.write_idx(k, item)
    w.close()


def read(name="a.rec"):
    r = R.MXRecordIO(P(name), "r")
    out = []
    while True:
        item = r.read()
        if item is None:
            return out
        out.append(item)


magic = struct.pack("<I", 0xCED7230A)
H = R.IRHeader


def text(x):
    return repr(x)

"""A file and what is read from it and written to it."""

from __future__ import annotations

import copy
import os
import pathlib
import pickle

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

from .core import GIVEN

folder = GIVEN["folder"]
read = lambda p: pathlib.Path(p).read_bytes()
write = lambda p, content: pathlib.Path(p).write_bytes(content)
f = os.path.join(folder, "a.params")
x = nd.array([[1, 2], [3, 4]])

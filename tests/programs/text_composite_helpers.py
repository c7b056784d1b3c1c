"""Embeddings that are put together."""

from __future__ import annotations

import collections
import hashlib
import io
import os
import pickle
import warnings
import zipfile

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.contrib import text

from .text_helpers import C, E, V, ab, count, ct, load, put, read, state, watched

e1 = load("a 1 2\nb 3 4\n<unk> 9 9\n")
e2 = load("b 5 6 7\nc 8 9 10\n", init_unknown_vec=nd.ones)
v = V(C(["a", "b", "b", "c", "zz"]), reserved_tokens=["<p>"])
Composite = E.CompositeEmbedding

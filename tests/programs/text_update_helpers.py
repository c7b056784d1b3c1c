"""An embedding whose vectors are changed."""

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


def update(tokens, vectors):
    e = load("a 1 2\nb 3 4\nB 5 6\n")
    before = e.idx_to_vec
    e.update_token_vectors(tokens, vectors)
    return [e.idx_to_vec is before, e.idx_to_vec]

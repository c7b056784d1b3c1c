"""An embedding."""

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

e = load("a 1 2\nb 3 4\nB 5 6\n", init_unknown_vec=nd.ones)

"""Helpers for tests, with random numbers that are the same in every run."""

from __future__ import annotations

import random

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet import test_utils as t

np.random.seed(1)
random.seed(2)

"""Names of modules."""

from __future__ import annotations

import importlib

import mxnet as mx
import numpy as np
from mxnet import autograd, nd


def star(name, wanted):
    scope = {}
    exec("from %s import *" % name, scope)  # noqa: S102 - a star import is what is asked about
    return [word for word in wanted.split() if word not in scope]

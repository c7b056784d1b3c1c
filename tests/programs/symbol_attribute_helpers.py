"""Symbols with attributes, and what is compared."""

from __future__ import annotations

import pickle

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

S = mx.sym
x, y, z = S.var("x"), S.var("y"), S.var("z")


def scoped(make, **kwargs):
    with mx.AttrScope(**kwargs):
        return make()


def stored(s):
    return S.load_json(s.tojson())


def added(s, **kwargs):
    s._set_attr(**kwargs)
    return s


def after(failing, making):
    try:
        failing()
    except Exception:
        return making().name


many = {"__" + c + "__": c for c in "abcdefghijklmnopqrstuvwxyz"}

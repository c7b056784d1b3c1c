"""Layers that are made, initialized and called, and when that fails."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import gluon, nd

S = mx.sym
v = S.var
nn = gluon.nn


def used(make, *shape):
    """What was done with a layer before it raised, and what."""
    done = []
    try:
        layer = make()
        done.append("made")
        layer.initialize()
        done.append("initialized")
        done.append(layer(nd.ones(shape or (2, 3))).asnumpy().shape)
    except Exception as error:
        return done, error
    return done


def parameter(shape):
    made = gluon.Parameter("p", shape=shape, allow_deferred_init=True)
    made.initialize()
    try:
        return made.data().shape
    except gluon.parameter.DeferredInitializationError:
        return "deferred"

"""Datasets of the tests, in a module of their own so that they can be pickled."""

from __future__ import annotations

import os
import random
import resource
import signal
import time

import numpy as np

import mxnet as mx
from mxnet.gluon import data


class Computed(data.Dataset):
    """Samples that are computed one by one: an array and a number."""

    def __init__(self, length=20, shape=(3,)):
        self._arrays = mx.nd.arange(length).reshape((length,) + (1,) * len(shape)) * mx.nd.ones(
            (1, *shape)
        )

    def __len__(self):
        return len(self._arrays)

    def __getitem__(self, idx):
        return self._arrays[int(idx)], int(idx)


class Drawing(data.Dataset):
    """Samples that draw from the three generators."""

    def __init__(self, python=True, numpy=True, arrays=True):
        self._kinds = python, numpy, arrays

    def __len__(self):
        return 10

    def __getitem__(self, idx):
        python, numpy, arrays = self._kinds
        return (
            float(idx),
            random.random() if python else 0.0,
            np.random.rand() if numpy else 0.0,
            mx.nd.random.uniform(shape=(2,)) if arrays else mx.nd.zeros(2),
        )


class Faulty(data.Dataset):
    """Samples of which number 9 goes wrong in a way that is asked for."""

    def __init__(self, fault, size=(4,)):
        self._fault = fault
        self._size = size

    def __len__(self):
        return 16

    def __getitem__(self, idx):
        if idx == 9:
            _FAULTS[self._fault]()
        return mx.nd.ones(self._size) * float(idx)


class UnfitError(Exception):
    """An error that cannot be pickled, nor made from a message."""

    def __init__(self, one, two):
        super().__init__(f"{one} and {two}")
        self.keep = lambda: one


def _raise_unfit():
    raise UnfitError("this", "that")


def _limit_files():
    """Lets no file grow, which is how shared memory that is used up looks to a process."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))


def _ignore_termination():
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(60)


_FAULTS = {
    "none": lambda: None,
    "raise": lambda: {}["a name that is missing"],
    "unfit": _raise_unfit,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "exit": lambda: os._exit(3),
    "wait": lambda: time.sleep(60),
    "deaf": _ignore_termination,
    "full": _limit_files,
}

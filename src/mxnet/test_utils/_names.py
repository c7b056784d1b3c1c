"""What tests that take everything from here (`import *`) use besides the helpers."""

from __future__ import annotations

import bz2
import errno
import gzip
import json
import logging
import numbers
import os
import platform
import struct
import sys
import time
import traceback
import zipfile
from collections import OrderedDict
from contextlib import contextmanager

import numpy as np
from numpy import random as rnd
from numpy import testing as npt

import mxnet as mx
from mxnet.context import Context, current_context
from mxnet.ndarray import array
from mxnet.symbol import Symbol
from mxnet.util import getenv, setenv, use_np

__all__ = [
    "Context",
    "OrderedDict",
    "Symbol",
    "array",
    "bz2",
    "contextmanager",
    "current_context",
    "errno",
    "getenv",
    "gzip",
    "json",
    "logging",
    "mx",
    "np",
    "npt",
    "numbers",
    "os",
    "platform",
    "rnd",
    "setenv",
    "struct",
    "sys",
    "time",
    "traceback",
    "use_np",
    "zipfile",
]

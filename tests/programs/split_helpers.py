"""How a batch is split."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd
from mxnet.executor_manager import _split_input_slice as split

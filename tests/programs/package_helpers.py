"""The packages alone, for lines that need nothing else."""

from __future__ import annotations

import mxnet as mx
import numpy as np
from mxnet import autograd, nd

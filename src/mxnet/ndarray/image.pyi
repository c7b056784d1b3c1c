"""Written by `make stubs`; do not edit."""

from collections.abc import Sequence
from typing import Any

from mxnet.ndarray.ndarray import NDArray



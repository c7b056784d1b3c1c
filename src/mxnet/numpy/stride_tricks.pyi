"""Written by `make stubs`; do not edit."""

from mxnet.numpy import broadcast_arrays as broadcast_arrays

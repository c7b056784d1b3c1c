"""Written by `make stubs`; do not edit."""

from mxnet.numpy import *

"""Errors of the image package."""

from __future__ import annotations

from mxnet.errors import MXNetError


class InvalidSampleError(MXNetError):
    """A sample is of no use, because of its image or its label; iterators pass over it."""

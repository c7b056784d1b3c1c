"""Errors of the image package."""

from __future__ import annotations

from mxnet.errors import MXNetError, UnsupportedTypeError


class OptionError(MXNetError, ValueError, AssertionError):
    """Options do not fit together, or one has a value that makes no sense."""


class BufferTypeError(UnsupportedTypeError, ValueError):
    """Something that holds no bytes was given to be decoded."""


class InvalidSampleError(MXNetError):
    """A sample is of no use, because of its image or its label; iterators pass over it."""

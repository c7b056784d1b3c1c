"""What tests on a GPU share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch


@contextmanager
def exactly() -> Iterator[None]:
    """Convolves float32 exactly, and so in the same order in every way of running a network."""
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before


@pytest.fixture
def exact_convolutions() -> Iterator[None]:
    """Convolves float32 exactly during a test."""
    with exactly():
        yield

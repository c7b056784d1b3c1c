"""What tests on a GPU share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch


@pytest.fixture
def exact_convolutions() -> Iterator[None]:
    """Convolves float32 exactly, and so in the same order in every way of running a network."""
    with torch.backends.cudnn.flags(allow_tf32=False):
        yield

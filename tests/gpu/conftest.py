"""What tests on a GPU share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import torch

COMPILER_WARNINGS = [
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:torch(\..*)?"),
    pytest.mark.filterwarnings(r"ignore::UserWarning:torch\._(inductor|dynamo)(\..*)?"),
    # The compiler hides this one by itself, but not where warnings are errors.
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf"),
]
"""What torch's compiler says of its own parts is not ours to mend."""


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

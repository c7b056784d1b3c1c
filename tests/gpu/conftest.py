"""What tests on a GPU share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import torch

import mxnet as mx

COMPILER_WARNINGS = [
    pytest.mark.filterwarnings(r"ignore::DeprecationWarning:torch(\..*)?"),
    pytest.mark.filterwarnings(r"ignore::UserWarning:torch\._(inductor|dynamo)(\..*)?"),
    # The compiler hides this one by itself, but not where warnings are errors.
    pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf"),
]
"""What torch's compiler says of its own parts is not ours to mend."""


class SkippedModule(pytest.Module):
    """A module of tests where there is no accelerator: one skip stands for thousands."""

    def collect(self) -> list[pytest.Item]:
        pytest.skip("needs an accelerator", allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Any:
    if mx.num_gpus():
        return None
    return SkippedModule.from_parent(parent, path=module_path)


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

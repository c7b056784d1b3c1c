"""Helpers for programs and their tests."""

from __future__ import annotations

from mxnet.context import num_gpus


def list_gpus() -> list[int]:
    """Gives the numbers of the GPUs that can be used."""
    return list(range(num_gpus()))

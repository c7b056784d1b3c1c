"""Helpers for programs and their tests."""

from __future__ import annotations

from mxnet.context import num_gpus


def list_gpus() -> range:
    """Gives the numbers of the GPUs that can be used."""
    return range(num_gpus())

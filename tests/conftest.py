"""What all tests share."""

from __future__ import annotations

import pytest

import mxnet as mx


def pytest_collection_modifyitems(items):
    if mx.num_gpus():
        return
    skip = pytest.mark.skip(reason="needs an accelerator")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)

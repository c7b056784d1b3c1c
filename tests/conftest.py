"""What all tests share."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import registry


@pytest.fixture(autouse=True)
def same_random_numbers():
    """Starts every test from the same random numbers, in whatever order the tests run."""
    random.seed(0)
    np.random.seed(0)
    torch.default_generator.manual_seed(0)


@pytest.fixture(autouse=True)
def registered_classes():
    """Takes back the names that a test registers: the next one may want the same."""
    tables = [*registry._REGISTRY.values(), mx.kv.KVStoreBase.kv_registry]
    tables.append(mx.optimizer.Optimizer.opt_registry)
    before = [dict(table) for table in tables]
    yield
    for table, entries in zip(tables, before, strict=True):
        if table != entries:
            table.clear()
            table.update(entries)


def pytest_collection_modifyitems(items):
    if mx.num_gpus():
        return
    skip = pytest.mark.skip(reason="needs an accelerator")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)

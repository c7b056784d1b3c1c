"""What all tests share."""

from __future__ import annotations

import os
import zlib
from collections import defaultdict
from contextlib import suppress

import pytest

import mxnet as mx
from mxnet import registry
from mxnet.errors import show_internal_frames
from tests.bundles import reset_random_numbers

# A test that fails shows where, also in a process that it starts.
os.environ.setdefault("MXNET_SHOW_INTERNAL_FRAMES", "1")
show_internal_frames()


@pytest.fixture(autouse=True)
def same_random_numbers():
    """Starts every test from the same random numbers, in whatever order the tests run."""
    reset_random_numbers()


@pytest.fixture(autouse=True)
def own_errors():
    """Takes errors that a test leaves unread: `waitall` of another would raise them."""
    yield
    with suppress(mx.MXNetError):
        mx.nd.waitall()


@pytest.fixture(autouse=True)
def registered_classes():
    """Takes back the names that a test registers: the next one may want the same."""
    tables = [mx.kv.KVStoreBase.kv_registry, mx.optimizer.Optimizer.opt_registry]
    before = [dict(table) for table in tables]
    with registry.registrations_kept():
        yield
    for table, entries in zip(tables, before, strict=True):
        if table != entries:
            table.clear()
            table.update(entries)


_MANY = 300
"""Number of parameters from which a test counts as a long sample."""


def pytest_addoption(parser):
    parser.addoption(
        "--every",
        type=int,
        default=1,
        metavar="N",
        help=f"of tests with more than {_MANY} parameters, run every N-th alone",
    )


def pytest_collection_modifyitems(config, items):
    thin_out(config, items)
    if mx.num_gpus():
        return
    skip = pytest.mark.skip(reason="needs an accelerator")
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(skip)


def thin_out(config, items):
    """Drops parameters of tests that have many, the same ones in every run.

    Each test begins elsewhere, so that together they see more than every N-th sample.
    """
    step = config.getoption("--every")
    tests = defaultdict(list)
    for item in items:
        if item.get_closest_marker("bundle"):  # which drops cases itself
            continue
        tests[item.nodeid.partition("[")[0]].append(item)
    dropped = set()
    for name, group in tests.items():
        if len(group) > _MANY:
            first = zlib.crc32(name.encode()) % step
            dropped.update(set(group) - set(group[first::step]))
    if dropped:
        config.hook.pytest_deselected(items=list(dropped))
        items[:] = [item for item in items if item not in dropped]

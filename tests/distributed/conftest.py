"""Processes whose results several test modules look at."""

import pytest

from tests.distributed import training_cases
from tests.distributed._ranks import run_once


def launch(count, factory):
    env = {"MXNET_KVSTORE_BUCKET_MB": "0.0005"}
    return run_once(training_cases.run_all, count, factory, env=env, seconds=300)


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """Returns what each of two processes found."""
    return launch(2, tmp_path_factory)


@pytest.fixture(scope="session")
def four(tmp_path_factory):
    """Returns what each of four processes found."""
    return launch(4, tmp_path_factory)

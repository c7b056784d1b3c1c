"""Processes whose results several test modules look at."""

import pytest

from tests.distributed import training_cases
from tests.distributed._ranks import run_ranks


def launch(count, folder):
    ended = run_ranks(
        training_cases.run_all,
        count,
        folder,
        env={"MXNET_KVSTORE_BUCKET_MB": "0.0005"},
        seconds=300,
    )
    return [rank.result for rank in ended]


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """Returns what each of two processes found."""
    return launch(2, tmp_path_factory.mktemp("two"))


@pytest.fixture(scope="session")
def four(tmp_path_factory):
    """Returns what each of four processes found."""
    return launch(4, tmp_path_factory.mktemp("four"))

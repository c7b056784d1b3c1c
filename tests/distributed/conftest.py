"""Processes whose results several test modules look at."""

import os
import pickle
import time

import pytest

from tests.distributed import training_cases
from tests.distributed._ranks import run_ranks

_SECONDS = 300


def launch(count, folder):
    """Returns what each of some processes found, and an error in place of it if they failed."""
    try:
        ended = run_ranks(
            training_cases.run_all,
            count,
            folder,
            env={"MXNET_KVSTORE_BUCKET_MB": "0.0005"},
            seconds=_SECONDS,
        )
    except AssertionError as error:
        return None, str(error)
    return [rank.result for rank in ended], None


def launch_once(count, tmp_path_factory):
    """Starts processes, once for all processes that run tests, which share a folder."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"ranks{count}"
    answer = folder / "answer"
    try:
        folder.mkdir()
    except FileExistsError:
        end = time.monotonic() + 2 * _SECONDS
        while not answer.exists():
            assert time.monotonic() < end, f"no answer of {count} processes"
            time.sleep(0.1)
    else:
        (folder / "part").write_bytes(pickle.dumps(launch(count, folder)))
        (folder / "part").rename(answer)
    found, error = pickle.loads(answer.read_bytes())
    assert error is None, error
    return found


@pytest.fixture(scope="session")
def two(tmp_path_factory):
    """Returns what each of two processes found."""
    return launch_once(2, tmp_path_factory)


@pytest.fixture(scope="session")
def four(tmp_path_factory):
    """Returns what each of four processes found."""
    return launch_once(4, tmp_path_factory)

"""What goes wrong in workers: a clear error within seconds, and no process is left behind."""

from __future__ import annotations

import errno
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

import mxnet as mx
from mxnet.gluon import data
from mxnet.gluon.data import _workers
from mxnet.gluon.data.dataloader import (
    SharedMemoryError,
    WorkerDiedError,
    WorkerError,
    WorkerTimeoutError,
)

from .datasets import Computed, Faulty, UnfitError

ROOT = Path(__file__).parents[3]
LARGE = (1200, 1000)
"""Shape of samples of which two do not fit into the memory that workers inherit."""


@pytest.fixture(autouse=True)
def _nothing_is_left():
    yield
    assert multiprocessing.active_children() == []


@contextmanager
def within_seconds():
    """Fails if what is done inside takes long; what goes wrong is known after one to three."""
    start = time.monotonic()
    try:
        yield
    finally:
        assert time.monotonic() - start < 10


@within_seconds()
def load(fault: str, size=(4,), **arguments):
    arguments = {"num_workers": 2, **arguments}
    return [
        batch.asnumpy().flat[0] for batch in data.DataLoader(Faulty(fault, size), 2, **arguments)
    ]


@pytest.mark.parametrize("thread_pool", [False, True])
def test_a_sample_that_raises(thread_pool):
    with pytest.raises(KeyError) as info:
        load("raise", thread_pool=thread_pool)
    error = info.value
    assert isinstance(error, (WorkerError, mx.MXNetError))
    assert error.sample_index == 9
    assert "batch 4, sample 9: KeyError: 'a name that is missing'" in str(error)
    assert "datasets.py" in str(error)  # the traceback in the worker
    assert "in __getitem__" in str(error)
    assert error.__cause__.args == ("a name that is missing",)


def test_a_sample_that_raises_without_workers():
    with pytest.raises(KeyError) as info:
        load("raise", num_workers=0)
    assert info.value.args == ("a name that is missing",)
    assert info.value.sample_index == 9


@pytest.mark.parametrize("thread_pool", [False, True])
def test_an_error_that_cannot_be_sent(thread_pool):
    with pytest.raises(UnfitError, match="this and that"):
        load("unfit", thread_pool=thread_pool)


def test_an_error_of_a_class_of_ones_own():
    class OwnError(Exception):
        pass

    def refuse(_):
        raise OwnError("mine")

    dataset = data.SimpleDataset([1, 2]).transform(refuse)
    with pytest.raises(OwnError, match="mine"):
        list(data.DataLoader(dataset, 1, num_workers=1, thread_pool=True))
    with pytest.raises(WorkerError, match="OwnError: mine"):  # the class itself cannot be sent
        list(data.DataLoader(dataset, 1, num_workers=1))


def test_a_sample_that_stops_an_iteration():
    dataset = data.SimpleDataset([[], []]).transform(lambda sample: next(iter(sample)))
    for arguments in ({}, {"num_workers": 1}, {"num_workers": 1, "thread_pool": True}):
        with pytest.raises(RuntimeError, match="StopIteration"):
            list(data.DataLoader(dataset, 1, **arguments))


def test_batches_before_the_error_come():
    loader = iter(data.DataLoader(Faulty("raise"), 2, num_workers=2))
    assert [next(loader).asnumpy()[0, 0] for _ in range(4)] == [0, 2, 4, 6]
    with pytest.raises(KeyError):
        next(loader)


def test_a_transform_that_raises_tells_the_sample():
    dataset = data.ArrayDataset(mx.nd.ones((6, 2)), list(range(6)))

    def refuse(_, y):
        raise ValueError(f"no {y}")

    with pytest.raises(ValueError, match="sample 0: ValueError: no 0"):
        list(data.DataLoader(dataset.transform(refuse), 2, num_workers=1))


@pytest.mark.parametrize("workers", [0, 1])
def test_the_index_is_that_in_the_dataset_of_the_loader(workers):
    part = Faulty("raise").shard(2, 1).transform(lambda x: x).take(5)
    for batchify_fn in (None, list):
        with pytest.raises(KeyError) as info:
            list(data.DataLoader(part, 2, num_workers=workers, batchify_fn=batchify_fn))
        assert info.value.sample_index == 1


def test_a_batchify_fn_that_raises():
    def refuse(samples):
        raise ValueError(f"{len(samples)} samples")

    with pytest.raises(ValueError, match="worker 0, batch 0: ValueError: 2 samples"):
        list(data.DataLoader(Computed(), 2, batchify_fn=refuse, num_workers=1))


def test_a_batch_that_cannot_be_sent():
    with pytest.raises(mx.MXNetError, match="local object"):
        list(data.DataLoader(Computed(), 2, batchify_fn=lambda s: lambda: s, num_workers=1))


@pytest.mark.parametrize(("fault", "reason"), [("kill", "SIGKILL"), ("exit", "exit status 3")])
def test_a_worker_that_ends(fault, reason):
    with pytest.raises(WorkerDiedError, match=reason):
        load(fault)


def test_a_worker_killed_from_outside():
    dataset = Computed(2000)
    with pytest.raises(WorkerDiedError, match="SIGKILL"), within_seconds():
        for number, _ in enumerate(data.DataLoader(dataset, 2, num_workers=2)):
            if number == 1:
                os.kill(multiprocessing.active_children()[0].pid, signal.SIGKILL)
                time.sleep(0.1)  # nothing is raised here, in the code of the program


@pytest.mark.parametrize("thread_pool", [False, True])
def test_a_sample_that_takes_too_long(thread_pool):
    with pytest.raises(multiprocessing.TimeoutError) as info:
        load("wait", timeout=0.5, thread_pool=thread_pool)
    assert isinstance(info.value, (WorkerTimeoutError, TimeoutError))


def test_a_worker_that_does_not_let_itself_be_terminated():
    with pytest.raises(WorkerTimeoutError):
        load("deaf", timeout=0.5)


def test_a_slow_sample_within_the_time():
    dataset = data.SimpleDataset([0, 1.3]).transform(lambda x: time.sleep(x) or x)
    assert len(list(data.DataLoader(dataset, 1, num_workers=1, timeout=8))) == 2


@pytest.mark.parametrize("workers", [1, 2])
def test_leaving_the_loop_early(workers):
    with within_seconds():
        for number, _ in enumerate(data.DataLoader(Faulty("wait"), 2, num_workers=workers)):
            if number == 1:
                break
    assert multiprocessing.active_children() == []


def test_an_iterator_that_is_dropped():
    iterator = iter(data.DataLoader(Computed(2000), 2, num_workers=2))
    next(iterator)
    assert len(multiprocessing.active_children()) == 2
    del iterator
    assert multiprocessing.active_children() == []


def test_shared_memory_that_is_used_up():
    with pytest.raises(
        SharedMemoryError, match=r"no shared memory for an array of .* thread_pool=True"
    ) as info:
        load("full", LARGE)
    file = re.search(r"</(torch_\w+)>", str(info.value))
    assert not Path("/dev/shm", file[1]).exists()


def test_workers_that_cannot_be_started(monkeypatch):
    def refuse(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(_workers.TorchLoader, "__iter__", refuse)
    with pytest.raises(mx.MXNetError, match=r"2 worker processes cannot be started: .* No space"):
        load("none")


def test_batches_that_fit_need_no_files():
    assert load("full", (100, 100)) == list(range(0, 16, 2))


PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
import time
from mxnet.gluon import data
from tests.gluon.data.datasets import Faulty
loader = data.DataLoader(Faulty("wait"), 2, num_workers=2, thread_pool={threads})
for batch in loader:
    print("batch", flush=True)
"""


@pytest.mark.parametrize("threads", [False, True])
def test_ctrl_c(threads):
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(threads=threads)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    )
    assert process.stdout.readline() == "batch\n"
    time.sleep(0.5)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)  # about a second, on a machine that is not busy
    assert errors.strip().endswith("KeyboardInterrupt")
    assert errors.count("Traceback") == 1  # that of the program; workers are silent
    assert process.returncode in (1, -signal.SIGINT)
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)  # nobody of the group is left

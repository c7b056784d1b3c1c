"""Locks of objects that are copied, pickled and forked, and memories that threads share."""

from __future__ import annotations

import copy
import os
import pickle
import threading

import pytest

from mxnet._state import Lock


def is_free(lock):
    """Whether another thread can take the lock at once."""
    results = []
    thread = threading.Thread(target=lambda: results.append(lock.acquire(timeout=0.1)))
    thread.start()
    thread.join()
    return results[0]


def test_a_thread_may_take_it_again():
    lock = Lock()
    with lock, lock:
        assert not is_free(lock)
    assert is_free(lock)


def test_an_error_frees_it():
    lock = Lock()
    with pytest.raises(KeyError), lock:
        raise KeyError
    assert is_free(lock)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_a_copy_has_a_lock_of_its_own(copied):
    lock = Lock()
    with lock:
        assert is_free(copied(lock))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_does_not_wait_for_a_thread_of_its_parent():
    lock, held, done = Lock(), threading.Event(), threading.Event()

    def hold():
        with lock:
            held.set()
            done.wait(30)

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(30)
    child = os.fork()
    if not child:
        with lock:
            os._exit(7)
    _, status = os.waitpid(child, 0)
    done.set()
    thread.join()
    assert os.waitstatus_to_exitcode(status) == 7

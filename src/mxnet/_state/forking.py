"""What a process does before and after it is forked.

A forked process has one thread, but a copy of all locks. One that another thread of the parent
held at that moment is never released there, and the first to ask for it waits for ever. So the
locks of the random generators, which a loader's worker seeds first of all, are held by the thread
that forks: no other thread draws meanwhile.
"""

import os
import sys
from typing import Any

import numpy as np
import torch

from mxnet._state.rng import DRAWS

_PATIENCE = 5.0
"""Seconds to wait for a generator: a program that holds NumPy's lock itself may still fork."""


def _numpy_lock() -> Any:
    """Returns the lock of the generator behind the functions of `numpy.random`.

    Returns:
        The lock; None if nothing has imported these functions, so that no thread can hold it.
    """
    if "numpy.random" not in sys.modules:
        return None
    return np.random.get_bit_generator().lock  # type: ignore[attr-defined]  # not in the stubs


class _HeldLocks:
    """The locks of the generators, while a process is forked."""

    def __init__(self) -> None:
        self._numpy: Any = None
        self._is_held = False

    def acquire(self) -> None:
        """Waits until no thread draws."""
        DRAWS.acquire()
        self._numpy = _numpy_lock()  # a program may have set another generator
        self._is_held = self._numpy is not None and self._numpy.acquire(timeout=_PATIENCE)

    def release_in_parent(self) -> None:
        """Lets the threads of the parent go on."""
        self._release_numpy()
        DRAWS.release()

    def release_in_child(self) -> None:
        """Lets the child draw, and keeps it to one thread.

        The threads of OpenMP, with which torch shares out the work of an operator, do not exist in
        a forked process, but its library waits for them for ever. One thread needs none of them.
        """
        self._release_numpy()  # the other lock is new in a forked process
        torch.set_num_threads(1)

    def _release_numpy(self) -> None:
        if self._is_held:
            self._numpy.release()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    _held = _HeldLocks()
    os.register_at_fork(
        before=_held.acquire,
        after_in_parent=_held.release_in_parent,
        after_in_child=_held.release_in_child,
    )

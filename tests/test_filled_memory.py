"""Memory for arrays that are read from files."""

from __future__ import annotations

import gc
import mmap

import numpy as np
import pytest

from mxnet import _filled_memory
from mxnet._filled_memory import FilledMemory

MIB = 1 << 20


@pytest.mark.parametrize("has_pages", [True, False])
def test_pieces_do_not_overlap_and_are_aligned(monkeypatch, has_pages):
    monkeypatch.setattr(_filled_memory, "_HAS_PAGES", has_pages and _filled_memory._HAS_PAGES)
    memory = FilledMemory()
    sizes = [1, 100, 0, 3 * MIB, 64, MIB, MIB, 2 * MIB, 5, 7 * MIB + 3]
    left = sum(sizes)
    pieces = []
    for number, size in enumerate(sizes):
        piece = memory.take(size, left)
        left -= size
        assert piece.shape == (size,) and piece.flags.writeable
        assert has_pages is False or piece.ctypes.data % 64 == 0
        piece[:] = number
        pieces.append(piece)
    for number, piece in enumerate(pieces):
        assert (piece == number).all()


def test_small_files_take_no_more_than_they_hold():
    memory = FilledMemory()
    assert memory.take(100, 1000).base is None
    assert len(memory._shared) == 0


def test_what_is_shared_is_no_more_than_what_is_expected():
    memory = FilledMemory()
    memory.take(64, 3 * MIB)
    assert len(memory._shared) == 3 * MIB - 64
    memory = FilledMemory()
    memory.take(64, 1 << 40)
    assert len(memory._shared) == _filled_memory._SHARED - 64


def test_a_system_without_memory_is_reported_as_numpy_does(monkeypatch):
    def refuse(*_):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(mmap, "mmap", refuse)
    assert FilledMemory().take(3 * MIB, 3 * MIB).shape == (3 * MIB,)
    with pytest.raises(MemoryError):
        FilledMemory().take(1 << 60, 1 << 60)


def test_memory_outlives_what_handed_it_out():
    memory = FilledMemory()
    piece = memory.take(4, 3 * MIB)
    piece[:] = 7
    del memory
    gc.collect()
    np.testing.assert_array_equal(piece, [7, 7, 7, 7])

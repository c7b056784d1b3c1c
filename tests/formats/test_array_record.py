"""Memory for arrays that are read from files."""

from __future__ import annotations

import pytest

from mxnet._formats.array_record import allocate


@pytest.mark.parametrize("size", [0, 1, 100, 1 << 20, (5 << 20) + 3])
def test_memory_is_aligned_and_may_be_written_to(size):
    first, second = allocate(size), allocate(size)
    for number, memory in enumerate((first, second)):
        assert memory.shape == (size,) and memory.flags.writeable
        assert not size or memory.ctypes.data % 64 == 0
        memory[:] = number
    assert (first == 0).all() and (second == 1).all()


def test_a_system_without_memory_is_reported_as_numpy_does():
    with pytest.raises(MemoryError):
        allocate(1 << 60)

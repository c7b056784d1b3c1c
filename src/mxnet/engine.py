"""How the original groups small operations: kept so that programs that ask for it run.

torch's kernels run one by one as they are called, so that a group has no effect; `hybridize` makes
graphs instead.
"""

from __future__ import annotations

import operator
import threading

from mxnet._start import public_call


class _Size(threading.local):
    value = 0


_size = _Size()


def set_bulk_size(size: int) -> int:
    """Sets how many operations the original would run as one.

    Args:
        size: The number; 0 and 1 switch grouping off.

    Returns:
        The number before.
    """
    before = _size.value
    _size.value = max(operator.index(size), 0)
    return before


class _BulkScope:
    """Sets the size of groups in a `with` block."""

    def __init__(self, size: int) -> None:
        self._size, self._before = size, 0

    @public_call
    def __enter__(self) -> _BulkScope:
        self._before = set_bulk_size(self._size)
        return self

    def __exit__(self, *_: object) -> None:
        set_bulk_size(self._before)


def bulk(size: int) -> _BulkScope:
    """Returns a scope in which the original runs so many operations as one.

    Example:
        >>> import mxnet as mx
        >>> with mx.engine.bulk(10):
        ...     x = mx.nd.ones((2,)) + 1
        >>> print(x.asnumpy())
        [2. 2.]
    """
    return _BulkScope(size)

"""A store on the exchanges of Horovod's interface: `mx.kvstore.create("horovod")`, of MXNet 2."""

from __future__ import annotations

from typing import Any

from mxnet._start import tracebacks
from mxnet.kvstore.base import KVStoreBase
from mxnet.ndarray import NDArray


def _listed(arrays: Any) -> list[NDArray]:
    return list(arrays) if isinstance(arrays, (list, tuple)) else [arrays]


@KVStoreBase.register
class Horovod(KVStoreBase):
    """Adds up arrays of all processes by `mx.contrib.horovod`, which it initializes.

    Example:
        >>> import mxnet as mx
        >>> store = mx.kvstore.create("horovod")
        >>> x = mx.nd.ones(2)
        >>> store.pushpull("x", x)
        >>> store.rank, store.num_workers, x.asnumpy().tolist()
        (0, 1, [1.0, 1.0])
        >>> mx.contrib.horovod.shutdown()
    """

    def __init__(self) -> None:
        from mxnet.contrib import horovod  # noqa: PLC0415 - of stores that are asked for

        self._exchange = horovod
        horovod.init()

    @property
    def type(self) -> str:
        """`"horovod"`."""
        return "horovod"

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copies the value of the first process to all; see `KVStoreBase.broadcast`."""
        (first, *_) = _listed(value)
        sent = self._exchange.broadcast(first, root_rank=0, name=str(key), priority=priority)
        for array in _listed(out):
            array[:] = sent.as_in_context(array.context)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Adds up the values of all processes; see `KVStoreBase.pushpull`."""
        options = {"average": False, "name": str(key), "priority": priority}
        if out is None:
            for array in _listed(value):
                self._exchange.allreduce_(array, **options)
            return
        for target, array in zip(_listed(out), _listed(value), strict=False):
            target[:] = self._exchange.allreduce(array, **options)

    def set_optimizer(self, optimizer: Any) -> None:
        """Leaves weights to the trainer."""

    @staticmethod
    def is_capable(capability: str) -> bool:
        """Returns False: the store exchanges arrays, and nothing else."""
        del capability
        return False

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Saves nothing: there is no optimizer in the store."""

    def load_optimizer_states(self, fname: str) -> None:
        """Loads nothing: there is no optimizer in the store."""

    @property
    def rank(self) -> int:
        """Number of this process."""
        return self._exchange.rank()

    @property
    def local_rank(self) -> int:
        """Number of this process on its machine."""
        return self._exchange.local_rank()

    @property
    def num_workers(self) -> int:
        """Number of processes."""
        return self._exchange.size()


tracebacks.public_functions(globals())
